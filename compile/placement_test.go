package compile_test

// This file tests where weights and the state of the optimizer are: as an option says, or as a limit
// of memory chooses.

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/gomlx/compute/dtypes"
	"github.com/stretchr/testify/require"

	"github.com/gospmd/gospmd/compile"
	"github.com/gospmd/gospmd/compile/cost"
	"github.com/gospmd/gospmd/compile/report"
	"github.com/gospmd/gospmd/hardware"
	"github.com/gospmd/gospmd/internal/testing/longtest"
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
			by := tight.Fitting.Placement
			require.True(t, by.Sharded)
			require.False(t, by.Offloaded)
			require.False(t, by.Weights)
			before, after := report.New(free).Memory, report.New(tight).Memory
			require.Equal(t, before.Parameters+before.Optimizer, by.Before)
			require.Equal(t, before.Parameters+after.Optimizer, by.After)
			require.Equal(t, tight.Mesh.Shape()[0], before.Optimizer/after.Optimizer)
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
	require.True(t, p.Fitting.Placement.Offloaded)
	require.Zero(t, report.NewFor(p, machine).Memory.Optimizer)
	require.Positive(t, p.Fitting.Seconds)
	require.Greater(t, p.Fitting.Placement.Least, o.MemoryLimit)
	require.Contains(t, report.NewFor(p, machine).String(), "the optimizer's state on the host")
}

// Where a step fits only with sharded weights, the limit shards them, and the results are those
// without a limit. A program that only reads the weights has them in the same shardings.
func TestLimitShardsWeights(t *testing.T) {
	for _, tc := range []struct {
		axes string
		part int // of the peak, in percent
	}{{"data=4,model=2", 45}, {"data=8", 35}} {
		t.Run(tc.axes, func(t *testing.T) {
			m := adamOn(t, tc.axes)
			free, err := compile.Compile(t.Context(), m, compile.Options{})
			require.NoError(t, err)
			before := report.New(free).Memory
			o := compile.Options{MemoryLimit: before.Peak * tc.part / 100}
			tight, err := compile.Compile(t.Context(), m, o)
			require.NoError(t, err)
			after := report.New(tight).Memory
			require.LessOrEqual(t, after.Peak, o.MemoryLimit)
			by := tight.Fitting.Placement
			require.True(t, by.Sharded && by.Weights)
			require.Greater(t, by.Least, o.MemoryLimit)
			require.Contains(t, report.New(tight).String(), "the limit has chosen sharded weights: a device keeps")
			n := tight.Mesh.Shape()[0]
			require.Equal(t, n, before.Parameters/after.Parameters)
			require.Equal(t, n, before.Optimizer/after.Optimizer)

			kept := o.KeepPlacementOf(tight.Fitting)
			require.True(t, kept.FullySharded)
			kept.MemoryLimit = 0
			asked, err := compile.Compile(t.Context(), m, kept)
			require.NoError(t, err)
			for i, in := range asked.Inputs {
				require.True(t, in.Sharding.SameLayout(tight.Inputs[i].Sharding), in.Name)
			}

			client, inputs := openExact(t, free.Mesh.Size()), numbersFor(free)
			exe := load(t, client, tight)
			defer exe.Close()
			want := runOn(t, client, free, inputs)
			requireClose(t, want, flatten(t, runLoaded(t, client, exe, tight, inputs)))
			requireClose(t, want, runOn(t, client, asked, inputs))

			o.KeepPlacement = true
			_, err = compile.Compile(t.Context(), m, o)
			require.ErrorContains(t, err, "with sharded weights it fits, and a device needs")
			require.ErrorContains(t, err, "set compile.Options.FullySharded (distribution.FullySharded()) before the training starts")
		})
	}
}

// With FullySharded a function that only reads the weights has them in the shardings that a training
// step has: kernels are sharded, whether they are trained or not, and vectors are not.
func TestFullyShardedInference(t *testing.T) {
	m := ir.MustParse(`
sdy.mesh @m = <["data"=4]>
func.func @main(%x: tensor<8x16xf32> {sdy.sharding = #sdy.sharding<@m, [{"data"}, {}]>}, %w: tensor<16x8xf32> {gospmd.role = "parameter"}, %b: tensor<8xf32> {gospmd.role = "parameter"})
    -> (tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@m, [{"data"}, {}]>}) {
  %0 = stablehlo.dot_general %x, %w, contracting_dims = [1] x [0] : (tensor<8x16xf32>, tensor<16x8xf32>) -> tensor<8x8xf32>
  %1 = stablehlo.broadcast_in_dim %b, dims = [1] : (tensor<8xf32>) -> tensor<8x8xf32>
  %2 = stablehlo.add %0, %1 : tensor<8x8xf32>
  return %2 : tensor<8x8xf32>
}`)
	plain, err := compile.Compile(t.Context(), m, compile.Options{})
	require.NoError(t, err)
	p, err := compile.Compile(t.Context(), m, compile.Options{FullySharded: true})
	require.NoError(t, err)
	var local []string
	for _, in := range p.Inputs {
		local = append(local, in.Local.String())
	}
	require.Equal(t, []string{"tensor<2x16xf32>", "tensor<4x8xf32>", "tensor<8xf32>"}, local)
	client, inputs := openExact(t, 4), numbersFor(plain)
	requireClose(t, runOn(t, client, plain, inputs), runOn(t, client, p, inputs))
}

// A matrix whose dimensions are all sharded is sharded further over the axes of the data that it does
// not use. A vector, and a matrix that they do not divide, stay as they are.
func TestShardedUpdateOfShardedMatrices(t *testing.T) {
	for _, tc := range []struct{ dims, want string }{
		{"8x6", `[{"fsdp", "data"}, {"model"}]`},
		{"6x8", `[{"fsdp"}, {"model", "data"}]`},
		{"6x6", `[{"fsdp"}, {"model"}]`},
	} {
		text := strings.NewReplacer("DIMS", tc.dims, "ROWS", tc.dims[:1]).Replace(`
sdy.mesh @m = <["data"=2, "fsdp"=2, "model"=2]>
func.func @main(%x: tensor<8xROWSxf32> {sdy.sharding = #sdy.sharding<@m, [{"data", "fsdp"}, {}]>},
    %w: tensor<DIMSxf32> {sdy.sharding = #sdy.sharding<@m, [{"fsdp"}, {"model"}]>, gospmd.role = "parameter", tf.aliasing_output = 0 : i32},
    %slot: tensor<DIMSxf32> {sdy.sharding = #sdy.sharding<@m, [{"fsdp"}, {"model"}]>, gospmd.role = "optimizer", tf.aliasing_output = 1 : i32})
    -> (tensor<DIMSxf32>, tensor<DIMSxf32>) {
  %y = stablehlo.dot_general %x, %w, contracting_dims = [1] x [0] : (tensor<8xROWSxf32>, tensor<DIMSxf32>) -> tensor<8xCOLUMNSxf32>
  %g = stablehlo.dot_general %x, %y, contracting_dims = [0] x [0] : (tensor<8xROWSxf32>, tensor<8xCOLUMNSxf32>) -> tensor<DIMSxf32>
  %s = stablehlo.add %slot, %g : tensor<DIMSxf32>
  %n = stablehlo.subtract %w, %s : tensor<DIMSxf32>
  return %n, %s : tensor<DIMSxf32>, tensor<DIMSxf32>
}`)
		m := ir.MustParse(strings.ReplaceAll(text, "COLUMNS", tc.dims[2:]))
		plain, err := compile.Compile(t.Context(), m, compile.Options{})
		require.NoError(t, err)
		p, err := compile.Compile(t.Context(), m, compile.Options{FullySharded: true})
		require.NoError(t, err)
		for _, in := range p.Inputs[1:] {
			require.Contains(t, in.Sharding.String(), tc.want, tc.dims)
		}
		client, inputs := openExact(t, 8), numbersFor(plain)
		requireClose(t, runOn(t, client, plain, inputs), runOn(t, client, p, inputs))
	}
}

// A limit that no placement keeps is an error that says the least peak that was found.
func TestLimitBelowAllPlacements(t *testing.T) {
	gpus, err := hardware.ParseTarget("h100:8")
	require.NoError(t, err)
	machine, err := cost.MachineFor(gpus, mesh.MustParse("data=8"))
	require.NoError(t, err)
	_, err = compile.Compile(t.Context(), adamOn(t, "data=8"), compile.Options{Platform: hardware.CUDA, Machine: machine, MemoryLimit: 1000})
	var over *report.OverBudgetError
	require.ErrorAs(t, err, &over)
	require.ErrorContains(t, err, "parts, with sharded weights, the limit is 1,000")
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
	require.Nil(t, loose.Fitting.Placement)
	require.Equal(t, free.Module.String(), loose.Module.String())

	limit := peak * 7 / 10
	asked, err := compile.Compile(t.Context(), m, compile.Options{MemoryLimit: limit, ShardedUpdate: true})
	require.NoError(t, err)
	require.Nil(t, asked.Fitting.Placement)
	chosen, err := compile.Compile(t.Context(), m, compile.Options{MemoryLimit: limit})
	require.NoError(t, err)
	require.Equal(t, asked.Module.String(), chosen.Module.String())

	o := compile.Options{MemoryLimit: limit}.KeepPlacementOf(chosen.Fitting)
	require.True(t, o.ShardedUpdate)
	require.True(t, o.KeepPlacement)
	for _, o := range []compile.Options{{KeepPlacement: true}, {KeepLayouts: true}} {
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

// Random training steps, of dimensions that the devices do not always divide, compute the same with
// sharded weights, in one micro-batch or two.
func TestFullyShardedRandomSteps(t *testing.T) {
	rng := rand.New(rand.NewPCG(11, 27))
	for range longtest.Pick(20, 200) {
		text := randomTraining(rng)
		m, err := ir.Parse(text)
		require.NoError(t, err, text)
		plain, err := compile.Compile(t.Context(), m, compile.Options{})
		require.NoError(t, err, text)
		client, inputs := openInterpreted(t, plain.Mesh.Size()), numbersFor(plain)
		want := runOn(t, client, plain, inputs)
		for _, o := range []compile.Options{{FullySharded: true}, {FullySharded: true, MicroBatches: 2}, {FullySharded: true, KeepLayouts: true}} {
			p, err := compile.Compile(t.Context(), m, o)
			require.NoError(t, err, text)
			requireWithin(t, want, runOn(t, client, p, inputs), otherOrder())
		}
	}
}

// Random training steps with sharded weights, which a limit of memory for GPUs may divide into
// micro-batches, compute what they compute without a limit. All can be divided.
func TestFullyShardedInMicroBatches(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 28))
	divided := 0
	for range longtest.Pick(10, 60) {
		text := randomTraining(rng)
		m, err := ir.Parse(text)
		require.NoError(t, err, text)
		plain, err := compile.Compile(t.Context(), m, compile.Options{})
		require.NoError(t, err, text)
		gpus, err := hardware.ParseTarget(fmt.Sprint("h100:", plain.Mesh.Size()))
		require.NoError(t, err)
		machine, err := cost.MachineFor(gpus, plain.Mesh)
		require.NoError(t, err)
		o := compile.Options{Platform: hardware.CUDA, Machine: machine, FullySharded: true, KeepPlacement: true}
		free, err := compile.Compile(t.Context(), m, o)
		require.NoError(t, err, text)
		o.MemoryLimit = report.NewFor(free, machine).Memory.Peak * (50 + rng.IntN(40)) / 100
		p, err := compile.Compile(t.Context(), m, o)
		if err != nil {
			require.ErrorContains(t, err, "does not fit", text)
			require.NotContains(t, err.Error(), "cannot be divided", text)
			continue
		}
		if p.Fitting.MicroBatches > 1 {
			divided++
		}
		client, inputs := openInterpreted(t, plain.Mesh.Size()), numbersFor(plain)
		requireWithin(t, runOn(t, client, plain, inputs), runOn(t, client, p, inputs), otherOrder())
	}
	t.Logf("%d programs run in micro-batches", divided)
	require.Positive(t, divided)
}

// randomTraining returns the text of a training step with momentum: 1 to 3 layers of random widths,
// each x·w or tanh(x·w), on a random mesh. Axis model, if there is one, shards some weights; so does
// axis fsdp, which also shards the data.
func randomTraining(rng *rand.Rand) string {
	data := []int{2, 3, 4}[rng.IntN(3)]
	axes, batchAxes, others := fmt.Sprintf(`"data"=%d`, data), `{"data"}`, []string{}
	batch := 16 * data
	if rng.IntN(2) == 0 {
		axes, others = axes+`, "model"=2`, append(others, `{"model"}`)
	}
	if data == 2 && rng.IntN(2) == 0 {
		axes, batchAxes, others = axes+`, "fsdp"=2`, `{"data", "fsdp"}`, append(others, `{"fsdp"}`)
		batch *= 2
	}
	widths := []int{1 + rng.IntN(12)}
	for range 1 + rng.IntN(3) {
		widths = append(widths, 1+rng.IntN(12))
	}
	tensor := func(dims ...int) string { return ir.Tensor(dtypes.Float32, dims...).String() }
	var params, results, types, body, returned []string
	line := func(format string, args ...any) { body = append(body, fmt.Sprintf("  "+format, args...)) }
	params = append(params, fmt.Sprintf(`%%h0: %s {sdy.sharding = #sdy.sharding<@m, [%s, {}]>}`, tensor(batch, widths[0]), batchAxes))
	n := len(widths) - 1
	curved := make([]bool, n)
	for i := range n {
		curved[i] = rng.IntN(2) == 0
		w := tensor(widths[i], widths[i+1])
		dims := []string{"{}", "{}"}
		for d := range dims {
			if len(others) > d && rng.IntN(2) == 0 {
				dims[d] = others[d]
			}
		}
		rng.Shuffle(2, func(i, j int) { dims[i], dims[j] = dims[j], dims[i] })
		sharding := fmt.Sprintf("sdy.sharding = #sdy.sharding<@m, [%s]>", strings.Join(dims, ", "))
		params = append(params, fmt.Sprintf("%%w%d: %s {%s, tf.aliasing_output = %d : i32}", i, w, sharding, 2*i),
			fmt.Sprintf(`%%m%d: %s {%s, tf.aliasing_output = %d : i32, gospmd.role = "optimizer"}`, i, w, sharding, 2*i+1))
		results, types = append(results, w+" {"+sharding+"}", w+" {"+sharding+"}"), append(types, w, w)
		returned = append(returned, fmt.Sprintf("%%nw%d, %%nm%d", i, i))
		next := tensor(batch, widths[i+1])
		line("%%p%d = stablehlo.dot_general %%h%d, %%w%d, contracting_dims = [1] x [0] : (%s, %s) -> %s", i, i, i, tensor(batch, widths[i]), w, next)
		if curved[i] {
			line("%%h%d = stablehlo.tanh %%p%d : %s", i+1, i, next)
		} else {
			line("%%h%d = stablehlo.add %%p%d, %%p%d : %s", i+1, i, i, next)
		}
	}
	last := tensor(batch, widths[n])
	line("%%zero = stablehlo.constant dense<0.0> : tensor<f32>")
	line("%%square = stablehlo.multiply %%h%d, %%h%d : %s", n, n, last)
	line("%%loss = stablehlo.reduce(%%square init: %%zero) applies stablehlo.add across dimensions = [0, 1] : (%s, tensor<f32>) -> tensor<f32>", last)
	line("%%g%d = stablehlo.add %%h%d, %%h%d : %s", n, n, n, last)
	for i := n - 1; i >= 0; i-- {
		out, w := tensor(batch, widths[i+1]), tensor(widths[i], widths[i+1])
		if curved[i] {
			line("%%one%d = stablehlo.constant dense<1.0> : %s", i, out)
			line("%%s%d = stablehlo.multiply %%h%d, %%h%d : %s", i, i+1, i+1, out)
			line("%%t%d = stablehlo.subtract %%one%d, %%s%d : %s", i, i, i, out)
			line("%%d%d = stablehlo.multiply %%g%d, %%t%d : %s", i, i+1, i, out)
		} else {
			line("%%d%d = stablehlo.add %%g%d, %%g%d : %s", i, i+1, i+1, out)
		}
		line("%%gw%d = stablehlo.dot_general %%h%d, %%d%d, contracting_dims = [0] x [0] : (%s, %s) -> %s", i, i, i, tensor(batch, widths[i]), out, w)
		line("%%g%d = stablehlo.dot_general %%d%d, %%w%d, contracting_dims = [1] x [1] : (%s, %s) -> %s", i, i, i, out, w, tensor(batch, widths[i]))
		line("%%nm%d = stablehlo.add %%m%d, %%gw%d : %s", i, i, i, w)
		line("%%rate%d = stablehlo.constant dense<0.01> : %s", i, w)
		line("%%u%d = stablehlo.multiply %%nm%d, %%rate%d : %s", i, i, i, w)
		line("%%nw%d = stablehlo.subtract %%w%d, %%u%d : %s", i, i, i, w)
	}
	return fmt.Sprintf("sdy.mesh @m = <[%s]>\nfunc.func @main(%s) -> (%s, tensor<f32>) {\n%s\n  return %s, %%loss : %s, tensor<f32>\n}\n",
		axes, strings.Join(params, ", "), strings.Join(results, ", "), strings.Join(body, "\n"), strings.Join(returned, ", "), strings.Join(types, ", "))
}
