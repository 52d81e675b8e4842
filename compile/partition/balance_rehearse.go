package partition

// This file finds out what a program costs, again and again while its layouts
// are revised: what has not changed is not computed again.

import (
	"math"
	"slices"

	"github.com/gospmd/gospmd/ir"
	"github.com/gospmd/gospmd/layout"
)

// unlimited is a cost that every program is below.
const unlimited = math.MaxInt

// rehearsal is what the balancer keeps between two rehearsals.
type rehearsal struct {
	params  []*prop
	scenes  []scene
	inputs  []*spec // of the op at hand
	journal []entry
}

// scene is an op of the function, with its values.
type scene struct {
	op                *ir.Op
	known             *known
	operands, results []*prop
}

// prop is a value of the function.
type prop struct {
	*tensor
	v      *ir.Value
	stated *layout.Sharding // for which lies holds
	lies   *spec            // as declared
}

// outcome is how an op is split for some inputs: the layouts that its results
// are to have and its operands lie in.
type outcome struct {
	inputs []*spec
	best   *choice
	price  int     // of moving operands, and of the op
	moved  []moved // what that makes
}

// moved is an operand in a layout that it is moved to.
type moved struct {
	*prop
	want *spec
}

// entry is what was known of an op before a rehearsal.
type entry struct {
	*known
	old outcome
}

// prepare lists the scenes.
func (b *balancer) prepare() {
	b.blocks = []*ir.Block{nil}
	props := map[*ir.Value]*prop{}
	add := func(v *ir.Value) *prop {
		if isRemade(v) && b.known[v.Def()] == nil {
			b.remade(v, func(*spec) *ir.Value { return nil })
		} else {
			b.define(v, nil, b.declared(v))
		}
		props[v] = &prop{tensor: b.tensor(v), v: v}
		return props[v]
	}
	for _, v := range b.f.Params() {
		b.params = append(b.params, add(v))
	}
	for op := range b.f.Body.Ops() {
		s := scene{op: op, known: b.known[op]}
		for _, v := range op.Operands {
			s.operands = append(s.operands, props[v])
		}
		for _, v := range op.Results {
			s.results = append(s.results, add(v))
		}
		b.scenes = append(b.scenes, s)
	}
}

// declared returns the layout that the program gives the value.
func (p *prop) declared(b *balancer) *spec {
	if p.lies == nil || p.stated != p.v.Sharding {
		p.stated, p.lies = p.v.Sharding, b.declared(p.v)
	}
	return p.lies
}

// is says that the value has been made as s, and no other version of it.
func (p *prop) is(s *spec) { p.versions = append(p.versions[:0], version{spec: s}) }

// moveTo makes another version of the value, if there is none as wanted, and
// returns the price of that; made is false where there is nothing to make.
func (b *balancer) moveTo(p *prop, want *spec) (price int, made bool) {
	from, way := b.cheapest(p.tensor, want)
	if from.spec == want || from.spec == nil {
		return 0, false
	}
	p.versions = append(p.versions, version{spec: want})
	return b.machine.SendCost(nil, way.bytes, way.launches), true
}

// rehearse goes through the function as Module does, without building anything,
// and returns what it costs; ok is false where that is not below the limit. What
// it finds is to be kept or to be forgotten.
func (b *balancer) rehearse(limit int) (total int, ok bool) {
	for _, p := range b.params {
		p.is(p.declared(b))
	}
	for _, s := range b.scenes {
		switch {
		case s.known != nil:
			total += b.play(s)
			for i, r := range s.results {
				r.is(s.known.best.results[i])
			}
		default:
			if b.asks(s.op) {
				for i, p := range s.operands {
					price, _ := b.moveTo(p, b.wanted(s.op, i))
					total += price
				}
			}
			for _, r := range s.results {
				if r.remake == nil {
					r.is(r.declared(b))
				}
			}
		}
		if total >= limit {
			return total, false
		}
	}
	return total, true
}

// play returns what an op costs that is split by factors. If its inputs are the
// same as the last time, so is everything else.
func (b *balancer) play(s scene) int {
	b.inputs = b.inputs[:0]
	for _, r := range s.results {
		b.inputs = append(b.inputs, r.declared(b))
	}
	for _, p := range s.operands {
		b.inputs = append(b.inputs, nil)
		for _, ver := range p.versions {
			b.inputs = append(b.inputs, ver.spec)
			if ver.spec.isPartial() {
				b.inputs = append(b.inputs, p.declared(b)) // choose looks at it then
			}
		}
	}
	k := s.known
	if k.best != nil && slices.Equal(k.inputs, b.inputs) {
		for _, m := range k.moved {
			m.versions = append(m.versions, version{spec: m.want})
		}
		return k.price
	}
	b.journal = append(b.journal, entry{k, k.outcome})
	c := b.choose(k.rule, s.op, k.factors)
	k.outcome = outcome{inputs: slices.Clone(b.inputs), best: c, price: c.inside}
	for i, p := range s.operands {
		price, made := b.moveTo(p, c.operands[i])
		k.price += price
		if made {
			k.moved = append(k.moved, moved{p, c.operands[i]})
		}
	}
	return k.price
}

// keep keeps what the last rehearsal has found.
func (b *balancer) keep() { b.journal = b.journal[:0] }

// forget takes back what the last rehearsal has found.
func (b *balancer) forget() {
	for _, e := range slices.Backward(b.journal) {
		e.outcome = e.old
	}
	b.keep()
}
