package reshard

// This file lists the edges that leave a state.

import "slices"

// space is a graph of states: either of labelled ones, in which every label is
// an atom, or of their shapes, in which a label stands for all atoms of a size.
type space struct {
	tensor  Tensor
	devices int
	cuts    int                   // the number of atoms that the mesh is cut into
	limit   int                   // of live bytes
	size    []int                 // number of parts, by label
	count   []int                 // how many atoms a label stands for
	clash   [][]bool              // which labels exclude each other; nil for none
	regroup map[[2]label][2]label // what writes the same layout as two neighbours
	goal    state
	atoms   *atoms // of the labels; nil where a label is a size
	resort  bool   // whether an Exchange to the goal is a move
}

// maxDraw is the number of atoms from which all selections in all orders are
// tried at once where a dimension is uneven; of more, one at a time. One at a
// time is enough where blocks nest.
const maxDraw = 4

// parts returns the number of parts that list makes.
func (sp *space) parts(list []label) int { return sp.product(string(list)) }

func (sp *space) product(labels string) int {
	n := 1
	for i := range len(labels) {
		n *= sp.size[labels[i]]
	}
	return n
}

// unused returns the atoms that s does not use, each as often as there are.
func (sp *space) unused(s state) []label {
	left := slices.Clone(sp.count)
	for _, list := range s {
		for _, l := range list {
			left[l]--
			if sp.clash != nil {
				for o, hit := range sp.clash[l] {
					if hit {
						left[o] = 0
					}
				}
			}
		}
	}
	var out []label
	for l, n := range left {
		for range n {
			out = append(out, label(l))
		}
	}
	return out
}

// summed returns the labels of s over which a sum may be taken: those that the
// goal does not leave outstanding.
func (sp *space) summed(s state) []label { return without(s.rest(), sp.goal.rest()) }

// without returns the labels of list less those of other.
func without(list, other []label) []label {
	var out []label
	other = slices.Clone(other)
	for _, l := range list {
		if i := slices.Index(other, l); i >= 0 {
			other = slices.Delete(other, i, i+1)
			continue
		}
		out = append(out, l)
	}
	return out
}

// moves calls visit for every move that leaves s but permutations.
func (sp *space) moves(s state, visit func(move)) {
	unused, summed := sp.unused(s), sp.summed(s)
	for d := range s.rank() {
		list := s[d]
		free, pending := 1, 1
		if sp.uneven(d) {
			free, pending = len(unused), len(summed)
		}
		sp.draw(unused, free, func(labels string) { visit(move{Slice, int8(d), -1, labels}) })
		sp.draw(summed, pending, func(labels string) { visit(move{ReduceScatter, int8(d), -1, labels}) })
		for k := 1; k <= len(list); k++ {
			tail := string(list[len(list)-k:])
			visit(move{AllGather, int8(d), -1, tail})
			if k == len(list) && sp.tensor.Dims[d]%sp.parts(list) != 0 {
				visit(move{Union, int8(d), -1, tail})
			}
			for e := range s.rank() {
				if e != d {
					visit(move{AllToAll, int8(d), int8(e), tail})
				}
			}
			if sp.tiny(d, list[k:]) {
				visit(move{wake, int8(d), -1, string(list[:k])})
			}
		}
		if sp.tiny(d, list) {
			sp.draw(unused, 1, func(labels string) { visit(move{idle, int8(d), -1, labels}) })
		}
	}
	sp.subsets(summed, func(labels string) { visit(move{AllReduce, -1, -1, labels}) })
	wanted := without(sp.goal.rest(), s.rest())
	for i, l := range wanted {
		if !slices.Contains(wanted[:i], l) && slices.Contains(unused, l) {
			visit(move{KeepFirst, -1, -1, string([]label{l})})
		}
	}
	sp.regroupings(s, visit)
	if sp.resort {
		sp.exchanges(s, visit)
	}
}

// exchanges visits the last resorts: an Exchange to the goal, or to a layout from
// which a permutation or a wake leads to the goal; and permutations.
func (sp *space) exchanges(s state, visit func(move)) {
	if len(without(s.rest(), sp.goal.rest())) > 0 {
		return
	}
	goal := slices.Clone(sp.goal)
	goal[s.rank()] = s.rest()
	key := goal.key()
	visit(move{Exchange, -1, -1, key})
	if sp.cuts > smallAtoms {
		return // they would be too many
	}
	for d := range goal.rank() {
		if sp.tiny(d, goal[d]) {
			sp.draw(sp.unused(goal), 1, func(labels string) {
				visit(move{Exchange, -1, -1, goal.apply(move{idle, int8(d), -1, labels}).key()})
			})
		}
	}
	sp.orders(goal, func(other state) { visit(move{Exchange, -1, -1, other.key()}) })
	sp.orders(s, func(other state) { visit(move{Permute, -1, -1, other.key()}) })
}

// orders visits the layouts that a permutation makes of s, s itself left out: all
// that have as many parts of each dimension.
func (sp *space) orders(s state, visit func(state)) {
	key := s.key()
	out := make(state, len(s))
	out[s.rank()] = s.rest()
	var fill func(d int)
	fill = func(d int) {
		if d == s.rank() {
			if out.key() != key {
				visit(slices.Clone(out))
			}
			return
		}
		left := sp.parts(s[d]) / sp.parts(out[d])
		if left == 1 {
			fill(d + 1)
			return
		}
		list := out[d]
		sp.draw(sp.unused(out), 1, func(labels string) {
			if left%sp.product(labels) == 0 {
				out[d] = append(slices.Clone(list), labels...)
				fill(d)
			}
		})
		out[d] = list
	}
	fill(0)
}

// uneven reports whether some split of dimension d could need padding.
func (sp *space) uneven(d int) bool { return sp.tensor.Dims[d]%sp.devices != 0 }

// tiny reports whether dimension d has at most one element for each of the parts
// that list makes: so that parts in front of them would hold nothing.
func (sp *space) tiny(d int, list []label) bool {
	return sp.tensor.Dims[d] <= sp.devices && sp.tensor.Dims[d] <= sp.parts(list)
}

// draw calls visit for the ordered selections of up to most labels.
func (sp *space) draw(from []label, most int, visit func(string)) {
	if len(from) > maxDraw {
		most = 1
	}
	buf := make([]label, 0, maxDraw)
	var extend func(left []label)
	extend = func(left []label) {
		for i, l := range left {
			if i > 0 && left[i-1] == l {
				continue // from is sorted: the same label again
			}
			buf = append(buf, l)
			visit(string(buf))
			if len(buf) < most {
				extend(sp.compatible(left, i))
			}
			buf = buf[:len(buf)-1]
		}
	}
	extend(from)
}

// compatible returns left without its element i and without what that
// excludes.
func (sp *space) compatible(left []label, i int) []label {
	out := make([]label, 0, len(left)-1)
	for j, l := range left {
		if j != i && (sp.clash == nil || !sp.clash[left[i]][l]) {
			out = append(out, l)
		}
	}
	return out
}

// subsets calls visit for the subsets of from, or for the single labels and
// all together where those are many.
func (sp *space) subsets(from []label, visit func(string)) {
	if len(from) == 0 {
		return
	}
	if len(from) > maxDraw {
		for i, l := range from {
			if i == 0 || from[i-1] != l {
				visit(string([]label{l}))
			}
		}
		visit(string(from))
		return
	}
	for mask := 1; mask < 1<<len(from); mask++ {
		var pick []label
		for i, l := range from {
			if mask>>i&1 == 1 {
				pick = append(pick, l)
			}
		}
		visit(string(pick))
	}
}

// regroupings visits the ways to write a list differently: neighbours of sizes
// 3 and 2 that together are neighbours of sizes 2 and 3.
func (sp *space) regroupings(s state, visit func(move)) {
	if len(sp.regroup) == 0 {
		return
	}
	for d := range s.rank() {
		for i := 1; i < len(s[d]); i++ {
			if other, ok := sp.regroup[[2]label{s[d][i-1], s[d][i]}]; ok {
				list := slices.Clone(s[d])
				list[i-1], list[i] = other[0], other[1]
				visit(move{regroup, int8(d), -1, string(list)})
			}
		}
	}
}
