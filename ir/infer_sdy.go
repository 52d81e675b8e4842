package ir

// This file holds the shape rules of Shardy's computations with a body; its
// other ops keep the type of their operand.

import (
	"fmt"
	"slices"

	"github.com/gospmd/gospmd/layout"
	"github.com/gospmd/gospmd/mesh"
)

// checkManualComputation: the body sees shards along the manual axes. A shard
// is padded where the axes do not divide the dimension.
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

// manualShard returns the type of a device's shard along the manual axes.
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

// inferNamedComputation: the body takes the operands and returns the results.
func inferNamedComputation(op *Op) ([]Type, error) {
	if err := checkArgs(op, 0, typesOf(op.Operands)); err != nil {
		return nil, err
	}
	return regionTypes(op, 0)
}
