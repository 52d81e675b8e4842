package ir_test

// This file tests the limits of tensor sizes.

import (
	"math"
	"testing"

	"github.com/gomlx/compute/dtypes"
	"github.com/stretchr/testify/require"

	"github.com/gospmd/gospmd/ir"
)

func TestElements(t *testing.T) {
	for _, tc := range []struct {
		dims []int
		n    int
		ok   bool
	}{
		{nil, 1, true}, {[]int{3, 4}, 12, true}, {[]int{1 << 28, 1 << 28}, 1 << 56, true}, {[]int{5, 0, 7}, 0, true},
		{[]int{1 << 32, 1 << 32}, 0, false}, {[]int{math.MaxInt64}, 0, false}, {[]int{2, -1}, 0, false}, {[]int{0, 1 << 40, 1 << 40}, 0, false},
	} {
		n, ok := ir.Elements(tc.dims...)
		require.Equal(t, tc.n, n, tc.dims)
		require.Equal(t, tc.ok, ok, tc.dims)
	}
}

// A type that Go code makes has the same limits as one that is parsed.
func TestTypesTooLarge(t *testing.T) {
	large := ir.Tensor(dtypes.Float32, 1<<32, 1<<32)
	require.ErrorContains(t, large.CheckSize(), "tensor<4294967296x4294967296xf32> is too large")

	m := &ir.Module{Name: "m"}
	f := ir.NewFunc("main")
	f.AddParam("x", large, nil)
	f.Return(f.Params()[0])
	m.Funcs = append(m.Funcs, f)
	require.ErrorContains(t, ir.Verify(m), "is too large")

	var b ir.Builder
	row := f.AddParam("y", ir.Tensor(dtypes.Float32, 1<<40, 1), nil)
	_, err := b.Before(f.Body.Terminator()).Op(ir.OpDotGeneral, ir.Attrs{{Name: "dot_dimension_numbers", Value: &ir.DotDims{LHSContracting: []int{1}, RHSContracting: []int{1}}}}, row, row)
	require.ErrorContains(t, err, "is too large")
}
