package compile_test

// This file tests steps that compute their batch in parts (Options.MicroBatches).

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/gomlx/compute/dtypes"
	"github.com/stretchr/testify/require"

	"github.com/gospmd/gospmd/compile"
	"github.com/gospmd/gospmd/compile/memory"
	"github.com/gospmd/gospmd/compile/report"
	"github.com/gospmd/gospmd/internal/testing/longtest"
	"github.com/gospmd/gospmd/internal/testing/runtimetest"
	"github.com/gospmd/gospmd/ir"
	"github.com/gospmd/gospmd/ir/pass"
	"github.com/gospmd/gospmd/runtime"
)

// otherOrder returns the difference that is allowed where sums are added up in another order, as a
// part of the largest number: 1e-6, or 2e-5 on the Go engine, which adds up one element after the
// other.
func otherOrder() float64 {
	if runtimetest.Engine() == runtime.EngineGo {
		return 2e-5
	}
	return 1e-6
}

// A step in 2 or, in the long form, 4 micro-batches gives the results of the whole batch, up to the
// order of sums. The predicted peak is within 8 % of XLA's. The short form has three of the steps.
func TestMicroBatches(t *testing.T) {
	for _, f := range longtest.Pick(fitting[1:4], fitting) {
		for _, n := range longtest.Pick([]int{2}, []int{2, 4}) {
			t.Run(fmt.Sprint(f.name, " ", n), func(t *testing.T) {
				m := stepFile(t, f.name)
				whole, err := compile.Compile(t.Context(), m, compile.Options{})
				require.NoError(t, err)
				parts, err := compile.Compile(t.Context(), m, compile.Options{MicroBatches: n})
				require.NoError(t, err)
				client := openExact(t, whole.Mesh.Size())
				exe, err := client.Load(t.Context(), runtimetest.AnyTarget(parts))
				require.NoError(t, err)
				if xla, err := exe.Memory(); err == nil {
					r := report.New(parts)
					own := xla.Required() + r.Memory.Constants
					t.Logf("%s: peak %d whole, %d in %d parts, XLA %d", whole.Mesh, report.New(whole).Memory.Peak, r.Memory.Peak, n, own)
					require.InEpsilon(t, own, r.Memory.Peak, .08)
				}
				exe.Close()
				inputs := numbersFor(whole)
				requireWithin(t, runOn(t, client, whole, inputs), runOn(t, client, parts, inputs), otherOrder())
			})
		}
	}
}

// Layers that each need a mean over the batch, as batch normalization does, run in a loop each.
func TestMicroBatchesOfNormalizations(t *testing.T) {
	for _, layers := range longtest.Pick([]int{6}, []int{1, 6, 15}) {
		var body strings.Builder
		for i := range layers {
			fmt.Fprintf(&body, `
  %%s%[1]d = stablehlo.reduce(%%y%[1]d init: %%zero) applies stablehlo.add across dimensions = [0] : (tensor<16x8xf32>, tensor<f32>) -> tensor<8xf32>
  %%m%[1]d = stablehlo.divide %%s%[1]d, %%n : tensor<8xf32>
  %%b%[1]d = stablehlo.broadcast_in_dim %%m%[1]d, dims = [1] : (tensor<8xf32>) -> tensor<16x8xf32>
  %%c%[1]d = stablehlo.subtract %%y%[1]d, %%b%[1]d : tensor<16x8xf32>
  %%y%[2]d = stablehlo.sine %%c%[1]d : tensor<16x8xf32>`, i, i+1)
		}
		m, err := ir.Parse(fmt.Sprintf(`
sdy.mesh @mesh = <["data"=2]>
func.func @main(%%y0: tensor<16x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"data"}, {}]>}, %%w: tensor<8x8xf32> {tf.aliasing_output = 0 : i32}) -> (tensor<8x8xf32>) {
  %%zero = stablehlo.constant dense<0.0> : tensor<f32>
  %%n = stablehlo.constant dense<16.0> : tensor<8xf32>%s
  %%d = stablehlo.dot_general %%y%d, %%y0, contracting_dims = [0] x [0] : (tensor<16x8xf32>, tensor<16x8xf32>) -> tensor<8x8xf32>
  %%new = stablehlo.subtract %%w, %%d : tensor<8x8xf32>
  return %%new : tensor<8x8xf32>
}`, body.String(), layers))
		require.NoError(t, err)
		whole, err := compile.Compile(t.Context(), m, compile.Options{})
		require.NoError(t, err)
		client, inputs := openExact(t, whole.Mesh.Size()), numbersFor(whole)
		want := runOn(t, client, whole, inputs)
		for _, n := range []int{2, 4} {
			parts, err := compile.Compile(t.Context(), m, compile.Options{MicroBatches: n})
			require.NoError(t, err)
			require.Equal(t, layers+1, strings.Count(parts.Module.String(), "stablehlo.while("))
			requireWithin(t, want, runOn(t, client, parts, inputs), otherOrder())
		}
	}
}

// The limit of memory is kept by micro-batches where that takes less time than computing values
// again, and XLA's own peak is below it.
func TestMemoryLimitByMicroBatches(t *testing.T) {
	for _, tc := range []struct {
		name  string
		part  float64
		parts bool
		long  bool // only in the long form
	}{
		{"conv_net", 0.6, true, true},
		{"conv_net", 0.35, true, false},
		{"mlp", 0.5, true, true},
		{"checkpointed", 0.5, true, true},
		{"scanned", 0.5, false, false}, // recomputation is nearly free
	} {
		if tc.long && !longtest.Enabled() {
			continue
		}
		t.Run(fmt.Sprint(tc.name, " ", tc.part), func(t *testing.T) {
			m := stepFile(t, tc.name)
			free, err := compile.Compile(t.Context(), m, compile.Options{})
			require.NoError(t, err)
			before := report.New(free).Memory.Peak
			tight, err := compile.Compile(t.Context(), m, compile.Options{MemoryLimit: int(tc.part * float64(before))})
			require.NoError(t, err)
			require.Equal(t, tc.parts, tight.Fitting.MicroBatches > 1)
			require.Equal(t, before, tight.Fitting.Before)
			r := report.New(tight)
			require.Equal(t, r.Memory.Peak, tight.Fitting.After)
			require.LessOrEqual(t, r.Memory.Peak, memory.Usable(tight.Fitting.Limit, r.Memory.Fixed()))

			client := openExact(t, free.Mesh.Size())
			exe, err := client.Load(t.Context(), runtimetest.AnyTarget(tight))
			require.NoError(t, err)
			defer exe.Close()
			if xla, err := exe.Memory(); err == nil {
				require.LessOrEqual(t, xla.Required()+r.Memory.Constants, tight.Fitting.Limit)
			}
			inputs := numbersFor(free)
			requireWithin(t, runOn(t, client, free, inputs), runOn(t, client, tight, inputs), otherOrder())
		})
	}
}

// The batch is divided whatever other options do to the shardings that propagation found: binding
// layouts add ops, and the search for shardings may be switched off. The results are those of the
// whole batch.
func TestMicroBatchesWithOptions(t *testing.T) {
	m, err := ir.Parse(`module {
  sdy.mesh @mesh = <["data"=2]>
  func.func @main(%x: tensor<16x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"data"}, {}]>}, %w: tensor<8x8xf32> {tf.aliasing_output = 0 : i32}) -> tensor<8x8xf32> {
    %y = stablehlo.dot_general %x, %w, contracting_dims = [1] x [0] : (tensor<16x8xf32>, tensor<8x8xf32>) -> tensor<16x8xf32>
    %t = stablehlo.tanh %y {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"data"}, {}]>]>} : tensor<16x8xf32>
    %d = stablehlo.dot_general %x, %t, contracting_dims = [0] x [0] : (tensor<16x8xf32>, tensor<16x8xf32>) -> tensor<8x8xf32>
    %new = stablehlo.subtract %w, %d : tensor<8x8xf32>
    return %new : tensor<8x8xf32>
  }
}`)
	require.NoError(t, err)
	whole, err := compile.Compile(t.Context(), m, compile.Options{})
	require.NoError(t, err)
	client, inputs := openExact(t, 2), numbersFor(whole)
	want := runOn(t, client, whole, inputs)
	for _, o := range []compile.Options{{KeepLayouts: true}, {Debug: pass.Debug{Off: []string{"autoshard"}}}} {
		o.MicroBatches = 2
		parts, err := compile.Compile(t.Context(), m, o)
		require.NoError(t, err)
		require.Equal(t, 2, parts.Fitting.MicroBatches)
		requireWithin(t, want, runOn(t, client, parts, inputs), otherOrder())
	}
}

// Gradients of a table are scattered into their sum: a micro-batch has no table of its own.
func TestMicroBatchesOfTables(t *testing.T) {
	m, err := ir.Parse(`module {
  sdy.mesh @mesh = <["data"=2]>
  func.func @main(%i: tensor<16x3x1xi32> {sdy.sharding = #sdy.sharding<@mesh, [{"data"}, {}, {}]>}, %x: tensor<16x3x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"data"}, {}, {}]>}, %w: tensor<4096x8xf32> {tf.aliasing_output = 0 : i32}) -> tensor<4096x8xf32> {
    %zero = stablehlo.constant dense<0.0> : tensor<4096x8xf32>
    %t = stablehlo.tanh %x : tensor<16x3x8xf32>
    %d = "stablehlo.scatter"(%zero, %i, %t) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [2], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 2>}> ({
    ^bb0(%a: tensor<f32>, %b: tensor<f32>):
      %s = stablehlo.add %a, %b : tensor<f32>
      stablehlo.return %s : tensor<f32>
    }) : (tensor<4096x8xf32>, tensor<16x3x1xi32>, tensor<16x3x8xf32>) -> tensor<4096x8xf32>
    %new = stablehlo.subtract %w, %d : tensor<4096x8xf32>
    return %new : tensor<4096x8xf32>
  }
}`)
	require.NoError(t, err)
	whole, err := compile.Compile(t.Context(), m, compile.Options{})
	require.NoError(t, err)
	parts, err := compile.Compile(t.Context(), m, compile.Options{MicroBatches: 4})
	require.NoError(t, err)
	loops := 0
	parts.Module.Main().Walk(func(op *ir.Op) {
		if op.Kind == ir.OpWhile {
			loops++
			for inside := range op.Regions[1].Ops() {
				if inside.Kind == ir.OpAdd {
					require.NotEqual(t, 2, inside.Result().Type.Rank(), "a table is added up")
				}
			}
		}
	})
	require.Equal(t, 1, loops)
	client := openExact(t, 2)
	inputs := numbersFor(whole)
	requireWithin(t, runOn(t, client, whole, inputs), runOn(t, client, parts, inputs), otherOrder())
}

// Devices that keep columns of a table exchange the updates of each micro-batch: none of them makes a
// gradient of all columns. A table with fewer rows than a micro-batch has indices is added up.
func TestMicroBatchesOfColumns(t *testing.T) {
	for rows, exchanged := range map[int]bool{4096: true, 8: false} {
		m, err := ir.Parse(strings.ReplaceAll(`module {
  sdy.mesh @mesh = <["data"=2]>
  func.func @main(%i: tensor<16x3x1xi32> {sdy.sharding = #sdy.sharding<@mesh, [{"data"}, {}, {}]>}, %x: tensor<16x3x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"data"}, {}, {}]>}, %w: tensor<ROWSx8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"data"}]>, tf.aliasing_output = 0 : i32}) -> (tensor<ROWSx8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"data"}]>}) {
    %zero = stablehlo.constant dense<0.0> : tensor<ROWSx8xf32>
    %t = stablehlo.tanh %x : tensor<16x3x8xf32>
    %d = "stablehlo.scatter"(%zero, %i, %t) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [2], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 2>}> ({
    ^bb0(%a: tensor<f32>, %b: tensor<f32>):
      %s = stablehlo.add %a, %b : tensor<f32>
      stablehlo.return %s : tensor<f32>
    }) : (tensor<ROWSx8xf32>, tensor<16x3x1xi32>, tensor<16x3x8xf32>) -> tensor<ROWSx8xf32>
    %new = stablehlo.subtract %w, %d : tensor<ROWSx8xf32>
    return %new : tensor<ROWSx8xf32>
  }
}`, "ROWS", fmt.Sprint(rows)))
		require.NoError(t, err)
		whole, err := compile.Compile(t.Context(), m, compile.Options{})
		require.NoError(t, err)
		parts, err := compile.Compile(t.Context(), m, compile.Options{MicroBatches: 2})
		require.NoError(t, err)
		found := false
		parts.Module.Main().Walk(func(op *ir.Op) {
			found = found || op.Kind == ir.OpSPMDAllToAll
			if op.Kind == ir.OpScatter && exchanged {
				require.Equal(t, []int{rows, 4}, op.Result().Type.Dims)
			}
		})
		require.Equal(t, exchanged, found, "%s", parts.Module)
		client := openExact(t, 2)
		inputs := numbersFor(whole)
		requireWithin(t, runOn(t, client, whole, inputs), runOn(t, client, parts, inputs), otherOrder())
	}
}

// Gradients of random tables, which the devices of one axis divide by columns and perhaps those of
// another by rows, are those of the whole batch. In more than half of the programs devices exchange
// updates.
func TestMicroBatchesOfRandomTables(t *testing.T) {
	rng := rand.New(rand.NewPCG(21, 4))
	exchanged, programs := 0, longtest.Pick(12, 300)
	for range programs {
		text := randomTable(rng, false)
		m, err := ir.Parse(text)
		require.NoError(t, err, text)
		whole, err := compile.Compile(t.Context(), m, compile.Options{})
		require.NoError(t, err)
		parts, err := compile.Compile(t.Context(), m, compile.Options{MicroBatches: 2 + 2*rng.IntN(2)})
		require.NoError(t, err, text)
		if strings.Contains(parts.Module.String(), "scatters all updates of a micro-batch") {
			exchanged++
		}
		client := openInterpreted(t, whole.Mesh.Size())
		inputs := numbersFor(whole)
		requireWithin(t, runOn(t, client, whole, inputs), runOn(t, client, parts, inputs), otherOrder())
	}
	t.Logf("devices exchange updates in %d of %d programs", exchanged, programs)
	require.Greater(t, 2*exchanged, programs)
}

// randomTable returns the text of a step that adds updates to a table. Indices have one or two
// dimensions besides the batch or none, with or without one for the index vector; windows have one or
// two dimensions, which stand anywhere among those of the updates. If whole is true, every device has
// the sum of all updates, and then takes its shard.
func randomTable(rng *rand.Rand, whole bool) string {
	rows, columns := 8*(1+rng.IntN(40)), 8
	samples := []int{32}
	for range rng.IntN(3) {
		samples = append(samples, 1+rng.IntN(3))
	}
	table := []int{rows, columns}
	if rng.IntN(2) == 0 {
		table = append(table, 1+rng.IntN(3))
	}
	indices, vector := slices.Clone(samples), len(samples)
	if rng.IntN(2) == 0 {
		vector = rng.IntN(len(samples)) + 1
		indices = slices.Insert(indices, vector, 1)
	}
	// the dimensions of the updates: samples in order, and windows in order, the batch not always first
	updates, window := []int(nil), []int(nil)
	for s, w := 0, 1; s < len(samples) || w < len(table); {
		if w == len(table) || s < len(samples) && rng.IntN(2) == 0 {
			updates, s = append(updates, samples[s]), s+1
		} else {
			window = append(window, len(updates))
			updates, w = append(updates, table[w]), w+1
		}
	}
	batch := slices.Index(updates, 32)
	byRows := rng.IntN(2) == 0
	meshText, rowAxis := `"data"=2`, "{}"
	if byRows {
		meshText, rowAxis = `"data"=2, "model"=2`, `{"model"}`
	}
	sharded := func(rank int, axes map[int]string) string {
		list := slices.Repeat([]string{"{}"}, rank)
		for d, a := range axes {
			list[d] = a
		}
		return "sdy.sharding = #sdy.sharding<@mesh, [" + strings.Join(list, ", ") + "]>"
	}
	tableText := ir.Tensor(dtypes.Float32, table...).String()
	sum, constraint := "%d", ""
	if whole {
		sum, constraint = "%all", "%all = sdy.sharding_constraint %d <@mesh, ["+strings.Join(slices.Repeat([]string{"{}"}, len(table)), ", ")+"]> : "+tableText
	}
	return strings.NewReplacer(
		"CONSTRAINT", constraint, "SUM", sum,
		"MESH", meshText, "TABLE", tableText, "INDICES", ir.Tensor(dtypes.Int32, indices...).String(), "UPDATES", ir.Tensor(dtypes.Float32, updates...).String(),
		"OFTABLE", sharded(len(table), map[int]string{0: rowAxis, 1: `{"data"}`}), "OFINDICES", sharded(len(indices), map[int]string{0: `{"data"}`}),
		"OFUPDATES", sharded(len(updates), map[int]string{batch: `{"data"}`}),
		"WINDOW", strings.Join(strings.Fields(fmt.Sprint(window)), ", "), "VECTOR", fmt.Sprint(vector),
	).Replace(`module {
  sdy.mesh @mesh = <[MESH]>
  func.func @main(%i: INDICES {OFINDICES}, %x: UPDATES {OFUPDATES}, %w: TABLE {OFTABLE, tf.aliasing_output = 0 : i32}) -> (TABLE {OFTABLE}) {
    %zero = stablehlo.constant dense<0.0> : TABLE
    %t = stablehlo.tanh %x : UPDATES
    %d = "stablehlo.scatter"(%zero, %i, %t) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = WINDOW, inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = VECTOR>}> ({
    ^bb0(%a: tensor<f32>, %b: tensor<f32>):
      %s = stablehlo.add %a, %b : tensor<f32>
      stablehlo.return %s : tensor<f32>
    }) : (TABLE, INDICES, UPDATES) -> TABLE
    CONSTRAINT
    %new = stablehlo.subtract %w, SUM : TABLE
    return %new : TABLE
  }
}`)
}

// A loop adds up sums over the batch in a way that parts of the sums do not allow, so the step is
// refused: a slice whose index is another sum (a micro-batch knows only its part of that sum), and
// integers, which are cut off before they are added up.
func TestMicroBatchesOfPartsInLoops(t *testing.T) {
	for _, tc := range []struct{ name, typ, zero, body string }{
		{"a summed index", "2xf32", "0.0", `
        %first = stablehlo.slice %y [0:16, 0:1] : (tensor<16x6xf32>) -> tensor<16x1xf32>
        %n = stablehlo.reduce(%first init: %nothing) applies stablehlo.add across dimensions = [0, 1] : (tensor<16x1xf32>, tensor<f32>) -> tensor<f32>
        %at = stablehlo.convert %n : (tensor<f32>) -> tensor<i32>
        %d = stablehlo.dynamic_slice %s, %at, sizes = [2] : (tensor<6xf32>, tensor<i32>) -> tensor<2xf32>`},
		{"integers", "6xi32", "0", `
        %d = stablehlo.convert %s : (tensor<6xf32>) -> tensor<6xi32>`},
	} {
		t.Run(tc.name, func(t *testing.T) {
			m, err := ir.Parse(strings.NewReplacer("TYPE", "tensor<"+tc.typ+">", "ZERO", tc.zero, "BODY", tc.body).Replace(`module {
  sdy.mesh @mesh = <["data"=2]>
  func.func @main(%x: tensor<16x6xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"data"}, {}]>}, %w: TYPE {tf.aliasing_output = 0 : i32}) -> TYPE {
    %zero = stablehlo.constant dense<0> : tensor<i32>
    %one = stablehlo.constant dense<1> : tensor<i32>
    %five = stablehlo.constant dense<5> : tensor<i32>
    %zeros = stablehlo.constant dense<ZERO> : TYPE
    %nothing = stablehlo.constant dense<0.0> : tensor<f32>
    %0:2 = stablehlo.while(%i = %zero, %sum = %zeros) : tensor<i32>, TYPE
      cond {
        %more = stablehlo.compare LT, %i, %five : (tensor<i32>, tensor<i32>) -> tensor<i1>
        stablehlo.return %more : tensor<i1>
      } do {
        %f = stablehlo.convert %i : (tensor<i32>) -> tensor<f32>
        %all = stablehlo.broadcast_in_dim %f, dims = [] : (tensor<f32>) -> tensor<16x6xf32>
        %y = stablehlo.add %x, %all : tensor<16x6xf32>
        %s = stablehlo.reduce(%y init: %nothing) applies stablehlo.add across dimensions = [0] : (tensor<16x6xf32>, tensor<f32>) -> tensor<6xf32>BODY
        %next = stablehlo.add %sum, %d : TYPE
        %j = stablehlo.add %i, %one : tensor<i32>
        stablehlo.return %j, %next : tensor<i32>, TYPE
      }
    %new = stablehlo.subtract %w, %0#1 : TYPE
    return %new : TYPE
  }
}`))
			require.NoError(t, err)
			_, err = compile.Compile(t.Context(), m, compile.Options{MicroBatches: 2})
			require.ErrorContains(t, err, "needs values of several micro-batches")
		})
	}
}
