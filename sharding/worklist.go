package sharding

// This file drives the steps until nothing changes.

import (
	"slices"

	"github.com/gospmd/gospmd/ir"
	"github.com/gospmd/gospmd/layout"
	"github.com/gospmd/gospmd/mesh"
)

// directionOf says which way a step may pass shardings along a factor.
type directionOf func(s *step, factor int) direction

// anyDirection lets everything pass.
func anyDirection(*step, int) direction { return both }

// run propagates to a fixed point: the functions' results, then all steps in
// program order, those that a change touches again, last in first out, and the
// functions' results once more. The order is that of MLIR's greedy driver: it
// decides who comes first where two shardings conflict.
func (g *graph) run(step factorStep, dir directionOf) {
	g.runReturns(step)
	w := newWorklist(len(g.steps))
	for i := len(g.steps) - 1; i >= 0; i-- {
		w.push(i)
	}
	first := 0 // all steps before this one have had their first turn
	for i, ok := w.pop(); ok; i, ok = w.pop() {
		s := g.steps[i]
		if i >= first {
			first = i + 1
			g.dead.visit(g.place[s.op], g.uses)
		}
		if !g.dead.gone[s.op] {
			g.apply(s, i, step, dir, w)
		}
	}
	g.dead.visit(len(g.place), g.uses)
	g.runReturns(step)
}

func (g *graph) runReturns(step factorStep) {
	for _, s := range g.returns {
		g.apply(s, -1, step, anyDirection, nil)
	}
}

// worklist is a stack of steps in which each stands at most once.
type worklist struct {
	stack  []int
	listed []bool
}

func newWorklist(n int) *worklist { return &worklist{listed: make([]bool, n)} }

func (w *worklist) push(i int) {
	if !w.listed[i] {
		w.listed[i] = true
		w.stack = append(w.stack, i)
	}
}

func (w *worklist) pop() (i int, ok bool) {
	if len(w.stack) == 0 {
		return 0, false
	}
	i = w.stack[len(w.stack)-1]
	w.stack = w.stack[:len(w.stack)-1]
	w.listed[i] = false
	return i, true
}

// apply runs one step and puts the steps that its changes touch on w.
func (g *graph) apply(s *step, self int, run factorStep, dir directionOf, w *worklist) {
	slots := make([]*slot, 0, len(s.operands)+len(s.results))
	slots = append(append(slots, s.operands...), s.results...)
	shardings := make([]*layout.Sharding, len(slots))
	for i, sl := range slots {
		shardings[i] = sl.get()
	}
	m := commonMesh(shardings)
	if m == nil {
		return
	}
	dirs := make([]direction, len(s.rule.Factors))
	some := stay
	for f := range dirs {
		if !s.rule.Factors[f].Blocked {
			dirs[f] = s.allowed
			if s.op == nil || s.op.Kind != ir.OpPropagationBarrier { // which lets pass what it says, always
				dirs[f] &= dir(s, f)
			}
			some |= dirs[f]
		}
	}
	if some == stay {
		return
	}
	p := project(s.rule, m, shardings)
	for i, sl := range slots {
		p.tensors[i].excluded = append(p.tensors[i].excluded, toAxes(m, sl.taken())...)
	}
	before := p.axesOfAll()
	g.applied++
	changed := run(p, dirs, &s.options)
	for i, c := range changed {
		if !c {
			continue
		}
		next := p.unproject(i, shardings[i])
		if saysNoMore(next, shardings[i]) {
			continue // the factors could not be put together again
		}
		slots[i].note(p, i, before, slots, s, g)
		g.set(slots[i], next, w, self)
	}
}

// set gives a tensor, and its group, a new sharding.
func (g *graph) set(sl *slot, s *layout.Sharding, w *worklist, self int) {
	sl.put(s)
	sl.heard().touch(w, self)
	if sl.group == nil {
		return
	}
	for _, t := range *sl.group {
		if t != sl.tensor {
			t.sharding = sl.sharding
			t.hops = append(t.hops, hop{dim: wholeTensor, from: sl.tensor, step: g.applied, turn: g.turn})
			t.touch(w, self)
		}
	}
}

// touch puts the steps on w; the last in program order is pushed first
// and so runs last.
func (r *readers) touch(w *worklist, self int) {
	if w == nil {
		return
	}
	if r.def >= 0 && r.def != self {
		w.push(r.def)
	}
	for i := len(r.steps) - 1; i >= 0; i-- {
		if r.steps[i] != self {
			w.push(r.steps[i])
		}
	}
}

// commonMesh returns the mesh that all shardings are on, or nil when there is
// none to propagate on: nothing is sharded, meshes differ, or a value lies on
// a single device. The mesh without axes goes with any other.
func commonMesh(shardings []*layout.Sharding) *mesh.DeviceMesh {
	var m *mesh.DeviceMesh
	for _, s := range shardings {
		if s == nil {
			continue
		}
		if isMaximal(s) {
			return nil
		}
		if len(s.Mesh.Axes()) == 0 {
			continue
		}
		if m != nil && m != s.Mesh {
			return nil
		}
		m = s.Mesh
	}
	return m
}

// saysNoMore reports whether next has no axes that old lacks.
func saysNoMore(next, old *layout.Sharding) bool {
	if old != nil && old.Mesh == next.Mesh {
		return next.SameLayout(old)
	}
	return !slices.ContainsFunc(next.Dims, func(d layout.DimSharding) bool { return len(d.Axes) > 0 })
}
