package ir_test

// This file tests the shape rules that testdata/shape_rules.json does not cover: those of Shardy's
// computations, of composites and of groups that are not listed, and the texts of some errors of
// Infer.

import (
	"fmt"
	"testing"

	"github.com/gomlx/compute/dtypes"
	"github.com/stretchr/testify/require"

	"github.com/gospmd/gospmd/ir"
)

// manual is a manual_computation of x on a mesh x=2,y=2. Its three %s are the types of the body's
// argument, of the body's result and of the op's result.
const manual = `module {
  sdy.mesh @mesh = <["x"=2, "y"=2]>
  func.func @main(%%arg0: tensor<5x4xf32>) -> %[3]s {
    %%0 = sdy.manual_computation(%%arg0) in_shardings=[<@mesh, [{"x"}, {"y"}]>] out_shardings=[<@mesh, [{}, {"y"}]>] manual_axes={"x"} (%%arg1: %[1]s) {
      %%1 = "chlo.no_such_op"(%%arg1) : (%[1]s) -> %[2]s
      sdy.return %%1 : %[2]s
    } : (tensor<5x4xf32>) -> %[3]s
    return %%0 : %[3]s
  }
}
`

func TestManualComputation(t *testing.T) {
	for _, tc := range []struct {
		name, arg, ret, result string
		wantErr                string
	}{
		{name: "padded shard", arg: "tensor<3x4xf32>", ret: "tensor<3x4xf32>", result: "tensor<3x4xf32>"},
		{name: "argument", arg: "tensor<5x4xf32>", ret: "tensor<3x4xf32>", result: "tensor<3x4xf32>",
			wantErr: "argument 0 of region 0 has type tensor<5x4xf32>, want tensor<3x4xf32>"},
		{name: "result", arg: "tensor<3x4xf32>", ret: "tensor<3x2xf32>", result: "tensor<3x4xf32>",
			wantErr: "region 0 returns (tensor<3x2xf32>), want (tensor<3x4xf32>)"},
		{name: "rank", arg: "tensor<3x4xf32>", ret: "tensor<3xf32>", result: "tensor<3xf32>",
			wantErr: "out_shardings 0 has rank 2, want 1 as result 0 of type tensor<3xf32>"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			m, err := ir.Parse(fmt.Sprintf(manual, tc.arg, tc.ret, tc.result))
			require.NoError(t, err)
			err = ir.Verify(m)
			if tc.wantErr == "" {
				require.NoError(t, err)
				return
			}
			require.ErrorContains(t, err, tc.wantErr)
		})
	}
}

// The body of a manual computation may not use a value of the function around it: Verify reports
// it.
func TestManualComputationIsIsolated(t *testing.T) {
	m := ir.MustParse(fmt.Sprintf(manual, "tensor<3x4xf32>", "tensor<3x4xf32>", "tensor<3x4xf32>"))
	f := m.Main()
	f.Body.First().Regions[0].First().SetOperand(0, f.Params()[0])
	require.ErrorContains(t, ir.Verify(m), "is defined outside of the region, which sees only its own arguments: pass it to sdy.manual_computation as an operand")
}

func TestEmptyReplicaGroups(t *testing.T) {
	groups := &ir.Dense{Type: ir.Tensor(dtypes.Int64, 0, 0)}
	b := &ir.Block{}
	x := b.AddArg(ir.Tensor(dtypes.Float32, 4, 0))
	attrs := func(dim int) ir.Attrs {
		return ir.Attrs{{Name: "all_gather_dim", Value: ir.Int(dim)}, {Name: "replica_groups", Value: groups}}
	}
	_, err := ir.Infer(ir.NewOp(ir.OpAllGather, []*ir.Value{x}, attrs(0), nil))
	require.EqualError(t, err, "stablehlo.all_gather: replica_groups is empty, so the number of devices is not known: list the groups")
	for _, tc := range []struct {
		dim    int
		result ir.Type
		ok     bool
	}{
		{0, ir.Tensor(dtypes.Float32, 12, 0), true},
		{0, ir.Tensor(dtypes.Float32, 13, 0), false},
		{0, ir.Tensor(dtypes.Float32), false},
		{1, ir.Tensor(dtypes.Float32, 4, 0), true},
		{1, ir.Tensor(dtypes.Float32, 4, 3), false},
	} {
		err := ir.CheckTypes(ir.NewOp(ir.OpAllGather, []*ir.Value{x}, attrs(tc.dim), []ir.Type{tc.result}))
		require.Equal(t, tc.ok, err == nil, "%v: %v", tc, err)
	}
}

func TestInferErrors(t *testing.T) {
	b := ir.NewBuilder(&ir.Block{})
	x := b.Block().AddArg(ir.Tensor(dtypes.Float32, 3, 4))
	y := b.Block().AddArg(ir.Tensor(dtypes.Float32, 5, 6))
	for _, tc := range []struct {
		name     string
		kind     ir.OpKind
		attrs    ir.Attrs
		operands []*ir.Value
		want     string
	}{
		{"dot", ir.OpDotGeneral, ir.Attrs{{Name: "dot_dimension_numbers", Value: &ir.DotDims{LHSContracting: []int{1}, RHSContracting: []int{0}}}},
			[]*ir.Value{x, y}, "stablehlo.dot_general: lhs contracting dim 1 has size 4, rhs contracting dim 0 has size 5: want the same size"},
		{"reshape", ir.OpReshape, nil, []*ir.Value{x}, "stablehlo.reshape: result types cannot be inferred: the new shape is the result's"},
		{"operands", ir.OpAdd, nil, []*ir.Value{x}, "stablehlo.add: has 1 operands, want 2"},
		{"attribute", ir.OpTranspose, nil, []*ir.Value{x}, `stablehlo.transpose: attribute "permutation" is missing, want array<i64>`},
		{"element type", ir.OpAnd, nil, []*ir.Value{x, x}, "stablehlo.and: operand 0 has type tensor<3x4xf32>, want elements of bool or signed integer or unsigned integer"},
		{"nil attribute", ir.OpDotGeneral, ir.Attrs{{Name: "dot_dimension_numbers", Value: (*ir.DotDims)(nil)}}, []*ir.Value{x, y},
			`stablehlo.dot_general: attribute "dot_dimension_numbers" is a *ir.DotDims, want #stablehlo.dot`},
	} {
		t.Run(tc.name, func(t *testing.T) {
			_, err := b.Op(tc.kind, tc.attrs, tc.operands...)
			require.EqualError(t, err, tc.want)
		})
	}
	require.Zero(t, b.Block().Len(), "an op with a fault was appended")
}

func TestComposite(t *testing.T) {
	text := `module {
  func.func private @impl(%%arg0: tensor<4xf32>) -> tensor<4xf32> {
    return %%arg0 : tensor<4xf32>
  }
  func.func @main(%%arg0: tensor<4xf32>) -> %[1]s {
    %%0 = stablehlo.composite "my.op" %%arg0 {decomposition = @impl} : (tensor<4xf32>) -> %[1]s
    return %%0 : %[1]s
  }
}
`
	m, err := ir.Parse(fmt.Sprintf(text, "tensor<4xf32>"))
	require.NoError(t, err)
	require.NoError(t, ir.Verify(m))
	m, err = ir.Parse(fmt.Sprintf(text, "tensor<5xf32>"))
	require.NoError(t, err)
	require.ErrorContains(t, ir.Verify(m), "calls @impl with results of types (tensor<5xf32>), want (tensor<4xf32>)")
}
