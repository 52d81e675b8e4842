package datasets_test

// This file reads small data sets in the form of CIFAR's: the pixels of each color row by row,
// behind the classes (https://www.cs.toronto.edu/~kriz/cifar.html).

import (
	"archive/tar"
	"bytes"
	"crypto/sha256"
	"fmt"
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/gomlx/gomlx/core/tensors"
	"github.com/stretchr/testify/require"

	"github.com/gospmd/gospmd/keras/datasets"
)

// pixel returns the value that a test image of CIFAR, with this number, has at a row, a column and
// a color.
func pixel(image, row, column, color int) byte { return byte(7*image + 3*row + 5*column + 80*color) }

// records returns the bytes of n records of CIFAR: images number from, from+1, …, each after its
// class bytes, which classes returns.
func records(from, n int, classes func(i int) []byte) (out []byte) {
	for i := from; i < from+n; i++ {
		out = append(out, classes(i)...)
		for color := range 3 {
			for row := range 32 {
				for column := range 32 {
					out = append(out, pixel(i, row, column, color))
				}
			}
		}
	}
	return out
}

func one(i int) []byte { return []byte{byte(i % 10)} }
func two(i int) []byte { return []byte{byte(i % 20), byte(i % 100)} }

// cifar10Files returns the files of a small CIFAR-10 by their names: five training files of two
// images, numbers 0 to 9, and a test file of three, numbers 100 to 102. The class is the number's
// last digit.
func cifar10Files() map[string][]byte {
	files := map[string][]byte{"test_batch.bin": records(100, 3, one)}
	for i := range 5 {
		files[fmt.Sprintf("data_batch_%d.bin", i+1)] = records(2*i, 2, one)
	}
	return files
}

func requireImages(t *testing.T, s datasets.Split, from, n, classes int) {
	t.Helper()
	require.Equal(t, []int{n, 32, 32, 3}, s.X.Shape().Dimensions)
	require.Equal(t, []int{n, 1}, s.Y.Shape().Dimensions)
	x := s.X.Value().([][][][]uint8)
	for i, y := range tensors.MustCopyFlatData[uint8](s.Y) {
		require.EqualValues(t, (from+i)%classes, y)
		for row := range 32 {
			for column := range 32 {
				for color := range 3 {
					require.Equal(t, pixel(from+i, row, column, color), x[i][row][column][color])
				}
			}
		}
	}
}

func TestCIFAR(t *testing.T) {
	train, test, err := datasets.CIFAR10(t.Context(), datasets.Dir(write(t, cifar10Files())))
	require.NoError(t, err)
	requireImages(t, train, 0, 10, 10)
	requireImages(t, test, 100, 3, 10)

	dir := write(t, map[string][]byte{"train.bin": records(0, 3, two), "test.bin.gz": zipped(records(30, 1, two))})
	for mode, classes := range map[string]int{"fine": 100, "coarse": 20} {
		train, test, err := datasets.CIFAR100(t.Context(), datasets.Dir(dir), datasets.LabelMode(mode))
		require.NoError(t, err)
		requireImages(t, train, 0, 3, classes)
		requireImages(t, test, 30, 1, classes)
	}
}

// TestCIFARArchive downloads an archive of CIFAR-10 from a server, and compares images and classes.
// An archive that is cut off in its checksum is an error.
func TestCIFARArchive(t *testing.T) {
	var content bytes.Buffer
	w := tar.NewWriter(&content)
	for name, file := range cifar10Files() {
		require.NoError(t, w.WriteHeader(&tar.Header{Name: "cifar-10-batches-bin/" + name, Size: int64(len(file)), Mode: 0o644}))
		_, err := w.Write(file)
		require.NoError(t, err)
	}
	require.NoError(t, w.Close())
	archive := zipped(content.Bytes())
	train, test, err := loadCIFARArchive(t, archive)
	require.NoError(t, err)
	requireImages(t, train, 0, 10, 10)
	requireImages(t, test, 100, 3, 10)
	for _, missing := range []int{1, 8} { // bytes of the checksum and the size, which are last
		_, _, err = loadCIFARArchive(t, archive[:len(archive)-missing])
		require.ErrorContains(t, err, "unexpected EOF")
	}
}

// loadCIFARArchive downloads CIFAR-10 from a server that has this archive, into a new directory,
// and loads it. The checksum that it expects is that of archive.
func loadCIFARArchive(t *testing.T, archive []byte) (train, test datasets.Split, err error) {
	t.Setenv("KERAS_HOME", t.TempDir())
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { w.Write(archive) }))
	defer server.Close()
	return datasets.LoadCIFAR10(t.Context(), server.URL, fmt.Sprintf("%x", sha256.Sum256(archive)), datasets.Output(&bytes.Buffer{}))
}

func TestCIFARErrors(t *testing.T) {
	cut := cifar10Files()
	cut["data_batch_3.bin"] = cut["data_batch_3.bin"][1:]
	_, _, err := datasets.CIFAR10(t.Context(), datasets.Dir(write(t, cut)))
	require.ErrorContains(t, err, "data_batch_3.bin: got 6145 bytes, want records of 3073")
	delete(cut, "data_batch_3.bin")
	_, _, err = datasets.CIFAR10(t.Context(), datasets.Dir(write(t, cut)))
	require.ErrorContains(t, err, "has neither data_batch_3.bin nor data_batch_3.bin.gz: want the files data_batch_1.bin")
	_, _, err = datasets.CIFAR10(t.Context(), datasets.LabelMode("fine"))
	require.ErrorContains(t, err, "cifar10 takes no option LabelMode")
	_, _, err = datasets.CIFAR100(t.Context(), datasets.LabelMode("all"))
	require.ErrorContains(t, err, `LabelMode: got "all", want "fine" or "coarse"`)
}
