package memory

// This file writes the program of a choice:
//
//	%h = tanh %x                         %h = tanh %x
//	%y = … %h …                          %y = … %h …
//	…                              =>    …
//	%d = multiply %g, %h                 %x1, %a = optimization_barrier %x, %g
//	                                     %h1 = tanh %x1
//	                                     %d = multiply %g, %h1
//
// A value that is moved to the host is stored behind the op that makes it, and fetched (moves.go).
// Compressed values are like those that are moved, but stay in the memory of the device
// (compress.go).
//
// A copy stands before the first kernel behind the gap that reads it, with copies of the ops that
// the compiler fuses into it. The values that a copy reads are held back (hold.go). Their anchor is
// the last value that is computed before that kernel.

import (
	"maps"
	"slices"

	"github.com/gospmd/gospmd/internal/layerpath"
	"github.com/gospmd/gospmd/ir"
	"github.com/gospmd/gospmd/ir/transform"
)

// rewriter inserts the copies of the choice c into a clone of the function of the problem p.
type rewriter struct {
	*builder
	p        *problem
	c        choice
	copies   []span            // by value: when its copy is in memory
	barrier  bool              // values are held back by optimization_barriers
	original map[*ir.Op]*ir.Op // the op of the problem's function, by op of the clone
	made     []*ir.Op          // by step: the last op of its kernel, if that stands before the place
	copied   map[*ir.Op]*ir.Op // the copy of an op that is the last of its kernel
	// the fetched values, by the value of the clone that they are equal to
	fetched map[*ir.Value]*ir.Value
	stores  []store
	late    map[*ir.Op][]int // the transposed operands to evict (indices of values), by original op

	places int // how many places have been visited
	place      // where ops are inserted
}

// place is a kernel of the clone before which copies are inserted.
type place struct {
	b     ir.Builder
	op    *ir.Op                  // the last op of the kernel
	step  int                     // the step at which the kernel reads the copies
	fused map[*ir.Op]*ir.Op       // copies of ops that the compiler fuses into kernels
	held  map[*ir.Value]*ir.Value // the value that copies read instead: equal, but held back
}

// rewrite returns a clone of the function with the copies of the choice c. copies has, by value,
// the steps of each copy (evaluator.copies). o says what the target's compiler does.
func (b *builder) rewrite(p *problem, c choice, copies []span, o Options) *ir.Func {
	f := b.f.Clone()
	r := &rewriter{builder: b, p: p, c: c, copies: copies, barrier: o.KeepsBarriers, original: map[*ir.Op]*ir.Op{},
		made: make([]*ir.Op, len(p.base)), copied: map[*ir.Op]*ir.Op{}, fetched: map[*ir.Value]*ir.Value{}, late: map[*ir.Op][]int{}}
	for i, v := range p.values {
		if v.holds != nil && c.evicted[i] {
			r.late[v.holds] = append(r.late[v.holds], i)
		}
	}
	ops := slices.Collect(f.Body.Ops())
	for op := range b.f.Body.Ops() {
		r.original[ops[len(r.original)]] = op
	}
	for _, op := range ops {
		if b.steps[r.original[op]] != nil {
			r.visit(op)
			r.made[b.end(r.original[op])] = op
		}
	}
	if o.StoresLate {
		r.awaitStores()
	}
	transform.EliminateDeadOps(f, transform.DeadOps{})
	return f
}

// visit makes op, the last op of a kernel, read copies of the values that c frees before op runs.
func (r *rewriter) visit(op *ir.Op) {
	original := r.original[op]
	byStep := map[int][]ir.Use{}
	op.Walk(func(o *ir.Op) {
		for i, v := range o.Operands {
			step := r.steps[original][0]
			switch {
			case r.isLate(original, v):
				step = r.end(original)
			case o == op:
				step = r.readAt(original, original.Operands[i])
			}
			byStep[step] = append(byStep[step], ir.Use{Op: o, Operand: i})
		}
	})
	for _, step := range slices.Sorted(maps.Keys(byStep)) {
		r.read(op, step, byStep[step])
	}
}

// read makes uses, which are uses of operands by op or by ops in its regions at the given step,
// read copies of the values that c has freed, and inserts these copies before op. Other operands
// stay.
func (r *rewriter) read(op *ir.Op, step int, uses []ir.Use) {
	r.places++
	r.place = place{op: op, step: step, fused: map[*ir.Op]*ir.Op{}, held: map[*ir.Value]*ir.Value{}}
	r.b.Before(op).Loc = op.Loc
	var values []*ir.Value
	var late []bool
	for _, u := range uses {
		v := u.Op.Operands[u.Operand]
		values, late = append(values, v), append(late, r.isLate(r.original[op], v))
	}
	r.holdBack(values, late)
	for i, u := range uses {
		if def := values[i].Def(); def == nil || r.original[def] != nil {
			u.Op.SetOperand(u.Operand, r.fresh(values[i], late[i]))
		}
	}
}

// isLate reports whether c evicts the transposed form of v, an operand of the original op: then v
// is held back until op.
func (r *rewriter) isLate(op *ir.Op, v *ir.Value) bool {
	return slices.ContainsFunc(r.late[op], func(i int) bool { return r.p.values[i].size == v.Type.MemoryBytes() })
}

// valueOf returns the index of the value that op, an op of the clone, writes; ok is false if op is
// fused into kernels.
func (r *rewriter) valueOf(op *ir.Op) (i int, ok bool) {
	i, ok = r.index[r.original[op]]
	return i, ok
}

// isCopied reports whether the place reads a copy of value i, because c has freed the value before.
func (r *rewriter) isCopied(i int) bool {
	free := r.p.values[i].last
	if r.c.evicted[i] {
		free = r.p.values[i].early
	}
	return r.copies[i].from != none && r.step > free
}

// touched reports whether op, or an op that is fused into its kernel, reads a value that the place
// reads as a copy. seen marks the ops that were visited.
func (r *rewriter) touched(op *ir.Op, seen map[*ir.Op]bool) (found bool) {
	operands(op, func(v *ir.Value) {
		def := v.Def()
		if found || def == nil || r.original[def] == nil || seen[def] {
			return
		}
		seen[def] = true
		if i, ok := r.valueOf(def); ok {
			found = r.isCopied(i)
			return
		}
		found = r.touched(def, seen)
	})
	return found
}

// fresh returns the value that is read instead of v at the place: v itself, a copy, or a value that
// is held back. It inserts the copies that do not exist yet. again says that a copy reads v.
func (r *rewriter) fresh(v *ir.Value, again bool) *ir.Value {
	op := v.Def()
	if op != nil && r.original[op] != nil {
		if i, ok := r.valueOf(op); !ok {
			if len(op.Operands) == 0 || !again && !r.touched(op, map[*ir.Op]bool{}) {
				return v
			}
			if r.fused[op] == nil {
				r.fused[op] = r.copyOf(op, again)
			}
			return r.fused[op].Results[v.Index()]
		} else if r.isCopied(i) {
			v = r.copyOfValue(i, v)
		}
	}
	if held := r.held[v]; again && held != nil {
		return held
	}
	return v
}

// copyOfValue returns the copy of v, a result of value i: one that was fetched, or computed again.
// It inserts the copy if it does not exist yet.
func (r *rewriter) copyOfValue(i int, v *ir.Value) *ir.Value {
	op := v.Def()
	if r.c.isAway(i) {
		if r.fetched[v] == nil {
			r.fetched[v] = r.fetch(i, v)
		}
		return r.fetched[v]
	}
	if r.copied[op] == nil {
		r.copied[op] = r.copyOf(op, true)
	}
	return r.copied[op].Results[v.Index()]
}

// existing returns the copy of v, a result of value i, that there is already; nil if there is none.
func (r *rewriter) existing(i int, v *ir.Value) *ir.Value {
	if op := r.copied[v.Def()]; op != nil {
		return op.Results[v.Index()]
	}
	return r.fetched[v]
}

// copyOf inserts a copy of op, whose operands are the values that fresh returns. If again is true,
// the path of the copy says that it computes something again: package aot looks for that path in
// the compiled program.
func (r *rewriter) copyOf(op *ir.Op, again bool) *ir.Op {
	c := ir.Cloner{}
	operands(op, func(v *ir.Value) {
		if w := r.fresh(v, again); w != v {
			c[v] = w
		}
	})
	out := c.Op(op)
	if again {
		out.Loc.Path = layerpath.Again(out.Loc.Path, r.places)
	}
	return r.b.Insert(out)
}

// holdBack holds back the existing values that copies for the place read, and stores what is read
// instead in r.held. values are what the place reads, and late says which of them are transposed
// operands that are evicted: the fused ops of these are copied too. Without an anchor it does
// nothing.
func (r *rewriter) holdBack(values []*ir.Value, late []bool) {
	h := &holder{b: &r.b, barrier: r.barrier, anchor: r.anchor()}
	if h.anchor == nil {
		return
	}
	reads := &reads{r: r, h: h, seen: map[readKey]bool{}}
	for i, v := range values {
		if late[i] {
			reads.kernel([]*ir.Value{v}, false)
		} else {
			reads.visit(v, false, nil)
		}
	}
	if len(reads.list) == 0 {
		return
	}
	for i, held := range h.hold(reads.list) {
		r.held[reads.list[i]] = held
	}
}

// anchor returns the value that is computed last before the place and stays in memory; nil if there
// is none.
func (r *rewriter) anchor() *ir.Value { return r.anchorBefore(r.step) }

// anchorBefore returns the value that is computed last before a step and stays in memory, if its op
// stands before the place; nil if there is none.
func (r *rewriter) anchorBefore(step int) *ir.Value {
	for t := step - 1; t >= 0; t-- {
		op := r.made[t]
		if op == nil || len(op.Results) == 0 || !canAnchor(op.Results[0]) {
			continue
		}
		if i, ok := r.valueOf(op); !ok || !r.c.evicted[i] {
			return op.Results[0]
		}
	}
	return nil
}

// reads finds the existing values that copies for a place read, in order to hold them back.
type reads struct {
	r    *rewriter
	h    *holder
	list []*ir.Value      // the values to hold back
	seen map[readKey]bool // what visit has returned
}

// readKey is a value and whether a copy reads it.
type readKey struct {
	v     *ir.Value
	again bool
}

// visit adds to s.list the values that must be held back so that v is not computed before the
// place. again says that a copy reads v. It reports whether it found any. Parameters of the
// function that a copy reads are added to params instead.
func (s *reads) visit(v *ir.Value, again bool, params *[]*ir.Value) (held bool) {
	r, op := s.r, v.Def()
	if op == nil || r.original[op] == nil {
		if op == nil && again && v.Block() == r.op.Block() {
			*params = append(*params, v)
		}
		return false
	}
	key := readKey{v, again}
	if held, ok := s.seen[key]; ok {
		return held
	}
	i, ok := r.valueOf(op)
	switch {
	case ok && r.isCopied(i) && r.existing(i, v) == nil && r.c.isAway(i):
		held = true // what is fetched is held back itself
	case ok && r.isCopied(i) && r.existing(i, v) == nil:
		held = true
		s.seen[key] = held
		var all []*ir.Value
		operands(op, func(o *ir.Value) { all = append(all, o) })
		s.kernel(all, op.IsContraction())
	case ok && r.isCopied(i):
		held = again && s.add(r.existing(i, v))
	case ok:
		held = again && s.add(v)
	case again || r.touched(op, map[*ir.Op]bool{}):
		operands(op, func(o *ir.Value) { held = s.visit(o, again, params) || held })
	}
	s.seen[key] = held
	return held
}

// kernel adds to s.list what a copy with the operands of list reads; product says that the copy is
// a matrix product or a convolution, into which the compiler fuses nothing, so that holding an
// operand back by it needs memory for the result. Without barriers, parameters are held back only
// if nothing else is, and of a product only the smallest operand is.
func (s *reads) kernel(list []*ir.Value, product bool) {
	var params []*ir.Value
	held := false
	if product && !s.h.barrier {
		list = slices.Clone(list)
		slices.SortStableFunc(list, bySize)
	}
	for _, v := range list {
		if product && !s.h.barrier && held {
			if i, ok := s.r.valueOf(v.Def()); ok && !s.r.isCopied(i) {
				continue
			}
		}
		held = s.visit(v, true, &params) || held
	}
	slices.SortStableFunc(params, bySize)
	for _, v := range params {
		if held && !s.h.barrier {
			return
		}
		held = s.add(v) || held
	}
}

func bySize(v, w *ir.Value) int { return v.Type.MemoryBytes() - w.Type.MemoryBytes() }

// add adds v to the values to hold back. It returns false if v cannot be held back.
func (s *reads) add(v *ir.Value) bool {
	if !s.h.canHold(v) {
		return false
	}
	if !slices.Contains(s.list, v) {
		s.list = append(s.list, v)
	}
	return true
}
