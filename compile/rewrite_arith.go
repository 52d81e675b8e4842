package compile

// This file holds the rewrites of arithmetic and logic.
//
// Tempting but wrong, and so absent: x + 0.0 (turns -0.0 into 0.0), x * 0.0
// (NaN, infinities, sign), x - x and x / x (NaN), and all of these on complex
// numbers.

import "github.com/gospmd/gospmd/ir"

var arithRewrites = []rewrite{
	{"x + 0 => x (integers); x + -0.0 => x", kinds(ir.OpAdd), neutral(either, 0, negativeZero)},
	{"x - 0 => x; x - 0.0 => x", kinds(ir.OpSubtract), neutral(right, 0, 0)},
	{"x * 1 => x", kinds(ir.OpMultiply), neutral(either, 1, 1)},
	{"x / 1 => x", kinds(ir.OpDivide), neutral(right, 1, 1)},
	{"x * 0 => 0 (integers)", kinds(ir.OpMultiply), absorbing(0)},
	{"x and 0 => 0", kinds(ir.OpAnd), absorbing(0)},
	{"x and -1 => x", kinds(ir.OpAnd), neutralInt(either, -1)},
	{"x or 0 => x", kinds(ir.OpOr), neutralInt(either, 0)},
	{"x or -1 => -1", kinds(ir.OpOr), absorbing(-1)},
	{"x xor 0 => x", kinds(ir.OpXor), neutralInt(either, 0)},
	{"x << 0, x >> 0 => x", kinds(ir.OpShiftLeft, ir.OpShiftRightArithmetic, ir.OpShiftRightLogical), neutralInt(right, 0)},
	{"x op x => x", kinds(ir.OpAnd, ir.OpOr, ir.OpMaximum, ir.OpMinimum), sameOperands},
	{"- - x => x", kinds(ir.OpNegate), twice},
	{"not not x => x", kinds(ir.OpNot), twice},
	{"convert x to its own type => x", kinds(ir.OpConvert), convertSame},
	{"convert (convert x) => convert x, if the inner one keeps every value", kinds(ir.OpConvert), convertTwice},
	{"select p, x, x => x", kinds(ir.OpSelect), selectSame},
	{"select true, x, y => x; select false, x, y => y", kinds(ir.OpSelect), selectKnown},
}

func kinds(k ...ir.OpKind) []ir.OpKind { return k }

// side says which operand may be the constant.
type side int

const (
	right side = iota
	either
)

// neutral drops a constant operand: every element of it is i, of an integer
// type, or f, of a float type.
func neutral(s side, i int64, f float64) func(*rewriter, *ir.Op) *ir.Value {
	return func(_ *rewriter, op *ir.Op) *ir.Value {
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

// neutralInt is neutral for ops on integers and booleans only.
func neutralInt(s side, i int64) func(*rewriter, *ir.Op) *ir.Value { return neutral(s, i, notAFloat) }

// absorbing replaces the op by its constant operand, if that is i, of an
// integer type.
func absorbing(i int64) func(*rewriter, *ir.Op) *ir.Value {
	return func(_ *rewriter, op *ir.Op) *ir.Value {
		for _, v := range op.Operands {
			if isSplatOf(v, i, notAFloat) {
				return v
			}
		}
		return nil
	}
}

func sameOperands(_ *rewriter, op *ir.Op) *ir.Value {
	if op.Operands[0] == op.Operands[1] {
		return op.Operands[0]
	}
	return nil
}

// twice drops an op that undoes another of its kind.
func twice(_ *rewriter, op *ir.Op) *ir.Value {
	if inner := defined(op.Operands[0], op.Kind); inner != nil {
		return inner.Operands[0]
	}
	return nil
}

func convertSame(_ *rewriter, op *ir.Op) *ir.Value {
	if op.Operands[0].Type.Equal(op.Result().Type) {
		return op.Operands[0]
	}
	return nil
}

func convertTwice(r *rewriter, op *ir.Op) *ir.Value {
	inner := defined(op.Operands[0], ir.OpConvert)
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
	return r.emit(op, ir.OpConvert, op.Attrs, op.Result().Type, x)
}

func selectSame(_ *rewriter, op *ir.Op) *ir.Value {
	if op.Operands[1] == op.Operands[2] {
		return op.Operands[1]
	}
	return nil
}

func selectKnown(_ *rewriter, op *ir.Op) *ir.Value {
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

// isSplatOf reports whether v is a constant all of whose elements are i, of an
// integer or boolean type, or f, of a float type; -0.0 is not 0.0. All ones
// (-1) are meant for unsigned types and for booleans, too.
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
