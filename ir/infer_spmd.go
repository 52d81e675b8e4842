package ir

// This file holds the shape rules of the spmd dialect. What they need to know
// of the mesh is verified apart, by checkOnMesh.

import (
	"errors"
	"fmt"
	"slices"

	"github.com/gomlx/compute/dtypes"

	"github.com/gospmd/gospmd/mesh"
)

// Axes returns an attribute that lists mesh axes. The caller must not change
// the slice.
func (op *Op) Axes(name string) []mesh.AxisRef { return attrOf[AxesAttr](op, name) }

// reductionKinds are the ops that a collective may reduce by, with their names
// in the attribute reduction.
var reductionKinds = []struct {
	name string
	kind OpKind
}{
	{"add", OpAdd}, {"multiply", OpMultiply}, {"maximum", OpMaximum}, {"minimum", OpMinimum},
	{"and", OpAnd}, {"or", OpOr}, {"xor", OpXor},
}

// ReductionName returns the attribute reduction of an spmd collective that
// combines by kind; ok is false where there is none.
func ReductionName(kind OpKind) (name Enum, ok bool) {
	for _, r := range reductionKinds {
		if r.kind == kind {
			return Enum(r.name), true
		}
	}
	return "", false
}

// Reduction returns the kind of op that an spmd collective combines by.
func (op *Op) Reduction() OpKind {
	name := op.Enum("reduction")
	for _, r := range reductionKinds {
		if r.name == name {
			return r.kind
		}
	}
	panic("BUG: spmd reduction " + name)
}

// ShiftSource returns the member of a group whose operand member i gets by an
// spmd.shift. It may be beyond the group.
func (op *Op) ShiftSource(i int) int {
	if op.Bool("mirrored") {
		return op.Int("offset") - i
	}
	return op.Int("offset") + i
}

func inferAxisIndex(*Op) ([]Type, error) { return []Type{Tensor(dtypes.Int32)}, nil }

// resized is the Check of a collective: each result has its operand's type but
// for the size of the dimensions that attributes name. How much they grow or
// shrink is checkOnMesh's to verify.
func resized(attrs ...string) func(op *Op) error {
	return func(op *Op) error {
		if len(op.Results) != len(op.Operands) {
			return fmt.Errorf("has %d results for %d operands, want one for each", len(op.Results), len(op.Operands))
		}
		for i, v := range op.Operands {
			in, out := v.Type, op.Results[i].Type
			if in.DType != out.DType || in.Rank() != out.Rank() {
				return fmt.Errorf("result %d has type %s, want the element type and rank of %s", i, out, in)
			}
			want := slices.Clone(in.Dims)
			for _, name := range attrs {
				d := op.Int(name)
				if err := checkDim(name, d, in.Rank()); err != nil {
					return err
				}
				want[d] = out.Dims[d]
			}
			if !slices.Equal(want, out.Dims) {
				return fmt.Errorf("result %d has type %s, want %s", i, out, in.WithDims(want))
			}
		}
		return nil
	}
}

// checkOnMesh verifies an spmd op against the module's mesh: its axes are
// there, do not overlap, and make as many shards as the sizes say.
func (v *verifier) checkOnMesh(op *Op) error {
	if len(v.mod.Meshes) == 0 {
		return errors.New("the module has no mesh: add the one that the op's axes are of")
	}
	m := v.mod.Meshes[0].Mesh
	if op.Kind == OpSPMDPermute {
		return checkPermute(op, m)
	}
	axes := op.Axes("axes")
	for i, a := range axes {
		if err := m.CheckRef(a); err != nil {
			return err
		}
		for _, b := range axes[:i] {
			if a.Overlaps(b) {
				return fmt.Errorf("axes %s and %s overlap: want each part of an axis once", b, a)
			}
		}
	}
	for _, name := range []string{"dim", "split_dim", "concat_dim"} {
		d, ok := op.Attrs.Get(name).(Int)
		if ok && (d < 0 || int(d) >= min(op.Operands[0].Type.Rank(), op.Results[0].Type.Rank())) {
			return fmt.Errorf("%s is %d, want a dimension of the operand and of the result", name, d)
		}
	}
	n := m.RefsSize(axes)
	grows := func(name string, whole, part *Value) error {
		d := op.Int(name)
		if whole.Type.Dims[d] != n*part.Type.Dims[d] {
			return fmt.Errorf("dimension %d has size %d on one side, want %d: %d times %d, the size of the axes", d, whole.Type.Dims[d], n*part.Type.Dims[d], part.Type.Dims[d], n)
		}
		return nil
	}
	in := op.Operands
	switch op.Kind {
	case OpSPMDAllGather:
		for i, v := range in {
			if err := grows("dim", op.Results[i], v); err != nil {
				return err
			}
		}
	case OpSPMDReduceScatter:
		return grows("dim", in[0], op.Results[0])
	case OpSPMDAllToAll:
		if d := op.Int("split_dim"); d == op.Int("concat_dim") {
			if size := in[0].Type.Dims[d]; size != op.Results[0].Type.Dims[d] || size%n != 0 {
				return fmt.Errorf("dimension %d has size %d, want one that stays and is a multiple of %d, the size of the axes", d, size, n)
			}
			return nil
		}
		if err := grows("split_dim", in[0], op.Results[0]); err != nil {
			return err
		}
		return grows("concat_dim", op.Results[0], in[0])
	}
	return nil
}

// checkPermute: both shardings are on the module's mesh, make the same number
// of shards of each dimension and leave the same number of parts to be summed.
func checkPermute(op *Op, m *mesh.DeviceMesh) error {
	from, to := attrOf[ShardingAttr](op, "from"), attrOf[ShardingAttr](op, "to")
	for _, s := range []ShardingAttr{from, to} {
		if !s.Mesh.Equal(m) {
			return fmt.Errorf("sharding %s is on the mesh %s, want the module's first, %s", s, s.Mesh, m)
		}
		if len(s.Dims) != op.Operands[0].Type.Rank() {
			return fmt.Errorf("sharding %s has rank %d, want %d", s, len(s.Dims), op.Operands[0].Type.Rank())
		}
	}
	for d := range from.Dims {
		if a, b := from.DimShards(d), to.DimShards(d); a != b {
			return fmt.Errorf("dimension %d has %d shards under from and %d under to, want equal numbers", d, a, b)
		}
	}
	if a, b := m.RefsSize(from.Unreduced), m.RefsSize(to.Unreduced); a != b {
		return fmt.Errorf("there are %d parts to be summed under from and %d under to, want equal numbers", a, b)
	}
	return nil
}
