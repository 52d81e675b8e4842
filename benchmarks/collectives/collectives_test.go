package main

// This file tests the reading of XLA's programs, and the comparison itself.

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/gospmd/gospmd/benchmarks/steps"
	"github.com/gospmd/gospmd/compile/cost"
	"github.com/gospmd/gospmd/runtime"
)

func TestReadHLO(t *testing.T) {
	for _, tc := range []struct {
		name, text string
		want       []xlaCollective
	}{
		{"one tensor, groups by iota", `
  %dot.1 = f32[8,10]{1,0} dot(%a, %b), lhs_contracting_dims={1}
  ROOT %all-reduce = f32[8,10]{1,0} all-reduce(%dot.1), channel_id=1, replica_groups=[2,4]<=[8], to_apply=%add`,
			[]xlaCollective{{cost.AllReduce, 1, 1, 2 * 3 * 80}}},
		{"several tensors, groups listed", `
  %x = f32[10]{0} parameter(0)
  %y = f32[] parameter(1)
  %all-reduce.5 = (f32[10]{0}, f32[]) all-reduce(%x, %y), channel_id=2, replica_groups={{0,1},{2,3}}, to_apply=%add
  %get-tuple-element = f32[10]{0} get-tuple-element(%all-reduce.5), index=0`,
			[]xlaCollective{{cost.AllReduce, 2, 2, 2*20 + 2*4}}},
		{"a channel twice", `
  %x = bf16[10]{0} parameter(0)
  %all-gather = bf16[20]{0} all-gather(%x), channel_id=3, replica_groups=[4,2]<=[8], dimensions={0}
  %all-gather.1 = bf16[20]{0} all-gather(%x), channel_id=3, replica_groups=[4,2]<=[8], dimensions={0}`,
			[]xlaCollective{{cost.AllGather, 3, 1, 20}}},
		{"no channels", `
  %x = f32[8,2]{1,0} parameter(0)
  %reduce-scatter = f32[2,2]{1,0} reduce-scatter(%x), replica_groups=[2,4]<=[8], dimensions={0}
  %collective-permute = f32[8,2]{1,0} collective-permute(%x), source_target_pairs={{0,1}}
  %all-to-all = f32[8,2]{1,0} all-to-all(%x), replica_groups=[2,4]<=[8], dimensions={0}`,
			[]xlaCollective{{cost.ReduceScatter, 0, 1, 3 * 16}, {cost.Permute, 0, 1, 64}, {cost.AllToAll, 0, 1, 48}}},
		{"all to all of a tuple", `
  %x = f32[2]{0} parameter(0)
  %y = f32[2]{0} parameter(1)
  %all-to-all = (f32[2]{0}, f32[2]{0}) all-to-all(%x, %y), channel_id=1, replica_groups={{0,1}}`,
			[]xlaCollective{{cost.AllToAll, 1, 2, 8}}},
		{"none", `  %x = f32[2]{0} parameter(0)`, nil},
	} {
		t.Run(tc.name, func(t *testing.T) {
			got, err := readHLO(tc.text)
			require.NoError(t, err)
			require.Equal(t, tc.want, got)
		})
	}
	_, err := readHLO(`%a = f32[2]{0} all-reduce(%x), to_apply=%add`)
	require.ErrorContains(t, err, "no replica groups")
}

// The quickstart's step sends less than XLA's on every mesh.
func TestCompare(t *testing.T) {
	if !runtime.HasPJRT {
		t.Skip("no XLA to compare with: built without cgo")
	}
	results, err := compareAll(context.Background(), steps.All[:1])
	require.NoError(t, err)
	require.Len(t, results, len(steps.Meshes))
	for _, r := range results {
		require.Positive(t, r.XLABytes, "%v", r.Mesh)
		require.True(t, r.wins(), "%v: %d bytes in %d collectives, XLA %d in %d", r.Mesh, r.Bytes, r.Count, r.XLABytes, r.XLACount)
	}
}
