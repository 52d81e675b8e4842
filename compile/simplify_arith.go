package compile

// This file holds the rewrites of arithmetic and logic.
//
// These rewrites are wrong, and so absent: x + 0.0 => x (it keeps -0.0, which the sum does not); x
// * 0.0 => 0.0 (NaN, infinities, sign); x - x => 0 and x / x => 1 (NaN); and all of them for
// complex numbers.

import (
	"github.com/gospmd/gospmd/ir"
)

var arithRewrites = []ir.Pattern{
	pattern("x + 0 => x (integers); x + -0.0 => x", dropNeutral(either, 0, negativeZero), ir.OpAdd),
	pattern("x - 0 => x; x - 0.0 => x", dropNeutral(right, 0, 0), ir.OpSubtract),
	pattern("x * 1 => x", dropNeutral(either, 1, 1), ir.OpMultiply),
	pattern("x / 1 => x", dropNeutral(right, 1, 1), ir.OpDivide),
	pattern("x * 0 => 0 (integers)", absorb(0), ir.OpMultiply),
	pattern("x and 0 => 0", absorb(0), ir.OpAnd),
	pattern("x and -1 => x", dropNeutralInt(either, -1), ir.OpAnd),
	pattern("x or 0 => x", dropNeutralInt(either, 0), ir.OpOr),
	pattern("x or -1 => -1", absorb(-1), ir.OpOr),
	pattern("x xor 0 => x", dropNeutralInt(either, 0), ir.OpXor),
	pattern("x << 0, x >> 0 => x", dropNeutralInt(right, 0), ir.OpShiftLeft, ir.OpShiftRightArithmetic, ir.OpShiftRightLogical),
	pattern("x op x => x", sameOperands, ir.OpAnd, ir.OpOr, ir.OpMaximum, ir.OpMinimum),
	pattern("- - x => x", cancelTwice, ir.OpNegate),
	pattern("not not x => x", cancelTwice, ir.OpNot),
	pattern("convert x to its own type => x", convertSame, ir.OpConvert),
	pattern("convert (convert x) => convert x, if the inner one keeps every value", convertTwice, ir.OpConvert),
	pattern("select p, x, x => x", selectSame, ir.OpSelect),
	pattern("select true, x, y => x; select false, x, y => y", selectKnown, ir.OpSelect),
}

// side says which operand may be the constant: only the right one, or either.
type side int

const (
	right side = iota
	either
)

// dropNeutral returns a rewrite that replaces an op by its other operand if the operand on side s
// is a constant with all elements equal to i, for integer types and booleans, or to f, for float
// types.
func dropNeutral(s side, i int64, f float64) rewrite {
	return func(_ *ir.Rewriter, op *ir.Op) *ir.Value {
		lhs, rhs := op.Operands[0], op.Operands[1]
		if isSplatOf(rhs, i, f) {
			return lhs
		}
		if s == either && isSplatOf(lhs, i, f) {
			return rhs
		}
		return nil
	}
}

// dropNeutralInt returns the rewrite of dropNeutral for the neutral element i on side s, for ops on
// integers and booleans only.
func dropNeutralInt(s side, i int64) rewrite { return dropNeutral(s, i, notAFloat) }

// absorb returns a rewrite that replaces an op of an integer or boolean type by its constant
// operand, if all elements of that are i.
func absorb(i int64) rewrite {
	return func(_ *ir.Rewriter, op *ir.Op) *ir.Value {
		for _, v := range op.Operands {
			if isSplatOf(v, i, notAFloat) {
				return v
			}
		}
		return nil
	}
}

func sameOperands(_ *ir.Rewriter, op *ir.Op) *ir.Value {
	if op.Operands[0] == op.Operands[1] {
		return op.Operands[0]
	}
	return nil
}

// cancelTwice returns x if op, of a kind that undoes itself, is applied to an op of the same kind
// on x; otherwise nil.
func cancelTwice(_ *ir.Rewriter, op *ir.Op) *ir.Value {
	if inner := definingOp(op.Operands[0], op.Kind); inner != nil {
		return inner.Operands[0]
	}
	return nil
}

func convertSame(_ *ir.Rewriter, op *ir.Op) *ir.Value {
	if op.Operands[0].Type.Equal(op.Result().Type) {
		return op.Operands[0]
	}
	return nil
}

func convertTwice(r *ir.Rewriter, op *ir.Op) *ir.Value {
	inner := definingOp(op.Operands[0], ir.OpConvert)
	if inner == nil {
		return nil
	}
	x := inner.Operands[0]
	from, via := numberOf(x.Type.DType), numberOf(inner.Result().Type.DType)
	if !via.holds(from) {
		return nil
	}
	if x.Type.Equal(op.Result().Type) {
		return x
	}
	return rebuild(r, op, op.Attrs, x)
}

func selectSame(_ *ir.Rewriter, op *ir.Op) *ir.Value {
	if op.Operands[1] == op.Operands[2] {
		return op.Operands[1]
	}
	return nil
}

func selectKnown(_ *ir.Rewriter, op *ir.Op) *ir.Value {
	d := literal(op.Operands[0])
	if d == nil {
		return nil
	}
	first, uniform := uniformElement(d)
	if !uniform {
		return nil
	}
	if first.i != 0 {
		return op.Operands[1]
	}
	return op.Operands[2]
}

// isSplatOf reports whether v is a constant with all elements equal to i, for integer and boolean
// types, or to f, for float types. -0.0 is not equal to 0.0. For unsigned types and booleans, i =
// -1 means all bits set.
func isSplatOf(v *ir.Value, i int64, f float64) bool {
	d := literal(v)
	if d == nil {
		return false
	}
	e, uniform := uniformElement(d)
	if !uniform {
		return false
	}
	n := numberOf(d.Type.DType)
	switch n.class {
	case floating:
		return sameFloat(e.f, f)
	case signed, unsigned, boolean:
		return e.i == n.wrap(i)
	}
	return false
}
