package reshard

// This file defines the nodes and edges of the graph that plans are paths of.

import (
	"slices"
	"strings"
)

// state is a sharding. For each dimension it has the IDs of its sub-axes, major first. The last
// list has, in ascending order, the sub-axes that the tensor is unreduced over. Each list ends with
// a divider. A state is a string, so that it can be compared, and used as the key of a map.
type state string

// divider ends a list. It is greater than all IDs: even a mesh of the largest size, 2^20 devices,
// has fewer sub-axes.
const (
	end     = '\xff'
	divider = "\xff"
)

// newState returns the state with these lists.
func newState(lists [][]axisID) state {
	var b []byte
	for _, list := range lists {
		b = append(append(b, list...), end)
	}
	return state(b)
}

// rank returns the number of dimensions.
func (s state) rank() int { return strings.Count(string(s), divider) - 1 }

// bounds returns the start and the limit of list d in the string s: of the sub-axes of dimension d,
// or of the unreduced ones if d is the rank.
func (s state) bounds(d int) (start, limit int) {
	for i := range len(s) {
		if s[i] != end {
			continue
		}
		if d == 0 {
			return start, i
		}
		d--
		start = i + 1
	}
	panic("BUG: reshard: a state has no such dimension")
}

// list returns the sub-axes of dimension d. The list after the last dimension has the sub-axes that
// s is unreduced over.
func (s state) list(d int) string {
	start, limit := s.bounds(d)
	return string(s[start:limit])
}

// withList returns s with list d replaced.
func (s state) withList(d int, list string) state {
	start, limit := s.bounds(d)
	return s[:start] + state(list) + s[limit:]
}

// unreducedStart returns the start of the list of sub-axes that s is unreduced over.
func (s state) unreducedStart() int { return strings.LastIndexByte(string(s[:len(s)-1]), end) + 1 }

func (s state) unreducedAxes() string { return string(s[s.unreducedStart() : len(s)-1]) }

// withUnreduced returns s with other sub-axes to be unreduced over. list may be in any order.
func (s state) withUnreduced(list string) state {
	return s[:s.unreducedStart()] + state(sortIDs(list)) + divider
}

// sortIDs returns IDs in ascending order.
func sortIDs(ids string) string {
	if len(ids) < 2 {
		return ids
	}
	b := []byte(ids)
	slices.Sort(b)
	return string(b)
}

// move is an edge of the graph.
type move struct {
	// the kind of a step, except Pad, Trim, PadToOffset and HaloExchange, or one of the kinds below
	kind Kind
	dim  int8
	to   int8
	ids  string // the sub-axes that move, major first; for Permute and NeighbourGather the new state
}

// Kinds of moves that are not kinds of steps.
const (
	// regroup writes the same sharding in another way: parts of 2 and 3 as parts of 3 and 2. It has
	// no steps.
	regroup = NeighbourGather + 1 + iota
	// maskDevices puts a sub-axis in front of the sub-axes of a dimension that has at most one
	// element for each of its parts. On devices whose coordinate along the sub-axis is not 0, all
	// elements become padding. It has no steps.
	maskDevices
	// broadcastDevices is the inverse of maskDevices: those devices get the elements of the others,
	// by a BitwiseAllReduce.
	broadcastDevices
)

// apply returns the state after the move m of the state s.
func (s state) apply(m move) state {
	if m.kind == Permute || m.kind == NeighbourGather {
		return state(m.ids)
	}
	d, n := int(m.dim), len(m.ids)
	switch m.kind {
	case AllReduce:
		return s.withUnreduced(withoutIDs(s.unreducedAxes(), m.ids))
	case ReplicatedToUnreduced:
		return s.withUnreduced(s.unreducedAxes() + m.ids)
	}
	start, limit := s.bounds(d)
	switch m.kind {
	case Slice:
		return s[:limit] + state(m.ids) + s[limit:]
	case AllGather, BitwiseAllReduce:
		return s[:limit-n] + s[limit:]
	case AllToAll:
		return (s[:limit-n] + s[limit:]).give(int(m.to), m.ids)
	case ReduceScatter:
		return s.withUnreduced(withoutIDs(s.unreducedAxes(), m.ids)).give(d, m.ids)
	case regroup:
		return s[:start] + state(m.ids) + s[limit:]
	case maskDevices:
		return s[:start] + state(m.ids) + s[start:]
	case broadcastDevices:
		return s[:start] + s[start+n:]
	}
	return s
}

// give returns s with sub-axes appended to the sub-axes of dimension d. ids are their numbers.
func (s state) give(d int, ids string) state {
	_, limit := s.bounds(d)
	return s[:limit] + state(ids) + s[limit:]
}

// undo inverts the move m: if s is the state after m, it returns the state before m, and the
// sub-axes that m moves from there. The IDs of m only say the sizes of these sub-axes. If m frees
// sub-axes, pick chooses them among those that s does not use. Permute, NeighbourGather and regroup
// are not inverted: for them it returns s.
func (s state) undo(m move, sp *stateSpace, pick picker) (before state, moved string) {
	n, d := len(m.ids), int(m.dim)
	cut := func(d int) state {
		list := s.list(d)
		moved = list[len(list)-n:]
		return s.withList(d, list[:len(list)-n])
	}
	switch m.kind {
	case Slice:
		return cut(d), moved
	case AllGather, BitwiseAllReduce:
		moved = pick(sp.unusedAxes(s), m.ids)
		return s.give(d, moved), moved
	case AllToAll:
		return cut(int(m.to)).give(d, moved), moved
	case ReduceScatter:
		before = cut(d)
		return before.withUnreduced(before.unreducedAxes() + moved), moved
	case AllReduce:
		moved = pick(sp.unusedAxes(s), m.ids)
		return s.withUnreduced(s.unreducedAxes() + moved), moved
	case maskDevices:
		list := s.list(d)
		return s.withList(d, list[n:]), list[:n]
	case broadcastDevices:
		moved = pick(sp.unusedAxes(s), m.ids)
		return s.withList(d, moved+s.list(d)), moved
	case ReplicatedToUnreduced:
		moved = pick(s.unreducedAxes(), m.ids)
		return s.withUnreduced(withoutIDs(s.unreducedAxes(), moved)), moved
	}
	return s, ""
}

// picker takes sub-axes from a list: with the sizes in shape, and in the order of shape.
type picker func(from, shape string) string
