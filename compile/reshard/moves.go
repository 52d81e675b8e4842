package reshard

// This file lists the edges that leave a state.

import (
	"bytes"
	"slices"
	"strings"
)

// stateSpace is a graph of states. The states are shardings, whose IDs are sub-axes, or shapes of
// shardings, in which an ID stands for all sub-axes of one size.
type stateSpace struct {
	tensor  Tensor
	devices int
	// whether the axes of the mesh have more than fewParts prime parts
	isLarge bool
	limit   int      // largest number of live bytes
	size    []int    // size of a sub-axis, by ID
	count   []int    // number of sub-axes that an ID stands for
	overlap [][]bool // which sub-axes overlap; nil if none do
	// two neighbouring IDs as the key; the value is two other IDs that stand for the same axes, cut at
	// another place
	regroup map[[2]axisID][2]axisID
	goal    state
	// the sub-axes that the IDs stand for; nil in a graph of shapes, where an ID stands for a size
	subAxes    *subAxes
	lastResort bool // whether a NeighbourGather to the goal counts as a move
	maxVisited int  // largest number of states that one search may visit
	visited    int  // number of states that all searches have visited
}

// maxSelected limits the selections of sub-axes for moves of uneven dimensions. If there are at
// most maxSelected sub-axes, all selections are tried in all orders. If there are more, only single
// sub-axes are tried, which is enough if blocks nest.
const maxSelected = 4

// parts returns the number of shards that a list of sub-axes makes.
func (sp *stateSpace) parts(list string) int {
	n := 1
	for i := range len(list) {
		n *= sp.size[list[i]]
	}
	return n
}

// unusedAxes returns the sub-axes that s does not use, and that overlap none that it uses. A
// sub-axis occurs as often as it is available.
func (sp *stateSpace) unusedAxes(s state) string {
	var left [end]int
	copy(left[:], sp.count)
	for i := range len(s) {
		l := s[i]
		if l == end {
			continue
		}
		left[l]--
		if sp.overlap != nil {
			for o, hit := range sp.overlap[l] {
				if hit {
					left[o] = 0
				}
			}
		}
	}
	var out []byte
	for l, n := range left[:len(sp.count)] {
		for range n {
			out = append(out, axisID(l))
		}
	}
	return string(out)
}

// summableAxes returns the sub-axes that s can be reduced over: those that it is unreduced over and
// the goal is not.
func (sp *stateSpace) summableAxes(s state) string {
	return withoutIDs(s.unreducedAxes(), sp.goal.unreducedAxes())
}

// withoutIDs returns the IDs of list without those of other: each as many times less as it occurs
// in other.
func withoutIDs(list, other string) string {
	if other == "" || list == "" {
		return list
	}
	out, rest := make([]byte, 0, len(list)), []byte(other)
	for i := range len(list) {
		if j := bytes.IndexByte(rest, list[i]); j >= 0 {
			rest = slices.Delete(rest, j, j+1)
			continue
		}
		out = append(out, list[i])
	}
	return string(out)
}

// moves calls visit for every move that is possible from the state s, except permutations: slices,
// gathers, reduce-scatters, all-to-alls, masks, broadcasts, sums, the change of copies to partial
// results where the goal has these, changes of how axes are divided and, with sp.lastResort, the
// moves of lastResorts. It does not check the limit of memory.
func (sp *stateSpace) moves(s state, visit func(move)) {
	unused, summed := sp.unusedAxes(s), sp.summableAxes(s)
	for d := range s.rank() {
		list := s.list(d)
		free, pending := 1, 1
		if sp.isUneven(d) {
			free, pending = len(unused), len(summed)
		}
		sp.selections(unused, free, func(ids string) { visit(move{Slice, int8(d), -1, ids}) })
		sp.selections(summed, pending, func(ids string) { visit(move{ReduceScatter, int8(d), -1, ids}) })
		for k := 1; k <= len(list); k++ {
			tail := list[len(list)-k:]
			visit(move{AllGather, int8(d), -1, tail})
			if k == len(list) && sp.tensor.Dims[d]%sp.parts(list) != 0 {
				visit(move{BitwiseAllReduce, int8(d), -1, tail})
			}
			for e := range s.rank() {
				if e != d {
					visit(move{AllToAll, int8(d), int8(e), tail})
				}
			}
			if sp.isTiny(d, list[k:]) {
				visit(move{broadcastDevices, int8(d), -1, list[:k]})
			}
		}
		if sp.isTiny(d, list) {
			sp.selections(unused, 1, func(ids string) { visit(move{maskDevices, int8(d), -1, ids}) })
		}
	}
	sp.subsets(summed, func(ids string) { visit(move{AllReduce, -1, -1, ids}) })
	wanted := withoutIDs(sp.goal.unreducedAxes(), s.unreducedAxes())
	for i := range len(wanted) {
		if strings.IndexByte(wanted[:i], wanted[i]) < 0 && strings.IndexByte(unused, wanted[i]) >= 0 {
			visit(move{ReplicatedToUnreduced, -1, -1, wanted[i : i+1]})
		}
	}
	sp.regroupings(s, visit)
	if sp.lastResort {
		sp.lastResorts(s, visit)
	}
}

// maxNeighbours is the largest number of devices of a NeighbourGather. On larger meshes computing
// which neighbours each device needs would take too long.
const maxNeighbours = 1 << 13

// lastResorts calls visit for permutations and for several NeighbourGathers: one to the goal, and
// those to shardings that become the goal by a permutation or a broadcast. On a large mesh it
// visits only the one to the goal. It visits nothing if partial results must still be reduced, or
// for more than maxNeighbours devices.
func (sp *stateSpace) lastResorts(s state, visit func(move)) {
	if len(withoutIDs(s.unreducedAxes(), sp.goal.unreducedAxes())) > 0 || sp.devices > maxNeighbours {
		return
	}
	goal := sp.goal.withUnreduced(s.unreducedAxes())
	visit(move{NeighbourGather, -1, -1, string(goal)})
	if sp.isLarge {
		return // there would be too many moves
	}
	for d := range goal.rank() {
		if sp.isTiny(d, goal.list(d)) {
			sp.selections(sp.unusedAxes(goal), 1, func(ids string) {
				visit(move{NeighbourGather, -1, -1, string(goal.apply(move{maskDevices, int8(d), -1, ids}))})
			})
		}
	}
	sp.orders(goal, func(other state) { visit(move{NeighbourGather, -1, -1, string(other)}) })
	sp.orders(s, func(other state) { visit(move{Permute, -1, -1, string(other)}) })
}

// orders calls visit for the shardings that a permutation can make of s, except s itself: all that
// have the same number of parts of each dimension, and are unreduced over the same sub-axes.
func (sp *stateSpace) orders(s state, visit func(state)) {
	rank := s.rank()
	var fill func(d int, out state)
	fill = func(d int, out state) {
		if d == rank {
			if out != s {
				visit(out)
			}
			return
		}
		left := sp.parts(s.list(d)) / sp.parts(out.list(d))
		if left == 1 {
			fill(d+1, out)
			return
		}
		sp.selections(sp.unusedAxes(out), 1, func(ids string) {
			if left%sp.parts(ids) == 0 {
				fill(d, out.give(d, ids))
			}
		})
	}
	fill(0, state(strings.Repeat(divider, rank)+s.unreducedAxes()+divider))
}

// isUneven reports whether dimension d may need padding if it is sharded.
func (sp *stateSpace) isUneven(d int) bool { return sp.tensor.Dims[d]%sp.devices != 0 }

// isTiny reports whether dimension d has no more elements than the number of parts that list makes:
// a further major sub-axis would then only mask devices.
func (sp *stateSpace) isTiny(d int, list string) bool {
	return sp.tensor.Dims[d] <= sp.devices && sp.tensor.Dims[d] <= sp.parts(list)
}

// selections calls visit for all ordered selections of IDs of from, which is ascending, with 1 to
// most IDs that do not overlap; each selection once. If from has more than maxSelected IDs, it
// visits only single IDs.
func (sp *stateSpace) selections(from string, most int, visit func(string)) {
	if len(from) > maxSelected {
		most = 1
	}
	var extend func(done, left string)
	extend = func(done, left string) {
		for i := range len(left) {
			if i > 0 && left[i-1] == left[i] {
				continue // from is sorted, and this ID has been tried
			}
			ids := done + left[i:i+1]
			visit(ids)
			if len(ids) < most {
				extend(ids, sp.dropOverlaps(left, i))
			}
		}
	}
	extend("", from)
}

// dropOverlaps returns left without its element i and the elements that overlap it.
func (sp *stateSpace) dropOverlaps(left string, i int) string {
	if sp.overlap == nil {
		return left[:i] + left[i+1:]
	}
	var out []byte
	for j := range len(left) {
		if j != i && !sp.overlap[left[i]][left[j]] {
			out = append(out, left[j])
		}
	}
	return string(out)
}

// subsets calls visit for the subsets of from that are not empty. If from has more than maxSelected
// IDs, it visits only single IDs and the full set.
func (sp *stateSpace) subsets(from string, visit func(string)) {
	if len(from) == 0 {
		return
	}
	if len(from) > maxSelected {
		for i := range len(from) {
			if i == 0 || from[i-1] != from[i] {
				visit(from[i : i+1])
			}
		}
		visit(from)
		return
	}
	for mask := 1; mask < 1<<len(from); mask++ {
		pick := ""
		for i := range len(from) {
			if mask>>i&1 == 1 {
				pick += from[i : i+1]
			}
		}
		visit(pick)
	}
}

// regroupings calls visit for the moves that cut a list in another way: neighbours of sizes 3 and 2
// together are the same as neighbours of sizes 2 and 3.
func (sp *stateSpace) regroupings(s state, visit func(move)) {
	if len(sp.regroup) == 0 {
		return
	}
	for d := range s.rank() {
		list := s.list(d)
		for i := 1; i < len(list); i++ {
			if other, ok := sp.regroup[[2]axisID{list[i-1], list[i]}]; ok {
				visit(move{regroup, int8(d), -1, list[:i-1] + string(other[:]) + list[i+1:]})
			}
		}
	}
}
