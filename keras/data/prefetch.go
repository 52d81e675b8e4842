package data

// This file defines the stage Prefetch.

import (
	"context"
	"fmt"
	"io"
	"iter"
)

// prefetch makes the next n elements in a goroutine while those before them
// are used.
type prefetch struct {
	stage
	n int
}

func (s *prefetch) name() string { return "Prefetch" }

func (s *prefetch) identify(w io.Writer) error {
	fmt.Fprintln(w, "prefetch")
	return s.stage.identify(w)
}

// made is an element with what went wrong.
type made struct {
	it       item
	err      error
	panicked any
}

// open starts the goroutine; it has ended when the loop over the elements has.
func (s *prefetch) open(ctx context.Context, p pass, from int) iter.Seq2[item, error] {
	return func(yield func(item, error) bool) {
		ctx, cancel := context.WithCancel(ctx)
		ahead := make(chan made, s.n-1) // and one that waits to be sent
		go func() {
			defer close(ahead)
			defer func() {
				if r := recover(); r != nil {
					send(ctx, ahead, made{panicked: r})
				}
			}()
			for it, err := range s.stage.open(ctx, p, from) {
				if !send(ctx, ahead, made{it: it, err: err}) {
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
		// The goroutine stops silently when it is told to.
		if err := ctx.Err(); err != nil {
			yield(item{}, err)
		}
	}
}

// send reports whether m was sent before ctx ended.
func send(ctx context.Context, to chan<- made, m made) bool {
	select {
	case to <- m:
		return true
	case <-ctx.Done():
		return false
	}
}
