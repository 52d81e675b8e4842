package ir

// This file verifies the attributes of an op against its definition.

import (
	"fmt"
	"slices"
	"strings"

	"github.com/gomlx/compute/dtypes"
)

// checkAttrs verifies that each attribute of the definition is there and of its kind,
// and that op has no others but discardable ones: those with a dialect prefix,
// such as mhlo.sharding.
func checkAttrs(op *Op, info *OpInfo) error {
	present := 0
	for i := range info.Attrs {
		spec := &info.Attrs[i]
		a := op.Attrs.Get(spec.Name)
		if a == nil {
			if !spec.Optional {
				return fmt.Errorf("attribute %q is missing, want %s", spec.Name, spec.Kind)
			}
			continue
		}
		present++
		if err := checkAttr(spec, a); err != nil {
			return err
		}
	}
	if present == len(op.Attrs) || op.Kind == OpUnregistered {
		return nil
	}
	for i, na := range op.Attrs {
		if na.Value == nil {
			return fmt.Errorf("attribute %q has no value (nil)", na.Name)
		}
		for _, o := range op.Attrs[:i] {
			if o.Name == na.Name {
				return fmt.Errorf("attribute %q is given twice", na.Name)
			}
		}
		if info.Attr(na.Name) == nil && !isDiscardable(na.Name) {
			return fmt.Errorf("attribute %q is not known: want %s, or a name with a dialect such as mhlo.%s", na.Name, attrNames(info), na.Name)
		}
	}
	return nil
}

// isDiscardable reports whether an attribute belongs to no op: a.b, or one of
// XLA's own such as xla_shape.
func isDiscardable(name string) bool {
	return strings.Contains(name, ".") || strings.HasPrefix(name, "xla") || strings.HasPrefix(name, "_xla")
}

func attrNames(info *OpInfo) string {
	if len(info.Attrs) == 0 {
		return "none"
	}
	names := make([]string, len(info.Attrs))
	for i, s := range info.Attrs {
		names[i] = s.Name
	}
	return strings.Join(names, ", ")
}

// attrKinds says for each AttrKind its name and which Go types are of it.
var attrKinds = [...]struct {
	name string
	is   func(Attr) bool
}{
	KindUnit:       {"a unit attribute", isA[Unit]},
	KindBool:       {"a bool", isA[Bool]},
	KindInt:        {"an i64", isA[Int]},
	KindInt32:      {"an i32", isA[Int32]},
	KindFloat:      {"an f32", isA[Float]},
	KindString:     {"a string", isA[String]},
	KindSymbol:     {"a symbol such as @f", isA[Symbol]},
	KindInts:       {"array<i64>", isA[Ints]},
	KindBools:      {"array<i1>", isA[Bools]},
	KindEnum:       {"an enumeration's case", isA[Enum]},
	KindArray:      {"an array", isA[Array]},
	KindDict:       {"a dictionary", isA[Dict]},
	KindType:       {"a type", isA[TypeAttr]},
	KindRaw:        {"an attribute", isA[Raw]},
	KindDense:      {"dense<…>", isPointer[Dense]},
	KindIntMatrix:  {"dense<…> : tensor<NxMxi64>", isPointer[Dense]},
	KindDot:        {"#stablehlo.dot", isPointer[DotDims]},
	KindConv:       {"#stablehlo.conv", isPointer[ConvDims]},
	KindGather:     {"#stablehlo.gather", isPointer[GatherDims]},
	KindScatter:    {"#stablehlo.scatter", isPointer[ScatterDims]},
	KindChannel:    {"#stablehlo.channel_handle", isA[ChannelHandle]},
	KindSharding:   {"#sdy.sharding", isA[ShardingAttr]},
	KindShardings:  {"#sdy.sharding_per_value", isA[ShardingsAttr]},
	KindAxes:       {"a list of mesh axes", isA[AxesAttr]},
	KindAxesPerDim: {"a list of mesh axes for each dimension", isA[AxesPerDimAttr]},
	KindAny:        {"an attribute", func(Attr) bool { return true }},
}

func isA[T Attr](a Attr) bool { _, ok := a.(T); return ok }

// isPointer reports whether a is a *T other than nil.
func isPointer[T any](a Attr) bool { p, ok := any(a).(*T); return ok && p != nil }

// String returns the kind in words: array<i64>.
func (k AttrKind) String() string { return attrKinds[k].name }

// maxRows bounds the rows and columns of a matrix: a slip of the pen in a text
// shall be told and not allocated for.
const maxRows = 1 << 24

func checkAttr(spec *AttrSpec, a Attr) error {
	if !attrKinds[spec.Kind].is(a) {
		return fmt.Errorf("attribute %q is a %T, want %s", spec.Name, a, spec.Kind)
	}
	switch a := a.(type) {
	case Enum:
		return checkEnum(spec, a)
	case Array:
		if spec.Enum == "" {
			return nil
		}
		for _, e := range a {
			if e, ok := e.(Enum); ok {
				if err := checkEnum(spec, e); err != nil {
					return err
				}
			}
		}
	case *Dense:
		if err := a.check(); err != nil {
			return fmt.Errorf("attribute %q: %w", spec.Name, err)
		}
		if spec.Kind == KindIntMatrix && (a.Type.DType != dtypes.Int64 || a.Type.Rank() != 2 || a.Type.Dims[0] > maxRows || a.Type.Dims[1] > maxRows) {
			return fmt.Errorf("attribute %q has type %s, want a matrix of i64 with at most %d rows and columns", spec.Name, a.Type, maxRows)
		}
	case ShardingAttr:
		if a.Sharding == nil {
			return fmt.Errorf("attribute %q has no value (nil)", spec.Name)
		}
	}
	return nil
}

func checkEnum(spec *AttrSpec, e Enum) error {
	cases := enumCases[spec.Enum]
	if slices.Contains(cases, string(e)) {
		return nil
	}
	return fmt.Errorf("attribute %q is %s, want one of %s", spec.Name, string(e), strings.Join(cases, ", "))
}
