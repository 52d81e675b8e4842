package suggest

// This file searches for the changes that gain most.

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"

	"github.com/gospmd/gospmd/compile"
	"github.com/gospmd/gospmd/compile/cost"
	"github.com/gospmd/gospmd/compile/report"
	"github.com/gospmd/gospmd/ir"
	"github.com/gospmd/gospmd/ir/pass"
	"github.com/gospmd/gospmd/layout"
	"github.com/gospmd/gospmd/program"
	"github.com/gospmd/gospmd/sharding"
)

const (
	// estimateOps bounds the time: so many ops are estimated, all candidates
	// together, but minEstimates candidates at least.
	estimateOps  = 80_000
	minEstimates = 50
	// refinedOps bounds how many candidates, the best by estimate, are estimated
	// again after a search for shardings, of each kind that promising tells apart: by
	// the ops of all together, and minRefined at least, maxRefined at most; of those
	// that undo a common mistake minLikely at least.
	refinedOps                        = 8_000
	minRefined, minLikely, maxRefined = 3, 5, 16
	// exactWeight is how much longer an op takes where the program is partitioned to
	// be estimated.
	exactWeight = 3
	// compiled is how many candidates, the best by then, are compiled.
	compiled = 3
	// mendingWeight weighs the gain of a candidate that mends a conflict against those of
	// others, which may gain by a layout that nobody had in mind.
	mendingWeight = 1.5
	// shown is how many suggestions are made.
	shown = 3
	// gainful is the least gain of a suggestion.
	gainful = 0.01
)

// searcher is one run of Find.
type searcher struct {
	m       *ir.Module
	o       Options
	machine *cost.Machine
	est     *estimator
	groups  *groups
	first   *ir.Module // propagated
	before  Cost       // compiled
	base    Cost       // estimated
	ops     int        // of the program, weighed by the time that an estimate takes
	left    int        // estimates that may still be made
	tried   map[string]bool
	freed   map[*class]bool
	list    []*candidate // estimated
	done    map[string]*Suggestion
}

// gain says how much less b costs than a, as a sum of the logarithms of time,
// memory and bytes, which makes shares of each comparable. Time decides; memory
// and bytes, which time holds already, decide between programs that take about as
// long.
func gain(a, b Cost) float64 {
	share := func(x, y int) float64 { return math.Log(float64(max(1, x)) / float64(max(1, y))) }
	return share(a.Ops, b.Ops) + 0.1*share(a.Memory, b.Memory) + 0.05*share(max(a.Bytes, a.Ops/10000), max(b.Bytes, b.Ops/10000))
}

// costOf returns what a compiled program costs.
func (s *searcher) costOf(p *program.Program) Cost {
	r := report.New(p)
	ops := s.machine.Ops(p.Mesh, p.Module.Main())
	return Cost{Ops: ops, Bytes: r.Bytes, Flops: r.Flops, Memory: r.Memory.Peak, Collectives: len(r.Collectives)}
}

// estimate estimates candidates that have not been estimated, as long as there is
// time.
func (s *searcher) estimate(list []*candidate) error {
	for _, c := range list {
		key := fmt.Sprint(c.rules())
		if s.tried[key] {
			continue
		}
		s.tried[key] = true
		if s.left--; s.left < 0 {
			return nil
		}
		m, err := s.est.with(c.edits)
		if err != nil {
			continue // annotations that do not go together
		}
		if c.estimated, err = s.est.cost(m, false); err != nil {
			return err
		}
		s.list = append(s.list, c)
	}
	return nil
}

// free estimates for each class the sharding that it gets if its annotation is
// taken away.
func (s *searcher) free(list []*class) error {
	var out []*candidate
	for _, c := range list {
		if c.sharding() == nil || s.freed[c] {
			continue
		}
		if s.left--; s.left < 0 {
			break
		}
		s.freed[c] = true
		m, err := s.est.with([]edit{{c, nil}})
		if err != nil {
			continue
		}
		to := shardingIn(m.Main(), c.members[len(c.members)/2]) // first and last layers may differ
		if fits(to, c.dims()) && !to.SameLayout(c.sharding()) {
			out = append(out, &candidate{edits: []edit{{c, to}}})
		}
	}
	return s.estimate(out)
}

// shardingIn returns the sharding of t in f.
func shardingIn(f *ir.Func, t *tensor) *layout.Sharding {
	if t.role == "" {
		return f.Results[t.index].Sharding
	}
	return f.Params()[t.index].Sharding
}

// rank returns the gain of a candidate, more where it mends a conflict: others may
// gain by a layout that nobody had in mind.
func (s *searcher) rank(c *candidate, before, after Cost) float64 {
	g := gain(before, after)
	if c.mends() && g > 0 {
		g *= mendingWeight
	}
	return g
}

// sort puts the candidates of the highest rank first.
func (s *searcher) sort() {
	slices.SortStableFunc(s.list, func(a, b *candidate) int {
		return cmp.Compare(s.rank(b, s.base, b.estimated), s.rank(a, s.base, a.estimated))
	})
}

// promising returns, of the candidates that undo a common mistake, of those that
// mend conflicts otherwise and of the others, the n of each with the highest rank,
// or minLikely of the first: before a search for shardings they rank low.
func (s *searcher) promising(n int) (out []*candidate) {
	s.sort()
	count := map[[2]bool]int{}
	for _, c := range s.list {
		kind := [2]bool{c.likely, !c.likely && c.mends()}
		if count[kind]++; count[kind] <= n || c.likely && count[kind] <= minLikely {
			out = append(out, c)
		}
	}
	return out
}

// refine estimates the most promising candidates better.
func (s *searcher) refine() error {
	list := s.promising(max(minRefined, min(maxRefined, refinedOps/max(1, s.ops))))
	m, err := s.est.with(nil)
	if err != nil {
		return err
	}
	if s.base, err = s.est.cost(m, !s.o.KeepLayouts); err != nil {
		return err
	}
	s.list = nil
	for _, c := range list {
		if m, err = s.est.with(c.edits); err != nil {
			return err
		}
		if c.estimated, err = s.est.cost(m, !s.o.KeepLayouts); err != nil {
			return err
		}
		s.list = append(s.list, c)
	}
	return nil
}

// compile compiles the program with the rules of a candidate, as if they had been
// pasted.
func (s *searcher) compile(c *candidate) (*Suggestion, error) {
	key := fmt.Sprint(c.rules())
	if done := s.done[key]; done != nil {
		return done, nil
	}
	m := s.m.Clone()
	layouts := layout.NewLayoutMap(m.Meshes[0].Mesh)
	for _, r := range c.rules() {
		if err := layouts.Override(r.Key, r.Axes...); err != nil {
			return nil, err
		}
	}
	if err := sharding.Annotate(m, layouts); err != nil {
		return nil, err
	}
	p, err := compile.Compile(context.Background(), m, s.o.Options)
	if err != nil {
		return nil, fmt.Errorf("compile: the suggestion %v cannot be tried: %w", c.rules(), err)
	}
	out := newSuggestion(c, s.costOf(p))
	s.done[key] = out
	return out, nil
}

// newSearcher finds out what may be changed in m; groups is nil where there is
// nothing.
func newSearcher(m *ir.Module, o Options) (*searcher, error) {
	if o.Partitioner != compile.SPMD {
		return nil, fmt.Errorf("suggest: suggestions need to know the collectives, and XLA's partitioner adds them when the program is loaded: use compile.SPMD")
	}
	o.Debug, o.Budget = pass.Debug{}, report.Budget{}
	s := &searcher{m: m, o: o, machine: cmp.Or(o.Machine, cost.Default()), tried: map[string]bool{}, freed: map[*class]bool{}, done: map[string]*Suggestion{}}
	if len(m.Meshes) == 0 || m.Meshes[0].Mesh.Size() == 1 {
		return s, nil
	}
	prepared, err := compile.Prepare(context.Background(), m, o.Options)
	if err != nil {
		return nil, err
	}
	s.est = newEstimator(prepared, s.machine)
	s.first = prepared.Clone()
	propagated, err := s.est.propagate(s.first)
	if err != nil {
		return nil, err
	}
	prepared.Main().Walk(func(*ir.Op) { s.ops++ })
	if s.est.exact {
		s.ops *= exactWeight
	}
	s.left = max(minEstimates, estimateOps/max(1, s.ops))
	s.groups = newGroups(s.est.mesh, prepared.Main(), o.WeightsOnly, conflictsOf(propagated, s.first.Main()))
	return s, nil
}

// measure finds out what the program costs as it is: compiled, and by estimate.
func (s *searcher) measure() error {
	p, err := compile.Compile(context.Background(), s.m, s.o.Options)
	if err != nil {
		return err
	}
	if s.before = s.costOf(p); s.groups == nil {
		return nil
	}
	s.est.memory = s.before.Memory - inputBytes(s.first.Main())
	s.base, err = s.est.cost(s.first, false)
	return err
}

// step is a part of a search.
type step func() error

// mending lists what to try where propagation has found conflicts: first the
// inputs that most of them point at.
func (s *searcher) mending() []step {
	g := s.groups
	classes := conflicting(slices.Concat(g.wider, g.classes))
	most := 0
	for _, c := range classes {
		most = max(most, c.suspect)
	}
	suspects := slices.DeleteFunc(slices.Clone(classes), func(c *class) bool { return c.suspect <= most/4 })
	return []step{
		func() error { return s.estimate(g.slotsAsWeights()) },
		func() error { return s.estimate(g.asSiblings()) },
		func() error { return s.free(suspects) },
		func() error { return s.estimate(g.exchanges(suspects[:min(4, len(suspects))]...)) },
		func() error { return s.estimate(g.layouts(suspects[:min(4, len(suspects))])) },
		func() error { return s.estimate(g.exchanges(suspects...)) },
		func() error { return s.estimate(g.layouts(suspects)) },
		func() error { return s.free(classes) },
		func() error { return s.estimate(g.exchanges(classes...)) },
		func() error { return s.estimate(g.layouts(classes)) },
		func() error { return s.estimate(g.layouts(conflicting(g.single))) },
	}
}

// everything lists what to try, the most promising first.
func (s *searcher) everything() []step {
	g := s.groups
	return slices.Concat([]step{func() error { return s.estimate(g.batches()) }}, s.mending(), []step{
		func() error { return s.free(g.classes) },
		func() error { return s.estimate(g.exchanges(g.classes...)) },
		func() error { return s.estimate(g.layouts(g.classes)) },
		func() error { return s.estimate(g.layouts(g.wider)) },
		func() error { return s.estimate(g.layouts(g.single)) },
	})
}

// search makes the steps, as long as there is time, and returns the suggestions,
// the best first.
func (s *searcher) search(steps []step) ([]*Suggestion, error) {
	for _, step := range steps {
		if err := step(); err != nil {
			return nil, err
		}
	}
	if err := s.refine(); err != nil {
		return nil, err
	}
	out := []*Suggestion{}
	s.sort()
	for _, c := range s.list[:min(compiled, len(s.list))] {
		x, err := s.compile(c)
		if err != nil {
			return nil, err
		}
		if x.rank = s.rank(c, s.before, x.After); x.rank > gainful {
			out = append(out, x)
		}
	}
	slices.SortStableFunc(out, func(a, b *Suggestion) int { return cmp.Compare(b.rank, a.rank) })
	return out[:min(shown, len(out))], nil
}
