package buffers

// This file finds the sums that the compilers for accelerators combine into one collective. Their
// operands are in memory until the last one is computed (AllReduceCombiner in XLA).

import (
	"fmt"

	"github.com/gospmd/gospmd/ir"
)

// maxGroups is the largest number of combined collectives in a block. More are not combined.
const maxGroups = 64

// groups is a set of combined collectives, as bits.
type groups uint64

// combinedGroups returns the groups of collectives of g that become one collective each. The
// collectives of a group are of the same kind, run among the same devices, and are independent,
// also through other groups. A group may have one collective. After maxGroups groups, collectives
// that need another group are left out.
func (g *graph) combinedGroups(m Model) [][]*node {
	var out [][]*node
	open := map[string]int{}              // the last group with each key
	var needs []groups                    // for each group, the groups that its members depend on
	after := make([]groups, len(g.nodes)) // for each node, the groups that it depends on
	closure := func(s groups) groups {
		for {
			all := s
			for i := range out {
				if s&(1<<i) != 0 {
					all |= needs[i]
				}
			}
			if all == s {
				return s
			}
			s = all
		}
	}
	for _, n := range g.nodes {
		var s groups
		for _, o := range n.operands {
			if o.graph == g {
				s |= after[o.index]
			}
		}
		if key := combineKey(n, m); key != "" {
			i, ok := open[key]
			if !ok || closure(s)&(1<<i) != 0 {
				if i = len(out); i < maxGroups {
					open[key], out, needs = i, append(out, nil), append(needs, 0)
				}
			}
			if i < maxGroups {
				out[i] = append(out[i], n)
				needs[i] |= s
				s |= 1 << i
			}
		}
		after[n.index] = s
	}
	return out
}

// combineKey returns the key that must be equal for collectives to be combined, or "" for other
// ops. For GPUs XLA combines reduce_scatters, too.
func combineKey(n *node, m Model) string {
	if n.op == nil || n.role != kernel {
		return ""
	}
	axes := n.op.Attrs.Get("axes")
	switch {
	case n.op.Kind == ir.OpSPMDAllReduce:
		return fmt.Sprint(axes, n.op.Reduction(), n.typ().DType)
	case n.op.Kind == ir.OpSPMDReduceScatter && m == GPU:
		return fmt.Sprint(axes, n.op.Reduction(), n.typ().DType, n.op.SPMDReduceScatter().Dim())
	}
	return ""
}

// concatenateSums replaces each group of at least two combined sums by one sum of a vector, as XLA
// does for GPUs: the operands are copied into the vector, and the sums out of it. It changes the
// nodes of g.
func (g *graph) concatenateSums() {
	all := &copies{g: g}
	for _, list := range g.combinedGroups(GPU) {
		if len(list) < 2 {
			continue
		}
		last, n := list[len(list)-1], 0
		var operands []*node
		for _, m := range list {
			x := m.operands[0]
			operands, n = append(operands, x), n+x.elements()
		}
		vector := &node{role: kernel, op: last.op, types: []ir.Type{ir.Tensor(last.typ().DType, n)}, operands: operands, graph: g, index: last.index}
		all.list = append(all.list, vector)
		for _, m := range list {
			m.operands = []*node{vector}
		}
	}
	all.insert()
	g.sweep()
}
