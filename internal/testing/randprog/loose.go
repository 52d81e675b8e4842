package randprog

// This file draws layouts and further meshes for programs that are propagated.

import (
	"slices"

	"github.com/gospmd/gospmd/ir"
	"github.com/gospmd/gospmd/layout"
	"github.com/gospmd/gospmd/mesh"
)

// addMeshes lists further meshes beside the first, if g.loose.Meshes is set, each with probability
// 1/2: one that equals it, one with other axes, one whose devices stand in another order, one
// without axes, and one that is a single device.
func (g *generator) addMeshes() {
	if !g.loose.Meshes {
		return
	}
	devices := slices.Clone(g.mesh.Devices())
	slices.Reverse(devices)
	for _, c := range []struct {
		name    string
		shape   []int
		axes    []string
		devices []int
	}{
		{"same", g.mesh.Shape(), g.mesh.AxisNames(), g.mesh.Devices()},
		{"other", []int{4, 2}, []string{"x", "w"}, nil},
		{"reversed", g.mesh.Shape(), g.mesh.AxisNames(), devices},
		{"empty", nil, nil, nil},
		{"single", nil, nil, []int{1}},
	} {
		if g.rng.IntN(2) == 0 {
			continue
		}
		m, err := mesh.New(c.shape, c.axes, c.devices)
		if err != nil {
			panic("BUG: " + err.Error())
		}
		g.others = append(g.others, ir.NamedMesh{Name: c.name, Mesh: m})
	}
}

// anyMesh returns the first mesh, mostly. Manual computations are on the first one.
func (g *generator) anyMesh() *mesh.DeviceMesh {
	if len(g.others) > 0 && len(g.manual) == 0 && g.rng.IntN(6) == 0 {
		return pick(g, g.others).Mesh
	}
	return g.mesh
}

// looseLayout returns a random layout of that rank on m which leaves much to propagation: open
// dimensions, priorities, replicated and unreduced axes as g.loose allows them, and few sharded
// dimensions.
func (g *generator) looseLayout(m *mesh.DeviceMesh, rank int) *layout.Sharding {
	s := layout.OpenSharding(m, rank)
	if m.IsMaximal() {
		s.Dims = nil
		return s
	}
	for d := range s.Dims {
		s.Dims[d].Open = g.rng.IntN(2) == 0
		if g.loose.Priorities && g.rng.IntN(3) == 0 {
			s.Dims[d].Priority = 1 + g.rng.IntN(2)
		}
	}
	for _, a := range g.looseAxes(m) {
		switch k := g.rng.IntN(8); {
		case k == 0:
			s.Replicated = append(s.Replicated, a)
		case k == 5 && g.loose.Unreduced && g.rng.IntN(2) == 0:
			s.Unreduced = append(s.Unreduced, a)
		case k < 5 && rank > 0:
			d := &s.Dims[g.rng.IntN(rank)]
			d.Axes = append(d.Axes, a)
		}
	}
	for d := range s.Dims {
		dim := &s.Dims[d]
		dim.Axes = m.MergeRefs(dim.Axes)
		if len(dim.Axes) == 0 && !dim.Open {
			dim.Priority = 0 // empty closed dimensions may have none
		}
	}
	for _, list := range []*[]mesh.AxisRef{&s.Replicated, &s.Unreduced} {
		slices.SortFunc(*list, m.CompareRefs)
		*list = m.MergeRefs(*list)
	}
	return s
}

// looseAxes returns the axes of m, or parts of them, in any order, without the axes that are manual
// in the current block.
func (g *generator) looseAxes(m *mesh.DeviceMesh) []mesh.AxisRef {
	var out []mesh.AxisRef
	for _, a := range m.Axes() {
		if !slices.Contains(g.manual, a.Name) {
			out = append(out, g.parts(a)...)
		}
	}
	g.rng.Shuffle(len(out), func(i, j int) { out[i], out[j] = out[j], out[i] })
	return out
}

// sometimes returns a random loose layout for a tensor of that rank with probability 1/n, and
// otherwise nil.
func (g *generator) sometimes(n, rank int) *layout.Sharding {
	if g.rng.IntN(n) > 0 {
		return nil
	}
	return g.looseLayout(g.anyMesh(), rank)
}

// annotate gives each result of op a random layout with probability 1/10. If one result gets a
// layout, the others get open ones, because the text states all or none. Loops, calls and manual or
// named computations get none.
func (g *generator) annotate(op *ir.Op) {
	switch op.Kind {
	case ir.OpShardingConstraint, ir.OpReshard, ir.OpOptimizationBarrier, ir.OpWhile, ir.OpNamedComputation, ir.OpManualComputation, ir.OpCall:
		return
	}
	annotated := false
	for _, r := range op.Results {
		if r.Type.IsToken() {
			return
		}
		r.Sharding = g.sometimes(10, r.Type.Rank())
		annotated = annotated || r.Sharding != nil
	}
	for _, r := range op.Results {
		if annotated && r.Sharding == nil {
			r.Sharding = layout.OpenSharding(g.mesh, r.Type.Rank())
		}
	}
}
