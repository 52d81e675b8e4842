package checkpoint_test

// This file damages checkpoints everywhere: whatever happens is noticed, and
// never a panic.

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"hash/crc32"
	"os"
	"path/filepath"
	"testing"

	"github.com/gomlx/compute/dtypes"
	"github.com/stretchr/testify/require"

	"github.com/gospmd/gospmd/checkpoint"
	"github.com/gospmd/gospmd/ir"
	"github.com/gospmd/gospmd/layout"
)

// saved returns the bytes of a small checkpoint.
func saved(t testing.TB) []byte {
	t.Helper()
	name := filepath.Join(t.TempDir(), "x.ckpt")
	require.NoError(t, checkpoint.Save(t.Context(), name, []checkpoint.Tensor{
		{Name: "kernel", Source: checkpoint.Host(ir.Tensor(dtypes.Float32, 3, 5), bytes.Repeat([]byte{1, 2, 3, 4, 5}, 12))},
		{Name: "step", Source: checkpoint.Host(ir.Tensor(dtypes.Int64), []byte{1, 2, 3, 4, 5, 6, 7, 8})},
	}, []byte("the caller's own")))
	data, err := os.ReadFile(name)
	require.NoError(t, err)
	return data
}

// readAll opens a checkpoint of these bytes and reads all of it.
func readAll(name string, data []byte) error {
	if err := os.WriteFile(name, data, 0o644); err != nil {
		return err
	}
	c, err := checkpoint.Open(name)
	if err != nil {
		return err
	}
	defer c.Close()
	for _, name := range c.Names() {
		s, err := c.Tensor(name)
		if err != nil {
			return err
		}
		if s.Type().Bytes() > 1<<20 {
			continue
		}
		ranges := make([]layout.Range, s.Type().Rank())
		for i, d := range s.Type().Dims {
			ranges[i] = layout.Range{Limit: d}
		}
		if err := s.Read(ranges, make([]byte, s.Type().Bytes())); err != nil {
			return err
		}
	}
	return c.Verify()
}

// TestEveryByte flips a bit of each byte of a checkpoint, cuts it off there, and
// lets a block be zeros from there on, as after a power cut.
func TestEveryByte(t *testing.T) {
	whole, name := saved(t), filepath.Join(t.TempDir(), "damaged.ckpt")
	require.NoError(t, readAll(name, whole))
	noticed := func(what string, at int, data []byte) {
		t.Helper()
		err := readAll(name, data)
		require.Error(t, err, "%s at byte %d", what, at)
		require.True(t, checkpoint.IsDamaged(err), "%s at byte %d: %v", what, at, err)
		require.ErrorContains(t, err, name)
	}
	for at := range whole {
		data := bytes.Clone(whole)
		data[at] ^= 1 << (at % 8)
		noticed("a flipped bit", at, data)
		noticed("the end", at, whole[:at])
		data = bytes.Clone(whole)
		if clear(data[at:min(at+64, len(data))]); !bytes.Equal(data, whole) {
			noticed("zeros", at, data)
		}
	}
}

// FuzzTable gives a checkpoint any table, with the checksum that belongs to it,
// as a faulty writer might: to read it is an error or it is not, but ends.
func FuzzTable(f *testing.F) {
	whole := saved(f)
	const foot = 32
	offset := int(binary.LittleEndian.Uint64(whole[len(whole)-foot:]))
	f.Add(string(whole[offset : len(whole)-foot]))
	for _, tensor := range []map[string]any{
		{"name": "a", "dtype": "Float32", "shape": []int{1 << 40, 1 << 40}},
		{"name": "a", "dtype": "Float32", "shape": []int{-1}},
		{"name": "a", "dtype": "Float99", "shape": []int{}},
		{"name": "a", "dtype": "Int8", "shape": []int{2}, "tiles": []any{map[string]any{"start": []int{0}, "count": []int{1}, "offset": 16}, map[string]any{"start": []int{0}, "count": []int{1}, "offset": 16}}},
		{"name": "a", "dtype": "Int8", "shape": []int{2}, "tiles": []any{map[string]any{"start": []int{1}, "count": []int{1 << 62}, "offset": -1}}},
		{"name": "a", "dtype": "Int8", "shape": []int{0, 1 << 62, 1 << 62}},
	} {
		text, err := json.Marshal(map[string]any{"tensors": []any{tensor, tensor}})
		require.NoError(f, err)
		f.Add(string(text))
	}
	name := filepath.Join(f.TempDir(), "x.ckpt")
	f.Fuzz(func(t *testing.T, table string) {
		data := append(bytes.Clone(whole[:offset]), table...)
		data = binary.LittleEndian.AppendUint64(data, uint64(offset))
		data = binary.LittleEndian.AppendUint32(data, uint32(len(table)))
		data = binary.LittleEndian.AppendUint32(data, crc32.Checksum([]byte(table), crc32.MakeTable(crc32.Castagnoli)))
		_ = readAll(name, append(data, whole[len(whole)-16:]...))
	})
}
