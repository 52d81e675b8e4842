package reshard

// This file lists the edges that leave a state.

import "slices"

// stateSpace is a graph of states: either of shardings, in which every ID is a
// sub-axis, or of their shapes, in which an ID stands for all sub-axes of a size.
type stateSpace struct {
	tensor     Tensor
	devices    int
	isLarge    bool                    // whether the axes of the mesh have more than fewParts prime parts
	limit      int                     // of live bytes
	size       []int                   // of a sub-axis, by ID
	count      []int                   // how many sub-axes an ID stands for
	overlap    [][]bool                // which sub-axes overlap; nil for none
	regroup    map[[2]axisID][2]axisID // what writes the same sharding as two neighbours
	goal       state
	subAxes    *subAxes // by ID; nil where an ID is a size
	lastResort bool     // whether a NeighbourGather to the goal is a move
	maxVisited int      // of states, by one search
	visited    int      // by all searches so far
}

// maxSelected is the number of sub-axes up to which all selections in all orders
// are tried where a dimension is uneven; of more, one at a time. One at a time is
// enough where blocks nest.
const maxSelected = 4

// parts returns the number of shards that a list of sub-axes makes.
func (sp *stateSpace) parts(list []axisID) int { return sp.product(string(list)) }

func (sp *stateSpace) product(ids string) int {
	n := 1
	for i := range len(ids) {
		n *= sp.size[ids[i]]
	}
	return n
}

// unused returns the sub-axes that s does not use, each as often as there are.
func (sp *stateSpace) unused(s state) []axisID {
	left := slices.Clone(sp.count)
	for _, list := range s {
		for _, l := range list {
			left[l]--
			if sp.overlap != nil {
				for o, hit := range sp.overlap[l] {
					if hit {
						left[o] = 0
					}
				}
			}
		}
	}
	var out []axisID
	for l, n := range left {
		for range n {
			out = append(out, axisID(l))
		}
	}
	return out
}

// summed returns the sub-axes over which s may be reduced: those over which the
// goal is not unreduced.
func (sp *stateSpace) summed(s state) []axisID { return without(s.unreduced(), sp.goal.unreduced()) }

// without returns the IDs of list less those of other.
func without(list, other []axisID) []axisID {
	var out []axisID
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
func (sp *stateSpace) moves(s state, visit func(move)) {
	unused, summed := sp.unused(s), sp.summed(s)
	for d := range s.rank() {
		list := s[d]
		free, pending := 1, 1
		if sp.uneven(d) {
			free, pending = len(unused), len(summed)
		}
		sp.selections(unused, free, func(ids string) { visit(move{Slice, int8(d), -1, ids}) })
		sp.selections(summed, pending, func(ids string) { visit(move{ReduceScatter, int8(d), -1, ids}) })
		for k := 1; k <= len(list); k++ {
			tail := string(list[len(list)-k:])
			visit(move{AllGather, int8(d), -1, tail})
			if k == len(list) && sp.tensor.Dims[d]%sp.parts(list) != 0 {
				visit(move{BitwiseAllReduce, int8(d), -1, tail})
			}
			for e := range s.rank() {
				if e != d {
					visit(move{AllToAll, int8(d), int8(e), tail})
				}
			}
			if sp.tiny(d, list[k:]) {
				visit(move{broadcastDevices, int8(d), -1, string(list[:k])})
			}
		}
		if sp.tiny(d, list) {
			sp.selections(unused, 1, func(ids string) { visit(move{maskDevices, int8(d), -1, ids}) })
		}
	}
	sp.subsets(summed, func(ids string) { visit(move{AllReduce, -1, -1, ids}) })
	wanted := without(sp.goal.unreduced(), s.unreduced())
	for i, l := range wanted {
		if !slices.Contains(wanted[:i], l) && slices.Contains(unused, l) {
			visit(move{ReplicatedToUnreduced, -1, -1, string([]axisID{l})})
		}
	}
	sp.regroupings(s, visit)
	if sp.lastResort {
		sp.lastResorts(s, visit)
	}
}

// maxNeighbours is the number of devices up to which it is worked out which ones each
// of them needs elements of.
const maxNeighbours = 1 << 13

// lastResorts visits a NeighbourGather to the goal, those to a sharding from which
// a permutation or a broadcast leads to the goal, and permutations.
func (sp *stateSpace) lastResorts(s state, visit func(move)) {
	if len(without(s.unreduced(), sp.goal.unreduced())) > 0 || sp.devices > maxNeighbours {
		return
	}
	goal := slices.Clone(sp.goal)
	goal[s.rank()] = s.unreduced()
	key := goal.key()
	visit(move{NeighbourGather, -1, -1, key})
	if sp.isLarge {
		return // they would be too many
	}
	for d := range goal.rank() {
		if sp.tiny(d, goal[d]) {
			sp.selections(sp.unused(goal), 1, func(ids string) {
				visit(move{NeighbourGather, -1, -1, goal.apply(move{maskDevices, int8(d), -1, ids}).key()})
			})
		}
	}
	sp.orders(goal, func(other state) { visit(move{NeighbourGather, -1, -1, other.key()}) })
	sp.orders(s, func(other state) { visit(move{Permute, -1, -1, other.key()}) })
}

// orders visits the shardings that a permutation makes of s, without s itself: all
// that have as many parts of each dimension.
func (sp *stateSpace) orders(s state, visit func(state)) {
	key := s.key()
	out := make(state, len(s))
	out[s.rank()] = s.unreduced()
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
		sp.selections(sp.unused(out), 1, func(ids string) {
			if left%sp.product(ids) == 0 {
				out[d] = append(slices.Clone(list), ids...)
				fill(d)
			}
		})
		out[d] = list
	}
	fill(0)
}

// uneven reports whether dimension d could need padding when it is sharded.
func (sp *stateSpace) uneven(d int) bool { return sp.tensor.Dims[d]%sp.devices != 0 }

// tiny reports whether dimension d has at most one element for each of the parts
// that list makes: a further major sub-axis would only mask devices.
func (sp *stateSpace) tiny(d int, list []axisID) bool {
	return sp.tensor.Dims[d] <= sp.devices && sp.tensor.Dims[d] <= sp.parts(list)
}

// selections calls visit for the ordered selections of up to most IDs.
func (sp *stateSpace) selections(from []axisID, most int, visit func(string)) {
	if len(from) > maxSelected {
		most = 1
	}
	buf := make([]axisID, 0, maxSelected)
	var extend func(left []axisID)
	extend = func(left []axisID) {
		for i, l := range left {
			if i > 0 && left[i-1] == l {
				continue // from is sorted: the same ID again
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

// compatible returns left without its element i and without what overlaps that.
func (sp *stateSpace) compatible(left []axisID, i int) []axisID {
	out := make([]axisID, 0, len(left)-1)
	for j, l := range left {
		if j != i && (sp.overlap == nil || !sp.overlap[left[i]][l]) {
			out = append(out, l)
		}
	}
	return out
}

// subsets calls visit for the subsets of from, or for the single IDs and all
// together where those are many.
func (sp *stateSpace) subsets(from []axisID, visit func(string)) {
	if len(from) == 0 {
		return
	}
	if len(from) > maxSelected {
		for i, l := range from {
			if i == 0 || from[i-1] != l {
				visit(string([]axisID{l}))
			}
		}
		visit(string(from))
		return
	}
	for mask := 1; mask < 1<<len(from); mask++ {
		var pick []axisID
		for i, l := range from {
			if mask>>i&1 == 1 {
				pick = append(pick, l)
			}
		}
		visit(string(pick))
	}
}

// regroupings visits the moves that write a list differently: neighbours of sizes
// 3 and 2 that together are neighbours of sizes 2 and 3.
func (sp *stateSpace) regroupings(s state, visit func(move)) {
	if len(sp.regroup) == 0 {
		return
	}
	for d := range s.rank() {
		for i := 1; i < len(s[d]); i++ {
			if other, ok := sp.regroup[[2]axisID{s[d][i-1], s[d][i]}]; ok {
				list := slices.Clone(s[d])
				list[i-1], list[i] = other[0], other[1]
				visit(move{regroup, int8(d), -1, string(list)})
			}
		}
	}
}
