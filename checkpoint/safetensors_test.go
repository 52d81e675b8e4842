package checkpoint_test

// This file writes and reads safetensors files, and compares them with those of Hugging Face's
// library. benchmarks/peers/safetensors_reference.py wrote testdata/reference.safetensors.

import (
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/gomlx/compute/dtypes"
	"github.com/stretchr/testify/require"

	"github.com/gospmd/gospmd/checkpoint"
	"github.com/gospmd/gospmd/internal/testing/memtest"
	"github.com/gospmd/gospmd/internal/testing/peer"
	"github.com/gospmd/gospmd/internal/testing/runtimetest"
	"github.com/gospmd/gospmd/ir"
	"github.com/gospmd/gospmd/layout"
)

const reference = "testdata/reference.safetensors"

// wholeOf returns the type and all bytes of the tensor with the given name in the checkpoint c.
func wholeOf(t *testing.T, c *checkpoint.Checkpoint, name string) (typ ir.Type, data []byte) {
	t.Helper()
	s, err := c.Tensor(name)
	require.NoError(t, err)
	var ranges []layout.Range
	for _, d := range s.Type().Dims {
		ranges = append(ranges, layout.Range{Limit: d})
	}
	data = make([]byte, s.Type().Bytes())
	require.NoError(t, s.Read(ranges, data))
	return s.Type(), data
}

// TestSafetensorsReference reads the file of Hugging Face's library, and writes its tensors again:
// to the same bytes.
func TestSafetensorsReference(t *testing.T) {
	c, err := checkpoint.OpenSafetensors(reference)
	require.NoError(t, err)
	defer c.Close()
	require.JSONEq(t, `{"written by":"safetensors"}`, string(c.Metadata()))
	typ, data := wholeOf(t, c, "layer_10/float32")
	require.True(t, typ.Equal(ir.Tensor(dtypes.Float32, 2, 3)))
	require.Equal(t, "000000000000803f000000400000404000008040"+"0000a040", hex.EncodeToString(data))
	require.Len(t, c.Names(), 17)
	var tensors []checkpoint.Tensor
	for i := range c.Names() { // in another order than that of the file
		name := c.Names()[len(c.Names())-1-i]
		typ, data := wholeOf(t, c, name)
		tensors = append(tensors, checkpoint.Tensor{Name: name, Source: checkpoint.Host(typ, data)})
	}
	name := filepath.Join(t.TempDir(), "again.safetensors")
	require.NoError(t, checkpoint.SaveSafetensors(t.Context(), name, tensors, map[string]string{"written by": "safetensors"}))
	want, err := os.ReadFile(reference)
	require.NoError(t, err)
	got, err := os.ReadFile(name)
	require.NoError(t, err)
	require.Equal(t, string(want), string(got))
}

// TestSafetensorsOnMeshes writes sharded tensors into a file, and loads them on other meshes, to
// the same bits.
func TestSafetensorsOnMeshes(t *testing.T) {
	c := runtimetest.Open(t, devices)
	name := filepath.Join(t.TempDir(), "x.safetensors")
	for _, from := range meshes {
		require.NoError(t, checkpoint.SaveSafetensors(t.Context(), name, put(t, c, from), nil))
		k, err := checkpoint.OpenSafetensors(name)
		require.NoError(t, err)
		require.Empty(t, k.Metadata())
		for _, to := range meshes {
			t.Run(fmt.Sprintf("%q to %q", from, to), func(t *testing.T) { requireLoads(t, c, k, to) })
		}
		require.NoError(t, k.Close())
	}
}

// TestSafetensorsInPython lets Hugging Face's library read a file of sharded tensors. It must find
// the same names, types and elements.
func TestSafetensorsInPython(t *testing.T) {
	python := peer.Python(t, "safetensors", "ml_dtypes")
	name := filepath.Join(t.TempDir(), "x.safetensors")
	require.NoError(t, checkpoint.SaveSafetensors(t.Context(), name, put(t, runtimetest.Open(t, devices), "a=3,b=2"), nil))
	out, err := exec.Command(python, "../benchmarks/peers/safetensors_reference.py", "--read", name).Output()
	require.NoError(t, err)
	var read struct {
		Tensors []struct {
			Name, Bytes string
			Shape       []int
		}
	}
	require.NoError(t, json.Unmarshal(out, &read))
	require.Len(t, read.Tensors, len(tensors))
	for _, r := range read.Tensors {
		for _, x := range tensors {
			if x.name == r.Name {
				require.Equal(t, append([]int{}, x.typ.Dims...), r.Shape)
				require.Equal(t, hex.EncodeToString(bits(values(x.typ), x.typ)), r.Bytes, x.name)
			}
		}
	}
}

// TestHostileSafetensors writes tensors that the format does not have, and reads damaged and
// hostile files. Each must be an error that says what is wrong. A tensor without elements may have
// large sizes.
func TestHostileSafetensors(t *testing.T) {
	dir := t.TempDir()
	host := func(name string, typ ir.Type) checkpoint.Tensor {
		return checkpoint.Tensor{Name: name, Source: checkpoint.Host(typ, make([]byte, typ.Bytes()))}
	}
	two := ir.Tensor(dtypes.Float32, 2)
	for want, tensors := range map[string][]checkpoint.Tensor{
		"two tensors are named a": {host("a", two), host("a", two)},
		"tensor a: safetensors files have no elements of type Complex128": {host("a", ir.Tensor(dtypes.Complex128, 2))},
		"tensor 0 has the name __metadata__":                              {host("__metadata__", two)},
		"tensor a: its source has 0 elements, want 2":                     {{Name: "a", Source: checkpoint.Host(two, nil)}},
		"tensor a: the device is gone":                                    {{Name: "a", Source: broken{host("a", two).Source}}},
	} {
		require.ErrorContains(t, checkpoint.SaveSafetensors(t.Context(), filepath.Join(dir, "x"), tensors, nil), want)
	}
	entries, err := os.ReadDir(dir)
	require.NoError(t, err)
	require.Empty(t, entries)
	for _, tc := range []struct{ header, want string }{
		{`{"a":{"dtype":"F32","shape":[2],"data_offsets":[0,7]}}`, "the offsets [0 7] of tensor<2xf32>, want 8 bytes from 0 on"},
		{`{"a":{"dtype":"F32","shape":[2],"data_offsets":[4,12]}}`, "want 8 bytes from 0 on"},
		{`{"a":{"dtype":"F32","shape":[4],"data_offsets":[0,16]}}`, "ends at byte"},
		{`{"a":{"dtype":"F32","shape":[1],"data_offsets":[0,4]}}`, "its tensors end at byte"},
		{`{"a":{"dtype":"F4","shape":[2],"data_offsets":[0,8]}}`, "elements of type F4, which gospmd does not load"},
		{`{"a":{"dtype":"F32","shape":[-2],"data_offsets":[0,8]}}`, "the impossible shape [-2]"},
		{`{"a":{"dtype":"F32","shape":[1099511627776,1099511627776],"data_offsets":[0,8]}}`, "the impossible shape"},
		{`{"a":3}`, "tensor a: "},
		{`{"a"`, "its header: "},
		{`{"a":{"dtype":"F32","shape":[2],"data_offsets":[0,8]},"b":{"dtype":"U8","shape":[1099511627776,0,1099511627776],"data_offsets":[8,8]}}`, ""},
	} {
		c, err := openHeader(t, tc.header)
		if tc.want == "" {
			require.NoError(t, err)
			require.NoError(t, c.Close())
			continue
		}
		require.ErrorContains(t, err, tc.want)
		require.ErrorContains(t, err, "x.safetensors: it is no safetensors file, or damaged: ")
	}
	many := new(strings.Builder)
	for i := range 1 << 20 {
		fmt.Fprintf(many, `,"%x":{}`, i)
	}
	_, err = openHeader(t, "{"+many.String()[1:]+"}")
	require.ErrorContains(t, err, "its header needs")
	for _, data := range []string{"", "short", "\xff\xff\xff\xff\xff\xff\xff\xff{}"} {
		name := filepath.Join(t.TempDir(), "x.safetensors")
		require.NoError(t, os.WriteFile(name, []byte(data), 0o644))
		_, err := checkpoint.OpenSafetensors(name)
		require.ErrorContains(t, err, "it is no safetensors file, or damaged: ")
	}
}

// openHeader opens a file with the given header and 8 bytes of data. That must not take more memory
// than the file justifies.
func openHeader(t testing.TB, header string) (c *checkpoint.Checkpoint, err error) {
	t.Helper()
	name := filepath.Join(t.TempDir(), "x.safetensors")
	data := append(binary.LittleEndian.AppendUint64(nil, uint64(len(header))), header+strings.Repeat("\x01", 8)...)
	require.NoError(t, os.WriteFile(name, data, 0o644))
	memtest.Within(t, len(data), func() { c, err = checkpoint.OpenSafetensors(name) })
	return c, err
}

// FuzzSafetensors opens files with any header. That may return an error, but must not panic; the
// tensors of a file that opens must be readable.
func FuzzSafetensors(f *testing.F) {
	f.Add(`{"a":{"dtype":"F32","shape":[2],"data_offsets":[0,8]}}`)
	f.Add(fmt.Sprintf(`{"__metadata__":{"x":"y"},"a":{"dtype":"BOOL","shape":[8],"data_offsets":[0,8]},"b":{"dtype":"U8","shape":[%d,0],"data_offsets":[8,8]}}`, 1<<40))
	f.Fuzz(func(t *testing.T, header string) {
		c, err := openHeader(t, header)
		if err != nil {
			return
		}
		defer c.Close()
		require.NoError(t, c.Verify())
	})
}
