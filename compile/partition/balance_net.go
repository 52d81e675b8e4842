package partition

// This file makes a minimal cut of the question which values of a track are
// split and which whole.

import (
	"slices"

	"github.com/gospmd/gospmd/internal/mincut"
	"github.com/gospmd/gospmd/ir"
)

// trackNet is the network of a track. What is on the source's side is split.
//
// An op has a node for what it reads of the track and one for what it makes of
// it. Between them stand the prices of the op for the four cases: the least
// over all ways to split it by the axis or not, of arithmetic, of operands
// that are not on the track, and of joining what it makes. A value that is made
// split and read whole is gathered once, whoever reads it: that is one edge
// from its maker to a node that all readers are behind.
type trackNet struct {
	*balancer
	*track
	net  *mincut.Network
	made map[*ir.Op]int // the node of what an op makes
	read map[*ir.Op]int // the node of what an op reads
	lies map[*ir.Value]alternatives
}

// alternatives are the layouts between which a value chooses.
type alternatives struct{ split, other *spec }

func newTrackNet(b *balancer, t *track) *trackNet {
	return &trackNet{balancer: b, track: t, net: mincut.New(), made: map[*ir.Op]int{}, read: map[*ir.Op]int{}, lies: map[*ir.Value]alternatives{}}
}

// impossible is a price that is never paid.
const impossible = 1 << 50

// solve returns which values are split in the cheapest way.
func (n *trackNet) solve() (split func(*ir.Value) bool) {
	for _, op := range n.ops {
		n.addOp(op)
	}
	done := map[*ir.Value]bool{}
	for _, op := range n.ops {
		for _, v := range slices.Concat(op.Operands, op.Results) {
			if !done[v] {
				done[v] = true
				n.addValue(v)
			}
		}
	}
	source, _ := n.net.Cut()
	return func(v *ir.Value) bool { return source[n.maker(v)] }
}

// on reports whether v is on the track.
func (n *trackNet) on(v *ir.Value) bool {
	_, ok := n.dims[v]
	return ok
}

// maker returns the node that v is made at: the source or the sink where v is
// pinned.
func (n *trackNet) maker(v *ir.Value) int {
	if node, ok := n.made[v.Def()]; ok && !n.pinned[v] {
		return node
	}
	if s, _ := n.specs(v); n.declared(v) == s {
		return mincut.Source
	}
	return mincut.Sink
}

// specs returns the layouts between which v chooses.
func (n *trackNet) specs(v *ir.Value) (split, other *spec) {
	a, ok := n.lies[v]
	if !ok {
		s, d := n.declared(v), n.dims[v]
		a = alternatives{n.splitSpec(s, d, n.axis), n.otherSpec(s, d, n.axis)}
		n.lies[v] = a
	}
	return a.split, a.other
}

// addOp adds the nodes of op and its prices.
func (n *trackNet) addOp(op *ir.Op) {
	reads := slices.ContainsFunc(op.Operands, n.on)
	makes := slices.ContainsFunc(op.Results, func(v *ir.Value) bool { return n.on(v) && !n.pinned[v] })
	prices := [2][2]int{{impossible, impossible}, {impossible, impossible}}
	for _, c := range n.ways(op) {
		// Where others are cheaper, the rest need not be known.
		limit := [2]int{max(prices[0][0], prices[0][1]), max(prices[1][0], prices[1][1])}
		in := n.operandPrices(c, limit)
		if in[0] >= limit[0] && in[1] >= limit[1] {
			continue
		}
		out := n.resultPrices(c)
		for i := range 2 {
			for o := range 2 {
				prices[i][o] = min(prices[i][o], in[i]+out[o])
			}
		}
	}
	from, to := mincut.Sink, mincut.Sink // where an op reads nothing of the track, all it needs is there
	if reads {
		from = n.net.AddNode()
		n.read[op] = from
	}
	if makes {
		to = n.net.AddNode()
		n.made[op] = to
	}
	// With i and o 0 for split and 1 for whole, the price is a constant plus
	// an amount for i, one for o, and one for i = 0 and o = 1.
	n.either(from, prices[1][0]-prices[0][0])
	n.either(to, prices[1][1]-prices[1][0])
	n.net.Connect(from, to, max(0, prices[0][1]+prices[1][0]-prices[0][0]-prices[1][1]))
}

// either adds what it costs that a node is whole, more than that it is split.
func (n *trackNet) either(node, whole int) {
	switch {
	case node < 2:
	case whole > 0:
		n.net.Connect(mincut.Source, node, whole)
	default:
		n.net.Connect(node, mincut.Sink, -whole)
	}
}

// ways returns how op may be split by the axis: not at all, or along one of its
// factors, other axes staying where they are.
func (n *trackNet) ways(op *ir.Op) []*choice {
	k := n.known[op]
	axis := n.mesh.SubAxis(n.axis)
	base := k.best.axes.Clone()
	for f, axes := range base {
		if last := len(axes) - 1; last >= 0 && axes[last] == axis {
			base[f] = axes[:last:last]
		}
	}
	old := k.ways[n.axis]
	if old.base.Equal(base) {
		return old.choices
	}
	list := []*choice{n.candidate(k.rule, op, k.factors, base)}
	for f := range base {
		if base.Overlaps(axis) {
			break // a part of it, or others split further: that is how it stays
		}
		a := base.Clone()
		a[f] = append(slices.Clone(a[f]), axis)
		if a[f].Size() > k.factors.Factors[f].Size {
			continue // devices without an element
		}
		if c := n.candidate(k.rule, op, k.factors, a); slices.Contains(c.axes[f], axis) {
			list = append(list, c)
		}
	}
	for i, c := range list {
		n.rateInside(k.rule, c)
		if c.axes.Equal(k.best.axes) {
			list[0], list[i] = list[i], list[0] // it is likely to remain the best
		}
	}
	k.ways[n.axis] = ways{base, list}
	return list
}

// operandPrices returns what c costs but for its results, if the track's
// operands are split and if they are whole. In the first case they must not be
// wanted whole: that is what a gathered version is for. It stops counting at
// the limits.
func (n *trackNet) operandPrices(c *choice, limit [2]int) [2]int {
	out := [2]int{c.inside, c.inside}
	for i, v := range c.op.Operands {
		if out[0] >= limit[0] && out[1] >= limit[1] {
			break
		}
		if v.Type.IsToken() || slices.Contains(c.op.Operands[:i], v) || isRemade(v) {
			continue
		}
		s := n.declared(v)
		if !n.on(v) {
			price := n.price(s, c.operands[i], v.Type)
			out[0] += price
			out[1] += price
			continue
		}
		split, other := n.specs(v)
		want := c.operands[i]
		if n.splits(want) {
			out[0] += n.price(split, want, v.Type)
		} else {
			out[0] = impossible
		}
		if want == split && n.splits(other) {
			out[1] = impossible
		} else {
			out[1] += n.price(other, want, v.Type)
		}
	}
	return [2]int{min(out[0], impossible), min(out[1], impossible)}
}

// splits reports whether the axis splits a dimension of s.
func (n *trackNet) splits(s *spec) bool { return n.wholeSpec(s, n.axis) != s }

// resultPrices returns what it costs to join what c makes, if the track's
// results are split and if they are whole.
func (n *trackNet) resultPrices(c *choice) (out [2]int) {
	for i, v := range c.op.Results {
		if v.Type.IsToken() {
			continue
		}
		s := n.declared(v)
		split, other := s, s
		if n.on(v) && !n.pinned[v] {
			split, other = n.specs(v)
		}
		out[0] += n.price(c.results[i], split, v.Type)
		moved := n.price(c.results[i], other, v.Type)
		out[1] += moved + min(moved, 2) // rather let its readers move it, if all else is equal
	}
	return out
}

// price returns what it costs to move a t from one layout to another.
func (n *trackNet) price(from, to *spec, t ir.Type) int {
	way := n.plan(from, to, t)
	return n.machine.SendCost(nil, way.bytes, way.launches)
}

// addValue adds the edges between the maker of v and its readers.
func (n *trackNet) addValue(v *ir.Value) {
	if !n.on(v) || isRemade(v) {
		return
	}
	split, other := n.specs(v)
	maker := n.maker(v)
	// Of equal cuts the one that changes least.
	if n.declared(v) == split {
		n.either(maker, 1)
	} else {
		n.either(maker, -1)
	}
	// What is moved for one reader is moved for all.
	toOther, toSplit := n.net.AddNode(), n.net.AddNode()
	n.net.Connect(maker, toOther, n.price(split, other, v.Type))
	n.net.Connect(toSplit, maker, n.price(other, split, v.Type))
	for _, use := range n.balancer.uses[v] {
		if node, ok := n.read[use.Op]; ok {
			n.net.Connect(toOther, node, mincut.Unbounded)
			n.net.Connect(node, toSplit, mincut.Unbounded)
			continue
		}
		if use.Op.Block() != n.f.Body || !n.asks(use.Op) {
			continue // v is pinned
		}
		switch want := n.wanted(use.Op, use.Operand); want {
		case other:
			n.net.Connect(toOther, mincut.Sink, mincut.Unbounded)
		case split:
			n.net.Connect(mincut.Source, toSplit, mincut.Unbounded)
		default:
			n.either(maker, n.price(other, want, v.Type)-n.price(split, want, v.Type))
		}
	}
}
