package saving_test

// This file loads archives that cannot be loaded.

import (
	"archive/zip"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/gospmd/gospmd/keras"
	"github.com/gospmd/gospmd/keras/layers"
	"github.com/gospmd/gospmd/keras/saving"
)

// zipOf writes an archive of files, by name and content in turn.
func zipOf(t testing.TB, method uint16, files ...string) string {
	t.Helper()
	name := filepath.Join(t.TempDir(), "x.keras")
	f, err := os.Create(name)
	require.NoError(t, err)
	z := zip.NewWriter(f)
	for i := 0; i < len(files); i += 2 {
		w, err := z.CreateHeader(&zip.FileHeader{Name: files[i], Method: method})
		require.NoError(t, err)
		_, err = w.Write([]byte(files[i+1]))
		require.NoError(t, err)
	}
	require.NoError(t, z.Close())
	require.NoError(t, f.Close())
	return name
}

func TestArchiveErrors(t *testing.T) {
	on(t, "")
	const mnist = "testdata/mnist.keras"
	z, err := os.ReadFile(mnist)
	require.NoError(t, err)
	weights, err := os.ReadFile("../../internal/hdf5/testdata/keras.h5")
	require.NoError(t, err)
	config := configOf(t, mnist)
	with := func(old, new string) string {
		require.Contains(t, config, old)
		return zipOf(t, zip.Store, "config.json", strings.Replace(config, old, new, 1), "model.weights.h5", string(weights))
	}
	raw := func(data []byte) string {
		name := filepath.Join(t.TempDir(), "x.keras")
		require.NoError(t, os.WriteFile(name, data, 0o644))
		return name
	}
	flipped := append([]byte{}, z...)
	flipped[len(flipped)/2] ^= 1
	for _, tc := range []struct{ name, file, want string }{
		{"suffix", "model.h5", "want a file name that ends in .keras"},
		{"absent", filepath.Join(t.TempDir(), "absent.keras"), "no such file"},
		{"no zip", raw([]byte("weights")), "it is no archive of Keras 3, or damaged"},
		{"cut off", raw(z[:len(z)/2]), "it is no archive of Keras 3, or damaged"},
		{"flipped bit", raw(flipped), "model.weights.h5 is damaged: zip: checksum error"},
		{"no config", zipOf(t, zip.Store, "saved_model.pb", ""), "the archive holds no config.json, only saved_model.pb"},
		{"no JSON", zipOf(t, zip.Store, "config.json", "{", "model.weights.h5", string(weights)), "config.json: unexpected end of JSON input"},
		{"weights of another kind", zipOf(t, zip.Store, "config.json", config, "model.weights.h5", "no weights"), "not an HDF5 file"},
		{"class of model", with(`"Sequential"`, `"MyModel"`), "the model is a MyModel, want a Sequential or Functional one"},
		{"class of layer", with(`"Flatten"`, `"Flaten"`), `the layer Flaten is not known here (did you mean "Flatten"?)`},
		{"option", with(`"kernel_regularizer": null`, `"kernel_regularizer": {"class_name": "L2"}`), "the option kernel_regularizer = map[class_name:L2] is not known here"},
		{"type of an option", with(`"units": 8`, `"units": "8"`), "the option units is 8, want a number"},
		{"activation", with(`"activation": "relu"`, `"activation": "rely"`), `unknown activation "rely"`},
		{"loss", with(`"reduction": "sum_over_batch_size"`, `"reduction": "sum"`), "the option reduction = sum is not known here"},
		{"optimizer", with(`"Adam"`, `"Nadam"`), "the optimizer Nadam is not known here"},
		{"other weights", with(`"units": 8`, `"units": 9`), "the file has the shape"},
		{"compressed, other weights", zipOf(t, zip.Deflate, "config.json", config, "model.weights.h5", string(weights)), "the file has the shape"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			layers.ClearSession()
			_, err := saving.LoadModel(t.Context(), tc.file)
			require.ErrorContains(t, err, tc.want)
		})
	}
	require.ErrorContains(t, saving.SaveModel(t.Context(), mlp(t), "x.h5"), "want one that ends in .keras")
}

// TestAttentionErrors loads and saves attention that the other side cannot
// hold.
func TestAttentionErrors(t *testing.T) {
	config := configOf(t, "testdata/attention.keras")
	weights, err := os.ReadFile("../../internal/hdf5/testdata/keras.h5")
	require.NoError(t, err)
	for _, tc := range []struct{ name, old, new, want string }{
		{"axes", `"attention_axes": [1]`, `"attention_axes": [1, 2]`, "the option attention_axes is [1 2], want [1], attention along a sequence"},
		{"window", `"sliding_window": null`, `"sliding_window": 2`, "the option sliding_window = 2 is not known here"},
		{"scores", `"use_causal_mask": true`, `"return_attention_scores": true`, "the option return_attention_scores = true is not known here"},
		{"mask that is no tensor", `"attention_mask": {`, `"attention_mask": 1, "x": {`, "attention_mask: it is applied to 1, want tensors"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			require.Contains(t, config, tc.old)
			file := zipOf(t, zip.Store, "config.json", strings.Replace(config, tc.old, tc.new, 1), "model.weights.h5", string(weights))
			_, err := saving.LoadModel(t.Context(), file)
			require.ErrorContains(t, err, tc.want)
		})
	}
	m, err := keras.NewSequential(layers.MultiHeadAttention(2, 2))
	require.NoError(t, err)
	require.NoError(t, m.Build([]int{3, 4}))
	require.ErrorContains(t, saving.SaveModel(t.Context(), m, filepath.Join(t.TempDir(), "x.keras")),
		"Keras cannot apply a MultiHeadAttention in a Sequential, which has one tensor where it wants query and value")
}
