package saving_test

// This file fuzzes. Each target writes the changed members into a new archive with right checksums,
// so that the changes reach the readers of the members.

import (
	"archive/zip"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/gospmd/gospmd/internal/testing/memtest"
	"github.com/gospmd/gospmd/keras"
	"github.com/gospmd/gospmd/keras/layers"
	"github.com/gospmd/gospmd/keras/saving"
)

// loadWithin loads an archive of config and weights, compressed by method: zip.Store or
// zip.Deflate. It may fail, but must not take more memory than a file of its size may.
func loadWithin(t *testing.T, method uint16, config, weights string) {
	t.Helper()
	file := zipOf(t, method, "config.json", config, "model.weights.h5", weights)
	info, err := os.Stat(file)
	require.NoError(t, err)
	memtest.Within(t, int(info.Size()), func() {
		layers.ClearSession()
		_, _ = saving.LoadModel(t.Context(), file)
	})
}

// FuzzConfig loads archives of Keras with a config in which some values are changed, chosen by the
// seed. Loading may return an error, which must name the file and not say BUG, but must not panic.
func FuzzConfig(f *testing.F) {
	from := kerasArchives(f)
	for seed := range uint64(3) {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, seed uint64) { loadMutated(t, from, seed) })
}

// FuzzArchive loads archives with changed bytes in the config and in the weights. Loading may
// return an error, but must not panic or take too much memory.
func FuzzArchive(f *testing.F) {
	for _, files := range kerasArchives(f) {
		f.Add(files[0], []byte(files[1]), false)
	}
	f.Add(`{"class_name": "Sequential", "config": {"layers": [{"class_name": "Flatten", "config": {"name": "f"}}], "build_input_shape": [null, 2]}}`, []byte{}, true)
	f.Fuzz(func(t *testing.T, config string, weights []byte, compressed bool) {
		method := zip.Store
		if compressed {
			method = zip.Deflate
		}
		loadWithin(t, method, config, string(weights))
	})
}

// FuzzWeights loads files of weights with changed bytes, in both formats. Loading may return an
// error, but must not panic or take too much memory.
func FuzzWeights(f *testing.F) {
	for _, name := range []string{"testdata/net.weights.h5", "testdata/images.h5", "../../internal/hdf5/testdata/keras_legacy.h5", "../../internal/hdf5/testdata/keras.h5"} {
		data, err := os.ReadFile(name)
		require.NoError(f, err)
		f.Add(data)
	}
	m, err := keras.NewSequential(layers.Dense(5), layers.Dense(2))
	require.NoError(f, err)
	require.NoError(f, m.Build([]int{3}))
	path := filepath.Join(f.TempDir(), "m.weights.h5")
	f.Fuzz(func(t *testing.T, data []byte) {
		require.NoError(t, os.WriteFile(path, data, 0o644))
		memtest.Within(t, len(data), func() { _ = saving.LoadWeights(t.Context(), m, path) })
	})
}
