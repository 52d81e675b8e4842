package data

// This file defines the stages Batch, Map, Take, Skip and Repeat.

import (
	"context"
	"fmt"
	"io"
	"iter"
	"math"
	"reflect"
	"runtime"
)

// batching is the stage that puts n consecutive samples into a batch.
type batching struct {
	stage
	n    int
	drop bool // drop the last batch if it is smaller
}

func (s *batching) name() string { return "Batch" }

func (s *batching) identify(w io.Writer) error {
	fmt.Fprintln(w, "batch", s.n, s.drop)
	return s.stage.identify(w)
}

func (s *batching) size() int {
	samples := s.stage.size()
	switch {
	case samples < 0:
		return samples
	case s.drop:
		return samples / s.n
	}
	return (samples + s.n - 1) / s.n
}

func (s *batching) at(p pass) func(int) (item, error) {
	get := s.stage.at(p)
	if get == nil {
		return nil
	}
	return func(i int) (item, error) {
		limit := (i + 1) * s.n
		if samples := s.stage.size(); samples >= 0 {
			limit = min(limit, samples)
		}
		var items []item
		for k := i * s.n; k < limit; k++ {
			it, err := get(k)
			if err != nil {
				return item{}, err
			}
			items = append(items, it)
		}
		return s.batch(i, items)
	}
}

func (s *batching) batch(i int, items []item) (item, error) {
	b, err := stack(items)
	if err != nil {
		err = fmt.Errorf("Batch: batch %d: %w", i, err)
	}
	return itemOf(b), err
}

func (s *batching) open(ctx context.Context, p pass, from int) iter.Seq2[item, error] {
	return func(yield func(item, error) bool) {
		var items []item
		i := from
		for it, err := range s.stage.open(ctx, p, from*s.n) {
			if err != nil {
				yield(item{}, err)
				return
			}
			if items = append(items, it); len(items) < s.n {
				continue
			}
			b, err := s.batch(i, items)
			if !yield(b, err) || err != nil {
				return
			}
			items = items[:0]
			i++
		}
		if len(items) > 0 && !s.drop {
			yield(s.batch(i, items))
		}
	}
}

// mapping is the stage that calls a function for each element.
type mapping struct {
	stage
	f        func(Batch) (Batch, error)
	element  string // what an element is called in messages
	parallel int    // calls at a time
}

func (s *mapping) name() string { return "Map" }

func (s *mapping) identify(w io.Writer) error {
	fmt.Fprintln(w, "map", runtime.FuncForPC(reflect.ValueOf(s.f).Pointer()).Name())
	return s.stage.identify(w)
}

func (s *mapping) apply(i int, it item) (item, error) {
	b, err := it.batch()
	if err == nil {
		b, err = s.f(b)
	}
	if err == nil && len(b.X) == 0 {
		err = fmt.Errorf("the function returned no inputs, want at least one")
	}
	if err != nil {
		err = fmt.Errorf("Map: %s %d: %w", s.element, i, err)
	}
	return itemOf(b), err
}

func (s *mapping) at(p pass) func(int) (item, error) {
	get := s.stage.at(p)
	if get == nil {
		return nil
	}
	return func(i int) (item, error) {
		it, err := get(i)
		if err != nil {
			return it, err
		}
		return s.apply(i, it)
	}
}

func (s *mapping) open(ctx context.Context, p pass, from int) iter.Seq2[item, error] {
	if s.parallel > 1 {
		return s.openParallel(ctx, p, from)
	}
	return func(yield func(item, error) bool) {
		i := from
		for it, err := range s.stage.open(ctx, p, from) {
			if err == nil {
				it, err = s.apply(i, it)
			}
			if !yield(it, err) || err != nil {
				return
			}
			i++
		}
	}
}

// take is the stage that yields the first n elements.
type take struct {
	stage
	n int
}

func (s *take) name() string { return "Take" }

func (s *take) identify(w io.Writer) error {
	fmt.Fprintln(w, "take", s.n)
	return s.stage.identify(w)
}

func (s *take) size() int {
	switch n := s.stage.size(); {
	case n == Infinite || s.n == 0:
		return s.n
	case n == Unknown:
		return Unknown
	default:
		return min(n, s.n)
	}
}

func (s *take) open(ctx context.Context, p pass, from int) iter.Seq2[item, error] {
	return func(yield func(item, error) bool) {
		left := s.n - from
		if left <= 0 {
			return
		}
		for it, err := range s.stage.open(ctx, p, from) {
			if left--; !yield(it, err) || err != nil || left == 0 {
				return
			}
		}
	}
}

// skip is the stage that yields the elements after the first n.
type skip struct {
	stage
	n int
}

func (s *skip) name() string { return "Skip" }

func (s *skip) identify(w io.Writer) error {
	fmt.Fprintln(w, "skip", s.n)
	return s.stage.identify(w)
}

func (s *skip) size() int {
	if n := s.stage.size(); n >= 0 {
		return max(0, n-s.n)
	}
	return s.stage.size()
}

func (s *skip) at(p pass) func(int) (item, error) {
	get := s.stage.at(p)
	if get == nil {
		return nil
	}
	return func(i int) (item, error) { return get(i + s.n) }
}

func (s *skip) open(ctx context.Context, p pass, from int) iter.Seq2[item, error] {
	return s.stage.open(ctx, p, from+s.n)
}

// forever is the number of rounds of an endless Repeat.
const forever = math.MaxInt

// repeat yields the elements several times. Each round is a separate pass for the
// stages before it, so that a Shuffle there gives each round its own order.
type repeat struct {
	stage
	rounds int // number of rounds, or forever
}

func (s *repeat) name() string { return "Repeat" }

func (s *repeat) identify(w io.Writer) error {
	fmt.Fprintln(w, "repeat", s.rounds)
	return s.stage.identify(w)
}

func (s *repeat) size() int {
	n := s.stage.size()
	switch {
	case n == 0 || s.rounds == 0:
		return 0
	case n < 0 && s.rounds != forever:
		return n
	case s.rounds == forever:
		return Infinite
	}
	return n * s.rounds
}

// pass returns the pass that round number round makes of the elements in the pass p: each round of
// each pass has its own number, and so its own shuffling.
func (s *repeat) pass(p pass, round int) pass {
	if s.rounds == forever {
		p.number = p.number<<32 + uint64(round)
	} else {
		p.number = p.number*uint64(s.rounds) + uint64(round)
	}
	return p
}

func (s *repeat) at(p pass) func(int) (item, error) {
	n := s.stage.size()
	if n <= 0 || s.rounds == 0 || s.stage.at(p) == nil {
		return nil
	}
	const kept = 16 // number of rounds that a Shuffle after this stage may alternate between
	rounds := make(map[int]func(int) (item, error), kept)
	return func(i int) (item, error) {
		get, ok := rounds[i/n]
		if !ok {
			if len(rounds) == kept {
				clear(rounds)
			}
			get = s.stage.at(s.pass(p, i/n))
			rounds[i/n] = get
		}
		return get(i % n)
	}
}

func (s *repeat) open(ctx context.Context, p pass, from int) iter.Seq2[item, error] {
	return func(yield func(item, error) bool) {
		first, drop := 0, 0
		switch n := s.stage.size(); {
		case n == Unknown:
			from, drop = 0, from // the number of rounds to skip is not known yet
		case n > 0:
			first, from = from/n, from%n
		}
		for round := first; round < s.rounds; round++ {
			seen := from
			for it, err := range s.stage.open(ctx, s.pass(p, round), from) {
				seen++
				if err == nil && drop > 0 {
					drop--
					continue
				}
				if !yield(it, err) || err != nil {
					return
				}
			}
			from = 0
			if seen == 0 {
				return // the data have no elements
			}
		}
	}
}
