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
	// estimateOps limits the time: it is the number of ops in all estimates together. At least
	// minEstimates candidates are estimated. Mends get the share mendingShare of the estimates.
	estimateOps  = 80_000
	minEstimates = 50
	mendingShare = 0.7
	// refinedOps limits the estimates after a search for shardings: it is the number of ops of all
	// of them together, for each kind of candidates in promising. At least minRefined and at most
	// maxRefined candidates of a kind are estimated again, and at least minLikely candidates that
	// undo a common mistake.
	refinedOps                        = 8_000
	minRefined, minLikely, maxRefined = 3, 5, 16
	// joined is the number of mends, the best ones, that are tried together.
	joined = 6
	// exactWeight is how much longer an estimate takes for each op if the program must be
	// partitioned.
	exactWeight = 3
	// compiled is the number of candidates, the best ones, that are compiled: of mends, and of
	// others.
	compiled = 3
	// mendingWeight multiplies the gain of candidates that mend a conflict. Other candidates may
	// gain by a layout that was never intended.
	mendingWeight = 1.5
	// shown is the largest number of suggestions.
	shown = 3
	// doubtful is the loss, by estimates, of a candidate that may yet gain when compiled.
	doubtful = 0.1
	// gainful is the least gain that a suggestion must have.
	gainful = 0.01
)

// searcher is the state of one run of Find or Lint.
type searcher struct {
	m       *ir.Module
	o       Options
	machine *cost.Machine
	est     *estimator
	groups  *groups
	first   *ir.Module // after propagation
	before  Cost       // cost of the unchanged program, compiled
	base    Cost       // the same, estimated
	refined Cost       // cost of the unchanged program, estimated after a search for shardings
	ops     int        // ops of the program, weighted by the time that an estimate takes
	left    int        // number of estimates that may still be made
	tried   map[string]bool
	freed   map[*class]bool
	list    []*candidate // the candidates that were estimated
	done    map[string]*Suggestion
}

// gain returns how much less b costs than a; it is negative if b costs more. It is a sum of the
// logarithms of time, memory and bytes, so that relative gains are comparable. Time has the largest
// weight. Memory and bytes have small weights, so they decide only between programs that take about
// the same time, which already includes the time for bytes. If memoryFirst is true, the memory of
// inputs counts half as much as time: the mistake to mend is a waste of that memory.
func gain(a, b Cost, memoryFirst bool) float64 {
	share := func(x, y int) float64 { return math.Log(float64(max(1, x)) / float64(max(1, y))) }
	g := math.Log(a.time()/b.time()) + 0.05*share(a.Memory, b.Memory) + 0.05*share(max(a.Bytes, a.Ops/10000), max(b.Bytes, b.Ops/10000))
	if memoryFirst {
		g += 0.5 * share(a.Memory, a.Memory-a.inputs+b.inputs)
	}
	return g
}

// costOf returns what one run of the compiled program p costs a device of the searcher's machine.
// Seconds is 0 if the machine's bandwidth of memory is not known. Without a machine in the options,
// memory is that of p's target.
func (s *searcher) costOf(p *program.Program) Cost {
	r := report.NewFor(p, s.o.Machine)
	ops := s.machine.Ops(p.Mesh, p.Module.Main())
	c := Cost{Ops: ops, Bytes: r.Bytes, Flops: r.Flops, Memory: r.Memory.Peak, Collectives: len(r.Collectives)}
	if s.machine.MemoryBandwidth > 0 {
		c.Seconds = s.machine.Seconds(p.Mesh, p.Module.Main())
	}
	return c
}

// estimate computes the costs of the candidates in list that were not tried before, and adds them
// to s.list, but not those whose annotations contradict each other. It ends when no estimates are
// left (s.left), or with the first error of the estimator's cost.
func (s *searcher) estimate(list []*candidate) error {
	for _, c := range list {
		key := c.key()
		if s.tried[key] {
			continue
		}
		s.tried[key] = true
		if s.left--; s.left < 0 {
			return nil
		}
		m, err := s.est.moduleWith(c.edits)
		if err != nil {
			continue // its annotations contradict each other
		}
		if c.estimated, err = s.est.cost(m, false); err != nil {
			return err
		}
		s.list = append(s.list, c)
	}
	return nil
}

// estimateFree estimates, for each class in list that has an annotation, the sharding that the
// class gets without it. It does so once for each class, and takes one of the estimates that are
// left for finding the sharding. It returns the error of estimate.
func (s *searcher) estimateFree(list []*class) error {
	var out []*candidate
	for _, c := range list {
		if c.sharding() == nil || s.freed[c] {
			continue
		}
		if s.left--; s.left < 0 {
			break
		}
		s.freed[c] = true
		m, err := s.est.moduleWith([]edit{{c, nil}})
		if err != nil {
			continue
		}
		to := shardingIn(m.Main(), c.members[len(c.members)/2]) // not the first layer, nor the last: these may differ
		if fits(to, c.dims()) && !to.SameLayout(c.sharding()) {
			out = append(out, &candidate{edits: []edit{{c, to}}})
		}
	}
	return s.estimate(out)
}

// shardingIn returns the sharding that t has in f.
func shardingIn(f *ir.Func, t *tensor) *layout.Sharding {
	switch t.role {
	case "":
		return f.Results[t.index].Sharding
	case ofLayer:
		return sharding.LayerOutputs(f)[t.index].Constraints[0].Results[0].Sharding
	}
	return f.Params()[t.index].Sharding
}

// follow adds the consequences of each candidate, and estimates the result. To find them, it
// removes the annotations of the doubtful classes and propagates, which takes one of the estimates
// that are left. The classes that get another sharding by this change together with the candidate;
// those that would be replicated stay. A candidate without consequences is left out. follow returns
// the error of estimate.
func (s *searcher) follow(list []*candidate) error {
	others := doubtfulClasses(weightClasses(slices.Concat(s.groups.wider, s.groups.classes)))
	var out []*candidate
	for _, c := range list {
		if s.left--; s.left < 0 {
			break
		}
		edits := slices.Clone(c.edits)
		for _, o := range others {
			if !slices.ContainsFunc(edits, func(e edit) bool { return e.class.overlaps(o) }) {
				edits = append(edits, edit{o, nil})
			}
		}
		m, err := s.est.moduleWith(edits)
		if err != nil {
			continue
		}
		edits = slices.DeleteFunc(edits, func(e edit) bool {
			return e.to == nil && shardingIn(m.Main(), e.members[len(e.members)/2]).IsReplicated()
		})
		changed := edits[:0]
		for _, e := range edits {
			if e.to == nil {
				e.to = shardingIn(m.Main(), e.members[len(e.members)/2])
			}
			if fits(e.to, e.dims()) && (e.sharding() == nil || !e.to.SameLayout(e.sharding())) {
				changed = append(changed, e)
			}
		}
		if len(changed) > len(c.edits) {
			out = append(out, &candidate{edits: changed})
		}
	}
	return s.estimate(out)
}

// rank returns the gain of a candidate. It is multiplied by mendingWeight if the candidate mends a
// mistake: others may gain by a layout that was never intended.
func (s *searcher) rank(c *candidate, before, after Cost) float64 {
	g := gain(before, after, c.spreads())
	if c.mends() && g > 0 {
		g *= mendingWeight
	}
	return g
}

// promisingCandidates returns the candidates in list with the highest rank of each of three kinds:
// candidates that undo a common mistake, other mends, and the rest. Of each kind there are as many
// as refinedOps allows, from minRefined to maxRefined. Of the first kind there are at least
// minLikely, because these rank low before a search for shardings. All together are sorted by rank,
// the highest first.
func (s *searcher) promisingCandidates(list []*candidate) (out []*candidate) {
	n := max(minRefined, min(maxRefined, refinedOps/max(1, s.ops)))
	list = slices.Clone(list)
	slices.SortStableFunc(list, func(a, b *candidate) int {
		return cmp.Compare(s.rank(b, s.base, b.estimated), s.rank(a, s.base, a.estimated))
	})
	count := map[[2]bool]int{}
	for _, c := range list {
		kind := [2]bool{c.likely, !c.likely && c.mends()}
		if count[kind]++; count[kind] <= n || c.likely && count[kind] <= minLikely {
			out = append(out, c)
		}
	}
	return out
}

// refine estimates candidates again, after a search for shardings (unless KeepLayouts is set), and
// notes the cost in each. It returns them with the highest rank first, without those whose
// annotations contradict each other. It returns the first error of the estimator's cost.
func (s *searcher) refine(list []*candidate) (out []*candidate, err error) {
	for _, c := range list {
		if !c.isRefined {
			m, err := s.est.moduleWith(c.edits)
			if err != nil {
				continue
			}
			if c.refined, err = s.est.cost(m, !s.o.KeepLayouts); err != nil {
				return nil, err
			}
			c.isRefined = true
		}
		out = append(out, c)
	}
	slices.SortStableFunc(out, func(a, b *candidate) int { return cmp.Compare(s.refinedRank(b), s.refinedRank(a)) })
	return out, nil
}

func (s *searcher) refinedRank(c *candidate) float64 { return s.rank(c, s.refined, c.refined) }

// join returns the best of the refined mends, the first in list, joined with those of the other
// mends that make it gain more. It returns nil if there are none, and the error of refine.
func (s *searcher) join(list []*candidate) (*candidate, error) {
	if len(list) < 2 {
		return nil, nil
	}
	best := list[0]
	for _, c := range list[1:] {
		if best.overlaps(c) || s.refinedRank(c) <= 0 {
			continue
		}
		both, err := s.refine([]*candidate{{edits: slices.Concat(best.edits, c.edits)}})
		if err != nil {
			return nil, err
		}
		if len(both) > 0 && isMistake(c, best.refined, both[0].refined) {
			best = both[0]
		}
	}
	if best == list[0] {
		return nil, nil
	}
	return best, nil
}

// compile compiles the program with the rules of a candidate, as a user would add them, and returns
// the candidate as a Suggestion with the costs of that program. It compiles each set of rules once.
// It returns an error if a rule is refused, or the program does not compile.
func (s *searcher) compile(c *candidate) (*Suggestion, error) {
	key := c.key()
	if done := s.done[key]; done != nil {
		return done, nil
	}
	m, err := s.moduleWith(c)
	if err != nil {
		return nil, err
	}
	o := s.o.Options
	o.Cache = nil // programs with suggestions are rarely compiled again
	p, err := compile.Compile(context.Background(), m, o)
	if err != nil {
		return nil, fmt.Errorf("compile: the suggestion %v cannot be tried: %w", c.rules(), err)
	}
	after := s.costOf(p)
	after.inputs = c.refined.inputs
	out := newSuggestion(c, after)
	out.program = p
	s.done[key] = out
	return out, nil
}

// moduleWith returns a copy of the module with the rules of c, as a user would add them. It returns
// an error if a rule is refused.
func (s *searcher) moduleWith(c *candidate) (*ir.Module, error) {
	m := s.m.Clone()
	layouts := layout.NewLayoutMap(m.Meshes[0].Mesh)
	for _, r := range c.rules() {
		if err := layouts.Override(r.Key, r.Axes...); err != nil {
			return nil, err
		}
	}
	return m, sharding.Annotate(m, layouts)
}

// newSearcher finds out what may be changed in m. The field groups is nil if nothing can be
// changed, on one device. Another partitioner than SPMD is an error, and so is a module that cannot
// be prepared or propagated.
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
	s.groups = newGroups(s.est.mesh, prepared.Main(), s.nameable(), evidenceOf(propagated, s.first.Main(), s.est.mesh))
	return s, nil
}

// nameable returns a function that reports whether a rule can name a tensor of the prepared module.
// With Options.WeightsOnly it cannot name data, outputs and slots. It never names outputs of layers
// in functions that were inlined.
func (s *searcher) nameable() func(*tensor) bool {
	outputs := sharding.LayerOutputs(s.m.Main())
	return func(t *tensor) bool {
		switch t.role {
		case ofLayer:
			return slices.ContainsFunc(outputs, func(o sharding.LayerOutput) bool { return o.Name == t.name })
		case ir.RoleParameter, ir.RoleState:
			return true
		}
		return !s.o.WeightsOnly
	}
}

// measure computes the costs of the unchanged program that candidates are compared with: before,
// that of the compiled program, for compiled candidates; base and refined, by estimates, for
// estimated ones. Without groups it computes only before. The compiled program also tells the
// memory that estimates add. It returns an error if the program does not compile.
func (s *searcher) measure() error {
	p, err := s.o.Compiled, error(nil)
	if p == nil {
		p, err = compile.Compile(context.Background(), s.m, s.o.Options)
	}
	if err != nil {
		return err
	}
	if s.before = s.costOf(p); s.groups == nil {
		return nil
	}
	s.before.inputs = inputBytes(s.first.Main())
	s.est.memory = s.before.Memory - s.before.inputs
	if s.base, err = s.est.cost(s.first, false); err != nil {
		return err
	}
	m, err := s.est.moduleWith(nil)
	if err != nil {
		return err
	}
	s.refined, err = s.est.cost(m, !s.o.KeepLayouts)
	return err
}

// step is one step of a search: it estimates some candidates.
type step func() error

// mendSteps returns steps for the candidates that may mend a mistake, according to the evidence.
// Inputs with the most evidence come first. It changes the layout of data only if an axis shards
// nothing: a conflict between data and a weight is a mistake in the weight.
func (s *searcher) mendSteps() []step {
	g := s.groups
	classes := doubtfulClasses(weightClasses(slices.Concat(g.wider, g.classes)))
	most := 0
	for _, c := range classes {
		most = max(most, c.suspect)
	}
	outputs := doubtfulClasses(layerOutputs(slices.Concat(g.wider, g.classes)))
	suspects := slices.DeleteFunc(slices.Clone(classes), func(c *class) bool { return c.suspect <= most/4 })
	first := suspects[:min(4, len(suspects))]
	var steps []step
	if g.unused {
		steps = append(steps, func() error { return s.estimate(g.batches()) })
	}
	steps = append(steps,
		func() error { return s.estimate(g.slotsAsWeights()) },
		func() error { return s.estimate(g.siblingCandidates()) },
		func() error { return s.estimateFree(outputs) },
		func() error { return s.estimate(g.layouts(outputs)) })
	for _, c := range g.replicatedClasses() {
		steps = append(steps,
			func() error { return s.estimate(g.shardingCandidates(c)) },
			func() error { return s.follow(g.shardingCandidates(c)) })
	}
	return append(steps,
		func() error { return s.estimateFree(suspects) },
		func() error { return s.estimate(g.exchanges(first...)) },
		func() error { return s.estimate(g.layouts(first)) },
		func() error { return s.follow(g.layouts(first)) },
		func() error { return s.estimate(g.exchanges(suspects...)) },
		func() error { return s.estimate(g.layouts(suspects)) },
		func() error { return s.estimateFree(classes) },
		func() error { return s.estimate(g.exchanges(classes...)) },
		func() error { return s.estimate(g.layouts(classes)) },
		func() error { return s.estimate(g.layouts(doubtfulClasses(weightClasses(g.single)))) },
	)
}

// otherSteps returns the steps of the search that try changes without evidence for a mistake:
// sharding the batch, removing annotations, exchanging them, and all possible layouts. The most
// promising step comes first.
func (s *searcher) otherSteps() []step {
	g := s.groups
	return []step{
		func() error { return s.estimate(g.batches()) },
		func() error { return s.estimateFree(g.classes) },
		func() error { return s.estimate(g.exchanges(g.classes...)) },
		func() error { return s.estimate(g.layouts(g.classes)) },
		func() error { return s.estimate(g.layouts(g.wider)) },
		func() error { return s.estimate(g.layouts(g.single)) },
	}
}

// run runs the given steps in order. They add candidates to s.list. It ends after the given number
// of estimates, or at the first error, which it returns.
func (s *searcher) run(steps []step, estimates int) error {
	s.left = estimates
	for _, step := range steps {
		if s.left <= 0 {
			return nil
		}
		if err := step(); err != nil {
			return err
		}
	}
	return nil
}

// mendsOfOneRound searches for changes that mend mistakes, compiles the most promising, and returns
// those that do mend one, the best first; nil if no class is doubtful. No two change the same
// layout. Mends that gain more together are one change. It returns the first error of estimating or
// compiling.
func (s *searcher) mendsOfOneRound() ([]*Suggestion, error) {
	if len(doubtfulClasses(s.groups.classes)) == 0 {
		return nil, nil
	}
	if err := s.run(s.mendSteps(), int(mendingShare*float64(s.estimates()))); err != nil {
		return nil, err
	}
	list := slices.DeleteFunc(slices.Clone(s.list), func(c *candidate) bool { return !c.mends() })
	list, err := s.refine(s.promisingCandidates(list))
	if err != nil {
		return nil, err
	}
	list = list[:min(joined, len(list))]
	both, err := s.join(list)
	if err != nil {
		return nil, err
	}
	if both != nil {
		list = slices.Insert(list, 0, both)
	}
	found, err := s.compileBest(list)
	if err != nil {
		return nil, err
	}
	var out []*Suggestion
	for _, x := range found {
		known := slices.ContainsFunc(out, func(y *Suggestion) bool { return y.candidate.overlaps(x.candidate) })
		if isMistake(x.candidate, s.before, x.After) && !known {
			out = append(out, x)
		}
	}
	return out, nil
}

// bestSuggestions returns at most shown suggestions: first mends, then others, each the best first.
// If there are no mends, further rounds add to the best of the others. It returns the first error of
// estimating or compiling.
func (s *searcher) bestSuggestions() ([]*Suggestion, error) {
	out, err := s.mends()
	if err != nil {
		return nil, err
	}
	if err := s.run(s.otherSteps(), s.estimates()-len(s.list)); err != nil {
		return nil, err
	}
	list, err := s.refine(s.promisingCandidates(s.list))
	if err != nil {
		return nil, err
	}
	list = slices.DeleteFunc(list, func(c *candidate) bool {
		return slices.ContainsFunc(out, func(x *Suggestion) bool { return x.candidate.contains(c) })
	})
	found, err := s.compileBest(list)
	if err != nil {
		return nil, err
	}
	if len(out) == 0 && len(found) > 0 {
		if found[0], err = s.grown(found[0]); err != nil {
			return nil, err
		}
	}
	out = append(out, found...)
	return out[:min(shown, len(out))], nil
}

// compileBest compiles the candidates in list, which is sorted by rank, that gain by their
// estimates, at most the first compiled ones. Of candidates that save memory it also compiles those
// that lose less than doubtful: estimates of time are too high where collectives become one. It
// returns those that gain more than gainful when compiled, the best first, or the first error of
// compile.
func (s *searcher) compileBest(list []*candidate) (out []*Suggestion, err error) {
	for _, c := range list[:min(compiled, len(list))] {
		least := 0.0
		if c.spreads() && c.refined.inputs < s.refined.inputs {
			least = -doubtful
		}
		if s.refinedRank(c) <= least {
			continue
		}
		x, err := s.compile(c)
		if err != nil {
			return nil, err
		}
		if x.rank = s.rank(c, s.before, x.After); x.rank > gainful {
			out = append(out, x)
		}
	}
	slices.SortStableFunc(out, func(a, b *Suggestion) int { return cmp.Compare(b.rank, a.rank) })
	return out, nil
}

// estimates returns the number of estimates that may be made.
func (s *searcher) estimates() int { return max(minEstimates, estimateOps/max(1, s.ops)) }
