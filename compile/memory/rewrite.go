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
// Copies stand before the first kernel behind the gap that needs them, with copies of the ops that
// the compiler computes inside of them. What a copy reads is held back until the anchor is there:
// of all values before that place, the one that is made last (hold.go). Later ops read the value
// that was held back in place of the first one, so that both can have the same memory.

import (
	"slices"

	"github.com/gospmd/gospmd/ir"
	"github.com/gospmd/gospmd/ir/transform"
)

// rewriter rewrites a copy of the function that the problem was made of.
type rewriter struct {
	*builder
	p        *problem
	c        choice
	copies   []span
	barrier  bool
	original map[*ir.Op]*ir.Op // of an op of the copied function, that of the problem
	at       map[*ir.Op]int    // its position
	made     []*ir.Op          // by step, the ops before the place that end a kernel

	copied map[*ir.Op]*ir.Op       // by op, the one that computes the same again
	now    map[*ir.Value]*ir.Value // what stands for a value that was held back

	place // where ops are added
}

// place is the kernel before which ops are added.
type place struct {
	b      ir.Builder
	op     *ir.Op
	step   int
	fused  map[*ir.Op]*ir.Op       // copies of ops that are computed inside of kernels
	params map[*ir.Value]*ir.Value // parameters that were held back
}

// rewrite returns the function of a choice. copies are those that its evaluation has found.
func (b *builder) rewrite(p *problem, c choice, copies []span, barrier bool) *ir.Func {
	f := b.f.Clone()
	r := &rewriter{builder: b, p: p, c: c, copies: copies, barrier: barrier, original: map[*ir.Op]*ir.Op{}, at: map[*ir.Op]int{},
		made: make([]*ir.Op, len(p.base)), copied: map[*ir.Op]*ir.Op{}, now: map[*ir.Value]*ir.Value{}}
	ops := slices.Collect(f.Body.Ops())
	for op := range b.f.Body.Ops() {
		i := len(r.at)
		r.at[ops[i]], r.original[ops[i]] = i, op
	}
	for _, op := range ops {
		if step, ok := b.first[r.original[op]]; ok {
			r.visit(op, step)
			r.made[b.last[r.original[op]]] = op
		}
	}
	transform.EliminateDeadOps(f, transform.DeadOps{})
	return f
}

// visit gives op, the last op of a kernel that starts at a step, the copies that it needs.
func (r *rewriter) visit(op *ir.Op, step int) {
	r.place = place{op: op, step: step, fused: map[*ir.Op]*ir.Op{}, params: map[*ir.Value]*ir.Value{}}
	if !r.touched(op, map[*ir.Op]bool{}) {
		return
	}
	r.b.Before(op)
	r.holdBack()
	op.Walk(func(o *ir.Op) {
		for i, v := range o.Operands {
			if def := v.Def(); def != nil && r.original[def] != nil {
				o.SetOperand(i, r.fresh(v, false))
			}
		}
	})
}

// valueOf returns the value that op writes; ok is false where op is computed inside of others.
func (r *rewriter) valueOf(op *ir.Op) (i int, ok bool) {
	i, ok = r.index[r.original[op]]
	return i, ok
}

// isCopied reports whether a copy stands for value i at the place.
func (r *rewriter) isCopied(i int) bool {
	free := r.p.values[i].last
	if r.c.evicted[i] {
		free = r.p.values[i].early
	}
	return r.copies[i].from != none && r.step > free
}

// touched reports whether the kernel of op reads a value for which something else stands.
func (r *rewriter) touched(op *ir.Op, seen map[*ir.Op]bool) (found bool) {
	operands(op, func(v *ir.Value) {
		def := v.Def()
		if found || def == nil || r.original[def] == nil || seen[def] {
			return
		}
		i, ok := r.valueOf(def)
		if found = r.now[v] != nil || ok && r.isCopied(i); found {
			return
		}
		seen[def] = true
		found = !ok && r.touched(def, seen)
	})
	return found
}

// fresh returns what stands for v at the place. It makes the copies that this needs. again says
// that a copy reads v.
func (r *rewriter) fresh(v *ir.Value, again bool) *ir.Value {
	op := v.Def()
	if op == nil && r.params[v] != nil {
		return r.params[v]
	}
	if op == nil || r.original[op] == nil {
		return v
	}
	if i, ok := r.valueOf(op); ok {
		if r.isCopied(i) {
			if r.copied[op] == nil {
				r.copied[op] = r.copyOf(op, true)
			}
			v = r.copied[op].Results[v.Index()]
		}
		if held := r.now[v]; held != nil {
			return held
		}
		return v
	}
	if len(op.Operands) == 0 || !again && !r.touched(op, map[*ir.Op]bool{}) {
		return v
	}
	if r.fused[op] == nil {
		r.fused[op] = r.copyOf(op, again)
	}
	return r.fused[op].Results[v.Index()]
}

// copyOf adds a copy of op.
func (r *rewriter) copyOf(op *ir.Op, again bool) *ir.Op {
	c := ir.Cloner{}
	operands(op, func(v *ir.Value) {
		if w := r.fresh(v, again); w != v {
			c[v] = w
		}
	})
	return r.b.Insert(c.Op(op))
}

// holdBack holds back what the copies read that the place needs.
func (r *rewriter) holdBack() {
	h := &holder{b: &r.b, barrier: r.barrier, anchor: r.anchor()}
	if h.anchor == nil {
		return
	}
	reads := &reads{r: r, h: h, seen: map[readKey]bool{}}
	operands(r.op, func(v *ir.Value) { reads.visit(v, false) })
	if len(reads.list) == 0 {
		return
	}
	current := make([]*ir.Value, len(reads.list))
	for i, v := range reads.list {
		current[i] = v
		if held := r.now[v]; held != nil {
			current[i] = held
		}
	}
	for i, held := range h.hold(current) {
		v := reads.list[i]
		if v.Def() == nil {
			r.params[v] = held
			continue
		}
		r.now[v] = held
		current[i].ReplaceUsesIf(held, func(u ir.Use) bool {
			at, ok := r.at[r.top(u.Op)]
			return ok && at >= r.at[r.op]
		})
	}
}

// top returns the op of the function's body that is op or holds it.
func (r *rewriter) top(op *ir.Op) *ir.Op {
	for op.Parent() != nil {
		op = op.Parent()
	}
	return op
}

// anchor returns the value before the place that is made last before it; nil if there is none.
func (r *rewriter) anchor() *ir.Value {
	for t := r.step - 1; t >= 0; t-- {
		op := r.made[t]
		if op == nil || len(op.Results) == 0 || !canAnchor(op.Results[0]) {
			continue
		}
		if i, ok := r.valueOf(op); ok && r.c.evicted[i] {
			continue
		}
		if held := r.now[op.Results[0]]; held != nil {
			return held
		}
		return op.Results[0]
	}
	return nil
}

// reads finds the values that the copies for a place read and that are there already.
type reads struct {
	r    *rewriter
	h    *holder
	list []*ir.Value
	seen map[readKey]bool // what was visited, and whether something of it is held back
}

// readKey is a value and whether a copy reads it.
type readKey struct {
	v     *ir.Value
	again bool
}

// visit adds what is read for v. It reports whether that is held back. params gets the parameters.
func (s *reads) visit(v *ir.Value, again bool, params ...*[]*ir.Value) (held bool) {
	r, op := s.r, v.Def()
	if op == nil || r.original[op] == nil {
		if op == nil && again && v.Block() == r.op.Block() {
			for _, list := range params {
				*list = append(*list, v)
			}
		}
		return false
	}
	key := readKey{v, again}
	i, ok := r.valueOf(op)
	if ok && r.isCopied(i) && r.copied[op] == nil {
		if !s.seen[key] {
			s.seen[key] = true
			s.copy(op)
		}
		return true
	}
	if ok {
		if r.isCopied(i) {
			v = r.copied[op].Results[v.Index()]
		}
		return again && s.add(v)
	}
	if held, ok := s.seen[key]; ok {
		return held
	}
	if again || r.touched(op, map[*ir.Op]bool{}) {
		operands(op, func(o *ir.Value) { held = s.visit(o, again, params...) || held })
	}
	s.seen[key] = held
	return held
}

// copy adds what the copy of op reads. Where nothing of that can be held back but parameters, it
// is the smallest of them: to hold it back, compilers for CPUs copy it.
func (s *reads) copy(op *ir.Op) {
	var params []*ir.Value
	held := false
	operands(op, func(o *ir.Value) { held = s.visit(o, true, &params) || held })
	if s.h.barrier {
		for _, v := range params {
			s.add(v)
		}
		return
	}
	if held {
		return
	}
	slices.SortStableFunc(params, func(v, w *ir.Value) int { return v.Type.MemoryBytes() - w.Type.MemoryBytes() })
	for _, v := range params {
		if s.add(v) {
			return
		}
	}
}

// add holds v back, if it can be.
func (s *reads) add(v *ir.Value) bool {
	if !s.h.canHold(v) {
		return false
	}
	if !slices.Contains(s.list, v) {
		s.list = append(s.list, v)
	}
	return true
}
