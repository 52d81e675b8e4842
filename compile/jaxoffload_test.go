package compile_test

// This file tests programs of JAX whose checkpoint policies move values to the host.

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/gospmd/gospmd/compile"
	"github.com/gospmd/gospmd/compile/cost"
	"github.com/gospmd/gospmd/compile/report"
	"github.com/gospmd/gospmd/hardware"
	"github.com/gospmd/gospmd/internal/testing/runtimetest"
	"github.com/gospmd/gospmd/ir"
)

// The moves of jax.checkpoint_policies.save_and_offload_only_these_names and
// offload_dot_with_no_batch_dims stay in programs for TPUs and GPUs, as often as JAX has them: each
// value goes to the host and back, behind the barrier, and the prediction has the time of the link.
// On CPUs there are no moves. The results are those of the step without a policy, to within 1e-6.
func TestOffloadPoliciesOfJAX(t *testing.T) {
	client := runtimetest.Open(t, 2)
	plain, err := compile.Compile(t.Context(), stepFile(t, "remat_none"), compile.Options{})
	require.NoError(t, err)
	inputs := numbersFor(plain)
	want := runOn(t, client, plain, inputs)
	for _, name := range []string{"offload_names", "offload_dots"} {
		t.Run(name, func(t *testing.T) {
			for _, target := range []string{"v5e:2x2", "h100:2"} {
				on, err := hardware.ParseTarget(target)
				require.NoError(t, err)
				m := stepFile(t, name)
				machine, err := cost.MachineFor(on, m.Meshes[0].Mesh)
				require.NoError(t, err)
				p, err := compile.Compile(t.Context(), m, compile.Options{Platform: on.Chip.Platform, Machine: machine})
				require.NoError(t, err)
				stored, fetched := moves(p)
				require.Equal(t, []int{4, 4}, []int{stored, fetched}, target)
				const value = 512 / 2 * 64 * 4 // on a device
				for op := range p.Module.Main().Body.Ops() {
					if kind, ok := op.Placement(); ok && !kind.OnHost() {
						require.Equal(t, ir.OpOptimizationBarrier, op.Operands[0].Def().Kind, target)
						require.Equal(t, value, op.Result().Type.MemoryBytes(), target)
					}
				}
				var link cost.LinkTime
				for _, l := range report.NewFor(p, machine).Prediction.Links {
					if l.Kind == machine.Host.Kind {
						link = l
					}
				}
				require.Equal(t, 8, link.Count, target)
				require.Equal(t, 8*value, link.Bytes, target)
				r := report.NewFor(p, machine)
				require.Equal(t, report.Moved{Values: 4, Bytes: 4 * value}, r.Memory.Moved, target)
				require.Contains(t, r.String(), "values that move to the host and back: 4, of 262.1 kB")
			}
			p, err := compile.Compile(t.Context(), stepFile(t, name), compile.Options{Platform: hardware.CPU})
			require.NoError(t, err)
			stored, fetched := moves(p)
			require.Zero(t, stored+fetched)
			requireClose(t, want, runOn(t, client, p, inputs))
		})
	}
}
