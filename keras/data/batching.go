package data

// This file defines the stage Batch.

import (
	"context"
	"fmt"
	"io"
	"iter"
)

// batching puts n samples into a batch.
type batching struct {
	stage
	n    int
	drop bool // the last batch, if it is smaller
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
	return whole(b), err
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
