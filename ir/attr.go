package ir

// This file defines attributes: the compile-time arguments of ops. Each Go
// type here is one kind of MLIR attribute; the op table says which kind an
// attribute of an op has.

import (
	"encoding/binary"
	"fmt"
	"slices"

	"github.com/gomlx/compute/dtypes"
	"github.com/gospmd/gospmd/layout"
	"github.com/gospmd/gospmd/mesh"
)

// Attr is one of the attribute types below.
type Attr interface{ attr() }

type (
	// Unit is an attribute without a value: its presence is what it says.
	Unit struct{}
	// Bool is true or false.
	Bool bool
	// Int is an i64 attribute: 3 : i64.
	Int int
	// Int32 is an i32 attribute: 3 : i32.
	Int32 int
	// Float is a float attribute of 32 bits: 1.0e-5 : f32.
	Float float32
	// String is an attribute that is a quoted string.
	String string
	// Symbol is a reference to a function: @name.
	Symbol string
	// Ints is array<i64: …>.
	Ints []int
	// Bools is array<i1: …>.
	Bools []bool
	// Enum is a case of a StableHLO enumeration, such as LT or DEFAULT. The op table has the name
	// of the enumeration.
	Enum string
	// Array is [a, b].
	Array []Attr
	// Dict is {a = 1, b}.
	Dict Attrs
	// TypeAttr is a type as an attribute.
	TypeAttr Type
	// Raw is the text of an attribute that ir carries but does not understand.
	Raw string
)

// Dense is a tensor literal, dense<…> : tensor<…>. Data holds the elements in row-major order,
// little endian. A boolean takes one byte. If all elements are equal, Splat may be set: Data then
// holds one element.
type Dense struct {
	Type  Type
	Splat bool
	Data  []byte
}

// DotDims is #stablehlo.dot.
type DotDims struct {
	LHSBatch, RHSBatch, LHSContracting, RHSContracting []int
}

// ConvDims is #stablehlo.conv: for each role, such as the batch, which dimension of the tensor has
// it.
type ConvDims struct {
	InputBatch, InputFeature                int
	InputSpatial                            []int
	KernelInputFeature, KernelOutputFeature int
	KernelSpatial                           []int
	OutputBatch, OutputFeature              int
	OutputSpatial                           []int
}

// GatherDims is #stablehlo.gather.
type GatherDims struct {
	OffsetDims, CollapsedSliceDims           []int
	OperandBatchingDims, IndicesBatchingDims []int
	StartIndexMap                            []int
	IndexVectorDim                           int
}

// ScatterDims is #stablehlo.scatter.
type ScatterDims struct {
	UpdateWindowDims, InsertedWindowDims       []int
	InputBatchingDims, ScatterIndicesBatchDims []int
	ScatterDimsToOperandDims                   []int
	IndexVectorDim                             int
}

// ChannelHandle is #stablehlo.channel_handle.
type ChannelHandle struct{ Handle, Type int }

// ShardingAttr is #sdy.sharding.
type ShardingAttr struct{ *layout.Sharding }

// ShardingsAttr is #sdy.sharding_per_value.
type ShardingsAttr []*layout.Sharding

// AxesAttr is a list of mesh axes or sub-axes: #sdy<axis_ref_list{"x", "y"}> or
// #sdy<manual_axes{"x"}>. The op's definition says which of the two.
type AxesAttr []mesh.AxisRef

// AxesPerDimAttr is #sdy<list_of_axis_ref_lists[{"x"}, {}]>: a list of axes for each dimension.
type AxesPerDimAttr [][]mesh.AxisRef

func (Unit) attr()           {}
func (Bool) attr()           {}
func (Int) attr()            {}
func (Int32) attr()          {}
func (Float) attr()          {}
func (String) attr()         {}
func (Symbol) attr()         {}
func (Ints) attr()           {}
func (Bools) attr()          {}
func (Enum) attr()           {}
func (Array) attr()          {}
func (Dict) attr()           {}
func (TypeAttr) attr()       {}
func (Raw) attr()            {}
func (*Dense) attr()         {}
func (*DotDims) attr()       {}
func (*ConvDims) attr()      {}
func (*GatherDims) attr()    {}
func (*ScatterDims) attr()   {}
func (ChannelHandle) attr()  {}
func (ShardingAttr) attr()   {}
func (ShardingsAttr) attr()  {}
func (AxesAttr) attr()       {}
func (AxesPerDimAttr) attr() {}

// NamedAttr is one entry of a dictionary.
type NamedAttr struct {
	Name  string
	Value Attr
}

// Attrs is a dictionary. It keeps its order, and is printed in it.
type Attrs []NamedAttr

// Get returns the attribute with the given name, or nil.
func (a Attrs) Get(name string) Attr {
	for _, na := range a {
		if na.Name == name {
			return na.Value
		}
	}
	return nil
}

// With returns a copy of a in which the attribute with the given name has the given value: in its
// place, or at the end if a lacks it.
func (a Attrs) With(name string, value Attr) Attrs {
	out := append(make(Attrs, 0, len(a)+1), a...)
	for i := range out {
		if out[i].Name == name {
			out[i].Value = value
			return out
		}
	}
	return append(out, NamedAttr{name, value})
}

// Without returns a copy of a without the attribute with the given name.
func (a Attrs) Without(name string) Attrs {
	out := make(Attrs, 0, len(a))
	for _, na := range a {
		if na.Name != name {
			out = append(out, na)
		}
	}
	return out
}

// The accessors below return the attribute of that name, or the default that the op table gives for
// it. They panic if the op has no such attribute and there is no default, or if the attribute is of
// another kind. The verifier rules both out.

// Int returns the Int attribute of that name, or its default if op lacks it. It panics if there is
// neither.
func (op *Op) Int(name string) int { return int(attrOf[Int](op, name)) }

// Bool returns the Bool attribute of that name, or its default if op lacks it. It panics if there
// is neither.
func (op *Op) Bool(name string) bool { return bool(attrOf[Bool](op, name)) }

// Ints returns the Ints attribute of that name, or its default if op lacks it. It panics if there
// is neither. The caller must not change the slice.
func (op *Op) Ints(name string) []int { return attrOf[Ints](op, name) }

// Enum returns the case that the Enum attribute of that name has, or its default if op lacks it. It
// panics if there is neither.
func (op *Op) Enum(name string) string { return string(attrOf[Enum](op, name)) }

// Has reports whether op itself has the attribute; a default does not count.
func (op *Op) Has(name string) bool { return op.Attrs.Get(name) != nil }

// Literal returns the value of op, which must be a constant.
func (op *Op) Literal() *Dense { return attrOf[*Dense](op, "value") }

func attrOf[T Attr](op *Op, name string) T {
	a := op.Attrs.Get(name)
	if a == nil {
		if spec := op.Info().Attr(name); spec != nil && spec.Default != nil {
			a = spec.Default(op)
		}
	}
	t, ok := a.(T)
	if !ok {
		panic(fmt.Sprintf("BUG: attribute %q of %s is %T, want %T", name, op.FullName(), a, t))
	}
	return t
}

// optionalOf returns the attribute with the given name or, if op has none, the zero value.
func optionalOf[T Attr](op *Op, name string) (none T) {
	if !op.Has(name) {
		return none
	}
	return attrOf[T](op, name)
}

// mustBe panics unless op is of the kind. Callers must check the kind before.
func (op *Op) mustBe(kind OpKind) {
	if op.Kind != kind {
		panic(fmt.Sprintf("BUG: %s is taken for %s", op.FullName(), kind))
	}
}

// intMatrix is IntMatrix with the number of columns taken from the first row. The rows must be as
// long; none may be nil.
func intMatrix(rows [][]int) *Dense {
	if len(rows) == 0 {
		return IntMatrix(nil, 0)
	}
	return IntMatrix(rows, len(rows[0]))
}

// IntMatrix returns the rows, each of cols numbers, as a Dense of tensor<NxCxi64>. A nil row
// becomes a row of zeros.
func IntMatrix(rows [][]int, cols int) *Dense {
	d := &Dense{Type: Tensor(dtypes.Int64, len(rows), cols)}
	d.Data = slices.Grow(d.Data, 8*len(rows)*cols) // leaves Data nil if there are no elements
	for _, row := range rows {
		for c := range cols {
			v := 0
			if row != nil {
				v = row[c]
			}
			d.Data = binary.LittleEndian.AppendUint64(d.Data, uint64(v))
		}
	}
	return d
}

// Matrix returns the rows of the attribute of that name, of kind KindIntMatrix, such as padding or
// replica_groups; its default if op lacks it. It panics if there is neither.
func (op *Op) Matrix(name string) [][]int { return matrixOf(attrOf[*Dense](op, name)) }

// matrixOf returns the rows of d, or none if d is nil.
func matrixOf(d *Dense) [][]int {
	if d == nil {
		return nil
	}
	rows, cols := d.Type.Dims[0], d.Type.Dims[1]
	out := make([][]int, rows)
	for r := range out {
		out[r] = make([]int, cols)
		for c := range out[r] {
			out[r][c] = d.intAt(r*cols + c)
		}
	}
	return out
}

// intAt returns element i of d, a literal of 64-bit integers.
func (d *Dense) intAt(i int) int {
	if d.Splat {
		i = 0
	}
	return int(int64(binary.LittleEndian.Uint64(d.Data[8*i:])))
}
