package memory

// This file finds out what a choice costs.
//
// A value that is not kept is computed again right before its first use behind the gap, and stays
// until the last one. Its kernel reads values that are kept, or other
// copies. A value that was freed before, because nothing used it any more, is computed again
// as well, or is kept until then. So each value is computed at most twice.

import (
	"math"
	"slices"
)

// choice says what becomes of each value.
type choice struct {
	evicted []bool // of those with a gap: it is not kept over the gap
	kept    []bool // of the others: it is kept until the last copy that reads it
}

func (p *problem) newChoice() choice {
	return choice{make([]bool, len(p.values)), make([]bool, len(p.values))}
}

func (c choice) clone() choice {
	return choice{slices.Clone(c.evicted), slices.Clone(c.kept)}
}

// withoutCopy returns c with value i, which it computes again, kept in memory instead.
func (c choice) withoutCopy(i int) choice {
	out := c.clone()
	if c.evicted[i] {
		out.evicted[i] = false
	} else {
		out.kept[i] = true
	}
	return out
}

// none is a step that is none.
const none = math.MaxInt

// span is a time from a step to a later one; none where there is none.
type span struct{ from, to int }

func (s *span) add(t int) {
	if s.from == none {
		s.from, s.to = t, t
		return
	}
	s.from, s.to = min(s.from, t), max(s.to, t)
}

// evaluator evaluates choices of one problem. Its fields hold the last one's outcome.
type evaluator struct {
	p     *problem
	count int // of evaluations

	copies  []span // when each value's copy is in memory
	asked   []int  // the first step behind a value's early uses at which a copy reads it; none
	memory  []int  // at each step
	seconds float64
	excess  int // bytes over the limit, summed over all steps
	peak    int // the step of the largest memory

	needs     []span
	change    []int
	transient []int
}

func newEvaluator(p *problem) *evaluator {
	n, steps := len(p.values), len(p.base)
	return &evaluator{p: p, copies: make([]span, n), asked: make([]int, n), needs: make([]span, n),
		memory: make([]int, steps), change: make([]int, steps+1), transient: make([]int, steps)}
}

// run evaluates c.
func (e *evaluator) run(c choice) {
	e.count++
	p := e.p
	clear(e.change)
	clear(e.transient)
	e.seconds = 0
	for i := range e.needs {
		e.needs[i], e.asked[i], e.copies[i] = span{none, none}, none, span{none, none}
	}
	for i := len(p.values) - 1; i >= 0; i-- {
		v, need := &p.values[i], e.needs[i]
		switch {
		case c.evicted[i]:
			need.add(v.late[0])
			need.add(v.late[len(v.late)-1])
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
		inside := 0 // what the kernel reads and nothing else
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
	e.sum()
}

// need notes that a copy that is made at step t reads value i. It reports whether value i is then
// computed for that.
func (e *evaluator) need(c choice, i, t int) bool {
	v := &e.p.values[i]
	free := v.last // from then on it is not there
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

// hold adds bytes to the memory from one step to another.
func (e *evaluator) hold(from, to, bytes int) {
	if from <= to {
		e.change[from] += bytes
		e.change[to+1] -= bytes
	}
}

// sum adds up the memory of all steps.
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
