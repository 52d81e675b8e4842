package saving_test

// This file loads damaged archives and weights, and archives that cannot be loaded. Loading must
// return a model or an error, and never panic.

import (
	"archive/zip"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/gospmd/gospmd/keras"
	"github.com/gospmd/gospmd/keras/layers"
	"github.com/gospmd/gospmd/keras/saving"
)

// zipOf writes an archive with the compression method to a temporary file, and returns its path.
// files are name, content, name, content, ….
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
		{"no config", zipOf(t, zip.Store, "saved_model.pb", ""), `config.json: the archive does not hold it, only "saved_model.pb": is it a .keras file of Keras 3?`},
		{"no JSON", zipOf(t, zip.Store, "config.json", "{", "model.weights.h5", string(weights)), "config.json: unexpected end of JSON input"},
		{"weights of another kind", zipOf(t, zip.Store, "config.json", config, "model.weights.h5", "no weights"), "not an HDF5 file"},
		{"class of model", with(`"Sequential"`, `"MyModel"`), "the model is a MyModel, want a Sequential or Functional one"},
		{"class of layer", with(`"Flatten"`, `"Flaten"`), `the layer Flaten is not known here (did you mean "Flatten"?)`},
		{"option", with(`"kernel_regularizer": null`, `"kernel_regularizer": {"class_name": "L3"}`), `kernel_regularizer: unknown regularizer "L3"`},
		{"type of an option", with(`"units": 8`, `"units": "8"`), "layer dense (Dense): Dense: Units: got 8, want an integer"},
		{"activation", with(`"activation": "relu"`, `"activation": "rely"`), `unknown activation "rely"`},
		{"loss", with(`"reduction": "sum_over_batch_size"`, `"reduction": "product"`), `got "product", want one of ["sum_over_batch_size"`},
		{"optimizer", with(`"Adam"`, `"Nadamm"`), `the optimizer Nadamm is not known here (did you mean "Nadam"?)`},
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

// TestAttentionErrors loads archives of attention layers with options or masks that we do not have;
// the error must name the option or say what is wrong. A Sequential with MultiHeadAttention, which
// Keras cannot call, must be an error of SaveModel.
func TestAttentionErrors(t *testing.T) {
	config := configOf(t, "testdata/attention.keras")
	weights, err := os.ReadFile("../../internal/hdf5/testdata/keras.h5")
	require.NoError(t, err)
	for _, tc := range []struct{ name, old, new, want string }{
		{"axes", `"attention_axes": [1]`, `"attention_axes": [1, 2]`, "got the attention axes [1 2], want 1, attention along a sequence"},
		{"window", `"sliding_window": null`, `"sliding_window": 0`, "SlidingWindow: got 0, want a positive number"},
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
		"a Sequential of Keras cannot have a MultiHeadAttention: it passes one tensor on, the layer wants query and value: make the model with NewModel")
}

// node is a value in a tree of JSON, with functions that replace it and remove it. In a list,
// remove replaces it by nil.
type node struct {
	value  any
	set    func(any)
	remove func()
}

// nodes returns all values within the tree of JSON v, at any depth, in a fixed order.
func nodes(v any) (out []node) {
	switch v := v.(type) {
	case map[string]any:
		for _, key := range slices.Sorted(maps.Keys(v)) {
			out = append(out, node{v[key], func(x any) { v[key] = x }, func() { delete(v, key) }})
			out = append(out, nodes(v[key])...)
		}
	case []any:
		for i := range v {
			out = append(out, node{v[i], func(x any) { v[i] = x }, func() { v[i] = nil }})
			out = append(out, nodes(v[i])...)
		}
	}
	return out
}

// strange are the values that mutate writes into a config; most have the wrong type.
var strange = []any{nil, true, 0.0, 1.0, -1.0, 0.5, 1e18, 9.3e18, 1e300, -1e300, "", "x", "a/b", []any{}, []any{0.0}, []any{nil, nil}, []any{-3.0, 1e12}, map[string]any{}, map[string]any{"class_name": "Dense"}}

// mutate changes one to three values of a config, chosen at random by r: it removes, replaces or
// moves them. It changes config itself.
func mutate(r *rand.Rand, config any) {
	for range 1 + r.IntN(3) {
		all := nodes(config)
		at := all[r.IntN(len(all))]
		switch r.IntN(4) {
		case 0:
			at.remove()
		case 1: // a copy of another value, so that the tree has no cycles
			at.set(clone(all[r.IntN(len(all))].value))
		default:
			at.set(strange[r.IntN(len(strange))])
		}
	}
}

func clone(v any) any {
	text, err := json.Marshal(v)
	if err != nil {
		panic(err)
	}
	var out any
	if err := json.Unmarshal(text, &out); err != nil {
		panic(err)
	}
	return out
}

// kerasArchives returns, for each archive of the tests that Keras has saved, the contents of its
// config.json and its model.weights.h5.
func kerasArchives(t testing.TB) (out [][2]string) {
	t.Helper()
	for _, name := range archives(t) {
		z, err := zip.OpenReader(name)
		require.NoError(t, err)
		var files [2]string
		for i, member := range []string{"config.json", "model.weights.h5"} {
			f, err := z.Open(member)
			require.NoError(t, err)
			text, err := io.ReadAll(f)
			require.NoError(t, err)
			files[i] = string(text)
		}
		require.NoError(t, z.Close())
		out = append(out, files)
	}
	return out
}

// loadMutated loads an archive, of those in from, with a few random changes of its config, which
// depend on seed. It reports whether loading returned an error. The error must name the file, and
// must not be a BUG.
func loadMutated(t testing.TB, from [][2]string, seed uint64) bool {
	t.Helper()
	r := rand.New(rand.NewPCG(seed, 0))
	files := from[r.IntN(len(from))]
	var config any
	require.NoError(t, json.Unmarshal([]byte(files[0]), &config))
	mutate(r, config)
	text, err := json.Marshal(config)
	require.NoError(t, err)
	file := zipOf(t, zip.Store, "config.json", string(text), "model.weights.h5", files[1])
	defer func() {
		if p := recover(); p != nil {
			panic(fmt.Sprintf("seed %d: %v: %s", seed, p, text))
		}
	}()
	layers.ClearSession()
	_, err = saving.LoadModel(t.Context(), file)
	if err != nil {
		require.ErrorContains(t, err, "saving: model from "+file)
		require.NotContains(t, err.Error(), "BUG", "seed %d: %s", seed, text)
	}
	return err != nil
}

func TestMutatedConfigs(t *testing.T) {
	on(t, "")
	from := kerasArchives(t)
	n, failed := uint64(300), 0
	if testing.Short() {
		n = 50
	}
	for seed := range n {
		if loadMutated(t, from, seed) {
			failed++
		}
	}
	t.Logf("%d of %d damaged configs are errors", failed, n)
	require.Greater(t, failed, int(n)/4)
}

// TestDamagedFiles flips bytes of weights and archives, and truncates the files. The formats have
// no checksums of some bytes, so that a flipped bit there may go unnoticed. It must not cause a
// panic, and errors must name the file and not say BUG. A truncated file must never load.
func TestDamagedFiles(t *testing.T) {
	on(t, "")
	m := dense(t, 5, 2)
	weights, archive := filepath.Join(t.TempDir(), "m.weights.h5"), filepath.Join(t.TempDir(), "m.keras")
	require.NoError(t, saving.SaveWeights(t.Context(), m, weights))
	require.NoError(t, saving.SaveModel(t.Context(), m, archive))
	for _, tc := range []struct {
		name, file, as string
		load           func(name string) error
	}{
		{"weights", weights, "x.weights.h5", func(name string) error { return saving.LoadWeights(t.Context(), m, name) }},
		{"weights of the older format", "../../internal/hdf5/testdata/keras_legacy.h5", "x.h5", func(name string) error { return saving.LoadWeights(t.Context(), m, name) }},
		{"weights in an archive", archive, "x.keras", func(name string) error { return saving.LoadWeights(t.Context(), m, name) }},
		{"archive", archive, "x.keras", func(name string) error {
			layers.ClearSession()
			_, err := saving.LoadModel(t.Context(), name)
			return err
		}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			intact, err := os.ReadFile(tc.file)
			require.NoError(t, err)
			file := filepath.Join(t.TempDir(), tc.as)
			load := func(data []byte) error {
				t.Helper()
				require.NoError(t, os.WriteFile(file, data, 0o644))
				err := tc.load(file)
				if err != nil {
					require.ErrorContains(t, err, file)
					require.NotContains(t, err.Error(), "BUG")
				}
				return err
			}
			require.NoError(t, load(intact))
			noticed, offsets := 0, 100
			if testing.Short() {
				offsets = 20
			}
			for i := range offsets {
				at := i * len(intact) / offsets
				require.Error(t, load(intact[:at]), "cut off at byte %d", at)
				data := bytes.Clone(intact)
				data[at] ^= 0xff
				if load(data) != nil {
					noticed++
				}
			}
			t.Logf("%d of %d flipped bytes are errors", noticed, offsets)
			require.NoError(t, load(intact))
		})
	}
}
