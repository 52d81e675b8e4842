package partition

// This file partitions sdy.manual_computation, whose body is written for one device. JAX's
// shard_map makes such ops.

import (
	"fmt"
	"slices"

	"github.com/gomlx/compute/dtypes"

	"github.com/gospmd/gospmd/ir"
	"github.com/gospmd/gospmd/layout"
	"github.com/gospmd/gospmd/mesh"
)

// manualComputation replaces the op by its body. Along the manual axes, a value of the body is
// already the shard of one device. Along other axes it is sharded like any other value. Collectives
// in the body name devices by their position in the mesh. It returns the error of an op in the
// body.
func (p *partitioner) manualComputation(op *ir.Op) error {
	axes := op.ManualComputation().ManualAxes()
	body := op.Regions[0]
	for i, v := range op.Operands {
		outer, inner := p.manualShardings(shardingAt(op, "in_shardings", i), v.Type, body.Args[i].Type, axes)
		p.reason(fmt.Sprintf("operand %d of the manual computation is sharded as %s", i, outer))
		p.define(body.Args[i], p.get(v, outer), inner)
	}
	was := p.inManual
	p.inManual = true
	defer func() { p.inManual = was }()
	if err := p.ops(body.Body()); err != nil {
		return err
	}
	for i, v := range body.Terminator().Operands {
		r := op.Results[i]
		outer, inner := p.manualShardings(shardingAt(op, "out_shardings", i), r.Type, v.Type, axes)
		p.reason(fmt.Sprintf("result %d of the manual computation is sharded as %s", i, outer))
		p.define(r, p.get(v, inner), outer)
	}
	return nil
}

func shardingAt(op *ir.Op, name string, i int) *layout.Sharding {
	list, _ := op.Attrs.Get(name).(ir.ShardingsAttr)
	if i < len(list) {
		return list[i]
	}
	return nil
}

// manualShardings returns the two shardings of an operand or a result of a manual computation:
// outer for the tensor of type t outside, and inner for the value of type local inside. s is the
// sharding that the computation states for it; nil means replicated. manual are the manual axes.
// inner is s without these axes. If the two would have different padding, outer has only the manual
// axes of s, and inner is replicated.
func (p *partitioner) manualShardings(s *layout.Sharding, t, local ir.Type, manual []mesh.AxisRef) (outer, inner *layout.Sharding) {
	isManual := func(a mesh.AxisRef) bool {
		return slices.ContainsFunc(manual, func(m mesh.AxisRef) bool { return m.Name == a.Name })
	}
	outer = p.fromModule(s, t.Rank())
	held, free := make([][]mesh.AxisRef, t.Rank()), make([][]mesh.AxisRef, t.Rank())
	for d := range held {
		for _, a := range outer.Dims[d].Axes {
			if isManual(a) {
				held[d] = append(held[d], a)
			} else {
				free[d] = append(free[d], a)
			}
		}
	}
	inner = p.intern(free, nil)
	if slices.Equal(outer.LocalShape(t.Dims), inner.LocalShape(local.Dims)) {
		return outer, inner
	}
	return p.intern(held, nil), p.replicatedSharding(t.Rank())
}

// position replaces op by this device's position in the mesh. It returns no error.
func (p *partitioner) position(op *ir.Op) error {
	v := p.index(0)
	if p.mesh.Size() > 1 {
		v = p.SPMDAxisIndex(mesh.FullAxes(p.mesh.AxisNames()...))
	}
	p.define(op.Result(), p.convert(v, dtypes.Uint32), p.replicatedSharding(0))
	return nil
}

// explicitCollective partitions a collective in a manual computation. The collective stays as it
// is, on operands that are replicated along the other axes, except that it names mesh axes if its
// groups are the groups along these axes. It returns no error.
func (p *partitioner) explicitCollective(op *ir.Op) error {
	operands := make([]*ir.Value, len(op.Operands))
	for i, v := range op.Operands {
		p.reason(fmt.Sprintf("%s needs all of operand %d along the axes that are not manual", op.FullName(), i))
		operands[i] = p.get(v, p.replicatedSharding(v.Type.Rank()))
	}
	p.reason("the program asks for it")
	shardings := make([]*layout.Sharding, len(op.Results))
	for i, r := range op.Results {
		shardings[i] = p.replicatedSharding(r.Type.Rank())
	}
	if axes, ok := p.axesOfGroups(op); ok {
		if results := p.buildByAxes(op, axes, operands); results != nil {
			p.defineAll(op, results, shardings)
			return nil
		}
	}
	// Other groups stay as they are: they list positions, and replicas have the same numbers.
	out := ir.NewOp(op.Kind, operands, op.Attrs.Without("channel_handle").Without("use_global_device_ids"), nil)
	for _, r := range op.Results {
		out.AddResult(r.Type)
	}
	for _, r := range op.Regions {
		out.AddRegion(ir.Cloner{}.Block(r))
	}
	p.Insert(out)
	p.defineAll(op, out.Results, shardings)
	return nil
}

// axesOfGroups returns full axes of the mesh, in an order such that DeviceMesh.ReplicaGroups gives
// op's groups for them, up to the order of the groups. ok is false if there are none, or if op has
// no attribute replica_groups.
func (p *partitioner) axesOfGroups(op *ir.Op) (axes []mesh.AxisRef, ok bool) {
	if !op.Has("replica_groups") {
		return nil, false
	}
	want := op.Matrix("replica_groups")
	slices.SortFunc(want, func(a, b []int) int { return slices.Compare(a, b) })
	var try func(chosen []mesh.AxisRef) bool
	try = func(chosen []mesh.AxisRef) bool {
		if len(want) > 0 && p.mesh.RefsSize(chosen) == len(want[0]) &&
			slices.EqualFunc(p.mesh.ReplicaGroups(chosen), want, slices.Equal[[]int]) {
			axes = slices.Clone(chosen)
			return true
		}
		for _, a := range p.mesh.Axes() {
			ref := mesh.FullAxis(a.Name)
			if !slices.Contains(chosen, ref) && try(append(slices.Clone(chosen), ref)) {
				return true
			}
		}
		return false
	}
	ok = try(nil)
	return axes, ok
}

// buildByAxes appends the spmd ops along axes that replace op, a StableHLO collective, one for each
// of operands, and returns their results. It returns nil, and appends nothing, if the spmd dialect
// has no such collective or reduction.
func (p *partitioner) buildByAxes(op *ir.Op, axes []mesh.AxisRef, operands []*ir.Value) []*ir.Value {
	var build func(v *ir.Value, t ir.Type) *ir.Value
	switch op.Kind {
	case ir.OpAllGather:
		build = func(v *ir.Value, t ir.Type) *ir.Value {
			return p.gather(v, op.AllGather().AllGatherDim(), axes, t.Dims)
		}
	case ir.OpAllToAll:
		o := op.AllToAll()
		build = func(v *ir.Value, t ir.Type) *ir.Value {
			return p.SPMDAllToAll(v, o.SplitDimension(), o.ConcatDimension(), axes, t)
		}
	case ir.OpAllReduce, ir.OpReduceScatter:
		kind, ok := ir.ReductionOf(op)
		if _, named := ir.ReductionName(kind); !ok || !named {
			return nil
		}
		build = func(v *ir.Value, _ ir.Type) *ir.Value { return p.allReduce(v, axes, kind) }
		if op.Kind == ir.OpReduceScatter {
			build = func(v *ir.Value, t ir.Type) *ir.Value {
				return p.SPMDReduceScatter([]*ir.Value{v}, op.ReduceScatter().ScatterDimension(), axes, reductionName(kind), []ir.Type{t}).Result()
			}
		}
	default:
		return nil
	}
	out := make([]*ir.Value, len(operands))
	for i, v := range operands {
		out[i] = build(v, op.Results[i].Type)
	}
	return out
}
