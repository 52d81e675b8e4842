package memory

// This file lets external tests make and solve problems of the search that come from no program.

import (
	"math"

	"github.com/gospmd/gospmd/ir"
	"github.com/gospmd/gospmd/program"
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
	Moves      bool // the value can be moved to the host, in Moving seconds in each direction
	Moving     float64
}

// Problem is a problem of the search, for tests.
type Problem struct{ p *problem }

// NewProblem returns the problem of these nodes for a limit in bytes. base has the bytes in memory
// at each step if nothing is evicted.
func NewProblem(limit int, base []int, nodes []Node) Problem {
	p := &problem{limit: limit, base: base}
	for _, n := range nodes {
		p.values = append(p.values, value{bytes: n.Bytes, seconds: n.Seconds, made: n.Made, last: n.Last, reads: n.Reads, early: n.Early, late: n.Late, movable: !n.Fixed, moves: n.Moves, moving: n.Moving})
	}
	return Problem{p}
}

// While returns p for a device that computes while it moves values. clock has the time when each
// step starts, and that of the end.
func (p Problem) While(clock []float64) Problem {
	p.p.clock = clock
	p.p.orderMoves()
	return p
}

// ProblemOf returns the problem of f for the options o. Its limit is a part of the predicted peak,
// from 0 to 1.
func ProblemOf(f *ir.Func, o Options, part float64) Problem {
	u := o.Machine.MemoryOf(f, o.Donated)
	p, _ := newProblem(f, u, o, int(part*float64(u.Peak())), false)
	return Problem{p}
}

// Size returns the number of values, and how many of them may be moved to the host.
func (p Problem) Size() (values, moves int) {
	for i := range p.p.values {
		if p.p.values[i].moves {
			moves++
		}
	}
	return len(p.p.values), moves
}

// Solve returns the predicted time in seconds of the choice that the search finds, and whether its
// memory is within the limit.
func (p Problem) Solve() (seconds float64, fits bool) {
	c, fits := solve(p.p)
	e := newEvaluator(p.p)
	e.run(c)
	return e.seconds, fits
}

// GathersInLoops returns a copy of f whose loops gather what they read.
func GathersInLoops(f *ir.Func, o Options) *ir.Func { return o.gathersInLoops(f) }

// Body is the body of a loop as a function, which Fit makes fit for itself.
type Body struct {
	f *ir.Func
	o Options
}

// BodiesOf returns the bodies of the loops of f that are not in other loops.
func BodiesOf(f *ir.Func, o Options) (list []Body) {
	for op := range f.Body.Ops() {
		if op.Kind == ir.OpWhile {
			body, _ := functionOf(op.Regions[1])
			o.Donated = func(int) int { return -1 }
			list = append(list, Body{body, o})
		}
	}
	return list
}

// Peak returns the predicted peak of the body, in bytes.
func (b Body) Peak() int { return b.o.Machine.MemoryOf(b.f, b.o.Donated).Peak() }

// Least returns the least peak that one search for a limit finds, in bytes; fits says that it is
// within the limit.
func (b Body) Least(limit int) (peak int, fits bool) {
	b.o.Limit = limit
	_, fitting, err := fit(&start{f: b.f, usage: b.o.Machine.MemoryOf(b.f, b.o.Donated)}, b.o, limit)
	if none, ok := err.(*NoFitError); ok {
		return none.Least, false
	}
	return fitting.After, true
}

// Fit returns the body that Fit takes where the peak must be lower by less bytes, and what was done
// to it.
func (b Body) Fit(less int) (Body, []program.Crossing) {
	f, values := fitBody(b.f, less, b.o)
	return Body{f, b.o}, values
}

// choices calls visit with each choice of p.
func (p Problem) choices(visit func(choice)) {
	c := p.p.newChoice()
	var choose func(i int)
	choose = func(i int) {
		if i == len(p.p.values) {
			visit(c)
			return
		}
		choose(i + 1)
		if v := &p.p.values[i]; v.crosses() {
			for _, away := range v.ways() {
				c.evict(i, away)
				choose(i + 1)
			}
			c.evicted[i] = false
		} else {
			c.kept[i] = true
			choose(i + 1)
			c.kept[i] = false
		}
	}
	choose(0)
}

// BruteForce evaluates all choices, and returns the least time in seconds of a choice that fits;
// fits is false if none does.
func (p Problem) BruteForce() (seconds float64, fits bool) {
	e := newEvaluator(p.p)
	seconds = math.Inf(1)
	p.choices(func(c choice) {
		if e.run(c); e.excess == 0 {
			seconds = min(seconds, e.seconds)
		}
	})
	return seconds, !math.IsInf(seconds, 1)
}

// LeastPeak evaluates all choices, and returns the least peak, in bytes.
func (p Problem) LeastPeak() int {
	least := math.MaxInt
	e := newEvaluator(p.p)
	p.choices(func(c choice) {
		e.run(c)
		least = min(least, e.memory[e.peak])
	})
	return least
}
