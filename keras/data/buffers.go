package data

// This file defines the stages with a buffer, Shuffle and Prefetch.

import (
	"context"
	"fmt"
	"io"
	"iter"
	"math"
	"math/rand/v2"
	"sync"
)

// Full is the buffer size of a Shuffle that holds all elements, so that every order is equally
// likely.
const Full = math.MaxInt

// shuffle keeps a buffer of elements and draws from it: tf.data's Shuffle. If the stage before can
// compute single elements, the buffer holds only their numbers, and skipped elements are never
// computed.
type shuffle struct {
	stage
	buffer int
	seed   *uint64 // nil: use the seed of the pass
	depth  uint64  // the number of stages before it
	fixed  bool    // every pass has the same order
}

func (s *shuffle) name() string { return "Shuffle" }

func (s *shuffle) identify(w io.Writer) error {
	fmt.Fprintf(w, "shuffle %d %t", s.buffer, s.fixed)
	if s.seed != nil {
		fmt.Fprintf(w, " %d", *s.seed)
	}
	fmt.Fprintln(w)
	return s.stage.identify(w)
}

func (s *shuffle) random(p pass) *rand.Rand {
	seed, number := mix(p.seed, s.depth), p.number
	if s.seed != nil {
		seed = *s.seed
	}
	if s.fixed {
		number = 0
	}
	return rand.New(rand.NewPCG(seed, number))
}

func (s *shuffle) at(p pass) func(int) (item, error) {
	get := s.stage.at(p)
	if get == nil || s.size() < 0 {
		return nil
	}
	order := sync.OnceValue(func() []int {
		out := make([]int, 0, s.size())
		for i := range s.order(p) {
			out = append(out, i)
		}
		return out
	})
	return func(i int) (item, error) { return get(order()[i]) }
}

// order yields the numbers of the elements, from 0, in the order of the pass p.
func (s *shuffle) order(p pass) iter.Seq2[int, error] {
	return shuffled(s.random(p), s.buffer, func(yield func(int, error) bool) {
		for i := 0; s.size() < 0 || i < s.size(); i++ {
			if !yield(i, nil) {
				return
			}
		}
	})
}

func (s *shuffle) open(ctx context.Context, p pass, from int) iter.Seq2[item, error] {
	get := s.stage.at(p)
	if get == nil {
		return skipFirst(shuffled(s.random(p), s.buffer, s.stage.open(ctx, p, 0)), from)
	}
	return func(yield func(item, error) bool) {
		n := 0
		for i := range s.order(p) {
			if n++; n <= from {
				continue
			}
			err := ctx.Err()
			var it item
			if err == nil {
				it, err = get(i)
			}
			if !yield(it, err) || err != nil {
				return
			}
		}
	}
}

// shuffled fills a buffer of that many elements of seq, at least 1, then yields a random element of
// it for each new one, and at the end the rest in random order. An error of seq is yielded, and
// ends the sequence; the buffered elements are then dropped.
func shuffled[T any](r *rand.Rand, buffer int, seq iter.Seq2[T, error]) iter.Seq2[T, error] {
	return func(yield func(T, error) bool) {
		var held []T
		for x, err := range seq {
			if err != nil {
				yield(x, err)
				return
			}
			if len(held) < buffer {
				held = append(held, x)
				continue
			}
			k := r.IntN(len(held))
			next := held[k]
			held[k] = x
			if !yield(next, nil) {
				return
			}
		}
		for len(held) > 0 {
			k, last := r.IntN(len(held)), len(held)-1
			next := held[k]
			held[k] = held[last]
			held = held[:last]
			if !yield(next, nil) {
				return
			}
		}
	}
}

// prefetch computes the next n elements in a goroutine while those before them are
// used.
type prefetch struct {
	stage
	n int
}

func (s *prefetch) name() string { return "Prefetch" }

func (s *prefetch) identify(w io.Writer) error {
	fmt.Fprintln(w, "prefetch")
	return s.stage.identify(w)
}

// fetched is an element that was read ahead, or the error or panic of computing it.
type fetched struct {
	it       item
	err      error
	panicked any
}

// open yields the elements of the pass p, from element from on, which a goroutine reads ahead. The
// goroutine ends before the loop over the elements returns; its panic is repeated in the loop.
func (s *prefetch) open(ctx context.Context, p pass, from int) iter.Seq2[item, error] {
	return func(yield func(item, error) bool) {
		ctx, cancel := context.WithCancel(ctx)
		ahead := make(chan fetched, s.n-1) // one more element waits to be sent
		go func() {
			defer close(ahead)
			defer func() {
				if r := recover(); r != nil {
					send(ctx, ahead, fetched{panicked: r})
				}
			}()
			for it, err := range s.stage.open(ctx, p, from) {
				if !send(ctx, ahead, fetched{it: it, err: err}) {
					return
				}
			}
		}()
		defer func() {
			cancel()
			for range ahead {
			}
		}()
		for m := range ahead {
			if m.panicked != nil {
				panic(m.panicked)
			}
			if !yield(m.it, m.err) || m.err != nil {
				return
			}
		}
		// The goroutine sends nothing more after ctx has ended.
		if err := ctx.Err(); err != nil {
			yield(item{}, err)
		}
	}
}

// send sends m to the channel to. It reports whether that was done before ctx ended.
func send(ctx context.Context, to chan<- fetched, m fetched) bool {
	select {
	case to <- m:
		return true
	case <-ctx.Done():
		return false
	}
}
