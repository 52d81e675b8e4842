package data

// This file defines the stage Interleave.

import (
	"context"
	"fmt"
	"io"
	"iter"
	"reflect"
	"runtime"
)

// interleaving is the stage that reads the elements of several pipelines in turn: tf.data's
// Interleave.
type interleaving struct {
	stage
	f            func(Batch) (*Pipeline, error)
	cycle, block int
	element      string // what an element is called in messages
	batched      bool
}

func (s *interleaving) name() string { return "Interleave" }

func (s *interleaving) identify(w io.Writer) error {
	fmt.Fprintln(w, "interleave", s.cycle, s.block, runtime.FuncForPC(reflect.ValueOf(s.f).Pointer()).Name())
	return s.stage.identify(w)
}

func (s *interleaving) size() int {
	if s.stage.size() == 0 {
		return 0
	}
	return Unknown
}

func (*interleaving) at(pass) func(int) (item, error) { return nil }

func (s *interleaving) open(ctx context.Context, p pass, from int) iter.Seq2[item, error] {
	return skipFirst(s.all(ctx, p), from)
}

// opened is a pipeline that Interleave is reading: next returns its next item, and stop ends the
// reading.
type opened struct {
	next func() (item, error, bool)
	stop func()
}

// all yields the elements from the first on. A place of the cycle that has come to the end of its
// pipeline gets the next one when its turn comes again.
func (s *interleaving) all(ctx context.Context, p pass) iter.Seq2[item, error] {
	return func(yield func(item, error) bool) {
		next, stop := iter.Pull2(s.stage.open(ctx, p, 0))
		defer stop()
		places := make([]*opened, s.cycle)
		defer func() {
			for _, o := range places {
				if o != nil {
					o.stop()
				}
			}
		}()
		i, reading, more := 0, 0, true
		for at, read := 0, 0; ; {
			if err := ctx.Err(); err != nil {
				yield(item{}, err)
				return
			}
			o := places[at]
			if o == nil && more {
				var it item
				var err error
				if it, err, more = next(); more {
					if err == nil {
						o, err = s.openOne(ctx, p, i, it)
					}
					if err != nil {
						yield(item{}, err)
						return
					}
					places[at], i, reading, read = o, i+1, reading+1, 0
				}
			}
			if o == nil {
				if reading == 0 && !more {
					return
				}
				at, read = (at+1)%s.cycle, 0
				continue
			}
			it, err, ok := o.next()
			if !ok {
				o.stop()
				places[at], reading = nil, reading-1
				at, read = (at+1)%s.cycle, 0
				continue
			}
			if !yield(it, err) || err != nil {
				return
			}
			if read++; read == s.block {
				at, read = (at+1)%s.cycle, 0
			}
		}
	}
}

// openOne opens the pipeline that the user's function returns for it, the element with index i of
// the pass p.
func (s *interleaving) openOne(ctx context.Context, p pass, i int, it item) (*opened, error) {
	b, err := it.batch()
	var inner *Pipeline
	if err == nil {
		inner, err = s.f(b)
	}
	switch {
	case err != nil:
	case inner == nil:
		err = fmt.Errorf("the function returned no pipeline")
	case inner.err != nil:
		err = inner.err
	case inner.batched != s.batched:
		err = fmt.Errorf("the function returned %s, whose elements are each a %s, want a %s: put Batch behind Interleave", inner, inner.element(), s.element)
	}
	if err != nil {
		return nil, fmt.Errorf("Interleave: %s %d: %w", s.element, i, err)
	}
	next, stop := iter.Pull2(inner.last.open(ctx, pass{mix(p.seed, uint64(i)), p.number}, 0))
	return &opened{next, stop}, nil
}
