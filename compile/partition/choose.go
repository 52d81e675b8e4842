package partition

// This file chooses the axes that shard the factors of an op.
//
// The shardings of its operands and the shardings wanted for its results may disagree. Each of
// them, alone and merged with the others, gives a candidate: axes for every factor. The cheapest
// candidate is chosen; among equals, the one with the fewest iterations of the loop nest. The cost
// is the arithmetic of each device and the traffic: to move operands, inside of the op, and to move
// results to their declared shardings.

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/gospmd/gospmd/compile/cost"
	"github.com/gospmd/gospmd/ir"
	"github.com/gospmd/gospmd/layout"
	"github.com/gospmd/gospmd/mesh"
	"github.com/gospmd/gospmd/sharding"
	"github.com/gospmd/gospmd/sharding/factor"
)

// factorRule says how ops of some kind are partitioned by factors.
type factorRule struct {
	// factors returns the op's sharding rule, which says which dimensions have a common factor. It
	// returns nil if op can only be replicated. The default is the rule of package sharding for the
	// kind. A rule that the program states is not used here: it steers propagation, and cannot
	// change the computation of the op.
	factors func(op *ir.Op) *factor.Rule
	// kinds are the kinds of factors that may be sharded, besides factor.PassThrough, which always
	// may.
	kinds []factor.Kind
	// may, if it is not nil, reports whether factor f of op may be sharded n ways.
	may func(op *ir.Op, r *factor.Rule, f, n int) bool
	// reduce returns the op that reduces partial results, which remain if a Reduction factor is
	// sharded. It is OpUnregistered if build reduces them itself.
	reduce func(op *ir.Op) ir.OpKind
	// traffic returns the traffic of the ops that build makes; nil: they have none.
	traffic func(p *partitioner, c *strategy) traffic
	// build makes the results from the shards of the operands. The default is the op itself on
	// local shapes.
	build func(p *partitioner, c *strategy, operands []*ir.Value) []*ir.Value
}

// strategy is one way to partition an op by factors.
type strategy struct {
	op       *ir.Op
	rule     *factor.Rule
	axes     factor.AxesPerFactor
	operands []*layout.Sharding
	results  []*layout.Sharding
	reduce   ir.OpKind // op that reduces partial results

	// traffic of moving operands to their shardings in operands, and results to their declared
	// shardings, in a run of the function
	moves  traffic
	steps  int     // number of steps of these moves
	within traffic // what the op itself sends, such as partial results, in each run of the op
	work   int     // iterations of the loop nest on each device
	local  int     // cost of a device's work in each run of the op: arithmetic, or memory traffic
	inside int     // cost of each run of the op itself: within and local
	total  int     // cost of everything in a run of the function
}

// partitionByFactors partitions op with the cheapest strategy of all the given rules, and reshards
// its operands for it. Among equal strategies it takes that of the first rule; if no rule applies,
// op is replicated. Only then can it return an error, that of an op in a region.
func (p *partitioner) partitionByFactors(op *ir.Op, rules ...*factorRule) error {
	var r *factorRule
	var c *strategy
	for _, o := range rules {
		rule := p.ruleOf(o, op)
		if rule == nil {
			continue
		}
		if next := p.choose(o, op, rule); c == nil || next.total < c.total {
			r, c = o, next
		}
		if c.isFree() {
			break
		}
	}
	if c == nil {
		return p.replicate(op)
	}
	operands := make([]*ir.Value, len(op.Operands))
	for i, v := range op.Operands {
		if operands[i] = p.freeCopy(v, c.operands[i]); operands[i] == nil {
			p.reason(fmt.Sprintf("%s reads operand %d as %s", op.FullName(), i, c.operands[i]))
			operands[i] = p.get(v, c.operands[i])
		}
	}
	p.reason(op.FullName() + " needs elements of other devices")
	build := r.build
	if build == nil {
		build = (*partitioner).buildLocal
	}
	for i, local := range build(p, c, operands) {
		p.definePartial(op.Results[i], local, c.results[i], c.reduce)
	}
	p.reason("")
	return nil
}

// ruleOf returns the sharding rule that r gives op. It returns nil on a mesh of one device, and for
// an op without a rule.
func (p *partitioner) ruleOf(r *factorRule, op *ir.Op) *factor.Rule {
	if p.mesh.Size() == 1 {
		return nil
	}
	if n := p.node(r, op); n != nil {
		return n.factors
	}
	if r.factors != nil {
		return r.factors(op)
	}
	rule, _ := sharding.KindRule(op, false)
	return rule
}

// buildLocal appends c.op, with its regions and attributes, on local operands and with results of
// the local shapes of c, and returns the results. It is the default of factorRule.build.
func (p *partitioner) buildLocal(c *strategy, operands []*ir.Value) []*ir.Value {
	return p.buildLocalWith(c, c.op.Attrs, operands)
}

// buildLocalWith inserts the per-device copy of c.op, as buildLocal does, but with the attributes
// attrs, and returns its results. operands are the per-device operands.
func (p *partitioner) buildLocalWith(c *strategy, attrs ir.Attrs, operands []*ir.Value) []*ir.Value {
	out := ir.NewOp(c.op.Kind, operands, attrs, nil)
	out.Name = c.op.Name
	for i, r := range c.op.Results {
		out.AddResult(p.localType(r.Type, c.results[i]))
	}
	for _, r := range c.op.Regions {
		out.AddRegion(ir.Cloner{}.Block(r))
	}
	return p.Insert(out).Results
}

// choose returns a strategy for op by rule, the sharding rule that r gives it. That is the one that
// a dry run has chosen in the same situation, if a search has made one. Otherwise it is the best of
// the strategies for the assignments of suggestedAssignments, as they are and without the last axis
// of one factor. A suggested one that is free ends the search.
func (p *partitioner) choose(r *factorRule, op *ir.Op, rule *factor.Rule) *strategy {
	if n := p.node(r, op); n != nil {
		if c := p.chosenStrategy(n); c != nil {
			return c
		}
	}
	var best *strategy
	var seen []factor.AxesPerFactor
	try := func(a factor.AxesPerFactor) bool {
		c := p.candidate(r, op, rule, a)
		if slices.ContainsFunc(seen, c.axes.Equal) {
			return false
		}
		seen = append(seen, c.axes)
		p.evaluate(r, c)
		if best == nil || c.isBetterThan(best) {
			best = c
		}
		return c.isFree()
	}
	for _, a := range p.suggestedAssignments(op, rule) {
		if try(a) {
			return best
		}
		// Also try dropping the last axis of each factor, which is the smallest relaxation.
		for f, axes := range a {
			if n := len(axes); n > 0 {
				less := a.Clone()
				less[f] = axes[:n-1]
				try(less)
			}
		}
	}
	return best
}

// maxSources limits the candidates that merge one tensor's sharding with the others: at most so
// many different shardings of an op's tensors are merged.
const maxSources = 64

// suggestedAssignments returns assignments of axes to the factors of rule: for each result's
// declared sharding and each sharding in which an operand exists here, the axes that follow from
// it. First come these, each merged with all others, then each alone, and at last no axes at all.
// It uses at most maxSources different shardings.
func (p *partitioner) suggestedAssignments(op *ir.Op, rule *factor.Rule) []factor.AxesPerFactor {
	var sources []factor.AxesPerFactor // without duplicates: merging the same twice changes nothing
	add := func(m factor.TensorMapping, s *layout.Sharding) {
		if len(sources) == maxSources {
			return
		}
		if a := p.project(rule, m, s); !slices.ContainsFunc(sources, a.Equal) {
			sources = append(sources, a)
		}
	}
	for i, v := range op.Results {
		if !v.Type.IsToken() {
			add(rule.Results[i], p.declaredSharding(v))
		}
	}
	for i, v := range op.Operands {
		t := p.tensor(v)
		p.eachVisible(t, func(c shardedCopy) {
			add(rule.Operands[i], c.sharding)
			if isPartial(c.sharding) {
				// the sharding that the partial value was meant to be reduced to
				add(rule.Operands[i], p.declaredSharding(v))
			}
		})
	}
	var out []factor.AxesPerFactor
	for _, a := range sources {
		for _, other := range sources {
			a = a.Merge(other)
		}
		out = append(out, a)
	}
	out = append(out, sources...)
	return append(out, make(factor.AxesPerFactor, len(rule.Factors)))
}

// candidate returns the strategy for op that shards its factors along the axes of a, without those
// axes that op or the rule r forbids. The strategy has the shardings of the operands and results,
// and the iterations of a device, but no costs: evaluate sets them.
func (p *partitioner) candidate(r *factorRule, op *ir.Op, rule *factor.Rule, a factor.AxesPerFactor) *strategy {
	a = a.FitTo(rule, func(f int) bool {
		kind := rule.Factors[f].Kind
		if kind != factor.PassThrough && !slices.Contains(r.kinds, kind) {
			return false
		}
		if kind == factor.PassThrough && !appears(rule.Results, f) {
			return false // such as a dimension of size 1 that is broadcast
		}
		return r.may == nil || r.may(op, rule, f, a[f].Size())
	})
	c := &strategy{op: op, rule: rule, axes: a, work: 1}
	if r.reduce != nil {
		c.reduce = r.reduce(op)
	}
	var unreduced mesh.AxisList
	for f, axes := range a {
		n, size := axes.Size(), rule.Factors[f].Size
		c.work *= (size + n - 1) / n
		if rule.Factors[f].Kind == factor.Reduction && c.reduce != ir.OpUnregistered {
			unreduced = append(unreduced, axes...)
		}
	}
	for _, m := range rule.Operands {
		c.operands = append(c.operands, p.unproject(rule, m, a, nil))
	}
	for _, m := range rule.Results {
		c.results = append(c.results, p.unproject(rule, m, a, unreduced))
	}
	return c
}

// appears reports whether one of the tensors has factor f.
func appears(tensors []factor.TensorMapping, f int) bool {
	return slices.ContainsFunc(tensors, func(m factor.TensorMapping) bool {
		return slices.ContainsFunc(m, func(factors []int) bool { return slices.Contains(factors, f) })
	})
}

// evaluate sets the costs of the strategy c of rule r, its total included: of moving its operands
// and results, of the op's own traffic, and of its work. An operand that op reads twice in one
// sharding is counted once. It counts the call in p.evaluations.
func (p *partitioner) evaluate(r *factorRule, c *strategy) {
	count := func(how plan, runs int) {
		c.moves.add(how.traffic.times(runs))
		c.steps += len(how.steps)
	}
	p.evaluations++
	for i, v := range c.op.Operands {
		t := p.tensor(v)
		if again := t.read.by == p.evaluations; again && t.read.as == c.operands[i] {
			continue
		} else if !again {
			t.read = reading{p.evaluations, c.operands[i]}
		}
		from, how := p.cheapestCopy(t, c.operands[i])
		count(how, p.runsOfMove(from))
	}
	for i, v := range c.op.Results {
		count(p.plan(c.results[i], p.declaredSharding(v), v.Type), p.at.runs)
	}
	p.evaluateInside(r, c)
	c.total = c.moves.cost() + c.inside*p.at.runs
}

// evaluateInside sets c.within, c.local and c.inside: the costs of one run of c, a strategy of rule
// r, without the moves of its operands and results.
func (p *partitioner) evaluateInside(r *factorRule, c *strategy) {
	if r.traffic != nil {
		c.within = r.traffic(p, c)
	}
	c.local = p.machine.LocalCost(c.op, c.flops()+c.bitFlops(), c.accessedBytes(p.accesses[c.op]))
	c.inside = c.within.cost() + c.local
}

// accessedBytes returns the bytes of memory that each device reads and writes. a has those that one
// device would access for each operand and result if it ran the op alone; each counts divided by
// its number of shards, rounded up. For a nil a the result is 0.
func (c *strategy) accessedBytes(a *cost.Access) (bytes int) {
	if a == nil {
		return 0
	}
	shares := func(whole []int, shardings []*layout.Sharding) {
		for i, n := range whole {
			if n == 0 {
				continue
			}
			shards := shardings[i].ShardCount()
			bytes += (n + shards - 1) / shards
		}
	}
	shares(a.Reads, c.operands)
	shares(a.Writes, c.results)
	return bytes
}

// flops returns the FLOPs of each device in one run of the op.
func (c *strategy) flops() int {
	iterations := 1
	for _, f := range c.rule.Factors {
		iterations *= f.Size
	}
	// In floating point, because the product may be too large for an int.
	return int(float64(cost.OpFlops(c.op)) * float64(c.work) / float64(max(1, iterations)))
}

// bitFlops returns the FLOPs of each device for the operands that are random bits: each device makes
// those that it needs.
func (c *strategy) bitFlops() int {
	n := 0
	for i, v := range c.op.Operands {
		n += cost.BitFlops(v) / c.operands[i].ShardCount()
	}
	return n
}

// isFree reports whether the strategy moves nothing: neither operands nor results, nor anything
// inside of the op.
func (c *strategy) isFree() bool {
	return c.moves.transfer == 0 && c.steps == 0 && c.within.transfer == 0
}

// isBetterThan reports whether c should be preferred to o: it has the smaller total cost or, among
// equals, the smaller work, and then fewer steps of moves. Of two equal strategies neither is
// better.
func (c *strategy) isBetterThan(o *strategy) bool {
	return cmp.Or(cmp.Compare(c.total, o.total), cmp.Compare(c.work, o.work), cmp.Compare(c.steps, o.steps)) < 0
}
