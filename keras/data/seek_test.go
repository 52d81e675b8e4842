package data_test

// This file tests that any pipeline can be set to any position.

import (
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/gospmd/gospmd/keras/data"
)

// chain returns a pipeline of a source of 1 to 12 numbers and some stages, all chosen by r: the
// same r makes the same pipeline. It always yields batches, maybe none, or without end. Its cache
// files are in dir.
func chain(r *rand.Rand, dir string) *data.Pipeline {
	n := 1 + r.IntN(12)
	var p *data.Pipeline
	switch r.IntN(4) {
	case 0:
		p = data.FromGenerator(generated(n))
	case 1:
		p = data.FromGenerator(generated(n), data.Size(n))
	default:
		p = numbers(n)
	}
	batched, endless := false, false
	for stages := 1 + r.IntN(6); stages > 0; stages-- {
		switch r.IntN(9) {
		case 0, 1:
			buffer := 1 + r.IntN(8)
			if !endless && r.IntN(2) == 0 {
				buffer = data.Full
			}
			var opts []data.Option
			if r.IntN(2) == 0 {
				opts = append(opts, data.Seed(r.Uint64()))
			}
			if r.IntN(4) == 0 {
				opts = append(opts, data.SameOrder())
			}
			p = p.Shuffle(buffer, opts...)
		case 2:
			if !batched {
				p = p.Batch(1 + r.IntN(4))
				batched = true
			}
		case 3:
			p = p.Map(plus(int32(r.IntN(3))), data.NumParallelCalls(1+r.IntN(3)))
		case 4:
			p = p.Take(r.IntN(15))
			endless = false
		case 5:
			p = p.Skip(r.IntN(4))
		case 6:
			if r.IntN(4) == 0 && p.Cardinality() > 0 {
				p = p.Repeat()
				endless = true
			} else {
				p = p.Repeat(r.IntN(4))
			}
		case 7:
			switch {
			case endless:
			case r.IntN(2) == 0:
				p = p.Cache()
			default:
				p = p.Cache(filepath.Join(dir, fmt.Sprintf("cache%d", stages)))
			}
		case 8:
			p = p.Prefetch(1 + r.IntN(3))
		}
	}
	if !batched {
		p = p.Batch(1 + r.IntN(4))
	}
	return p
}

// TestSeek reads three epochs of random pipelines, nine batches of an endless one. It then seeks
// each position in the first two epochs, in a new pipeline (as in another process) and in the same
// one: the rest of the epoch, and the next epoch, must be as before.
func TestSeek(t *testing.T) {
	for seed := range uint64(300) {
		checkSeek(t, seed)
	}
}

func checkSeek(t testing.TB, seed uint64) {
	const endless = 9 // batches of an endless epoch
	dir := t.TempDir()
	fresh := func() *data.Pipeline {
		p := chain(rand.New(rand.NewPCG(seed, 0)), dir)
		require.NoError(t, p.Err())
		return p
	}
	p := fresh()
	limit := -1
	if p.Cardinality() == data.Infinite {
		limit = endless
	}
	type stop struct {
		at   data.Position
		rest [][]int32 // rest of the epoch
		next [][]int32 // the next epoch
	}
	var stops []stop
	for e := range 3 {
		start := p.Position()
		if limit > 0 {
			start.Epoch, start.Batch = e, 0 // the loop over the previous epoch ended early
		}
		require.Equal(t, data.Position{Seed: start.Seed, Epoch: e}, start)
		first := len(stops)
		stops = append(stops, stop{at: start})
		for b, err := range p.Batches(t.Context()) {
			require.NoError(t, err)
			got := values(t, b)
			for i := range stops[first:] {
				stops[first+i].rest = append(stops[first+i].rest, got)
			}
			for i := range stops[:first] {
				if stops[i].at.Epoch == e-1 {
					stops[i].next = append(stops[i].next, got)
				}
			}
			at := p.Position()
			require.Equal(t, data.Position{Seed: start.Seed, Epoch: e, Batch: len(stops) - first}, at)
			stops = append(stops, stop{at: at})
			if len(stops)-first-1 == limit {
				break
			}
		}
		if n := p.Cardinality(); n >= 0 {
			require.Equal(t, n, len(stops)-first-1, "the cardinality of %s", p)
		}
	}
	for _, s := range stops {
		if s.at.Epoch == 2 {
			continue // its next epoch was not recorded
		}
		for _, q := range []*data.Pipeline{fresh(), p} {
			require.NoError(t, q.Seek(s.at))
			require.Equal(t, s.at, q.Position())
			rest := -1
			if limit > 0 {
				rest = len(s.rest)
			}
			require.Equal(t, s.rest, epoch(t, q, rest), "%s from %+v (seed %d)", q, s.at, seed)
			if limit > 0 && rest == 0 {
				continue // no batch of the epoch was read
			}
			require.Equal(t, s.next, epoch(t, q, limit), "%s, the epoch after %+v (seed %d)", q, s.at, seed)
		}
	}
}

func FuzzSeek(f *testing.F) {
	for seed := range uint64(5) {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, seed uint64) { checkSeek(t, seed) })
}

// TestSkippingIsFree counts the samples that are computed after a Seek to the end of an epoch: only
// those of the batches that are left.
func TestSkippingIsFree(t *testing.T) {
	calls := 0
	p := numbers(1000).Map(func(b data.Batch) (data.Batch, error) { calls++; return b, nil }).
		Shuffle(data.Full).Repeat(2).Batch(10).Prefetch(1)
	require.NoError(t, p.Seek(data.Position{Epoch: 3, Batch: 198}))
	require.Len(t, epoch(t, p, -1), 2)
	require.Equal(t, 20, calls)
}

func TestSeekErrors(t *testing.T) {
	p := numbers(6).Batch(2)
	for _, at := range []data.Position{{Batch: 4}, {Batch: -1}, {Epoch: -1}} {
		require.ErrorContains(t, p.Seek(at), "an epoch has 3 batches: the position is that of another dataset")
	}
	require.ErrorContains(t, numbers(6).Batch(0).Seek(data.Position{}), "got batch size 0")
}
