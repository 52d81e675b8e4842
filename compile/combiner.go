package compile

// This file combines collectives for passes combine_reduces and combine_gathers: it finds sets of
// independent collectives, and moves each set to one place.

import (
	"cmp"
	"container/heap"
	"fmt"
	"slices"

	"github.com/gospmd/gospmd/ir"
	"github.com/gospmd/gospmd/ir/transform"
)

// combiner combines the collectives of one block. ops are those of the block, in order.
type combiner struct {
	block *ir.Block
	ops   []*ir.Op
	// for each op of the block, the number of its key; 0 if it is not a collective. Collectives
	// with equal numbers may be combined
	keys  []int
	needs [][]int // for each op, the indices of the ops that it depends on
}

// opSet is a set of collectives that become one.
type opSet struct {
	key   int
	ops   []int  // indices in the block
	above bitSet // the sets that must come before this one
}

func newCombiner(b *ir.Block, key func(op *ir.Op) (string, bool)) *combiner {
	c := &combiner{block: b, ops: slices.Collect(b.Ops()), keys: make([]int, b.Len())}
	numbers := map[string]int{}
	for i, op := range c.ops {
		if k, ok := key(op); ok {
			if numbers[k] == 0 {
				numbers[k] = len(numbers) + 1
			}
			c.keys[i] = numbers[k]
		}
	}
	return c
}

// run moves the collectives of each set to one place. place gets the members of a set of two or
// more and appends them, or one op for all, to the block; the ops that use them follow. run returns
// the members that are saved: all of each set except the first. Without equal keys it changes
// nothing.
func (c *combiner) run(place func(members []*ir.Op)) (saved []*ir.Op) {
	if !c.isWorthwhile() {
		return nil
	}
	c.findNeeds()
	sets := c.sets()
	c.reorder(sets, place)
	for _, s := range sets {
		for _, i := range s.ops[1:] {
			saved = append(saved, c.ops[i])
		}
	}
	return saved
}

// isWorthwhile reports whether any two collectives have the same key, other than 0.
func (c *combiner) isWorthwhile() bool {
	seen := map[int]bool{}
	for _, key := range c.keys {
		if seen[key] {
			return true
		}
		seen[key] = key != 0
	}
	return false
}

// findNeeds sets needs: an op depends on its operands, on values of the block that its regions use,
// and on earlier ops with side effects if it has one itself.
func (c *combiner) findNeeds() {
	index := make(map[*ir.Op]int, len(c.ops))
	for i, op := range c.ops {
		index[op] = i
	}
	c.needs = make([][]int, len(c.ops))
	effect := -1
	for i, op := range c.ops {
		op.Walk(func(o *ir.Op) {
			for _, v := range o.Operands {
				if j, ok := index[v.Def()]; ok && v.Def() != nil && j < i {
					c.needs[i] = append(c.needs[i], j)
				}
			}
		})
		if transform.HasSideEffect(op) {
			if effect >= 0 {
				c.needs[i] = append(c.needs[i], effect)
			}
			effect = i
		}
	}
}

// maxWindow is the largest number of collectives that are compared in pairs. A longer program is
// split into windows, in program order. No path between two ops of a window leaves it.
const maxWindow = 2048

// sets returns the sets of collectives in the block that may become one op each, also sets of a
// single collective. It looks at windows of maxWindow collectives, one after the other.
func (c *combiner) sets() (out []*opSet) {
	var found []int
	for i, key := range c.keys {
		if key != 0 {
			found = append(found, i)
		}
	}
	for window := range slices.Chunk(found, maxWindow) {
		out = append(out, c.setsOf(window)...)
	}
	return out
}

// setsOf divides the collectives of a window, which has their indices in the block, into sets with
// equal keys. It sets above, so that there is an order of the sets in which none needs a later one;
// the result need not have this order.
func (c *combiner) setsOf(window []int) (sets []*opSet) {
	above := c.dependenciesIn(window)
	of := make([]int, len(window)) // the number of each collective's set
	for k, i := range window {
		// A set must come after the sets that its members must come after. These include all sets
		// that are above them.
		needs := newBitSet(len(window))
		for p := k - 1; p >= 0; p-- {
			if above[i-window[0]].has(p) && !needs.has(of[p]) {
				needs.add(of[p])
				needs.union(sets[of[p]].above)
			}
		}
		n := 0
		for n < len(sets) && (sets[n].key != c.keys[i] || needs.has(n)) {
			n++
		}
		if n == len(sets) {
			of[k] = len(sets)
			sets = append(sets, &opSet{key: c.keys[i], ops: []int{i}, above: needs})
			continue
		}
		of[k] = n
		sets[n].ops = append(sets[n].ops, i)
		if !sets[n].above.union(needs) {
			continue
		}
		for _, s := range sets { // sets that come after the set now also come after these
			if s.above.has(n) {
				s.above.union(needs)
			}
		}
	}
	return sets
}

// dependenciesIn returns, for each op of the block from the first of a window to the last, the
// collectives of the window that it depends on, directly or through other ops, as indices in
// window.
func (c *combiner) dependenciesIn(window []int) []bitSet {
	first, last := window[0], window[len(window)-1]
	out := make([]bitSet, last+1-first)
	next := 0 // the first collective of the window that is not before op i
	for i := first; i <= last; i++ {
		out[i-first] = newBitSet(len(window))
		for _, j := range c.needs[i] {
			if j < first {
				continue
			}
			out[i-first].union(out[j-first])
			if k, ok := slices.BinarySearch(window[:next], j); ok {
				out[i-first].add(k)
			}
		}
		if window[next] == i {
			next++
		}
	}
	return out
}

// reorder puts the ops of the block in another order: the ops that use a set come behind it, and
// each op behind what it needs. A set of all_gathers takes the place of its first member if it can,
// any other set that of its last one. reorder calls place with the members of each set of two or
// more, which appends them, or one op for all, to the block.
func (c *combiner) reorder(sets []*opSet, place func(members []*ir.Op)) {
	// A node is a set or any other op. Its number is the index of its last op. Nodes are ordered by
	// rank: a set of sums has the rank of its last member, because sums are needed late; a set of
	// gathers has that of its first member.
	last := make([]int, len(c.ops))
	rank := make([]int, len(c.ops))
	members := make(map[int][]*ir.Op)
	for i := range last {
		last[i], rank[i] = i, i
	}
	for _, s := range sets {
		end := slices.Max(s.ops)
		for _, i := range s.ops {
			last[i] = end
			members[end] = append(members[end], c.ops[i])
		}
		if c.ops[end].Kind == ir.OpSPMDAllGather {
			rank[end] = s.ops[0]
		}
	}
	waiting := make([]int, len(last)) // the number of nodes that a node waits for
	users := make([][]int, len(last))
	for i, needs := range c.needs {
		for _, j := range needs {
			from, to := last[j], last[i]
			users[from] = append(users[from], to)
			waiting[to]++
		}
	}
	ready := &intHeap{}
	for i := range last {
		if last[i] == i && waiting[i] == 0 {
			heap.Push(ready, rank[i])
		}
	}
	placed := 0
	for ready.Len() > 0 {
		i := last[heap.Pop(ready).(int)]
		if set := members[i]; len(set) > 1 {
			place(set)
			placed += len(set)
		} else {
			c.ops[i].MoveToEnd(c.block)
			placed++
		}
		for _, to := range users[i] {
			if waiting[to]--; waiting[to] == 0 {
				heap.Push(ready, rank[to])
			}
		}
	}
	if placed != len(c.ops) || c.block.Terminator() != c.ops[placed-1] {
		panic("BUG: combined collectives need each other")
	}
}

// moveToEnd moves the collectives of one set, members, to the end of their block, next to each
// other. They stay separate ops.
func moveToEnd(members []*ir.Op) {
	for _, op := range members {
		op.MoveToEnd(op.Block())
	}
}

// merge replaces the collectives of one set, members, by a single op at the end of their block,
// which has all of their operands and results. It has the location and the reason of the largest
// one, and says how many more there are.
func merge(members []*ir.Op) {
	var operands []*ir.Value
	var types []ir.Type
	var made []*ir.OpID // the ops that the members were made for
	for _, op := range members {
		made = append(made, op.Loc.Op)
		operands = append(operands, op.Operands...)
		for _, r := range op.Results {
			types = append(types, r.Type)
		}
	}
	largest := slices.MaxFunc(members, func(a, b *ir.Op) int { return cmp.Compare(operandBytes(a), operandBytes(b)) })
	all := ir.NewOp(largest.Kind, operands, largest.Attrs, types)
	all.Loc = largest.Loc
	all.Loc.Op = ir.JoinOps(made...)
	if why, ok := largest.Attrs.Get("why").(ir.String); ok {
		all.Attrs = all.Attrs.With("why", ir.String(fmt.Sprintf("%s; %d more go with it", why, len(members)-1)))
	}
	members[0].Block().Append(all)
	results := all.Results
	for _, op := range members {
		n := len(op.Results)
		op.ReplaceWith(results[:n]...)
		results = results[n:]
	}
}

func operandBytes(op *ir.Op) int {
	n := 0
	for _, v := range op.Operands {
		n += v.Type.MemoryBytes()
	}
	return n
}

// bitSet is a set of small numbers.
type bitSet []uint64

func newBitSet(n int) bitSet    { return make(bitSet, (n+63)/64) }
func (b bitSet) add(i int)      { b[i/64] |= 1 << (i % 64) }
func (b bitSet) has(i int) bool { return b[i/64]>>(i%64)&1 != 0 }

// union adds the numbers of o, and reports whether any of them is new.
func (b bitSet) union(o bitSet) (grown bool) {
	for i := range b {
		grown = grown || o[i]&^b[i] != 0
		b[i] |= o[i]
	}
	return grown
}

// intHeap is a heap with the smallest number first.
type intHeap []int

func (h intHeap) Len() int           { return len(h) }
func (h intHeap) Less(i, j int) bool { return h[i] < h[j] }
func (h intHeap) Swap(i, j int)      { h[i], h[j] = h[j], h[i] }
func (h *intHeap) Push(x any)        { *h = append(*h, x.(int)) }
func (h *intHeap) Pop() any {
	last := (*h)[len(*h)-1]
	*h = (*h)[:len(*h)-1]
	return last
}
