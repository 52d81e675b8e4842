package aot_test

// This file tests offloads: whether a compiler that drops them is found out, and whether those for
// TPUs and GPUs keep them.

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"google.golang.org/protobuf/encoding/protowire"

	"github.com/gospmd/gospmd/compile"
	"github.com/gospmd/gospmd/compile/cost"
	"github.com/gospmd/gospmd/compile/memory"
	"github.com/gospmd/gospmd/compile/report"
	"github.com/gospmd/gospmd/hardware"
	"github.com/gospmd/gospmd/internal/testing/longtest"
	"github.com/gospmd/gospmd/ir"
	"github.com/gospmd/gospmd/ir/pass"
	"github.com/gospmd/gospmd/mesh"
	"github.com/gospmd/gospmd/program"
	"github.com/gospmd/gospmd/runtime/aot"
)

// slotStep is a step whose slot of 256 KiB is its only state of the optimizer.
const slotStep = `
sdy.mesh @mesh = <["data"=8]>
func.func @main(%g: tensor<256x256xf32> {gospmd.role = "data"}, %m: tensor<256x256xf32> {tf.aliasing_output = 0 : i32, gospmd.role = "optimizer"}) -> tensor<256x256xf32> {
  %0 = stablehlo.add %m, %g : tensor<256x256xf32>
  return %0 : tensor<256x256xf32>
}`

func offloaded(t *testing.T, platform string) *program.Program {
	m, err := ir.Parse(slotStep)
	require.NoError(t, err)
	p, err := compile.Compile(t.Context(), m, compile.Options{OffloadOptimizer: true, Platform: platform})
	require.NoError(t, err)
	return p
}

// signature returns the HloModuleProto of a module with two parameters and one result, which are in
// the memories with these numbers.
func signature(first, second, result uint64) []byte {
	shape := func(space uint64) []byte {
		return field(5, protowire.AppendVarint(protowire.AppendTag(nil, 8, protowire.VarintType), space)) // layout.memory_space
	}
	var out []byte
	out = append(out, field(1, shape(first))...)
	out = append(out, field(1, shape(second))...)
	return field(4, append(out, field(2, shape(result))...))
}

// A compiler's module that has the slot, or its new value, in the memory of the device is an error
// that names them; so is one without a signature.
func TestDroppedOffload(t *testing.T) {
	p := offloaded(t, hardware.TPU)
	require.NoError(t, aot.DroppedOffload(p, signature(0, 5, 5)))
	for _, tc := range []struct {
		hlo  []byte
		want []string
	}{
		{signature(0, 0, 5), []string{`input "arg1"`}},
		{signature(0, 5, 0), []string{`output "result0"`}},
		{signature(5, 1, 0), []string{`input "arg1"`, `output "result0"`}},
		{nil, []string{`input "arg1"`, `output "result0"`}},
	} {
		err := aot.DroppedOffload(p, tc.hlo)
		var dropped *aot.OffloadError
		require.ErrorAs(t, err, &dropped)
		require.Equal(t, tc.want, dropped.Names)
		require.ErrorContains(t, err, "the compiler has dropped offloads: it keeps "+tc.want[0])
	}
}

// The compilers for TPUs and GPUs keep the slot on the host: the arguments in the memory of a
// device are about one tensor, the gradient, and the outputs there less than an eighth of one. The
// peak leaves out the slot on the host: besides the gradient it has room for the slot's copies.
func TestOffload(t *testing.T) {
	for _, name := range []string{"v5e:2x4", "h100:8"} {
		t.Run(name, func(t *testing.T) {
			e, err := compileFor(t, offloaded(t, target(t, name).Chip.Platform), name)
			require.NoError(t, err)
			const tensor = 256 * 256 * 4
			require.InDelta(t, tensor, e.Memory.Arguments, tensor/8) // the gradient
			require.Less(t, e.Memory.Outputs, tensor/8)
			require.Less(t, e.Memory.Peak, e.Memory.Arguments+2*tensor+tensor/8)
			require.InDelta(t, tensor, e.Memory.Host, tensor/8)
			require.Contains(t, e.String(), "memory of the host")
		})
	}
}

// moving returns the program of a step of four layers for a platform, with a policy that moves the
// first layer's value to the host.
func moving(t *testing.T, platform string) *program.Program {
	policies := memory.NewPolicies()
	require.NoError(t, policies.Set("net/b0", memory.Offload))
	p, err := compile.Compile(t.Context(), deepStep(t, "tanh", 4, 256, 256), compile.Options{Platform: platform, MemoryPolicies: policies})
	require.NoError(t, err)
	require.True(t, p.Fitting.Has(program.Offload))
	return p
}

// instruction returns a computation of an HloModuleProto with one instruction: the opcode, with a
// result of two parts, the first in the memory with that number.
func instruction(opcode string, space uint64) []byte {
	layout := protowire.AppendVarint(protowire.AppendTag(nil, 8, protowire.VarintType), space)
	shape := append(field(4, field(5, layout)), field(4, nil)...)
	return field(3, field(2, append(field(2, []byte(opcode)), field(3, shape)...)))
}

// A compiler's module that moves no value to the host, where the program moves one, is an error that
// tells both numbers. A copy from the host is no such move.
func TestDroppedMoves(t *testing.T) {
	p := moving(t, hardware.TPU)
	require.NoError(t, aot.DroppedOffload(p, instruction("copy-start", 5)))
	for name, hlo := range map[string][]byte{"empty": nil, "from the host": instruction("copy-start", 0), "another op": instruction("add", 5)} {
		t.Run(name, func(t *testing.T) {
			err := aot.DroppedOffload(p, hlo)
			var dropped *aot.OffloadError
			require.ErrorAs(t, err, &dropped)
			require.Equal(t, &aot.OffloadError{Values: 1}, dropped)
			require.ErrorContains(t, err, "the compiler has dropped offloads: it moves 0 values to the host, and the program 1")
		})
	}
}

// The compilers for TPUs and GPUs move the value to the host: Compile finds the copy in their
// modules.
func TestMoves(t *testing.T) {
	for _, name := range []string{"v5e:2x4", "h100:8"} {
		t.Run(name, func(t *testing.T) {
			_, err := compileFor(t, moving(t, target(t, name).Chip.Platform), name)
			require.NoError(t, err)
		})
	}
}

// activations are the lines between the product %aI of a layer and its result %hJ, where X is their
// type, and those by which its gradient %G becomes %eI.
var activations = map[string]struct{ forward, backward []string }{
	"tanh": {[]string{"%hJ = stablehlo.tanh %aI : X"}, []string{"%eI = stablehlo.multiply %G, %hJ : X"}},
	"gelu": {
		[]string{
			"%rI = stablehlo.constant dense<0.70710678> : X", "%sI = stablehlo.multiply %aI, %rI : X", "%fI = chlo.erf %sI : X -> X", "%oI = stablehlo.constant dense<1.0> : X",
			"%uI = stablehlo.add %fI, %oI : X", "%vI = stablehlo.multiply %aI, %uI : X", "%cI = stablehlo.constant dense<0.5> : X", "%hJ = stablehlo.multiply %vI, %cI : X",
		},
		[]string{"%pI = stablehlo.multiply %aI, %uI : X", "%qI = stablehlo.add %pI, %uI : X", "%eI = stablehlo.multiply %G, %qI : X"},
	},
}

// deepStep returns a training step of so many layers net/b0, net/b1, …, each a product and an
// activation of rows×width values.
func deepStep(t *testing.T, activation string, layers, rows, width int) *ir.Module {
	x, w := fmt.Sprintf("tensor<%dx%dxf32>", rows, width), fmt.Sprintf("tensor<%dx%dxf32>", width, width)
	var body strings.Builder
	line := func(path, format string, args ...any) {
		fmt.Fprintf(&body, format+" loc(%q)\n", append(args, path)...)
	}
	lines := func(path, g string, i int, list []string) {
		names := strings.NewReplacer("I ", fmt.Sprint(i, " "), "I,", fmt.Sprint(i, ","), "J", fmt.Sprint(i+1), "G", g, "X", x)
		for _, l := range list {
			line(path, "%s", names.Replace(l))
		}
	}
	params, results, types := []string{"%h0: " + x}, []string{}, []string{}
	for i := range layers {
		path := fmt.Sprint("net/b", i)
		params = append(params, fmt.Sprintf("%%w%d: %s {tf.aliasing_output = %d : i32}", i, w, i))
		results, types = append(results, fmt.Sprintf("%%n%d", i)), append(types, w)
		line(path, "%%a%d = stablehlo.dot_general %%h%d, %%w%d, contracting_dims = [1] x [0] : (%s, %s) -> %s", i, i, i, x, w, x)
		lines(path, "", i, activations[activation].forward)
	}
	g := fmt.Sprint("h", layers)
	for i := layers - 1; i >= 0; i-- {
		path := fmt.Sprintf("grad(net/b%d)", i)
		lines(path, g, i, activations[activation].backward)
		line(path, "%%d%d = stablehlo.dot_general %%h%d, %%e%d, contracting_dims = [0] x [0] : (%s, %s) -> %s", i, i, i, x, x, w)
		line(path, "%%n%d = stablehlo.subtract %%w%d, %%d%d : %s", i, i, i, w)
		g = fmt.Sprint("g", i)
		line(path, "%%%s = stablehlo.dot_general %%e%d, %%w%d, contracting_dims = [1] x [1] : (%s, %s) -> %s", g, i, i, x, w, x)
	}
	list := strings.Join(types, ", ")
	m, err := ir.Parse(fmt.Sprintf("func.func @main(%s) -> (%s) {\n%s  return %s : %s\n}", strings.Join(params, ", "), list, &body, strings.Join(results, ", "), list))
	require.NoError(t, err)
	return m
}

// scanStep returns a training step of JAX with a scan over four layers of many rows.
func scanStep(t *testing.T) *ir.Module {
	text, err := os.ReadFile("../../compile/testdata/memory/remat_scan_none.mlir")
	require.NoError(t, err)
	m, err := ir.Parse(strings.ReplaceAll(string(text), "512", "131072"))
	require.NoError(t, err)
	return m
}

// The compilers' own figures show each move: what is moved is in the memory of the host, the
// temporary values on the device take less memory by at least a fifth, and the report lists the
// moves. That holds for moves by a policy, by a limit, and for values that a scan saves. The link to
// the host is a fast one, so that limits choose moves. It takes the long form.
func TestMovesLowerThePeak(t *testing.T) {
	longtest.Only(t, "it compiles large steps")
	byHand := func(o *compile.Options, _ int) {
		o.MemoryPolicies = memory.NewPolicies()
		require.NoError(t, o.MemoryPolicies.Set("net/b[0-9]", memory.Offload))
	}
	byLimit := func(o *compile.Options, peak int) { o.MemoryLimit = peak / 2 }
	for _, tc := range []struct {
		name   string
		step   func() *ir.Module
		choose func(o *compile.Options, peak int)
		link   float64 // how many times as fast the link to the host is
		only   string  // the target, if it is not both
	}{
		{"by hand", func() *ir.Module { return deepStep(t, "tanh", 8, 8192, 1024) }, byHand, 100, ""},
		{"by a limit", func() *ir.Module { return deepStep(t, "gelu", 8, 8192, 1024) }, byLimit, 100, "h100:8"},
		{"a scan by a limit", func() *ir.Module { return scanStep(t) }, byLimit, 1e6, ""},
	} {
		for _, name := range []string{"v5e:2x4", "h100:8"} {
			if tc.only != "" && tc.only != name {
				continue
			}
			t.Run(tc.name+" on "+name, func(t *testing.T) {
				on := target(t, name)
				m := tc.step()
				dm, err := mesh.New(nil, nil, nil)
				require.NoError(t, err)
				if len(m.Meshes) > 0 {
					dm = m.Meshes[0].Mesh
				}
				machine, err := cost.MachineFor(on, dm)
				require.NoError(t, err)
				machine.Host = cost.Link{Bandwidth: tc.link * machine.Host.Bandwidth}
				o := compile.Options{Platform: on.Chip.Platform, Machine: machine, MicroBatches: 1, Debug: pass.Debug{Off: []string{"stacks"}}}
				free, err := compile.Compile(t.Context(), m.Clone(), o)
				require.NoError(t, err)
				before, err := compileFor(t, free, name)
				require.NoError(t, err)
				tc.choose(&o, report.NewFor(free, machine).Memory.Peak)
				p, err := compile.Compile(t.Context(), m, o)
				require.NoError(t, err)
				after, err := compileFor(t, p, name)
				require.NoError(t, err)

				moved := 0
				for _, v := range p.Fitting.Values {
					if v.Action == program.Offload {
						moved += v.Bytes
					}
				}
				t.Logf("moved %d; before %+v; after %+v", moved, before.Memory, after.Memory)
				require.Contains(t, report.NewFor(p, machine).String(), "  offload ")
				require.Zero(t, before.Memory.Host)
				require.InEpsilon(t, moved, after.Memory.Host, 0.05)
				require.Less(t, after.Memory.Temporary, before.Memory.Temporary*4/5)
			})
		}
	}
}

// If a GPU computes values again after a gelu, temporary memory falls to about half, as predicted.
// Without pass keep_operands it does not: the compiler stores what products read a second time. If
// it no longer does, target.FusesOperands is mended.
func TestKeptOperands(t *testing.T) {
	const name = "h100:1"
	on := target(t, name)
	machine, err := cost.MachineFor(on, nil)
	require.NoError(t, err)
	compiled := func(action program.Action, off ...string) (temporary, predicted int) {
		policies := memory.NewPolicies()
		require.NoError(t, policies.Set("net/b[0-9]", action))
		p, err := compile.Compile(t.Context(), deepStep(t, "gelu", 6, 4096, 512), compile.Options{
			Platform: on.Chip.Platform, Machine: machine, MemoryPolicies: policies, Debug: pass.Debug{Off: off},
		})
		require.NoError(t, err)
		e, err := compileFor(t, p, name)
		require.NoError(t, err)
		return e.Memory.Temporary, report.NewFor(p, machine).Memory.Temporary
	}
	whole, _ := compiled(memory.Save)
	again, predicted := compiled(memory.Recompute)
	require.Less(t, again, whole*6/10)
	require.InEpsilon(t, again, predicted, 0.1)
	twice, _ := compiled(memory.Recompute, "keep_operands")
	require.Greater(t, twice, whole*8/10)
}
