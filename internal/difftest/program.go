package difftest

// This file defines Program and how to make one.

import (
	"math/rand/v2"

	"github.com/gospmd/gospmd/ir"
	"github.com/gospmd/gospmd/layout"
	"github.com/gospmd/gospmd/mesh"
)

// Program is a random program on a mesh, with layouts on some of its values.
type Program struct {
	Module *ir.Module
	Mesh   *mesh.DeviceMesh
	Exact  []bool // of each output: must both runs agree bit for bit?
	Seed   uint64
}

// Options bound what New makes.
type Options struct {
	Devices int         // at most; 8 if zero
	Ops     int         // at most; 4 if zero
	Kinds   []ir.OpKind // the kinds to choose the ops from; all if empty
}

// New returns the program of a seed. Equal seeds and options give equal
// programs.
func New(seed uint64, o Options) *Program {
	if o.Devices == 0 {
		o.Devices = 8
	}
	if o.Ops == 0 {
		o.Ops = 4
	}
	g := &generator{rng: rand.New(rand.NewPCG(seed, 0x5eed)), bound: map[*ir.Value]float64{}, kinds: o.Kinds}
	if len(g.kinds) == 0 {
		g.kinds = Kinds()
	}
	g.mesh = g.randomMesh(o.Devices)
	g.f = ir.NewFunc("main")
	g.b = ir.NewBuilder(g.f.Body)
	for range 1 + g.rng.IntN(o.Ops) {
		g.step()
	}
	return g.finish(seed)
}

// Single returns the program for one device: without mesh and layouts.
func (p *Program) Single() *ir.Module {
	m := p.Module.Clone()
	m.Meshes = nil
	f := m.Main()
	for _, p := range f.Params() {
		p.Sharding = nil
	}
	f.Walk(strip)
	for i := range f.Results {
		f.Results[i].Sharding = nil
	}
	return m
}

// strip removes the layouts from an op and the arguments of its regions, and a
// sharding constraint altogether.
func strip(op *ir.Op) {
	for _, r := range op.Results {
		r.Sharding = nil
	}
	for _, b := range op.Regions {
		for _, a := range b.Args {
			a.Sharding = nil
		}
	}
	if op.Kind == ir.OpShardingConstraint {
		op.ReplaceWith(op.Operands[0])
	}
}

// randomLayout returns a layout of a tensor of some rank: every axis, or a part
// of one, splits some dimension or none.
func (g *generator) randomLayout(rank int) *layout.Sharding {
	s := layout.Replicated(g.mesh, rank)
	if rank == 0 {
		return s
	}
	for _, i := range g.rng.Perm(len(g.mesh.Axes())) {
		a := g.mesh.Axes()[i]
		if a.Size == 1 || g.rng.IntN(4) == 0 {
			continue
		}
		for _, ref := range g.parts(a) {
			if g.rng.IntN(4) > 0 {
				d := &s.Dims[g.rng.IntN(rank)]
				d.Axes = append(d.Axes, ref)
			}
		}
	}
	for d := range s.Dims {
		s.Dims[d].Axes = g.mesh.MergeRefs(s.Dims[d].Axes)
		s.Dims[d].Open = g.rng.IntN(4) == 0
	}
	return s
}

// parts returns the axis, or now and then the two parts of it.
func (g *generator) parts(a mesh.Axis) []mesh.AxisRef {
	if a.Size%2 == 0 && a.Size > 2 && g.rng.IntN(4) == 0 {
		out := []mesh.AxisRef{mesh.SubAxisRef(a.Name, 1, 2), mesh.SubAxisRef(a.Name, 2, a.Size/2)}
		if g.rng.IntN(2) == 0 {
			out[0], out[1] = out[1], out[0]
		}
		return out
	}
	return mesh.FullAxes(a.Name)
}
