package compile_test

// This file tests programs in which jax.checkpoint computes values again.

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/gospmd/gospmd/compile"
	"github.com/gospmd/gospmd/compile/report"
	"github.com/gospmd/gospmd/internal/testing/runtimetest"
	"github.com/gospmd/gospmd/ir"
	"github.com/gospmd/gospmd/ir/pass"
)

// countOps returns the number of ops of a kind in m, with those in regions.
func countOps(m *ir.Module, kind ir.OpKind) (n int) {
	for _, f := range m.Funcs {
		f.Walk(func(op *ir.Op) {
			if op.Kind == kind {
				n++
			}
		})
	}
	return n
}

// The ops that jax.checkpoint computes again are still there after the passes, for all targets, and
// do not change the results. With them XLA on CPUs needs less memory, although it removes barriers:
// at most part of that of the plain program. In programs with held, it needs more than that part
// without pass hold_barriers. Engines without figures of their memory skip this.
func TestCheckpointsOfJAX(t *testing.T) {
	client := runtimetest.Open(t, 2)
	for _, tc := range []struct {
		name, plain string
		tanhs, dots int     // of the program
		part        float64 // of the memory of the plain program, at most
		held        bool    // pass hold_barriers is needed for that on CPUs
	}{
		{"remat_nothing", "remat_none", 8, 27, 0.45, true},
		{"remat_dots", "remat_none", 8, 23, 0.7, true},
		{"remat_scan", "remat_scan_none", 2, 7, 0.3, false},
	} {
		t.Run(tc.name, func(t *testing.T) {
			for _, platform := range []string{"cpu", "tpu", "cuda"} {
				p, err := compile.Compile(t.Context(), stepFile(t, tc.name), compile.Options{Platform: platform})
				require.NoError(t, err)
				require.Equal(t, tc.tanhs, countOps(p.Module, ir.OpTanh), platform)
				require.Equal(t, tc.dots, countOps(p.Module, ir.OpDotGeneral), platform)
			}
			// Pass stacks would save memory in the plain program too.
			plain, err := compile.Compile(t.Context(), stepFile(t, tc.plain), compile.Options{Debug: pass.Debug{Off: []string{"stacks"}}})
			require.NoError(t, err)
			p, err := compile.Compile(t.Context(), stepFile(t, tc.name), compile.Options{})
			require.NoError(t, err)
			inputs := numbersFor(plain)
			requireClose(t, runOn(t, client, plain, inputs), runOn(t, client, p, inputs))
			before, after := report.New(plain).Memory.Peak, report.New(p).Memory.Peak
			exe, err := client.Load(t.Context(), p)
			require.NoError(t, err)
			defer exe.Close()
			plainExe, err := client.Load(t.Context(), plain)
			require.NoError(t, err)
			defer plainExe.Close()
			xla, err := exe.Memory()
			if err != nil {
				return // an engine without figures
			}
			xlaBefore, err := plainExe.Memory()
			require.NoError(t, err)
			t.Logf("predicted %d of %d, XLA %d of %d", after, before, xla.Required(), xlaBefore.Required())
			require.LessOrEqual(t, float64(xla.Required()), tc.part*float64(xlaBefore.Required()))
			if !tc.held {
				return
			}
			p, err = compile.Compile(t.Context(), stepFile(t, tc.name), compile.Options{Debug: pass.Debug{Off: []string{"hold_barriers"}}})
			require.NoError(t, err)
			dropped, err := client.Load(t.Context(), p)
			require.NoError(t, err)
			defer dropped.Close()
			without, err := dropped.Memory()
			require.NoError(t, err)
			require.Greater(t, float64(without.Required()), tc.part*float64(xlaBefore.Required()), "XLA on CPUs keeps barriers: it has no limit DropsBarriers any more")
		})
	}
}
