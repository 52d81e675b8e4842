package program_test

// This file tests saving and opening a program, and damaged and foreign files. Package compile
// tests that compiled programs survive being written and read.

import (
	"archive/zip"
	"bytes"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/gomlx/compute/dtypes"
	"github.com/stretchr/testify/require"

	"github.com/gospmd/gospmd/ir"
	"github.com/gospmd/gospmd/layout"
	"github.com/gospmd/gospmd/mesh"
	"github.com/gospmd/gospmd/program"
)

// gatherProgram returns a per-device program for two devices (axis x), for TPUs, that gathers its
// input "x", 8x3 sharded by rows, to its output "y", and has one diagnostic. It has no Overrides
// and no Fitting.
func gatherProgram(t testing.TB) *program.Program {
	m, err := ir.Parse(`module @gathered {
  sdy.mesh @mesh = <["x"=2]>
  func.func @main(%x: tensor<4x3xf32> loc("x")) -> tensor<8x3xf32> {
    %0 = spmd.all_gather %x dim=0 axes={"x"} : (tensor<4x3xf32>) -> tensor<8x3xf32>
    return %0 : tensor<8x3xf32>
  }
}`)
	require.NoError(t, err)
	dm := m.Meshes[0].Mesh
	s := layout.Replicated(dm, 2)
	s.Dims[0].Axes = mesh.FullAxes("x")
	full := ir.Tensor(dtypes.Float32, 8, 3)
	return &program.Program{
		Name: "gathered", Form: program.PerDevice, Mesh: dm, Module: m, Target: "tpu", Machine: "v6e:2x4", OneDeviceFlops: 7,
		Inputs:      []program.Input{{TensorInfo: program.TensorInfo{Name: "x", Type: full, Sharding: s, Local: ir.Tensor(dtypes.Float32, 4, 3)}, Alias: -1, Role: ir.RoleData}},
		Outputs:     []program.Output{{TensorInfo: program.TensorInfo{Name: "y", Type: full, Sharding: layout.Replicated(dm, 2), Local: full}}},
		Diagnostics: []program.Diagnostic{{Subject: "x", Text: "is gathered"}},
	}
}

func writtenFile(t testing.TB) []byte { return fileOf(t, gatherProgram(t)) }

func fileOf(t testing.TB, p *program.Program) []byte {
	var b bytes.Buffer
	require.NoError(t, p.Write(&b))
	return b.Bytes()
}

func read(data []byte) (*program.Program, error) {
	return program.Read(bytes.NewReader(data), int64(len(data)))
}

func TestSaveOpen(t *testing.T) {
	file := filepath.Join(t.TempDir(), "gathered.gospmd")
	want := gatherProgram(t)
	require.NoError(t, want.Save(file))
	got, err := program.Open(file)
	require.NoError(t, err)
	require.Equal(t, want.String(), got.String())
	require.Equal(t, want.Module.String(), got.Module.String())
	require.Equal(t, want.Inputs, got.Inputs)
	require.Equal(t, want.OneDeviceFlops, got.OneDeviceFlops)
	require.Equal(t, want.Target, got.Target)
	require.Equal(t, want.Machine, got.Machine)
	require.Equal(t, writtenFile(t), writtenFile(t))

	_, err = program.Open(filepath.Join(t.TempDir(), "none"))
	require.ErrorIs(t, err, os.ErrNotExist)
	require.ErrorContains(t, want.Save(filepath.Join(t.TempDir(), "none", "file")), `saving program "gathered"`)
}

// If a file is cut off anywhere, or any one of its bytes is changed, reading it returns an error or
// the same program.
func TestDamagedFiles(t *testing.T) {
	data := writtenFile(t)
	want := gatherProgram(t)
	for n := range data {
		_, err := read(data[:n])
		require.ErrorContains(t, err, "it is no program, or a damaged one", "cut off at %d", n)
	}
	for i := range data {
		damaged := bytes.Clone(data)
		damaged[i] ^= 0x41
		if got, err := read(damaged); err == nil { // the byte belongs to a time or a flag of the archive
			require.Equal(t, want.Module.String(), got.Module.String(), "byte %d", i)
			require.Equal(t, want.String(), got.String(), "byte %d", i)
		}
	}
	_, err := read([]byte("func.func @main() {\n  return\n}"))
	require.ErrorContains(t, err, "want a file that gospmd partition -o or Program.Save wrote")
}

// editMember returns the file of gatherProgram with a change: in the text of the named member, by
// replaces the first old, which must be there. The checksums of the file fit.
func editMember(t testing.TB, member, old, by string) []byte {
	members := membersOf(t, writtenFile(t))
	require.Contains(t, members[member], old)
	members[member] = strings.Replace(members[member], old, by, 1)
	return archive(t, members)
}

// membersOf returns the texts of the members of a program's file, by name.
func membersOf(t testing.TB, data []byte) map[string]string {
	z, err := zip.NewReader(bytes.NewReader(data), int64(len(data)))
	require.NoError(t, err)
	out := map[string]string{}
	for _, f := range z.File {
		r, err := f.Open()
		require.NoError(t, err)
		text, err := io.ReadAll(r)
		require.NoError(t, err)
		out[f.Name] = string(text)
	}
	return out
}

// archive returns a zip archive with these members: their contents, by name.
func archive(t testing.TB, members map[string]string) []byte {
	var b bytes.Buffer
	w := zip.NewWriter(&b)
	for _, name := range slices.Sorted(maps.Keys(members)) {
		to, err := w.Create(name)
		require.NoError(t, err)
		_, err = io.WriteString(to, members[name])
		require.NoError(t, err)
	}
	require.NoError(t, w.Close())
	return b.Bytes()
}

// Reading returns an error if the members of a file do not fit each other.
func TestForeignFiles(t *testing.T) {
	for _, tc := range []struct{ member, old, by, want string }{
		{"program.json", `"format":1`, `"format":2`, "it has the format 2"},
		{"program.json", `"per-device"`, `"local"`, `its form is "local"`},
		{"program.json", `"shape":[2]`, `"shape":[3]`, "needs 3 devices"},
		{"program.json", `"shape":[2],"devices":[0,1]`, `"shape":[3],"devices":[0,1,2]`, "has no sharding on the mesh x=3"},
		{"program.json", `"inputs":[{"name":"x","role":"data"}]`, `"inputs":[]`, "it has 0 inputs and 1 outputs, its module 1 and 1"},
		{"program.json", `"role":"data"`, `"alias":4`, "is donated to output 4 of 1"},
		{"program.json", `"of_ops":[[]`, `"of_ops":[[9]`, "an op was made for op 9 of 0"},
		{"program.json", `"of_ops":[[],`, `"of_ops":[`, "it remembers fewer ops than the module has"},
		{"program.json", `"of_values":[[]`, `"of_values":[[],[],[]`, "it remembers more values or ops than the module has"},
		{"program.json", `"of_values":[[]`, `"of_values":[[0,-1]`, "an origin is value 0 of 0"},
		{"program.json", `{"format"`, `{"format"}`, "invalid character"},
		{"module.mlir", "spmd.all_gather", "spmd.all_scatter", "module.mlir"},
		{"module.mlir", "@main", "@other", "has no function main"},
		{"shardings.mlir", "tensor<4x3xf32>", "tensor<4x2xf32>", `"x" is tensor<4x2xf32>, and tensor<4x3xf32> in the module`},
		{"shardings.mlir", `tensor<8x3xf32>`, `tensor<9x3xf32>`, "is not tensor<4x3xf32>"},
		{"shardings.mlir", "@shardings", "@other", "it has no function shardings"},
	} {
		_, err := read(editMember(t, tc.member, tc.old, tc.by))
		require.ErrorContains(t, err, tc.want, "%s for %s", tc.by, tc.old)
	}
}
