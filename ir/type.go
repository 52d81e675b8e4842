package ir

// This file defines Type, the type of a Value; Location, which says where an op came from; and
// Position, which says where it is in the parsed text.

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/gomlx/compute/dtypes"
)

// Type is the type of a Value: a tensor of static shape, or a token.
type Type struct {
	DType dtypes.DType // dtypes.InvalidDType for a token
	Dims  []int        // empty for a scalar
}

// Token is the type of values that only put side effects in order. They have no elements.
var Token = Type{}

// Tensor returns the type of a tensor; without dims it is a scalar.
func Tensor(dtype dtypes.DType, dims ...int) Type { return Type{DType: dtype, Dims: dims} }

// IsToken reports whether t is the token type.
func (t Type) IsToken() bool { return t.DType == dtypes.InvalidDType }

// Rank returns the number of dimensions.
func (t Type) Rank() int { return len(t.Dims) }

// MaxElements is the largest number of elements of a tensor. Sizes in bytes then fit an int, and
// computing with them cannot overflow.
const MaxElements = 1 << 56

// Elements returns the number of elements of a tensor with these dimensions. ok is false if a
// dimension is negative, or if the product of the dimensions other than 0 is more than MaxElements.
func Elements(dims ...int) (n int, ok bool) {
	n, empty := 1, false
	for _, d := range dims {
		switch {
		case d < 0 || d > 0 && n > MaxElements/d:
			return 0, false
		case d == 0:
			empty = true
		default:
			n *= d
		}
	}
	if empty {
		return 0, true
	}
	return n, true
}

// CheckSize returns an error if Elements refuses the dimensions of t: one is negative, or their
// product, zeros left out, is more than MaxElements. The parser, shape inference and the verifier
// all call it.
func (t Type) CheckSize() error {
	if _, ok := Elements(t.Dims...); !ok {
		return fmt.Errorf("the type %s is too large: want dimensions of 0 or more, and at most 2^56 elements", t)
	}
	return nil
}

// Size returns the number of elements; 1 for a scalar and for a token.
func (t Type) Size() int {
	n := 1
	for _, d := range t.Dims {
		n *= d
	}
	return n
}

// Bytes returns the size in bytes of the elements, packed densely; 0 for a token.
func (t Type) Bytes() int {
	if t.IsToken() {
		return 0
	}
	return t.DType.SizeForDimensions(t.Dims...)
}

// WithDims returns a tensor type with the dtype of t and the given dimensions.
func (t Type) WithDims(dims []int) Type { return Type{DType: t.DType, Dims: dims} }

// WithDType returns a tensor type with the dimensions of t and the given dtype.
func (t Type) WithDType(d dtypes.DType) Type { return Type{DType: d, Dims: t.Dims} }

// Equal reports whether the types are the same.
func (t Type) Equal(o Type) bool { return t.DType == o.DType && slices.Equal(t.Dims, o.Dims) }

// String returns the MLIR text: tensor<4x8xf32>, !stablehlo.token.
func (t Type) String() string { return string(t.appendTo(make([]byte, 0, 64))) }

func (t Type) appendTo(b []byte) []byte {
	if t.IsToken() {
		return append(b, "!stablehlo.token"...)
	}
	b = append(b, "tensor<"...)
	for _, d := range t.Dims {
		b = append(strconv.AppendInt(b, int64(d), 10), 'x')
	}
	return append(append(b, DTypeText(t.DType)...), '>')
}

// Short returns the text inside of tensor<…>, such as 4x8xf32; !stablehlo.token for a token.
func (t Type) Short() string {
	return strings.TrimSuffix(strings.TrimPrefix(t.String(), "tensor<"), ">")
}

// dtypeTexts is the MLIR spelling of every element type that ir knows.
var dtypeTexts = []struct {
	dtype dtypes.DType
	text  string
}{
	{dtypes.Bool, "i1"},
	{dtypes.Int2, "i2"}, {dtypes.Int4, "i4"}, {dtypes.Int8, "i8"}, {dtypes.Int16, "i16"}, {dtypes.Int32, "i32"}, {dtypes.Int64, "i64"},
	{dtypes.Uint2, "ui2"}, {dtypes.Uint4, "ui4"}, {dtypes.Uint8, "ui8"}, {dtypes.Uint16, "ui16"}, {dtypes.Uint32, "ui32"}, {dtypes.Uint64, "ui64"},
	{dtypes.F8E5M2, "f8E5M2"}, {dtypes.F8E4M3FN, "f8E4M3FN"}, {dtypes.F8E4M3B11FNUZ, "f8E4M3B11FNUZ"},
	{dtypes.F8E5M2FNUZ, "f8E5M2FNUZ"}, {dtypes.F8E4M3FNUZ, "f8E4M3FNUZ"}, {dtypes.F8E4M3, "f8E4M3"}, {dtypes.F8E3M4, "f8E3M4"},
	{dtypes.F8E8M0FNU, "f8E8M0FNU"}, {dtypes.F4E2M1FN, "f4E2M1FN"},
	{dtypes.Float16, "f16"}, {dtypes.BFloat16, "bf16"}, {dtypes.Float32, "f32"}, {dtypes.Float64, "f64"},
	{dtypes.Complex64, "complex<f32>"}, {dtypes.Complex128, "complex<f64>"},
}

// DTypeText returns the MLIR text of an element type, such as f32 or i1; "invalid<…>" for one that
// ir does not know.
func DTypeText(d dtypes.DType) string {
	for _, e := range dtypeTexts {
		if e.dtype == d {
			return e.text
		}
	}
	return "invalid<" + d.String() + ">"
}

// DTypeFromText returns the element type whose DTypeText is text; ok is false for other text.
func DTypeFromText(text string) (d dtypes.DType, ok bool) {
	for _, e := range dtypeTexts {
		if e.text == text {
			return e.dtype, true
		}
	}
	return dtypes.InvalidDType, false
}

// Location says where an op came from. Path is the layer path: d1, or grad(d1) in the backward
// pass. File and Line are those of the Go source that made the op or, in a parsed module, those of
// its #loc.
type Location struct {
	Path string
	File string
	Line int
	Op   *OpID // the op of the marked module that this op was made for; see MarkOrigins
}

// Position is a place in the text that a module was parsed from. The zero value means that there is
// no such text. The printer ignores it.
type Position struct {
	File      string // empty: the text was not from a file
	Line, Col int    // from 1 on
}

// String returns file:line:col, or line:col without a file, or "" without a line.
func (p Position) String() string {
	switch {
	case p.Line == 0:
		return ""
	case p.File == "":
		return fmt.Sprintf("%d:%d", p.Line, p.Col)
	}
	return fmt.Sprintf("%s:%d:%d", p.File, p.Line, p.Col)
}

// LocateByText sets the location of each op that has no file to the line of the parsed text, as
// compilers do, so that messages and reports can name the line. The file of a text that was not
// from a file is called text.
func (m *Module) LocateByText() {
	for _, f := range m.Funcs {
		f.Walk(func(op *Op) {
			if op.Loc.File != "" || op.Pos.Line == 0 {
				return
			}
			op.Loc.File, op.Loc.Line = op.Pos.File, op.Pos.Line
			if op.Loc.File == "" {
				op.Loc.File = "text"
			}
		})
	}
}

// IsZero reports whether neither path, file nor line is known. Op does not count.
func (l Location) IsZero() bool { return l.Path == "" && l.File == "" && l.Line == 0 }

// or returns l if it has a path or a place, and otherwise those of o. If l has no Op, it gets that
// of o.
func (l Location) or(o Location) Location {
	op := l.Op
	if op == nil {
		op = o.Op
	}
	if l.IsZero() {
		l = o
	}
	l.Op = op
	return l
}

// String returns a short form for messages: d1 (model.go:12), or the part of it that is known;
// "unknown location" if none is.
func (l Location) String() string {
	file := l.File[strings.LastIndexByte(l.File, '/')+1:]
	switch {
	case l.IsZero():
		return "unknown location"
	case l.File == "":
		return l.Path
	case l.Path == "":
		return fmt.Sprintf("%s:%d", file, l.Line)
	default:
		return fmt.Sprintf("%s (%s:%d)", l.Path, file, l.Line)
	}
}
