package memory

// This file makes the bodies of loops and the branches of conditionals need less memory. Each is
// fitted as a function. Its parameters are its arguments and the values that it reads from outside.

import (
	"errors"
	"slices"

	"github.com/gospmd/gospmd/compile/cost"
	"github.com/gospmd/gospmd/ir"
	"github.com/gospmd/gospmd/program"
)

// bodies returns the regions of a loop or conditional that may hold much; nil for other ops.
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

// fitLoops returns f with loops and branches that need less memory where it is over the limit, what
// became of their values, and the memory of f then.
func fitLoops(f *ir.Func, usage cost.Usage, o Options) (*ir.Func, []program.Crossing, cost.Usage) {
	g, values := fitScans(f, usage.Peak(), o)
	if g != f {
		f, usage = g, o.Machine.MemoryOf(g, o.Donated)
	}
	g, inside := fitRegions(f, usage, o)
	if g != f {
		f, usage = g, o.Machine.MemoryOf(g, o.Donated)
	}
	return f, append(values, inside...), usage
}

// fitRegions returns f with the regions fitted in which the memory is over the limit, and the
// values that cross gaps in them; f itself where that helps nothing.
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

// rewriteBodies returns f with the bodies that rewrite returns in place of those of its loops and
// branches, and the values of all calls. It leaves out ops for which isWanted is false. f is not
// changed; it is returned itself if all bodies stay the same.
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

// fitBody makes body need that much less memory, or as little as it can. It returns body itself
// where it cannot.
func fitBody(body *ir.Func, less int, o Options) (*ir.Func, []program.Crossing) {
	o.Donated = func(int) int { return -1 }
	peak := o.Machine.MemoryOf(body, o.Donated).Peak()
	o.Limit = max(1, peak-less)
	fitted, fitting, err := fit(body, o)
	var none *NoFitError
	if errors.As(err, &none) && none.Least < peak {
		o.Limit = none.Least
		fitted, fitting, err = fit(body, o)
	}
	if err != nil {
		return body, nil
	}
	return fitted, fitting.Values
}

// functionOf returns a function that computes what b does. Its parameters are the arguments of b,
// then the values outside that b reads.
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
			if _, ok := c[v]; !ok && !inside[v.Block()] {
				outside = append(outside, v)
				c[v] = f.AddParam("", v.Type, v.Sharding)
			}
		}
	})
	for op := range b.Body() {
		f.Body.Append(c.Op(op))
	}
	f.Return(c.Values(b.Terminator().Operands)...)
	return f, outside
}

// putBack replaces the ops of b by those of f, which functionOf has made. outside are values of the
// function from; b stands in to, a copy of it.
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

// valuesOf returns the values of to, a copy of from, by those of the body of from.
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
