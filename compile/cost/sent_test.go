package cost_test

// This file tests the formulas for bytes: against counts by hand, and on ops.

import (
	"fmt"
	"testing"

	"github.com/gomlx/compute/dtypes"
	"github.com/stretchr/testify/require"

	"github.com/gospmd/gospmd/compile/cost"
	"github.com/gospmd/gospmd/ir"
)

func TestBytes(t *testing.T) {
	f32 := func(dims ...int) ir.Type { return ir.Tensor(dtypes.Float32, dims...) }
	for _, tc := range []struct {
		name    string
		kind    cost.Kind
		n       int
		in, out ir.Type
		want    int
	}{
		{"gather: n-1 shards", cost.AllGather, 4, f32(2, 8), f32(8, 8), 3 * 64},
		{"scatter: n-1 results", cost.ReduceScatter, 4, f32(8, 8), f32(2, 8), 3 * 64},
		{"reduce: both, of an even size", cost.AllReduce, 4, f32(8, 8), f32(8, 8), 2 * 3 * 64},
		{"reduce of parts of 3, 3, 2 and 2", cost.AllReduce, 4, f32(10), f32(10), (2*10 - 2 - 2) * 4},
		{"reduce of parts of 3, 3, 3 and 2", cost.AllReduce, 4, f32(11), f32(11), (2*11 - 3 - 2) * 4},
		{"reduce of parts of 2 and 1", cost.AllReduce, 2, f32(3), f32(3), 3 * 4},
		{"reduce of a scalar", cost.AllReduce, 8, f32(), f32(), 2 * 4},
		{"reduce of a scalar by two", cost.AllReduce, 2, f32(), f32(), 4},
		{"all to all: all but the own part", cost.AllToAll, 4, f32(8, 2), f32(2, 8), 64 - 16},
		{"permute", cost.Permute, 4, f32(8, 2), f32(8, 2), 64},
		{"shift", cost.Shift, 4, f32(8, 2), f32(8, 2), 64},
		{"a group of one", cost.AllReduce, 1, f32(8), f32(8), 0},
		{"booleans take a byte", cost.Permute, 2, ir.Tensor(dtypes.Bool, 5), ir.Tensor(dtypes.Bool, 5), 5},
		{"so do small integers", cost.Permute, 2, ir.Tensor(dtypes.Int4, 5), ir.Tensor(dtypes.Int4, 5), 5},
		{"halves", cost.AllGather, 2, ir.Tensor(dtypes.BFloat16, 5), ir.Tensor(dtypes.BFloat16, 10), 10},
		{"nothing", cost.AllGather, 2, f32(0, 4), f32(0, 4), 0},
	} {
		t.Run(tc.name, func(t *testing.T) { require.Equal(t, tc.want, cost.Bytes(tc.kind, tc.n, tc.in, tc.out)) })
	}
	for _, k := range cost.Kinds() {
		require.NotPanics(t, func() { cost.Bytes(k, 2, f32(4), f32(4)) })
	}
}

// parse returns a module on a mesh x=2,y=4 with the function main of that text, and main. It must
// be valid.
func parse(t *testing.T, main string) (*ir.Module, *ir.Func) {
	t.Helper()
	m, err := ir.Parse("sdy.mesh @mesh = <[\"x\"=2, \"y\"=4]>\n" + main)
	require.NoError(t, err)
	require.NoError(t, ir.Verify(m))
	return m, m.Main()
}

func TestSent(t *testing.T) {
	for _, tc := range []struct {
		op, axes string
		want     int
	}{
		{`%0 = spmd.all_reduce %a axes={"y"} reduction=add : tensor<8x8xf32>`, "[y]", 2 * 3 * 64},
		{`%0 = spmd.all_reduce %a axes={"y":(2)2} reduction=add : tensor<8x8xf32>`, "[y:(2)2]", 2 * 128},
		{`%0:2 = spmd.all_reduce %a, %b axes={"x", "y"} reduction=maximum : tensor<8x8xf32>, tensor<3xf32>`, "[x y]", 2*7*32 + 2*3*4},
		{`%0 = spmd.all_gather %a dim=1 axes={"y"} : (tensor<8x8xf32>) -> tensor<8x32xf32>`, "[y]", 3 * 256},
		{`%0 = spmd.reduce_scatter %a dim=0 axes={"y"} reduction=add : (tensor<8x8xf32>) -> tensor<2x8xf32>`, "[y]", 3 * 64},
		{`%0 = spmd.all_to_all %a split_dim=0 concat_dim=1 axes={"x"} : (tensor<8x8xf32>) -> tensor<4x16xf32>`, "[x]", 128},
		{`%0 = spmd.permute %a from=<@mesh, [{"x"}, {}]> to=<@mesh, [{"y":(1)2}, {}]> : tensor<8x8xf32>`, "[x y]", 256},
		{`%0 = spmd.permute %a from=<@mesh, [{}, {}], unreduced={"y":(1)2}> to=<@mesh, [{}, {}], unreduced={"x"}> : tensor<8x8xf32>`, "[x y]", 256},
		{`%0 = spmd.shift %a axes={"y"} offset=-1 : tensor<8x8xf32>`, "[y]", 256},
		{`%0 = spmd.shift %a axes={"y"} offset=4 : tensor<8x8xf32>`, "[y]", 0},
		{`%0 = spmd.shift %a axes={"y"} offset=3 {mirrored = true} : tensor<8x8xf32>`, "[y]", 256},
		{`%0 = spmd.shift %a axes={"y"} offset=6 {mirrored = true} : tensor<8x8xf32>`, "[y]", 0},
		{`%0 = spmd.axis_index {"x"} : tensor<i32>`, "", 0},
		{`%0 = stablehlo.abs %a : tensor<8x8xf32>`, "", 0},
	} {
		t.Run(tc.op, func(t *testing.T) {
			m, f := parse(t, "func.func @main(%a: tensor<8x8xf32>, %b: tensor<3xf32>) {\n"+tc.op+"\nreturn\n}")
			op := f.Body.First()
			require.Equal(t, tc.want, cost.SentBytes(m.Meshes[0].Mesh, op))
			_, ok := cost.KindOf(op)
			require.Equal(t, tc.axes != "", ok)
			if ok {
				require.Equal(t, tc.axes, fmt.Sprint(cost.Axes(m.Meshes[0].Mesh, op)))
			}
		})
	}
}

// A shift sends its whole operand if any member of the group gets elements of another member, and
// otherwise nothing. This is compared for all offsets, also mirrored, with the pairs that the op
// stands for.
func TestSentByShifts(t *testing.T) {
	const n = 4
	for offset := -2 * n; offset <= 2*n; offset++ {
		for _, mirrored := range []string{"", "{mirrored = true} "} {
			line := fmt.Sprintf(`%%0 = spmd.shift %%a axes={"y"} offset=%d %s: tensor<8xi8>`, offset, mirrored)
			m, f := parse(t, "func.func @main(%a: tensor<8xi8>) {\n"+line+"\nreturn\n}")
			op, want := f.Body.First(), 0
			pairs, err := ir.CollectiveOf(op.Kind).Pairs(op, [][]int{{0, 1, 2, 3}})
			require.NoError(t, err)
			for _, pair := range pairs {
				if pair[0] != pair[1] {
					want = 8
				}
			}
			require.Equal(t, want, cost.SentBytes(m.Meshes[0].Mesh, op), line)
		}
	}
}

// Every collective of per-device programs has a kind, and so a cost.
func TestEveryCollectiveHasAKind(t *testing.T) {
	ir.EachOpInfo(func(row *ir.OpInfo) {
		if row.Is(ir.Collective | ir.OnMesh) {
			k, ok := cost.KindOf(&ir.Op{Kind: row.Kind})
			require.True(t, ok, row.Name)
			require.Equal(t, row.Name, "spmd."+string(k))
		}
	})
}
