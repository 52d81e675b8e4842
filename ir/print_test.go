package ir_test

// This file tests the printer where the golden texts do not: parts of a module, and numbers that
// must keep all bits when they are printed and parsed.

import (
	"encoding/binary"
	"math/rand/v2"
	"testing"

	"github.com/gomlx/compute/dtypes"
	"github.com/stretchr/testify/require"

	"github.com/gospmd/gospmd/ir"
)

func TestStringOfParts(t *testing.T) {
	m := ir.MustParse(`
sdy.mesh @mesh = <["x"=2]>
func.func @main(%a: tensor<4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}, %p: tensor<i1>) -> tensor<4xf32> {
  %0 = stablehlo.abs %a : tensor<4xf32>
  %1:2 = "stablehlo.if"(%p) ({
    %n = stablehlo.negate %0 : tensor<4xf32>
    stablehlo.return %n, %a : tensor<4xf32>, tensor<4xf32>
  }, {
    stablehlo.return %a, %a : tensor<4xf32>, tensor<4xf32>
  }) : (tensor<i1>) -> (tensor<4xf32>, tensor<4xf32>)
  return %1#1 : tensor<4xf32>
}`)
	f := m.Main()
	branch := f.Body.First().Next()
	require.Equal(t, "%0 = stablehlo.abs %arg0 : tensor<4xf32>", f.Body.First().String())
	require.Equal(t, "%2 = stablehlo.negate %0 : tensor<4xf32>", branch.Regions[0].First().String(), "an op in a region")
	require.Equal(t, "%1#1 : tensor<4xf32>", branch.Results[1].String())
	require.Equal(t, "%arg1 : tensor<i1>", f.Params()[1].String())
	require.Contains(t, f.String(), `#sdy.sharding<mesh<["x"=2]>, [{"x"}]>`, "without its module, a mesh is written out")

	detached := ir.NewOp(ir.OpAbs, []*ir.Value{f.Params()[0]}, nil, []ir.Type{f.Params()[0].Type})
	require.Equal(t, "%0 = stablehlo.abs %? : tensor<4xf32>", detached.String())
}

// TestIncompleteOpsPrint prints ops that lack an attribute, a result or a region, or have one of
// the wrong kind. They must be printed in generic form, a wrong literal as invalid. So messages can
// quote incomplete ops.
func TestIncompleteOpsPrint(t *testing.T) {
	typ := ir.Tensor(dtypes.Float32, 4)
	for _, tc := range []struct {
		name string
		op   *ir.Op
		want string
	}{
		{"no attribute", ir.NewOp(ir.OpIota, nil, nil, []ir.Type{typ}), `%0 = "stablehlo.iota"() : () -> tensor<4xf32>`},
		{"wrong kind", ir.NewOp(ir.OpIota, nil, ir.Attrs{{Name: "iota_dimension", Value: ir.Int32(0)}}, []ir.Type{typ}),
			`%0 = "stablehlo.iota"() <{iota_dimension = 0 : i32}> : () -> tensor<4xf32>`},
		{"no result", ir.NewOp(ir.OpTanh, nil, nil, nil), `"stablehlo.tanh"() : () -> ()`},
		{"no regions", ir.NewOp(ir.OpWhile, nil, nil, nil), `"stablehlo.while"() : () -> ()`},
		{"wrong literal", ir.NewOp(ir.OpConstant, nil, ir.Attrs{{Name: "value", Value: &ir.Dense{Type: typ, Data: []byte{1}}}}, []ir.Type{typ}),
			`%0 = stablehlo.constant dense<"invalid: 1 bytes"> : tensor<4xf32>`},
	} {
		t.Run(tc.name, func(t *testing.T) { require.Equal(t, tc.want, tc.op.String()) })
	}
}

// TestNumbersComeBack prints literals and parses them again. For types of at most 16 bits it tests
// all bit patterns, for others random ones.
func TestNumbersComeBack(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for _, tc := range []struct {
		dtype dtypes.DType
		bytes int
	}{
		{dtypes.Float64, 8}, {dtypes.Float32, 4}, {dtypes.Float16, 2}, {dtypes.BFloat16, 2},
		{dtypes.F8E5M2, 1}, {dtypes.F8E4M3FN, 1}, {dtypes.F8E4M3B11FNUZ, 1}, {dtypes.F8E5M2FNUZ, 1}, {dtypes.F8E4M3FNUZ, 1},
		{dtypes.F8E4M3, 1}, {dtypes.F8E3M4, 1}, {dtypes.F8E8M0FNU, 1}, {dtypes.F4E2M1FN, 1},
		{dtypes.Int64, 8}, {dtypes.Uint64, 8}, {dtypes.Int8, 1}, {dtypes.Uint32, 4}, {dtypes.Complex64, 8},
	} {
		t.Run(tc.dtype.String(), func(t *testing.T) {
			const perLiteral = 64 // few enough to be printed one by one
			count := 1 << 16
			if tc.bytes == 1 {
				count = 1 << 8
			}
			for start := 0; start < count; start += perLiteral {
				typ := ir.Tensor(tc.dtype, perLiteral)
				d := &ir.Dense{Type: typ}
				for i := range perLiteral {
					bits := uint64(start + i)
					switch {
					case tc.bytes > 2:
						bits = rng.Uint64()
					case tc.dtype == dtypes.F4E2M1FN:
						bits %= 1 << 4
					}
					d.Data = append(d.Data, binary.LittleEndian.AppendUint64(nil, bits)[:tc.bytes]...)
				}
				f := ir.NewFunc("main")
				c := ir.NewBuilder(f.Body).OpWithTypes(ir.OpConstant, ir.Attrs{{Name: "value", Value: d}}, []ir.Type{typ})
				f.Return(c.Results...)
				again := ir.MustParse(f.String()).Main().Body.First().Literal()
				require.Equal(t, d.Data, again.Data, "%s", c)
			}
		})
	}
}
