package partition

// This file handles neutral elements: values that change nothing when they are combined with
// others. They replace elements that are missing: padding, elements beyond the borders of a tensor,
// and the initial value of partial results.
//
// A body that consists of single ops, such as add, has neutral elements. Any other body is lifted
// to one that has them: it takes, besides its elements, a flag that says whether they exist.

import (
	"slices"

	"github.com/gomlx/compute/dtypes"

	"github.com/gospmd/gospmd/ir"
)

// hasNeutral reports whether the body of op, a reduce or a reduce_window, has neutral elements.
// Such a body may also be applied in any order.
func hasNeutral(op *ir.Op) bool {
	kinds, ok := ir.ReductionsOf(op)
	for i, kind := range kinds {
		if _, has := ir.ReductionInit(kind, op.Operands[i].Type.DType); !has {
			return false
		}
	}
	return ok
}

// startsNeutral returns the initial values of op, a reduce or a reduce_window, if they are neutral
// elements of its reductions, so that each may be combined any number of times. Otherwise it
// returns nil. If a reduction has a neutral element, pass inits of package compile has removed any
// other initial value.
func startsNeutral(op *ir.Op) []*ir.Dense {
	kinds, _ := ir.ReductionsOf(op)
	var out []*ir.Dense
	for i, kind := range kinds {
		d := literal(op.Operands[len(kinds)+i])
		if d == nil || !ir.IsReductionInit(kind, d) {
			return nil
		}
		out = append(out, d)
	}
	return out
}

// literal returns the value of v if it is a constant, and otherwise nil.
func literal(v *ir.Value) *ir.Dense {
	if def := v.Def(); def != nil && def.Kind == ir.OpConstant {
		return def.Literal()
	}
	return nil
}

// isChoice reports whether the body of op, such as argmax, returns for each tensor one of its two
// arguments, and decides by comparing the arguments. Such a body is associative: it may be applied
// to parts of the elements, in order.
func isChoice(op *ir.Op) bool {
	b := op.Regions[0]
	n := len(b.Args) / 2
	for inner := range b.Body() {
		switch inner.Kind {
		case ir.OpSelect, ir.OpAnd, ir.OpOr, ir.OpNot:
		case ir.OpCompare: // compares two arguments for the same tensor
			x, y := slices.Index(b.Args, inner.Operands[0]), slices.Index(b.Args, inner.Operands[1])
			if x < 0 || y < 0 || x%n != y%n {
				return false
			}
		default:
			return false
		}
	}
	for i, v := range b.Terminator().Operands {
		s := v.Def()
		if s == nil || s.Kind != ir.OpSelect {
			return false
		}
		x, y := s.Operands[1], s.Operands[2]
		if lhs, rhs := b.Args[i], b.Args[n+i]; !(x == lhs && y == rhs || x == rhs && y == lhs) {
			return false
		}
	}
	return true
}

// liftBody returns the body of op with one more argument on each side: a flag that says whether the
// elements of that side exist. If the flag of one side is false, the result is the other side.
func liftBody(op *ir.Op) *ir.Block {
	region, flag := op.Regions[0], ir.Tensor(dtypes.Bool)
	n := len(region.Args) / 2
	body, by := &ir.Block{}, ir.Cloner{}
	side := func(args []*ir.Value) (vs []*ir.Value, has *ir.Value) {
		for _, a := range args {
			by[a] = body.AddArg(a.Type)
			vs = append(vs, by[a])
		}
		return vs, body.AddArg(flag)
	}
	lhs, hasLHS := side(region.Args[:n])
	rhs, hasRHS := side(region.Args[n:])
	for inner := range region.Body() {
		body.Append(by.Op(inner))
	}
	b := newBuilder(body, op.Loc)
	results := make([]*ir.Value, n, n+1)
	for i, v := range region.Terminator().Operands {
		results[i] = b.Select(hasLHS, b.Select(hasRHS, by.Value(v), lhs[i]), rhs[i])
	}
	results = append(results, b.Or(hasLHS, hasRHS))
	body.Append(ir.NewOp(ir.OpReturn, results, nil, nil))
	return body
}

// combineFlagged builds op, a reduce or a reduce_window, with the body that liftBody returns. It
// reduces inputs with their flags, from inits with the flag started. It returns the results, whose
// dimensions are dims, and the flags that say which results exist.
func (p *partitioner) combineFlagged(op *ir.Op, attrs ir.Attrs, inputs []*ir.Value, flags *ir.Value, inits []*ir.Value, started bool, dims []int) (results []*ir.Value, has *ir.Value) {
	start := 0.0
	if started {
		start = 1
	}
	flag := p.Constant(ir.Scalar(dtypes.Bool, start))
	var types []ir.Type
	for _, r := range op.Results {
		types = append(types, r.Type.WithDims(dims))
	}
	out := ir.NewOp(op.Kind, slices.Concat(inputs, []*ir.Value{flags}, inits, []*ir.Value{flag}), attrs, append(types, ir.Tensor(dtypes.Bool, dims...)), liftBody(op))
	all := p.Insert(out).Results
	return all[:len(types)], all[len(types)]
}

// flags returns a tensor with the given dimensions whose elements are all true.
func (p *partitioner) flags(dims []int) *ir.Value {
	return p.Constant(ir.Splat(ir.Tensor(dtypes.Bool, dims...), 1))
}
