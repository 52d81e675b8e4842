package memory

// This file computes the time of a choice and its memory at each step.
//
// A freed value is either computed again or moved to the host and fetched (moves.go).
//
// An evicted value is computed again right before its first use behind the gap, and this copy stays
// in memory until the last use. The copy's kernel reads values that are in memory, or other copies.
// If it reads a value that is freed by then, that value is computed again as well, or the choice
// keeps it until then. So each value is computed at most twice.

import (
	"math"
	"slices"
)

// choice says for each value of a problem, by its index, whether it stays in memory.
type choice struct {
	evicted []bool // a value with a gap is freed for the gap, and there again behind it
	away    []bool // if the value is evicted, it is fetched, not computed again
	kept    []bool // a value without a gap stays in memory until the last copy that reads it
}

func (p *problem) newChoice() choice {
	n := len(p.values)
	return choice{make([]bool, n), make([]bool, n), make([]bool, n)}
}

func (c choice) clone() choice {
	return choice{slices.Clone(c.evicted), slices.Clone(c.away), slices.Clone(c.kept)}
}

// evict frees value i for its gap. away says that it is fetched from the host.
func (c choice) evict(i int, away bool) { c.evicted[i], c.away[i], c.kept[i] = true, away, false }

// withoutCopy returns a copy of c that keeps value i in memory. c computes value i again.
func (c choice) withoutCopy(i int) choice {
	out := c.clone()
	if c.evicted[i] {
		out.evicted[i] = false
	} else {
		out.kept[i] = true
	}
	return out
}

// isAway reports whether c evicts value i, and fetches it in place of computing it again.
func (c choice) isAway(i int) bool { return c.evicted[i] && c.away[i] }

// turned returns a copy of c that computes value i again in place of moving it, or the other way
// round. c evicts value i.
func (c choice) turned(i int) choice {
	out := c.clone()
	out.away[i] = !out.away[i]
	return out
}

// none stands for "no step" in fields that have a step.
const none = math.MaxInt

// span is a range of steps, both ends included. An empty span has none in both fields.
type span struct{ from, to int }

func (s *span) add(t int) {
	if s.from == none {
		s.from, s.to = t, t
		return
	}
	s.from, s.to = min(s.from, t), max(s.to, t)
}

// evaluator computes the time and the memory of choices of one problem. The fields from copies to
// peak hold the outcome of the last choice that run got.
type evaluator struct {
	p     *problem
	count int // how many choices run has evaluated

	copies  []span  // by value: when its copy is in memory; empty if there is no copy
	asked   []int   // by value: the first step after value.early at which a copy reads it, or none
	memory  []int   // by step: bytes in memory
	seconds float64 // the time of all copies, and that the device waits for moves
	moving  float64 // the time of all moves
	excess  int     // bytes over the limit, summed over all steps
	peak    int     // the step of the largest memory

	needs     []span // by value: when copies read its copy
	change    []int  // by step: bytes that the choice adds to the memory from this step on
	transient []int  // by step: bytes that exist only while the copy of this step is computed
}

func newEvaluator(p *problem) *evaluator {
	n, steps := len(p.values), len(p.base)
	return &evaluator{p: p, copies: make([]span, n), asked: make([]int, n), needs: make([]span, n),
		memory: make([]int, steps), change: make([]int, steps+1), transient: make([]int, steps)}
}

// run computes the time and the memory of c, and stores them in e. It visits the values from the
// last one to the first, because a copy reads only earlier values.
func (e *evaluator) run(c choice) {
	e.count++
	p := e.p
	clear(e.change)
	clear(e.transient)
	e.seconds = 0
	e.moving = 0
	for i := range e.needs {
		e.needs[i], e.asked[i], e.copies[i] = span{none, none}, none, span{none, none}
	}
	for i := len(p.values) - 1; i >= 0; i-- {
		v, need := &p.values[i], e.needs[i]
		switch {
		case c.evicted[i]:
			need.add(v.late[0])
			need.add(v.late[len(v.late)-1])
			if c.away[i] {
				e.moveAway(i, need)
				continue
			}
			e.hold(v.early+1, v.last, -v.bytes)
		case need.from == none:
			continue
		case c.kept[i] || !v.movable:
			e.hold(v.last+1, need.to, v.bytes)
			continue
		}
		e.copies[i] = need
		if !v.unused || !c.evicted[i] {
			e.seconds += v.seconds
		}
		inside := 0 // bytes of the copies that only this kernel reads
		for _, d := range v.reads {
			if e.need(c, d, need.from) {
				inside += p.values[d].bytes
			}
		}
		if c.evicted[i] || need.from < need.to {
			e.hold(need.from, need.to, v.bytes)
		} else {
			inside += v.bytes
		}
		e.transient[need.from] = max(e.transient[need.from], inside)
	}
	if e.moving > 0 {
		e.seconds += p.waits(c)
	}
	e.sum()
}

// moveAway frees value i, which the choice keeps on the host or in fewer bits, and holds its copy
// for need.
func (e *evaluator) moveAway(i int, need span) {
	v := &e.p.values[i]
	stored, fetched := e.p.storedAt(v), e.p.fetchedFrom(v, need.from)
	e.moving += 2 * v.moving
	e.copies[i] = span{fetched, need.to}
	e.hold(stored+1, v.last, -v.bytes)
	e.hold(max(fetched, stored+1), need.to, v.bytes)
	if v.compressed {
		e.hold(stored+1, fetched-1, v.bytes/2)
	}
}

// need notes that a copy that is computed at step t reads value i. It reports whether i must be
// computed again only for such copies: i is no longer in memory at step t, and c does not evict i,
// which gives it a copy anyway. It is false for values that c keeps or that are not movable: they
// stay in memory until t.
func (e *evaluator) need(c choice, i, t int) bool {
	v := &e.p.values[i]
	free := v.last // the last step at which the value is in memory
	if v.crosses() {
		if t > v.early {
			e.asked[i] = min(e.asked[i], t)
		}
		if c.evicted[i] {
			free = v.early
		}
	}
	if t <= free {
		return false
	}
	e.needs[i].add(t)
	return !c.evicted[i] && !c.kept[i] && v.movable
}

// hold adds bytes to the memory of the steps from .. to, both included.
func (e *evaluator) hold(from, to, bytes int) {
	if from <= to {
		e.change[from] += bytes
		e.change[to+1] -= bytes
	}
}

// sum computes memory, excess and peak from the problem's own memory and the changes of the choice.
func (e *evaluator) sum() {
	held := 0
	e.excess, e.peak = 0, 0
	for t, n := range e.p.base {
		held += e.change[t]
		e.memory[t] = n + held + e.transient[t]
		e.excess += max(0, e.memory[t]-e.p.limit)
		if e.memory[t] > e.memory[e.peak] {
			e.peak = t
		}
	}
}
