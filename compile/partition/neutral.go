package partition

// This file says which values change nothing when elements are combined, so that
// they can stand for elements that are not there: in padding, beyond the borders
// of a tensor, and where a partial result starts.
//
// A body of single ops, such as add, has such values by itself. Any other body is
// lifted to one that has: beside its elements it takes a flag that says whether
// they are there.

import (
	"slices"

	"github.com/gomlx/compute/dtypes"

	"github.com/gospmd/gospmd/ir"
)

// hasNeutral reports whether the body of op, a reduce or a reduce_window, has neutral
// elements: such a body may also be applied in any order.
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
// elements of its reductions, so that each may count any number of times. It returns nil otherwise.
// If a reduction has a neutral element, pass inits of package compile leaves no other initial
// value.
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

// literal returns the value of a constant; nil if v is none.
func literal(v *ir.Value) *ir.Dense {
	if def := v.Def(); def != nil && def.Kind == ir.OpConstant {
		return def.Literal()
	}
	return nil
}

// isChoice reports whether the body of op returns for each tensor one of its two
// arguments, by comparing the arguments: as argmax does. Such a body is
// associative: it may be applied to parts of the elements, in their order.
func isChoice(op *ir.Op) bool {
	b := op.Regions[0]
	n := len(b.Args) / 2
	for inner := range b.Body() {
		switch inner.Kind {
		case ir.OpSelect, ir.OpAnd, ir.OpOr, ir.OpNot:
		case ir.OpCompare: // of the same tensor's arguments
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

// liftBody returns the body of op on elements with a flag behind those of each side:
// where one side's flag is false, the result is the other side.
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

// combineFlagged is op, a reduce or a reduce_window, by its lifted body: inputs with
// a flag for each of their elements, and initial values with one, which a
// constant is. It returns results of the given dimensions, and their flags.
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

// flags returns a tensor of those dimensions that is true everywhere.
func (p *partitioner) flags(dims []int) *ir.Value {
	return p.Constant(ir.Splat(ir.Tensor(dtypes.Bool, dims...), 1))
}
