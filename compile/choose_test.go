package compile_test

// This file tests pass choose: it takes the strategy that is predicted to be the best.

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/gospmd/gospmd/compile"
	"github.com/gospmd/gospmd/compile/cost"
	"github.com/gospmd/gospmd/compile/report"
	"github.com/gospmd/gospmd/hardware"
	"github.com/gospmd/gospmd/internal/testing/longtest"
	"github.com/gospmd/gospmd/ir"
	"github.com/gospmd/gospmd/mesh"
	"github.com/gospmd/gospmd/program"
	"github.com/gospmd/gospmd/sharding"
)

// moduleOnMesh returns the module in a file on a mesh of the given shape with the axes data and
// model.
func moduleOnMesh(t *testing.T, file string, shape []int) *ir.Module {
	t.Helper()
	m, err := ir.ParseFile(file)
	require.NoError(t, err)
	dm, err := mesh.New(shape, []string{"data", "model"}, nil)
	require.NoError(t, err)
	require.NoError(t, sharding.Remesh(m, dm))
	return m
}

// The program for a target is predicted to be at most as slow as two others: the program decided
// for the default machine, and the one with the shardings of propagation. If one of these needs
// less memory, the program for a target with only that memory must fit into it; this must occur.
// Explain explains the program that Compile returns. The short form has two targets, and every
// other mesh of each.
func TestChoiceIsNeverWorse(t *testing.T) {
	smaller := 0 // number of programs that are smaller than the fastest one
	for _, target := range longtest.Pick([]string{"v5e:2x4", "h100:8"}, []string{"v5e:2x4", "h100:8", "v6e:4x4"}) {
		on, err := hardware.ParseTarget(target)
		require.NoError(t, err)
		for _, file := range []string{"testdata/jax/train_step.mlir", "../cmd/gospmd/testdata/jax/mlp_step.mlir", "../cmd/gospmd/testdata/jax/transformer_grad.mlir"} {
			for model := 1; model <= on.Devices(); model *= longtest.Pick(4, 2) {
				shape := []int{on.Devices() / model, model}
				t.Run(fmt.Sprint(target, file, shape), func(t *testing.T) {
					m := moduleOnMesh(t, file, shape)
					machine, err := cost.MachineFor(on, m.Meshes[0].Mesh)
					require.NoError(t, err)
					compileWith := func(o compile.Options) *program.Program {
						o.Platform = on.Chip.Platform
						p, err := compile.Compile(t.Context(), m, o)
						require.NoError(t, err)
						return p
					}
					seconds := func(p *program.Program) float64 { return machine.Predict(p.Mesh, p.Module.Main()).Seconds }
					memory := func(p *program.Program) int { return report.NewFor(p, machine).Memory.Peak }
					propagated := compile.Options{Machine: machine}
					propagated.Debug.Off = []string{"autoshard"}
					chosen := compileWith(compile.Options{Machine: machine})
					least := memory(chosen)
					for _, other := range []*program.Program{compileWith(compile.Options{}), compileWith(propagated)} {
						require.LessOrEqual(t, seconds(chosen), seconds(other))
						least = min(least, memory(other))
					}
					if least < memory(chosen) {
						limited := *machine
						limited.Memory = least
						require.LessOrEqual(t, memory(compileWith(compile.Options{Machine: &limited})), least)
						smaller++
					}
					e, err := compile.Explain(t.Context(), m, compile.Options{Machine: machine, Platform: on.Chip.Platform})
					require.NoError(t, err)
					require.Equal(t, chosen.Module.String(), e.Program().Module.String(), "what is explained is what runs")
					require.Equal(t, chosen.Overrides, e.Program().Overrides)
					require.Equal(t, chosen.Diagnostics, e.Program().Diagnostics)
				})
			}
		}
	}
	require.Positive(t, smaller)
}
