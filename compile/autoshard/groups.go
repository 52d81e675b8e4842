package autoshard

// This file finds dimension groups: dimensions of values that the search shards together, because
// rules of ops connect them.

import (
	"cmp"
	"slices"

	"github.com/gospmd/gospmd/layout"
	"github.com/gospmd/gospmd/mesh"
)

// group is a dimension group: a set of dimensions that an axis shards together, because ops have a
// common factor for them.
type group struct {
	axis  mesh.AxisRef
	key   groupKey
	dims  []variableDim // one dimension for each value that has any in the group
	nodes []*node       // the ops with these dimensions, in program order
	gain  int           // upper bound of what sharding the group further may save
}

// variableDim is a dimension of a value.
type variableDim struct {
	v   *variable
	dim int
}

// groupKey identifies a group by its first dimension.
type groupKey struct {
	dim  int // number among the dimensions of all variables
	axis mesh.AxisRef
	part int // number of the part, from 0, if the group is decided in parts; else 0
	// within says that the group is within one block: values that loops carry do not change.
	within bool
}

// groups returns the groups that may gain if the axis shards more or fewer of their values, the
// most promising first. If within is true, a group stays within one block. Such groups are smaller:
// if it is false, dimensions that are connected only through the carried values of a loop are one
// group.
func (s *search) groups(axis mesh.AxisRef, within bool) []*group {
	may := s.changeableDims(axis, within)
	sets := newDisjointSets(s.dims)
	first := make([]int, s.factors) // for each factor of a node, its first dimension plus one
	for _, n := range s.nodes {
		clear(first[:len(n.rule.Factors)])
		for _, t := range n.ties {
			switch i := t.v.firstDim + t.dim; {
			case !may[i]:
			case first[t.factor] > 0:
				sets.union(i, first[t.factor]-1)
			default:
				first[t.factor] = i + 1
			}
		}
	}
	sizes := make([]int, s.dims) // sizes of the sets, by root
	for i := range sizes {
		if may[i] {
			sizes[sets.root(i)]++
		}
	}
	var out []*group
	byRoot, seen := make([]*group, s.dims), make([]bool, s.dims)
	size := s.mesh.RefSize(axis)
	for _, n := range s.nodes {
		gain, known := 0, false
		for _, t := range n.ties {
			i := t.v.firstDim + t.dim
			if !may[i] {
				continue
			}
			root := sets.root(i)
			g := byRoot[root]
			if g == nil {
				g = &group{axis: axis, key: groupKey{dim: i, axis: axis, within: within}, dims: make([]variableDim, 0, sizes[root])}
				byRoot[root] = g
				out = append(out, g)
			}
			if !seen[i] {
				seen[i] = true
				g.dims = append(g.dims, variableDim{t.v, t.dim})
			}
			if len(g.nodes) > 0 && g.nodes[len(g.nodes)-1] == n {
				continue
			}
			g.nodes = append(g.nodes, n)
			if n.op == nil {
				continue
			}
			if !known {
				total, local := s.e.OpCost(n.op)
				gain, known = total-local/size, true
			}
			g.gain += gain
		}
	}
	launch := s.e.Machine().SendCost([]mesh.AxisRef{axis}, 0, 1)
	out = slices.DeleteFunc(out, func(g *group) bool { return g.gain < launch })
	slices.SortStableFunc(out, func(g, h *group) int { return cmp.Compare(h.gain, g.gain) })
	return out
}

// changeableDims returns, for each dimension of all variables, by its number, whether the axis may
// shard it. If within is true, it may not shard dimensions of carried values.
func (s *search) changeableDims(axis mesh.AxisRef, within bool) []bool {
	out := make([]bool, s.dims)
	for _, v := range s.variables {
		if within && v.isCarried() {
			continue
		}
		for d := range v.dims {
			out[v.firstDim+d] = s.mayChange(v, d, axis)
		}
	}
	return out
}

// decidableVariables returns the variables of g that are not fixed and may still change, in program
// order. It sets the group and the dimension of all variables of g: of several dimensions in g the
// first one. Variables that may not change any more leave the group; fixed ones stay in it.
func (s *search) decidableVariables(g *group) (out []*variable) {
	for _, x := range g.dims {
		if x.v.group != g || x.dim < x.v.dim { // of several dimensions the first
			x.v.group, x.v.dim = g, x.dim
		}
	}
	for _, x := range g.dims {
		if x.v.group == g && !s.mayChange(x.v, x.v.dim, g.axis) {
			x.v.group = nil
		}
	}
	for _, n := range g.nodes {
		for _, v := range n.results {
			if v.group == g && !v.fixed {
				out = append(out, v)
			}
		}
	}
	return out
}

// maxOps is the largest number of ops of a group that is decided as a whole; tests change it. The
// time of a minimal cut may grow faster than its graph.
var maxOps = 1 << 15

// parts returns g or, if it has too many ops, several groups of consecutive ops. Each of these
// decides the values that its ops make. It also has the ops that read these values, and all fixed
// values of g.
func (g *group) parts() []*group {
	if len(g.nodes) <= maxOps {
		return []*group{g}
	}
	out := make([]*group, (len(g.nodes)+maxOps-1)/maxOps)
	for i := range out {
		key := g.key
		key.part = i
		out[i] = &group{axis: g.axis, key: key}
	}
	place := func(n *node) int { // the part that decides the values that n makes
		i, _ := slices.BinarySearchFunc(g.nodes, n, func(a, b *node) int { return cmp.Compare(a.index, b.index) })
		return min(i/maxOps, len(out)-1)
	}
	for _, x := range g.dims {
		in := out
		if !x.v.fixed {
			in = in[place(x.v.def):][:1]
		}
		for _, part := range in {
			part.dims = append(part.dims, x)
		}
	}
	for i, n := range g.nodes {
		own := out[i/maxOps]
		own.nodes = append(own.nodes, n)
		for _, v := range n.operands {
			if v.fixed {
				continue
			}
			part := out[place(v.def)] // a later part than own, if n is the end of a loop's body
			if last := len(part.nodes) - 1; last < 0 || part.nodes[last] != n {
				part.nodes = append(part.nodes, n)
			}
		}
	}
	return out
}

// shardings returns the shardings of all operands and results of g's ops: op by op, the operands
// first.
func (g *group) shardings() []*layout.Sharding {
	out := make([]*layout.Sharding, 0, 4*len(g.nodes))
	g.eachTensor(func(v *variable) bool {
		out = append(out, v.sharding)
		return true
	})
	return out
}

// has reports whether the operands and results of g's ops have the shardings in list, which is in
// the order of shardings. It is false for nil.
func (g *group) has(list []*layout.Sharding) bool {
	i := 0
	return list != nil && g.eachTensor(func(v *variable) bool {
		i++
		return i <= len(list) && list[i-1] == v.sharding
	}) && i == len(list)
}

// eachTensor calls visit for the operands and results of g's ops, until visit returns false. It
// reports whether visit never did.
func (g *group) eachTensor(visit func(*variable) bool) bool {
	for _, n := range g.nodes {
		for _, list := range [][]*variable{n.operands, n.results} {
			for _, v := range list {
				if !visit(v) {
					return false
				}
			}
		}
	}
	return true
}

// disjointSets is a union-find structure of the numbers 0, 1, ….
type disjointSets []int

func newDisjointSets(n int) disjointSets {
	out := make(disjointSets, n)
	for i := range out {
		out[i] = i
	}
	return out
}

func (s disjointSets) root(i int) int {
	for s[i] != i {
		s[i] = s[s[i]]
		i = s[i]
	}
	return i
}

// union merges the set of i with the set of j.
func (s disjointSets) union(i, j int) { s[s.root(i)] = s.root(j) }
