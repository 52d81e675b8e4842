package partition

// This file computes the cost of a function repeatedly, while a search revises its shardings. It
// evaluates only ops whose inputs may have changed: the makers and users of each value with a new
// sharding. If such an op then makes or moves other copies, the users of its results follow. Among
// ops of one class with the same inputs, it evaluates only one.
//
// Ops in loops are included, in the order in which Module partitions them. Their costs are
// multiplied by the number of runs. A move for them runs as often as the block that it is hoisted
// to.

import (
	"encoding/binary"
	"math/bits"
	"slices"

	"github.com/gospmd/gospmd/compile/autoshard"
	"github.com/gospmd/gospmd/layout"
)

// dryRun holds the known costs of a function.
type dryRun struct {
	p        *partitioner
	ops      []*opNode // in program order
	total    Spent     // sum of the costs of all ops
	pending  []uint64  // the ops to be evaluated, as bits
	undo     []undo
	outcomes map[inputKey]*outcome
	runs     map[string]int32   // numbers for inputKey.runs
	inputs   []*layout.Sharding // inputs of the current op
	// the frames of the copies in inputs, in order; empty if all are the frame of the op
	sources []*frame

	visited, evaluated int // numbers of ops, for tests
}

// outcome says how an op is partitioned for given inputs.
type outcome struct {
	inputs []*layout.Sharding
	best   *strategy // nil if the op is not partitioned by factors
	// for each result, the sharding that the op makes it in; nil for a result that is
	// rematerialized: made again where it is used, in the sharding wanted there
	made  []*layout.Sharding
	own   Spent  // cost of one run of the op without moves
	moves []move // moves of operands

	// by axis: the strategies that use it, once a search has asked for them
	strategies [][]autoshard.Strategy
}

// move makes a copy of an operand.
type move struct {
	operand int
	from    int // the copy of the operand that is moved: its index in valueNode.copies
	to      *layout.Sharding
	spent   Spent // cost of one run
}

// evaluation is the outcome of one op, with the places of its moves.
type evaluation struct {
	*outcome
	sources []*frame // as in dryRun
	// the frames (blocks of the program) in which the moves of the outcome are made, in order
	moved []*frame
	spent Spent // cost in one run of the function
}

// movedCopy is a copy of a value that an op made by a move.
type movedCopy struct {
	by *opNode
	to *layout.Sharding
	at *frame
}

// undo holds what a change has replaced, so that it can be taken back.
type undo struct {
	node             *opNode // the node whose evaluation changed, or nil
	evaluation       evaluation
	value            *valueNode // the value whose sharding changed, or nil
	stated, declared *layout.Sharding
}

// maxKeyInputs is the largest number of inputs of an op that shares outcomes with others.
const maxKeyInputs = 16

// inputKey identifies an outcome by the inputs that it depends on.
type inputKey struct {
	class class
	// a number that is equal for ops if they, and the moves of their operands, run equally often
	runs   int32
	inputs [maxKeyInputs]*layout.Sharding
}

// add appends n to the ops of the function, in program order, in the current frame, and marks it to
// be evaluated.
func (r *dryRun) add(n *opNode) {
	n.index, n.outcome = len(r.ops), &outcome{}
	n.at = r.p.at
	r.ops = append(r.ops, n)
	if n.index/64 == len(r.pending) {
		r.pending = append(r.pending, 0)
	}
	r.mark(n)
}

// DryRun returns the estimated cost of partitioning the function, as Module would do it; it
// evaluates only ops whose shardings have changed. ok is false if the cost reaches limit. Call
// Commit or Rollback afterwards.
func (r *dryRun) DryRun(limit int) (total int, ok bool) {
	if cap(r.undo) == 0 { // the first dry run evaluates all ops
		r.undo = make([]undo, 0, len(r.ops))
	}
	for word := range r.pending {
		for r.pending[word] != 0 { // evaluating an op marks only later ops
			bit := bits.TrailingZeros64(r.pending[word])
			r.pending[word] &^= 1 << bit
			r.evaluate(r.ops[word*64+bit])
		}
	}
	return r.total.Cost, r.total.Cost < limit
}

// mark records that the inputs of n may have changed.
func (r *dryRun) mark(n *opNode) { r.pending[n.index/64] |= 1 << (n.index % 64) }

// markUsers marks the ops that read v to be evaluated again: those after the given op, or all of
// them if after is nil.
func (r *dryRun) markUsers(v *valueNode, after *opNode) {
	for _, n := range slices.Backward(v.users) {
		if after != nil && n.index <= after.index {
			return
		}
		r.mark(n)
	}
}

// declare sets the declared sharding of v to s, and marks the op that makes v and all that read it
// to be evaluated again. A parameter, which no op makes, then has the sharding s.
func (r *dryRun) declare(v *valueNode, s *layout.Sharding) {
	v.declared = s
	if v.maker != nil {
		r.mark(v.maker)
	} else {
		v.made = s
	}
	r.markUsers(v, nil)
}

// evaluate sets the evaluation of n, and keeps the old one for Rollback. If the inputs of n have
// not changed, it stays the same.
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

// setInputs sets r.inputs and r.sources to everything that the outcome of n depends on: the
// declared shardings of its results, the existing copies of its operands and, if n has no rule, the
// shardings that it reads them in. It lists the copies in the operands' tensors.
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

// addInput adds the sharding of c, a copy of an operand, to r.inputs, and its frame to r.sources.
// For partial values it also adds the declared sharding.
func (r *dryRun) addInput(c shardedCopy, declared *layout.Sharding) {
	r.inputs = append(r.inputs, c.sharding)
	if isPartial(c.sharding) {
		r.inputs = append(r.inputs, declared) // choose then uses the declared sharding
	}
	r.sources = append(r.sources, c.at)
}

// endInputs empties r.sources if all operands' copies are in frame at, that of the op itself.
func (r *dryRun) endInputs(at *frame) {
	if !slices.ContainsFunc(r.sources, func(f *frame) bool { return f != at }) {
		r.sources = r.sources[:0]
	}
}

// inputKey returns the key of the outcome for r.inputs and r.sources of an op of class c in frame
// at. Its number runs is 0 if the op and the moves of its operands run once. There may be at most
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

// copiesFor sets v.copies to the copies of v, each in a sharding, that n can use: first the one in
// which v was made, if there is one, then those that ops before n have made by moves, in the order
// of these ops. It leaves out copies from a loop that n is not in.
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

// evaluationOf returns the evaluation of n for r.inputs: the outcome, the frame that each of its
// moves is made in, and the costs of all runs together.
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

// outcomeOf returns the outcome of n for r.inputs: a known one of an op of the same class with the
// same inputs, or a new one.
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

// newOutcome partitions n for r.inputs in a dry run, and returns the outcome: the chosen strategy,
// its costs and the moves of operands. An op without a rule has no strategy and no costs of its
// own, only the moves to the shardings that it demands, and its results have their declared
// shardings.
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

// moveTo makes operand number operand of n available in sharding want. It adds the cheapest move,
// and the copy that results, to the outcome o, unless the operand has such a copy or can be made in
// any sharding.
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
	for _, m := range o.moves { // for a copy that this op made: the copy that it was made from
		if n.operands[m.operand] == v && m.to == from.sharding {
			source = m.from
		}
	}
	v.copies = append(v.copies, shardedCopy{sharding: want, at: n.at.hoistTarget(from.at)})
	o.moves = append(o.moves, move{operand, source, want, Spent{Bytes: how.bytes, Cost: how.cost()}})
}

// set sets the evaluation of n, corrects the total by the difference of its costs, and marks the
// ops whose inputs change by it.
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
