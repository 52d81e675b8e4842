package datasets_test

// This file tests truncated and damaged files that have a checksum.

import (
	"archive/zip"
	"bytes"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/gospmd/gospmd/keras/datasets"
)

// TestChecksums truncates a compressed file after each of its bytes, also within the final
// checksum, and changes each byte of the checksum. Reading must return an error that names the
// file.
func TestChecksums(t *testing.T) {
	const name = "train-images-idx3-ubyte"
	files := smallFiles()
	whole := zipped(files[name])
	delete(files, name)
	dir := write(t, files)
	path := filepath.Join(dir, name+".gz")
	load := func(file []byte) error {
		require.NoError(t, os.WriteFile(path, file, 0o644))
		_, _, err := datasets.MNIST(t.Context(), datasets.Dir(dir))
		return err
	}
	require.NoError(t, load(whole))
	for cut := range whole {
		require.ErrorContains(t, load(whole[:cut]), path, "after %d of %d bytes", cut, len(whole))
	}
	require.ErrorContains(t, load(whole[:len(whole)-1]), "the file is cut off: its compressed data, or their checksum, are not complete")
	for i := len(whole) - 8; i < len(whole); i++ {
		damaged := bytes.Clone(whole)
		damaged[i] ^= 1
		require.ErrorContains(t, load(damaged), path, "byte %d", i)
	}
}

// TestArchiveChecksums changes the last element of an uncompressed member of an archive, but not
// its checksum. Reading must return an error that names the member.
func TestArchiveChecksums(t *testing.T) {
	home := kerasHome(t)
	var out bytes.Buffer
	z := zip.NewWriter(&out)
	members := archive()
	for _, name := range []string{"x_train", "y_train", "x_test", "y_test"} {
		w, err := z.CreateHeader(&zip.FileHeader{Name: name + ".npy"})
		require.NoError(t, err)
		_, err = w.Write(members[name])
		require.NoError(t, err)
	}
	require.NoError(t, z.Close())
	require.NoError(t, loadArchive(t, home, out.Bytes()))
	at := bytes.Index(out.Bytes(), members["x_train"])
	damaged := bytes.Clone(out.Bytes())
	damaged[at+len(members["x_train"])-1] ^= 1
	require.ErrorContains(t, loadArchive(t, home, damaged), "x_train.npy: zip: checksum error")
}
