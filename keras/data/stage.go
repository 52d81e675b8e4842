package data

// This file defines stage, of which pipelines are made.

import (
	"context"
	"hash/fnv"
	"io"
	"iter"
)

// pass is one going over the data. What a stage yields in it is a function of
// the pass alone, so that it can be gone into at any element.
type pass struct {
	seed   uint64 // of the stages that have none of their own
	number uint64 // the epoch; below a Repeat, of each round
}

// stage yields the elements of a pass, made of those of the stage before it.
type stage interface {
	// name is what messages call the stage.
	name() string
	// identify writes what tells the stage's elements from those of another.
	identify(w io.Writer) error
	// size returns the number of elements of a pass, or Unknown or Infinite.
	size() int
	// open yields the elements from the given one on; there may be fewer.
	open(ctx context.Context, p pass, from int) iter.Seq2[item, error]
	// at returns how to get any element of a pass of known size alone, nil
	// where that would cost more than the element.
	at(p pass) func(i int) (item, error)
}

// sequence yields what get gives from one element to another.
func sequence(ctx context.Context, from, limit int, get func(i int) (item, error)) iter.Seq2[item, error] {
	return func(yield func(item, error) bool) {
		for i := from; i < limit; i++ {
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

// skipped yields the elements after the first n.
func skipped(seq iter.Seq2[item, error], n int) iter.Seq2[item, error] {
	return func(yield func(item, error) bool) {
		for it, err := range seq {
			if err == nil && n > 0 {
				n--
				continue
			}
			if !yield(it, err) || err != nil {
				return
			}
		}
	}
}

// mix returns a seed made of others.
func mix(parts ...uint64) uint64 {
	h := fnv.New64a()
	for _, p := range parts {
		var b [8]byte
		for i := range b {
			b[i] = byte(p >> (8 * i))
		}
		h.Write(b[:])
	}
	return h.Sum64()
}
