package memory

// This file bounds the memory of the bodies of loops and the branches of conditionals. Each of them
// is fitted as a function, whose parameters are the arguments of the body and the values that it
// reads from outside.

import (
	"errors"
	"slices"

	"github.com/gospmd/gospmd/compile/cost"
	"github.com/gospmd/gospmd/ir"
	"github.com/gospmd/gospmd/program"
)

// bodies returns the indices of the regions of a loop (its body) or a conditional (all branches);
// nil for other ops.
func bodies(op *ir.Op) []int {
	switch op.Kind {
	case ir.OpWhile:
		return []int{1}
	case ir.OpIf:
		return []int{0, 1}
	case ir.OpCase:
		out := make([]int, len(op.Regions))
		for i := range out {
			out[i] = i
		}
		return out
	}
	return nil
}

// fitLoops returns f with loops and branches that need less memory, their values that are saved or
// computed again, and the predicted memory of the result. usage is the predicted memory of f. A body
// by itself is predicted without what XLA takes out of the loop, so regions that were fitted count
// only if the peak does not rise.
func fitLoops(f *ir.Func, usage cost.Usage, o Options) (*ir.Func, []program.Crossing, cost.Usage) {
	g, values := fitScans(f, usage.Peak(), o)
	if g != f {
		f, usage = g, o.Machine.MemoryOf(g, o.Donated)
	}
	if g, inside := fitRegions(f, usage, o); g != f {
		if u := o.Machine.MemoryOf(g, o.Donated); u.Peak() <= usage.Peak() {
			return g, append(values, inside...), u
		}
	}
	return f, values, usage
}

// fitRegions fits those loop bodies and branches of f during which memory is over the limit. It
// returns a changed copy of f, and the values in these regions that are saved or computed again;
// f itself if no region needs less memory.
func fitRegions(f *ir.Func, usage cost.Usage, o Options) (*ir.Func, []program.Crossing) {
	missing := map[*ir.Op]int{}
	for _, moment := range usage.Curve {
		if moment.Op != nil && moment.Op.Block() == f.Body && bodies(moment.Op) != nil {
			missing[moment.Op] = max(missing[moment.Op], moment.Bytes-o.Limit)
		}
	}
	out, values, _ := rewriteBodies(f, func(op *ir.Op) bool { return missing[op] > 0 }, func(op *ir.Op, body *ir.Func) (*ir.Func, []program.Crossing, error) {
		fitted, values := fitBody(body, missing[op], o)
		return fitted, values, nil // what does not fit stays as it is
	})
	return out, values
}

// rewriteBodies calls rewrite with each loop body and branch, as a function (functionOf), of those
// ops in f's body that isWanted reports true for. It returns a copy of f with the bodies that
// rewrite returned, and the values that all calls returned, in order. If rewrite returns every body
// unchanged, it returns f itself. It stops at the first error.
func rewriteBodies(f *ir.Func, isWanted func(op *ir.Op) bool, rewrite func(op *ir.Op, body *ir.Func) (*ir.Func, []program.Crossing, error)) (*ir.Func, []program.Crossing, error) {
	var values []program.Crossing
	out, at := f, -1
	for op := range f.Body.Ops() {
		at++
		if !isWanted(op) {
			continue
		}
		for _, i := range bodies(op) {
			body, outside := functionOf(op.Regions[i])
			rewritten, more, err := rewrite(op, body)
			if err != nil {
				return nil, nil, err
			}
			values = append(values, more...)
			if rewritten == body {
				continue
			}
			if out == f {
				out = f.Clone()
			}
			putBack(slices.Collect(out.Body.Ops())[at].Regions[i], rewritten, outside, f, out)
		}
	}
	return out, values, nil
}

// fitBody returns a copy of body whose predicted peak is lower by less bytes. If there is none, it
// returns the one with the lowest peak that it finds, or body itself. The second result lists the
// values that are saved or computed again.
func fitBody(body *ir.Func, less int, o Options) (*ir.Func, []program.Crossing) {
	o.Donated = func(int) int { return -1 }
	s := &start{f: body, usage: o.Machine.MemoryOf(body, o.Donated), seconds: o.Machine.Seconds(o.Mesh, body)}
	peak := s.usage.Peak()
	o.Limit = max(1, peak-less)
	fitted, fitting, err := fit(s, o, o.Limit)
	var none *NoFitError
	switch {
	case !errors.As(err, &none):
		return fitted, fitting.Values
	case none.Least >= peak:
		return body, nil
	}
	o.Limit = none.Least // another search for this peak can find a faster function, or none
	if fitted, fitting, err = fit(s, o, o.Limit); err != nil {
		return none.Func, none.Values
	}
	return fitted, fitting.Values
}

// functionOf returns a function with copies of the ops of b. Its parameters are the arguments of b,
// then the values that b reads from outside, which are the second result. Scalar constants are
// copied into the function: the trip counts of loops depend on them.
func functionOf(b *ir.Block) (f *ir.Func, outside []*ir.Value) {
	f = ir.NewFunc("body")
	c := ir.Cloner{}
	for _, a := range b.Args {
		c[a] = f.AddParam("", a.Type, a.Sharding)
	}
	inside := map[*ir.Block]bool{}
	var enter func(b *ir.Block)
	enter = func(b *ir.Block) {
		inside[b] = true
		for op := range b.Ops() {
			for _, r := range op.Regions {
				enter(r)
			}
		}
	}
	enter(b)
	b.Walk(func(op *ir.Op) {
		for _, v := range op.Operands {
			if _, ok := c[v]; ok || inside[v.Block()] {
				continue
			}
			if def := v.Def(); def != nil && def.Kind == ir.OpConstant && v.Type.Rank() == 0 {
				f.Body.Append(c.Op(def))
				continue
			}
			outside = append(outside, v)
			c[v] = f.AddParam("", v.Type, v.Sharding)
		}
	})
	for op := range b.Body() {
		f.Body.Append(c.Op(op))
	}
	f.Return(c.Values(b.Terminator().Operands)...)
	return f, outside
}

// putBack replaces the ops of b by those of f, a function that functionOf returned together with
// outside. outside are values of the function from; b stands in the function to, a copy of from.
func putBack(b *ir.Block, f *ir.Func, outside []*ir.Value, from, to *ir.Func) {
	end := b.Terminator().Kind
	b.Clear()
	c := ir.Cloner{}
	same := valuesOf(from, to)
	for i, p := range f.Params() {
		if i < len(b.Args) {
			c[p] = b.Args[i]
			continue
		}
		c[p] = same[outside[i-len(b.Args)]]
	}
	for op := range f.Body.Body() {
		b.Append(c.Op(op))
	}
	b.Append(ir.NewOp(end, c.Values(f.Returned()), nil, nil))
}

// valuesOf maps the parameters of from, and the results of the ops of its body, to the same values
// of to. to is a copy of from.
func valuesOf(from, to *ir.Func) map[*ir.Value]*ir.Value {
	out := map[*ir.Value]*ir.Value{}
	for i, v := range from.Params() {
		out[v] = to.Params()[i]
	}
	ops := slices.Collect(to.Body.Ops())
	i := 0
	for op := range from.Body.Ops() {
		for k, v := range op.Results {
			out[v] = ops[i].Results[k]
		}
		i++
	}
	return out
}
