package collective

// This file defines Op, a collective in terms of positions of the mesh, and makes
// one from an op of the spmd dialect.

import (
	"fmt"
	"slices"

	"github.com/gospmd/gospmd/ir"
	"github.com/gospmd/gospmd/mesh"
	"github.com/gospmd/gospmd/program"
)

// Op is a collective: the positions of a mesh that take part, and what they compute.
type Op struct {
	Kind ir.OpKind // of the spmd dialect
	// Groups are the positions that communicate with each other, in order. Each position is in one
	// group.
	Groups [][]int
	// Pairs are, for kinds with pairs, the positions that send and receive: source and target. Each
	// target occurs at most once; a position that is no target gets zeros. Nil for other kinds.
	Pairs     [][2]int
	Reduction ir.OpKind // for kinds that reduce

	Cut, Join int // the dimensions that the kind's ir.DimAttrs name

	// Summed means that the operands of spmd.all_reduce are already combined within each process:
	// all members of a group in one process have the same operand.
	Summed bool
}

// Of returns the collective of op, an op of the spmd dialect, on mesh m: groups, pairs, dimensions
// and reduction. Any other op is an error.
func Of(op *ir.Op, m *mesh.DeviceMesh) (*Op, error) {
	o := &Op{Kind: op.Kind}
	if algorithms[op.Kind] == nil {
		return nil, fmt.Errorf("%s is no collective of the spmd dialect: compile the program with Options.Partitioner compile.SPMD, which leaves only those", op.Kind)
	}
	if axes, ok := op.Attrs.Get("axes").(ir.AxesAttr); ok {
		o.Groups = m.ReplicaGroups(axes)
	}
	c := ir.CollectiveOf(op.Kind)
	if c == nil {
		return o, nil // axis_index
	}
	if c.Dims.Cut != "" {
		o.Cut = op.Int(c.Dims.Cut)
	}
	if c.Dims.Join != "" {
		o.Join = op.Int(c.Dims.Join)
	}
	if c.Reduces() {
		o.Reduction = op.Reduction()
	}
	if c.Pairs == nil {
		return o, nil
	}
	var err error
	o.Pairs, err = c.Pairs(op, o.Groups)
	return o, err
}

// Crosses reports whether any two devices that communicate are in different processes. at is the
// process of each position; nil is one process. It is false for axis_index, whose devices do not
// communicate.
func (o *Op) Crosses(at *program.Placement) bool {
	c := ir.CollectiveOf(o.Kind)
	if at == nil || c == nil {
		return false
	}
	areApart := func(a, b int) bool { return at.Process[a] != at.Process[b] }
	if c.Pairs != nil {
		return slices.ContainsFunc(o.Pairs, func(p [2]int) bool { return areApart(p[0], p[1]) })
	}
	return slices.ContainsFunc(o.Groups, func(group []int) bool {
		return slices.ContainsFunc(group, func(pos int) bool { return areApart(pos, group[0]) })
	})
}
