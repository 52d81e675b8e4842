package reshard

// This file defines the nodes and edges of the graph in which a plan is a path.

import "slices"

// state is a sharding: for each dimension the IDs of its sub-axes, major first,
// and as a last list, in ascending order, those over which it is unreduced.
type state [][]axisID

// divider ends a list in a key. It is greater than all IDs: a mesh of the largest
// size, 2^24 devices, has far fewer sub-axes.
const divider = 0xff

func (s state) rank() int           { return len(s) - 1 }
func (s state) unreduced() []axisID { return s[len(s)-1] }

// key identifies s.
func (s state) key() string {
	n := len(s)
	for _, list := range s {
		n += len(list)
	}
	b := make([]byte, 0, n)
	for _, list := range s {
		b = append(append(b, list...), divider)
	}
	return string(b)
}

// parseState is the inverse of key.
func parseState(key string) state {
	b := []byte(key)
	s := make(state, 0, 8)
	start := 0
	for i, c := range b {
		if c == divider {
			s = append(s, b[start:i:i])
			start = i + 1
		}
	}
	return s
}

// move is an edge.
type move struct {
	kind Kind // a kind of step that is no Pad, Trim, PadToOffset or HaloExchange, or one of those below
	dim  int8
	to   int8
	ids  string // what is moved, major first; of Permute and NeighbourGather the key of the new state
}

// Kinds of moves that are no kinds of steps.
const (
	// regroup only writes a sharding in another way: parts of 2 and 3 as parts of
	// 3 and 2. It makes no step.
	regroup = NeighbourGather + 1 + iota
	// maskDevices puts a sub-axis in front of a dimension that has at most one
	// element for each of its parts: what the devices hold whose coordinate along it
	// is not 0 becomes padding. It makes no step.
	maskDevices
	// broadcastDevices is the inverse of maskDevices: those devices get what the
	// others hold, by a BitwiseAllReduce.
	broadcastDevices
)

// apply returns the state that m leads to.
func (s state) apply(m move) state {
	if m.kind == Permute || m.kind == NeighbourGather {
		return parseState(m.ids)
	}
	out := slices.Clone(s)
	moved := []axisID(m.ids)
	last := len(s) - 1
	take := func(d int) { out[d] = s[d][: len(s[d])-len(moved) : len(s[d])-len(moved)] }
	give := func(d int) { out[d] = append(slices.Clone(s[d]), moved...) }
	drop := func() {
		rest := slices.Clone(s[last])
		for _, l := range moved {
			i := slices.Index(rest, l)
			rest = slices.Delete(rest, i, i+1)
		}
		out[last] = rest
	}
	switch m.kind {
	case Slice:
		give(int(m.dim))
	case AllGather, BitwiseAllReduce:
		take(int(m.dim))
	case AllToAll:
		take(int(m.dim))
		give(int(m.to))
	case ReduceScatter:
		drop()
		give(int(m.dim))
	case AllReduce:
		drop()
	case ReplicatedToUnreduced:
		give(last)
		slices.Sort(out[last])
	case regroup:
		out[m.dim] = moved
	case maskDevices:
		out[m.dim] = slices.Concat(moved, s[m.dim])
	case broadcastDevices:
		out[m.dim] = s[m.dim][len(moved):]
	}
	return out
}

// undo returns a state that m leads from to s, and the sub-axes that m then
// moves; the IDs of m itself stand for sizes. Sub-axes that m sets free are taken
// by pick among the unused ones of s.
func (s state) undo(m move, sp *stateSpace, pick picker) (state, string) {
	out := slices.Clone(s)
	n, last, d := len(m.ids), len(s)-1, int(m.dim)
	var moved []axisID
	cut := func(d int) {
		at := len(s[d]) - n
		moved, out[d] = s[d][at:], s[d][:at:at]
	}
	give := func(d int) { out[d] = append(slices.Clone(out[d]), moved...) }
	switch m.kind {
	case Slice:
		cut(d)
	case AllGather, BitwiseAllReduce:
		moved = pick(sp.unused(s), m.ids)
		give(d)
	case AllToAll:
		cut(int(m.to))
		give(d)
	case ReduceScatter:
		cut(d)
		give(last)
	case AllReduce:
		moved = pick(sp.unused(s), m.ids)
		give(last)
	case maskDevices:
		moved, out[d] = s[d][:n], s[d][n:]
	case broadcastDevices:
		moved = pick(sp.unused(s), m.ids)
		out[d] = slices.Concat(moved, s[d])
	case ReplicatedToUnreduced:
		moved = pick(s.unreduced(), m.ids)
		out[last] = without(s.unreduced(), moved)
	}
	slices.Sort(out[last])
	return out, string(moved)
}

// picker takes from a list sub-axes of the sizes that shape has, in its order.
type picker func(from []axisID, shape string) []axisID
