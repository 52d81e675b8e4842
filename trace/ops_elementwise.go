package trace

// This file records element-wise operations: unary, binary, comparisons,
// Where and Clamp. See the StableHLO specification, "Ops".

import (
	"github.com/gomlx/compute"
	"github.com/gomlx/compute/dtypes"

	"github.com/gospmd/gospmd/ir"
)

// family is a set of element types: those that the documentation of package compute allows for an
// operation. text names it in errors.
type family struct {
	text string
	has  func(dtypes.DType) bool
}

var (
	anything  = family{"any element type", func(dtypes.DType) bool { return true }}
	boolean   = family{"booleans", func(d dtypes.DType) bool { return d == dtypes.Bool }}
	anyInt    = family{"integers", dtypes.DType.IsInt}
	realFloat = family{"floats", dtypes.DType.IsFloat}
	anyFloat  = family{"floats or complex numbers", func(d dtypes.DType) bool { return d.IsFloat() || d.IsComplex() }}
	number    = family{"numbers", func(d dtypes.DType) bool { return d != dtypes.Bool }}
	signed    = family{"signed numbers", func(d dtypes.DType) bool { return d != dtypes.Bool && !d.IsUnsigned() }}
)

// demand makes the operation fail unless all operands have element types in want.
func (e *emitter) demand(want family, operands ...*ir.Value) {
	if e.err != nil {
		return
	}
	for _, x := range operands {
		if !want.has(x.Type.DType) {
			e.failf("got %s, want %s", x.Type, want.text)
		}
	}
}

func (f *function) unaryOp(name string, want family, kind ir.OpKind, x compute.Value) (compute.Value, error) {
	e := f.begin(name)
	v := e.value(x)
	e.demand(want, v)
	return e.result(e.op(kind, nil, v))
}

func (f *function) binaryOp(name string, want family, kind ir.OpKind, lhs, rhs compute.Value) (compute.Value, error) {
	e := f.begin(name)
	x, y := e.value(lhs), e.value(rhs)
	e.demand(want, x, y)
	return e.result(e.binary(kind, x, y))
}

// binary emits an element-wise op of two operands, which it broadcasts, and returns its result.
// Different element types fail e.
func (e *emitter) binary(kind ir.OpKind, x, y *ir.Value) *ir.Value {
	return e.op(kind, nil, e.pair(x, y)...)
}

// where emits a selection of elements, of x where the condition is true and of y elsewhere, with
// operands broadcast to common dimensions, and returns it. x and y must have the same element type.
func (e *emitter) where(condition, x, y *ir.Value) *ir.Value {
	e.requireSameDType(x, y)
	return e.op(ir.OpSelect, nil, e.broadcastAll(condition, x, y)...)
}

// pair returns x and y broadcast to common dimensions. The operation fails unless they have the
// same element type.
func (e *emitter) pair(x, y *ir.Value) []*ir.Value {
	e.requireSameDType(x, y)
	return e.broadcastAll(x, y)
}

// compareType returns the attribute compare_type of StableHLO's compare for elements of type d.
// total demands the total order of floats, in which -0 < 0 and NaN has a place.
func compareType(d dtypes.DType, total bool) ir.Enum {
	switch {
	case d.IsInt() && !d.IsUnsigned():
		return "SIGNED"
	case d.IsInt() || d == dtypes.Bool:
		return "UNSIGNED"
	case total:
		return "TOTALORDER"
	}
	return "FLOAT"
}

// compare emits an element-wise comparison of x and y, which have the same type, in the given
// direction, such as "LT", and returns its result. total demands the total order of floats.
func (e *emitter) compare(direction ir.Enum, total bool, x, y *ir.Value) *ir.Value {
	if e.err != nil {
		return nil
	}
	return e.op(ir.OpCompare, ir.Attrs{
		{Name: "comparison_direction", Value: direction},
		{Name: "compare_type", Value: compareType(x.Type.DType, total)},
	}, x, y)
}

func (f *function) comparison(name string, direction ir.Enum, total bool, lhs, rhs compute.Value) (compute.Value, error) {
	e := f.begin(name)
	operands := e.pair(e.value(lhs), e.value(rhs))
	return e.result(e.compare(direction, total, operands[0], operands[1]))
}

// Operations with one operand that become one op.

func (f *function) BitCount(x compute.Value) (compute.Value, error) {
	return f.unaryOp("BitCount", anyInt, ir.OpPopcnt, x)
}

func (f *function) BitwiseNot(x compute.Value) (compute.Value, error) {
	return f.unaryOp("BitwiseNot", anyInt, ir.OpNot, x)
}

func (f *function) Ceil(x compute.Value) (compute.Value, error) {
	return f.unaryOp("Ceil", realFloat, ir.OpCeil, x)
}

func (f *function) Clz(x compute.Value) (compute.Value, error) {
	return f.unaryOp("Clz", anyInt, ir.OpCountLeadingZeros, x)
}

func (f *function) Cos(x compute.Value) (compute.Value, error) {
	return f.unaryOp("Cos", anyFloat, ir.OpCosine, x)
}

func (f *function) Erf(x compute.Value) (compute.Value, error) {
	return f.unaryOp("Erf", realFloat, ir.OpErf, x)
}

func (f *function) Exp(x compute.Value) (compute.Value, error) {
	return f.unaryOp("Exp", anyFloat, ir.OpExp, x)
}

func (f *function) Expm1(x compute.Value) (compute.Value, error) {
	return f.unaryOp("Expm1", anyFloat, ir.OpExpM1, x)
}

func (f *function) Floor(x compute.Value) (compute.Value, error) {
	return f.unaryOp("Floor", realFloat, ir.OpFloor, x)
}

func (f *function) Imag(x compute.Value) (compute.Value, error) {
	return f.unaryOp("Imag", anyFloat, ir.OpImag, x)
}

func (f *function) IsFinite(x compute.Value) (compute.Value, error) {
	return f.unaryOp("IsFinite", realFloat, ir.OpIsFinite, x)
}

func (f *function) Log(x compute.Value) (compute.Value, error) {
	return f.unaryOp("Log", anyFloat, ir.OpLog, x)
}

func (f *function) Log1p(x compute.Value) (compute.Value, error) {
	return f.unaryOp("Log1p", anyFloat, ir.OpLog1p, x)
}

func (f *function) LogicalNot(x compute.Value) (compute.Value, error) {
	return f.unaryOp("LogicalNot", boolean, ir.OpNot, x)
}

func (f *function) Logistic(x compute.Value) (compute.Value, error) {
	return f.unaryOp("Logistic", anyFloat, ir.OpLogistic, x)
}

func (f *function) Neg(x compute.Value) (compute.Value, error) {
	return f.unaryOp("Neg", signed, ir.OpNegate, x)
}

func (f *function) Real(x compute.Value) (compute.Value, error) {
	return f.unaryOp("Real", anyFloat, ir.OpReal, x)
}

func (f *function) Round(x compute.Value) (compute.Value, error) {
	return f.unaryOp("Round", realFloat, ir.OpRoundEven, x)
}

func (f *function) Rsqrt(x compute.Value) (compute.Value, error) {
	return f.unaryOp("Rsqrt", anyFloat, ir.OpRsqrt, x)
}

func (f *function) Sin(x compute.Value) (compute.Value, error) {
	return f.unaryOp("Sin", anyFloat, ir.OpSine, x)
}

func (f *function) Sqrt(x compute.Value) (compute.Value, error) {
	return f.unaryOp("Sqrt", anyFloat, ir.OpSqrt, x)
}

func (f *function) Tanh(x compute.Value) (compute.Value, error) {
	return f.unaryOp("Tanh", anyFloat, ir.OpTanh, x)
}

// Operations with two operands that become one op after broadcasting.

func (f *function) Add(lhs, rhs compute.Value) (compute.Value, error) {
	return f.binaryOp("Add", number, ir.OpAdd, lhs, rhs)
}

func (f *function) Atan2(lhs, rhs compute.Value) (compute.Value, error) {
	return f.binaryOp("Atan2", anyFloat, ir.OpAtan2, lhs, rhs)
}

func (f *function) BitwiseAnd(lhs, rhs compute.Value) (compute.Value, error) {
	return f.binaryOp("BitwiseAnd", anyInt, ir.OpAnd, lhs, rhs)
}

func (f *function) BitwiseOr(lhs, rhs compute.Value) (compute.Value, error) {
	return f.binaryOp("BitwiseOr", anyInt, ir.OpOr, lhs, rhs)
}

func (f *function) BitwiseXor(lhs, rhs compute.Value) (compute.Value, error) {
	return f.binaryOp("BitwiseXor", anyInt, ir.OpXor, lhs, rhs)
}

func (f *function) Complex(lhs, rhs compute.Value) (compute.Value, error) {
	return f.binaryOp("Complex", realFloat, ir.OpComplex, lhs, rhs)
}

func (f *function) Div(lhs, rhs compute.Value) (compute.Value, error) {
	return f.binaryOp("Div", number, ir.OpDivide, lhs, rhs)
}

func (f *function) LogicalAnd(lhs, rhs compute.Value) (compute.Value, error) {
	return f.binaryOp("LogicalAnd", boolean, ir.OpAnd, lhs, rhs)
}

func (f *function) LogicalOr(lhs, rhs compute.Value) (compute.Value, error) {
	return f.binaryOp("LogicalOr", boolean, ir.OpOr, lhs, rhs)
}

func (f *function) LogicalXor(lhs, rhs compute.Value) (compute.Value, error) {
	return f.binaryOp("LogicalXor", boolean, ir.OpXor, lhs, rhs)
}

func (f *function) Max(lhs, rhs compute.Value) (compute.Value, error) {
	return f.binaryOp("Max", anything, ir.OpMaximum, lhs, rhs)
}

func (f *function) Min(lhs, rhs compute.Value) (compute.Value, error) {
	return f.binaryOp("Min", anything, ir.OpMinimum, lhs, rhs)
}

func (f *function) Mul(lhs, rhs compute.Value) (compute.Value, error) {
	return f.binaryOp("Mul", number, ir.OpMultiply, lhs, rhs)
}

func (f *function) Pow(lhs, rhs compute.Value) (compute.Value, error) {
	return f.binaryOp("Pow", number, ir.OpPower, lhs, rhs)
}

func (f *function) Rem(lhs, rhs compute.Value) (compute.Value, error) {
	return f.binaryOp("Rem", number, ir.OpRemainder, lhs, rhs)
}

func (f *function) ShiftLeft(lhs, rhs compute.Value) (compute.Value, error) {
	return f.binaryOp("ShiftLeft", anyInt, ir.OpShiftLeft, lhs, rhs)
}

func (f *function) ShiftRightArithmetic(lhs, rhs compute.Value) (compute.Value, error) {
	return f.binaryOp("ShiftRightArithmetic", anyInt, ir.OpShiftRightArithmetic, lhs, rhs)
}

func (f *function) ShiftRightLogical(lhs, rhs compute.Value) (compute.Value, error) {
	return f.binaryOp("ShiftRightLogical", anyInt, ir.OpShiftRightLogical, lhs, rhs)
}

func (f *function) Sub(lhs, rhs compute.Value) (compute.Value, error) {
	return f.binaryOp("Sub", number, ir.OpSubtract, lhs, rhs)
}

// The comparisons. The total order of floats is -NaN < -Inf < … < -0 < +0 < … < +Inf < +NaN.
// Integers have only one order.

func (f *function) Equal(lhs, rhs compute.Value) (compute.Value, error) {
	return f.comparison("Equal", "EQ", false, lhs, rhs)
}

func (f *function) EqualTotalOrder(lhs, rhs compute.Value) (compute.Value, error) {
	return f.comparison("EqualTotalOrder", "EQ", true, lhs, rhs)
}

func (f *function) GreaterOrEqual(lhs, rhs compute.Value) (compute.Value, error) {
	return f.comparison("GreaterOrEqual", "GE", false, lhs, rhs)
}

func (f *function) GreaterOrEqualTotalOrder(lhs, rhs compute.Value) (compute.Value, error) {
	return f.comparison("GreaterOrEqualTotalOrder", "GE", true, lhs, rhs)
}

func (f *function) GreaterThan(lhs, rhs compute.Value) (compute.Value, error) {
	return f.comparison("GreaterThan", "GT", false, lhs, rhs)
}

func (f *function) GreaterThanTotalOrder(lhs, rhs compute.Value) (compute.Value, error) {
	return f.comparison("GreaterThanTotalOrder", "GT", true, lhs, rhs)
}

func (f *function) LessOrEqual(lhs, rhs compute.Value) (compute.Value, error) {
	return f.comparison("LessOrEqual", "LE", false, lhs, rhs)
}

func (f *function) LessOrEqualTotalOrder(lhs, rhs compute.Value) (compute.Value, error) {
	return f.comparison("LessOrEqualTotalOrder", "LE", true, lhs, rhs)
}

func (f *function) LessThan(lhs, rhs compute.Value) (compute.Value, error) {
	return f.comparison("LessThan", "LT", false, lhs, rhs)
}

func (f *function) LessThanTotalOrder(lhs, rhs compute.Value) (compute.Value, error) {
	return f.comparison("LessThanTotalOrder", "LT", true, lhs, rhs)
}

func (f *function) NotEqual(lhs, rhs compute.Value) (compute.Value, error) {
	return f.comparison("NotEqual", "NE", false, lhs, rhs)
}

func (f *function) NotEqualTotalOrder(lhs, rhs compute.Value) (compute.Value, error) {
	return f.comparison("NotEqualTotalOrder", "NE", true, lhs, rhs)
}

// IsNaN returns booleans: where x, floats or complex numbers, is not a number. It is recorded as x
// != x. Other elements are an error.
func (f *function) IsNaN(x compute.Value) (compute.Value, error) {
	e := f.begin("IsNaN")
	v := e.value(x)
	e.demand(anyFloat, v)
	return e.result(e.compare("NE", false, v, v))
}

// Abs returns the absolute values. Unsigned numbers are returned as they are: StableHLO's abs does
// not take them. Booleans are an error.
func (f *function) Abs(x compute.Value) (compute.Value, error) {
	e := f.begin("Abs")
	v := e.value(x)
	e.demand(number, v)
	if e.err == nil && v.Type.DType.IsUnsigned() {
		return v, nil
	}
	return e.result(e.op(ir.OpAbs, nil, v))
}

// Sign returns the signs of the elements: -1, 0 or 1 in their type. For unsigned numbers it is
// recorded as min(x, 1): StableHLO's sign does not take them. Booleans are an error.
func (f *function) Sign(x compute.Value) (compute.Value, error) {
	e := f.begin("Sign")
	v := e.value(x)
	e.demand(number, v)
	if e.err == nil && v.Type.DType.IsUnsigned() {
		return e.result(e.binary(ir.OpMinimum, v, e.scalar(v.Type.DType, 1)))
	}
	return e.result(e.op(ir.OpSign, nil, v))
}

// Conj returns x, complex numbers, with the imaginary part negated. Other elements are an error.
func (f *function) Conj(x compute.Value) (compute.Value, error) {
	e := f.begin("Conj")
	v := e.value(x)
	if e.err == nil && !v.Type.DType.IsComplex() {
		e.failf("got %s, want complex numbers", v.Type)
	}
	re := e.op(ir.OpReal, nil, v)
	im := e.op(ir.OpNegate, nil, e.op(ir.OpImag, nil, v))
	return e.result(e.op(ir.OpComplex, nil, re, im))
}

// Where returns the elements of onTrue where the condition is true, and of onFalse elsewhere. It
// broadcasts scalars, also a scalar condition, and dimensions of size 1. Errors are: a condition
// without booleans, onTrue and onFalse of different element types, and shapes that cannot be
// broadcast.
func (f *function) Where(condition, onTrue, onFalse compute.Value) (compute.Value, error) {
	e := f.begin("Where")
	c, x, y := e.value(condition), e.value(onTrue), e.value(onFalse)
	e.demand(boolean, c)
	return e.result(e.where(c, x, y))
}

// Clamp limits x to the range from min to max. Each bound has the shape of x, or is a scalar;
// another shape or element type is an error.
func (f *function) Clamp(min, x, max compute.Value) (compute.Value, error) {
	e := f.begin("Clamp")
	lo, v, hi := e.value(min), e.value(x), e.value(max)
	e.requireSameDType(v, lo, hi)
	return e.result(e.op(ir.OpClamp, nil, lo, v, hi))
}

// ConvertDType returns x converted to the element type dtype; x itself if it has that type. Numbers
// other than 0 become true. A type that StableHLO does not know is an error.
func (f *function) ConvertDType(x compute.Value, dtype dtypes.DType) (compute.Value, error) {
	e := f.begin("ConvertDType")
	return e.result(e.convert(e.value(x), dtype))
}

// convert returns x converted to the element type d; x itself if it already has it. A type that
// StableHLO does not know fails e.
func (e *emitter) convert(x *ir.Value, d dtypes.DType) *ir.Value {
	if e.err != nil || x.Type.DType == d {
		return x
	}
	if _, ok := ir.DTypeFromText(ir.DTypeText(d)); !ok {
		e.failf("element type %s is not one that StableHLO knows", d)
	}
	return e.opWithType(ir.OpConvert, nil, x.Type.WithDType(d), x)
}

// Identity records nothing and returns x, unless Recorder.identity is set: then it calls that
// function once, and returns its value.
func (f *function) Identity(x compute.Value) (compute.Value, error) {
	e := f.begin("Identity")
	v := e.value(x)
	if instead := f.b.r.identity; instead != nil && e.err == nil {
		f.b.r.identity = nil
		v = instead(e, v)
	}
	return e.result(v)
}
