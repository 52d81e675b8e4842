package memory

// This file searches for the cheapest choice that fits.
//
// A descent starts from the choice that keeps everything. While memory is over the limit, it takes
// the step with the most memory, and evicts the values that are idle there and take the least time
// per byte to compute again, or to move to the host and back. Some descents move only what cannot
// be computed again. It evicts as many at once as the limit needs, or fewer if the copies raise the
// memory at another step too much. If no eviction helps, it keeps a value whose copy is in memory
// at that step, or evicts a value in the other way. Once the choice fits, the descent takes back
// evictions that are not needed, and computes values again in place of moving them, or the reverse.
//
// The time per byte is only a guide, because copies share what they read. So there are several
// descents, with different weights of time and bytes, some of them random. All descents together
// have a budget of evaluations. It falls with the size of the problem, so the time of the search
// grows about linearly. Nothing depends on the clock or on random seeds: equal problems get equal
// choices.

import (
	"cmp"
	"math"
	"math/rand/v2"
	"slices"
)

const (
	// work bounds the values and steps that all evaluations of a search visit.
	work = 12_000_000
	// leastEvaluations and mostEvaluations are the bounds of a search's budget of evaluations, which
	// otherwise follows from work.
	leastEvaluations, mostEvaluations = 300, 4000
	// maxDescents bounds the descents of a search.
	maxDescents = 48
	// maxChain bounds the values that are computed again for one eviction.
	maxChain = 200
	// maxTried bounds the choices that restoreOne evaluates.
	maxTried = 24
)

// keepRules are multiples of an evicted value's bytes. A freed value that the copy reads is kept if
// it is at most that large, and computed again otherwise. Each eviction is tried with all rules.
var keepRules = []float64{0, 0.5, 1, 2}

// searcher searches for the cheapest choice of one problem.
type searcher struct {
	p      *problem
	e      *evaluator
	budget int // of evaluations, for all descents

	power  float64    // an eviction's score is its time, divided by its bytes to this power
	random *rand.Rand // varies the scores in this descent; nil: the scores are exact
	stays  bool       // this descent moves no more values to the host, until its choice fits

	best        choice
	bestSeconds float64 // the time of best; infinite before the first descent
	// of best: the bytes over the limit, summed over all steps; 0 if it fits, math.MaxInt before the
	// first descent
	bestExcess int

	seen  []int // by value: the number of the chain that visited it last
	chain int   // the number of the current chain: the values computed again for one eviction
}

// solve returns the cheapest choice for p that it finds, and whether that choice fits. If none
// fits, it returns the choice with the least excess over the limit.
func solve(p *problem) (c choice, fits bool) {
	size := len(p.values) + len(p.base) + 1
	s := &searcher{p: p, e: newEvaluator(p), budget: min(max(leastEvaluations, work/size), mostEvaluations),
		best: p.newChoice(), bestSeconds: math.Inf(1), bestExcess: math.MaxInt, seen: make([]int, len(p.values))}
	for n := range maxDescents {
		if n > 0 && s.e.count > s.budget/2 {
			break
		}
		s.power, s.random, s.stays = []float64{1, 0.7, 1.5, 1}[n%4], nil, n%3 == 1
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

// start returns the choice that descent number n starts from: to keep everything or, in some random
// descents, the best choice so far with a few random changes.
func (s *searcher) start(n int) choice {
	if n%2 == 0 || s.random == nil {
		return s.p.newChoice()
	}
	c := s.best.clone()
	for range 1 + s.random.IntN(4) {
		i := s.random.IntN(len(s.p.values))
		switch v := &s.p.values[i]; {
		case !v.crosses():
			c.kept[i] = !c.kept[i]
		case c.evicted[i]:
			c.evicted[i] = false
		default:
			c.evict(i, !v.movable || v.moves && s.random.IntN(2) == 0)
		}
	}
	return c
}

// descend makes one descent from c, and notes the choice that it reaches, which may not fit: the
// descent ends when nothing helps, or the budget is used up.
func (s *searcher) descend(c choice) {
	banned := make([]bool, len(s.p.values)) // values whose eviction has not helped since the last success
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

// note stores c in s.best if c is better than it. s.e must have evaluated c last.
func (s *searcher) note(c choice) {
	if s.e.excess < s.bestExcess || s.e.excess == s.bestExcess && s.e.seconds < s.bestSeconds {
		s.best, s.bestExcess, s.bestSeconds = c.clone(), s.e.excess, s.e.seconds
	}
}

// eviction is the eviction of one value, considered for the step with the most memory.
type eviction struct {
	value int
	away  bool    // it is moved to the host
	keeps []int   // values that are kept so that its copy can read them
	gain  int     // bytes that the eviction frees at that step
	score float64 // lower is better
}

// evictSome evicts the values with the best scores at the step with the most memory. If the excess
// over the limit falls, it changes c and returns true. banned marks values that are not tried:
// evictSome marks the best one each time that no eviction helps, and clears all marks if one does.
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

// apply changes the choice c by the eviction: its value is evicted, and the values of keeps are kept
// unless they are evicted.
func (x eviction) apply(c choice) {
	c.evict(x.value, x.away)
	for _, k := range x.keeps {
		c.kept[k] = !c.evicted[k]
	}
}

// candidates returns the evictions from c that free memory at the step with the most memory, the
// best first, without those of banned values. For each value it takes the best of a move to the host
// and the rules of keepRules.
func (s *searcher) candidates(c choice, banned []bool) []eviction {
	var out []eviction
	at := s.e.peak
	for i := range s.p.values {
		v := &s.p.values[i]
		if !v.crosses() || c.evicted[i] || banned[i] || at <= v.early || at >= min(v.late[0], s.e.asked[i]) {
			continue
		}
		best := eviction{score: math.Inf(1)}
		consider := func(x eviction) {
			if x.gain > 0 && x.score < best.score {
				best = x
			}
		}
		if v.moves && !(s.stays && v.movable) {
			consider(s.offload(i, at))
		}
		if v.movable {
			for _, rule := range keepRules {
				consider(s.eviction(c, i, at, rule))
			}
		}
		if !math.IsInf(best.score, 1) {
			out = append(out, best)
		}
	}
	slices.SortStableFunc(out, func(x, y eviction) int { return cmp.Compare(x.score, y.score) })
	return out
}

// eviction returns the eviction of value i from c under a rule of keepRules, with its gain at step
// at and its score. A gain of 0 or less says that it does not help.
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
	x.score = s.score(seconds, x.gain)
	return x
}

// score returns the score of an eviction that takes so many seconds for a gain of bytes.
func (s *searcher) score(seconds float64, gain int) float64 {
	if s.random != nil {
		seconds *= math.Exp(1.5 * (s.random.Float64() - 0.5))
	}
	return (seconds + 1e-12) / math.Pow(float64(max(gain, 1)), s.power)
}

// offload returns the eviction that moves value i to the host, with its gain at step at and its
// score. It guesses the time by the moves so far: those for which the link has time beside the
// device's work cost nothing, and others cost their own time.
func (s *searcher) offload(i, at int) eviction {
	v := &s.p.values[i]
	x := eviction{value: i, away: true, gain: v.bytes}
	if at <= s.p.storedAt(v) || at >= s.p.fetchedFrom(v, min(v.late[0], s.e.asked[i])) {
		x.gain = 0
		return x
	}
	seconds := 2 * v.moving
	if n := len(s.p.clock); n > 0 {
		seconds = min(seconds, max(0, s.e.moving+seconds-s.p.clock[n-1]))
	}
	x.score = s.score(seconds, x.gain)
	return x
}

// restoreOne keeps one value whose copy is in memory at the step with the most memory, or turns an
// eviction (choice.turned): what leaves the least excess over the limit, of about maxTried that it
// tries. If the excess falls, it changes c and returns true.
func (s *searcher) restoreOne(c *choice) bool {
	at := s.e.peak
	var list []choice
	for i, copied := range s.e.copies {
		if copied.from == none || at < copied.from || at > copied.to {
			continue
		}
		list = append(list, c.withoutCopy(i))
	}
	for i := range s.p.values {
		if c.evicted[i] && len(s.p.values[i].ways()) > 1 {
			list = append(list, c.turned(i))
		}
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

// improve makes c, which fits, cheaper, as long as it can: it keeps evicted values, computes one
// again in place of moving it or the other way round, or evicts one value in place of another one.
func (s *searcher) improve(c *choice) {
	for better := true; better && s.e.count <= s.budget; {
		better = s.keepMore(c) || s.turnOne(c) || s.exchange(c)
	}
}

// try sets c to next if next fits and takes less time than c, and reports whether it did.
func (s *searcher) try(c *choice, next choice) bool {
	before := s.e.seconds
	if s.e.run(next); s.e.excess == 0 && s.e.seconds < before {
		*c = next
		return true
	}
	s.e.run(*c)
	return false
}

// keepMore keeps values of c that are computed again, those that take the longest first, if the
// choice still fits. It reports whether it changed c.
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

// turnOne computes a value of c again that is moved to the host, or the other way round, if that
// takes less time. It reports whether it changed c.
func (s *searcher) turnOne(c *choice) bool {
	for i := range s.p.values {
		if !c.evicted[i] || len(s.p.values[i].ways()) < 2 {
			continue
		}
		if s.try(c, c.turned(i)) {
			return true
		}
		if s.e.count > s.budget {
			return false
		}
	}
	return false
}

// exchange evicts one more value of c and keeps an evicted one, if that takes less time. It reports
// whether it changed c. In large problems it does nothing: there are too many pairs.
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
			for _, away := range s.p.values[o].ways() {
				next := c.clone()
				next.evicted[i] = false
				next.evict(o, away)
				if s.try(c, next) {
					return true
				}
			}
		}
	}
	return false
}
