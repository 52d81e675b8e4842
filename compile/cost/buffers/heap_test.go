package buffers_test

// This file tests the places of blocks in the heap.

import (
	"cmp"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/gospmd/gospmd/compile/cost/buffers"
)

// place is buffers.Place by the definition: it looks at all places that are in use for each block.
func place(blocks []buffers.Block) (size int) {
	type placed struct{ from, to, block int }
	var used []placed
	for i, b := range blocks {
		var near []placed
		for _, p := range used {
			if meet(blocks[p.block].Spans, b.Spans) {
				near = append(near, p)
			}
		}
		slices.SortFunc(near, func(a, b placed) int { return cmp.Compare(a.from, b.from) })
		best, room, end := -1, 0, 0
		for _, p := range near {
			if gap := p.from - end; gap >= b.Size && (best < 0 || gap < room) {
				best, room = end, gap
			}
			end = max(end, p.to)
		}
		if best < 0 {
			best = end
		}
		used = append(used, placed{best, best + b.Size, i})
		size = max(size, best+b.Size)
	}
	return size
}

// meet reports whether two lists of spans have a time in common.
func meet(a, b [][2]int) bool {
	for _, s := range a {
		for _, t := range b {
			if s[0] <= t[1] && t[0] <= s[1] {
				return true
			}
		}
	}
	return false
}

// randomBlocks returns n blocks like those of a training step: values of a few sizes that live from
// the forward pass to the backward pass, and others that live for a short time. Some are in use in
// several spans.
func randomBlocks(rng *rand.Rand, n int) []buffers.Block {
	out := make([]buffers.Block, n)
	for i := range out {
		b := &out[i]
		b.Size = 64 * (1 + rng.IntN(4)) << rng.IntN(8)
		if rng.IntN(8) == 0 {
			b.Size += 64 * rng.IntN(50)
		}
		from := rng.IntN(n)
		if rng.IntN(4) == 0 {
			b.Spans = [][2]int{{from, 2*n - from}}
		} else {
			from = rng.IntN(2 * n)
			b.Spans = [][2]int{{from, from + 1 + rng.IntN(12)}}
		}
		for rng.IntN(20) == 0 {
			from = b.Spans[len(b.Spans)-1][1] + 2 + rng.IntN(n)
			b.Spans = append(b.Spans, [2]int{from, from + rng.IntN(12)})
		}
	}
	return out
}

// Random blocks, in random order and the largest first, take the heap that the definition says.
func TestPlace(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 7))
	for i := range 400 {
		blocks := randomBlocks(rng, 1+rng.IntN(120))
		require.Equal(t, place(blocks), buffers.Place(blocks), "blocks %d: %v", i, blocks)
		slices.SortStableFunc(blocks, func(a, b buffers.Block) int { return cmp.Compare(b.Size, a.Size) })
		require.Equal(t, place(blocks), buffers.Place(blocks), "blocks %d: %v", i, blocks)
	}
	blocks := randomBlocks(rng, 1500) // many more than are looked at together
	require.Equal(t, place(blocks), buffers.Place(blocks))
}

// BenchmarkPlace shows how the time of placing blocks grows with their number. A transformer's
// training step has about 100 for each layer.
func BenchmarkPlace(b *testing.B) {
	for _, n := range []int{1000, 4000, 16000} {
		blocks := randomBlocks(rand.New(rand.NewPCG(1, 1)), n)
		slices.SortStableFunc(blocks, func(a, b buffers.Block) int { return cmp.Compare(b.Size, a.Size) })
		b.Run(fmt.Sprintf("%d blocks", n), func(b *testing.B) {
			for b.Loop() {
				buffers.Place(blocks)
			}
		})
	}
}
