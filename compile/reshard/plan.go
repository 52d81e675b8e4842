package reshard

// This file plans. It tries plans of one step, plans with coarse sub-axes, with shapes and with
// prime sub-axes, in this order. Planner keeps plans.

import (
	"fmt"
	"slices"
	"strings"

	"github.com/gospmd/gospmd/layout"
	"github.com/gospmd/gospmd/mesh"
)

// On a large mesh, a plan near the lower bound is taken without searching for a better one. It may
// send more than the bound by one part in tolerance, or by launchBytes for each device: the cost of
// one collective's latency in package cost.
const (
	tolerance   = 16
	launchBytes = 4096
)

// Plan returns the cheapest steps that bring a tensor from one sharding to the other: those that
// send the fewest bytes and, among these, the fewest steps. An empty plan means that every device
// already holds what it needs.
//
// If the axes of the mesh have more than 5 prime sub-axes, as those of 64 devices have, the search
// is limited, and a plan may cost more than the cheapest. If the search then finds no plan, Plan
// returns one that may also need more memory. Shardings that are nil, are on different meshes or do
// not fit the tensor, an element size below 1 and negative dimensions are errors.
func Plan(from, to *layout.Sharding, t Tensor) (Steps, error) {
	if err := check(from, to, t); err != nil {
		return nil, err
	}
	s, err := solve(from, to, t, "")
	if err != nil {
		return nil, err
	}
	return s.steps(t), nil
}

// Planner plans as the function Plan does. If the number of devices divides every dimension, it
// keeps the plan for other such tensors: sizes only scale the bytes that each path sends and holds,
// so the cheapest path is the same for all of them.
//
// It identifies a sharding by its address, so a sharding that was passed to it must not change. The
// zero Planner is ready to use.
type Planner struct {
	// Serial is the name of an axis that plans use only for tensors whose shardings use it; "" is
	// none. A device computes its positions one after the other (cost.Machine.Steps): a part of a
	// tensor for each of them would take all positions at once. Set it before the first plan.
	Serial string

	paths map[endpoints]solution
	valid map[validated]bool
}

// validated identifies a sharding that is valid for tensors of the rank.
type validated struct {
	sharding *layout.Sharding
	rank     int
}

// endpoints are the two shardings of a path.
type endpoints struct{ from, to *layout.Sharding }

// Plan returns the cheapest steps between the shardings from and to, as the function Plan does,
// with the same errors. If the number of devices divides all dimensions, it keeps the solution for
// later tensors of other such sizes.
func (p *Planner) Plan(from, to *layout.Sharding, t Tensor) (Steps, error) {
	if err := p.check(from, to, t); err != nil {
		return nil, err
	}
	if slices.ContainsFunc(t.Dims, func(d int) bool { return d == 0 || d%from.Mesh.Size() != 0 }) {
		path, err := solve(from, to, t, p.Serial)
		if err != nil {
			return nil, err
		}
		return path.steps(t), nil
	}
	key := endpoints{from, to}
	path, ok := p.paths[key]
	if !ok {
		var err error
		if path, err = solve(from, to, t, p.Serial); err != nil {
			return nil, err
		}
		if p.paths == nil {
			p.paths = map[endpoints]solution{}
		}
		p.paths[key] = path
	}
	return path.steps(t), nil
}

// check returns the error that the function check returns, but it does not check valid shardings
// again: p remembers them.
func (p *Planner) check(from, to *layout.Sharding, t Tensor) error {
	a, b := validated{from, len(t.Dims)}, validated{to, len(t.Dims)}
	if p.valid[a] && p.valid[b] && from.Mesh == to.Mesh {
		return t.check()
	}
	if err := check(from, to, t); err != nil {
		return err
	}
	if p.valid == nil {
		p.valid = map[validated]bool{}
	}
	p.valid[a], p.valid[b] = true, true
	return nil
}

// solve finds the cheapest path between the shardings, as Plan does, for arguments that check has
// accepted. It searches with more and more sub-axes until the path sends no more than the lower
// bound, or little more on large meshes. serial is that of the Planner. An error is
// a bug: there always is a path.
func solve(from, to *layout.Sharding, t Tensor, serial string) (solution, error) {
	used := usedAxes(from, to)
	limit := liveFactor * (heldBytes(from, t) + heldBytes(to, t))
	large := isLarge(from.Mesh)
	var best solution
	// Unused axes can still serve to reduce in parts, if there are few of them.
	all := len(from.Unreduced) > 0 && len(from.Mesh.Axes()) <= fewParts
	if coarse, ok := coarseSubAxes(from.Mesh, used, serial, all); ok {
		best = newProblem(coarse, from, to, t, limit).solve(to, best)
		gap := best.cost.sent - best.least
		if best.found && (gap <= 0 || large && gap <= max(best.least/tolerance, launchBytes*from.Mesh.Size())) {
			return best, nil
		}
	}
	if few, ok := fewSubAxes(from, to, t.Dims, serial, all); large && ok {
		best = newProblem(few, from, to, t, limit).solve(to, best)
	}
	if !large || !best.found {
		p := newProblem(primeSubAxes(from.Mesh, used, serial), from, to, t, limit)
		p.shardings.maxVisited = manyVisited
		if large {
			p.shardings.maxVisited = someVisited
		}
		p.shapes.maxVisited = p.shardings.maxVisited
		if best = p.solve(to, best); large && !best.found {
			best = p.detour(best.least)
		}
	}
	if !best.found {
		return solution{}, fmt.Errorf("reshard: BUG: no plan from %s to %s for %s", from, to, t)
	}
	return best, nil
}

// solution is the path that a search found.
type solution struct {
	problem *problem
	path    []pathStep
	cost    cost
	found   bool
	least   int // a lower bound of the bytes that any plan sends
}

// solve searches for the cheapest path from p.from to p.to, the state of the sharding to, and
// returns known if there is none that is cheaper. A single move that sends no more than the lower
// bound ends the search. It uses a NeighbourGather only if no path is known; found is false if
// there is none then, too.
func (p *problem) solve(to *layout.Sharding, known solution) solution {
	least := p.lowerBound(to)
	if out, ok := p.directMove(least.boundFrom(p.from)); ok {
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
		if p.subAxes.mixed || p.shardings.lastResort {
			return cost{}, true // some moves do not exist for shapes
		}
		id, ok := graph.ids[p.shapeOf(s)]
		if !ok {
			return cost{}, false
		}
		return distances[id], distances[id] != noCost
	}
	path, total, ok := p.search(bound, distance, least)
	if !ok && permuting == nil && !known.found {
		p.shardings.lastResort = true
		path, total, ok = p.search(bound, distance, least)
	}
	switch {
	case ok:
	case permuting != nil:
		path, total = p.realize(permuting), bound
	default:
		return known
	}
	return solution{p, path, total, true, least.boundFrom(p.from)}
}

// directMove returns the single move to the goal, if there is one that sends no more than least,
// the lower bound, and keeps the limit of memory; otherwise ok is false. Without a difference the
// solution has no move.
func (p *problem) directMove(least int) (out solution, ok bool) {
	if p.from == p.to {
		return solution{problem: p, found: true}, true
	}
	w := p.shardings.start(p.from)
	try := func(m move) {
		w.reset(p.from)
		if w.run(p.from, m); !ok && w.cost.sent <= least && w.live <= p.shardings.limit && p.from.apply(m) == p.to {
			out, ok = solution{p, []pathStep{{p.from, m}}, w.cost, true, least}, true
		}
	}
	p.shardings.moves(p.from, try)
	if p.shapeOf(p.from) == p.shapeOf(p.to) {
		try(move{Permute, -1, -1, string(p.to)})
	}
	return out, ok
}

// detour returns a plan that always exists, but ignores the limit of memory. It reduces, gathers
// the dimensions that the goal shards differently, and slices. least is the lower bound that the
// solution states.
func (p *problem) detour(least int) solution {
	s, w := p.from, p.shardings.start(p.from)
	var path []pathStep
	add := func(kind Kind, d int, ids string) {
		if ids != "" {
			m := move{kind, int8(d), -1, ids}
			path = append(path, pathStep{s, m})
			w.run(s, m)
			s = s.apply(m)
		}
	}
	add(AllReduce, -1, p.shardings.summableAxes(s))
	for d := range s.rank() {
		n, list, goal := 0, s.list(d), p.to.list(d)
		for n < min(len(list), len(goal)) && list[n] == goal[n] {
			n++
		}
		add(AllGather, d, list[n:])
	}
	for d := range s.rank() {
		add(Slice, d, strings.TrimPrefix(p.to.list(d), s.list(d)))
	}
	add(ReplicatedToUnreduced, -1, withoutIDs(p.to.unreducedAxes(), s.unreducedAxes()))
	return solution{p, path, w.cost, true, least}
}

// steps returns the steps of the path for tensor t. The path must be the cheapest one for t.
func (a solution) steps(t Tensor) Steps {
	sp := *a.problem.shardings
	sp.tensor = t
	w := sp.start(a.problem.from)
	w.record = &recorder{subAxes: a.problem.subAxes}
	for _, h := range a.path {
		w.run(h.from, h.move)
	}
	return mergeSteps(a.problem.subAxes.mesh, w.record.steps)
}

// mergeSteps returns the steps with neighbouring slices of one dimension as one, and likewise
// neighbouring reduce-scatters of one dimension. Their axes on m are joined and their bytes added.
func mergeSteps(m *mesh.DeviceMesh, steps Steps) Steps {
	var out Steps
	for _, s := range steps {
		if n := len(out) - 1; n >= 0 && out[n].Kind == s.Kind && out[n].Dim == s.Dim && (s.Kind == Slice || s.Kind == ReduceScatter) {
			last := &out[n]
			last.Axes = m.Refs(m.AxisList(last.Axes).AppendMerged(m.AxisList(s.Axes)...))
			last.After = s.After
			last.Bytes += s.Bytes
			last.Live = max(last.Live, s.Live)
			continue
		}
		out = append(out, s)
	}
	return out
}

// heldBytes returns the bytes of one device's shard of t in the sharding s.
func heldBytes(s *layout.Sharding, t Tensor) int {
	n := t.ElemSize
	for _, d := range s.LocalShape(t.Dims) {
		n *= d
	}
	return n
}

// check returns an error if the arguments of Plan are wrong: a nil sharding, shardings on different
// meshes, one that is not valid for the rank of t, and what Tensor.check refuses.
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
	return t.check()
}

// check returns an error if t has an element size below 1, or a negative dimension.
func (t Tensor) check() error {
	if t.ElemSize < 1 {
		return fmt.Errorf("reshard: elements have %d bytes, want at least 1", t.ElemSize)
	}
	if i := slices.IndexFunc(t.Dims, func(d int) bool { return d < 0 }); i >= 0 {
		return fmt.Errorf("reshard: dim %d has size %d, want at least 0", i, t.Dims[i])
	}
	return nil
}
