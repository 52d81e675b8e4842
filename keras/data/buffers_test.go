package data_test

// This file tests Shuffle and Prefetch.

import (
	"context"
	"errors"
	"slices"
	"testing"
	"testing/synctest"

	"github.com/stretchr/testify/require"

	"github.com/gospmd/gospmd/keras/data"
)

// TestShuffle checks that each epoch has another order, unless SameOrder is set, and that the same
// seed gives the same orders, whatever the batches and the source. With a small buffer no sample
// may come too early. Take and Skip of one shuffled pipeline must not overlap.
func TestShuffle(t *testing.T) {
	all := func(p *data.Pipeline) []int32 { return slices.Concat(epoch(t, p, -1)...) }
	a, b := numbers(40).Shuffle(data.Full, data.Seed(3)).Batch(7), numbers(40).Shuffle(data.Full, data.Seed(3)).Batch(5)
	first, second := all(a), all(a)
	require.Equal(t, first, all(b), "the order does not depend on the batches")
	require.NotEqual(t, first, second)
	require.Equal(t, slices.Sorted(slices.Values(first)), slices.Sorted(slices.Values(second)))
	require.NotEqual(t, first, all(numbers(40).Shuffle(data.Full, data.Seed(4)).Batch(7)))
	require.Equal(t, first, all(data.FromGenerator(generated(40)).Shuffle(data.Full, data.Seed(3)).Batch(7)), "nor on the source")

	same := numbers(40).Shuffle(data.Full, data.SameOrder()).Batch(7)
	require.Equal(t, all(same), all(same))

	for i, x := range all(numbers(40).Shuffle(4).Batch(7)) {
		require.LessOrEqual(t, int(x), i+4, "only four samples are looked ahead")
	}

	// Take and Skip of one shuffled dataset do not overlap.
	p := numbers(40).Shuffle(data.Full)
	samples := append(all(p.Take(10).Batch(4)), all(p.Skip(10).Batch(4))...)
	slices.Sort(samples)
	require.Len(t, slices.Compact(samples), 40)
}

// TestShuffleIsUniform counts how often each sample comes first in 2000 shuffles. Each must come
// first about equally often.
func TestShuffleIsUniform(t *testing.T) {
	count := make([]int, 5)
	p := numbers(5).Shuffle(data.Full, data.Seed(1)).Batch(1)
	for range 2000 {
		count[epoch(t, p, 1)[0][0]]++
	}
	for _, n := range count {
		require.InDelta(t, 400, n, 100, "five standard deviations around 400: %v", count)
	}
}

// TestPrefetchEnds ends prefetching in all ways. No goroutine is left: synctest.Test waits for
// them, and fails if one of them waits for ever.
func TestPrefetchEnds(t *testing.T) {
	endless := data.FromGenerator(func(yield func(data.Batch, error) bool) {
		for {
			for b := range generated(1) {
				if !yield(b, nil) {
					return
				}
			}
		}
	})
	run := func(name string, test func(t *testing.T)) {
		t.Run(name, func(t *testing.T) { synctest.Test(t, test) })
	}
	run("loop ended early", func(t *testing.T) {
		require.Len(t, epoch(t, endless.Batch(2).Prefetch(3).Take(100).Prefetch(2), 5), 5)
	})
	run("context canceled", func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		defer cancel()
		var last error
		n := 0
		for _, err := range endless.Batch(2).Prefetch(3).Batches(ctx) {
			if n++; n == 2 {
				cancel()
			}
			last = err
		}
		require.ErrorIs(t, last, context.Canceled)
	})
	run("panic", func(t *testing.T) {
		p := numbers(3).Map(func(data.Batch) (data.Batch, error) { panic("in Map") }).Batch(1).Prefetch(1)
		require.PanicsWithValue(t, "in Map", func() { epoch(t, p, -1) })
	})
	run("several calls of Map", func(t *testing.T) {
		require.Len(t, epoch(t, endless.Map(plus(1), data.NumParallelCalls(3)).Batch(2), 5), 5)
		p := numbers(5).Map(func(data.Batch) (data.Batch, error) { panic("in Map") }, data.NumParallelCalls(2)).Batch(1)
		require.PanicsWithValue(t, "in Map", func() { epoch(t, p, -1) })
	})
	run("error", func(t *testing.T) {
		failed := errors.New("failed")
		p := numbers(3).Map(func(data.Batch) (data.Batch, error) { return data.Batch{}, failed }).Batch(1).Prefetch(2)
		for _, err := range p.Batches(t.Context()) {
			require.ErrorIs(t, err, failed)
		}
	})
}

// TestPrefetchReadsAhead: while a loop works on the first batch, Prefetch(3) must make three more,
// and at most one besides. The position must count only the batch that the loop has.
func TestPrefetchReadsAhead(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		calls := make(chan int, 10)
		p := numbers(8).Batch(1).Map(func(b data.Batch) (data.Batch, error) { calls <- 1; return b, nil }).Prefetch(3)
		for _, err := range p.Batches(t.Context()) {
			require.NoError(t, err)
			synctest.Wait()
			require.GreaterOrEqual(t, len(calls), 4, "three batches besides the one in use")
			require.Equal(t, 1, p.Position().Batch)
			break
		}
		require.LessOrEqual(t, len(calls), 5)
	})
}
