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
// the compiler computes inside of them. The values that a copy reads are held back until the anchor is
// there. The anchor is the value before that place that is made last (hold.go).

import (
	"maps"
	"slices"

	"github.com/gospmd/gospmd/internal/layerpath"
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
	made     []*ir.Op          // by step, the ops before the place that end a kernel
	copied   map[*ir.Op]*ir.Op // by op, the one that computes the same again
	late     map[*ir.Op][]int  // by op of the problem, the operands that it is to bring into order late

	places int // how many places have been visited
	place      // where ops are added
}

// place is the kernel before which ops are added.
type place struct {
	b     ir.Builder
	op    *ir.Op
	step  int
	fused map[*ir.Op]*ir.Op       // copies of ops that are computed inside of kernels
	held  map[*ir.Value]*ir.Value // what copies read in place of a value
}

// rewrite returns the function of a choice. copies are those that its evaluation has found.
func (b *builder) rewrite(p *problem, c choice, copies []span, barrier bool) *ir.Func {
	f := b.f.Clone()
	r := &rewriter{builder: b, p: p, c: c, copies: copies, barrier: barrier, original: map[*ir.Op]*ir.Op{},
		made: make([]*ir.Op, len(p.base)), copied: map[*ir.Op]*ir.Op{}, late: map[*ir.Op][]int{}}
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
	transform.EliminateDeadOps(f, transform.DeadOps{})
	return f
}

// visit gives op, the last op of a kernel, the copies that it needs.
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

// read gives what op reads at a step the copies that it needs.
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

// isLate reports whether v, an operand of op of the problem, is to be brought into order late.
func (r *rewriter) isLate(op *ir.Op, v *ir.Value) bool {
	return slices.ContainsFunc(r.late[op], func(i int) bool { return r.p.values[i].size == v.Type.MemoryBytes() })
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

// touched reports whether the kernel of op reads a value that a copy stands for.
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

// fresh returns what stands for v at the place. It makes the copies that this needs. again says
// that a copy reads v.
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
			if r.copied[op] == nil {
				r.copied[op] = r.copyOf(op, true)
			}
			v = r.copied[op].Results[v.Index()]
		}
	}
	if held := r.held[v]; again && held != nil {
		return held
	}
	return v
}

// copyOf adds a copy of op. Its path says that it computes something again: package aot looks for
// it in what the compiler makes.
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

// holdBack holds back what the copies read that these values need; late ones are copied.
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

// anchor returns the value before the place that is made last before it; nil if there is none.
func (r *rewriter) anchor() *ir.Value {
	for t := r.step - 1; t >= 0; t-- {
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

// visit adds what is read for v, and reports whether that is held back. Parameters that a copy
// reads are added to params.
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
	case ok && r.isCopied(i) && r.copied[op] == nil:
		held = true
		s.seen[key] = held
		var all []*ir.Value
		operands(op, func(o *ir.Value) { all = append(all, o) })
		s.kernel(all, isProduct(op))
	case ok && r.isCopied(i):
		held = again && s.add(r.copied[op].Results[v.Index()])
	case ok:
		held = again && s.add(v)
	case again || r.touched(op, map[*ir.Op]bool{}):
		operands(op, func(o *ir.Value) { held = s.visit(o, again, params) || held })
	}
	s.seen[key] = held
	return held
}

// isProduct reports whether op multiplies matrices or convolves: what it reads is in memory, and
// would be copied to be held back.
func isProduct(op *ir.Op) bool {
	return op.Kind == ir.OpDotGeneral || op.Kind == ir.OpDot || op.Kind == ir.OpConvolution
}

// kernel adds what a copy with these operands reads. Of a product only the smallest operand is held
// back, and parameters are only where nothing else is.
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
