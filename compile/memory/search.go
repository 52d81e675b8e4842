package memory

// This file searches for the cheapest choice that fits.
//
// A descent starts from the choice that keeps everything. As long as the memory is over the limit,
// it looks at the step where it is largest, and evicts the values there that take the least time for
// the bytes. It evicts as many at once as the limit needs, and fewer where that raises the memory
// at another time. Where nothing helps, a copy in memory at that step is given up for keeping the
// value. When the choice fits, evictions are given up one by one that are not needed any more.
//
// The time for the bytes is only a guide: copies share what they read. So there are several
// descents, with other weights, and with weights that vary at random. All of them together have a
// number of evaluations that falls with the size of the problem, and so the time grows about as the
// problem. Nothing depends on the clock: equal problems have equal choices.

import (
	"cmp"
	"math"
	"math/rand/v2"
	"slices"
)

const (
	// work bounds the values and steps that all evaluations of a search visit.
	work = 12_000_000
	// leastEvaluations and mostEvaluations bound the evaluations of a search all the same.
	leastEvaluations, mostEvaluations = 300, 4000
	// maxDescents bounds the descents.
	maxDescents = 48
	// maxChain bounds the values that are computed again for one eviction.
	maxChain = 200
	// maxTried bounds the choices that are tried one by one where no eviction helps.
	maxTried = 24
)

// keepRules are parts of an evicted value's bytes. A value that was freed before the copy reads it is
// kept if it is not larger than that; a larger one is computed again as well.
var keepRules = []float64{0, 0.5, 1, 2}

// searcher searches one problem.
type searcher struct {
	p      *problem
	e      *evaluator
	budget int // evaluations

	power  float64 // of the bytes, in the weights of a descent
	random *rand.Rand

	best        choice
	bestSeconds float64 // of a choice that fits
	bestExcess  int

	seen  []int // by value: the number of the chain that visited it last
	chain int
}

// solve returns the cheapest choice that it finds, and whether that fits; else the choice that
// comes nearest.
func solve(p *problem) (c choice, fits bool) {
	size := len(p.values) + len(p.base) + 1
	s := &searcher{p: p, e: newEvaluator(p), budget: min(max(leastEvaluations, work/size), mostEvaluations),
		best: p.newChoice(), bestSeconds: math.Inf(1), bestExcess: math.MaxInt, seen: make([]int, len(p.values))}
	for n := range maxDescents {
		if n > 0 && s.e.count > s.budget/2 {
			break
		}
		s.power, s.random = []float64{1, 0.7, 1.5, 1}[n%4], nil
		if n > 2 {
			s.random = rand.New(rand.NewPCG(uint64(n), 0))
		}
		s.descend(s.start(n))
		if s.bestExcess == 0 && s.bestSeconds == 0 {
			break
		}
	}
	return s.best, s.bestExcess == 0
}

// start returns the choice that descent n starts from: to keep everything, or the best choice so far
// with some values changed at random.
func (s *searcher) start(n int) choice {
	if n%2 == 0 || s.random == nil {
		return s.p.newChoice()
	}
	c := s.best.clone()
	for range 1 + s.random.IntN(4) {
		i := s.random.IntN(len(s.p.values))
		if s.p.values[i].crosses() {
			c.evicted[i], c.kept[i] = !c.evicted[i], false
		} else {
			c.kept[i] = !c.kept[i]
		}
	}
	return c
}

// descend makes one descent from c.
func (s *searcher) descend(c choice) {
	banned := make([]bool, len(s.p.values)) // did not help where they were tried last
	s.e.run(c)
	for s.e.excess > 0 && s.e.count <= s.budget {
		if !s.evictSome(&c, banned) && !s.restoreOne(&c) {
			break
		}
	}
	if s.e.excess == 0 {
		s.improve(&c)
	}
	s.note(c)
}

// note remembers c, whose outcome e has, if it is the best.
func (s *searcher) note(c choice) {
	if s.e.excess < s.bestExcess || s.e.excess == s.bestExcess && s.e.seconds < s.bestSeconds {
		s.best, s.bestExcess, s.bestSeconds = c.clone(), s.e.excess, s.e.seconds
	}
}

// eviction is a candidate at one step.
type eviction struct {
	value int
	keeps []int // values that are kept for its copy
	gain  int   // bytes at that step
	score float64
}

// evictSome evicts the values with the best scores at the largest step. It reports whether the
// memory over the limit fell.
func (s *searcher) evictSome(c *choice, banned []bool) bool {
	for {
		list := s.candidates(*c, banned)
		if len(list) == 0 {
			return false
		}
		missing, n := s.e.memory[s.e.peak]-s.p.limit, 0
		for gained := 0; n < len(list) && gained < missing; n++ {
			gained += list[n].gain
		}
		before := s.e.excess
		for ; n > 0; n /= 2 {
			next := c.clone()
			for _, x := range list[:n] {
				x.apply(next)
			}
			if s.e.run(next); s.e.excess < before {
				*c = next
				clear(banned)
				return true
			}
			if s.e.count > s.budget {
				s.e.run(*c)
				return false
			}
		}
		banned[list[0].value] = true
		s.e.run(*c)
	}
}

// apply makes the eviction in c.
func (x eviction) apply(c choice) {
	c.evicted[x.value], c.kept[x.value] = true, false
	for _, k := range x.keeps {
		c.kept[k] = !c.evicted[k]
	}
}

// candidates returns the evictions that free memory at the step where it is largest, the best first.
func (s *searcher) candidates(c choice, banned []bool) []eviction {
	var out []eviction
	at := s.e.peak
	for i := range s.p.values {
		v := &s.p.values[i]
		if !v.crosses() || c.evicted[i] || banned[i] || at <= v.early || at >= min(v.late[0], s.e.asked[i]) {
			continue
		}
		best := eviction{score: math.Inf(1)}
		for _, rule := range keepRules {
			if x := s.eviction(c, i, at, rule); x.gain > 0 && x.score < best.score {
				best = x
			}
		}
		if !math.IsInf(best.score, 1) {
			out = append(out, best)
		}
	}
	slices.SortStableFunc(out, func(x, y eviction) int { return cmp.Compare(x.score, y.score) })
	return out
}

// eviction describes the eviction of value i, for the memory at a step.
func (s *searcher) eviction(c choice, i, at int, rule float64) eviction {
	v := &s.p.values[i]
	x := eviction{value: i, gain: v.bytes}
	seconds := v.seconds
	if v.unused {
		seconds = 0
	}
	from := min(v.late[0], s.e.asked[i])
	s.chain++
	length := 0
	var visit func(reads []int)
	visit = func(reads []int) {
		for _, d := range reads {
			w := &s.p.values[d]
			if s.seen[d] == s.chain || length > maxChain {
				continue
			}
			s.seen[d] = s.chain
			length++
			free := w.last
			if c.evicted[d] {
				free = w.early
			}
			switch {
			case from <= free || c.kept[d] || s.e.copies[d].from != none:
			case !w.movable || float64(w.bytes) <= rule*float64(v.bytes):
				x.keeps = append(x.keeps, d)
				if at > w.last {
					x.gain -= w.bytes
				}
			default:
				seconds += w.seconds
				visit(w.reads)
			}
		}
	}
	visit(v.reads)
	if length > maxChain {
		x.gain = 0
		return x
	}
	if s.random != nil {
		seconds *= math.Exp(1.5 * (s.random.Float64() - 0.5))
	}
	x.score = (seconds + 1e-12) / math.Pow(float64(max(x.gain, 1)), s.power)
	return x
}

// restoreOne keeps one value more, whose copy makes others be in memory at the step where it is
// largest: the one that leaves the least memory over the limit.
func (s *searcher) restoreOne(c *choice) bool {
	at := s.e.peak
	var list []choice
	for i, copied := range s.e.copies {
		if copied.from == none || at < copied.from || at > copied.to {
			continue
		}
		list = append(list, c.withoutCopy(i))
	}
	before := s.e.excess
	best, found := before, -1
	for k := range list {
		if len(list) > maxTried && k%((len(list)+maxTried-1)/maxTried) != 0 {
			continue
		}
		if s.e.run(list[k]); s.e.excess < best {
			best, found = s.e.excess, k
		}
	}
	if found >= 0 {
		*c = list[found]
	}
	s.e.run(*c)
	return found >= 0
}

// improve makes c, which fits, cheaper: it keeps what it can, and evicts a value in place of
// another one.
func (s *searcher) improve(c *choice) {
	for better := true; better && s.e.count <= s.budget; {
		better = s.keepMore(c) || s.exchange(c)
	}
}

// try makes next the choice if it fits and takes less time.
func (s *searcher) try(c *choice, next choice) bool {
	before := s.e.seconds
	if s.e.run(next); s.e.excess == 0 && s.e.seconds < before {
		*c = next
		return true
	}
	s.e.run(*c)
	return false
}

// keepMore keeps values that have copies, the dearest first.
func (s *searcher) keepMore(c *choice) (better bool) {
	var copied []int
	for i, at := range s.e.copies {
		if at.from != none {
			copied = append(copied, i)
		}
	}
	slices.SortStableFunc(copied, func(i, k int) int { return cmp.Compare(s.p.values[k].seconds, s.p.values[i].seconds) })
	for _, i := range copied {
		if s.e.count > s.budget {
			return better
		}
		better = s.try(c, c.withoutCopy(i)) || better
	}
	return better
}

// exchange evicts one value more and keeps another one, in small problems.
func (s *searcher) exchange(c *choice) bool {
	var in, out []int
	for i := range s.p.values {
		switch v := &s.p.values[i]; {
		case c.evicted[i]:
			in = append(in, i)
		case v.crosses():
			out = append(out, i)
		}
	}
	if len(in)*len(out)*2 > s.budget {
		return false
	}
	for _, o := range out {
		for _, i := range in {
			next := c.clone()
			next.evicted[i] = false
			next.evicted[o], next.kept[o] = true, false
			if s.try(c, next) {
				return true
			}
		}
	}
	return false
}
