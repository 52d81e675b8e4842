package datasets_test

// This file reads small files that claim to hold much data. Its fuzz targets change archives before
// they are compressed.

import (
	"bytes"
	"crypto/sha256"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/gospmd/gospmd/internal/budget"
	"github.com/gospmd/gospmd/internal/testing/memtest"
	"github.com/gospmd/gospmd/keras/datasets"
)

func TestHostileFiles(t *testing.T) {
	const images = "train-images-idx3-ubyte"
	zeros := make([]byte, 60<<20)
	for _, tc := range []struct {
		name, file, want string
		with             []byte
	}{
		{"bomb", images + ".gz", "the file is damaged, or made to fill the memory", zipped(idx(zeros, 60, 1<<10, 1<<10))},
		{"bomb behind the elements", images + ".gz", "it holds more than the 30 elements", zipped(idx(zeros, 5, 2, 3))},
		{"bomb without a header", images + ".gz", "it begins with 00 00 00 00", zipped(zeros)},
		{"shape of a small file", images, "the file is damaged, or made to fill the memory", idx(nil, 1<<20, 1<<10, 1<<10)},
		{"shape that wraps", images, "more memory than there is", idx(zeros[:4], 1<<31, 1<<31, 4)},
		{"many dimensions", images, "it holds 0 elements", idx(nil, make([]int, 255)...)},
	} {
		t.Run(tc.name, func(t *testing.T) {
			files := smallFiles()
			delete(files, images)
			if tc.name == "many dimensions" {
				for i := range 255 {
					tc.with[4+4*i+3] = 1
				}
			}
			files[tc.file] = tc.with
			dir := write(t, files)
			memtest.Within(t, len(tc.with), func() {
				_, _, err := datasets.MNIST(t.Context(), datasets.Dir(dir))
				require.ErrorContains(t, err, tc.want)
				require.Less(t, len(err.Error()), 2000)
			})
		})
	}
}

// loadArchive writes file as datasets/small.npz into Keras' directory home, where datasets must
// exist. It loads it with its right checksum, and returns the error of that.
func loadArchive(t testing.TB, home string, file []byte) error {
	t.Helper()
	require.NoError(t, os.WriteFile(filepath.Join(home, "datasets", "small.npz"), file, 0o644))
	_, _, err := datasets.LoadArchive(t.Context(), "http://localhost:1", fmt.Sprintf("%x", sha256.Sum256(file)), datasets.Output(&bytes.Buffer{}))
	return err
}

func kerasHome(t testing.TB) string {
	t.Helper()
	home := t.TempDir()
	require.NoError(t, os.MkdirAll(filepath.Join(home, "datasets"), 0o755))
	t.Setenv("KERAS_HOME", home)
	t.Setenv("GOSPMD_MNIST_DIR", "")
	return home
}

func TestHostileArchives(t *testing.T) {
	home := kerasHome(t)
	zeros := make([]byte, 60<<20)
	for _, tc := range []struct{ name, member, shape, want string }{
		{"bomb", "x_train", "60, 1024, 1024", budget.ErrExceeded.Error()},
		{"bomb behind the elements", "x_train", "5, 2, 3", "it holds more than the 30 elements"},
		{"long shape", "x_train", strings.Repeat("1, ", 20000), "it has 20000 dimensions, want at most 64"},
		{"long number", "x_train", strings.Repeat("9", 60000), "value out of range"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			members := archive()
			members[tc.member] = npy(fmt.Sprintf(head, tc.shape), zeros)
			file := npz(t, members)
			memtest.Within(t, len(file), func() {
				err := loadArchive(t, home, file)
				require.ErrorContains(t, err, tc.want)
				require.Less(t, len(err.Error()), 2000)
			})
		})
	}
}

// FuzzIDX reads an IDX file with any bytes, uncompressed and compressed. That may return an error,
// but must not panic or take too much memory.
func FuzzIDX(f *testing.F) {
	x, _ := small(5)
	f.Add(idx(x, 5, 2, 3))
	f.Add(idx(nil, 1<<31, 1<<31, 4))
	files := smallFiles()
	const images = "train-images-idx3-ubyte"
	delete(files, images)
	dir := f.TempDir()
	for name, b := range files {
		require.NoError(f, os.WriteFile(filepath.Join(dir, name), b, 0o644))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		for _, file := range []struct {
			name string
			data []byte
		}{{images, data}, {images + ".gz", zipped(data)}} {
			path := filepath.Join(dir, file.name)
			require.NoError(t, os.WriteFile(path, file.data, 0o644))
			memtest.Within(t, len(file.data), func() { _, _, _ = datasets.MNIST(t.Context(), datasets.Dir(dir)) })
			require.NoError(t, os.Remove(path))
		}
	})
}

// FuzzNPZ reads an archive with one changed member, with right checksums. That may return an error,
// but must not panic or take too much memory.
func FuzzNPZ(f *testing.F) {
	for name, b := range archive() {
		f.Add(name, b)
	}
	home := kerasHome(f)
	f.Fuzz(func(t *testing.T, name string, data []byte) {
		members := archive()
		members[name] = data
		file := npz(t, members)
		memtest.Within(t, len(file), func() { _ = loadArchive(t, home, file) })
	})
}
