package ir

// This file holds the shape rules of control flow, calls and ordering, and of Shardy's ops: those
// with a body, and the others, which keep the type of their operand. It also checks regions against
// the op that they belong to: their arguments, what they return, and the scalar bodies of
// reductions.

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/gomlx/compute/dtypes"

	"github.com/gospmd/gospmd/layout"
	"github.com/gospmd/gospmd/mesh"
)

// inferIdentity is the shape rule of ops whose results have the types of their operands, one for
// each. Its error is nil.
func inferIdentity(op *Op) ([]Type, error) { return TypesOf(op.Operands), nil }

// inferWhile is the shape rule of while: its results have the types of its operands, the values
// that the loop carries. It checks that both regions, cond and body, take these values, that cond
// returns a boolean, and that body returns the next values.
func inferWhile(op *Op) ([]Type, error) {
	types := TypesOf(op.Operands)
	for i := range op.Regions {
		if err := checkArgs(op, i, types); err != nil {
			return nil, err
		}
	}
	if err := checkReturns(op, 0, []Type{Tensor(dtypes.Bool)}); err != nil {
		return nil, err
	}
	return types, checkReturns(op, 1, types)
}

func inferIf(op *Op) ([]Type, error) {
	if err := checkScalar(op, 0, dtypes.Bool); err != nil {
		return nil, err
	}
	return branchTypes(op)
}

func inferCase(op *Op) ([]Type, error) {
	if err := checkScalar(op, 0, dtypes.Int32); err != nil {
		return nil, err
	}
	return branchTypes(op)
}

// branchTypes returns the types that the branches of op, an if or a case, return. It returns an
// error if the branches differ, or if one has arguments.
func branchTypes(op *Op) ([]Type, error) {
	types, err := regionTypes(op, 0)
	if err != nil {
		return nil, err
	}
	for i := range op.Regions {
		if err := checkArgs(op, i, nil); err != nil {
			return nil, err
		}
		if err := checkReturns(op, i, types); err != nil {
			return nil, err
		}
	}
	return types, nil
}

// checkSymbol returns a Check that requires that the Symbol attribute called attr, which names the
// function that an op calls, is not empty. Verify finds the function, and compares the signatures.
func checkSymbol(attr string) func(*Op) error {
	return func(op *Op) error {
		if op.Attrs.Get(attr).(Symbol) == "" {
			return fmt.Errorf("%s is empty, want the name of a function", attr)
		}
		return nil
	}
}

func checkCustomCall(op *Op) error {
	if op.Attrs.Get("call_target_name").(String) == "" {
		return errors.New("call_target_name is empty, want the name of the target")
	}
	return nil
}

func checkUnregistered(op *Op) error {
	dialect, name, ok := strings.Cut(op.Name, ".")
	if !ok || dialect == "" || name == "" {
		return fmt.Errorf("op name is %q, want a name with its dialect, such as chlo.lgamma", op.Name)
	}
	if KindByName(op.Name) != OpUnregistered {
		return fmt.Errorf("%s is in the op table, want its kind and not OpUnregistered", op.Name)
	}
	return nil
}

func inferAfterAll(op *Op) ([]Type, error) {
	for i, v := range op.Operands {
		if !v.Type.IsToken() {
			return nil, fmt.Errorf("operand %d has type %s, want a token", i, v.Type)
		}
	}
	return []Type{Token}, nil
}

func inferToken(*Op) ([]Type, error) { return []Type{Token}, nil }

// checkManualComputation verifies that each operand and result has a sharding of its rank, and that
// the body has the types of the shards along the manual axes. A shard is padded if the axes do not
// divide the dimension.
func checkManualComputation(op *Op) error {
	manual := attrOf[AxesAttr](op, "manual_axes")
	for _, side := range []struct {
		attr, what string
		values     []*Value
	}{{"in_shardings", "operand", op.Operands}, {"out_shardings", "result", op.Results}} {
		shardings := attrOf[ShardingsAttr](op, side.attr)
		if err := checkLen(side.attr, len(shardings), len(side.values), side.what); err != nil {
			return err
		}
		want := make([]Type, len(side.values))
		for i, v := range side.values {
			s := shardings[i]
			if s != nil && len(s.Dims) != v.Type.Rank() {
				return fmt.Errorf("%s %d has rank %d, want %d as %s %d of type %s", side.attr, i, len(s.Dims), v.Type.Rank(), side.what, i, v.Type)
			}
			want[i] = manualShard(v.Type, s, manual)
		}
		var err error
		if side.what == "operand" {
			err = checkArgs(op, 0, want)
		} else {
			err = checkReturns(op, 0, want)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// manualShard returns the type of the shard that a device holds of a tensor of type t, if of the
// axes in s only the manual ones shard it. Sizes that do not divide are rounded up. For a nil s, or
// one without a mesh, it is t.
func manualShard(t Type, s *layout.Sharding, manual []mesh.AxisRef) Type {
	if s == nil || s.Mesh == nil {
		return t
	}
	out := t
	for d := range s.Dims {
		n := 1
		for _, a := range s.Dims[d].Axes {
			if isManual(manual, a) {
				n *= s.Mesh.RefSize(a)
			}
		}
		if n > 1 {
			out = withSize(out, d, (t.Dims[d]+n-1)/n)
		}
	}
	return out
}

func isManual(manual []mesh.AxisRef, a mesh.AxisRef) bool {
	return slices.ContainsFunc(manual, func(m mesh.AxisRef) bool { return m.Name == a.Name })
}

// inferNamedComputation is the shape rule of named_computation: its results have the types that its
// body returns. It checks that the body takes the operands.
func inferNamedComputation(op *Op) ([]Type, error) {
	if err := checkArgs(op, 0, TypesOf(op.Operands)); err != nil {
		return nil, err
	}
	return regionTypes(op, 0)
}

// regionTypes returns the types that region i of op returns. A region that does not end in the
// right terminator is an error.
func regionTypes(op *Op, i int) ([]Type, error) {
	last := op.Regions[i].Terminator()
	want := terminatorOf(op)
	if last == nil || last.Kind != want {
		return nil, fmt.Errorf("region %d does not end in %s", i, want)
	}
	return TypesOf(last.Operands), nil
}

// terminatorOf returns the kind of op that must end the regions of op.
func terminatorOf(op *Op) OpKind {
	if op.Kind == OpManualComputation || op.Kind == OpNamedComputation {
		return OpSdyReturn
	}
	return OpReturn
}

// checkArgs returns an error unless the arguments of region i of op have the types in want, in
// their order.
func checkArgs(op *Op, i int, want []Type) error {
	args := op.Regions[i].Args
	if len(args) != len(want) {
		return fmt.Errorf("region %d has %d arguments, want %d of types %s", i, len(args), len(want), typesText(want))
	}
	for k, a := range args {
		if !a.Type.Equal(want[k]) {
			return fmt.Errorf("argument %d of region %d has type %s, want %s", k, i, a.Type, want[k])
		}
	}
	return nil
}

// checkReturns returns an error unless region i of op ends in the right terminator, and returns the
// types in want, in their order.
func checkReturns(op *Op, i int, want []Type) error {
	got, err := regionTypes(op, i)
	if err != nil {
		return err
	}
	if !sameTypes(got, want) {
		return fmt.Errorf("region %d returns %s, want %s", i, typesText(got), typesText(want))
	}
	return nil
}

// reductionTypes checks region i as the body of a reduction of inputs, and returns the element
// types in which it computes:
//
//	(a₀, …, aₙ, b₀, …, bₙ) -> (r₀, …, rₙ)    aᵢ, bᵢ and rᵢ scalars of one type
//
// That type is the element type of input i, or a wider one of the same class.
func reductionTypes(op *Op, i int, inputs []Type) ([]dtypes.DType, error) {
	returned, err := regionTypes(op, i)
	if err != nil {
		return nil, err
	}
	n := len(inputs)
	if len(returned) != n {
		return nil, fmt.Errorf("body returns %s, want %d scalars", typesText(returned), n)
	}
	want, out := make([]Type, 2*n), make([]dtypes.DType, n)
	for k, t := range returned {
		in := inputs[k].DType
		if t.Rank() != 0 || classOf(t.DType) != classOf(in) || bitWidth(t.DType) < bitWidth(in) {
			return nil, fmt.Errorf("body returns %s as result %d, want %s, the element type of the operand", t, k, Tensor(in))
		}
		want[k], want[n+k], out[k] = t, t, t.DType
	}
	return out, checkArgs(op, i, want)
}
