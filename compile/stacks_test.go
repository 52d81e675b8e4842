package compile_test

// This file tests pass stacks.

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/gospmd/gospmd/compile"
	"github.com/gospmd/gospmd/compile/cost"
	"github.com/gospmd/gospmd/compile/memory"
	"github.com/gospmd/gospmd/compile/report"
	"github.com/gospmd/gospmd/hardware"
	"github.com/gospmd/gospmd/internal/testing/longtest"
	"github.com/gospmd/gospmd/internal/testing/runtimetest"
	"github.com/gospmd/gospmd/ir"
	"github.com/gospmd/gospmd/ir/pass"
)

// The loop of a gradient computes again what takes less time than to save and to read it. The
// program needs less memory, on a GPU it takes less predicted time, and it computes the same. In
// micro-batches, whose loop has the loops inside, it needs less memory too. Values that a memory
// policy saves stay saved. The short form has one of the loops.
func TestStacks(t *testing.T) {
	gpu, err := hardware.ParseTarget("h100:2")
	require.NoError(t, err)
	off := pass.Debug{Off: []string{"stacks"}}
	client := runtimetest.Open(t, 2)
	for _, tc := range []struct {
		name string
		part float64 // of the memory without the pass, at most
	}{
		{"scanned", 0.8},
		{"lstm", 0.8},
	} {
		if tc.name == "lstm" && !longtest.Enabled() {
			continue
		}
		t.Run(tc.name, func(t *testing.T) {
			peak := func(o compile.Options) int {
				p, err := compile.Compile(t.Context(), stepFile(t, tc.name), o)
				require.NoError(t, err)
				return report.New(p).Memory.Peak
			}
			require.LessOrEqual(t, float64(peak(compile.Options{})), tc.part*float64(peak(compile.Options{Debug: off})))
			require.Less(t, peak(compile.Options{MicroBatches: 2}), peak(compile.Options{MicroBatches: 2, Debug: off}))

			h100, err := cost.MachineFor(gpu, stepFile(t, tc.name).Meshes[0].Mesh)
			require.NoError(t, err)
			layer := stepFile(t, tc.name)
			layer.Main().Walk(func(op *ir.Op) { op.Loc.Path = "stack" })
			saved := memory.NewPolicies()
			require.NoError(t, saved.Set("stack", memory.Save))
			p, err := compile.Compile(t.Context(), layer, compile.Options{MemoryPolicies: saved})
			require.NoError(t, err)
			require.Equal(t, peak(compile.Options{Debug: off}), report.New(p).Memory.Peak)

			with, err := compile.Compile(t.Context(), stepFile(t, tc.name), compile.Options{Machine: h100})
			require.NoError(t, err)
			without, err := compile.Compile(t.Context(), stepFile(t, tc.name), compile.Options{Machine: h100, Debug: off})
			require.NoError(t, err)
			require.Less(t, h100.Seconds(with.Mesh, with.Module.Main()), h100.Seconds(without.Mesh, without.Module.Main()))
			inputs := numbersFor(with)
			requireClose(t, runOn(t, client, without, inputs), runOn(t, client, with, inputs))
		})
	}
}
