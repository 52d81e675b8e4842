package compile

// This file implements simplify, which applies the rewrites in simplify_*.go.

import (
	"github.com/gospmd/gospmd/ir"
	"github.com/gospmd/gospmd/sharding"
)

// simplify applies the rewrites until none applies:
//
//	%1 = transpose %0, dims = [1, 0]
//	%2 = transpose %1, dims = [1, 0]    =>  %3 = add %0, %0
//	%3 = add %2, %0
//
// A value that has an annotated sharding, or whose op states a sharding rule, is not replaced.
// Replaced ops stay in the block; pass dce removes them.
func simplify(f *ir.Func) { ir.ApplyPatterns(f, rewrites, rewriteOptions) }

// rewrites holds all patterns. If several patterns are for the same kind of op, the first one that
// applies is used.
var rewrites = ir.NewPatterns(foldRewrites, arithRewrites, shapeRewrites, gatherRewrites)

var rewriteOptions = ir.RewriteOptions{
	Skip: func(op *ir.Op) bool { return len(op.Results) != 1 || isAnnotated(op) },
}

// isAnnotated reports whether the program states a sharding for the result of op, or a sharding
// rule for op.
func isAnnotated(op *ir.Op) bool { return op.Result().Sharding != nil || op.Has(sharding.RuleAttr) }

// A rewrite returns the value that replaces op's result, or nil if it does not apply. The value is
// equal to the result bit for bit, also for NaN, -0.0 and overflow. (A NaN may lose its payload,
// and a subnormal number may survive that the op would have flushed to zero: XLA guarantees
// neither. The engine chooses the order in which products are summed.)
type rewrite func(r *ir.Rewriter, op *ir.Op) *ir.Value

// pattern returns a Pattern that applies a rewrite to ops of the given kinds. rule is its name:
// what becomes what. If apply returns a value, it replaces the op's result; nil means that the
// rewrite does not fit.
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

// rebuild inserts an op with the kind and the result type of op, but with other attributes and
// operands, and returns its result.
func rebuild(r *ir.Rewriter, op *ir.Op, attrs ir.Attrs, operands ...*ir.Value) *ir.Value {
	return r.OpWithTypes(op.Kind, attrs, []ir.Type{op.Result().Type}, operands...).Result()
}

// definingOp returns the op that defines v if it has the given kind, and otherwise nil. It also
// returns nil if the op is annotated, because a rewrite would bypass the annotation.
func definingOp(v *ir.Value, kind ir.OpKind) *ir.Op {
	if d := v.Def(); d != nil && d.Kind == kind && !isAnnotated(d) {
		return d
	}
	return nil
}

// literal returns the value of v if it is a constant without an annotation, else nil.
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
