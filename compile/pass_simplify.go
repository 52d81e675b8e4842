package compile

// This file implements simplify, which applies the rewrites.

import (
	"fmt"
	"slices"

	"github.com/gospmd/gospmd/ir"
)

// A rewrite replaces an op with one result by a value that is equal to it bit
// for bit: on NaN, -0.0 and overflow, too. (A NaN may lose its payload and a
// subnormal number may survive that the op would have flushed to zero; XLA
// promises neither.)
type rewrite struct {
	rule  string // what becomes what
	kinds []ir.OpKind
	// apply returns the value that replaces op's result, or nil where the
	// rewrite does not fit. Ops that it makes with r.emit come before op.
	apply func(r *rewriter, op *ir.Op) *ir.Value
}

// rewriteTables are tried in this order; the first that fits wins.
var rewriteTables = [][]rewrite{foldRewrites, arithRewrites, shapeRewrites}

// rewritesOf lists the rewrites of each kind.
var rewritesOf = func() (of [ir.NumOps][]rewrite) {
	for _, t := range rewriteTables {
		for _, rw := range t {
			for _, k := range rw.kinds {
				of[k] = append(of[k], rw)
			}
		}
	}
	return of
}()

// simplifySweeps bounds the walks over the function. One walk follows chains
// downwards; another is needed only for what new ops make possible.
const simplifySweeps = 8

// simplify applies the rewrites until none fits:
//
//	%1 = transpose %0, dims = [1, 0]
//	%2 = transpose %1, dims = [1, 0]    =>  %3 = add %0, %0
//	%3 = add %2, %0
//
// A value with a pinned layout is not replaced. Dead ops are left to dce.
func simplify(u *unit) error {
	(&rewriter{by: map[*ir.Value]*ir.Value{}}).run(u.main())
	return nil
}

// run sweeps over f until nothing changes.
func (r *rewriter) run(f *ir.Func) {
	for range simplifySweeps {
		r.changed = false
		r.block(f.Body)
		if !r.changed {
			break
		}
	}
}

// rewriter walks over a function in program order.
type rewriter struct {
	by      map[*ir.Value]*ir.Value // replaced values; targets are final
	out     []*ir.Op                // the block's ops so far
	changed bool
	applied func(rule string) // tells tests which rewrites fit; nil otherwise
}

// block rewrites the ops of b and of the regions in it.
func (r *rewriter) block(b *ir.Block) {
	outer := r.out
	r.out = make([]*ir.Op, 0, b.Len())
	for op := range b.Ops() {
		for i, v := range op.Operands {
			if w, ok := r.by[v]; ok {
				op.SetOperand(i, w)
			}
		}
		for _, region := range op.Regions {
			r.block(region)
		}
		if v := r.rewritten(op); v != nil {
			r.by[op.Result()] = v
			r.changed = true
		}
		// A replaced op stays, dead, so that a later sweep need not know.
		r.out = append(r.out, op)
	}
	b.SetOps(r.out)
	r.out = outer
}

// rewritten returns what the first rewrite that fits makes of op, or nil.
func (r *rewriter) rewritten(op *ir.Op) *ir.Value {
	if len(op.Results) != 1 || op.Result().Sharding != nil {
		return nil
	}
	if _, done := r.by[op.Result()]; done {
		return nil
	}
	for _, rw := range rewritesOf[op.Kind] {
		v := rw.apply(r, op)
		if v == nil {
			continue
		}
		if !v.Type.Equal(op.Result().Type) {
			panic(fmt.Sprintf("BUG: rewrite %q of %s made %s, want %s", rw.rule, op.FullName(), v.Type, op.Result().Type))
		}
		if r.applied != nil {
			r.applied(rw.rule)
		}
		return v
	}
	return nil
}

// emit adds an op before the one that is being rewritten, whose location it
// takes over.
func (r *rewriter) emit(from *ir.Op, kind ir.OpKind, attrs ir.Attrs, t ir.Type, operands ...*ir.Value) *ir.Value {
	op := ir.NewOp(kind, operands, attrs, []ir.Type{t})
	op.Loc = from.Loc
	r.out = append(r.out, op)
	return op.Result()
}

// constant adds a constant like emit.
func (r *rewriter) constant(from *ir.Op, d *ir.Dense) *ir.Value {
	return r.emit(from, ir.OpConstant, ir.Attrs{{Name: "value", Value: d}}, d.Type)
}

// defined returns the op of the given kind that v is the result of, or nil.
// An op whose result has a pinned layout does not count: a rewrite must not
// reach around it.
func defined(v *ir.Value, kind ir.OpKind) *ir.Op {
	if d := v.Def(); d != nil && d.Kind == kind && v.Sharding == nil {
		return d
	}
	return nil
}

// literal returns the elements of v if it is a constant, else nil.
func literal(v *ir.Value) *ir.Dense {
	if d := defined(v, ir.OpConstant); d != nil {
		return d.Literal()
	}
	return nil
}

// isIota reports whether list is 0, 1, …, n-1.
func isIota(list []int, n int) bool {
	return len(list) == n && slices.Equal(list, upTo(n))
}

func upTo(n int) []int {
	out := make([]int, n)
	for i := range out {
		out[i] = i
	}
	return out
}
