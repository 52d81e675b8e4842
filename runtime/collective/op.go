package collective

// This file defines Op, a collective in terms of positions of the mesh, and makes
// one from an op of the spmd dialect.

import (
	"fmt"
	"slices"

	"github.com/gospmd/gospmd/ir"
	"github.com/gospmd/gospmd/layout"
	"github.com/gospmd/gospmd/mesh"
	"github.com/gospmd/gospmd/program"
)

// Op is a collective: which positions of a mesh take part, and what they do.
type Op struct {
	Kind      ir.OpKind // of the spmd dialect
	Groups    [][]int   // positions that communicate with each other, in order; each position is in one group
	Pairs     [][2]int  // of spmd.permute and spmd.shift: source and target, each target at most once
	Reduction ir.OpKind // of spmd.all_reduce and spmd.reduce_scatter

	Dim                 int // of spmd.all_gather and spmd.reduce_scatter
	SplitDim, ConcatDim int // of spmd.all_to_all

	// Summed says of spmd.all_reduce that the operands of a group's members are
	// already combined within each process: all of them have the same.
	Summed bool
}

// makers fill an Op from an op of their kind.
var makers = map[ir.OpKind]func(o *Op, op *ir.Op) error{
	ir.OpSPMDAxisIndex: func(*Op, *ir.Op) error { return nil },
	ir.OpSPMDAllReduce: func(o *Op, op *ir.Op) error {
		o.Reduction = op.Reduction()
		return nil
	},
	ir.OpSPMDAllGather: func(o *Op, op *ir.Op) error {
		o.Dim = op.SPMDAllGather().Dim()
		return nil
	},
	ir.OpSPMDReduceScatter: func(o *Op, op *ir.Op) error {
		o.Dim, o.Reduction = op.SPMDReduceScatter().Dim(), op.Reduction()
		return nil
	},
	ir.OpSPMDAllToAll: func(o *Op, op *ir.Op) error {
		o.SplitDim, o.ConcatDim = op.SPMDAllToAll().SplitDim(), op.SPMDAllToAll().ConcatDim()
		return nil
	},
	ir.OpSPMDPermute: func(o *Op, op *ir.Op) (err error) {
		o.Pairs, err = layout.PermutePairs(op.SPMDPermute().From(), op.SPMDPermute().To())
		return err
	},
	ir.OpSPMDShift: func(o *Op, op *ir.Op) error {
		for _, group := range o.Groups {
			for i, to := range group {
				if from := op.ShiftSource(i); from >= 0 && from < len(group) {
					o.Pairs = append(o.Pairs, [2]int{group[from], to})
				}
			}
		}
		return nil
	},
}

// Of returns the collective that op, of the spmd dialect, is on mesh m.
func Of(op *ir.Op, m *mesh.DeviceMesh) (*Op, error) {
	fill := makers[op.Kind]
	if fill == nil {
		return nil, fmt.Errorf("%s is no collective of the spmd dialect: compile the program with Options.Partitioner compile.SPMD, which leaves only those", op.Kind)
	}
	o := &Op{Kind: op.Kind}
	if axes, ok := op.Attrs.Get("axes").(ir.AxesAttr); ok {
		o.Groups = m.ReplicaGroups(axes)
	}
	return o, fill(o, op)
}

// Crosses reports whether any two devices that communicate are in different
// processes.
func (o *Op) Crosses(at *program.Placement) bool {
	if at == nil || o.Kind == ir.OpSPMDAxisIndex {
		return false
	}
	apart := func(a, b int) bool { return at.Process[a] != at.Process[b] }
	if o.Kind == ir.OpSPMDPermute || o.Kind == ir.OpSPMDShift {
		return slices.ContainsFunc(o.Pairs, func(p [2]int) bool { return apart(p[0], p[1]) })
	}
	return slices.ContainsFunc(o.Groups, func(group []int) bool {
		return slices.ContainsFunc(group, func(pos int) bool { return apart(pos, group[0]) })
	})
}
