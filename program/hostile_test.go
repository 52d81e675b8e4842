package program_test

// This file reads hostile files: files that state larger sizes than they have, and random ones.

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"github.com/gomlx/compute/dtypes"
	"github.com/stretchr/testify/require"

	"github.com/gospmd/gospmd/internal/testing/memtest"
	"github.com/gospmd/gospmd/ir"
	"github.com/gospmd/gospmd/layout"
	"github.com/gospmd/gospmd/mesh"
	"github.com/gospmd/gospmd/program"
)

// hostile lists changes of the text of a member that make a program hostile.
var hostile = []struct{ name, member, old, by string }{
	{"mesh without devices", "program.json", `"shape":[2],"devices":[0,1]`, `"shape":[1048576]`},
	{"mesh of too many", "program.json", `"shape":[2]`, `"shape":[4611686018427387904]`},
	{"meshes of the module", "module.mlir", `sdy.mesh @mesh = <["x"=2]>`, meshes(200)},
	{"mesh of all shardings", "shardings.mlir", "func.func", "sdy.mesh @m = <[\"z\"=1048576]>\nfunc.func"},
	{"a constant", "module.mlir", "    return", "    %c = stablehlo.constant dense<1.0> : tensor<1048576x1048576xf32>\n    return"},
	{"many values", "module.mlir", "    return", "    %c:1048576 = \"a.b\"() : () -> tensor<f32>\n    return"},
	{"a tensor", "shardings.mlir", "tensor<4x3xf32>", "tensor<9223372036854775807x9223372036854775807xf32>"},
	{"deep JSON", "program.json", `"diagnostics":`, `"deep":` + strings.Repeat("[", 100_000) + strings.Repeat("]", 100_000) + `,"diagnostics":`},
	{"a long list", "program.json", `"of_values":[`, `"of_values":[` + strings.Repeat("[],", 200_000)},
	{"deep types", "module.mlir", "    return", "    %c = \"a.b\"() {x = " + strings.Repeat("[", 50_000) + strings.Repeat("]", 50_000) + "} : () -> tensor<f32>\n    return"},
}

func meshes(n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, "sdy.mesh @mesh%d = <[\"x\"=1048576]>\n", i)
	}
	return b.String() + `sdy.mesh @mesh = <["x"=2]>`
}

// Reading a file takes memory in proportion to the bytes of the file, even if it states larger
// sizes.
func TestHostileSizes(t *testing.T) {
	for _, tc := range hostile {
		t.Run(tc.name, func(t *testing.T) {
			data := editMember(t, tc.member, tc.old, tc.by)
			memtest.Within(t, len(data), func() { requirePromises(t, data) })
		})
	}
}

// Reading returns an error for an archive of one member that is 128 MiB of zeros when it is
// decompressed, and takes no more memory for it than its bytes allow. If four bytes of a program's
// file are set to a large number, reading keeps what requirePromises requires.
func TestHostileArchives(t *testing.T) {
	zeros := strings.Repeat("\x00", 1<<27)
	for _, member := range []string{"program.json", "module.mlir", "shardings.mlir"} {
		data := archive(t, map[string]string{member: zeros})
		memtest.Within(t, len(data), func() {
			_, err := read(data)
			require.ErrorContains(t, err, "it is no program, or a damaged one", member)
		})
	}
	data := writtenFile(t)
	for at := range data { // sets each number of four bytes, and so each size, to the largest number
		for _, large := range []string{"\xff\xff\xff\xff", "\xff\xff\xff\x7f"} {
			damaged := bytes.Clone(data)
			copy(damaged[at:], large)
			requirePromises(t, damaged)
		}
	}
}

// requirePromises requires that reading data returns an error, or a program that survives being
// written and read again.
func requirePromises(t *testing.T, data []byte) {
	t.Helper()
	p, err := read(data)
	if err != nil {
		require.Contains(t, err.Error(), "it is no program, or a damaged one")
		return
	}
	require.NoError(t, ir.Verify(p.Module))
	var first, second bytes.Buffer
	require.NoError(t, p.Write(&first))
	again, err := read(first.Bytes())
	require.NoError(t, err)
	require.NoError(t, again.Write(&second))
	require.True(t, bytes.Equal(first.Bytes(), second.Bytes()))
	require.Equal(t, p.Module.String(), again.Module.String())
	require.Equal(t, p.String(), again.String())
	require.Equal(t, p.Diagnostics, again.Diagnostics)
	require.Equal(t, p.Overrides, again.Overrides)
	for i, in := range p.Inputs {
		require.Less(t, in.Alias, len(p.Outputs))
		require.Equal(t, in.Alias, again.Inputs[i].Alias)
	}
}

// small is the largest size of the inputs that fuzz targets read: larger inputs would take all the
// time.
const small = 1 << 12

// FuzzRead looks for files that make Read panic, that take much memory, or that give a program
// which does not survive being written and read again.
func FuzzRead(f *testing.F) {
	for _, p := range []*program.Program{gatherProgram(f), oneDeviceProgram(f), annotatedProgram(f)} {
		data := fileOf(f, p)
		f.Add(data)
		for _, part := range []int{2, 3, 7} { // cut off
			f.Add(data[:len(data)*(part-1)/part])
		}
		for at := 0; at < len(data); at += 31 { // with one byte changed
			damaged := bytes.Clone(data)
			damaged[at] ^= 0x41
			f.Add(damaged)
		}
	}
	for _, tc := range hostile {
		if len(tc.by) < small {
			f.Add(editMember(f, tc.member, tc.old, tc.by))
		}
	}
	f.Add([]byte("PK"))
	f.Fuzz(func(t *testing.T, data []byte) {
		memtest.Within(t, len(data), func() { requirePromises(t, data) })
	})
}

// FuzzMembers is like FuzzRead, but fuzzes the members and makes a valid archive of them: FuzzRead
// hardly gets past the checksums of the archive.
func FuzzMembers(f *testing.F) {
	add := func(data []byte) {
		m := membersOf(f, data)
		f.Add(m["program.json"], m["module.mlir"], m["shardings.mlir"])
	}
	for _, p := range []*program.Program{gatherProgram(f), oneDeviceProgram(f), annotatedProgram(f)} {
		add(fileOf(f, p))
	}
	for _, tc := range hostile {
		if len(tc.by) < small {
			add(editMember(f, tc.member, tc.old, tc.by))
		}
	}
	f.Fuzz(func(t *testing.T, head, module, shardings string) {
		data := archive(t, map[string]string{"program.json": head, "module.mlir": module, "shardings.mlir": shardings})
		memtest.Within(t, len(head)+len(module)+len(shardings), func() { requirePromises(t, data) })
	})
}

// oneDeviceProgram returns a program for one device with the op tanh, which has an origin. Its
// input "x", of three f32, is donated to its output "y".
func oneDeviceProgram(t testing.TB) *program.Program {
	m, err := ir.Parse(`func.func @main(%x: tensor<3xf32> {tf.aliasing_output = 0 : i32} loc("x")) -> (tensor<3xf32> {jax.result_info = "y"}) {
  %0 = stablehlo.tanh %x : tensor<3xf32> loc("layer"("main.go":3:0))
  return %0 : tensor<3xf32>
}`)
	require.NoError(t, err)
	ir.MarkOrigins(m)
	one, err := mesh.New(nil, nil, nil)
	require.NoError(t, err)
	of := program.TensorInfo{Name: "x", Type: ir.Tensor(dtypes.Float32, 3), Sharding: layout.Replicated(one, 1), Local: ir.Tensor(dtypes.Float32, 3)}
	out := of
	out.Name = "y"
	return &program.Program{Name: "one", Form: program.PerDevice, Mesh: one, Module: m, Inputs: []program.Input{{TensorInfo: of, Role: ir.RoleParameter}}, Outputs: []program.Output{{TensorInfo: out}}}
}

// annotatedProgram returns a program of Form Annotated for the mesh x=2, y=2, with its devices in
// reverse order, that has one Override. Its input and its output, 8x3, are both named "x" and
// sharded by rows along x.
func annotatedProgram(t testing.TB) *program.Program {
	m, err := ir.Parse(`sdy.mesh @mesh = <["x"=2, "y"=2], device_ids=[3, 2, 1, 0]>
func.func @main(%x: tensor<8x3xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>} loc("x")) -> (tensor<8x3xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}) {
  %0 = stablehlo.tanh %x {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}, {}]>]>} : tensor<8x3xf32>
  return %0 : tensor<8x3xf32>
}`)
	require.NoError(t, err)
	dm := m.Meshes[0].Mesh
	s := layout.Replicated(dm, 2)
	s.Dims[0].Axes = mesh.FullAxes("x")
	of := program.TensorInfo{Name: "x", Type: ir.Tensor(dtypes.Float32, 8, 3), Sharding: s, Local: ir.Tensor(dtypes.Float32, 4, 3)}
	return &program.Program{
		Name: "annotated", Form: program.Annotated, Mesh: dm, Module: m, Target: "cpu",
		Inputs: []program.Input{{TensorInfo: of, Alias: -1}}, Outputs: []program.Output{{TensorInfo: of}},
		Overrides: []program.Override{{Value: "%0", Name: "%0 stablehlo.tanh", Annotated: "[x, -]", Runs: "[-, -]"}},
	}
}

// TestPromises reads the files of the three undamaged programs among the seeds of the fuzz tests.
// Each must give the text and the inputs of the program that was written, and keep what
// requirePromises requires.
func TestPromises(t *testing.T) {
	for _, p := range []*program.Program{gatherProgram(t), oneDeviceProgram(t), annotatedProgram(t)} {
		data := fileOf(t, p)
		got, err := read(data)
		require.NoError(t, err)
		require.Equal(t, p.String(), got.String())
		require.Equal(t, p.Inputs, got.Inputs)
		requirePromises(t, data)
	}
}
