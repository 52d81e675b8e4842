package compile_test

// This file tests limits of memory that choose where the state of the optimizer is.

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/gospmd/gospmd/compile"
	"github.com/gospmd/gospmd/compile/cost"
	"github.com/gospmd/gospmd/compile/report"
	"github.com/gospmd/gospmd/hardware"
	"github.com/gospmd/gospmd/ir"
	"github.com/gospmd/gospmd/mesh"
	"github.com/gospmd/gospmd/sharding"
)

// adamOn returns the module of a training step with Adam, whose slots take most of the memory, on a
// mesh, such as data=2.
func adamOn(t testing.TB, text string) *ir.Module {
	m := stepFile(t, "adam")
	require.NoError(t, sharding.Remesh(m, mesh.MustParse(text)))
	return m
}

// Where a step fits only with a sharded update, or takes longer otherwise, the limit shards it, and
// the results are those without a limit. The same module gives the same program.
func TestLimitShardsUpdates(t *testing.T) {
	for _, tc := range []struct {
		axes string
		part int // of the peak, in percent
	}{{"data=2", 78}, {"data=4,model=2", 70}, {"data=8", 70}} {
		t.Run(tc.axes, func(t *testing.T) {
			m := adamOn(t, tc.axes)
			free, err := compile.Compile(t.Context(), m, compile.Options{})
			require.NoError(t, err)
			o := compile.Options{MemoryLimit: report.New(free).Memory.Peak * tc.part / 100}
			tight, err := compile.Compile(t.Context(), m, o)
			require.NoError(t, err)
			again, err := compile.Compile(t.Context(), m, o)
			require.NoError(t, err)
			requireEqualPrograms(t, tight, again)

			require.LessOrEqual(t, report.New(tight).Memory.Peak, o.MemoryLimit)
			require.Equal(t, report.New(tight).Memory.Peak, tight.Fitting.After)
			require.Equal(t, report.New(free).Memory.Peak, tight.Fitting.Before)
			by := tight.Fitting.Optimizer
			require.True(t, by.Sharded)
			require.False(t, by.Offloaded)
			require.Equal(t, report.New(free).Memory.Optimizer, by.Before)
			require.Equal(t, report.New(tight).Memory.Optimizer, by.After)
			require.Equal(t, tight.Mesh.Shape()[0], by.Before/by.After)
			require.Contains(t, report.New(tight).String(), "a sharded update")

			client, inputs := openExact(t, free.Mesh.Size()), numbersFor(free)
			exe := load(t, client, tight)
			defer exe.Close()
			if xla, err := exe.Memory(); err == nil {
				require.LessOrEqual(t, xla.Required()+report.New(tight).Memory.Constants, o.MemoryLimit)
			}
			requireClose(t, runOn(t, client, free, inputs), flatten(t, runLoaded(t, client, exe, tight, inputs)))
		})
	}
}

// On GPUs the state goes to the host where a sharded update is not enough.
func TestLimitOffloadsOptimizers(t *testing.T) {
	m := adamOn(t, "data=2")
	gpus, err := hardware.ParseTarget("h100:2")
	require.NoError(t, err)
	machine, err := cost.MachineFor(gpus, mesh.MustParse("data=2"))
	require.NoError(t, err)
	o := compile.Options{Platform: hardware.CUDA, Machine: machine}
	sharded := o
	sharded.ShardedUpdate = true
	p, err := compile.Compile(t.Context(), m, sharded)
	require.NoError(t, err)
	o.MemoryLimit = report.NewFor(p, machine).Memory.Fixed() * 11 / 10 // too little for gradients and activations
	p, err = compile.Compile(t.Context(), m, o)
	require.NoError(t, err)
	require.LessOrEqual(t, report.NewFor(p, machine).Memory.Peak, o.MemoryLimit)
	require.True(t, p.Fitting.Optimizer.Offloaded)
	require.Zero(t, p.Fitting.Optimizer.After)
	require.Positive(t, p.Fitting.Seconds)
	require.Greater(t, p.Fitting.Optimizer.Least, o.MemoryLimit)
	require.Contains(t, report.NewFor(p, machine).String(), "the optimizer's state on the host")
}

// Nothing is tried where the program fits as it is, where the options have the place already, or
// where there is no state. A training that runs keeps its layouts; the error says what would help.
func TestLimitKeepsOptimizers(t *testing.T) {
	m := adamOn(t, "data=4")
	free, err := compile.Compile(t.Context(), m, compile.Options{})
	require.NoError(t, err)
	peak := report.New(free).Memory.Peak
	loose, err := compile.Compile(t.Context(), m, compile.Options{MemoryLimit: peak * 11 / 10})
	require.NoError(t, err)
	require.Nil(t, loose.Fitting.Optimizer)
	require.Equal(t, free.Module.String(), loose.Module.String())

	limit := peak * 7 / 10
	asked, err := compile.Compile(t.Context(), m, compile.Options{MemoryLimit: limit, ShardedUpdate: true})
	require.NoError(t, err)
	require.Nil(t, asked.Fitting.Optimizer)
	chosen, err := compile.Compile(t.Context(), m, compile.Options{MemoryLimit: limit})
	require.NoError(t, err)
	require.Equal(t, asked.Module.String(), chosen.Module.String())

	o := compile.Options{MemoryLimit: limit}.KeepOptimizerOf(chosen.Fitting)
	require.True(t, o.ShardedUpdate)
	require.True(t, o.KeepOptimizer)
	for _, o := range []compile.Options{{KeepOptimizer: true}, {KeepLayouts: true}} {
		o.MemoryLimit = limit
		_, err = compile.Compile(t.Context(), m, o)
		var over *report.OverBudgetError
		require.ErrorAs(t, err, &over)
		require.ErrorContains(t, err, "with a sharded update it fits, and a device needs")
		require.ErrorContains(t, err, "set compile.Options.ShardedUpdate (distribution.ShardedUpdate()) before the training starts")
	}
}

// Explanations are those of the program that the limit has chosen.
func TestLimitThatShardsIsExplained(t *testing.T) {
	m := adamOn(t, "data=2")
	free, err := compile.Compile(t.Context(), m, compile.Options{})
	require.NoError(t, err)
	o := compile.Options{MemoryLimit: report.New(free).Memory.Peak * 78 / 100}
	p, err := compile.Compile(t.Context(), m, o)
	require.NoError(t, err)
	e, err := compile.Explain(t.Context(), m, o)
	require.NoError(t, err)
	require.NoError(t, e.Err)
	requireEqualPrograms(t, p, e.Program())
}
