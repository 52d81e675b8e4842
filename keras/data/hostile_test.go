package data_test

// This file tests Cache with files whose table of elements was changed, and whose checksum fits the
// changed table. Reading such a file must return an error (except for another type of the same
// size), and must take no more memory than memtest.Bound allows for its bytes.

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"hash/crc32"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/gomlx/compute/dtypes"
	"github.com/stretchr/testify/require"

	"github.com/gospmd/gospmd/internal/testing/memtest"
)

// cacheFile returns the bytes of a cache file of five elements in two parts: the header with the
// elements, and the table in JSON. The footer behind them is left out.
func cacheFile(t testing.TB) (elements []byte, table string) {
	t.Helper()
	file := filepath.Join(t.TempDir(), "cache")
	calls := 0
	for _, err := range countCalls(5, file, &calls).Batch(2).Batches(t.Context()) {
		require.NoError(t, err)
	}
	whole, err := os.ReadFile(file)
	require.NoError(t, err)
	const footer = 32
	offset := binary.LittleEndian.Uint64(whole[len(whole)-footer:])
	return whole[:offset], string(whole[offset : len(whole)-footer])
}

// sealedCache returns the bytes of a cache file of these elements with the given table, and a
// footer with the right checksum for it.
func sealedCache(elements []byte, table string) []byte {
	out := append(bytes.Clone(elements), table...)
	out = binary.LittleEndian.AppendUint64(out, uint64(len(elements)))
	out = binary.LittleEndian.AppendUint32(out, uint32(len(table)))
	out = binary.LittleEndian.AppendUint32(out, crc32.Checksum([]byte(table), crc32.MakeTable(crc32.Castagnoli)))
	return append(out, elements[:16]...)
}

// readCache writes data as the file of a cache, reads a pipeline with that cache to its end, and
// returns the last error.
func readCache(t testing.TB, file string, data []byte) (err error) {
	t.Helper()
	require.NoError(t, os.WriteFile(file, data, 0o644))
	calls := 0
	for _, e := range countCalls(5, file, &calls).Batch(2).Batches(t.Context()) {
		err = e
	}
	return err
}

func TestHostileCache(t *testing.T) {
	elements, table := cacheFile(t)
	file := filepath.Join(t.TempDir(), "cache")
	require.NoError(t, readCache(t, file, sealedCache(elements, table)))
	const dims = `"dims":[2]`
	require.Contains(t, table, dims)
	tables := map[string]string{
		"wraps to nothing": strings.Replace(table, dims, `"dims":[4294967296,4294967296]`, 1),
		"wraps to little":  strings.Replace(table, dims, `"dims":[4611686018427387905,4]`, 1),
		"negative":         strings.Replace(table, dims, `"dims":[-1,-1]`, 1),
		"large":            strings.Replace(table, dims, `"dims":[1000000000]`, 1),
		"empty layouts":    `{"layouts":[` + strings.Repeat("{},", 1<<20) + `{}]}`,
		"empty elements":   `{"elements":[` + strings.Repeat("{},", 1<<20) + `{}]}`,
		"no element":       strings.Replace(table, `"layout":0`, `"layout":9`, 1),
	}
	for _, name := range dtypes.DTypeStrings() {
		if name != "Int32" {
			tables["of type "+name] = strings.Replace(table, `"dtype":"Int32"`, fmt.Sprintf(`"dtype":%q`, name), 1)
		}
	}
	for name, changed := range tables {
		t.Run(name, func(t *testing.T) {
			require.NotEqual(t, table, changed)
			data := sealedCache(elements, changed)
			memtest.Within(t, len(data), func() {
				err := readCache(t, file, data)
				if err == nil && strings.HasPrefix(name, "of type") { // types of the same size are not distinguished
					return
				}
				require.ErrorContains(t, err, "Cache: "+file)
				require.Less(t, len(err.Error()), 1000)
			})
		})
	}
}

// FuzzCacheTable replaces the table of a file by any bytes, with the right footer for them. Reading
// may return an error, which must not say BUG, but must not panic or take more memory than a file
// of its size may.
func FuzzCacheTable(f *testing.F) {
	elements, table := cacheFile(f)
	f.Add(table)
	f.Add(strings.Replace(table, `"dims":[2]`, `"dims":[0,4294967296]`, 1))
	file := filepath.Join(f.TempDir(), "cache")
	f.Fuzz(func(t *testing.T, table string) {
		data := sealedCache(elements, table)
		memtest.Within(t, len(data), func() {
			if err := readCache(t, file, data); err != nil {
				require.NotContains(t, err.Error(), "BUG")
			}
		})
	})
}
