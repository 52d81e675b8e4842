package compile

// This file implements the passes that combine collectives, combine_reduces and
// combine_gathers: they send several values at once.

import (
	"cmp"
	"container/heap"
	"fmt"
	"slices"

	"github.com/gomlx/compute/dtypes"

	"github.com/gospmd/gospmd/compile/cost"
	"github.com/gospmd/gospmd/ir"
	"github.com/gospmd/gospmd/ir/transform"
	"github.com/gospmd/gospmd/mesh"
	"github.com/gospmd/gospmd/program"
)

// combineReduces makes one variadic all_reduce of those that reduce over the
// same axes, in the same way, the same element type, and of which none needs
// another:
//
//	%2 = spmd.all_reduce %0 axes={"x"}
//	%3 = spmd.all_reduce %1 axes={"x"}   =>   %2:2 = spmd.all_reduce %0, %1 axes={"x"}
//
// The bytes stay the same; the latency is paid once. The operands are not
// concatenated: XLA's CPU backend would compute what makes them again inside of
// the concatenation.
//
// The combined op stands where the last of its parts stood, and what uses an
// earlier part moves behind it. Combining never makes a cycle: sets of ops grow
// one by one, as long as no path leads from the set to the op or back.
func combineReduces(f *ir.Func, m *mesh.DeviceMesh) {
	combine(f, func(op *ir.Op) (key string, ok bool) {
		t, ok := elementType(op)
		if op.Kind != ir.OpSPMDAllReduce || !ok {
			return "", false
		}
		reduce := op.SPMDAllReduce()
		axes := slices.Clone(reduce.Axes())
		slices.SortFunc(axes, m.CompareRefs) // a sum does not depend on their order
		return fmt.Sprint(axes, reduce.Reduction(), t), true
	})
}

// combineGathers makes one variadic all_gather of those along the same axes and
// dimension, of the same element type, of which none needs another:
//
//	%2 = spmd.all_gather %0 dim=0 axes={"x"}
//	%3 = spmd.all_gather %1 dim=0 axes={"x"}   =>   %2:2 = spmd.all_gather %0, %1 dim=0 axes={"x"}
//
// What is gathered early stays in memory until it is used. For each gather that
// is saved, that may cost as many bytes of memory as a launch costs
// (cost.Machine.LaunchBytes); where the peak of memory grows by more, only
// gathers that send less than that are combined.
//
// Only all_reduce and all_gather have several operands in StableHLO:
// a reduce_scatter stays alone.
func combineGathers(c *compilation) error {
	f := c.main()
	machine, before := c.options.machine(), -1
	launch := func(op *ir.Op) int { return machine.LaunchBytes(op.SPMDAllGather().Axes()) }
	for _, large := range []bool{true, false} { // whether gathers that send more than a launch are combined
		combined := f.Clone()
		saved := combine(combined, func(op *ir.Op) (key string, ok bool) {
			t, ok := elementType(op)
			if op.Kind != ir.OpSPMDAllGather || !ok || !large && cost.Sent(c.mesh, op) > launch(op) {
				return "", false
			}
			gather := op.SPMDAllGather()
			return fmt.Sprint(gather.Axes(), gather.Dim(), t), true
		})
		if len(saved) == 0 {
			return nil
		}
		if before < 0 {
			before = peakMemory(f, c.inputs)
		}
		worth := 0
		for _, op := range saved {
			worth += launch(op)
		}
		if peakMemory(combined, c.inputs)-before <= worth {
			c.module.Funcs[slices.Index(c.module.Funcs, f)] = combined
			return nil
		}
	}
	return nil
}

// peakMemory returns the memory that a run of the per-device function f takes in
// the order of its ops.
func peakMemory(f *ir.Func, inputs []program.Input) int {
	return cost.MemoryInOrder(f, func(result int) int {
		return slices.IndexFunc(inputs, func(in program.Input) bool { return in.Alias == result })
	}).Peak()
}

// elementType returns the element type of all operands of op; ok is false where
// they have several.
func elementType(op *ir.Op) (t dtypes.DType, ok bool) {
	for i, v := range op.Operands {
		if i > 0 && v.Type.DType != t {
			return t, false
		}
		t = v.Type.DType
	}
	return t, true
}

// combine combines the collectives of f to which key gives the same text, block
// by block, and returns those that this saves: of each set all but the first.
func combine(f *ir.Func, key func(*ir.Op) (string, bool)) (saved []*ir.Op) {
	var block func(b *ir.Block)
	block = func(b *ir.Block) {
		for op := range b.Ops() {
			if !op.Info().Is(ir.ScalarBody) {
				for _, r := range op.Regions {
					block(r)
				}
			}
		}
		saved = append(saved, newCombiner(b, key).run()...)
	}
	block(f.Body)
	return saved
}

// combiner combines the collectives of one block.
type combiner struct {
	block *ir.Block
	ops   []*ir.Op
	keys  []string // of each op, what collectives must share to be combined; of other ops ""
	needs [][]int  // of each op, the ops that make what it reads
}

// opSet is a set of collectives that become one.
type opSet struct {
	key   string
	ops   []int  // indices in the block
	above bitSet // sets that must come before
}

func newCombiner(b *ir.Block, key func(op *ir.Op) (string, bool)) *combiner {
	c := &combiner{block: b, ops: slices.Collect(b.Ops()), keys: make([]string, b.Len())}
	for i, op := range c.ops {
		if k, ok := key(op); ok {
			c.keys[i] = k
		}
	}
	return c
}

func (c *combiner) run() (saved []*ir.Op) {
	if !c.worthwhile() {
		return nil
	}
	c.findNeeds()
	sets := c.sets()
	c.reorder(sets)
	for _, s := range sets {
		for _, i := range s.ops[1:] {
			saved = append(saved, c.ops[i])
		}
	}
	return saved
}

// worthwhile reports whether two collectives have the same key.
func (c *combiner) worthwhile() bool {
	seen := map[string]bool{}
	for _, key := range c.keys {
		if seen[key] {
			return true
		}
		seen[key] = key != ""
	}
	return false
}

// findNeeds fills needs, from operands, from what regions use of the block and
// from the order of side effects.
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

// sets returns the sets of collectives, those of one op included.
func (c *combiner) sets() []*opSet {
	var found []int
	number := map[int]int{} // of the collective that an op is
	for i, key := range c.keys {
		if key != "" {
			number[i] = len(found)
			found = append(found, i)
		}
	}
	// above[i]: the collectives that op i needs, over any number of steps.
	above := make([]bitSet, len(c.ops))
	for i := range c.ops {
		above[i] = newBitSet(len(found))
		for _, j := range c.needs[i] {
			above[i].union(above[j])
			if k, ok := number[j]; ok {
				above[i].add(k)
			}
		}
	}
	var sets []*opSet
	of := make([]int, len(found)) // the set of each collective
	for k, i := range found {
		// The set's needs are those of its members, as sets.
		needs := newBitSet(len(found))
		for p := range k {
			if above[i].has(p) {
				needs.add(of[p])
				needs.union(sets[of[p]].above)
			}
		}
		of[k] = -1
		for n, s := range sets {
			if s.key == c.keys[i] && !needs.has(n) {
				of[k] = n
				s.ops = append(s.ops, i)
				break
			}
		}
		if of[k] < 0 {
			of[k] = len(sets)
			sets = append(sets, &opSet{key: c.keys[i], ops: []int{i}, above: newBitSet(len(found))})
		}
		n := of[k]
		sets[n].above.union(needs)
		for _, s := range sets { // what comes after the set now comes after these too
			if s.above.has(n) {
				s.above.union(sets[n].above)
			}
		}
	}
	return sets
}

// reorder makes one op of each set and puts what uses it behind it.
func (c *combiner) reorder(sets []*opSet) {
	// A node is a set or any other op; its number is the index of its last op. A
	// sum is needed late, by its rank: where its last part was. A gather is
	// needed where its first part was.
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
	waiting := make([]int, len(last)) // for how many nodes a node waits
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
			merge(set)
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

// merge replaces the members by one op at the end of their block. Its location
// and reason are those of the largest of them.
func merge(members []*ir.Op) {
	var operands []*ir.Value
	var types []ir.Type
	var made []*ir.OpID // what they were made for
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
func (b bitSet) union(o bitSet) {
	for i := range b {
		b[i] |= o[i]
	}
}

// intHeap gives its smallest number first.
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
