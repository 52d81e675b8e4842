package autoshard

// This file decides the variables of a group by a minimal cut of its cut graph.

import (
	"slices"

	"github.com/gospmd/gospmd/internal/mincut"
	"github.com/gospmd/gospmd/layout"
)

// cutGraph is the cut graph of a group. The vertices on the source's side of the cut stand for
// sharded values.
//
// An op has one vertex for the group's values that it reads, and one for the group's values that it
// makes. The edges of these two are the costs of the op in the four cases: each of the two may be
// sharded or not. The cost of a case is the least over all strategies. It includes the op itself,
// moving operands that are not in the group, and moving the results. If a value is made sharded and
// read unsharded, or the other way round, it is moved once for all its readers. So there is one
// edge from the vertex of its maker to a vertex for the copy, and the readers are behind that
// vertex.
type cutGraph struct {
	*search
	*group
}

// impossible is a cost that is larger than the cost of any possible choice.
const impossible = 1 << 58

// times returns cost times runs, but always less than impossible, so that an op that runs very
// often stays in the search.
func times(cost, runs int) int {
	return min(cost, impossible/2/max(runs, 1)) * runs
}

// newCutGraph returns the cut graph of g, without vertices yet, and sets the alternatives of g's
// values. It takes the network of the search, so an earlier cut graph cannot be used any more.
func newCutGraph(s *search, g *group) *cutGraph {
	c := &cutGraph{search: s, group: g}
	c.net.Reset()
	c.net.Grow(2*(len(g.nodes)+len(g.dims)), len(g.nodes)+5*len(g.dims))
	for _, x := range g.dims {
		if v := x.v; c.has(v) {
			v.alternatives, v.added = s.alternativesOf(v, v.dim, g.axis), false
		}
	}
	return c
}

// solve adds the vertices and edges of the group's ops and values, and finds the minimal cut, which
// is the cheapest choice. isSharded then reports for a value whether the axis shards it in this
// choice.
func (c *cutGraph) solve() (isSharded func(*variable) bool) {
	for _, n := range c.group.nodes {
		c.addOp(n)
	}
	for _, n := range c.group.nodes {
		for _, v := range n.operands {
			c.addValue(v)
		}
		for _, v := range n.results {
			c.addValue(v)
		}
	}
	source, _ := c.net.Cut()
	return func(v *variable) bool { return source[c.maker(v)] }
}

// has reports whether v is in the group.
func (c *cutGraph) has(v *variable) bool { return v.group == c.group }

// maker returns the vertex of the op that makes v. If v cannot change, or the op is not in the
// graph, it returns the source if the axis shards v, and else the sink.
func (c *cutGraph) maker(v *variable) int {
	if n := v.def; n != nil && n.group == c.group && n.made >= 0 && !v.fixed {
		return n.made
	}
	if v.sharding == v.sharded {
		return mincut.Source
	}
	return mincut.Sink
}

// addOp adds the vertices of n to the graph, and the edges whose capacities are the costs of n with
// sharded and unsharded operands and results.
func (c *cutGraph) addOp(n *node) {
	costs := c.opCosts(n)
	n.group, n.read, n.made = c.group, -1, -1
	// an op that reads no value of the group reads nothing sharded
	from, to := mincut.Sink, mincut.Sink
	if slices.ContainsFunc(n.operands, c.has) {
		from = c.net.AddNode()
		n.read = from
	}
	if slices.ContainsFunc(n.results, func(v *variable) bool { return c.has(v) && !v.fixed }) {
		to = c.net.AddNode()
		n.made = to
	}
	// Let i and o be 0 if the operands and the results are sharded, and else 1. The cost is then a
	// constant, plus an amount for i, plus one for o, plus one for i = 0 and o = 1.
	c.prefer(from, costs[1][0]-costs[0][0])
	c.prefer(to, costs[1][1]-costs[1][0])
	c.net.Connect(from, to, max(0, costs[0][1]+costs[1][0]-costs[0][0]-costs[1][1]))
}

// prefer adds an edge for a vertex that costs more if it is not sharded. more may be negative. For
// the source and the sink, which are decided, it does nothing.
func (c *cutGraph) prefer(vertex, more int) {
	switch {
	case vertex == mincut.Source || vertex == mincut.Sink:
	case more > 0:
		c.net.Connect(mincut.Source, vertex, more)
	default:
		c.net.Connect(vertex, mincut.Sink, -more)
	}
}

// opCosts returns four costs of n, as costs[i][o]. i is 0 if the operands in the group are sharded,
// and 1 if they are not. o says the same of the results. Ops of equal layers have the same
// strategies and shardings, so their costs are computed once.
func (c *cutGraph) opCosts(n *node) [2][2]int {
	strategies := c.strategies(n)
	key, ok := c.costKey(n, strategies)
	if !ok {
		return c.costsOf(n, strategies)
	}
	costs, ok := c.costs[key]
	if !ok {
		costs = c.costsOf(n, strategies)
		c.costs[key] = costs
	}
	return costs
}

// strategies returns the strategies to partition n. A value that a loop carries has two: it is
// sharded everywhere, or nowhere. It has one if it cannot change.
func (c *cutGraph) strategies(n *node) []Strategy {
	if n.op != nil {
		return c.e.Strategies(n.op, c.axis)
	}
	as := func(s *layout.Sharding) Strategy {
		return Strategy{Operands: []*layout.Sharding{s, s}, Results: []*layout.Sharding{s, s, s}}
	}
	if v := n.results[0]; !c.has(v) || v.fixed {
		return []Strategy{as(v.sharding)}
	}
	return []Strategy{as(n.results[0].sharded), as(n.results[0].other)}
}

// costsOf returns the costs that opCosts describes: for each case the cheapest of the given
// strategies of n, or impossible if none suits.
func (c *cutGraph) costsOf(n *node, strategies []Strategy) [2][2]int {
	costs := [2][2]int{{impossible, impossible}, {impossible, impossible}}
	for _, s := range strategies {
		// The exact cost of a strategy does not matter if other strategies are cheaper.
		limit := [2]int{max(costs[0][0], costs[0][1]), max(costs[1][0], costs[1][1])}
		in := c.operandCosts(n, s, limit)
		if in[0] >= limit[0] && in[1] >= limit[1] {
			continue
		}
		out := c.resultCosts(n, s, [2]int{max(costs[0][0]-in[0], costs[1][0]-in[1]), max(costs[0][1]-in[0], costs[1][1]-in[1])})
		for i := range 2 {
			for o := range 2 {
				costs[i][o] = min(costs[i][o], in[i]+out[o])
			}
		}
	}
	return costs
}

// maxKeyTensors is the largest number of operands and results, together, of an op whose costs are
// stored for reuse.
const maxKeyTensors = 8

// costKey identifies the costs of an op. It has the strategies, by their address; how often the op
// runs; and, for each operand and result, the shardings that it can choose from. The second of
// these is nil if the value cannot change.
type costKey struct {
	strategies *Strategy
	runs       int
	shardings  [maxKeyTensors]alternatives
}

// costKey returns the key of n. ok is false if n has too many operands and results, reads values
// from outside of a loop, has no strategies, or is not an op but a value that a loop carries.
func (c *cutGraph) costKey(n *node, strategies []Strategy) (key costKey, ok bool) {
	if n.op == nil || len(strategies) == 0 || len(n.operands)+len(n.results) > maxKeyTensors {
		return key, false
	}
	key.strategies, key.runs = &strategies[0], n.runs
	for i, v := range n.operands {
		if v.runs != n.runs {
			return key, false
		}
		key.shardings[i] = alternatives{v.sharding, nil}
		if c.has(v) {
			key.shardings[i] = v.alternatives
		}
	}
	for i, v := range n.results {
		a := alternatives{v.sharding, nil}
		if c.has(v) && !v.fixed {
			a = v.alternatives
		}
		key.shardings[len(n.operands)+i] = a
	}
	return key, true
}

// operandCosts returns the cost of n by strategy s, without its results: the op itself, and moving
// its operands to where s needs them. Element 0 is for the case that the operands in the group are
// sharded along c.axis, element 1 for the case that they are not. limit holds a cost for each: once
// both reach theirs, operandCosts stops counting, because cheaper strategies are known.
//
// If s needs an operand of the group unsharded along the axis, element 0 is impossible: n then
// reads a gathered copy, which is the case of element 1. The cost of the gather is not in the
// result: the edge from the operand's maker to the copy has it. Element 1 is impossible if s needs
// an operand as the axis shards it in the first case, and in the second case the axis shards
// another dimension of the operand.
func (c *cutGraph) operandCosts(n *node, s Strategy, limit [2]int) [2]int {
	own := times(s.Cost, n.runs)
	out := [2]int{own, own}
	c.readings++
	for i, v := range n.operands {
		if out[0] >= limit[0] && out[1] >= limit[1] {
			break
		}
		again := v.read == c.readings
		v.read = c.readings
		if v.value.Type.IsToken() || again || v.rematerializes {
			continue
		}
		want := s.Operands[i]
		if !c.has(v) {
			move := c.moveCost(v, v.sharding, want)
			out[0] += move
			out[1] += move
			continue
		}
		if c.shards(want) {
			out[0] += c.moveCost(v, v.sharded, want)
		} else {
			out[0] = impossible
		}
		if want == v.sharded && c.shards(v.other) {
			out[1] = impossible
		} else {
			out[1] += c.moveCost(v, v.other, want)
		}
	}
	return [2]int{min(out[0], impossible), min(out[1], impossible)}
}

// shards reports whether the axis of the group shards a dimension of s.
func (c *cutGraph) shards(s *layout.Sharding) bool { return c.withoutAxis(s, c.axis) != s }

// resultCosts returns the cost of moving the results of strategy s to their shardings. Element 0 is
// for the case that the results in the group are sharded, element 1 for the case that they are not.
// Element 1 has up to 2 more for each result that moves: of equal costs, the readers should move
// it. It stops counting an element that reaches its limit.
func (c *cutGraph) resultCosts(n *node, s Strategy, limit [2]int) (out [2]int) {
	for i, v := range n.results {
		if v.value.Type.IsToken() {
			continue
		}
		sharded, other := v.sharding, v.sharding
		if c.has(v) && !v.fixed {
			sharded, other = v.sharded, v.other
		}
		if out[0] < limit[0] {
			out[0] += c.moveCost(v, s.Results[i], sharded)
		}
		if out[1] < limit[1] {
			move := c.moveCost(v, s.Results[i], other)
			out[1] += move + min(move, 2) // of equal costs, prefer that the readers move it
		}
	}
	return out
}

// moveCost returns the cost of moving v from one sharding to another, as often as v is made. A
// value from outside of a loop is moved before the loop.
func (c *cutGraph) moveCost(v *variable, from, to *layout.Sharding) int {
	if from == to {
		return 0
	}
	return times(c.e.MoveCost(v.value.Type, from, to), v.runs)
}

// addValue adds the edges between the maker of v and its readers. It does nothing if v is not in
// the group, is made again for each reader, or was added before.
func (c *cutGraph) addValue(v *variable) {
	if !c.has(v) || v.added || v.rematerializes {
		return
	}
	v.added = true
	maker := c.maker(v)
	// If several cuts cost the same, prefer the one that changes least.
	if v.sharding == v.sharded {
		c.prefer(maker, 1)
	} else {
		c.prefer(maker, -1)
	}
	// A value that is moved for one reader is moved for all of them.
	toOther, toSharded := c.net.AddNode(), c.net.AddNode()
	c.net.Connect(maker, toOther, c.moveCost(v, v.sharded, v.other))
	c.net.Connect(toSharded, maker, c.moveCost(v, v.other, v.sharded))
	for _, u := range v.uses {
		if n := u.node; n != nil {
			if n.group == c.group && n.read >= 0 {
				c.net.Connect(toOther, n.read, mincut.Unbounded)
				c.net.Connect(n.read, toSharded, mincut.Unbounded)
			}
			continue
		}
		switch want := c.e.Demand(u.op, u.operand); want {
		case v.other:
			c.net.Connect(toOther, mincut.Sink, mincut.Unbounded)
		case v.sharded:
			c.net.Connect(mincut.Source, toSharded, mincut.Unbounded)
		default:
			c.prefer(maker, c.moveCost(v, v.other, want)-c.moveCost(v, v.sharded, want))
		}
	}
}
