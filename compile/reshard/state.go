package reshard

// This file defines the nodes of the graph in which a plan is a path.

import "slices"

// state is a layout: the labels of each dimension, major first, and as a last
// list, in ascending order, those over which a sum is outstanding.
type state [][]label

// divider ends a list in a key. It sorts after all labels.
const divider = 0xff

func (s state) rank() int     { return len(s) - 1 }
func (s state) rest() []label { return s[len(s)-1] }

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

// parseState undoes key.
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
	kind   Kind // Slice, AllGather, Union, AllToAll, ReduceScatter, AllReduce, KeepFirst, Permute, Exchange, or one of those below
	dim    int8
	to     int8
	labels string // what is moved, major first; of Permute and Exchange the key of the new state
}

// Kinds of moves that are no kinds of steps.
const (
	// regroup only writes a layout in another way: parts of 2 and 3 as parts of
	// 3 and 2. It makes no step.
	regroup = Exchange + 1 + iota
	// idle puts an atom in front of a dimension that has an element at most for
	// each of its parts: the devices whose coordinate along it is not 0 forget
	// what they hold. It makes no step.
	idle
	// wake undoes idle: those devices get what the others hold, as a Union.
	wake
)

// apply returns the state that m leads to.
func (s state) apply(m move) state {
	if m.kind == Permute || m.kind == Exchange {
		return parseState(m.labels)
	}
	out := slices.Clone(s)
	moved := []label(m.labels)
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
	case AllGather, Union:
		take(int(m.dim))
	case AllToAll:
		take(int(m.dim))
		give(int(m.to))
	case ReduceScatter:
		drop()
		give(int(m.dim))
	case AllReduce:
		drop()
	case KeepFirst:
		give(last)
		slices.Sort(out[last])
	case regroup:
		out[m.dim] = moved
	case idle:
		out[m.dim] = slices.Concat(moved, s[m.dim])
	case wake:
		out[m.dim] = s[m.dim][len(moved):]
	}
	return out
}

// undo returns a state that m leads from to s, and the labels that m then
// moves; the labels of m itself only tell sizes. Atoms that m sets free are
// taken by pick among the unused ones of s.
func (s state) undo(m move, sp *space, pick picker) (state, string) {
	out := slices.Clone(s)
	n, last, d := len(m.labels), len(s)-1, int(m.dim)
	var moved []label
	cut := func(d int) {
		at := len(s[d]) - n
		moved, out[d] = s[d][at:], s[d][:at:at]
	}
	give := func(d int) { out[d] = append(slices.Clone(out[d]), moved...) }
	switch m.kind {
	case Slice:
		cut(d)
	case AllGather, Union:
		moved = pick(sp.unused(s), m.labels)
		give(d)
	case AllToAll:
		cut(int(m.to))
		give(d)
	case ReduceScatter:
		cut(d)
		give(last)
	case AllReduce:
		moved = pick(sp.unused(s), m.labels)
		give(last)
	case idle:
		moved, out[d] = s[d][:n], s[d][n:]
	case wake:
		moved = pick(sp.unused(s), m.labels)
		out[d] = slices.Concat(moved, s[d])
	case KeepFirst:
		moved = pick(s.rest(), m.labels)
		out[last] = without(s.rest(), moved)
	}
	slices.Sort(out[last])
	return out, string(moved)
}

// picker takes from a list labels of the sizes that shape tells, in its order.
type picker func(from []label, shape string) []label
