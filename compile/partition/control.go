package partition

// This file partitions the ops that have no sharding rule: control flow, ops that pass values on or
// state shardings, constants, and all others, which are replicated.

import (
	"fmt"

	"github.com/gospmd/gospmd/ir"
	"github.com/gospmd/gospmd/layout"
)

// capture moves the values that the branches of op use from outside to their declared shardings,
// before op. So each branch can use them.
func (p *partitioner) capture(op *ir.Op) {
	inside := map[*ir.Value]bool{}
	op.Walk(func(o *ir.Op) {
		if o != op {
			for _, v := range o.Operands {
				if _, outer := p.tensors[v]; outer && !inside[v] && !v.Type.IsToken() {
					inside[v] = true
					p.reason(fmt.Sprintf("a region of %s uses the value as it is sharded", op.FullName()))
					p.get(v, p.declaredSharding(v))
				}
			}
		}
	})
}

// while shards the carried values as the arguments of the body are. Every device runs the same
// number of iterations. Values that the regions use from outside are moved before the loop, when
// the first op needs them (partitioner.get). It returns the error of an op in a region.
func (p *partitioner) while(op *ir.Op) error {
	cond, body := op.Regions[0], op.Regions[1]
	shardings := make([]*layout.Sharding, len(op.Operands))
	operands := make([]*ir.Value, len(op.Operands))
	for i, v := range op.Operands {
		shardings[i] = p.declaredSharding(body.Args[i])
		p.reason(fmt.Sprintf("value %d that the loop carries is sharded as %s", i, shardings[i]))
		operands[i] = p.get(v, shardings[i])
	}
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
	p.appendBranch(op, operands, shardings, first, second)
	return nil
}

// branch partitions if and case: the condition is replicated, so that all devices take the same
// branch, and the results have their declared shardings. It returns the error of an op in a region.
func (p *partitioner) branch(op *ir.Op) error {
	shardings := make([]*layout.Sharding, len(op.Results))
	for i, r := range op.Results {
		shardings[i] = p.declaredSharding(r)
	}
	p.reason("every device must take the same branch")
	index := p.get(op.Operands[0], p.replicatedSharding(0))
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
	p.appendBranch(op, []*ir.Value{index}, shardings, regions...)
	return nil
}

// appendBranch appends op with the given operands, result shardings and regions, and defines its
// results.
func (p *partitioner) appendBranch(op *ir.Op, operands []*ir.Value, results []*layout.Sharding, regions ...*ir.Block) {
	out := ir.NewOp(op.Kind, operands, op.Attrs, nil, regions...)
	for i, r := range op.Results {
		out.AddResult(p.localType(r.Type, results[i]))
	}
	p.Insert(out)
	p.defineAll(op, out.Results, results)
}

// barrier partitions an optimization_barrier: it moves the operands to the declared shardings of
// the results. It returns no error.
func (p *partitioner) barrier(op *ir.Op) error {
	shardings := make([]*layout.Sharding, len(op.Operands))
	operands := make([]*ir.Value, len(op.Operands))
	for i, v := range op.Operands {
		shardings[i] = p.declaredSharding(op.Results[i])
		p.reason(fmt.Sprintf("operand %d of the barrier is sharded as %s", i, shardings[i]))
		operands[i] = p.get(v, shardings[i])
	}
	p.appendBranch(op, operands, shardings)
	return nil
}

// pass makes the result of op an alias of its operand. It is moved to its declared sharding when it
// is used. pass returns no error.
func (p *partitioner) pass(op *ir.Op) error {
	p.alias(op.Result(), op.Operands[0])
	return nil
}

// state moves the operand of op to the sharding that op states, or that its result has if op states
// none. This becomes the sharding of the result. It returns no error.
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

// drop handles an op without results that has no meaning on a device, a sharding group: the program
// of a device does not get it. drop returns no error.
func (p *partitioner) drop(*ir.Op) error { return nil }

// deviceID replaces op by 0, because a program of global shapes has only one device; within a
// manual computation, by this device's position. It returns no error.
func (p *partitioner) deviceID(op *ir.Op) error {
	if p.inManual {
		return p.position(op)
	}
	s := p.replicatedSharding(0)
	p.define(op.Result(), p.Constant(ir.Splat(op.Result().Type, 0)), s)
	return nil
}

// collective partitions a StableHLO collective. Within a manual computation it does so by
// explicitCollective. A program of global shapes has only one device, so there the operands replace
// the results, and a group of several members is an error.
func (p *partitioner) collective(op *ir.Op) error {
	if p.inManual {
		return p.explicitCollective(op)
	}
	if len(op.Results) != len(op.Operands) {
		return fmt.Errorf("has %d results for %d operands", len(op.Results), len(op.Operands))
	}
	for i, v := range op.Operands {
		if !v.Type.Equal(op.Results[i].Type) || !hasSingletonGroups(op) {
			return fmt.Errorf("communicates between devices, but the program has global shapes: one device holds all of each value; state shardings by sdy.sharding_constraint and leave the collectives to the compiler, or write the per-device part in a sdy.manual_computation")
		}
		p.alias(op.Results[i], v)
	}
	return nil
}

// hasSingletonGroups reports whether each of op's groups has one member or, for a
// collective_permute, each pair sends from a device to itself.
func hasSingletonGroups(op *ir.Op) bool {
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

// replicate runs op unchanged on replicated operands, on every device. This is correct for every op
// whose results depend only on its operands and attributes. It returns the error of an op in a
// region.
func (p *partitioner) replicate(op *ir.Op) error { return p.replicateWith(op, op.Attrs) }

// replicateWith computes op in full on every device, as replicate does, but with the attributes
// attrs. Its operands are gathered, and its results are replicated. It returns the error of an op
// in a region.
func (p *partitioner) replicateWith(op *ir.Op, attrs ir.Attrs) error {
	operands := make([]*ir.Value, len(op.Operands))
	for i, v := range op.Operands {
		p.reason(fmt.Sprintf("%s needs all of operand %d on every device", op.FullName(), i))
		operands[i] = p.get(v, p.replicatedSharding(v.Type.Rank()))
	}
	out := ir.NewOp(op.Kind, operands, attrs, nil)
	out.Name = op.Name
	shardings := make([]*layout.Sharding, len(op.Results))
	for i, r := range op.Results {
		out.AddResult(r.Type)
		shardings[i] = p.replicatedSharding(r.Type.Rank())
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

// regionOf returns the per-device form of r, a region of op, which is replicated. It clones a
// region that computes on scalars, such as a reduction's body. It partitions the ops of other
// regions, with replicated arguments and results, and returns the error of one of them. A region of
// an unregistered op may be empty: then it keeps only the arguments.
func (p *partitioner) regionOf(op *ir.Op, r *ir.Block) (*ir.Block, error) {
	if op.Info().Is(ir.ScalarBody) {
		return ir.Cloner{}.Block(r), nil
	}
	if r.Len() == 0 { // the op is not in the op table
		out := &ir.Block{}
		for _, a := range r.Args {
			out.AddArg(a.Type).Name = a.Name
		}
		return out, nil
	}
	return p.region(r, nil, nil)
}

// literal makes the shard of a constant, wherever one is needed. If all elements are equal, it is a
// smaller constant, and otherwise a slice of the constant. literal returns no error.
func (p *partitioner) literal(op *ir.Op) error {
	d, t := op.Literal(), op.Result().Type
	p.defineRematerialized(op.Result(), func(s *layout.Sharding) *ir.Value {
		if d.Splat || t.Size() == 0 {
			return p.Constant(&ir.Dense{Type: p.localType(t, s), Splat: d.Splat, Data: d.Data})
		}
		v := p.Constant(d)
		for dim := range t.Dims {
			if axes := s.Dims[dim].Axes; len(axes) > 0 {
				v = p.localShard(v, dim, axes)
			}
		}
		return v
	})
	return nil
}

// count defines the result of an iota, whose shards each device makes itself. Along a sharded
// dimension a shard starts at its first index. count returns no error.
func (p *partitioner) count(op *ir.Op) error {
	t, d := op.Result().Type, op.Iota().IotaDimension()
	p.defineRematerialized(op.Result(), func(s *layout.Sharding) *ir.Value {
		local := p.localType(t, s)
		if len(s.Dims[d].Axes) == 0 {
			return p.iota(t.DType, local.Dims, d)
		}
		return p.convert(p.globalIndex(local.Dims, s, d), t.DType)
	})
	return nil
}
