package memory

// This file lets external tests make and solve problems of the search that come from no program.

import (
	"math"

	"github.com/gospmd/gospmd/compile/cost"
	"github.com/gospmd/gospmd/ir"
	"github.com/gospmd/gospmd/mesh"
)

// Node describes a value of a problem by the fields of the same names in type value.
type Node struct {
	Bytes      int
	Seconds    float64
	Made, Last int
	Reads      []int
	Early      int
	Late       []int
	Fixed      bool // the value cannot be computed again
}

// Problem is a problem of the search, for tests.
type Problem struct{ p *problem }

// NewProblem returns the problem of these nodes for a limit in bytes. base has the bytes in memory
// at each step if nothing is evicted.
func NewProblem(limit int, base []int, nodes []Node) Problem {
	p := &problem{limit: limit, base: base}
	for _, n := range nodes {
		p.values = append(p.values, value{bytes: n.Bytes, seconds: n.Seconds, made: n.Made, last: n.Last, reads: n.Reads, early: n.Early, late: n.Late, movable: !n.Fixed})
	}
	return Problem{p}
}

// ProblemOf returns the problem of f on a mesh. Its limit is a part of the predicted peak, from 0
// to 1.
func ProblemOf(f *ir.Func, m *cost.Machine, dm *mesh.DeviceMesh, part float64) Problem {
	u := m.MemoryOf(f, func(int) int { return -1 })
	p, _ := newProblem(f, u, m, dm, int(part*float64(u.Peak())), false)
	return Problem{p}
}

// Size returns the number of values.
func (p Problem) Size() int { return len(p.p.values) }

// Solve returns the predicted time in seconds of the choice that the search finds, and whether its
// memory is within the limit.
func (p Problem) Solve() (seconds float64, fits bool) {
	c, fits := solve(p.p)
	e := newEvaluator(p.p)
	e.run(c)
	return e.seconds, fits
}

// BruteForce evaluates all choices, and returns the least time in seconds of a choice that fits;
// fits is false if none does.
func (p Problem) BruteForce() (seconds float64, fits bool) {
	e, n := newEvaluator(p.p), len(p.p.values)
	seconds = math.Inf(1)
	for bits := range 1 << n {
		c := p.p.newChoice()
		for i := range n {
			if bits>>i&1 == 0 {
				continue
			}
			if p.p.values[i].crosses() {
				c.evicted[i] = true
			} else {
				c.kept[i] = true
			}
		}
		if e.run(c); e.excess == 0 {
			seconds = min(seconds, e.seconds)
		}
	}
	return seconds, !math.IsInf(seconds, 1)
}

// LeastPeak evaluates all choices, and returns the least peak, in bytes.
func (p Problem) LeastPeak() int {
	least := math.MaxInt
	e, n := newEvaluator(p.p), len(p.p.values)
	for bits := range 1 << n {
		c := p.p.newChoice()
		for i := range n {
			if bits>>i&1 == 1 {
				c.evicted[i], c.kept[i] = p.p.values[i].crosses(), !p.p.values[i].crosses()
			}
		}
		e.run(c)
		least = min(least, e.memory[e.peak])
	}
	return least
}
