package ir_test

// This file tests the comparison of attributes.

import (
	"testing"

	"github.com/gomlx/compute/dtypes"
	"github.com/stretchr/testify/require"

	"github.com/gospmd/gospmd/ir"
)

func TestAttrsEqual(t *testing.T) {
	one := []byte{1, 0, 0, 0}
	scalar := func(dims []int, splat bool, data []byte) ir.Attrs {
		return ir.Attrs{{Name: "value", Value: &ir.Dense{Type: ir.Type{DType: dtypes.Int32, Dims: dims}, Splat: splat, Data: data}}}
	}
	for _, tc := range []struct {
		name string
		a, b ir.Attrs
		want bool
	}{
		{"none", nil, ir.Attrs{}, true},
		{"another order", ir.Attrs{{Name: "a", Value: ir.Int(1)}, {Name: "b", Value: ir.Bool(true)}}, ir.Attrs{{Name: "b", Value: ir.Bool(true)}, {Name: "a", Value: ir.Int(1)}}, true},
		{"another name", ir.Attrs{{Name: "a", Value: ir.Int(1)}}, ir.Attrs{{Name: "b", Value: ir.Int(1)}}, false},
		{"another type", ir.Attrs{{Name: "a", Value: ir.Int(1)}}, ir.Attrs{{Name: "a", Value: ir.Int32(1)}}, false},
		{"an empty list", ir.Attrs{{Name: "a", Value: ir.Ints(nil)}}, ir.Attrs{{Name: "a", Value: ir.Ints{}}}, true},
		{"another list", ir.Attrs{{Name: "a", Value: ir.Ints{1}}}, ir.Attrs{{Name: "a", Value: ir.Ints{2}}}, false},
		{"a scalar that is no splat", scalar(nil, true, one), scalar([]int{}, false, one), true},
		{"another scalar", scalar(nil, true, one), scalar(nil, true, []byte{2, 0, 0, 0}), false},
		{"a splat and a list", scalar([]int{2}, true, one), scalar([]int{2}, false, append(one[:4:4], one...)), false},
		{"in a dictionary", ir.Attrs{{Name: "d", Value: ir.Dict(scalar(nil, true, one))}}, ir.Attrs{{Name: "d", Value: ir.Dict(scalar(nil, false, one))}}, true},
		{"in an array", ir.Attrs{{Name: "d", Value: ir.Array{ir.Int(1)}}}, ir.Attrs{{Name: "d", Value: ir.Array{ir.Int(2)}}}, false},
		{"axes", ir.Attrs{{Name: "d", Value: &ir.DotDims{LHSBatch: []int{}}}}, ir.Attrs{{Name: "d", Value: &ir.DotDims{}}}, true},
	} {
		t.Run(tc.name, func(t *testing.T) {
			require.Equal(t, tc.want, tc.a.Equal(tc.b))
			require.Equal(t, tc.want, tc.b.Equal(tc.a))
		})
	}
}
