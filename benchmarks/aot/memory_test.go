package main

import (
	"errors"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/gospmd/gospmd/compile"
	"github.com/gospmd/gospmd/compile/cost"
	"github.com/gospmd/gospmd/compile/report"
	"github.com/gospmd/gospmd/hardware"
	"github.com/gospmd/gospmd/internal/testing/longtest"
	"github.com/gospmd/gospmd/internal/testing/needs"
	"github.com/gospmd/gospmd/program"
	"github.com/gospmd/gospmd/runtime/aot"
	"github.com/gospmd/gospmd/sharding"
)

// The target's compiler keeps what is computed again for a limit of memory: its own peak falls below
// the limit. The test runs in the long form only.
func TestMemoryLimit(t *testing.T) {
	longtest.Only(t, "it compiles a step twice")
	on, err := hardware.ParseTarget("v5e:4x4")
	require.NoError(t, err)
	free := compiled(t, "mlp", on, compile.SPMD)
	machine, err := cost.MachineFor(on, free.Mesh)
	require.NoError(t, err)
	m, err := readStep("mlp", false)
	require.NoError(t, err)
	require.NoError(t, sharding.Remesh(m, free.Mesh))
	limit := report.NewFor(free, machine).Memory.Peak * 4 / 5
	tight, err := compile.Compile(t.Context(), m, compile.Options{Platform: on.Chip.Platform, Machine: machine, MemoryLimit: limit, MicroBatches: 1})
	require.NoError(t, err)
	peak := func(p *program.Program) (int, float64) {
		e, err := aot.Compile(t.Context(), p, on, aot.Options{})
		if errors.Is(err, aot.ErrNoPlugin) {
			needs.Plugin(t, on.Chip.Platform, err)
		}
		require.NoError(t, err)
		return e.Memory.Peak, e.EstimatedSeconds
	}
	before, fast := peak(free)
	after, slow := peak(tight)
	t.Logf("limit %d; predicted %d, then %d; the compiler's %d, then %d; its time %.4g s, then %.4g s",
		limit, tight.Fitting.Before, tight.Fitting.After, before, after, fast, slow)
	require.Less(t, after, before)
	require.LessOrEqual(t, after, limit)
}

// XLA for GPUs stays within the memory that it may plan to use: it runs ops in another order.
func TestMemoryBound(t *testing.T) {
	longtest.Only(t, "it compiles a step twice")
	on, err := hardware.ParseTarget("h100:8")
	require.NoError(t, err)
	p := compiled(t, "conv_net", on, compile.SPMD)
	peak := func(o aot.Options) int {
		e, err := aot.Compile(t.Context(), p, on, o)
		if errors.Is(err, aot.ErrNoPlugin) {
			needs.Plugin(t, on.Chip.Platform, err)
		}
		require.NoError(t, err)
		return e.Memory.Peak
	}
	machine, err := cost.MachineFor(on, p.Mesh)
	require.NoError(t, err)
	predicted := report.NewFor(p, machine).Memory.Peak
	require.Greater(t, peak(aot.Options{}), predicted)
	require.LessOrEqual(t, peak(aot.Options{MemoryBound: predicted}), predicted)
}
