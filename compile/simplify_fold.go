package compile

// This file holds the rewrites that fold constants.

import (
	"cmp"
	"math"

	"github.com/gospmd/gospmd/ir"
)

// maxFolded is the largest number of elements of a folded constant, except splats. Larger tables
// are better computed on the devices than stored in the program.
const maxFolded = 1024

var foldRewrites = []ir.Pattern{
	pattern("op on constants => constant", fold, foldKinds()...),
	pattern("compare of constants => constant", foldCompare, ir.OpCompare),
	pattern("convert of a constant => constant", foldConvert, ir.OpConvert),
}

// folds holds the functions that fold ops on integers, booleans among them, and on floats; nil:
// such ops are not folded. If an op has one operand, b is a, too. They need exact or correctly
// rounded results, so exponential and power are not among them. ok is false if devices may differ
// in the result, as in a division of integers by zero. Floats are float64 here, which means one
// more rounding; for + - * / and sqrt that makes no difference if the type has at most 25 bits of
// significand.
var folds = []struct {
	kind   ir.OpKind
	ints   func(n number, a, b int64) (int64, bool)
	floats func(a, b float64) (float64, bool)
}{
	{ir.OpAdd, addInts, func(a, b float64) (float64, bool) { return a + b, true }},
	{ir.OpSubtract, func(_ number, a, b int64) (int64, bool) { return a - b, true }, func(a, b float64) (float64, bool) { return a - b, true }},
	{ir.OpMultiply, func(_ number, a, b int64) (int64, bool) { return a * b, true }, func(a, b float64) (float64, bool) { return a * b, true }},
	{ir.OpDivide, divideInts, func(a, b float64) (float64, bool) { return a / b, true }},
	{ir.OpMaximum, maxInts, maxFloats},
	{ir.OpMinimum, minInts, minFloats},
	{ir.OpAnd, func(_ number, a, b int64) (int64, bool) { return a & b, true }, nil},
	{ir.OpOr, func(_ number, a, b int64) (int64, bool) { return a | b, true }, nil},
	{ir.OpXor, func(_ number, a, b int64) (int64, bool) { return a ^ b, true }, nil},
	{ir.OpNot, func(_ number, a, _ int64) (int64, bool) { return ^a, true }, nil},
	{ir.OpNegate, func(_ number, a, _ int64) (int64, bool) { return -a, true }, func(a, _ float64) (float64, bool) { return -a, true }},
	{ir.OpSqrt, nil, func(a, _ float64) (float64, bool) { return math.Sqrt(a), a >= 0 }},
}

func foldKinds() []ir.OpKind {
	var out []ir.OpKind
	for _, f := range folds {
		out = append(out, f.kind)
	}
	return out
}

// fold returns the constant result of op, which has one or two constant operands of the same
// element type; nil if it cannot be folded.
func fold(r *ir.Rewriter, op *ir.Op) *ir.Value {
	t := op.Result().Type
	n := numberOf(t.DType)
	for _, f := range folds {
		if f.kind != op.Kind {
			continue
		}
		return foldElements(r, op, func(args []element) (element, bool) {
			a, b := args[0], args[len(args)-1]
			if n.class != floating {
				if f.ints == nil {
					return element{}, false
				}
				i, ok := f.ints(n, a.i, b.i)
				return element{i: n.wrap(i)}, ok
			}
			if f.floats == nil {
				return element{}, false
			}
			v, ok := f.floats(a.f, b.f)
			return element{f: n.round(v)}, ok
		})
	}
	return nil
}

// foldCompare returns the constant result of op, a comparison of constants. It returns nil if
// foldElements does, and for floats in total order.
func foldCompare(r *ir.Rewriter, op *ir.Op) *ir.Value {
	n := numberOf(op.Operands[0].Type.DType)
	if op.Compare().CompareType() == "TOTALORDER" {
		return nil
	}
	direction := op.Compare().ComparisonDirection()
	return foldElements(r, op, func(args []element) (element, bool) {
		c := n.compare(args[0].i, args[1].i)
		if n.class == floating {
			c = cmp.Compare(args[0].f, args[1].f)
		}
		holds := map[string]bool{"EQ": c == 0, "NE": c != 0, "GE": c >= 0, "GT": c > 0, "LE": c <= 0, "LT": c < 0}[direction]
		return truth(holds), true
	})
}

// foldConvert returns the constant result of op, a conversion of a constant; nil if it does not
// fold it. Integers wrap. Floats become integers without their fraction, if these are in range and
// less than 2⁵³ in magnitude; integers become floats if they are at most 2⁵³ in magnitude.
func foldConvert(r *ir.Rewriter, op *ir.Op) *ir.Value {
	from, to := numberOf(op.Operands[0].Type.DType), numberOf(op.Result().Type.DType)
	return foldElements(r, op, func(args []element) (element, bool) {
		x := args[0]
		switch {
		case from.class != floating && to.class != floating:
			if to.class == boolean {
				return truth(x.i != 0), true
			}
			return element{i: to.wrap(x.i)}, true
		case from.class != floating:
			exact := x.i >= -1<<53 && x.i <= 1<<53
			return element{f: to.round(float64(x.i))}, exact
		case to.class == floating:
			return element{f: to.round(x.f)}, true
		case to.class == boolean:
			return truth(x.f != 0), true
		default:
			truncated := math.Trunc(x.f)
			i := int64(truncated)
			inRange := math.Abs(truncated) < 1<<53 && to.wrap(i) == i && (to.class == signed || i >= 0)
			return element{i: i}, inRange
		}
	})
}

// foldElements makes a constant by applying f to the elements of op's operands. It returns nil
// unless all operands are constants, f returns true, no float among operands and results is NaN or
// subnormal (devices differ in these), and 16-bit floats hold their results exactly. It also
// returns nil for an empty result, and for one of more than maxFolded elements unless all operands
// are uniform.
func foldElements(r *ir.Rewriter, op *ir.Op, f func(args []element) (element, bool)) *ir.Value {
	t := op.Result().Type
	n := numberOf(t.DType)
	if n.class == opaque || t.Size() == 0 {
		return nil
	}
	count := 1
	operands := make([]*ir.Dense, len(op.Operands))
	uniform := make([]bool, len(op.Operands))
	for i, v := range op.Operands {
		d := literal(v)
		if d == nil || numberOf(d.Type.DType).class == opaque {
			return nil
		}
		operands[i] = d
		if uniform[i] = isUniform(d); !uniform[i] {
			count = t.Size()
		}
	}
	if count > maxFolded {
		return nil
	}
	out := &ir.Dense{Type: t, Splat: count == 1}
	args := make([]element, len(operands))
	for k := range count {
		for i, d := range operands {
			on := numberOf(d.Type.DType)
			at := k
			if uniform[i] {
				at = 0
			}
			args[i] = on.get(d.Data, at)
			if on.class == floating && !on.isPortable(args[i].f) {
				return nil
			}
		}
		e, ok := f(args)
		if !ok || n.class == floating && !n.isPortable(e.f) {
			return nil
		}
		if out.Data, ok = n.append(out.Data, e); !ok {
			return nil
		}
	}
	return r.Constant(out)
}

// truth returns holds as an element of a boolean constant.
func truth(holds bool) element {
	if holds {
		return element{i: 1}
	}
	return element{}
}

// isPortable reports whether all devices agree on the float f: it is neither NaN nor subnormal.
func (n number) isPortable(f float64) bool {
	return f == f && (f == 0 || math.Abs(f) >= n.minNormal)
}

// round returns f rounded to float32 if the type n has 32 bits, and otherwise f itself. For 16-bit
// types, append checks that no rounding is needed.
func (n number) round(f float64) float64 {
	if n.bits == 32 {
		return float64(float32(f))
	}
	return f
}

// compare compares two elements of an integer type: -1 if a is less than b, 0 if they are equal, 1
// if it is greater.
func (n number) compare(a, b int64) int {
	if n.class == unsigned {
		return cmp.Compare(uint64(a), uint64(b))
	}
	return cmp.Compare(a, b)
}

// addInts returns a + b and true. It returns false for booleans, whose sums are not folded:
// StableHLO adds them as "or", XLA on CPUs as "exclusive or".
func addInts(n number, a, b int64) (int64, bool) { return a + b, n.class != boolean }

func divideInts(n number, a, b int64) (int64, bool) {
	switch {
	case b == 0 || n.class == boolean:
		return 0, false
	case n.class == unsigned:
		return int64(uint64(a) / uint64(b)), true
	case b == -1 && n.wrap(-a) == a: // the smallest number has no negative
		return 0, false
	}
	return a / b, true
}

func maxInts(n number, a, b int64) (int64, bool) {
	if n.compare(a, b) < 0 {
		a = b
	}
	return a, true
}

func minInts(n number, a, b int64) (int64, bool) {
	if n.compare(a, b) > 0 {
		a = b
	}
	return a, true
}

// maxFloats returns the larger one of a and b. It returns false for +0 and -0, which are not
// folded: devices differ in which zero they return.
func maxFloats(a, b float64) (float64, bool) { return max(a, b), a != 0 || b != 0 || sameFloat(a, b) }

func minFloats(a, b float64) (float64, bool) { return min(a, b), a != 0 || b != 0 || sameFloat(a, b) }
