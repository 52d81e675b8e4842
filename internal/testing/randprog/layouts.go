package randprog

// This file makes random meshes, and random layouts of arguments, results and other values.

import (
	"cmp"
	"math/rand/v2"

	"github.com/gospmd/gospmd/ir"
	"github.com/gospmd/gospmd/layout"
	"github.com/gospmd/gospmd/mesh"
)

// Place gives m, a module for one device, a random mesh of at most o.Devices devices (0: 8), and
// random layouts to its arguments, its results and some of its other values, and states sharding
// rules. It changes m, and returns it as a Program, in which no result counts as exact.
func Place(m *ir.Module, seed uint64, o Options) *Program {
	g := &generator{rng: rand.New(rand.NewPCG(seed, 0x91ace)), f: m.Main()}
	g.mesh = g.randomMesh(cmp.Or(o.Devices, 8))
	m.AddMesh("mesh", g.mesh)
	for _, v := range g.f.Params() {
		g.shardParam(v)
	}
	g.constrainSome()
	g.shardResults()
	g.stateRules()
	return &Program{Module: m, Mesh: g.mesh, Exact: make([]bool, len(g.f.Results)), Seed: seed}
}

// The sizes of axes are chosen from these lists. Programs that are only propagated need no devices,
// and so may have large meshes.
var (
	axisSizes      = []int{1, 2, 2, 3, 4, 5, 6, 7, 8}
	looseAxisSizes = []int{1, 2, 2, 2, 3, 4, 4, 5, 6, 7, 8, 8, 12}
)

// randomMesh returns a random mesh of 2 to n devices, with at most three axes named x, y and z. The
// devices of some meshes are in random order.
func (g *generator) randomMesh(n int) *mesh.DeviceMesh {
	for {
		var shape []int
		var names []string
		size := 1
		for range 1 + g.rng.IntN(3) {
			s := pick(g, axisSizes)
			if g.loose != nil {
				s = pick(g, looseAxisSizes)
			}
			shape, names = append(shape, s), append(names, string("xyz"[len(names)]))
			size *= s
		}
		if size < 2 || size > n {
			continue
		}
		var ids []int
		if g.rng.IntN(4) == 0 && size <= 64 {
			ids = g.rng.Perm(size)
		}
		m, err := mesh.New(shape, names, ids)
		if err != nil {
			panic("BUG: " + err.Error())
		}
		return m
	}
}

// randomLayout returns a layout of a tensor of the given rank. Each axis, or a part of it, shards
// one dimension or none.
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

// parts returns the axis, or sometimes its two or three sub-axes, in any order.
func (g *generator) parts(a mesh.Axis) []mesh.AxisRef {
	if g.rng.IntN(4) > 0 {
		return mesh.FullAxes(a.Name)
	}
	var out []mesh.AxisRef
	for pre, rest := 1, a.Size; rest > 1; {
		n := rest
		for d := 2; d < rest; d++ {
			if rest%d == 0 && g.rng.IntN(2) == 0 {
				n = d
				break
			}
		}
		out = append(out, mesh.SubAxisRef(a.Name, pre, n))
		pre, rest = pre*n, rest/n
	}
	if len(out) == 1 {
		return mesh.FullAxes(a.Name)
	}
	g.rng.Shuffle(len(out), func(i, j int) { out[i], out[j] = out[j], out[i] })
	return out
}

// shardParam gives the parameter v a random layout, or sometimes none.
func (g *generator) shardParam(v *ir.Value) {
	if g.loose != nil {
		v.Sharding = g.sometimes(2, v.Type.Rank())
		return
	}
	if g.rng.IntN(5) > 0 {
		v.Sharding = g.randomLayout(v.Type.Rank())
	}
}

// shardResults gives about two thirds of the function's results a random layout; in programs for
// propagation, a fifth.
func (g *generator) shardResults() {
	for i, v := range g.f.Body.Terminator().Operands {
		if g.loose != nil {
			g.f.Results[i].Sharding = g.sometimes(5, v.Type.Rank())
			continue
		}
		if g.rng.IntN(3) > 0 {
			g.f.Results[i].Sharding = g.randomLayout(v.Type.Rank())
		}
	}
}

// constrained builds, with b, a sharding_constraint of v to a random layout, and returns it.
func (g *generator) constrained(b *ir.Builder, v *ir.Value) *ir.Op {
	return b.OpWithTypes(ir.OpShardingConstraint, ir.Attrs{{Name: "sharding", Value: ir.ShardingAttr{Sharding: g.randomLayout(v.Type.Rank())}}}, []ir.Type{v.Type}, v)
}

// constrainSome chooses about one of eight results of ops, also in loops and branches, and inserts
// a sharding constraint to a random layout after each.
func (g *generator) constrainSome() {
	var found []*ir.Value
	g.f.Walk(func(op *ir.Op) {
		for _, r := range op.Results {
			if r.Type.Rank() > 0 && !r.Type.IsToken() && g.rng.IntN(8) == 0 {
				found = append(found, r)
			}
		}
	})
	for _, v := range found {
		b := &ir.Builder{}
		c := g.constrained(b.After(v.Def()), v)
		v.ReplaceUsesIf(c.Result(), func(u ir.Use) bool { return u.Op != c })
	}
}
