package compile

// This file finds out two things about a per-device module: the mesh axes that a value may differ
// along, and which values are the device's own shard of another value.

import (
	"github.com/gospmd/gospmd/ir"
	"github.com/gospmd/gospmd/layout"
	"github.com/gospmd/gospmd/mesh"
	"github.com/gospmd/gospmd/program"
)

// axisSet is a set of mesh axes, by their positions in the mesh.
type axisSet uint64

// everyAxis is the set of all axes. It also stands for unknown axes.
const everyAxis = ^axisSet(0)

// uniformity knows, for each value, the axes that it may differ along: differs, or all axes for a
// value without an entry.
type uniformity struct {
	mesh    *mesh.DeviceMesh
	differs map[*ir.Value]axisSet
}

// newUniformity analyses f, the per-device function main. Inputs differ along the axes that shard
// them, and an axis_index along its own axes. The result of a reduction or a gather along full axes
// does not differ along these. Other results differ along the axes that their operands differ
// along. Results and arguments of loops and branches are assumed to differ along all axes.
func newUniformity(f *ir.Func, m *mesh.DeviceMesh, inputs []program.Input) *uniformity {
	k := &uniformity{mesh: m, differs: map[*ir.Value]axisSet{}}
	for i, p := range f.Params() {
		k.differs[p] = k.sharding(inputs[i].Sharding)
	}
	k.block(f.Body)
	return k
}

// differsAlong reports whether v may differ between devices that differ along axes.
func (k *uniformity) differsAlong(v *ir.Value, axes []mesh.AxisRef) bool {
	d, ok := k.differs[v]
	return !ok || d&k.touchedAxes(axes) != 0
}

func (k *uniformity) block(b *ir.Block) {
	for op := range b.Ops() {
		if op.Info().Is(ir.ScalarBody) {
			k.define(op, k.operands(op))
			continue
		}
		for _, r := range op.Regions {
			for _, a := range r.Args {
				k.differs[a] = everyAxis
			}
			k.block(r)
		}
		switch {
		case len(op.Regions) > 0 || op.Info().Is(ir.SideEffect):
			k.define(op, everyAxis)
		case op.Kind == ir.OpSPMDAxisIndex:
			k.define(op, k.touchedAxes(op.SPMDAxisIndex().Axes()))
		case op.Info().Is(ir.Collective | ir.OnMesh):
			k.collective(op)
		default:
			k.define(op, k.operands(op))
		}
	}
}

// collective sets the axes that the results of op, a collective, differ along: all axes, unless its
// kind gives equal results to the devices of a group. Then it is the axes of the operands, without
// those that the group spans in full.
func (k *uniformity) collective(op *ir.Op) {
	c := ir.CollectiveOf(op.Kind)
	if !c.Equal {
		k.define(op, everyAxis)
		return
	}
	k.define(op, k.operands(op)&^k.fullAxes(c.AxesOf(op, k.mesh)))
}

func (k *uniformity) define(op *ir.Op, d axisSet) {
	for _, r := range op.Results {
		k.differs[r] = d
	}
}

func (k *uniformity) operands(op *ir.Op) (d axisSet) {
	for _, v := range op.Operands {
		d |= k.differs[v]
	}
	return d
}

// sharding returns the axes that shard any dimension of s.
func (k *uniformity) sharding(s *layout.Sharding) (d axisSet) {
	for _, dim := range s.Dims {
		d |= k.touchedAxes(dim.Axes)
	}
	return d
}

// touchedAxes returns the axes that occur in axes, in full or as a sub-axis.
func (k *uniformity) touchedAxes(axes []mesh.AxisRef) (d axisSet) {
	for _, a := range axes {
		d |= k.bit(a)
	}
	return d
}

// fullAxes returns the axes that occur in axes in full.
func (k *uniformity) fullAxes(axes []mesh.AxisRef) (d axisSet) {
	for _, a := range axes {
		if !a.Sub {
			d |= k.bit(a)
		}
	}
	return d
}

// bit returns the set with the full axis of a alone. If the mesh has too many axes for a set, it
// returns all axes.
func (k *uniformity) bit(a mesh.AxisRef) axisSet {
	if i := k.mesh.AxisIndex(a.Name); i < 64 {
		return 1 << i
	}
	return everyAxis
}

// localShard describes a dynamic_slice that returns the device's own shard of a value, for a
// sharding of dimension dim by axes:
//
//	%i = spmd.axis_index axes
//	%start = multiply %i, size
//	%shard = dynamic_slice %full, 0, …, %start, …, 0 to size elements of dim
type localShard struct {
	full *ir.Value
	dim  int
	axes []mesh.AxisRef
}

// localShardOf returns the local shard that op, an op on m, computes. ok is false if op does
// anything else, or is nil.
func localShardOf(m *mesh.DeviceMesh, op *ir.Op) (s localShard, ok bool) {
	if op == nil || op.Kind != ir.OpDynamicSlice {
		return s, false
	}
	slice, part := op.DynamicSlice(), op.Result().Type
	full := slice.Operand()
	s.full, s.dim = full, -1
	for d, start := range slice.StartIndices() {
		if full.Type.Dims[d] == part.Dims[d] {
			continue // the slice has the full size, so the start is clamped to 0
		}
		if s.dim >= 0 {
			return s, false
		}
		s.dim = d
		if s.axes, ok = shardStart(start, part.Dims[d]); !ok {
			return s, false
		}
	}
	return s, s.dim >= 0 && full.Type.Dims[s.dim] == m.RefsSize(s.axes)*part.Dims[s.dim]
}

// shardStart returns the axes if start is their axis_index times size; otherwise it returns false.
func shardStart(start *ir.Value, size int) ([]mesh.AxisRef, bool) {
	d := start.Def()
	if d != nil && d.Kind == ir.OpMultiply {
		for i, v := range d.Operands {
			if n, ok := intConstant(v); ok && n == size {
				d = d.Operands[1-i].Def()
				size = 1
				break
			}
		}
	}
	if d == nil || d.Kind != ir.OpSPMDAxisIndex || size != 1 {
		return nil, false
	}
	return d.SPMDAxisIndex().Axes(), true
}

// intConstant returns the value of v, a constant integer scalar; false if v is something else.
func intConstant(v *ir.Value) (int, bool) {
	d := v.Def()
	if d == nil || d.Kind != ir.OpConstant || v.Type.Rank() != 0 || !v.Type.DType.IsInt() {
		return 0, false
	}
	return int(d.Constant().Value().Int64s()[0]), true
}
