package partition

// This file chooses how an op that is split by factors is split.
//
// The layouts that its operands have and that its result is to have may
// disagree. Each of them, and each joined with the others, makes a candidate:
// axes for every factor. Of the candidates the cheapest is taken: bytes that are
// sent, for operands that have to be moved, inside the op, and from the result
// to its declared layout, and the arithmetic of each device, at the prices of
// package cost; of equals the one with the shortest loops.

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/gospmd/gospmd/compile/cost"
	"github.com/gospmd/gospmd/ir"
	"github.com/gospmd/gospmd/mesh"
	"github.com/gospmd/gospmd/sharding"
	"github.com/gospmd/gospmd/sharding/factor"
)

// splitRule says how ops of a kind are split by factors.
type splitRule struct {
	// factors returns what dimensions of op move together; nil where op can
	// only be run whole. The default is the rule that package sharding has.
	factors func(op *ir.Op) *factor.Rule
	// kinds are the kinds of factors that may be split. Of no kind at all
	// stands for factor.PassThrough alone.
	kinds []factor.Kind
	// may, where it is not nil, says whether factor f of op may be split by n.
	may func(op *ir.Op, r *factor.Rule, f, n int) bool
	// reduce returns how the parts of results are joined when a factor of the
	// kind Reduction is split; OpUnregistered where build joins them itself.
	reduce func(op *ir.Op) ir.OpKind
	// inside returns what build sends; nil: nothing.
	inside func(p *partitioner, c *choice) sent
	// build makes the results from the operands' shards. The default is the op
	// itself on local shapes.
	build func(p *partitioner, c *choice, operands []*ir.Value) []*ir.Value
}

// sent is what a device sends within an op.
type sent struct{ bytes, launches int }

// add counts more of it.
func (s *sent) add(o sent) {
	s.bytes += o.bytes
	s.launches += o.launches
}

// choice is one way to split an op.
type choice struct {
	op       *ir.Op
	rule     *factor.Rule
	axes     factor.AxesPerFactor
	operands []*spec
	results  []*spec

	bytes, launches int  // sent to have everything where it is wanted
	within          sent // sent by the op itself
	work            int  // turns of the loop nest, on each device
	inside          int  // price of the op itself
	price, steps    int
}

// split partitions op by factors, at the price of the best of rules; of equal
// ones the first has it.
func (p *partitioner) split(op *ir.Op, rules ...*splitRule) error {
	var r *splitRule
	var c *choice
	for _, o := range rules {
		rule := p.ruleOf(o, op)
		if rule == nil {
			continue
		}
		if next := p.choose(o, op, rule); c == nil || next.price < c.price {
			r, c = o, next
		}
		if c.isFree() {
			break
		}
	}
	if c == nil {
		return p.whole(op)
	}
	operands := make([]*ir.Value, len(op.Operands))
	for i, v := range op.Operands {
		p.reason(fmt.Sprintf("%s reads operand %d as %s", op.FullName(), i, c.operands[i]))
		operands[i] = p.get(v, c.operands[i])
	}
	p.reason(op.FullName() + " needs what lies with other devices")
	build := r.build
	if build == nil {
		build = (*partitioner).same
	}
	p.defineAll(op, build(p, c, operands), c.results)
	p.reason("")
	return nil
}

// ruleOf returns the factors of op, or nil.
func (p *partitioner) ruleOf(r *splitRule, op *ir.Op) *factor.Rule {
	if p.mesh.Size() == 1 {
		return nil
	}
	if r.factors != nil {
		return r.factors(op)
	}
	rule, _, err := sharding.RuleOf(op, false)
	if err != nil {
		return nil // propagation has reported it
	}
	return rule
}

// same is op itself on local shapes.
func (p *partitioner) same(c *choice, operands []*ir.Value) []*ir.Value {
	return p.sameWith(c, c.op.Attrs, operands)
}

// sameWith is same with other attributes.
func (p *partitioner) sameWith(c *choice, attrs ir.Attrs, operands []*ir.Value) []*ir.Value {
	out := ir.NewOp(c.op.Kind, operands, attrs, nil)
	out.Name = c.op.Name
	for i, r := range c.op.Results {
		out.AddResult(p.localType(r.Type, c.results[i]))
	}
	for _, r := range c.op.Regions {
		out.AddRegion(ir.Cloner{}.Block(r))
	}
	return p.emit(out).Results
}

// choose returns the best candidate.
func (p *partitioner) choose(r *splitRule, op *ir.Op, rule *factor.Rule) *choice {
	var best *choice
	var seen []factor.AxesPerFactor
	try := func(a factor.AxesPerFactor) bool {
		c := p.candidate(r, op, rule, a)
		if slices.ContainsFunc(seen, c.axes.Equal) {
			return false
		}
		seen = append(seen, c.axes)
		p.rate(r, c)
		if best == nil || c.better(best) {
			best = c
		}
		return c.isFree()
	}
	for _, a := range p.joined(op, rule) {
		if try(a) {
			return best
		}
		// Without one axis of one factor: of all ways to give way the smallest.
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

// joined returns the layouts that op's tensors have, as axes per factor: each one
// first, the others joined to it, then each alone, and at last nothing split.
func (p *partitioner) joined(op *ir.Op, rule *factor.Rule) []factor.AxesPerFactor {
	var sources []factor.AxesPerFactor
	add := func(m factor.TensorMapping, s *spec) { sources = append(sources, p.project(rule, m, s)) }
	for i, v := range op.Results {
		if !v.Type.IsToken() {
			add(rule.Results[i], p.declared(v))
		}
	}
	for i, v := range op.Operands {
		t := p.tensor(v)
		p.visible(t, func(ver version) {
			add(rule.Operands[i], ver.spec)
			if ver.spec.isPartial() {
				add(rule.Operands[i], p.declared(v)) // as which it was meant to be joined
			}
		})
	}
	var out []factor.AxesPerFactor
	for i, first := range sources {
		a := first
		for j, other := range sources {
			if i != j {
				a = a.Merge(other)
			}
		}
		out = append(out, a)
	}
	out = append(out, sources...)
	return append(out, make(factor.AxesPerFactor, len(rule.Factors)))
}

// candidate returns the choice with the axes of a, as far as they can be done.
func (p *partitioner) candidate(r *splitRule, op *ir.Op, rule *factor.Rule, a factor.AxesPerFactor) *choice {
	reduce := ir.OpUnregistered
	if r.reduce != nil {
		reduce = r.reduce(op)
	}
	a = a.Fitted(rule, func(f int) bool {
		kind := rule.Factors[f].Kind
		if kind != factor.PassThrough && !slices.Contains(r.kinds, kind) {
			return false
		}
		if kind == factor.PassThrough && !appears(rule.Results, f) {
			return false // as a dimension of size 1 that is broadcast
		}
		return r.may == nil || r.may(op, rule, f, a[f].Size())
	})
	c := &choice{op: op, rule: rule, axes: a}
	var unreduced mesh.AxisList
	c.work = 1
	for f, axes := range a {
		n, size := axes.Size(), rule.Factors[f].Size
		c.work *= (size + n - 1) / n
		if rule.Factors[f].Kind == factor.Reduction && reduce != ir.OpUnregistered {
			unreduced = append(unreduced, axes...)
		}
	}
	for _, m := range rule.Operands {
		c.operands = append(c.operands, p.unproject(rule, m, a, nil, reduce))
	}
	for _, m := range rule.Results {
		c.results = append(c.results, p.unproject(rule, m, a, unreduced, reduce))
	}
	return c
}

// appears reports whether one of the tensors has factor f.
func appears(tensors []factor.TensorMapping, f int) bool {
	return slices.ContainsFunc(tensors, func(m factor.TensorMapping) bool {
		return slices.ContainsFunc(m, func(factors []int) bool { return slices.Contains(factors, f) })
	})
}

// rate fills in what c costs.
func (p *partitioner) rate(r *splitRule, c *choice) {
	count := func(w plan) {
		c.bytes += w.bytes
		c.launches += w.launches
		c.steps += w.steps
	}
	for i, v := range c.op.Operands {
		if slices.Contains(c.op.Operands[:i], v) && c.operands[slices.Index(c.op.Operands, v)] == c.operands[i] {
			continue
		}
		_, way := p.cheapest(p.tensor(v), c.operands[i])
		count(way)
	}
	for i, v := range c.op.Results {
		count(p.plan(c.results[i], p.declared(v), v.Type))
	}
	p.rateInside(r, c)
	c.price = p.machine.SendCost(nil, c.bytes, c.launches) + c.inside
}

// rateInside fills in what c costs when everything lies as it wants.
func (p *partitioner) rateInside(r *splitRule, c *choice) {
	if r.inside != nil {
		c.within = r.inside(p, c)
	}
	c.inside = p.machine.SendCost(nil, c.within.bytes, c.within.launches) + c.flops()
}

// flops returns the arithmetic that each device does.
func (c *choice) flops() int {
	turns := 1
	for _, f := range c.rule.Factors {
		turns *= f.Size
	}
	// In floating point: a product of both may be too large for an int.
	return int(float64(cost.OpFlops(c.op)) * float64(c.work) / float64(max(1, turns)))
}

// isFree reports whether nothing moves.
func (c *choice) isFree() bool { return c.bytes == 0 && c.steps == 0 && c.within.bytes == 0 }

// better reports whether c is to be preferred.
func (c *choice) better(o *choice) bool {
	return cmp.Or(cmp.Compare(c.price, o.price), cmp.Compare(c.work, o.work), cmp.Compare(c.steps, o.steps)) < 0
}
