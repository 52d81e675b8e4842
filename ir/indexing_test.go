package ir_test

// This file tests the bodies of reductions, the dimensions of gathers and scatters,
// and copies of modules.

import (
	"math"
	"testing"

	"github.com/gomlx/compute/dtypes"
	"github.com/stretchr/testify/require"

	"github.com/gospmd/gospmd/ir"
)

func TestReductionOf(t *testing.T) {
	f32 := ir.Tensor(dtypes.Float32)
	body := func(change func(b *ir.Block)) *ir.Block {
		b := ir.ReductionBody(ir.OpAdd, dtypes.Float32)
		change(b)
		return b
	}
	for _, tc := range []struct {
		name string
		body *ir.Block
		want ir.OpKind // OpUnregistered: not recognised as a reduction
	}{
		{"add", ir.ReductionBody(ir.OpAdd, dtypes.Float32), ir.OpAdd},
		{"and", ir.ReductionBody(ir.OpAnd, dtypes.Bool), ir.OpAnd},
		{"swapped", body(func(b *ir.Block) { b.First().SetOperands(b.Args[1], b.Args[0]) }), ir.OpAdd},
		{"one argument twice", body(func(b *ir.Block) { b.First().SetOperand(1, b.Args[0]) }), ir.OpUnregistered},
		{"not commutative", ir.ReductionBody(ir.OpSubtract, dtypes.Float32), ir.OpUnregistered},
		{"returns an argument", body(func(b *ir.Block) { b.Terminator().SetOperand(0, b.Args[0]) }), ir.OpUnregistered},
		{"two ops", body(func(b *ir.Block) {
			n := ir.NewOp(ir.OpNegate, b.First().Results, nil, []ir.Type{f32})
			n.InsertAfter(b.First())
			b.Terminator().SetOperands(n.Results...)
		}), ir.OpUnregistered},
	} {
		t.Run(tc.name, func(t *testing.T) {
			kind, ok := ir.ReductionOf(ir.NewOp(ir.OpReduce, nil, nil, nil, tc.body))
			require.Equal(t, tc.want, kind)
			require.Equal(t, tc.want != ir.OpUnregistered, ok)
		})
	}
	_, ok := ir.ReductionOf(ir.NewOp(ir.OpAdd, nil, nil, nil))
	require.False(t, ok, "no region")
}

func TestReductionInit(t *testing.T) {
	for _, tc := range []struct {
		kind  ir.OpKind
		dtype dtypes.DType
		want  float64
	}{
		{ir.OpAdd, dtypes.Float32, 0},
		{ir.OpMultiply, dtypes.Int32, 1},
		{ir.OpMaximum, dtypes.Float32, math.Inf(-1)},
		{ir.OpMinimum, dtypes.BFloat16, math.Inf(1)},
		{ir.OpMaximum, dtypes.Int32, math.MinInt32},
		{ir.OpMinimum, dtypes.Int64, math.MaxInt64},
		{ir.OpMaximum, dtypes.Uint8, 0},
		{ir.OpMinimum, dtypes.Uint8, 255},
		{ir.OpMinimum, dtypes.Bool, 1},
		{ir.OpMaximum, dtypes.F8E4M3FN, -448},
		{ir.OpAnd, dtypes.Bool, 1},
		{ir.OpAnd, dtypes.Int32, -1},
		{ir.OpOr, dtypes.Bool, 0},
		{ir.OpXor, dtypes.Uint32, 0},
	} {
		t.Run(tc.kind.String()+" "+tc.dtype.String(), func(t *testing.T) {
			d, ok := ir.ReductionInit(tc.kind, tc.dtype)
			require.True(t, ok)
			require.Equal(t, []float64{tc.want}, d.Float64s())
		})
	}
	_, ok := ir.ReductionInit(ir.OpSubtract, dtypes.Float32)
	require.False(t, ok)
	_, ok = ir.ReductionInit(ir.OpMaximum, dtypes.Complex64)
	require.False(t, ok)
	_, ok = ir.ReductionInit(ir.OpMultiply, dtypes.Complex128)
	require.False(t, ok, "(1,0) times an infinity is NaN")
}

// TestReductionInitIsNeutral combines the initial value of a sum, a product, a maximum and a
// minimum with every number of the float types of 8 bits. It changes no number, and no sign of a
// zero.
func TestReductionInitIsNeutral(t *testing.T) {
	kinds := map[ir.OpKind]func(x, y float64) float64{
		ir.OpAdd:      func(x, y float64) float64 { return x + y },
		ir.OpMultiply: func(x, y float64) float64 { return x * y },
		ir.OpMaximum:  math.Max,
		ir.OpMinimum:  math.Min,
	}
	for _, d := range []dtypes.DType{
		dtypes.F8E5M2, dtypes.F8E4M3FN, dtypes.F8E4M3B11FNUZ, dtypes.F8E5M2FNUZ, dtypes.F8E4M3FNUZ, dtypes.F8E4M3, dtypes.F8E3M4, dtypes.F8E8M0FNU,
	} {
		for kind, combine := range kinds {
			init, ok := ir.ReductionInit(kind, d)
			if d == dtypes.F8E8M0FNU && kind == ir.OpAdd {
				require.False(t, ok, "it has no zero")
				continue
			}
			require.True(t, ok)
			neutral := init.Float64s()[0]
			for bits := range 256 {
				x := (&ir.Dense{Type: ir.Tensor(d), Data: []byte{byte(bits)}}).Float64s()[0]
				require.Equal(t, math.Float64bits(x), math.Float64bits(combine(neutral, x)), "%s of %s: %v and %v", kind, d, neutral, x)
			}
		}
	}
}

func TestIsReductionInit(t *testing.T) {
	for _, d := range []dtypes.DType{dtypes.Float32, dtypes.BFloat16, dtypes.Complex64, dtypes.Int32, dtypes.Bool} {
		neutral, ok := ir.ReductionInit(ir.OpAdd, d)
		require.True(t, ok)
		require.True(t, ir.IsReductionInit(ir.OpAdd, neutral))
		require.True(t, ir.IsReductionInit(ir.OpAdd, ir.Scalar(d, 0)), "a sum from 0.0 is 0.0 also if it has several")
		require.False(t, ir.IsReductionInit(ir.OpAdd, ir.Scalar(d, 1)))
		require.False(t, ir.IsReductionInit(ir.OpSubtract, neutral))
	}
	require.True(t, ir.IsReductionInit(ir.OpMultiply, ir.Splat(ir.Tensor(dtypes.Float32, 3), 1)))
	require.False(t, ir.IsReductionInit(ir.OpMultiply, ir.Scalar(dtypes.Complex64, 1)))
}

const whileText = `module @loop {
  sdy.mesh @mesh = <["x"=2]>
  func.func @main(%arg0: tensor<4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}, %arg1: tensor<i32>) -> tensor<4xf32> {
    %c = stablehlo.constant dense<3> : tensor<i32>
    %0:2 = stablehlo.while(%iterArg = %arg0, %iterArg_0 = %arg1) : tensor<4xf32>, tensor<i32>
    cond {
      %1 = stablehlo.compare LT, %iterArg_0, %c : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %1 : tensor<i1>
    } do {
      %1 = stablehlo.add %iterArg, %arg0 : tensor<4xf32>
      stablehlo.return %1, %iterArg_0 : tensor<4xf32>, tensor<i32>
    }
    return %0#0 : tensor<4xf32>
  }
}
`

func TestClone(t *testing.T) {
	m := ir.MustParse(whileText)
	before := m.String()
	c := m.Clone()
	require.NoError(t, ir.Verify(c))
	require.Equal(t, before, c.String())

	seen := map[*ir.Op]bool{}
	m.Main().Walk(func(op *ir.Op) { seen[op] = true })
	c.Main().Walk(func(op *ir.Op) {
		require.False(t, seen[op], "%s is shared", op.FullName())
		for _, v := range op.Operands {
			require.False(t, seen[v.Def()] && v.Def() != nil, "operand of %s is shared", op.FullName())
		}
	})

	w := c.Main().Body.First().Next()
	w.Regions[1].First().Kind = ir.OpMultiply
	w.Regions[1].First().SetOperand(0, w.Regions[1].Args[0])
	c.Main().Params()[0].Sharding = nil
	c.Main().ArgAttrs[0] = ir.Attrs{{Name: "jax.x", Value: ir.Unit{}}}
	c.Main().Results[0].Name = "y"
	c.Meshes[0].Name = "other"
	require.Equal(t, before, m.String(), "a change of the copy changes the original")
}

func TestIndexing(t *testing.T) {
	const add = `({
	^bb0(%x: tensor<f32>, %y: tensor<f32>):
	  %s = stablehlo.add %x, %y : tensor<f32>
	  stablehlo.return %s : tensor<f32>
	})`
	type pair = [2]int   // operand, slice
	type triple = [3]int // operand, index, slice
	for _, tc := range []struct {
		name, params, op string
		batches          []triple
		windows          []pair
		sizes            []int
		cut              []bool
	}{
		{"rows of a table", "%a: tensor<9x4xf32>, %i: tensor<2x3x1xi32>",
			`"stablehlo.gather"(%a, %i) <{dimension_numbers = #stablehlo.gather<offset_dims = [2], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 2>, slice_sizes = array<i64: 1, 4>}> : (tensor<9x4xf32>, tensor<2x3x1xi32>) -> tensor<2x3x4xf32>`,
			[]triple{{-1, 0, 0}, {-1, 1, 1}}, []pair{{1, 2}}, []int{1, 4}, []bool{true, false}},
		{"single indices, the window first", "%a: tensor<9x4xf32>, %i: tensor<3xi32>",
			`"stablehlo.gather"(%a, %i) <{dimension_numbers = #stablehlo.gather<offset_dims = [0, 1], start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 2, 4>}> : (tensor<9x4xf32>, tensor<3xi32>) -> tensor<2x4x3xf32>`,
			[]triple{{-1, 0, 2}}, []pair{{0, 0}, {1, 1}}, []int{2, 4}, []bool{true, false}},
		{"a shared batch, index vectors first", "%a: tensor<5x9x4xf32>, %i: tensor<1x5x3xi32>",
			`"stablehlo.gather"(%a, %i) <{dimension_numbers = #stablehlo.gather<offset_dims = [2], collapsed_slice_dims = [1], operand_batching_dims = [0], start_indices_batching_dims = [1], start_index_map = [1], index_vector_dim = 0>, slice_sizes = array<i64: 1, 1, 4>}> : (tensor<5x9x4xf32>, tensor<1x5x3xi32>) -> tensor<5x3x4xf32>`,
			[]triple{{0, 1, 0}, {-1, 2, 1}}, []pair{{2, 2}}, []int{1, 1, 4}, []bool{false, true, false}},
		{"updates of rows", "%a: tensor<9x4xf32>, %i: tensor<3x1xi32>, %u: tensor<3x2xf32>",
			`"stablehlo.scatter"(%a, %i, %u) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}> ` + add + ` : (tensor<9x4xf32>, tensor<3x1xi32>, tensor<3x2xf32>) -> tensor<9x4xf32>`,
			[]triple{{-1, 0, 0}}, []pair{{1, 1}}, []int{1, 2}, []bool{true, true}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			m, err := ir.Parse("func.func @main(" + tc.params + ") {\n %0 = " + tc.op + "\n return\n}")
			require.NoError(t, err)
			require.NoError(t, ir.Verify(m))
			x := m.Main().Body.First().Indexing()
			var batches []triple
			x.EachBatch(func(operand, index, slice int) { batches = append(batches, triple{operand, index, slice}) })
			var windows []pair
			x.EachWindow(func(operand, slice int) { windows = append(windows, pair{operand, slice}) })
			require.Equal(t, tc.batches, batches)
			require.Equal(t, tc.windows, windows)
			require.Equal(t, tc.sizes, []int(x.Sizes))
			for d, want := range tc.cut {
				require.Equal(t, want, x.IsCut(d), "dimension %d", d)
			}
		})
	}
}
