package ir

// This file verifies the attributes of an op against its definition, the shardings of values and in
// attributes, and the other rules of Shardy's verifier for Shardy's ops
// (shardy/dialect/sdy/ir/verifiers.cc).

import (
	"fmt"
	"slices"
	"strings"

	"github.com/gomlx/compute/dtypes"
	"github.com/gospmd/gospmd/layout"
	"github.com/gospmd/gospmd/mesh"
)

// checkAttrs verifies that op has each attribute of its definition, except optional ones, and of
// the right kind. It may have no others except discardable ones (isDiscardable), each once. An
// unregistered op may have any.
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

// isDiscardable reports whether name is that of a discardable attribute, one that is not part of an
// op's definition: a.b, or one of XLA's such as xla_shape.
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

// attrKinds has, for each AttrKind, its name and a function that reports whether an attribute is of
// it.
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

// maxRows is the largest number of rows and of columns of a matrix. A typing error in a text then
// leads to an error, not to a huge allocation.
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

// sharding verifies the sharding s of a value of type t. A nil s is valid. what and i name the
// value of op, such as operand 1, in errors.
func (v *verifier) sharding(op *Op, what string, i int, s *layout.Sharding, t Type) {
	switch {
	case s == nil:
		return
	case s.Mesh == nil:
		v.report(op, RuleSharding, "%s %d: the sharding has no mesh", what, i)
		return
	case v.mod.MeshName(s.Mesh) == "":
		v.report(op, RuleListed, "%s %d: the sharding %s is on the mesh %s, which the module does not list: add it with AddMesh", what, i, s, s.Mesh)
	}
	switch {
	case s.Mesh.IsMaximal():
		if len(s.Dims)+len(s.Replicated)+len(s.Unreduced) > 0 {
			v.report(op, RuleSharding, "%s %d: sharding %s: a value on %s alone has no dimensions and no axes to name: want []", what, i, s, s.Mesh)
		}
		return
	case t.IsToken() && len(s.Replicated)+len(s.Unreduced) > 0:
		v.report(op, RuleSharding, "%s %d: sharding %s: a token has no axes to name: want []", what, i, s)
	case !isPlain(s, t.Rank()):
		if err := s.Validate(t.Rank()); err != nil {
			v.report(op, RuleSharding, "%s %d: %v", what, i, err)
		}
	}
	if len(v.manual) > 0 {
		for _, d := range s.Dims {
			v.checkFree(op, what, i, d.Axes)
		}
		v.checkFree(op, what, i, s.Replicated)
		v.checkFree(op, what, i, s.Unreduced)
	}
}

// checkFree verifies that none of the axes is a manual axis of a manual computation around op. what
// and i name the value in errors.
func (v *verifier) checkFree(op *Op, what string, i int, axes []mesh.AxisRef) {
	for _, a := range axes {
		if slices.ContainsFunc(v.manual, func(m mesh.AxisRef) bool { return m.Name == a.Name }) {
			v.report(op, RuleSharding, "%s %d: axis %q is a manual axis of the sdy.manual_computation around it, whose body sees one device of it: take it out", what, i, a.Name)
		}
	}
}

// checkResultless verifies the attribute sdy.sharding of an op without results; a nil op stands for
// a function. It may only state a mesh or a device.
func (v *verifier) checkResultless(op *Op, attrs Attrs) {
	a := attrs.Get("sdy.sharding")
	if a == nil {
		return
	}
	list, ok := a.(ShardingsAttr)
	if !ok || len(list) > 1 || len(list) == 1 && len(list[0].Dims)+len(list[0].Replicated)+len(list[0].Unreduced) > 0 {
		v.report(op, RuleSharding, "sdy.sharding stands where there is no result to lay out: want #sdy.sharding_per_value<[<@mesh, []>]>, or take it out")
	}
}

// isPlain reports whether s is of a simple form that is always valid for a tensor of this rank: it
// has only full axes, among the mesh's first 64, each of them once, only on dimensions, and no
// priorities.
func isPlain(s *layout.Sharding, rank int) bool {
	if len(s.Dims) != rank || len(s.Replicated) > 0 || len(s.Unreduced) > 0 {
		return false
	}
	used := uint64(0)
	for i := range s.Dims {
		if s.Dims[i].Priority != 0 || s.Dims[i].P0 {
			return false
		}
		for _, a := range s.Dims[i].Axes {
			axis := s.Mesh.AxisIndex(a.Name)
			if a.Sub || axis < 0 || axis >= 64 || used>>axis&1 != 0 {
				return false
			}
			used |= 1 << axis
		}
	}
	return true
}

// attrShardings verifies the shardings in the attributes of op. One of kind KindSharding is for the
// operand. A list of kind KindShardings is for the operands or, if it is called out_shardings, for
// the results.
func (v *verifier) attrShardings(op *Op, info *OpInfo) {
	for i := range info.Attrs {
		spec := &info.Attrs[i]
		switch spec.Kind {
		case KindSharding:
			if a, ok := op.Attrs.Get(spec.Name).(ShardingAttr); ok {
				v.sharding(op, spec.Name+", operand", 0, a.Sharding, op.Operands[0].Type)
			}
		case KindShardings:
			values := op.Operands
			if spec.Name == "out_shardings" {
				values = op.Results
			}
			list, _ := op.Attrs.Get(spec.Name).(ShardingsAttr)
			if list != nil && len(list) != len(values) {
				v.report(op, RuleSharding, "attribute %s has %d shardings, want %d", spec.Name, len(list), len(values))
				continue
			}
			for k, s := range list {
				v.sharding(op, spec.Name, k, s, values[k].Type)
			}
		}
	}
}

// sdyChecks has these rules, by kind of op:
//
//   - a barrier blocks at least one direction
//   - a data-flow edge is the only user of its operand, which is no token. The operand is not the
//     result of another op of Shardy, except of a computation. The operand of an edge between
//     functions is a parameter or the result of a call
//   - all shardings of a manual computation are on one mesh, which has its manual axes; none of
//     these is manual around it. In each dimension the manual axes come first. They need not
//     divide the dimension, as in Shardy they must: a shard is padded
var sdyChecks = map[OpKind]func(v *verifier, op *Op) error{
	OpPropagationBarrier: (*verifier).barrier,
	OpDataFlowEdge:       (*verifier).edge,
	OpFuncDataFlowEdge:   (*verifier).funcEdge,
	OpManualComputation:  (*verifier).manualComputation,
}

func (v *verifier) barrier(op *Op) error {
	if op.Enum("allowed_direction") == "BOTH" {
		return fmt.Errorf("allowed_direction is BOTH, which blocks nothing: want NONE, FORWARD or BACKWARD, or take the barrier out")
	}
	return nil
}

func (v *verifier) edge(op *Op) error {
	if by := op.Operands[0].def; by != nil && isSdyValue(by.Kind) {
		return fmt.Errorf("its operand is made by %s: want a value that flows into or out of a region", by.FullName())
	}
	return v.checkOnlyUser(op)
}

// isSdyValue reports whether kind k is one of Shardy's ops, except those whose results come out of
// a region.
func isSdyValue(k OpKind) bool {
	_, sdy := sdyOps[k]
	return sdy && k != OpManualComputation && k != OpNamedComputation
}

func (v *verifier) funcEdge(op *Op) error {
	switch o := op.Operands[0]; {
	case o.def == nil && o.block.parent != nil:
		return fmt.Errorf("its operand is an argument of %s: want a parameter of the function or the result of a call", o.block.parent.FullName())
	case o.def != nil && o.def.Kind != OpCall:
		return fmt.Errorf("its operand is made by %s: want a parameter of the function or the result of a call", o.def.FullName())
	}
	return v.checkOnlyUser(op)
}

// checkOnlyUser verifies that op is the only user of its operand, and that the operand is not a
// token.
func (v *verifier) checkOnlyUser(op *Op) error {
	o := op.Operands[0]
	if o.Type.IsToken() {
		return fmt.Errorf("its operand is a token, which has no layout: want a tensor")
	}
	if n := o.NumUses(); n != 1 {
		return fmt.Errorf("its operand %s has %d uses, want this one only: all others go through the edge", v.ref(o), n)
	}
	return nil
}

func (v *verifier) manualComputation(op *Op) error {
	manual := attrOf[AxesAttr](op, "manual_axes")
	in, out := attrOf[ShardingsAttr](op, "in_shardings"), attrOf[ShardingsAttr](op, "out_shardings")
	var dm *mesh.DeviceMesh
	for _, s := range slices.Concat(in, out) {
		switch {
		case s == nil || s.Mesh == nil || len(s.Mesh.Axes()) == 0:
		case dm == nil:
			dm = s.Mesh
		case !dm.Equal(s.Mesh):
			return fmt.Errorf("its shardings are on the meshes %s and %s: want one", dm, s.Mesh)
		}
	}
	for _, a := range manual {
		if dm == nil {
			break // no axis shards anything
		}
		if err := dm.CheckRef(a); err != nil {
			return fmt.Errorf("manual_axes: %w", err)
		}
		if isManual(v.manual, a) {
			return fmt.Errorf("manual_axes: axis %q is one of the sdy.manual_computation around it: take it out", a.Name)
		}
	}
	for _, side := range []struct {
		what      string
		shardings ShardingsAttr
		values    []*Value
	}{{"operand", in, op.Operands}, {"result", out, op.Results}} {
		for i, s := range side.shardings {
			if s == nil || s.Mesh == nil || i >= len(side.values) || len(s.Dims) != side.values[i].Type.Rank() {
				continue // other rules report it
			}
			for d, dim := range s.Dims {
				if k := firstManualBehindFree(dim.Axes, manual); k > 0 {
					return fmt.Errorf("%s %d, dim %d: manual axis %q stands behind %q, which is free: manual axes come first",
						side.what, i, d, dim.Axes[k].Name, dim.Axes[k-1].Name)
				}
			}
		}
	}
	return nil
}

// firstManualBehindFree returns the index in axes of the first manual axis that comes after an axis
// that is not in manual, or 0 if there is none.
func firstManualBehindFree(axes, manual []mesh.AxisRef) int {
	for i := 1; i < len(axes); i++ {
		if isManual(manual, axes[i]) && !isManual(manual, axes[i-1]) {
			return i
		}
	}
	return 0
}
