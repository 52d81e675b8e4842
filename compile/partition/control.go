package partition

// This file partitions control flow, and ops that pass values on or state
// layouts.

import (
	"fmt"

	"github.com/gospmd/gospmd/ir"
	"github.com/gospmd/gospmd/layout"
)

// capture makes what the regions of op use from outside in its declared
// layout, so that nothing is moved inside that could be moved once before.
func (p *partitioner) capture(op *ir.Op) {
	inside := map[*ir.Value]bool{}
	op.Walk(func(o *ir.Op) {
		if o != op {
			for _, v := range o.Operands {
				if _, outer := p.tensors[v]; outer && !inside[v] && !v.Type.IsToken() {
					inside[v] = true
					p.reason(fmt.Sprintf("a region of %s uses the value as it is laid out", op.FullName()))
					p.get(v, p.declared(v))
				}
			}
		}
	})
}

// while: carried values lie as the body's arguments say; every device takes
// the same number of turns.
func (p *partitioner) while(op *ir.Op) error {
	cond, body := op.Regions[0], op.Regions[1]
	shardings := make([]*layout.Sharding, len(op.Operands))
	operands := make([]*ir.Value, len(op.Operands))
	for i, v := range op.Operands {
		shardings[i] = p.declared(body.Args[i])
		p.reason(fmt.Sprintf("value %d that the loop carries is laid out as %s", i, shardings[i]))
		operands[i] = p.get(v, shardings[i])
	}
	p.capture(op)
	loc := p.Loc
	first, err := p.region(cond, shardings, nil)
	if err != nil {
		return err
	}
	second, err := p.region(body, shardings, shardings)
	if err != nil {
		return err
	}
	p.Loc = loc
	p.branching(op, operands, shardings, first, second)
	return nil
}

// branch: if and case, whose results lie as they are declared.
func (p *partitioner) branch(op *ir.Op) error {
	shardings := make([]*layout.Sharding, len(op.Results))
	for i, r := range op.Results {
		shardings[i] = p.declared(r)
	}
	p.reason("every device must take the same branch")
	index := p.get(op.Operands[0], p.replicated(0))
	p.capture(op)
	loc := p.Loc
	regions := make([]*ir.Block, len(op.Regions))
	for i, r := range op.Regions {
		b, err := p.region(r, nil, shardings)
		if err != nil {
			return err
		}
		regions[i] = b
	}
	p.Loc = loc
	p.branching(op, []*ir.Value{index}, shardings, regions...)
	return nil
}

// branching appends op with new operands and regions.
func (p *partitioner) branching(op *ir.Op, operands []*ir.Value, results []*layout.Sharding, regions ...*ir.Block) {
	out := ir.NewOp(op.Kind, operands, op.Attrs, nil, regions...)
	for i, r := range op.Results {
		out.AddResult(p.localType(r.Type, results[i]))
	}
	p.Insert(out)
	p.defineAll(op, out.Results, results)
}

// barrier: what goes in comes out, in its declared layout.
func (p *partitioner) barrier(op *ir.Op) error {
	shardings := make([]*layout.Sharding, len(op.Operands))
	operands := make([]*ir.Value, len(op.Operands))
	for i, v := range op.Operands {
		shardings[i] = p.declared(op.Results[i])
		p.reason(fmt.Sprintf("operand %d of the barrier is laid out as %s", i, shardings[i]))
		operands[i] = p.get(v, shardings[i])
	}
	p.branching(op, operands, shardings)
	return nil
}

// pass: the result is the operand, laid out as declared when it is used.
func (p *partitioner) pass(op *ir.Op) error {
	p.alias(op.Result(), op.Operands[0])
	return nil
}

// state: the result is the operand, laid out as the op says.
func (p *partitioner) state(op *ir.Op) error {
	v, s := op.Operands[0], op.Result().Sharding
	for _, name := range []string{"sharding", "out_sharding"} {
		if a, ok := op.Attrs.Get(name).(ir.ShardingAttr); ok {
			s = a.Sharding
		}
	}
	want := p.fromModule(s, v.Type.Rank())
	p.reason(fmt.Sprintf("%s asks for %s", op.FullName(), want))
	p.define(op.Result(), p.get(v, want), want)
	return nil
}

// drop: the op says nothing to a device.
func (p *partitioner) drop(*ir.Op) error { return nil }

// deviceID: in the global program there is one device, number 0.
func (p *partitioner) deviceID(op *ir.Op) error {
	if p.inManual {
		return p.position(op)
	}
	s := p.replicated(0)
	p.define(op.Result(), p.Constant(ir.Splat(op.Result().Type, 0)), s)
	return nil
}

// collective: a program of global shapes has one device, so a StableHLO
// collective may only be among that one, and hands on what it gets.
func (p *partitioner) collective(op *ir.Op) error {
	if p.inManual {
		return p.explicit(op)
	}
	if len(op.Results) != len(op.Operands) {
		return fmt.Errorf("has %d results for %d operands", len(op.Results), len(op.Operands))
	}
	for i, v := range op.Operands {
		if !v.Type.Equal(op.Results[i].Type) || !aloneIn(op) {
			return fmt.Errorf("communicates between devices, but the program has global shapes: one device holds all of each value; pin layouts by sdy.sharding_constraint and leave the collectives to the compiler, or write the per-device part in a sdy.manual_computation")
		}
		p.alias(op.Results[i], v)
	}
	return nil
}

// aloneIn reports whether op's groups hold one device each.
func aloneIn(op *ir.Op) bool {
	if op.Kind == ir.OpCollectivePermute {
		for _, pair := range op.CollectivePermute().SourceTargetPairs() {
			if pair[0] != pair[1] {
				return false
			}
		}
		return true
	}
	d, ok := op.Attrs.Get("replica_groups").(*ir.Dense)
	return ok && d.Type.Rank() == 2 && d.Type.Dims[1] == 1
}
