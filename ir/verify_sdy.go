package ir

// This file verifies what Shardy's verifier asks of its ops beyond types and
// valid shardings (shardy/dialect/sdy/ir/verifiers.cc).

import (
	"fmt"
	"slices"

	"github.com/gospmd/gospmd/mesh"
)

// sdyChecks are the rules by kind of op:
//
//   - a barrier blocks at least one way
//   - an edge is the only user of its operand, which is no value that another
//     of Shardy's ops makes, computations excepted; one between functions is
//     behind a parameter or the result of a call
//   - a manual computation has all its shardings on one mesh, which has its
//     manual axes; these come first in each dimension. They need not divide it,
//     as Shardy's must: a shard is padded
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
	return v.alone(op)
}

// isSdyValue reports whether ops of the kind are Shardy's and have no region
// that values flow out of.
func isSdyValue(k OpKind) bool {
	_, sdy := sdyRows[k]
	return sdy && k != OpManualComputation && k != OpNamedComputation
}

func (v *verifier) funcEdge(op *Op) error {
	switch o := op.Operands[0]; {
	case o.def == nil && o.block.parent != nil:
		return fmt.Errorf("its operand is an argument of %s: want a parameter of the function or the result of a call", o.block.parent.FullName())
	case o.def != nil && o.def.Kind != OpCall:
		return fmt.Errorf("its operand is made by %s: want a parameter of the function or the result of a call", o.def.FullName())
	}
	return v.alone(op)
}

// alone verifies that op is the only user of its operand, which is no token.
func (v *verifier) alone(op *Op) error {
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
			break // nothing lies on axes
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
				continue // other rules tell
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

// firstManualBehindFree returns the place of the first manual axis behind one
// that is not; 0 if there is none.
func firstManualBehindFree(axes, manual []mesh.AxisRef) int {
	for i := 1; i < len(axes); i++ {
		if isManual(manual, axes[i]) && !isManual(manual, axes[i-1]) {
			return i
		}
	}
	return 0
}
