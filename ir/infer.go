package ir

// This file calls the shape rules of the op table. It also holds the checks that many of them
// share.

import (
	"fmt"
	"slices"
	"strings"

	"github.com/gomlx/compute/dtypes"
)

// Infer returns the result types that follow from op's operands, attributes and regions. It returns
// an error, which names op, if these do not fit together, or if for the kind of op the types do not
// follow from them.
func Infer(op *Op) ([]Type, error) {
	info := op.Info()
	if err := checkForm(op, info); err != nil {
		return nil, fmt.Errorf("%s: %w", op.FullName(), err)
	}
	if info.Infer == nil {
		return nil, fmt.Errorf("%s: result types cannot be inferred: %s", op.FullName(), info.NoInfer)
	}
	types, err := info.Infer(op)
	for _, t := range types {
		if err == nil {
			err = t.CheckSize()
		}
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", op.FullName(), err)
	}
	return types, nil
}

// CheckTypes returns an error unless the result types of op are those that its operands, attributes
// and regions imply or, where they leave a choice, among those.
func CheckTypes(op *Op) error {
	if err := checkForm(op, op.Info()); err != nil {
		return err
	}
	return checkTypes(op)
}

func checkTypes(op *Op) error {
	info := op.Info()
	if info.Check != nil {
		return info.Check(op)
	}
	types, err := info.Infer(op)
	if err != nil {
		return err
	}
	if len(types) != len(op.Results) {
		return fmt.Errorf("has %d results, want %d of types %s", len(op.Results), len(types), typesText(types))
	}
	for i, t := range types {
		if got := op.Results[i].Type; !got.Equal(t) {
			return fmt.Errorf("result %d has type %s, want %s", i, got, t)
		}
	}
	return nil
}

// checkForm verifies what every shape rule relies on: that op has the numbers of operands and
// regions that info, its definition, allows, that no operand is nil, and that the attributes are as
// checkAttrs demands. It does not look at the results. It returns an error for the first violation.
func checkForm(op *Op, info *OpInfo) error {
	if !info.Operands.Allows(len(op.Operands)) {
		return fmt.Errorf("has %d operands, want %s", len(op.Operands), info.Operands)
	}
	if !info.Regions.Allows(len(op.Regions)) {
		return fmt.Errorf("has %d regions, want %s", len(op.Regions), info.Regions)
	}
	for i, v := range op.Operands {
		if v == nil {
			return fmt.Errorf("operand %d is missing (nil)", i)
		}
	}
	return checkAttrs(op, info)
}

// checkDims returns the Check column of an op whose results must have the dimensions that infer
// says, but may have other element types.
func checkDims(infer rule) func(*Op) error {
	return func(op *Op) error {
		types, err := infer(op)
		if err != nil {
			return err
		}
		for i, t := range types {
			if got := op.Results[i].Type; !slices.Equal(got.Dims, t.Dims) || got.IsToken() {
				return fmt.Errorf("result %d has type %s, want the dimensions of %s", i, got, t)
			}
		}
		return nil
	}
}

// class is a set of element types, as the StableHLO specification names them.
type class uint

const (
	boolean class = 1 << iota
	signed
	unsigned
	floating
	complexes

	integer    = signed | unsigned
	inexact    = floating | complexes
	numeric    = integer | inexact
	anyElement = numeric | boolean
)

var classNames = []string{"bool", "signed integer", "unsigned integer", "float", "complex"}

// String returns the set in words, such as "float or complex".
func (c class) String() string {
	var names []string
	for i, n := range classNames {
		if c&(1<<i) != 0 {
			names = append(names, n)
		}
	}
	return strings.Join(names, " or ")
}

// classOf returns the class of an element type (boolean, signed, unsigned, floating or complex); 0
// for a token.
func classOf(d dtypes.DType) class {
	switch {
	case d == dtypes.InvalidDType:
		return 0
	case d == dtypes.Bool:
		return boolean
	case d.IsComplex():
		return complexes
	case d.IsUnsigned():
		return unsigned
	case d.IsInt():
		return signed
	default:
		return floating
	}
}

// checkClass returns an error unless the element type of t is in the allowed classes. what names
// the operand or result.
func checkClass(what string, t Type, allowed class) error {
	if t.IsToken() {
		return fmt.Errorf("%s is a token, want a tensor", what)
	}
	if classOf(t.DType)&allowed == 0 {
		return fmt.Errorf("%s has type %s, want elements of %s", what, t, allowed)
	}
	return nil
}

// checkOperandClass returns an error unless the element type of operand i is in one of the allowed
// classes, as checkClass does.
func checkOperandClass(op *Op, i int, allowed class) error {
	t := op.Operands[i].Type
	if classOf(t.DType)&allowed != 0 {
		return nil
	}
	return checkClass(fmt.Sprintf("operand %d", i), t, allowed)
}

// checkDimList returns an error, in which what names the list, unless each of dims is a dimension
// of a tensor of the given rank, from 0 on, and none occurs twice.
func checkDimList(what string, dims []int, rank int) error {
	for i, d := range dims {
		if err := checkDim(what, d, rank); err != nil {
			return err
		}
		if slices.Contains(dims[:i], d) {
			return fmt.Errorf("%s %v names dimension %d twice", what, dims, d)
		}
	}
	return nil
}

// checkDim returns an error, in which what names the attribute, unless d is a dimension of a tensor
// of the given rank: 0 to rank-1.
func checkDim(what string, d, rank int) error {
	if d < 0 || d >= rank {
		return fmt.Errorf("%s has dimension %d, want one of the %d of the tensor (0 to %d)", what, d, rank, rank-1)
	}
	return nil
}

// checkLen verifies that got, the number of entries of a list, is n. In the error, what is the name
// of the list, and of is what it has an entry for.
func checkLen(what string, got, n int, of string) error {
	if got != n {
		return fmt.Errorf("%s has %d entries, want %d, one for each %s", what, got, n, of)
	}
	return nil
}

// checkSorted returns an error, in which what names dims, unless they are in ascending order.
func checkSorted(what string, dims []int) error {
	if !slices.IsSorted(dims) {
		return fmt.Errorf("%s is %v, want it in ascending order", what, dims)
	}
	return nil
}

// checkScalar returns an error unless operand i of op is a scalar of the element type dtype.
func checkScalar(op *Op, i int, dtype dtypes.DType) error {
	if t := op.Operands[i].Type; t.Rank() != 0 || t.DType != dtype {
		return fmt.Errorf("operand %d has type %s, want %s", i, t, Tensor(dtype))
	}
	return nil
}

// checkIndices verifies that the operands from operand first on are integer scalars of one type,
// and that their number is rank.
func checkIndices(op *Op, first, rank int) error {
	if got := len(op.Operands) - first; got != rank {
		return fmt.Errorf("has %d start indices, want %d, one for each dimension of %s", got, rank, op.Operands[0].Type)
	}
	for i := first; i < len(op.Operands); i++ {
		if err := checkOperandClass(op, i, integer); err != nil {
			return err
		}
		if err := checkScalar(op, i, op.Operands[first].Type.DType); err != nil {
			return err
		}
	}
	return nil
}

// TypesOf returns the types of values.
func TypesOf(values []*Value) []Type {
	types := make([]Type, len(values))
	for i, v := range values {
		types[i] = v.Type
	}
	return types
}

// typesText returns types as text: (tensor<2xf32>, tensor<i1>).
func typesText(types []Type) string {
	parts := make([]string, len(types))
	for i, t := range types {
		parts[i] = t.String()
	}
	return "(" + strings.Join(parts, ", ") + ")"
}

// sameTypes reports whether the lists have the same types in the same order.
func sameTypes(a, b []Type) bool { return slices.EqualFunc(a, b, Type.Equal) }

// noResults is the shape rule of an op without results: it returns no types and no error.
func noResults(*Op) ([]Type, error) { return nil, nil }
