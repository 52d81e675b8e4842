package reshard

// This file defines the nodes and edges of the graph in which a plan is a path.

import (
	"slices"
	"strings"
)

// state is a sharding: for each dimension the IDs of its sub-axes, major first,
// and as a last list, in ascending order, those over which it is unreduced. Each
// list ends with a divider. So a state is compared, and found in a map, as it is.
type state string

// divider ends a list. It is greater than all IDs: a mesh of the largest size, 2^24
// devices, has far fewer sub-axes.
const (
	end     = '\xff'
	divider = "\xff"
)

// newState returns the state of some lists.
func newState(lists [][]axisID) state {
	var b []byte
	for _, list := range lists {
		b = append(append(b, list...), end)
	}
	return state(b)
}

// rank returns the number of dimensions.
func (s state) rank() int { return strings.Count(string(s), divider) - 1 }

// bounds returns where list d starts and ends.
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

// list returns the sub-axes of dimension d; those over which s is unreduced are the
// list after the last dimension.
func (s state) list(d int) string {
	start, limit := s.bounds(d)
	return string(s[start:limit])
}

// withList returns s with another list d.
func (s state) withList(d int, list string) state {
	start, limit := s.bounds(d)
	return s[:start] + state(list) + s[limit:]
}

// unreducedStart returns the start of the list of sub-axes that s is unreduced over.
func (s state) unreducedStart() int { return strings.LastIndexByte(string(s[:len(s)-1]), end) + 1 }

func (s state) unreducedAxes() string { return string(s[s.unreducedStart() : len(s)-1]) }

// withUnreduced returns s with other sub-axes, in any order, to be unreduced over.
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

// move is an edge.
type move struct {
	// a kind of step that is no Pad, Trim, PadToOffset or HaloExchange, or one of those below
	kind Kind
	dim  int8
	to   int8
	ids  string // what is moved, major first; of Permute and NeighbourGather the new state
}

// Kinds of moves that are no kinds of steps.
const (
	// regroup only writes a sharding in another way: parts of 2 and 3 as parts of
	// 3 and 2. It makes no step.
	regroup = NeighbourGather + 1 + iota
	// maskDevices puts a sub-axis in front of a dimension that has at most one element for each of
	// its parts. On devices whose coordinate along the sub-axis is not 0, all elements become
	// padding. It makes no step.
	maskDevices
	// broadcastDevices is the inverse of maskDevices: those devices get what the
	// others hold, by a BitwiseAllReduce.
	broadcastDevices
)

// apply returns the state that m leads to.
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

// give returns s with IDs appended to list d.
func (s state) give(d int, ids string) state {
	_, limit := s.bounds(d)
	return s[:limit] + state(ids) + s[limit:]
}

// undo returns a state that m leads from to s, and the sub-axes that m then
// moves; the IDs of m itself stand for sizes. Sub-axes that m sets free are taken
// by pick among the unused ones of s.
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

// picker takes from a list sub-axes of the sizes that shape has, in its order.
type picker func(from, shape string) string
