package compile_test

// This file tests limits of memory that choose where the state of the optimizer is.

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/gospmd/gospmd/compile"
	"github.com/gospmd/gospmd/compile/cost"
	"github.com/gospmd/gospmd/compile/report"
	"github.com/gospmd/gospmd/hardware"
	"github.com/gospmd/gospmd/ir"
	"github.com/gospmd/gospmd/mesh"
)

// adamStep returns the module of a training step on a mesh, such as "data"=2: four layers of tanh,
// whose weights of 256 KiB have two slots each. rows is the number of samples. With an axis model,
// the weights are sharded over it.
func adamStep(t testing.TB, mesh string, rows int) *ir.Module {
	const layers, w = 4, "tensor<256x256xf32>"
	columns := "{}"
	if strings.Contains(mesh, "model") {
		columns = `{"model"}`
	}
	x := fmt.Sprintf("tensor<%dx256xf32>", rows)
	var params, results, types, body strings.Builder
	add := func(to *strings.Builder, format string, args ...any) { fmt.Fprintf(to, format+"\n", args...) }
	for i := range layers {
		for k, name := range []string{"w", "m", "v"} {
			fmt.Fprintf(&params, ", %%%s%d: %s {sdy.sharding = #sdy.sharding<@mesh, [{}, %s]>, tf.aliasing_output = %d : i32}", name, i+1, w, columns, 3*i+k)
			fmt.Fprintf(&results, "%%n%s%d, ", name, i+1)
			fmt.Fprintf(&types, "%s, ", w)
		}
		add(&body, "%%a%d = stablehlo.dot_general %%h%d, %%w%d, contracting_dims = [1] x [0] : (%s, %s) -> %s", i+1, i, i+1, x, w, x)
		add(&body, "%%h%d = stablehlo.tanh %%a%d : %s", i+1, i+1, x)
	}
	add(&body, "%%loss = stablehlo.reduce(%%h%d init: %%zero) applies stablehlo.add across dimensions = [0, 1] : (%s, tensor<f32>) -> tensor<f32>", layers, x)
	add(&body, "%%g%d = stablehlo.multiply %%h%d, %%h%d : %s", layers, layers, layers, x)
	for i := layers; i > 0; i-- {
		add(&body, "%%g%d = stablehlo.dot_general %%g%d, %%w%d, contracting_dims = [1] x [1] : (%s, %s) -> %s", i-1, i, i, x, w, x)
		add(&body, "%%d%d = stablehlo.dot_general %%h%d, %%g%d, contracting_dims = [0] x [0] : (%s, %s) -> %s", i, i-1, i, x, x, w)
		add(&body, "%%nm%d = stablehlo.add %%m%d, %%d%d : %s", i, i, i, w)
		add(&body, "%%s%d = stablehlo.multiply %%d%d, %%d%d : %s", i, i, i, w)
		add(&body, "%%nv%d = stablehlo.add %%v%d, %%s%d : %s", i, i, i, w)
		add(&body, "%%u%d = stablehlo.multiply %%nm%d, %%nv%d : %s", i, i, i, w)
		add(&body, "%%nw%d = stablehlo.subtract %%w%d, %%u%d : %s", i, i, i, w)
	}
	m, err := ir.Parse(fmt.Sprintf(`module {
  sdy.mesh @mesh = <[%s]>
  func.func @main(%%h0: %s {sdy.sharding = #sdy.sharding<@mesh, [{"data"}, {}]>}%s) -> (%stensor<f32>) {
    %%zero = stablehlo.constant dense<0.0> : tensor<f32>
    %s
    return %s%%loss : %stensor<f32>
  }
}`, mesh, x, params.String(), types.String(), body.String(), results.String(), types.String()))
	require.NoError(t, err)
	return m
}

// Where a step fits only with a sharded update, or takes longer otherwise, the limit shards it, and
// the results are those without a limit. The same module gives the same program.
func TestLimitShardsUpdates(t *testing.T) {
	for _, mesh := range []string{`"data"=2`, `"data"=4, "model"=2`, `"data"=8`} {
		t.Run(mesh, func(t *testing.T) {
			m := adamStep(t, mesh, 64)
			free, err := compile.Compile(t.Context(), m, compile.Options{})
			require.NoError(t, err)
			o := compile.Options{MemoryLimit: report.New(free).Memory.Peak * 8 / 10}
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
			requireClose(t, runOn(t, client, free, inputs), runOn(t, client, tight, inputs))
		})
	}
}

// On GPUs the state goes to the host where a sharded update is not enough.
func TestLimitOffloadsOptimizers(t *testing.T) {
	m := adamStep(t, `"data"=2`, 64)
	gpus, err := hardware.ParseTarget("h100:2")
	require.NoError(t, err)
	machine, err := cost.MachineFor(gpus, mesh.MustParse("data=2"))
	require.NoError(t, err)
	o := compile.Options{Platform: hardware.CUDA, Machine: machine}
	sharded := o
	sharded.ShardedUpdate = true
	p, err := compile.Compile(t.Context(), m, sharded)
	require.NoError(t, err)
	o.MemoryLimit = report.NewFor(p, machine).Memory.Fixed() // nothing is left for gradients
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
	m := adamStep(t, `"data"=4`, 64)
	free, err := compile.Compile(t.Context(), m, compile.Options{})
	require.NoError(t, err)
	peak := report.New(free).Memory.Peak
	loose, err := compile.Compile(t.Context(), m, compile.Options{MemoryLimit: peak * 11 / 10})
	require.NoError(t, err)
	require.Nil(t, loose.Fitting.Optimizer)
	require.Equal(t, free.Module.String(), loose.Module.String())

	limit := peak * 6 / 10
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
	m := adamStep(t, `"data"=2`, 64)
	free, err := compile.Compile(t.Context(), m, compile.Options{})
	require.NoError(t, err)
	o := compile.Options{MemoryLimit: report.New(free).Memory.Peak * 8 / 10}
	p, err := compile.Compile(t.Context(), m, o)
	require.NoError(t, err)
	e, err := compile.Explain(t.Context(), m, o)
	require.NoError(t, err)
	require.NoError(t, e.Err)
	requireEqualPrograms(t, p, e.Program())
}
