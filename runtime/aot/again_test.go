package aot_test

// This file tests whether a compiler that drops recomputations is found out.

import (
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
	"google.golang.org/protobuf/encoding/protowire"

	"github.com/gospmd/gospmd/compile"
	"github.com/gospmd/gospmd/compile/cost"
	"github.com/gospmd/gospmd/compile/report"
	"github.com/gospmd/gospmd/hardware"
	"github.com/gospmd/gospmd/ir"
	"github.com/gospmd/gospmd/program"
	"github.com/gospmd/gospmd/runtime/aot"
)

// field returns the bytes of a protobuf message with one field of this number, which holds body.
func field(number protowire.Number, body []byte) []byte {
	return protowire.AppendBytes(protowire.AppendTag(nil, number, protowire.BytesType), body)
}

// optimized returns the HloModuleProto of a computation whose instructions have these op names.
func optimized(opNames ...string) []byte {
	var computation []byte
	for _, name := range opNames {
		instruction := field(7, field(2, []byte(name))) // metadata.op_name
		computation = append(computation, field(2, instruction)...)
	}
	return field(3, computation)
}

// If the compiler's module has no instruction of a place whose ops compute again, that is an error
// that names the place. Ops that only move data do not count, nor do ops on constants.
func TestDropped(t *testing.T) {
	m, err := ir.Parse(`func.func @main(%x: tensor<4x4xf32>, %g: tensor<4x4xf32>) -> tensor<4x4xf32> {
  %h = stablehlo.tanh %x : tensor<4x4xf32> loc("a")
  %x1, %g1 = stablehlo.optimization_barrier %x, %h : tensor<4x4xf32>, tensor<4x4xf32>
  %t = stablehlo.transpose %x1, dims = [1, 0] : (tensor<4x4xf32>) -> tensor<4x4xf32> loc("turned/rematted_computation")
  %h1 = stablehlo.tanh %t : tensor<4x4xf32> loc("a/rematted_computation")
  %h2 = stablehlo.sine %x1 : tensor<4x4xf32> loc("b/rematted_computation")
  %i = stablehlo.iota dim = 0 : tensor<4x4xf32> loc("mask/rematted_computation")
  %k = stablehlo.negate %i : tensor<4x4xf32> loc("mask/rematted_computation")
  %m = stablehlo.add %h2, %k : tensor<4x4xf32> loc("grad(b)")
  %d = stablehlo.multiply %h1, %m : tensor<4x4xf32> loc("grad(a)")
  return %d : tensor<4x4xf32>
}`)
	require.NoError(t, err)
	p := &program.Program{Name: "step", Module: m}
	for _, tc := range []struct {
		name string
		hlo  []byte
		want []string
	}{
		{"both kept", optimized("a", "a/rematted_computation", "b/rematted_computation", "grad(a)"), nil},
		{"kept in an inlined call", optimized("a", "jit(main)/a/rematted_computation", "b/rematted_computation/sine"), nil},
		{"one dropped", optimized("a", "b/rematted_computation", "grad(a)"), []string{"a/rematted_computation"}},
		{"both dropped", optimized("a", "b", "grad(a)"), []string{"a/rematted_computation", "b/rematted_computation"}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			err := aot.Dropped(p, tc.hlo)
			if tc.want == nil {
				require.NoError(t, err)
				return
			}
			var dropped *aot.DroppedError
			require.ErrorAs(t, err, &dropped)
			require.Equal(t, &aot.DroppedError{Paths: tc.want, Again: 2}, dropped)
			require.ErrorContains(t, err, tc.want[0])
			require.ErrorContains(t, err, "-allow-dropped")
		})
	}
}

// The compilers for TPUs and GPUs keep what barriers protect. Without the barriers they merge it
// with the first computation: Compile must return a *DroppedError then, but none with AllowDropped.
func TestBarriersHold(t *testing.T) {
	for _, name := range []string{"v5e:2x4", "h100:8"} {
		t.Run(name, func(t *testing.T) {
			on := target(t, name)
			m, err := ir.ParseFile(filepath.Join("..", "..", "compile", "testdata", "memory", "mlp.mlir"))
			require.NoError(t, err)
			p := fitted(t, m, on, 0.8)
			_, err = compileFor(t, p, name)
			require.NoError(t, err)

			bare := &program.Program{Name: p.Name, Form: p.Form, Mesh: p.Mesh, Module: p.Module.Clone(), Inputs: p.Inputs, Outputs: p.Outputs, Target: p.Target}
			removed := 0
			bare.Module.Main().Walk(func(op *ir.Op) {
				if op.Kind != ir.OpOptimizationBarrier {
					return
				}
				for i, v := range op.Results {
					v.ReplaceAllUsesWith(op.Operands[i])
				}
				removed++
			})
			require.Positive(t, removed)
			_, err = compileFor(t, bare, name)
			var dropped *aot.DroppedError
			require.ErrorAs(t, err, &dropped)
			_, err = aot.Compile(t.Context(), bare, on, aot.Options{AllowDropped: true})
			require.NoError(t, err)
		})
	}
}

// fitted compiles m for the target with a memory limit: part times the peak that the report of the
// program without a limit predicts.
func fitted(t *testing.T, m *ir.Module, on hardware.Target, part float64) *program.Program {
	t.Helper()
	free, err := compile.Compile(t.Context(), m, compile.Options{Platform: on.Chip.Platform})
	require.NoError(t, err)
	machine, err := cost.MachineFor(on, free.Mesh)
	require.NoError(t, err)
	o := compile.Options{Platform: on.Chip.Platform, Machine: machine}
	o.MemoryLimit = int(part * float64(report.NewFor(free, machine).Memory.Peak))
	tight, err := compile.Compile(t.Context(), m, o)
	require.NoError(t, err)
	return tight
}
