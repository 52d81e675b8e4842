package compile

// This file implements simplify, which applies the rewrites in simplify_*.go.

import (
	"github.com/gospmd/gospmd/ir"
	"github.com/gospmd/gospmd/sharding"
)

// simplify applies the rewrites until none fits:
//
//	%1 = transpose %0, dims = [1, 0]
//	%2 = transpose %1, dims = [1, 0]    =>  %3 = add %0, %0
//	%3 = add %2, %0
//
// A value with an annotated sharding, or whose op states its sharding rule, is not
// replaced. Replaced ops stay in the block; dce removes them.
func simplify(f *ir.Func) { ir.ApplyPatterns(f, rewrites, rewriteOptions) }

// rewrites holds all patterns; of those for one kind of op the first that fits
// is applied.
var rewrites = ir.NewPatterns(foldRewrites, arithRewrites, shapeRewrites, gatherRewrites)

var rewriteOptions = ir.RewriteOptions{
	Skip: func(op *ir.Op) bool { return len(op.Results) != 1 || isAnnotated(op) },
}

// isAnnotated reports whether the program gives a sharding for the result of op, or a sharding
// rule.
func isAnnotated(op *ir.Op) bool { return op.Result().Sharding != nil || op.Has(sharding.RuleAttr) }

// A rewrite returns the value that replaces op's result, or nil where it does
// not fit. The value is equal to the result bit for bit: on NaN, -0.0 and
// overflow, too. (A NaN may lose its payload and a subnormal number may survive
// that the op would have flushed to zero; XLA promises neither. Products are summed
// in an order of the engine's choice.)
type rewrite func(r *ir.Rewriter, op *ir.Op) *ir.Value

// pattern makes a pattern of a rewrite for ops of some kinds; rule says what
// becomes what.
func pattern(rule string, apply rewrite, kinds ...ir.OpKind) ir.Pattern {
	return ir.Pattern{Name: rule, Kinds: kinds, Apply: func(r *ir.Rewriter, op *ir.Op) bool {
		v := apply(r, op)
		if v == nil {
			return false
		}
		r.Replace(op, v)
		return true
	}}
}

// rebuild inserts an op of op's kind and type with other attributes and
// operands.
func rebuild(r *ir.Rewriter, op *ir.Op, attrs ir.Attrs, operands ...*ir.Value) *ir.Value {
	return r.OpWithTypes(op.Kind, attrs, []ir.Type{op.Result().Type}, operands...).Result()
}

// definingOp returns the op of the given kind that v is the result of, or nil. An
// op that is annotated does not count: a rewrite must not reach around it.
func definingOp(v *ir.Value, kind ir.OpKind) *ir.Op {
	if d := v.Def(); d != nil && d.Kind == kind && !isAnnotated(d) {
		return d
	}
	return nil
}

// literal returns the elements of v if it is a constant, else nil.
func literal(v *ir.Value) *ir.Dense {
	if d := definingOp(v, ir.OpConstant); d != nil {
		return d.Constant().Value()
	}
	return nil
}

// isIota reports whether list is 0, 1, …, n-1.
func isIota(list []int, n int) bool {
	for i, x := range list {
		if x != i {
			return false
		}
	}
	return len(list) == n
}
