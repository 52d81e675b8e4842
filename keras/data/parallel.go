package data

// This file computes elements of Map by several goroutines.

import (
	"context"
	"iter"
	"sync"
)

// openParallel is mapping.open, from the element with number from on, with calls of the function by
// several goroutines. The elements of the stage before are read by one goroutine, in order; the
// results are in that order too. All goroutines end before the loop over the elements returns.
func (s *mapping) openParallel(ctx context.Context, p pass, from int) iter.Seq2[item, error] {
	return func(yield func(item, error) bool) {
		ctx, cancel := context.WithCancel(ctx)
		// A result is a channel that a goroutine sends one element to. As many goroutines run as
		// results wait, and the one that the loop waits for.
		results := make(chan chan fetched, s.parallel-1)
		var running sync.WaitGroup
		defer running.Wait()
		defer cancel()
		running.Go(func() {
			defer close(results)
			s.start(ctx, p, from, results, &running)
		})
		for result := range results {
			m := <-result
			if m.panicked != nil {
				panic(m.panicked)
			}
			if !yield(m.it, m.err) || m.err != nil {
				return
			}
		}
		if err := ctx.Err(); err != nil {
			yield(item{}, err)
		}
	}
}

// start starts a goroutine for each element from number from on, at most as many at once as results
// holds; running counts them. It sends to results, in order, the channel on which each element
// comes.
func (s *mapping) start(ctx context.Context, p pass, from int, results chan<- chan fetched, running *sync.WaitGroup) {
	next := func(m func() fetched) bool {
		result := make(chan fetched, 1)
		select {
		case results <- result:
		case <-ctx.Done():
			return false
		}
		running.Go(func() { result <- m() })
		return true
	}
	defer func() {
		if r := recover(); r != nil {
			next(func() fetched { return fetched{panicked: r} })
		}
	}()
	i := from
	for it, err := range s.stage.open(ctx, p, from) {
		n := i
		if !next(func() fetched { return s.attempt(n, it, err) }) || err != nil {
			return
		}
		i++
	}
}

// attempt calls the function for the element it, with number i, and returns its result, its error
// or its panic. If err, the error of reading the element, is not nil, that is the result.
func (s *mapping) attempt(i int, it item, err error) (m fetched) {
	defer func() {
		if r := recover(); r != nil {
			m = fetched{panicked: r}
		}
	}()
	if err == nil {
		it, err = s.apply(i, it)
	}
	return fetched{it: it, err: err}
}
