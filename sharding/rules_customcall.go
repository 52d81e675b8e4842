package sharding

// This file defines the rules of custom calls, by target.

import (
	"regexp"
	"slices"
	"strconv"

	"github.com/gospmd/gospmd/internal/lapack"
	"github.com/gospmd/gospmd/ir"
	"github.com/gospmd/gospmd/sharding/factor"
)

// customCalls holds the rules of custom calls by target, except calls of LAPACK, which have
// lapackRule. A call of another target has no rule, and nothing propagates through it, unless the
// program states its rule.
var customCalls = map[string]ruleFunc{
	"annotate_device_placement":      pointwiseRule,
	"Cholesky":                       pointwiseRule,
	"CompactWyHelper":                pointwiseRule,
	"InspectSharding":                pointwiseRule,
	"LayoutConstraint":               pointwiseRule,
	"mhlo.erf":                       pointwiseRule,
	"MoveToDevice":                   pointwiseRule,
	"MoveToHost":                     pointwiseRule,
	"X64SplitHigh":                   pointwiseRule,
	"X64SplitLow":                    pointwiseRule,
	"xla.megascale.provide_metadata": pointwiseRule,
	"X64Combine":                     x64CombineRule,
	"Eigh":                           eighRule,
	"Qr":                             householderRule,
	"QrDecompositionBlock":           householderRule,
	"ProductOfElementaryHouseholderReflectors": householderRule,
	"ApproxTopK":    partialReduceRule,
	"PartialReduce": partialReduceRule,
	"mhlo.topk":     topKRule,
}

// callTarget returns the target of op, a custom call; "" if op does not name it.
func callTarget(op *ir.Op) string {
	s, _ := op.Attrs.Get("call_target_name").(ir.String)
	return string(s)
}

// isLapack reports whether op is a call of LAPACK. The rules of these calls are fixed, even if the
// program states others.
func isLapack(op *ir.Op) bool { return op.Kind == ir.OpCustomCall && lapack.Is(callTarget(op)) }

func customCallRule(op *ir.Op, conservative bool) *factor.Rule {
	if isLapack(op) {
		return lapackRule(op)
	}
	if rule := customCalls[callTarget(op)]; rule != nil && len(op.Operands) > 0 && len(op.Results) > 0 {
		return rule(op, conservative)
	}
	return nil
}

// x64CombineRule is the rule of XLA's custom call that combines the high and the low half of 64-bit
// numbers. It is point-wise, but the halves of a random state stay replicated.
func x64CombineRule(op *ir.Op, _ bool) *factor.Rule {
	isState := false
	for u := range op.Results[0].Uses() {
		isState = isState || u.Op.Kind == ir.OpRngBitGenerator && u.Operand == 0 && u.Op.Block() == op.Block()
	}
	if !isState {
		return pointwiseRule(op, false)
	}
	b := newRule(op)
	for d, size := range op.Results[0].Type.Dims {
		b.addToAll(d, size, factor.NeedReplication).Blocked = true
	}
	return b.build()
}

// eighRule is the rule of XLA's custom call Eigh, which computes the eigenvectors and, as an
// optional second result, the eigenvalues of a symmetric matrix. All dimensions pass through; the
// eigenvalues share a factor with the columns of the matrix of eigenvectors.
func eighRule(op *ir.Op, _ bool) *factor.Rule {
	b := newRule(op)
	dims := op.Operands[0].Type.Dims
	for d, size := range dims {
		values := d
		switch d {
		case len(dims) - 2:
			values = noDim
		case len(dims) - 1:
			values = d - 1
		}
		b.factor([]int{d}, []int{d, values}[:len(op.Results)], size, factor.PassThrough)
	}
	return b.build()
}

// householderRule is the rule of custom calls on matrices that have a vector of scale factors for
// each matrix, the last operand or the last result. Batch dimensions pass through, and all others
// must be replicated.
func householderRule(op *ir.Op, _ bool) *factor.Rule {
	b := newRule(op)
	dims := op.Operands[0].Type.Dims
	at := func(values []*ir.Value, d int) []int {
		out := dimOf(values, d)
		for i, v := range values {
			if v.Type.Rank() < len(dims) && d >= len(dims)-2 {
				out[i] = noDim
			}
		}
		return out
	}
	for d, size := range dims {
		kind := factor.PassThrough
		if d >= len(dims)-2 {
			kind = factor.NeedReplication
		}
		b.factor(at(op.Operands, d), at(op.Results, d), size, kind)
	}
	scales := func(values []*ir.Value) (at []int, size int) {
		at = slices.Repeat([]int{noDim}, len(values))
		for i, v := range values {
			if v.Type.Rank() == len(dims)-1 {
				at[i] = len(dims) - 2
				size = v.Type.Dims[at[i]]
			}
		}
		return at, size
	}
	operands, n := scales(op.Operands)
	results, m := scales(op.Results)
	if size := max(n, m); size > 0 {
		b.factor(operands, results, size, factor.NeedReplication)
	}
	return b.build()
}

// lapackRule is the rule of calls of LAPACK: batch dimensions pass through, and every device needs
// full matrices. The rule that JAX states on these calls would let rows and columns of operands be
// sharded, by factors that no result has.
func lapackRule(op *ir.Op) *factor.Rule {
	b := newRule(op)
	batch := lapack.BatchDims(op)
	for d, size := range batch {
		b.factor(slices.Repeat([]int{d}, len(op.Operands)), slices.Repeat([]int{d}, len(op.Results)), size, factor.PassThrough)
	}
	whole := func(values []*ir.Value, add func(at []int, size int)) {
		for i, v := range values {
			for d := len(batch); d < v.Type.Rank(); d++ {
				at := slices.Repeat([]int{noDim}, i+1)
				at[i] = d
				add(at, v.Type.Dims[d])
			}
		}
	}
	whole(op.Operands, func(at []int, size int) { b.factor(at, nil, size, factor.NeedReplication) })
	whole(op.Results, func(at []int, size int) { b.factor(nil, at, size, factor.NeedReplication) })
	return b.build()
}

// reductionDim finds the reduced dimension in the configuration of a PartialReduce: a dictionary,
// or JSON in a string.
var reductionDim = regexp.MustCompile(`reduction_dim\W+(?:22\W+)?(\d+)`)

// partialReduceRule is the rule of XLA's custom call for the approximate best k elements: the
// dimension that is reduced to them has one factor in the operand and another one in the result. It
// is nil if the call does not name that dimension, or if operand and result differ in rank.
func partialReduceRule(op *ir.Op, _ bool) *factor.Rule {
	reduced := -1
	for _, name := range []string{"mhlo.backend_config", "backend_config"} {
		switch a := op.Attrs.Get(name).(type) {
		case ir.Dict:
			if n, ok := ir.Attrs(a).Get("reduction_dim").(ir.Int); ok {
				reduced = int(n)
			}
		case ir.String:
			reduced = matchInt(reductionDim, string(a), reduced)
		case ir.Raw:
			reduced = matchInt(reductionDim, string(a), reduced)
		}
	}
	dims, out := op.Operands[0].Type.Dims, op.Results[0].Type.Dims
	if reduced < 0 || reduced >= len(dims) || len(out) != len(dims) {
		return nil
	}
	b := newRule(op)
	for d, size := range dims {
		if d != reduced {
			b.addToAll(d, size, factor.PassThrough)
			continue
		}
		b.factor(b.operandDim(d), nil, size, factor.PassThrough)
		b.factor(nil, b.resultDim(d), out[d], factor.NeedReplication).Blocked = true
	}
	return b.build()
}

func matchInt(re *regexp.Regexp, s string, otherwise int) int {
	if m := re.FindStringSubmatch(s); m != nil {
		if n, err := strconv.Atoi(m[1]); err == nil {
			return n
		}
	}
	return otherwise
}
