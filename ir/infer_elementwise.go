package ir

// This file holds the shape rules of element-wise ops. The element types that a rule allows are
// those in the op's section of the StableHLO specification.

import (
	"fmt"
	"slices"

	"github.com/gomlx/compute/dtypes"
)

// sameType returns the shape rule of ops whose operands and result all have one type, with an
// element type of the allowed classes.
func sameType(allowed class) rule {
	return func(op *Op) ([]Type, error) {
		t, err := commonType(op, allowed)
		if err != nil {
			return nil, err
		}
		return []Type{t}, nil
	}
}

// inferPredicate returns the shape rule of ops whose result is true or false for each element. The
// operands have one type, with elements of the allowed classes.
func inferPredicate(allowed class) rule {
	return func(op *Op) ([]Type, error) {
		t, err := commonType(op, allowed)
		if err != nil {
			return nil, err
		}
		return []Type{t.WithDType(dtypes.Bool)}, nil
	}
}

// commonType returns the type that all operands of op have. It is an error if they differ, or if
// the elements are not of the allowed classes.
func commonType(op *Op, allowed class) (Type, error) {
	t := op.Operands[0].Type
	for i := range op.Operands {
		if err := checkOperandClass(op, i, allowed); err != nil {
			return t, err
		}
		if o := op.Operands[i].Type; !o.Equal(t) {
			return t, fmt.Errorf("operand %d has type %s, operand 0 has type %s: want the same type", i, o, t)
		}
	}
	return t, nil
}

// inferAbs is the shape rule of abs: the result has the type of the operand, but real elements for
// complex numbers. Unsigned integers and booleans are an error.
func inferAbs(op *Op) ([]Type, error) {
	t, err := commonType(op, signed|inexact)
	if err != nil {
		return nil, err
	}
	return []Type{realPart(t)}, nil
}

func inferRealPart(op *Op) ([]Type, error) {
	t, err := commonType(op, inexact)
	if err != nil {
		return nil, err
	}
	return []Type{realPart(t)}, nil
}

// realPart returns t with complex elements replaced by their real parts.
func realPart(t Type) Type {
	if t.DType.IsComplex() {
		return t.WithDType(t.DType.RealDType())
	}
	return t
}

func inferComplex(op *Op) ([]Type, error) {
	t, err := commonType(op, floating)
	if err != nil {
		return nil, err
	}
	switch t.DType {
	case dtypes.Float32:
		return []Type{t.WithDType(dtypes.Complex64)}, nil
	case dtypes.Float64:
		return []Type{t.WithDType(dtypes.Complex128)}, nil
	}
	return nil, fmt.Errorf("operand 0 has type %s, want elements of f32 or f64", t)
}

func inferReducePrecision(op *Op) ([]Type, error) {
	t, err := commonType(op, floating)
	if err != nil {
		return nil, err
	}
	if e := attrOf[Int32](op, "exponent_bits"); e < 1 {
		return nil, fmt.Errorf("exponent_bits is %d, want at least 1", e)
	}
	if m := attrOf[Int32](op, "mantissa_bits"); m < 0 {
		return nil, fmt.Errorf("mantissa_bits is %d, want at least 0", m)
	}
	return []Type{t}, nil
}

// compareClasses maps each compare_type to the classes of operands that it may have.
var compareClasses = map[Enum]class{
	"NOTYPE":     anyElement,
	"FLOAT":      inexact,
	"TOTALORDER": floating,
	"SIGNED":     signed,
	"UNSIGNED":   unsigned | boolean,
}

func inferCompare(op *Op) ([]Type, error) {
	allowed := anyElement
	if ct, ok := op.Attrs.Get("compare_type").(Enum); ok {
		allowed = compareClasses[ct]
	}
	t, err := commonType(op, allowed)
	if err != nil {
		return nil, err
	}
	return []Type{t.WithDType(dtypes.Bool)}, nil
}

// inferClamp is the shape rule of clamp, whose operands are min, the operand and max. The result
// has the operand's type. Each bound has this type, or is a scalar of its element type; another
// bound is an error.
func inferClamp(op *Op) ([]Type, error) {
	t := op.Operands[1].Type
	if err := checkOperandClass(op, 1, anyElement); err != nil {
		return nil, err
	}
	for _, i := range []int{0, 2} {
		if b := op.Operands[i].Type; b.DType != t.DType || b.Rank() > 0 && !b.Equal(t) {
			return nil, fmt.Errorf("bound (operand %d) has type %s, want %s or %s", i, b, t, Tensor(t.DType))
		}
	}
	return []Type{t}, nil
}

// inferSelect is the shape rule of select, whose operands are pred, on_true and on_false. pred
// holds booleans, and is a scalar or has the shape of the others, which have the type of the
// result. Anything else is an error.
func inferSelect(op *Op) ([]Type, error) {
	pred, t, f := op.Operands[0].Type, op.Operands[1].Type, op.Operands[2].Type
	if err := checkOperandClass(op, 1, anyElement); err != nil {
		return nil, err
	}
	if !t.Equal(f) {
		return nil, fmt.Errorf("on_true has type %s, on_false has type %s: want the same type", t, f)
	}
	if pred.DType != dtypes.Bool || pred.Rank() > 0 && !slices.Equal(pred.Dims, t.Dims) {
		return nil, fmt.Errorf("pred has type %s, want %s or %s", pred, t.WithDType(dtypes.Bool), Tensor(dtypes.Bool))
	}
	return []Type{t}, nil
}

func checkConvert(op *Op) error {
	if err := checkOperandClass(op, 0, anyElement); err != nil {
		return err
	}
	if in, out := op.Operands[0].Type, op.Results[0].Type; !slices.Equal(in.Dims, out.Dims) || out.IsToken() {
		return fmt.Errorf("result has type %s, want the dimensions of the operand, %s", out, in)
	}
	return nil
}

// inferMap returns the type of a map's result: the shape of the operands with the element type that
// the body returns. Operands of different shapes, and a body that does not suit them, are errors.
func inferMap(op *Op) ([]Type, error) {
	t := op.Operands[0].Type
	want := make([]Type, len(op.Operands))
	for i, v := range op.Operands {
		if err := checkOperandClass(op, i, anyElement); err != nil {
			return nil, err
		}
		if !slices.Equal(v.Type.Dims, t.Dims) {
			return nil, fmt.Errorf("operand %d has type %s, operand 0 has type %s: want the same dimensions", i, v.Type, t)
		}
		want[i] = Tensor(v.Type.DType)
	}
	dims := op.Ints("dimensions")
	if err := checkLen("dimensions", len(dims), t.Rank(), "dimension of the operands"); err != nil {
		return nil, err
	}
	for i, d := range dims {
		if d != i {
			return nil, fmt.Errorf("dimensions is %v, want all dimensions in order", dims)
		}
	}
	if err := checkArgs(op, 0, want); err != nil {
		return nil, err
	}
	got, err := regionTypes(op, 0)
	if err != nil {
		return nil, err
	}
	if len(got) != 1 || got[0].Rank() != 0 || got[0].IsToken() {
		return nil, fmt.Errorf("body returns %s, want one scalar", typesText(got))
	}
	return []Type{t.WithDType(got[0].DType)}, nil
}
