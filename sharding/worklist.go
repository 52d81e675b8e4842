package sharding

// This file runs the steps until nothing changes.

import (
	"slices"

	"github.com/gospmd/gospmd/internal/sdy"
	"github.com/gospmd/gospmd/ir"
	"github.com/gospmd/gospmd/layout"
	"github.com/gospmd/gospmd/mesh"
)

// directionOf is a function that returns the directions in which a step may propagate along a
// factor.
type directionOf func(s *step, factor int) direction

// anyDirection allows all directions.
func anyDirection(*step, int) direction { return both }

// run propagates to a fixed point by steps of the kind by, in the directions that dir allows. It
// runs the steps of the functions' results, then those of all ops in program order, then the
// results' steps again. A step that a change affects is run again; the steps are a stack, last in
// first out. Dead ops are erased from the graph when they are visited. This is the order of MLIR's
// greedy driver. The order decides which of two conflicting shardings comes first.
func (g *graph) run(by stepKind, dir directionOf) {
	g.runReturns(by)
	w := newWorklist(len(g.ops))
	for i := len(g.ops) - 1; i >= 0; i-- {
		w.push(i)
	}
	for i, ok := w.pop(); ok; i, ok = w.pop() {
		switch {
		case g.gone[i]:
		case g.needed[i] == 0 && !sdy.HasEffect(g.ops[i]):
			g.erase(g.ops[i], w)
		case g.steps[i] != nil:
			g.apply(g.steps[i], by, dir, w)
		}
	}
	g.runReturns(by)
}

func (g *graph) runReturns(by stepKind) {
	for _, s := range g.returns {
		g.apply(s, by, anyDirection, nil)
	}
}

// worklist is a stack of places. Each place is on it at most once.
type worklist struct {
	stack  []int
	listed []bool
}

func newWorklist(n int) *worklist {
	return &worklist{stack: make([]int, 0, n), listed: make([]bool, n)}
}

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

// idle records that a step, run as a certain kind and with certain directions, had nothing to do at
// some time. It has nothing to do again until one of its tensors changes.
type idle struct {
	ok    bool
	clock int
	by    stepKind
	dirs  []direction
}

// isIdle reports whether idle records that s has nothing to do, when run as this kind with these
// directions.
func (s *step) isIdle(by stepKind, dirs []direction) bool {
	if !s.idle.ok || s.idle.by != by || !slices.Equal(s.idle.dirs, dirs) {
		return false
	}
	for _, sl := range s.slots {
		if sl.changed > s.idle.clock {
			return false
		}
	}
	return true
}

// apply runs step s, as the kind by, in the directions that dir allows. It puts the steps that read
// a changed tensor on w.
func (g *graph) apply(s *step, by stepKind, dir directionOf, w *worklist) {
	dirs, some := g.dirs[:0], stay
	for f := range s.rule.Factors {
		d := stay
		if !s.rule.Factors[f].Blocked {
			d = s.allowed
			// a barrier always lets pass what its attribute says
			if s.op == nil || s.op.Kind != ir.OpPropagationBarrier {
				d &= dir(s, f)
			}
		}
		dirs = append(dirs, d)
		some |= d
	}
	g.dirs = dirs
	if some == stay || s.isIdle(by, dirs) {
		return
	}
	s.idle = idle{ok: !g.step(s, by, dirs, w), clock: g.clock, by: by, dirs: append(s.idle.dirs[:0], dirs...)}
}

// step runs s, for apply, as the kind by and with dirs, the directions of each factor. It stores
// the new shardings, counts the run in g.applied, records where the new axes came from, and puts
// the steps that read a changed tensor on w. It reports whether it has changed a tensor; it has not
// if the tensors have no common mesh.
func (g *graph) step(s *step, by stepKind, dirs []direction, w *worklist) bool {
	shardings := g.room.shardings[:0]
	for _, sl := range s.slots {
		shardings = append(shardings, sl.get())
	}
	g.room.shardings = shardings
	m := sdy.CommonMesh(shardings)
	if m == nil {
		return false
	}
	p := &g.room.projection
	p.Set(s.rule, m, shardings)
	for i, sl := range s.slots {
		p.Tensors[i].Excluded = append(p.Tensors[i].Excluded, m.AxisList(sl.excludedAxes())...)
	}
	g.room.before = appendAxes(g.room.before[:0], p)
	before := g.room.before
	g.applied++
	listed := listedMesh(m, s.slots)
	some := false
	for i, c := range factorSteps[by](p, dirs, &s.options) {
		if !c {
			continue
		}
		next := p.Unproject(i, shardings[i])
		if saysNoMore(next, shardings[i]) {
			continue // the factors cannot be converted back to dimensions
		}
		s.slots[i].note(p, i, before, s.slots, s, g)
		g.set(s.slots[i], next, listed, w, s)
		some = true
	}
	return some
}

// listedMesh returns the mesh in the program's text of the first slot whose mesh is m: a program
// may list equal meshes, and m stands for all of them. If no slot has such a mesh, it returns m.
func listedMesh(m *mesh.DeviceMesh, slots []*slot) *mesh.DeviceMesh {
	for _, sl := range slots {
		if sl.sharding != nil && sl.sharding.Mesh == m && sl.listed != nil {
			return sl.listed
		}
	}
	return m
}

// set gives the tensor of slot sl, and all tensors of its sharding group, the sharding s, in the
// form in which the step sees it. listed is the mesh in the program's text that is equal to the
// mesh of s. set puts the steps that read one of these tensors on w, which may be nil, except self.
func (g *graph) set(sl *slot, s *layout.Sharding, listed *mesh.DeviceMesh, w *worklist, self *step) {
	sl.put(s, listed)
	g.tick(sl.tensor)
	g.openOthers(sl.tensor)
	sl.dependents().touch(w, self)
	if sl.group == nil {
		return
	}
	for _, t := range *sl.group {
		if t != sl.tensor {
			t.sharding, t.listed = sl.sharding, sl.listed
			g.tick(t)
			g.openOthers(t)
			t.incoming = append(t.incoming, propagationEdge{dim: allDims, from: sl.tensor, step: g.applied, round: g.round})
			t.touch(w, self)
		}
	}
}

// openOthers does nothing unless propagation copies Shardy (Options.Bare). Then it gives the other
// results of the op that makes t, those without a sharding, an open one on the mesh of t. In Shardy
// one attribute holds the shardings of all results, so that from then on no sharding on another
// mesh can reach them.
func (g *graph) openOthers(t *tensor) {
	if !g.bare || t.value == nil || t.value.Def() == nil || len(t.value.Def().Results) == 1 {
		return
	}
	for _, r := range t.value.Def().Results {
		if o := g.byValue[r]; o != nil && o.sharding == nil {
			o.sharding, o.listed = layout.OpenSharding(t.sharding.Mesh, o.typ.Rank()), t.listed
			g.tick(o)
		}
	}
}

// tick records that t has changed.
func (g *graph) tick(t *tensor) {
	g.clock++
	t.changed = g.clock
}

// touch puts the steps that read a tensor on w, except self. It pushes the last one in program
// order first, so that this one runs last. A nil w is ignored.
func (r *readers) touch(w *worklist, self *step) {
	if w == nil {
		return
	}
	if r.def != nil && r.def != self {
		w.push(r.def.place)
	}
	for _, s := range slices.Backward(r.steps) {
		if s != self {
			w.push(s.place)
		}
	}
}

// saysNoMore reports whether next shards no dimension in another way than old. If old is nil, it
// reports whether next has no axes.
func saysNoMore(next, old *layout.Sharding) bool {
	if old != nil {
		return old.Mesh == next.Mesh && next.SameLayout(old)
	}
	return !slices.ContainsFunc(next.Dims, func(d layout.DimSharding) bool { return len(d.Axes) > 0 })
}

// erase removes op, which is dead, and the ops of its regions from the graph, with their uses of
// values. It puts the ops that make their operands on w, unless two or more other ops still use
// these. This imitates MLIR's driver, which runs Shardy's propagation: it erases an op without uses
// when it visits it, so an op whose users are all dead stays until these were visited.
func (g *graph) erase(op *ir.Op, w *worklist) {
	for _, r := range op.Regions {
		for inner := range r.Backward() {
			g.erase(inner, w)
		}
	}
	g.gone[g.place[op]] = true
	for _, v := range op.Operands {
		if def := v.Def(); def != nil && g.otherUsers(v, op) < 2 {
			w.push(g.place[def])
		}
	}
	for _, v := range op.Operands {
		g.uses[v]--
		if def := v.Def(); def != nil {
			g.needed[g.place[def]]--
		}
	}
}

// otherUsers returns the number of ops, other than op, that use v and are not removed.
func (g *graph) otherUsers(v *ir.Value, op *ir.Op) int {
	if g.users == nil {
		g.users = make(map[*ir.Value][]*ir.Op)
		for _, user := range g.ops {
			for _, o := range user.Operands {
				if list := g.users[o]; len(list) == 0 || list[len(list)-1] != user {
					g.users[o] = append(list, user)
				}
			}
		}
	}
	n := 0
	for _, user := range g.users[v] {
		if user != op && !g.gone[g.place[user]] {
			n++
		}
	}
	return n
}
