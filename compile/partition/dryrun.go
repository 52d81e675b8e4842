package partition

// This file finds out what a function costs, again and again while a search
// revises its shardings. Only ops are evaluated whose inputs may have changed: the
// makers and users of values that have got another sharding and, of an op that
// then makes or moves something else, the users of that. Of ops of one class that
// have the same inputs one is evaluated.

import (
	"math/bits"
	"slices"

	"github.com/gospmd/gospmd/compile/autoshard"
	"github.com/gospmd/gospmd/layout"
)

// dryRun is what is known of the costs of a function.
type dryRun struct {
	p        *partitioner
	ops      []*opNode // in program order
	total    Spent     // of the outcomes that ops have
	pending  []uint64  // the ops to be evaluated, as bits
	undo     []undo
	outcomes map[inputKey]*outcome
	inputs   []*layout.Sharding // of the op at hand

	visited, evaluated int // ops, for tests of growth
}

// outcome is how an op is partitioned for some inputs.
type outcome struct {
	inputs []*layout.Sharding
	best   *strategy          // nil for ops that are not partitioned by factors
	made   []*layout.Sharding // as which results are made; nil for those that are rematerialized
	spent  Spent              // on moving operands, and on the op
	moves  []move             // what that makes

	strategies [][]autoshard.Strategy // by axis, as far as they were asked for
}

// move is a copy of an operand that is made.
type move struct {
	operand int
	to      *layout.Sharding
}

// movedCopy is a copy of a value that an op has made.
type movedCopy struct {
	by *opNode
	to *layout.Sharding
}

// undo is what a change has replaced.
type undo struct {
	node             *opNode // whose outcome, or nil
	outcome          *outcome
	value            *valueNode // whose sharding, or nil
	stated, declared *layout.Sharding
}

// maxKeyInputs is the number of inputs up to which outcomes are shared.
const maxKeyInputs = 16

// inputKey identifies an outcome.
type inputKey struct {
	class  class
	inputs [maxKeyInputs]*layout.Sharding
}

// add adds the next op of the function.
func (r *dryRun) add(n *opNode) {
	n.index, n.outcome = len(r.ops), &outcome{}
	r.ops = append(r.ops, n)
	if n.index/64 == len(r.pending) {
		r.pending = append(r.pending, 0)
	}
	r.mark(n)
}

// DryRun returns the estimated cost of partitioning the function, which Module
// does in the same order; ok is false if it reaches limit. Call Commit or
// Rollback afterwards.
func (r *dryRun) DryRun(limit int) (total int, ok bool) {
	for word := range r.pending {
		for r.pending[word] != 0 { // evaluating marks later ops only
			bit := bits.TrailingZeros64(r.pending[word])
			r.pending[word] &^= 1 << bit
			r.evaluate(r.ops[word*64+bit])
		}
	}
	return r.total.Cost, r.total.Cost < limit
}

// mark says that the inputs of n may have changed.
func (r *dryRun) mark(n *opNode) { r.pending[n.index/64] |= 1 << (n.index % 64) }

// markUsers marks the users of v that come after an op; nil stands for all.
func (r *dryRun) markUsers(v *valueNode, after *opNode) {
	for _, n := range slices.Backward(v.users) {
		if after != nil && n.index <= after.index {
			return
		}
		r.mark(n)
	}
}

// declare says that v is to have a sharding.
func (r *dryRun) declare(v *valueNode, s *layout.Sharding) {
	v.declared = s
	if v.maker != nil {
		r.mark(v.maker)
	} else {
		v.made = s
	}
	r.markUsers(v, nil)
}

// evaluate finds the outcome of n. If its inputs are the same as the last time,
// so is that.
func (r *dryRun) evaluate(n *opNode) {
	r.visited++
	r.setInputs(n)
	if n.inputs != nil && slices.Equal(n.inputs, r.inputs) {
		return
	}
	r.undo = append(r.undo, undo{node: n, outcome: n.outcome})
	r.set(n, r.outcomeOf(n))
}

// setInputs sets r.inputs to all that the outcome of n depends on: the declared
// shardings of its results and the copies that there are of its operands. It
// lists those in the operands' tensors.
func (r *dryRun) setInputs(n *opNode) {
	r.inputs = r.inputs[:0]
	for _, v := range n.results {
		r.inputs = append(r.inputs, v.declared)
	}
	for _, v := range n.operands {
		v.copiesFor(n)
		r.inputs = append(r.inputs, nil)
		for _, c := range v.copies {
			r.addInput(c.sharding, v.declared)
		}
	}
}

// addInput adds a copy of a value to r.inputs.
func (r *dryRun) addInput(s, declared *layout.Sharding) {
	r.inputs = append(r.inputs, s)
	if isPartial(s) {
		r.inputs = append(r.inputs, declared) // choose looks at it then
	}
}

// inputKey returns the key of the outcome of n for r.inputs, of which there are up to
// maxKeyInputs.
func (r *dryRun) inputKey(n *opNode) inputKey {
	key := inputKey{class: n.class}
	copy(key.inputs[:], r.inputs)
	return key
}

// copiesFor lists the copies of the value that there are when n runs.
func (v *valueNode) copiesFor(n *opNode) {
	v.copies = v.copies[:0]
	if v.made != nil {
		v.copies = append(v.copies, shardedCopy{sharding: v.made})
	}
	for _, c := range v.moved {
		if c.by.index >= n.index {
			return
		}
		v.copies = append(v.copies, shardedCopy{sharding: c.to})
	}
}

// outcomeOf returns the outcome of n for r.inputs.
func (r *dryRun) outcomeOf(n *opNode) *outcome {
	if n.rule == nil || len(r.inputs) > maxKeyInputs {
		return r.newOutcome(n)
	}
	key := r.inputKey(n)
	out := r.outcomes[key]
	if out == nil {
		out = r.newOutcome(n)
		r.outcomes[key] = out
	}
	return out
}

// newOutcome partitions n for r.inputs.
func (r *dryRun) newOutcome(n *opNode) *outcome {
	r.evaluated++
	o := &outcome{inputs: slices.Clone(r.inputs)}
	if n.rule != nil {
		o.best = r.p.choose(n.rule, n.op, n.factors)
		o.made, o.spent = o.best.results, Spent{o.best.within.bytes, o.best.flops(), o.best.inside}
		for i := range n.operands {
			r.moveTo(o, n, i, o.best.operands[i])
		}
		return o
	}
	for i, want := range n.demands {
		if want == nil {
			break
		}
		r.moveTo(o, n, i, want)
	}
	for _, v := range n.results {
		if v.rematerialize != nil {
			o.made = append(o.made, nil)
		} else {
			o.made = append(o.made, v.declared)
		}
	}
	return o
}

// moveTo makes another copy of an operand, if there is none as wanted.
func (r *dryRun) moveTo(o *outcome, n *opNode, operand int, want *layout.Sharding) {
	v := n.operands[operand]
	from, how := r.p.cheapest(v.tensor, want)
	if from.sharding == want || from.sharding == nil {
		return
	}
	v.copies = append(v.copies, shardedCopy{sharding: want})
	o.spent = o.spent.plus(Spent{Bytes: how.bytes, Cost: how.cost()})
	o.moves = append(o.moves, move{operand, want})
}

// set gives n an outcome, and marks the ops whose inputs that changes.
func (r *dryRun) set(n *opNode, o *outcome) {
	old := n.outcome
	n.outcome = o
	r.total = r.total.minus(old.spent).plus(o.spent)
	if !slices.Equal(old.moves, o.moves) {
		for _, m := range old.moves {
			v := n.operands[m.operand]
			v.moved = slices.DeleteFunc(v.moved, func(c movedCopy) bool { return c.by == n })
			r.markUsers(v, n)
		}
		for _, m := range o.moves {
			v := n.operands[m.operand]
			place := len(v.moved)
			for place > 0 && v.moved[place-1].by.index > n.index {
				place--
			}
			v.moved = slices.Insert(v.moved, place, movedCopy{n, m.to})
			r.markUsers(v, n)
		}
	}
	for i, v := range n.results {
		if made := at(o.made, i); made != v.made {
			v.made = made
			r.markUsers(v, nil)
		}
	}
}

func (s Spent) plus(o Spent) Spent {
	return Spent{s.Bytes + o.Bytes, s.Flops + o.Flops, s.Cost + o.Cost}
}

func (s Spent) minus(o Spent) Spent {
	return Spent{s.Bytes - o.Bytes, s.Flops - o.Flops, s.Cost - o.Cost}
}

// Commit keeps the shardings that were set, and what the last dry run found.
func (r *dryRun) Commit() { r.undo = r.undo[:0] }

// Rollback takes back all that has changed since the last Commit.
func (r *dryRun) Rollback() {
	for _, u := range slices.Backward(r.undo) {
		if u.node != nil {
			r.set(u.node, u.outcome)
		} else {
			u.value.value.Sharding = u.stated
			r.declare(u.value, u.declared)
		}
	}
	r.Commit()
}
