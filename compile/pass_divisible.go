package compile

// This file implements divisible, which keeps to layouts that XLA can do.

import (
	"fmt"

	"github.com/gospmd/gospmd/layout"
	"github.com/gospmd/gospmd/mesh"
)

// divisible cuts each pinned layout to the axes that divide its dimensions, of
// each dimension the longest prefix:
//
//	mesh data=4: %x: tensor<6x8> [{"data"}, {}]    =>    [{}, {}]
//
// XLA's partitioner lays a dimension of 6 on an axis of 4 out in a way that
// callers cannot know. Each cut is a Notice: the dimension is replicated over
// the axes that were cut.
func divisible(u *unit) error {
	for _, p := range pinsOf(u.main()) {
		u.cut(p, true)
	}
	return nil
}

// divisibleAll does the same for the layouts that propagation found. Notices
// are only for inputs and outputs: inside, it costs time but surprises no one.
func divisibleAll(u *unit) error {
	for _, p := range pinsOf(u.main()) {
		u.cut(p, p.port)
	}
	return nil
}

// cut makes p divisible.
func (u *unit) cut(p pin, notify bool) {
	var out *layout.Sharding
	for i, size := range p.typ.Dims {
		axes := p.sharding.Dims[i].Axes
		n := dividing(p.sharding.Mesh, axes, size)
		if n == len(axes) {
			continue
		}
		if out == nil {
			out = p.sharding.Clone()
		}
		out.Dims[i].Axes = out.Dims[i].Axes[:n]
		// An open dimension would get the axis again from its neighbours.
		out.Dims[i].Open = false
		if notify {
			u.warn(p.subject, fmt.Sprintf("dim %d (size %d) is not divisible by %s (size %d), so it is replicated over it: XLA's partitioner takes even shards only; choose a size that is a multiple of %d, or leave the dim unsharded",
				i, size, axesText(axes[n:]), p.sharding.Mesh.RefsSize(axes[n:]), p.sharding.Mesh.RefsSize(axes)))
		}
	}
	if out != nil {
		p.set(out)
	}
}

// dividing returns the length of the longest prefix of axes whose product
// divides size.
func dividing(m *mesh.DeviceMesh, axes []mesh.AxisRef, size int) int {
	for n := len(axes); n > 0; n-- {
		if size%m.RefsSize(axes[:n]) == 0 {
			return n
		}
	}
	return 0
}

func axesText(axes []mesh.AxisRef) string {
	if len(axes) == 1 {
		return "axis " + layout.AxesText(axes)
	}
	return "axes " + layout.AxesText(axes)
}
