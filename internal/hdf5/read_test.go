package hdf5_test

// This file compares the reader with h5py.

import (
	"encoding/hex"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/gospmd/gospmd/internal/hdf5"
)

// object is a group or dataset in the output of hdf5_reference.py --dump.
type object struct {
	Attrs map[string]any `json:"attrs"`
	Type  string         `json:"type,omitempty"`
	Shape []int          `json:"shape,omitempty"`
	Data  string         `json:"data,omitempty"`
	Texts []string       `json:"texts,omitempty"`
}

type attributed interface{ Attrs() []hdf5.Attr }

// dump returns all groups and datasets of a file by path, with their attributes and elements. An
// object with several names is there once.
func dump(t testing.TB, f *hdf5.File) map[string]object {
	t.Helper()
	out := make(map[string]object)
	attrs := func(a attributed) map[string]any {
		m := make(map[string]any)
		for _, x := range a.Attrs() {
			v, err := x.Value()
			require.NoError(t, err)
			m[x.Name] = v
		}
		return m
	}
	var walk func(g *hdf5.Group)
	walk = func(g *hdf5.Group) {
		out[g.Path()] = object{Attrs: attrs(g)}
		for _, name := range g.Names() {
			if g.IsGroup(name) {
				child, err := g.Group(name)
				require.NoError(t, err)
				walk(child)
				continue
			}
			d, err := g.Dataset(name)
			require.NoError(t, err)
			if _, seen := out[d.Path()]; seen {
				continue // the object has another name already
			}
			o := object{Attrs: attrs(d), Type: d.Type().String(), Shape: d.Shape()}
			if k := d.Type().Kind; k == hdf5.String || k == hdf5.VarString {
				o.Texts, err = d.Texts()
			} else {
				var b []byte
				b, err = d.Read()
				o.Data = hex.EncodeToString(b)
			}
			require.NoError(t, err)
			out[d.Path()] = o
		}
	}
	walk(f.Root())
	return out
}

// asJSON returns objects as decoded JSON, so that numbers of all types compare as equal.
func asJSON(t testing.TB, objects map[string]object) map[string]any {
	t.Helper()
	b, err := json.Marshal(objects)
	require.NoError(t, err)
	var v map[string]any
	require.NoError(t, json.Unmarshal(b, &v))
	return v
}

func referenceFiles(t testing.TB) []string {
	files, err := filepath.Glob("testdata/*.h5")
	require.NoError(t, err)
	require.NotEmpty(t, files)
	return files
}

func open(t testing.TB, name string) *hdf5.File {
	t.Helper()
	f, err := hdf5.Open(name)
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, f.Close()) })
	return f
}

func TestReadsWhatH5pyWrote(t *testing.T) {
	for _, name := range referenceFiles(t) {
		t.Run(filepath.Base(name), func(t *testing.T) {
			text, err := os.ReadFile(strings.TrimSuffix(name, ".h5") + ".json")
			require.NoError(t, err)
			var want map[string]object
			require.NoError(t, json.Unmarshal(text, &want))
			require.Equal(t, asJSON(t, want), asJSON(t, dump(t, open(t, name))))
		})
	}
}

// TestManyNames reads a group whose B-tree of names has several levels. All 600 names must be
// found.
func TestManyNames(t *testing.T) {
	g, err := open(t, "testdata/many.h5").Root().Group("links")
	require.NoError(t, err)
	require.Len(t, g.Names(), 600)
	for i := range 600 {
		d, err := g.Dataset(fmt.Sprintf("name%d", i))
		require.NoError(t, err)
		require.Empty(t, d.Shape())
	}
}

// TestSlabs reads slabs of datasets of every storage, and compares them with the slabs cut out of
// all elements.
func TestSlabs(t *testing.T) {
	f := open(t, "testdata/chunked.h5")
	for _, name := range f.Root().Names() {
		t.Run(name, func(t *testing.T) {
			d, err := f.Root().Dataset(name)
			require.NoError(t, err)
			all, err := d.Read()
			require.NoError(t, err)
			eachSlab(d.Shape(), func(start, count []int) {
				want := cut(all, d.Shape(), start, count, d.Type().Size)
				got := make([]byte, len(want))
				require.NoError(t, d.Slab(start, count, got))
				require.Equal(t, want, got, "from %v, %v", start, count)
			})
		})
	}
}

// eachSlab calls visit with non-empty slabs of the shape. For a small shape these are all slabs
// with odd sizes.
func eachSlab(shape []int, visit func(start, count []int)) {
	start, count := make([]int, len(shape)), make([]int, len(shape))
	var loop func(dim int)
	loop = func(dim int) {
		if dim == len(shape) {
			visit(start, count)
			return
		}
		step := 1 + shape[dim]/20
		for s := 0; s < shape[dim]; s += step {
			for n := 1; s+n <= shape[dim]; n += 2 * step {
				start[dim], count[dim] = s, n
				loop(dim + 1)
			}
		}
	}
	loop(0)
}

// cut returns the slab at start, of count elements in each dimension, of a tensor of that shape,
// copied one element of elem bytes at a time.
func cut(tensor []byte, shape, start, count []int, elem int) (out []byte) {
	var loop func(dim, at int)
	loop = func(dim, at int) {
		if dim == len(shape) {
			out = append(out, tensor[at*elem:][:elem]...)
			return
		}
		for i := range count[dim] {
			loop(dim+1, at*shape[dim]+start[dim]+i)
		}
	}
	loop(0, 0)
	return out
}

func TestTexts(t *testing.T) {
	f := open(t, "testdata/keras_legacy.h5")
	g, err := f.Root().Group("model_weights")
	require.NoError(t, err)
	names, err := g.Texts("layer_names")
	require.NoError(t, err)
	require.Equal(t, []string{"first", "dense"}, names)
	backend, err := g.Text("backend")
	require.NoError(t, err)
	require.Equal(t, "jax", backend)
	_, err = g.Text("layer_names")
	require.ErrorContains(t, err, `attribute "layer_names" is a []string, want a string`)
	_, err = g.Texts("layer_name")
	require.ErrorContains(t, err, `there is no attribute "layer_name" (did you mean "layer_names"?): want a list of strings`)
	none, err := f.Root().Attr("none")
	require.NoError(t, err)
	require.Nil(t, none)
}

func TestRefuses(t *testing.T) {
	kinds := open(t, "testdata/refused/kinds.h5").Root()
	read := func(g *hdf5.Group, name string) error {
		d, err := g.Dataset(name)
		if err == nil {
			_, err = d.Read()
		}
		return err
	}
	for _, tc := range []struct{ name, want string }{
		{"fine", ""},
		{"soft", "soft in group / is a soft link, which is not followed"},
		{"external", "external in group / is a link to another file"},
		{"lzf", "dataset /lzf: chunk of dataset \"/lzf\" at byte "},
		{"lzf", "the filter LZF is not read: write the dataset again"},
		{"compound", "dataset /compound: it cannot be read: its elements are a compound type"},
		{"named", "its type is a named type elsewhere in the file"},
		{"type", "type in group / is no dataset"},
		{"fin", `group / holds no "fin"`},
		{"fine/x", `fine in group / is no group, so "x" cannot be in it`},
	} {
		t.Run(tc.name, func(t *testing.T) {
			if err := read(kinds, tc.name); tc.want == "" {
				require.NoError(t, err)
			} else {
				require.ErrorContains(t, err, tc.want)
			}
		})
	}
	_, err := kinds.Attr("reference")
	require.ErrorContains(t, err, `attribute "reference" cannot be read: it is a reference type`)

	_, err = hdf5.Open("testdata/refused/dense.h5")
	require.ErrorContains(t, err, `group "/" stores its names in a dense heap, which is not read`)
	require.ErrorContains(t, read(open(t, "testdata/refused/newchunks.h5").Root(), "chunks"), "index of HDF5 1.10")
}

func TestSlabErrors(t *testing.T) {
	d, err := open(t, "testdata/types.h5").Root().Dataset("numbers/f4")
	require.NoError(t, err)
	require.ErrorContains(t, d.Slab([]int{0}, []int{2}, make([]byte, 8)), "want a start and a count for each dimension")
	require.ErrorContains(t, d.Slab([]int{1, 0}, []int{2, 3}, nil), "is outside the shape [2 3] in dimension 0")
	require.ErrorContains(t, d.Slab([]int{1, 0}, []int{1, 3}, make([]byte, 8)), "a slab of [1 3] elements of float32 has 12 bytes, got room for 8")
	_, err = d.Texts()
	require.ErrorContains(t, err, "holds float32, want strings")
}
