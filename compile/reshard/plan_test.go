package reshard_test

// This file tests single plans, including the golden ones, the errors of Plan, and that a Planner
// plans as Plan does.

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/tools/txtar"

	"github.com/gospmd/gospmd/compile/reshard"
	"github.com/gospmd/gospmd/internal/testing/golden"
	"github.com/gospmd/gospmd/layout"
	"github.com/gospmd/gospmd/mesh"
)

// For the case of jax#21562, where XLA gathers the whole tensor, the plan is two all-to-alls. A
// device sends less than twice the bytes of a shard, and never holds more than two shards.
func TestJAX21562(t *testing.T) {
	for _, text := range []string{"x=2,y=2", "x=2,y=4", "x=4,y=2", "x=4,y=4", "x=8,y=8"} {
		t.Run(text, func(t *testing.T) {
			m := mesh.MustParse(text)
			from, to := parse(m, "y,*,x"), parse(m, "*,x+y,*")
			tensor := reshard.Tensor{Dims: []int{16, 16, 16}, ElemSize: 4}
			if m.Size() > 16 {
				tensor.Dims = []int{16, 64, 16}
			}
			steps := plan(t, from, to, tensor)
			require.NoError(t, checkPlan(from, to, tensor, steps, rand.New(rand.NewPCG(1, 1))))
			shard := tensor.ElemSize * tensor.Dims[0] * tensor.Dims[1] * tensor.Dims[2] / m.Size()
			for _, s := range steps {
				require.Equal(t, reshard.AllToAll, s.Kind)
				require.LessOrEqual(t, s.Live, 2*shard)
			}
			require.Len(t, steps, 2)
			require.Less(t, steps.Bytes(), 2*shard)
		})
	}
}

// A plan between shardings that are equal, however they are written, must be empty.
func TestNothingToDo(t *testing.T) {
	m := mesh.MustParse("x=4,y=1")
	for _, tc := range []struct{ name, from, to string }{
		{"the same", "x,*", "x,*"},
		{"replicated", "*,*", "*,*"},
		{"an axis of size 1", "x+y,*", "x,y"},
		{"the same sum", "x,*|y", "x,*|y"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			require.Empty(t, plan(t, parse(m, tc.from), parse(m, tc.to), reshard.Tensor{Dims: []int{8, 8}, ElemSize: 4}))
		})
	}
	open := parse(m, "x,*")
	open.Dims[1].Open = true
	open.Replicated = mesh.FullAxes("y")
	require.Empty(t, plan(t, open, parse(m, "x,*"), reshard.Tensor{Dims: []int{8, 8}, ElemSize: 4}))
}

// A mesh of one device, and one without axes, need no plan.
func TestOneDevice(t *testing.T) {
	for _, m := range []*mesh.DeviceMesh{nil, mesh.MustParse("x=1")} {
		require.Empty(t, plan(t, layout.Replicated(m, 1), layout.Replicated(m, 1), reshard.Tensor{Dims: []int{3}, ElemSize: 4}))
	}
}

func TestRefuses(t *testing.T) {
	m, other := mesh.MustParse("x=2"), mesh.MustParse("x=4")
	good := reshard.Tensor{Dims: []int{8}, ElemSize: 4}
	for _, tc := range []struct {
		name     string
		from, to *layout.Sharding
		tensor   reshard.Tensor
		want     string
	}{
		{"no sharding", nil, parse(m, "x"), good, "want a sharding on both sides"},
		{"two meshes", parse(m, "x"), parse(other, "x"), good, "from the mesh x=2 to the mesh x=4: want one mesh"},
		{"wrong rank", parse(m, "x,*"), parse(m, "x"), good, "it is for 2 dimensions, the tensor has 1"},
		{"unknown axis", parse(m, "x"), &layout.Sharding{Mesh: m, Dims: []layout.DimSharding{{Axes: mesh.FullAxes("z")}}}, good, `unknown axis "z"`},
		{"no element size", parse(m, "x"), parse(m, "*"), reshard.Tensor{Dims: []int{8}}, "elements have 0 bytes, want at least 1"},
		{"negative size", parse(m, "x"), parse(m, "*"), reshard.Tensor{Dims: []int{-8}, ElemSize: 4}, "dim 0 has size -8, want at least 0"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			_, err := reshard.Plan(tc.from, tc.to, tc.tensor)
			require.ErrorContains(t, err, tc.want)
		})
	}
}

// The same question always has the same answer. On large meshes the plan is right and within the
// limit of memory. For even dimensions a device sends at most twice the bytes of its shards before
// and after the plan together.
func TestLargeMesh(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 8))
	for _, tc := range []struct{ name, mesh, from, to string }{
		{"transpose", "x=16,y=16", "y,*,x", "*,x+y,*"},
		{"unequal axes change places", "x=16,y=8", "x,y,*", "y,x,*"},
		{"three axes", "x=8,y=8,z=4", "x,y,z", "z,x,y"},
		{"sums", "x=16,y=16", "*,*,*|x+y", "x,y,*"},
		{"parts", "x=256", "x:(1)16,x:(16)16,*", "x:(16)16,*,x:(1)16"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			m := mesh.MustParse(tc.mesh)
			from, to := parse(m, tc.from), parse(m, tc.to)
			for _, dims := range [][]int{{16, 16, 16}, {17, 20, 15}} {
				tensor := reshard.Tensor{Dims: dims, ElemSize: 2}
				steps := plan(t, from, to, tensor)
				require.Equal(t, steps, plan(t, from, to, tensor))
				require.NoError(t, checkPlan(from, to, tensor, steps, rng))
				if dims[0] == 16 {
					require.LessOrEqual(t, steps.Bytes(), liveLimit(from, to, tensor)*2/3, "%s", steps)
				}
			}
		})
	}
}

func TestGolden(t *testing.T) {
	golden.Run(t, "testdata/*.txtar", 1, func(t *testing.T, a *txtar.Archive) map[string]string {
		require.Len(t, a.Files, 2, "want the sections problem and plan")
		problem := map[string]string{}
		for line := range strings.Lines(string(a.Files[0].Data)) {
			key, value, _ := strings.Cut(strings.TrimSpace(line), " ")
			problem[key] = value
		}
		m := mesh.MustParse(problem["mesh"])
		tensor := reshard.Tensor{ElemSize: 4}
		if text := problem["tensor"]; text != "scalar" {
			for d := range strings.SplitSeq(text, "x") {
				n, err := strconv.Atoi(d)
				require.NoError(t, err)
				tensor.Dims = append(tensor.Dims, n)
			}
		}
		from, to := parse(m, problem["from"]), parse(m, problem["to"])
		steps := plan(t, from, to, tensor)
		require.NoError(t, checkPlan(from, to, tensor, steps, rand.New(rand.NewPCG(1, 1))))
		return map[string]string{"plan": fmt.Sprintf("%stotal: %d bytes, at most %d live\n", steps, steps.Bytes(), steps.Live())}
	})
}

// A Planner returns the plans that Plan returns, for tensors of several sizes in turn, even and
// uneven.
func TestPlanner(t *testing.T) {
	t.Parallel()
	count := 1_000
	if testing.Short() {
		count = 200
	}
	rng := rand.New(rand.NewPCG(9, 10))
	for range count {
		m := randomMesh(rng, 16)
		rank := rng.IntN(4)
		sums := rng.IntN(3) == 0
		from, to := randomSharding(rng, m, rank, sums), randomSharding(rng, m, rank, sums && rng.IntN(3) == 0)
		var planner reshard.Planner
		for i := range 4 {
			tensor := reshard.Tensor{Dims: make([]int, rank), ElemSize: 1 + rng.IntN(8)}
			for d := range tensor.Dims {
				tensor.Dims[d] = m.Size() * (1 + rng.IntN(5))
				if i == 3 {
					tensor.Dims[d] = rng.IntN(20)
				}
			}
			got, err := planner.Plan(from, to, tensor)
			require.NoError(t, err)
			require.Equal(t, plan(t, from, to, tensor), got, "%s from %s to %s", tensor, from, to)
		}
	}
}

// parse reads a sharding on m: the axes for each dimension, major first and joined by +, or * for
// none. After | come the unreduced axes: "x+y:(1)2,*|z". It panics if the text is wrong.
func parse(m *mesh.DeviceMesh, text string) *layout.Sharding {
	axes := func(list string) []mesh.AxisRef {
		var out []mesh.AxisRef
		for name := range strings.SplitSeq(list, "+") {
			if name = strings.TrimSpace(name); name == "*" || name == "" {
				continue
			}
			name, sub, ok := strings.Cut(name, ":")
			if !ok {
				out = append(out, mesh.FullAxis(name))
				continue
			}
			var pre, size int
			if _, err := fmt.Sscanf(sub, "(%d)%d", &pre, &size); err != nil {
				panic(err)
			}
			out = append(out, mesh.SubAxisRef(name, pre, size))
		}
		return out
	}
	dims, sums, _ := strings.Cut(text, "|")
	s := layout.Replicated(m, 0)
	if strings.TrimSpace(dims) != "" {
		for d := range strings.SplitSeq(dims, ",") {
			s.Dims = append(s.Dims, layout.DimSharding{Axes: axes(d)})
		}
	}
	s.Unreduced = axes(sums)
	slices.SortFunc(s.Unreduced, m.CompareRefs)
	if err := s.Validate(len(s.Dims)); err != nil {
		panic(err)
	}
	return s
}
