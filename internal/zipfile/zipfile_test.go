package zipfile_test

// This file reads correct archives, and archives with false sizes and checksums.

import (
	"archive/zip"
	"bytes"
	"encoding/binary"
	"fmt"
	"io"
	"io/fs"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/gospmd/gospmd/internal/budget"
	"github.com/gospmd/gospmd/internal/testing/memtest"
	"github.com/gospmd/gospmd/internal/zipfile"
)

// entry is a file that a test puts into an archive: its name, contents, compression method and
// mode.
type entry struct {
	name, data string
	method     uint16
	mode       fs.FileMode
}

func archive(t testing.TB, entries ...entry) []byte {
	t.Helper()
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	for _, e := range entries {
		h := &zip.FileHeader{Name: e.name, Method: e.method}
		if e.mode != 0 {
			h.SetMode(e.mode)
		}
		w, err := z.CreateHeader(h)
		require.NoError(t, err)
		_, err = io.WriteString(w, e.data)
		require.NoError(t, err)
	}
	require.NoError(t, z.Close())
	return b.Bytes()
}

func open(data []byte) (*zipfile.Archive, error) {
	return zipfile.Open(bytes.NewReader(data), int64(len(data)), budget.ForFile(int64(len(data))))
}

func Example() {
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	w, _ := z.Create("config.json")
	fmt.Fprint(w, "{}")
	z.Close()
	a, err := zipfile.Open(bytes.NewReader(b.Bytes()), int64(b.Len()), budget.ForFile(int64(b.Len())))
	if err != nil {
		panic(err)
	}
	m, err := a.Member("config.json")
	if err != nil {
		panic(err)
	}
	text, err := m.Bytes()
	fmt.Println(string(text), err)
	_, err = a.Member("weights")
	fmt.Println(err)
	// Output:
	// {} <nil>
	// weights: the archive does not hold it, only "config.json"
}

func TestRead(t *testing.T) {
	text := strings.Repeat("text", 1000)
	a, err := open(archive(t, entry{name: "../up", data: "x"}, entry{name: "stored", data: text}, entry{name: "packed", data: text, method: zip.Deflate}))
	require.NoError(t, err)
	require.Equal(t, []string{"../up", "stored", "packed"}, a.Names())
	for _, name := range []string{"stored", "packed"} {
		m, err := a.Member(name)
		require.NoError(t, err)
		require.Equal(t, int64(len(text)), m.Size())
		got, err := m.Bytes()
		require.NoError(t, err)
		require.Equal(t, text, string(got))
		var b strings.Builder
		require.NoError(t, m.Copy(&b))
		require.Equal(t, text, b.String())
		if s, err := m.Section(); m.Compressed() {
			require.ErrorContains(t, err, "BUG")
		} else {
			part := make([]byte, 4)
			_, err = s.ReadAt(part, 8)
			require.NoError(t, err)
			require.Equal(t, "text", string(part))
		}
	}
}

// patchSize returns the archive data, of one entry, with another uncompressed size in its
// directory.
func patchSize(data []byte, size uint32) []byte {
	data = bytes.Clone(data)
	at := bytes.Index(data, []byte("PK\x01\x02"))
	binary.LittleEndian.PutUint32(data[at+24:], size)
	return data
}

// read opens data as an archive, and reads its first member by Bytes and by Copy. It returns the
// error of reading. The test fails if only one of both has an error.
func read(t *testing.T, data []byte) error {
	a, err := open(data)
	if err != nil {
		return err
	}
	m, err := a.Member(a.Names()[0])
	if err != nil {
		return err
	}
	_, err = m.Bytes()
	require.Equal(t, err != nil, m.Copy(io.Discard) != nil)
	return err
}

func TestHostile(t *testing.T) {
	zeros := string(make([]byte, budget.Floor+1<<20))
	bomb := archive(t, entry{name: "a", data: zeros, method: zip.Deflate})
	require.Less(t, len(bomb), 1<<17)
	small := archive(t, entry{name: "a", data: "0123456789", method: zip.Deflate})
	flipped := archive(t, entry{name: "a", data: "0123456789"})
	flipped[bytes.Index(flipped, []byte("0123"))] ^= 1
	for _, tc := range []struct {
		name, want string
		data       []byte
	}{
		{"bomb", "a needs 43 MB, but a file of", bomb},
		{"bomb that hides its size", "a is damaged", patchSize(bomb, 1000)},
		{"smaller than it says", "a is damaged: unexpected EOF", patchSize(small, 20)},
		{"larger than it says", "a is damaged", patchSize(small, 5)},
		{"twice", "a: the archive holds it twice", archive(t, entry{name: "a", data: "1"}, entry{name: "a", data: "2"})},
		{"link", "a: it is no file in the archive, but a symbolic link", archive(t, entry{name: "a", data: "/etc/passwd", mode: fs.ModeSymlink | 0o777})},
		{"directory", "a/: it is no file in the archive, but a directory", archive(t, entry{name: "a/", mode: fs.ModeDir | 0o777})},
		{"flipped bit", "a is damaged: zip: checksum error", flipped},
		{"cut off", "zip: not a valid zip file", small[:len(small)-10]},
	} {
		t.Run(tc.name, func(t *testing.T) {
			err := read(t, tc.data)
			require.ErrorContains(t, err, tc.want)
			require.Less(t, len(err.Error()), 1000)
		})
	}
}

// FuzzRead reads a member whose compressed data were changed, and whose size in the directory may
// be false. Bytes and Copy must both succeed or both fail, and take no more memory than a file of
// the archive's size may.
func FuzzRead(f *testing.F) {
	f.Add("a", []byte("text"), uint32(4), false, 0, byte(0))
	f.Add("a", []byte("text"), uint32(4), false, 1, byte(1))
	f.Add("a", make([]byte, 1000), uint32(1<<31), true, 500, byte(7))
	f.Fuzz(func(t *testing.T, name string, contents []byte, size uint32, store bool, at int, change byte) {
		name = strings.TrimRight(name[:min(len(name), 100)], "/") // the writer accepts only such names
		method := zip.Deflate
		if store {
			method = zip.Store
		}
		for _, entries := range [][]entry{{{name: name, data: string(contents), method: method}}, {{name: name}, {name: "b", data: string(contents)}}} {
			data := archive(t, entries...)
			if !strings.Contains(name, "PK") {
				data = patchSize(data, size)
			}
			if first, end := 30+len(name), bytes.Index(data, []byte("PK\x07\x08")); end > first { // the first member's data
				data[first+int(uint(at)%uint(end-first))] ^= change
			}
			memtest.Within(t, len(data), func() { _ = read(t, data) })
		}
	})
}

// TestManyEntries opens an archive that consists mostly of its directory. Open must refuse it if
// the directory takes more memory than the budget, and keep its errors short.
func TestManyEntries(t *testing.T) {
	entries := make([]entry, 60000)
	for i := range entries {
		entries[i].name = fmt.Sprint(i)
	}
	_, err := open(archive(t, entries...))
	require.ErrorIs(t, err, budget.ErrExceeded)
	a, err := open(archive(t, entries[:2000]...))
	require.NoError(t, err)
	_, err = a.Member("x")
	require.Less(t, len(err.Error()), 1000)
}
