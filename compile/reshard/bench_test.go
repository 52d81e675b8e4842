package reshard_test

// This file measures the time of planning for typical moves of programs, on small and large meshes,
// and bounds the allocations of a plan.

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/gospmd/gospmd/compile/reshard"
	"github.com/gospmd/gospmd/mesh"
)

func BenchmarkPlan(b *testing.B) {
	for _, tc := range []struct{ name, from, to string }{
		{"slice", "*,*,*", "x,*,*"},
		{"all_gather", "x,*,y", "x,*,*"},
		{"all_to_all", "x,*,y", "x,y,*"},
		{"permute", "x,*,*", "y,*,*"},
		{"all_reduce", "x,*,*|y", "x,*,*"},
		{"reduce_scatter", "x,*,*|y", "x,y,*"},
		{"reduce_scatter_of_two", "*,*,*|x+y", "x,y,*"},
		{"transpose", "y,*,x", "*,x+y,*"},
		{"swap", "x,y,*", "y,x,*"},
	} {
		for _, text := range []string{"x=4,y=2", "x=16,y=16", "x=64,y=64"} {
			for _, size := range []int{4096, 4095} {
				b.Run(fmt.Sprintf("%s/%s/%d", tc.name, text, size), func(b *testing.B) {
					m := mesh.MustParse(text)
					from, to := parse(m, tc.from), parse(m, tc.to)
					t := reshard.Tensor{Dims: []int{size, size, size}, ElemSize: 4}
					for b.Loop() {
						if _, err := reshard.Plan(from, to, t); err != nil {
							b.Fatal(err)
						}
					}
				})
			}
		}
	}
}

// Finding a plan of several steps takes fewer than 1000 allocations: the states of a search are
// strings, and the entries of its queue have no pointers.
func TestPlanAllocations(t *testing.T) {
	m := mesh.MustParse("x=4,y=2")
	for from, to := range map[string]string{"*,*,*|x+y": "x,y,*", "y,*,x": "*,x+y,*", "x,y,*": "y,x,*"} {
		from, to, tensor := parse(m, from), parse(m, to), reshard.Tensor{Dims: []int{64, 64, 64}, ElemSize: 4}
		allocs := testing.AllocsPerRun(10, func() {
			_, err := reshard.Plan(from, to, tensor)
			require.NoError(t, err)
		})
		require.Less(t, allocs, 1000.0, "from %s to %s", from, to)
	}
}
