package partition

// This file runs ops that have no rule: on whole tensors, on every device.

import (
	"fmt"

	"github.com/gospmd/gospmd/ir"
	"github.com/gospmd/gospmd/layout"
)

// replicate runs op as it is on replicated operands. It is right for every op that
// computes the same on every device.
func (p *partitioner) replicate(op *ir.Op) error { return p.replicateWith(op, op.Attrs) }

// replicateWith is replicate with other attributes.
func (p *partitioner) replicateWith(op *ir.Op, attrs ir.Attrs) error {
	operands := make([]*ir.Value, len(op.Operands))
	for i, v := range op.Operands {
		p.reason(fmt.Sprintf("%s needs all of operand %d on every device", op.FullName(), i))
		operands[i] = p.get(v, p.replicated(v.Type.Rank()))
	}
	out := ir.NewOp(op.Kind, operands, attrs, nil)
	out.Name = op.Name
	shardings := make([]*layout.Sharding, len(op.Results))
	for i, r := range op.Results {
		out.AddResult(r.Type)
		shardings[i] = p.replicated(r.Type.Rank())
	}
	for _, r := range op.Regions {
		b, err := p.regionOf(op, r)
		if err != nil {
			return err
		}
		out.AddRegion(b)
	}
	p.Insert(out)
	p.defineAll(op, out.Results, shardings)
	return nil
}

// regionOf returns the per-device form of a region of op, which computes on
// replicated values or, in a reduction's body, on scalars.
func (p *partitioner) regionOf(op *ir.Op, r *ir.Block) (*ir.Block, error) {
	if op.Info().Is(ir.ScalarBody) {
		return ir.Cloner{}.Block(r), nil
	}
	if r.Len() == 0 { // of an op that is not in the table
		out := &ir.Block{}
		for _, a := range r.Args {
			out.AddArg(a.Type).Name = a.Name
		}
		return out, nil
	}
	return p.region(r, nil, nil)
}
