package compile

// This file finds out along which mesh axes a value of a per-device module may
// differ from device to device.

import (
	"github.com/gospmd/gospmd/ir"
	"github.com/gospmd/gospmd/layout"
	"github.com/gospmd/gospmd/mesh"
)

// axisSet is a set of mesh axes, by their positions in the mesh.
type axisSet uint64

// everyAxis is what is not known.
const everyAxis = ^axisSet(0)

// uniformity knows the axes along which each value may differ.
type uniformity struct {
	mesh    *mesh.DeviceMesh
	differs map[*ir.Value]axisSet
}

// newUniformity looks at the main function of u's per-device module. Inputs
// differ along the axes that split them, axis_index along its own; a reduction
// or a gather along whole axes makes its result the same again along these;
// other results differ where operands do. What a loop or a branch makes, or is
// given, is taken to differ along all axes.
func newUniformity(u *unit) *uniformity {
	k := &uniformity{mesh: u.mesh, differs: map[*ir.Value]axisSet{}}
	f := u.main()
	for i, p := range f.Params() {
		k.differs[p] = k.split(u.inputs[i].Sharding)
	}
	k.block(f.Body)
	return k
}

// along reports whether v may differ between devices of a group along axes.
func (k *uniformity) along(v *ir.Value, axes []mesh.AxisRef) bool {
	d, ok := k.differs[v]
	return !ok || d&k.touched(axes) != 0
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
			k.define(op, k.touched(op.Axes("axes")))
		case op.Kind == ir.OpSPMDAllReduce || op.Kind == ir.OpSPMDAllGather:
			k.define(op, k.operands(op)&^k.whole(op.Axes("axes")))
		case op.Info().Is(ir.Collective | ir.OnMesh):
			k.define(op, everyAxis)
		default:
			k.define(op, k.operands(op))
		}
	}
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

// split returns the axes that split any dimension.
func (k *uniformity) split(s *layout.Sharding) (d axisSet) {
	for _, dim := range s.Dims {
		d |= k.touched(dim.Axes)
	}
	return d
}

// touched returns the axes of which axes name any part.
func (k *uniformity) touched(axes []mesh.AxisRef) (d axisSet) {
	for _, a := range axes {
		d |= k.bit(a)
	}
	return d
}

// whole returns the axes that axes name as a whole.
func (k *uniformity) whole(axes []mesh.AxisRef) (d axisSet) {
	for _, a := range axes {
		if !a.Sub {
			d |= k.bit(a)
		}
	}
	return d
}

// bit returns the set of a alone; of one of too many axes, all.
func (k *uniformity) bit(a mesh.AxisRef) axisSet {
	if i := k.mesh.AxisIndex(a.Name); i < 64 {
		return 1 << i
	}
	return everyAxis
}
