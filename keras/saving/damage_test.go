package saving_test

// This file loads damaged archives and weights: whatever stands in them,
// loading ends with a model or an error, never with a panic.

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
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/gospmd/gospmd/keras/layers"
	"github.com/gospmd/gospmd/keras/saving"
)

// place is where a value stands in a tree of JSON, and sets it.
type place struct {
	value  any
	set    func(any)
	remove func()
}

// places returns all below v, in order.
func places(v any) (out []place) {
	switch v := v.(type) {
	case map[string]any:
		for _, key := range slices.Sorted(maps.Keys(v)) {
			out = append(out, place{v[key], func(x any) { v[key] = x }, func() { delete(v, key) }})
			out = append(out, places(v[key])...)
		}
	case []any:
		for i := range v {
			out = append(out, place{v[i], func(x any) { v[i] = x }, func() { v[i] = nil }})
			out = append(out, places(v[i])...)
		}
	}
	return out
}

// strange are values that stand where others are wanted.
var strange = []any{nil, true, 0.0, 1.0, -1.0, 0.5, 1e18, -1e300, "", "x", "a/b", []any{}, []any{0.0}, []any{nil, nil}, []any{-3.0, 1e12}, map[string]any{}, map[string]any{"class_name": "Dense"}}

// mutate changes some values of a config.
func mutate(r *rand.Rand, config any) {
	for range 1 + r.IntN(3) {
		all := places(config)
		at := all[r.IntN(len(all))]
		switch r.IntN(4) {
		case 0:
			at.remove()
		case 1: // what stands elsewhere; a copy, for trees have no rings
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

// kerasArchives returns config and weights of what Keras has saved.
func kerasArchives(t testing.TB) (out [][2]string) {
	t.Helper()
	for _, name := range archives(t) {
		z, err := zip.OpenReader(name)
		require.NoError(t, err)
		var parts [2]string
		for i, part := range []string{"config.json", "model.weights.h5"} {
			f, err := z.Open(part)
			require.NoError(t, err)
			text, err := io.ReadAll(f)
			require.NoError(t, err)
			parts[i] = string(text)
		}
		require.NoError(t, z.Close())
		out = append(out, parts)
	}
	return out
}

// loadMutated loads one of the archives with a damaged config, and reports
// whether that was an error.
func loadMutated(t testing.TB, from [][2]string, seed uint64) bool {
	t.Helper()
	r := rand.New(rand.NewPCG(seed, 0))
	parts := from[r.IntN(len(from))]
	var config any
	require.NoError(t, json.Unmarshal([]byte(parts[0]), &config))
	mutate(r, config)
	text, err := json.Marshal(config)
	require.NoError(t, err)
	file := zipOf(t, zip.Store, "config.json", string(text), "model.weights.h5", parts[1])
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
	n, faults := uint64(300), 0
	if testing.Short() {
		n = 50
	}
	for seed := range n {
		if loadMutated(t, from, seed) {
			faults++
		}
	}
	t.Logf("%d of %d damaged configs are errors", faults, n)
	require.Greater(t, faults, int(n)/4)
}

func FuzzConfig(f *testing.F) {
	from := kerasArchives(f)
	for seed := range uint64(3) {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, seed uint64) { loadMutated(t, from, seed) })
}

// TestDamagedFiles flips bytes of weights and archives, and cuts the files off.
// The formats have no checksums for all of their bytes, so that a flipped one
// may go unnoticed; it is no panic. A part of a file never loads.
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
			whole, err := os.ReadFile(tc.file)
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
			require.NoError(t, load(whole))
			noticed, places := 0, 100
			if testing.Short() {
				places = 20
			}
			for i := range places {
				at := i * len(whole) / places
				require.Error(t, load(whole[:at]), "cut off at byte %d", at)
				data := bytes.Clone(whole)
				data[at] ^= 0xff
				if load(data) != nil {
					noticed++
				}
			}
			t.Logf("%d of %d flipped bytes are errors", noticed, places)
			require.NoError(t, load(whole))
		})
	}
}
