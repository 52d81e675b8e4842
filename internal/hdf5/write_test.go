package hdf5_test

// This file writes files, and reads them again by this package and by h5py.

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/gospmd/gospmd/internal/hdf5"
	"github.com/gospmd/gospmd/internal/testing/peer"
)

// writeAll writes a file of that name with every feature that the package can write: groups,
// attributes of all kinds, and datasets of all types, among them a scalar, an empty one and one in
// two slabs.
func writeAll(t testing.TB, name string) {
	t.Helper()
	h, err := os.Create(name)
	require.NoError(t, err)
	w := hdf5.NewWriter(h)
	root := w.Root()
	dataset := func(g *hdf5.GroupWriter, name string, typ hdf5.Type, shape ...int) *hdf5.DatasetWriter {
		d, err := g.Dataset(name, typ, shape)
		require.NoError(t, err)
		size := typ.Size
		for _, n := range shape {
			size *= n
		}
		data := make([]byte, size)
		for i := range data {
			data[i] = byte(i % 61)
			if typ.Kind == hdf5.Bool {
				data[i] = byte(i % 2)
			}
		}
		require.NoError(t, d.Write(data))
		return d
	}
	g, err := root.Group("layers/dense/vars")
	require.NoError(t, err)
	require.NoError(t, g.SetAttr("name", "dänse"))
	for i, typ := range []hdf5.Type{
		hdf5.Float16, hdf5.Float32, hdf5.Float64, hdf5.Int8, hdf5.Int16, hdf5.Int32, hdf5.Int64,
		hdf5.Uint8, hdf5.Uint16, hdf5.Uint32, hdf5.Uint64, hdf5.Boolean, {Kind: hdf5.Opaque, Size: 2},
	} {
		dataset(g, fmt.Sprint(i), typ, 3, i%3+1)
	}
	dataset(root, "scalar", hdf5.Float32)
	dataset(root, "empty", hdf5.Float32, 0, 3)
	half, err := root.Dataset("half", hdf5.Int16, []int{4, 6})
	require.NoError(t, err)
	// the first column and the number of columns; the last ones come first
	for _, columns := range [][2]int{{3, 3}, {0, 3}} {
		data := make([]byte, 4*columns[1]*2)
		for i := range 4 * columns[1] {
			binary.LittleEndian.PutUint16(data[2*i:], uint16(100*(i/columns[1])+columns[0]+i%columns[1]))
		}
		require.NoError(t, half.Slab([]int{0, columns[0]}, []int{4, columns[1]}, data))
	}
	require.NoError(t, half.SetAttr("dtype", "bfloat16"))
	_, err = root.Group("nothing")
	require.NoError(t, err)
	many, err := root.Group("many")
	require.NoError(t, err)
	for i := range 400 {
		dataset(many, fmt.Sprintf("v%d", i), hdf5.Int8)
	}
	for name, value := range map[string]any{
		"text": "hällo", "none": "", "texts": []string{"a", "", "ccc"}, "no texts": []string{}, "yes": true, "no": false,
		"int": -5, "ints": []int64{1, -2}, "float": 0.25, "floats": []float64{1.5, -2},
	} {
		require.NoError(t, root.SetAttr(name, value))
	}
	require.NoError(t, root.SetTexts("fixed", []string{"kernel", "bias"}))
	require.NoError(t, root.SetTexts("long", longList()))
	require.NoError(t, w.Close())
	require.NoError(t, h.Close())
}

// longList returns a list that needs more than two attributes of 64 KiB.
func longList() []string {
	out := make([]string, 1500)
	for i := range out {
		out[i] = fmt.Sprintf("layer_%04d%s", i, strings.Repeat("x", i%90))
	}
	return out
}

func TestWriteAndRead(t *testing.T) {
	name := filepath.Join(t.TempDir(), "all.h5")
	writeAll(t, name)
	f := open(t, name)
	objects := dump(t, f)
	require.Len(t, objects, 1+3+13+3+1+1+400)
	require.Equal(t, "dänse", objects["/layers/dense/vars"].Attrs["name"])
	require.Equal(t, "000001000200030004000500", objects["/half"].Data[:24])
	require.Equal(t, "64006500660067006800690", objects["/half"].Data[24:47])
	long, err := f.Root().Texts("long")
	require.NoError(t, err)
	require.Equal(t, longList(), long)
	again := filepath.Join(t.TempDir(), "again.h5")
	writeAll(t, again)
	a, err := os.ReadFile(name)
	require.NoError(t, err)
	b, err := os.ReadFile(again)
	require.NoError(t, err)
	require.True(t, bytes.Equal(a, b), "the same twice gives two files")
}

// TestH5pyReadsWhatWeWrote requires that h5py reads our file as we read it.
func TestH5pyReadsWhatWeWrote(t *testing.T) {
	python := peer.Python(t, "h5py")
	name := filepath.Join(t.TempDir(), "all.h5")
	writeAll(t, name)
	cmd := exec.Command(python, "../../benchmarks/peers/hdf5_reference.py", "--dump", name)
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	require.NoError(t, err, "%s", stderr.String())
	var want map[string]object
	require.NoError(t, json.Unmarshal(out, &want))
	require.Equal(t, asJSON(t, want), asJSON(t, dump(t, open(t, name))))
}

func TestWriteErrors(t *testing.T) {
	h, err := os.Create(filepath.Join(t.TempDir(), "x.h5"))
	require.NoError(t, err)
	defer h.Close()
	root := hdf5.NewWriter(h).Root()
	d, err := root.Dataset("d", hdf5.Float32, []int{2, 3})
	require.NoError(t, err)
	group := func(path string) error { _, err := root.Group(path); return err }
	dataset := func(name string, typ hdf5.Type, shape ...int) error {
		_, err := root.Dataset(name, typ, shape)
		return err
	}
	for _, tc := range []struct {
		name string
		err  error
		want string
	}{
		{"empty name", group(""), `group /: got the name ""`},
		{"slash", dataset("a/b", hdf5.Int8), `got the name "a/b"`},
		{"twice", dataset("d", hdf5.Int8), `group / holds "d" already`},
		{"group over dataset", group("d/e"), `group / holds "d" already`},
		{"type", dataset("t", hdf5.Type{Kind: hdf5.Float, Size: 3}), "cannot write elements of type float24"},
		{"variable", dataset("v", hdf5.Type{Kind: hdf5.VarString, Size: 16}), "datasets of variable strings are not written"},
		{"negative", dataset("n", hdf5.Int8, -1), "the shape [-1] has a negative dimension"},
		{"huge", dataset("h", hdf5.Int8, 1<<40, 1<<40), "larger than any file"},
		{"rank", dataset("r", hdf5.Int8, make([]int, 33)...), "got 33 dimensions, want at most 32"},
		{"outside", d.Slab([]int{1, 1}, []int{1, 3}, nil), "is outside the shape [2 3] in dimension 1"},
		{"size", d.Write(make([]byte, 4)), "has 24 bytes, got 4"},
		{"attribute type", root.SetAttr("a", 3i), "got a complex128"},
		{"attribute size", root.SetAttr("a", make([]int64, 1<<14)), "has 131072 bytes, want at most 64512"},
		{"attribute name", root.SetAttr("", 1), "an attribute has no name"},
		{"long text", root.SetTexts("a", []string{strings.Repeat("x", 1<<17)}), "one of its strings has 131072 bytes"},
	} {
		t.Run(tc.name, func(t *testing.T) { require.ErrorContains(t, tc.err, tc.want) })
	}
}
