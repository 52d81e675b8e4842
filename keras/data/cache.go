package data

// This file defines the stage Cache that keeps elements in memory.

import (
	"context"
	"fmt"
	"io"
	"iter"
	"sync"
)

// cache keeps the elements of pass 0 as they come and yields them in every
// pass: a Shuffle before it orders them once and for all.
type cache struct {
	stage
	seeded bool // the elements depend on the seed of the pass

	mu    sync.Mutex
	seed  uint64 // that of items
	items map[int]item
	end   int // number of elements, Unknown until a pass has seen the last one
}

func newCache(s stage, seeded bool) *cache {
	return &cache{stage: s, seeded: seeded, items: make(map[int]item), end: s.size()}
}

func (s *cache) name() string { return "Cache" }

func (s *cache) identify(w io.Writer) error {
	fmt.Fprintln(w, "cache")
	return s.stage.identify(w)
}

func (s *cache) size() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.end
}

func (s *cache) get(i int) (item, bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	it, ok := s.items[i]
	return it, ok
}

func (s *cache) put(i int, it item) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.items[i] = it
}

// first is the pass whose elements are kept.
func first(p pass) pass { return pass{seed: p.seed} }

// forget drops elements that belong to another seed.
func (s *cache) forget(p pass) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.seeded && s.seed != p.seed {
		s.seed = p.seed
		clear(s.items)
	}
}

func (s *cache) at(p pass) func(int) (item, error) {
	s.forget(p)
	make := s.stage.at(first(p))
	if make == nil {
		return nil
	}
	return func(i int) (item, error) {
		if it, ok := s.get(i); ok {
			return it, nil
		}
		it, err := make(i)
		if err == nil {
			s.put(i, it)
		}
		return it, err
	}
}

func (s *cache) open(ctx context.Context, p pass, from int) iter.Seq2[item, error] {
	return func(yield func(item, error) bool) {
		s.forget(p)
		i := from
		for it, ok := s.get(i); ok; it, ok = s.get(i) {
			if err := ctx.Err(); err != nil {
				yield(item{}, err)
				return
			}
			if !yield(it, nil) {
				return
			}
			i++
		}
		if end := s.size(); end >= 0 && i >= end {
			return
		}
		for it, err := range s.stage.open(ctx, first(p), i) {
			if err == nil {
				s.put(i, it)
			}
			if !yield(it, err) || err != nil {
				return
			}
			i++
		}
		s.mu.Lock()
		defer s.mu.Unlock()
		if s.end == Unknown && i > from {
			s.end = i
		}
	}
}
