package partition

// This file computes the cost of a function, again and again while a search revises its shardings.
// It evaluates only ops whose inputs may have changed: the makers and users of each value with a
// new sharding. If such an op then makes or moves something else, the users of its results follow.
// Among ops of one class with the same inputs, only one is evaluated.
//
// Ops in loops are included, in the order in which Module partitions them. Their costs count as
// often as they run. A move for them counts as often as the block that it is hoisted to runs.

import (
	"encoding/binary"
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
	runs     map[string]int32   // of inputKey
	inputs   []*layout.Sharding // of the op at hand
	// of the copies among these, in order; none where all are in the op's own
	sources []*frame

	visited, evaluated int // ops, for tests of growth
}

// outcome is how an op is partitioned for some inputs.
type outcome struct {
	inputs []*layout.Sharding
	best   *strategy          // nil for ops that are not partitioned by factors
	made   []*layout.Sharding // as which results are made; nil for those that are rematerialized
	own    Spent              // on one run of the op, without its moves
	moves  []move             // of operands

	strategies [][]autoshard.Strategy // by axis, as far as they were asked for
}

// move is a copy of an operand that is made.
type move struct {
	operand int
	from    int // the copy of the operand, among those that there were
	to      *layout.Sharding
	spent   Spent // each time
}

// evaluation is the outcome of one op, where that stands.
type evaluation struct {
	*outcome
	sources []*frame // as in dryRun
	moved   []*frame // where the outcome's moves are made
	spent   Spent    // in one run of the function
}

// movedCopy is a copy of a value that an op has made.
type movedCopy struct {
	by *opNode
	to *layout.Sharding
	at *frame
}

// undo is what a change has replaced.
type undo struct {
	node             *opNode // whose evaluation, or nil
	evaluation       evaluation
	value            *valueNode // whose sharding, or nil
	stated, declared *layout.Sharding
}

// maxKeyInputs is the largest number of inputs of ops that share outcomes.
const maxKeyInputs = 16

// inputKey identifies an outcome.
type inputKey struct {
	class  class
	runs   int32 // says how often the op runs, and what would be moved for it
	inputs [maxKeyInputs]*layout.Sharding
}

// add adds the next op of the function.
func (r *dryRun) add(n *opNode) {
	n.index, n.outcome = len(r.ops), &outcome{}
	n.at = r.p.at
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
	if cap(r.undo) == 0 { // the first one evaluates all ops
		r.undo = make([]undo, 0, len(r.ops))
	}
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
	r.p.at = n.at
	r.setInputs(n)
	if n.inputs != nil && slices.Equal(n.inputs, r.inputs) && slices.Equal(n.sources, r.sources) {
		return
	}
	r.undo = append(r.undo, undo{node: n, evaluation: n.evaluation})
	r.set(n, r.evaluationOf(n))
}

// setInputs sets r.inputs and r.sources to all that the outcome of n depends on: the
// declared shardings of its results, the copies that there are of its operands, and how
// other ops than those with a rule read them. It lists the copies in the operands' tensors.
func (r *dryRun) setInputs(n *opNode) {
	r.inputs, r.sources = r.inputs[:0], r.sources[:0]
	for _, v := range n.results {
		r.inputs = append(r.inputs, v.declared)
	}
	for i, v := range n.operands {
		v.copiesFor(n)
		r.inputs = append(r.inputs, nil)
		for _, c := range v.copies {
			r.addInput(c, v.declared)
		}
		if n.demands != nil {
			r.inputs = append(r.inputs, n.demands[i].sharding())
		}
	}
	r.endInputs(n.at)
}

// addInput adds a copy of a value.
func (r *dryRun) addInput(c shardedCopy, declared *layout.Sharding) {
	r.inputs = append(r.inputs, c.sharding)
	if isPartial(c.sharding) {
		r.inputs = append(r.inputs, declared) // choose looks at it then
	}
	r.sources = append(r.sources, c.at)
}

// endInputs forgets where copies are made if that is where the op stands.
func (r *dryRun) endInputs(at *frame) {
	if !slices.ContainsFunc(r.sources, func(f *frame) bool { return f != at }) {
		r.sources = r.sources[:0]
	}
}

// inputKey returns the key of the outcome for r.inputs of an op in frame at. There must be at most
// maxKeyInputs inputs.
func (r *dryRun) inputKey(c class, at *frame) inputKey {
	key := inputKey{class: c}
	copy(key.inputs[:], r.inputs)
	once := at.runs == 1
	for _, from := range r.sources {
		once = once && at.hoistTarget(from).runs == 1
	}
	if once {
		return key
	}
	words := binary.AppendUvarint(nil, uint64(at.runs))
	for _, from := range r.sources {
		words = binary.AppendUvarint(words, uint64(at.hoistTarget(from).runs))
	}
	if _, ok := r.runs[string(words)]; !ok {
		r.runs[string(words)] = int32(len(r.runs) + 1)
	}
	key.runs = r.runs[string(words)]
	return key
}

// copiesFor lists the copies of the value that there are when n runs.
func (v *valueNode) copiesFor(n *opNode) {
	v.copies = v.copies[:0]
	if v.made != nil {
		v.copies = append(v.copies, shardedCopy{sharding: v.made, at: v.at})
	}
	for _, c := range v.moved {
		if c.by.index >= n.index {
			return
		}
		if n.at.sees(c.at) {
			v.copies = append(v.copies, shardedCopy{sharding: c.to, at: c.at})
		}
	}
}

// evaluationOf returns the evaluation of n for r.inputs.
func (r *dryRun) evaluationOf(n *opNode) evaluation {
	o := r.outcomeOf(n)
	out := evaluation{outcome: o, sources: slices.Clone(r.sources), spent: o.own.times(n.at.runs)}
	for _, m := range o.moves {
		at := n.at.hoistTarget(n.operands[m.operand].copies[m.from].at)
		out.moved = append(out.moved, at)
		out.spent = out.spent.plus(m.spent.times(at.runs))
	}
	return out
}

// outcomeOf returns the outcome of n for r.inputs.
func (r *dryRun) outcomeOf(n *opNode) *outcome {
	if n.rule == nil || len(r.inputs) > maxKeyInputs {
		return r.newOutcome(n)
	}
	key := r.inputKey(n.class, n.at)
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
		o.made, o.own = o.best.results, Spent{o.best.within.bytes, o.best.flops(), o.best.inside}
		for i := range n.operands {
			r.moveTo(o, n, i, o.best.operands[i])
		}
		return o
	}
	for i, d := range n.demands {
		if want := d.sharding(); want != nil {
			r.moveTo(o, n, i, want)
		}
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
	if len(v.copies) > 0 && v.copies[0].sharding == want {
		return
	}
	from, how := r.p.cheapestCopy(v.tensor, want)
	if from.sharding == want || from.sharding == nil {
		return
	}
	source := slices.IndexFunc(v.copies, func(c shardedCopy) bool { return c.sharding == from.sharding && c.at == from.at })
	for _, m := range o.moves { // of a copy that this op has made, what that was made of
		if n.operands[m.operand] == v && m.to == from.sharding {
			source = m.from
		}
	}
	v.copies = append(v.copies, shardedCopy{sharding: want, at: n.at.hoistTarget(from.at)})
	o.moves = append(o.moves, move{operand, source, want, Spent{Bytes: how.bytes, Cost: how.cost()}})
}

// set gives n an evaluation, and marks the ops whose inputs that changes.
func (r *dryRun) set(n *opNode, e evaluation) {
	old := n.evaluation
	n.evaluation = e
	r.total = r.total.minus(old.spent).plus(e.spent)
	if !slices.Equal(old.moves, e.moves) || !slices.Equal(old.moved, e.moved) {
		for _, m := range old.moves {
			v := n.operands[m.operand]
			v.moved = slices.DeleteFunc(v.moved, func(c movedCopy) bool { return c.by == n })
			r.markUsers(v, n)
		}
		for i, m := range e.moves {
			v := n.operands[m.operand]
			place := len(v.moved)
			for place > 0 && v.moved[place-1].by.index > n.index {
				place--
			}
			v.moved = slices.Insert(v.moved, place, movedCopy{n, m.to, e.moved[i]})
			r.markUsers(v, n)
		}
	}
	for i, v := range n.results {
		if made := at(e.made, i); made != v.made {
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

func (s Spent) times(n int) Spent { return Spent{s.Bytes * n, s.Flops * n, s.Cost * n} }

// Commit keeps the shardings that were set, and the results of the last dry run.
func (r *dryRun) Commit() { r.undo = r.undo[:0] }

// Rollback undoes all changes since the last Commit.
func (r *dryRun) Rollback() {
	for _, u := range slices.Backward(r.undo) {
		if u.node != nil {
			r.set(u.node, u.evaluation)
		} else {
			u.value.value.Sharding = u.stated
			r.declare(u.value, u.declared)
		}
	}
	r.Commit()
}
