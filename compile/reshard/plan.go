package reshard

// This file answers the question that the package is for.

import (
	"fmt"
	"slices"

	"github.com/gospmd/gospmd/layout"
	"github.com/gospmd/gospmd/mesh"
)

// tolerance is how far from the least bytes that are thinkable a plan on a
// large mesh may be without a search for a better one: one part in so many.
const tolerance = 16

// Plan returns the cheapest way to turn a tensor that lies as from says into
// one that lies as to says: the fewest bytes and, of those, the fewest steps.
// An empty plan means that every device holds what it needs.
//
// On a mesh whose axes make more than 5 parts of prime size, as 64 devices do,
// the search is bounded, and a plan may cost more than the cheapest.
func Plan(from, to *layout.Sharding, t Tensor) (Steps, error) {
	way, err := find(from, to, t)
	if err != nil {
		return nil, err
	}
	return way.steps(t), nil
}

// find is Plan that returns the path.
func find(from, to *layout.Sharding, t Tensor) (answer, error) {
	if err := check(from, to, t); err != nil {
		return answer{}, err
	}
	used := usedRefs(from, to)
	limit := liveFactor * (held(from, t) + held(to, t))
	fine := primeAtoms(from.Mesh, used)
	var best answer
	// What lies whole along an axis can be summed in parts.
	if coarse, ok := coarseAtoms(from.Mesh, used, len(from.Unreduced) > 0); ok {
		best = newProblem(coarse, from, to, t, limit).solve(to, best)
		gap := best.cost.sent - best.least
		if best.found && (gap <= 0 || len(fine.sizes) > smallAtoms && gap <= best.least/tolerance) {
			return best, nil
		}
	}
	best = newProblem(fine, from, to, t, limit).solve(to, best)
	if !best.found {
		return answer{}, fmt.Errorf("reshard: BUG: no plan from %s to %s for %s", from, to, t)
	}
	return best, nil
}

// answer is what a search found.
type answer struct {
	problem *problem
	path    []hop
	cost    cost
	found   bool
	least   int // no way sends less
}

// solve searches for the cheapest path, and returns known where there is none
// cheaper than that. Only where nothing is known it may resort to an Exchange.
func (p *problem) solve(to *layout.Sharding, known answer) answer {
	least := p.bounds(to)
	if out, ok := p.direct(least.from(p.from)); ok {
		return out
	}
	bound := cost{int(^uint(0) >> 2), 0}
	if known.found {
		bound = known.cost
	}
	graph := newShapeGraph(p.shapes)
	permuting, distances := graph.search(p.shapesOf(p.variants(p.from)), p.shapesOf(p.variants(p.to)), bound)
	if permuting != nil {
		bound = permuting.cost
	}
	distance := func(s state) (cost, bool) {
		if p.atoms.mixed || p.layouts.resort {
			return cost{}, true // the shapes do not know all moves
		}
		id, ok := graph.ids[p.shapeOf(s).key()]
		if !ok {
			return cost{}, false
		}
		c, ok := distances[id]
		return c, ok
	}
	path, total, ok := p.search(bound, distance, least)
	if !ok && permuting == nil && !known.found {
		p.layouts.resort = true
		path, total, ok = p.search(bound, distance, least)
	}
	switch {
	case ok:
	case permuting != nil:
		path, total = p.realize(permuting), bound
	default:
		return known
	}
	return answer{p, path, total, true, least.from(p.from)}
}

// direct returns the single move that leads to the goal, if there is one that
// sends no more than it must.
func (p *problem) direct(least int) (out answer, ok bool) {
	if p.from.key() == p.to.key() {
		return answer{problem: p, found: true}, true
	}
	w := p.layouts.start(p.from)
	goal := p.to.key()
	try := func(m move) {
		w.reset(p.from)
		if w.run(p.from, m); !ok && w.cost.sent <= least && w.live <= p.layouts.limit && p.from.apply(m).key() == goal {
			out, ok = answer{p, []hop{{p.from, m}}, w.cost, true, least}, true
		}
	}
	p.layouts.moves(p.from, try)
	if p.shapeOf(p.from).key() == p.shapeOf(p.to).key() {
		try(move{Permute, -1, -1, goal})
	}
	return out, ok
}

// shapesOf returns the shapes of layouts.
func (p *problem) shapesOf(list []state) []state {
	out := make([]state, len(list))
	for i, s := range list {
		out[i] = p.shapeOf(s)
	}
	return out
}

// steps returns the steps of the path that was found, for a tensor of which it
// is the way.
func (a answer) steps(t Tensor) Steps {
	sp := *a.problem.layouts
	sp.tensor = t
	w := sp.start(a.problem.from)
	w.record = &recorder{atoms: a.problem.atoms}
	for _, h := range a.path {
		w.run(h.from, h.move)
	}
	return join(w.record.atoms, w.record.steps)
}

// join makes one step of two that split the same dimension further.
func join(a *atoms, steps Steps) Steps {
	var out Steps
	for _, s := range steps {
		if n := len(out) - 1; n >= 0 && out[n].Kind == s.Kind && out[n].Dim == s.Dim && (s.Kind == Slice || s.Kind == ReduceScatter) {
			last := &out[n]
			last.Axes = a.mesh.MergeRefs(subAxes(a, slices.Concat(last.Axes, s.Axes)))
			for i, r := range last.Axes {
				last.Axes[i] = whole(a.mesh, r)
			}
			last.After = s.After
			last.Bytes += s.Bytes
			last.Live = max(last.Live, s.Live)
			continue
		}
		out = append(out, s)
	}
	return out
}

// held returns the bytes of one device's shard.
func held(s *layout.Sharding, t Tensor) int {
	n := t.ElemSize
	for _, d := range s.LocalShape(t.Dims) {
		n *= d
	}
	return n
}

// check returns what is wrong with a question.
func check(from, to *layout.Sharding, t Tensor) error {
	if from == nil || to == nil {
		return fmt.Errorf("reshard: from %s to %s: want a sharding on both sides, such as layout.Replicated", from, to)
	}
	if !from.Mesh.Equal(to.Mesh) {
		return fmt.Errorf("reshard: from the mesh %s to the mesh %s: want one mesh", from.Mesh, to.Mesh)
	}
	for _, s := range []*layout.Sharding{from, to} {
		if err := s.Validate(len(t.Dims)); err != nil {
			return fmt.Errorf("reshard: %w", err)
		}
	}
	if t.ElemSize < 1 {
		return fmt.Errorf("reshard: elements have %d bytes, want at least 1", t.ElemSize)
	}
	if i := slices.IndexFunc(t.Dims, func(d int) bool { return d < 0 }); i >= 0 {
		return fmt.Errorf("reshard: dim %d has size %d, want at least 0", i, t.Dims[i])
	}
	return nil
}

// subAxes returns axes in the form of sub-axes, which can be joined.
func subAxes(a *atoms, axes []mesh.AxisRef) []mesh.AxisRef {
	out := make([]mesh.AxisRef, len(axes))
	for i, r := range axes {
		out[i] = part(a.mesh, r)
	}
	return out
}
