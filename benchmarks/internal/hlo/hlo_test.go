package hlo

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/gospmd/gospmd/compile/cost"
)

func TestCollectives(t *testing.T) {
	for _, tc := range []struct {
		name, text string
		want       []Collective
	}{
		{"one tensor, groups by iota", `
  %dot.1 = f32[8,10]{1,0} dot(%a, %b), lhs_contracting_dims={1}
  ROOT %all-reduce = f32[8,10]{1,0} all-reduce(%dot.1), channel_id=1, replica_groups=[2,4]<=[8], to_apply=%add`,
			[]Collective{{cost.AllReduce, 1, 1, 2 * 3 * 80, 1}}},
		{"several tensors, groups listed", `
  %x = f32[10]{0} parameter(0)
  %y = f32[] parameter(1)
  %all-reduce.5 = (f32[10]{0}, f32[]) all-reduce(%x, %y), channel_id=2, replica_groups={{0,1},{2,3}}, to_apply=%add
  %get-tuple-element = f32[10]{0} get-tuple-element(%all-reduce.5), index=0`,
			[]Collective{{cost.AllReduce, 2, 2, 2*20 + 4, 1}}},
		{"a channel twice", `
  %x = bf16[10]{0} parameter(0)
  %all-gather = bf16[20]{0} all-gather(%x), channel_id=3, replica_groups=[4,2]<=[8], dimensions={0}
  %all-gather.1 = bf16[20]{0} all-gather(%x), channel_id=3, replica_groups=[4,2]<=[8], dimensions={0}`,
			[]Collective{{cost.AllGather, 3, 1, 20, 1}}},
		{"no channels", `
  %x = f32[8,2]{1,0} parameter(0)
  %reduce-scatter = f32[2,2]{1,0} reduce-scatter(%x), replica_groups=[2,4]<=[8], dimensions={0}
  %collective-permute = f32[8,2]{1,0} collective-permute(%x), source_target_pairs={{0,1}}
  %all-to-all = f32[8,2]{1,0} all-to-all(%x), replica_groups=[2,4]<=[8], dimensions={0}`,
			[]Collective{{cost.ReduceScatter, 0, 1, 3 * 16, 1}, {cost.Permute, 0, 1, 64, 1}, {cost.AllToAll, 0, 1, 48, 1}}},
		{"all to all of a tuple", `
  %x = f32[2]{0} parameter(0)
  %y = f32[2]{0} parameter(1)
  %all-to-all = (f32[2]{0}, f32[2]{0}) all-to-all(%x, %y), channel_id=1, replica_groups={{0,1}}`,
			[]Collective{{cost.AllToAll, 1, 2, 8, 1}}},
		{"groups of several sizes, and one of all", `HloModule f, is_scheduled=true, num_partitions=8
  %x = f32[8]{0} parameter(0)
  %all-gather = f32[24]{0} all-gather(%x), channel_id=1, replica_groups={{0,1},{2,3,4}}, dimensions={0}
  %all-reduce = f32[8]{0} all-reduce(%x), channel_id=2, replica_groups={}, to_apply=%add`,
			[]Collective{{cost.AllGather, 1, 1, 2 * 32, 1}, {cost.AllReduce, 2, 1, 2 * 7 * 4, 1}}},
		{"a permute to oneself", `
  %x = f32[8]{0} parameter(0)
  %collective-permute = f32[8]{0} collective-permute(%x), channel_id=1, source_target_pairs={{0,0},{1,1}}`,
			[]Collective{{cost.Permute, 1, 1, 0, 1}}},
		{"started ones", `
  %x = f32[8]{0} parameter(0)
  %all-gather-start = (f32[8]{0}, f32[16]{0}) all-gather-start(%x), channel_id=1, replica_groups={{0,1}}, dimensions={0}
  %all-gather-done = f32[16]{0} all-gather-done(%all-gather-start)
  %collective-permute-start = (f32[8]{0}, f32[8]{0}, u32[], u32[]) collective-permute-start(%x), channel_id=2, source_target_pairs={{0,1},{1,0}}
  %collective-permute-done = f32[8]{0} collective-permute-done(%collective-permute-start)
  %all-reduce-start = (f32[8]{0}, f32[16]{0}) all-reduce-start(%x, %all-gather-done), channel_id=3, replica_groups={{0,1}}, to_apply=%add`,
			[]Collective{{cost.AllGather, 1, 1, 32, 1}, {cost.Permute, 2, 1, 32, 1}, {cost.AllReduce, 3, 2, 2*16 + 2*32, 1}}},
		{"loops, branches, and what is wrapped or dead", `HloModule f, num_partitions=2

%wrapped (p: f32[8]) -> f32[4] {
  %p = f32[8]{0} parameter(0)
  ROOT %reduce-scatter = f32[4]{0} reduce-scatter(%p), channel_id=1, replica_groups={{0,1}}, dimensions={0}, to_apply=%add
}

%body (t: (f32[8], s32[])) -> (f32[8], s32[]) {
  %p = f32[2]{0} get-tuple-element(%t), index=0
  %all-reduce = f32[2]{0} all-reduce(%p), channel_id=2, replica_groups={{0,1}}, to_apply=%add
}

%condition (t: (f32[8], s32[])) -> pred[] {
  ROOT %less = pred[] compare(%a, %b), direction=LT
}

%few (p: f32[8]) -> f32[8] {
  %q = f32[1]{0} slice(%p)
  %all-reduce.1 = f32[1]{0} all-reduce(%q), channel_id=3, replica_groups={{0,1}}, to_apply=%add
}

%many (p: f32[8]) -> f32[8] {
  %p = f32[8]{0} parameter(0)
  %all-reduce.2 = f32[8]{0} all-reduce(%p), channel_id=4, replica_groups={{0,1}}, to_apply=%add
}

%dead (p: f32[8]) -> f32[8] {
  %p = f32[8]{0} parameter(0)
  %all-reduce.3 = f32[8]{0} all-reduce(%p), channel_id=5, replica_groups={{0,1}}, to_apply=%add
}

ENTRY %main (p: f32[8]) -> f32[8] {
  %p = f32[8]{0} parameter(0)
  %start = ((f32[8]{0}), f32[4]{0}, s32[]) async-start(%p), calls=%wrapped
  %while = (f32[8]{0}, s32[]) while(%t), condition=%condition, body=%body, backend_config={"known_trip_count":{"n":"5"}}
  %unknown = (f32[8]{0}, s32[]) while(%t), condition=%condition, body=%condition
  ROOT %conditional = f32[8]{0} conditional(%i, %p, %p), branch_computations={%few, %many}
}
`,
			[]Collective{{cost.ReduceScatter, 1, 1, 16, 1}, {cost.AllReduce, 2, 1, 8, 5}, {cost.AllReduce, 4, 1, 32, 1}}},
		{"none", `  %x = f32[2]{0} parameter(0)`, nil},
	} {
		t.Run(tc.name, func(t *testing.T) {
			got, err := Collectives(tc.text)
			require.NoError(t, err)
			require.Equal(t, tc.want, got)
		})
	}
	for text, want := range map[string]string{
		`%a = f32[2]{0} all-reduce(%x), to_apply=%add`:             "no replica groups",
		`%a = f32[2]{0} collective-permute(%x), channel_id=1`:      "no source_target_pairs",
		`%a = f32[2]{0} ragged-all-to-all(%x), replica_groups={}`:  "no formula",
		`%a = f32[2]{0} call(%x), to_apply=%nowhere`:               `no computation "nowhere"`,
		`%a = f32[99999999999999999999]{0} all-reduce(%x), x=%add`: "value out of range",
	} {
		_, err := Collectives(text)
		require.ErrorContains(t, err, want)
	}
}
