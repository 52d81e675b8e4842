package interp_test

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/gomlx/compute/dtypes"
	"github.com/stretchr/testify/require"

	"github.com/gospmd/gospmd/ir"
	"github.com/gospmd/gospmd/runtime/goengine/interp"
)

// CombineInto computes what the definition says, exactly, on small whole numbers: one to three
// parts of 0, 1 and 2500 elements, which is more than a block. out is new memory or that of any
// part. A kind that the type does not have, xor of floats, is an error.
func TestCombineInto(t *testing.T) {
	logic := func(f func(x, y int) int) func(x, y float64) float64 {
		return func(x, y float64) float64 { return float64(f(int(x), int(y))) }
	}
	reference := map[ir.OpKind]func(x, y float64) float64{
		ir.OpAdd: func(x, y float64) float64 { return x + y }, ir.OpMultiply: func(x, y float64) float64 { return x * y },
		ir.OpMaximum: func(x, y float64) float64 { return max(x, y) }, ir.OpMinimum: func(x, y float64) float64 { return min(x, y) },
		ir.OpAnd: logic(func(x, y int) int { return x & y }), ir.OpOr: logic(func(x, y int) int { return x | y }), ir.OpXor: logic(func(x, y int) int { return x ^ y }),
	}
	floats := []ir.OpKind{ir.OpAdd, ir.OpMultiply, ir.OpMaximum, ir.OpMinimum}
	ints := append([]ir.OpKind{ir.OpAnd, ir.OpOr, ir.OpXor}, floats...)
	for _, tc := range []struct {
		dtype dtypes.DType
		kinds []ir.OpKind
		below int // the numbers
	}{
		{dtypes.Float32, floats, 4}, {dtypes.Float64, floats, 4}, {dtypes.BFloat16, floats, 4}, {dtypes.Float16, floats, 4},
		{dtypes.Int8, ints, 3}, {dtypes.Int32, ints, 50}, {dtypes.Uint64, ints, 50}, {dtypes.Int4, ints, 2}, {dtypes.Bool, ints[:3], 2},
	} {
		for _, kind := range tc.kinds {
			for _, n := range []int{0, 1, 2500} {
				for parts := 1; parts <= 3; parts++ {
					for place := -1; place < parts; place++ {
						name := fmt.Sprintf("%s of %d parts of %d %s into %d", kind, parts, n, tc.dtype, place)
						rng := rand.New(rand.NewPCG(uint64(n), uint64(parts)))
						data, want := make([][]byte, parts), []byte(nil)
						for p := range data {
							data[p] = interp.Alloc(n * ir.ElementBytes(tc.dtype))[:0]
							for range n {
								data[p] = append(data[p], ir.Scalar(tc.dtype, float64(rng.IntN(tc.below))).Data...)
							}
						}
						for i := range n {
							at := func(p int) float64 {
								e := ir.ElementBytes(tc.dtype)
								return (&ir.Dense{Type: ir.Tensor(tc.dtype), Data: data[p][i*e : (i+1)*e]}).Float64s()[0]
							}
							v := at(0)
							for p := 1; p < parts; p++ {
								v = reference[kind](v, at(p))
							}
							want = append(want, ir.Scalar(tc.dtype, v).Data...)
						}
						out := interp.Alloc(n * ir.ElementBytes(tc.dtype))
						if place >= 0 {
							out = data[place]
						}
						require.NoError(t, interp.CombineInto(kind, tc.dtype, out, data...), name)
						require.Equal(t, string(want), string(out), name)
					}
				}
			}
		}
	}
	err := interp.CombineInto(ir.OpXor, dtypes.Float32, nil)
	require.EqualError(t, err, "stablehlo.xor does not combine elements of type Float32")
}
