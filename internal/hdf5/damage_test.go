package hdf5_test

// This file reads damaged and foreign files.

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/gospmd/gospmd/internal/hdf5"
	"github.com/gospmd/gospmd/internal/testing/memtest"
)

// readAll opens data as an HDF5 file, and reads the groups, their attributes and the datasets in
// it, up to 1000 names and except datasets of more than 64 KiB. It returns the error of opening the
// file, or else the last error of reading it.
func readAll(data []byte) error {
	f, err := hdf5.Read(bytes.NewReader(data), int64(len(data)))
	if err != nil {
		return err
	}
	seen := 0
	var walk func(g *hdf5.Group)
	walk = func(g *hdf5.Group) {
		for _, name := range g.Names() {
			if seen++; seen > 1000 {
				return
			}
			if child, e := g.Group(name); e == nil {
				walk(child)
				continue
			}
			d, e := g.Dataset(name)
			if e != nil {
				err = e
				continue
			}
			size := d.Type().Size
			for _, n := range d.Shape() {
				if size *= n; size > 1<<16 {
					break
				}
			}
			if size > 1<<16 {
				continue
			}
			_, e = d.Read()
			if k := d.Type().Kind; e == nil && (k == hdf5.String || k == hdf5.VarString) {
				_, e = d.Texts()
			}
			if e != nil {
				err = e
			}
		}
		for _, a := range g.Attrs() {
			if _, e := a.Value(); e != nil {
				err = e
			}
		}
	}
	walk(f.Root())
	return err
}

func TestForeignFiles(t *testing.T) {
	for _, tc := range []struct{ name, data, want string }{
		{"empty", "", "not an HDF5 file: it has 0 bytes"},
		{"text", "PK\x03\x04 something else altogether", "not an HDF5 file"},
		{"signature only", "\x89HDF\r\n\x1a\n", "superblock at byte 8: it ends after 8 bytes"},
		{"future", "\x89HDF\r\n\x1a\n\x09" + string(make([]byte, 100)), "version 9, want 0 to 3"},
		{"short offsets", "\x89HDF\r\n\x1a\n\x00\x00\x00\x00\x00\x04\x04" + string(make([]byte, 100)), "offsets of 4 and lengths of 4 bytes, want 8 and 8"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			require.ErrorContains(t, readAll([]byte(tc.data)), tc.want)
		})
	}
	_, err := hdf5.Read(bytes.NewReader(nil), 0)
	require.ErrorIs(t, err, hdf5.ErrNotHDF5)
	_, err = hdf5.Open(filepath.Join(t.TempDir(), "absent.h5"))
	require.ErrorIs(t, err, os.ErrNotExist)
}

// TestCutOff cuts files off at many places, and requires that reading always fails.
func TestCutOff(t *testing.T) {
	for _, name := range referenceFiles(t) {
		data, err := os.ReadFile(name)
		require.NoError(t, err)
		for n := 0; n < len(data); n += 1 + len(data)/200 {
			require.Error(t, readAll(data[:n]), "%s cut off at byte %d", name, n)
		}
		require.NoError(t, readAll(data))
	}
	data, err := os.ReadFile("testdata/types.h5")
	require.NoError(t, err)
	require.ErrorContains(t, readAll(data[:len(data)-1]), "the file is cut off: it says that it has")
}

// TestFlippedBits damages single bytes, every third one (every 29th in the short form), and
// requires that reading does not panic, and returns an error for more than a twentieth of them.
func TestFlippedBits(t *testing.T) {
	for _, name := range []string{"testdata/keras.h5", "testdata/compact.h5", "testdata/types.h5"} {
		data, err := os.ReadFile(name)
		require.NoError(t, err)
		failed := 0
		step := 3
		if testing.Short() {
			step = 29
		}
		for at := 0; at < len(data); at += step {
			damaged := bytes.Clone(data)
			damaged[at] ^= 0xff
			if readAll(damaged) != nil {
				failed++
			}
		}
		require.Greater(t, failed, len(data)/step/20, name)
	}
}

// FuzzRead reads changed files. Reading may return an error, but must not panic or take more memory
// than the file justifies. The reader verifies only the checksums of chunks, so that changes reach
// all of its code.
func FuzzRead(f *testing.F) {
	for _, pattern := range []string{"testdata/*.h5", "testdata/refused/*.h5"} {
		files, err := filepath.Glob(pattern)
		require.NoError(f, err)
		for _, name := range files {
			data, err := os.ReadFile(name)
			require.NoError(f, err)
			f.Add(data)
		}
	}
	for _, data := range hostileFiles() {
		if len(data) < 1<<14 {
			f.Add(data)
		}
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		memtest.Within(t, len(data), func() { _ = readAll(data) })
		memtest.Within(t, len(data), func() { _ = readAllOf(data) })
	})
}
