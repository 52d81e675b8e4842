package data_test

// This file tests what stages yield, and that any pipeline can be set to any
// position.

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"math/rand/v2"
	"path/filepath"
	"runtime"
	"slices"
	"testing"
	"time"

	"github.com/gomlx/gomlx/core/tensors"
	"github.com/stretchr/testify/require"

	"github.com/gospmd/gospmd/keras/data"
)

// numbers is the pipeline of the samples 0 to n-1, whose labels are the same.
func numbers(n int) *data.Pipeline { return data.FromTensorSlices(ints(n, 2), ints(n, 1)) }

// values returns the labels of a batch, and checks that x belongs to them.
func values(t testing.TB, b data.Batch) []int32 {
	t.Helper()
	xs, ys := tensors.MustCopyFlatData[int32](b.X[0]), tensors.MustCopyFlatData[int32](b.Y[0])
	require.Len(t, ys, b.Size())
	for i, y := range ys {
		require.Equal(t, []int32{y, y}, xs[2*i:2*i+2], "rows of x and y stay together")
	}
	return ys
}

// epoch returns the batches of an epoch, at most limit of them.
func epoch(t testing.TB, p data.Dataset, limit int) (out [][]int32) {
	t.Helper()
	if limit == 0 {
		return nil
	}
	for b, err := range p.Batches(t.Context()) {
		require.NoError(t, err)
		out = append(out, values(t, b))
		if len(out) == limit {
			break
		}
	}
	return out
}

// plus adds k to each number.
func plus(k int32) func(data.Batch) (data.Batch, error) {
	return func(b data.Batch) (data.Batch, error) {
		out := data.Batch{}
		for _, part := range []struct {
			from []*tensors.Tensor
			to   *[]*tensors.Tensor
		}{{b.X, &out.X}, {b.Y, &out.Y}} {
			for _, t := range part.from {
				flat := tensors.MustCopyFlatData[int32](t)
				for i := range flat {
					flat[i] += k
				}
				*part.to = append(*part.to, tensors.FromFlatDataAndDimensions(flat, t.Shape().Dimensions...))
			}
		}
		return out, nil
	}
}

// generated yields the samples 0 to n-1.
func generated(n int) iter.Seq2[data.Batch, error] {
	return func(yield func(data.Batch, error) bool) {
		for i := range int32(n) {
			b := data.Batch{
				X: []*tensors.Tensor{tensors.FromFlatDataAndDimensions([]int32{i, i}, 2)},
				Y: []*tensors.Tensor{tensors.FromFlatDataAndDimensions([]int32{i}, 1)},
			}
			if !yield(b, nil) {
				return
			}
		}
	}
}

func TestStages(t *testing.T) {
	for _, tc := range []struct {
		name string
		p    *data.Pipeline
		want [][]int32
		size int // if not len(want)
	}{
		{name: "batch", p: numbers(5).Batch(2), want: [][]int32{{0, 1}, {2, 3}, {4}}},
		{name: "drop remainder", p: numbers(5).Batch(2, data.DropRemainder()), want: [][]int32{{0, 1}, {2, 3}}},
		{name: "batch larger than all", p: numbers(2).Batch(5), want: [][]int32{{0, 1}}},
		{name: "nothing but a remainder", p: numbers(2).Batch(5, data.DropRemainder())},
		{name: "take and skip samples", p: numbers(9).Skip(2).Take(3).Batch(2), want: [][]int32{{2, 3}, {4}}},
		{name: "take and skip batches", p: numbers(9).Batch(2).Skip(1).Take(2), want: [][]int32{{2, 3}, {4, 5}}},
		{name: "take none", p: numbers(9).Batch(2).Take(0)},
		{name: "skip more than all", p: numbers(3).Skip(4).Batch(2)},
		{name: "repeat", p: numbers(3).Repeat(2).Batch(2), want: [][]int32{{0, 1}, {2, 0}, {1, 2}}},
		{name: "repeat batches", p: numbers(3).Batch(2).Repeat(2), want: [][]int32{{0, 1}, {2}, {0, 1}, {2}}},
		{name: "repeat no time", p: numbers(3).Batch(2).Repeat(0)},
		{name: "repeat without end", p: numbers(2).Repeat().Batch(3).Take(2), want: [][]int32{{0, 1, 0}, {1, 0, 1}}},
		{name: "map samples", p: numbers(3).Map(plus(10)).Batch(2), want: [][]int32{{10, 11}, {12}}},
		{name: "map batches", p: numbers(3).Batch(2).Map(plus(10)), want: [][]int32{{10, 11}, {12}}},
		{name: "shuffle nothing", p: numbers(4).Shuffle(1).Batch(4), want: [][]int32{{0, 1, 2, 3}}},
		{name: "prefetch", p: numbers(3).Prefetch(2).Batch(2).Prefetch(1), want: [][]int32{{0, 1}, {2}}},
		{name: "cache", p: numbers(3).Map(plus(1)).Cache().Batch(2), want: [][]int32{{1, 2}, {3}}},
		{name: "generator", p: data.FromGenerator(generated(3)).Batch(2), want: [][]int32{{0, 1}, {2}}, size: data.Unknown},
		{name: "generator of known size", p: data.FromGenerator(generated(3), data.Size(3)).Batch(2), want: [][]int32{{0, 1}, {2}}},
		{name: "generator, repeated", p: data.FromGenerator(generated(3)).Repeat(2).Batch(4), want: [][]int32{{0, 1, 2, 0}, {1, 2}}, size: data.Unknown},
		{name: "part of a generator", p: data.FromGenerator(generated(3)).Take(0).Batch(2)},
		{name: "dataset", p: data.FromDataset(plain{numbers(3).Batch(2)}).Map(plus(1)), want: [][]int32{{1, 2}, {3}}},
		{name: "pipeline as a dataset", p: data.FromDataset(numbers(3).Batch(2)), want: [][]int32{{0, 1}, {2}}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			if tc.size == 0 {
				tc.size = len(tc.want)
			}
			require.NoError(t, tc.p.Err())
			for range 3 {
				require.Equal(t, tc.size, tc.p.Cardinality())
				require.Equal(t, tc.want, epoch(t, tc.p, -1))
			}
		})
	}
}

// plain hides that a dataset is Positioned.
type plain struct{ data.Dataset }

func TestCardinalityInfinite(t *testing.T) {
	for _, p := range []*data.Pipeline{numbers(3).Repeat().Batch(2), numbers(3).Batch(2).Repeat().Repeat(2).Prefetch(1), numbers(3).Repeat().Shuffle(2).Skip(1).Batch(1)} {
		require.Equal(t, data.Infinite, p.Cardinality(), p.String())
		require.Len(t, epoch(t, p, 10), 10)
	}
}

// TestShuffle looks at orders: each epoch its own, the same for the same seed,
// and with a small buffer no sample comes early.
func TestShuffle(t *testing.T) {
	all := func(p *data.Pipeline) []int32 { return slices.Concat(epoch(t, p, -1)...) }
	a, b := numbers(40).Shuffle(data.Full, data.Seed(3)).Batch(7), numbers(40).Shuffle(data.Full, data.Seed(3)).Batch(5)
	first, second := all(a), all(a)
	require.Equal(t, first, all(b), "the order does not depend on the batches")
	require.NotEqual(t, first, second)
	require.Equal(t, slices.Sorted(slices.Values(first)), slices.Sorted(slices.Values(second)))
	require.NotEqual(t, first, all(numbers(40).Shuffle(data.Full, data.Seed(4)).Batch(7)))
	require.Equal(t, first, all(data.FromGenerator(generated(40)).Shuffle(data.Full, data.Seed(3)).Batch(7)), "nor on how samples are had")

	same := numbers(40).Shuffle(data.Full, data.SameOrder()).Batch(7)
	require.Equal(t, all(same), all(same))

	for i, x := range all(numbers(40).Shuffle(4).Batch(7)) {
		require.LessOrEqual(t, int(x), i+4, "only four samples are looked ahead")
	}

	// Parts of one shuffled dataset do not overlap.
	whole := numbers(40).Shuffle(data.Full)
	parts := append(all(whole.Take(10).Batch(4)), all(whole.Skip(10).Batch(4))...)
	slices.Sort(parts)
	require.Len(t, slices.Compact(parts), 40)
}

// TestShuffleIsUniform counts how often each sample comes first.
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

// TestCacheKeeps counts how often a function is called: once for each sample,
// also when the loop is broken off and samples are drawn at random.
func TestCacheKeeps(t *testing.T) {
	for name, stages := range map[string]func(p *data.Pipeline) *data.Pipeline{
		"in order": func(p *data.Pipeline) *data.Pipeline { return p.Cache() },
		"at random": func(p *data.Pipeline) *data.Pipeline {
			return p.Cache().Shuffle(data.Full)
		},
	} {
		t.Run(name, func(t *testing.T) {
			calls := 0
			p := stages(numbers(6).Map(func(b data.Batch) (data.Batch, error) { calls++; return b, nil })).Batch(2)
			epoch(t, p, 2)
			require.Equal(t, 4, calls)
			for range 3 {
				epoch(t, p, -1)
			}
			require.Equal(t, 6, calls)
		})
	}
}

// TestCacheOfAnotherSeed sets a pipeline whose order is drawn before its cache
// to the position of another one, after it was used.
func TestCacheOfAnotherSeed(t *testing.T) {
	shuffled := func() *data.Pipeline { return numbers(20).Shuffle(data.Full).Cache().Batch(7) }
	p, q := shuffled(), shuffled()
	want := epoch(t, p, -1)
	require.NotEqual(t, want, epoch(t, q, -1))
	at := p.Position()
	require.NoError(t, q.Seek(data.Position{Seed: at.Seed}))
	require.Equal(t, want, epoch(t, q, -1))
	require.Equal(t, at, q.Position())
}

// chain makes a random pipeline, which keeps files in dir.
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
			p = p.Map(plus(int32(r.IntN(3))))
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

// TestSeek compares, for random pipelines, three epochs with what comes after
// a Seek to each position in them, in a pipeline made anew (another process)
// and in the same one.
func TestSeek(t *testing.T) {
	for seed := range uint64(300) {
		checkSeek(t, seed)
	}
}

func checkSeek(t testing.TB, seed uint64) {
	const endless = 9 // batches of an epoch without end
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
		rest [][]int32 // of the epoch
		next [][]int32 // the epoch after it
	}
	var stops []stop
	for e := range 3 {
		begin := p.Position()
		if limit > 0 {
			begin.Epoch, begin.Batch = e, 0 // the epoch before was broken off
		}
		require.Equal(t, data.Position{Seed: begin.Seed, Epoch: e}, begin)
		first := len(stops)
		stops = append(stops, stop{at: begin})
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
			require.Equal(t, data.Position{Seed: begin.Seed, Epoch: e, Batch: len(stops) - first}, at)
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
			continue // its next epoch was not seen
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
				continue // nothing was asked of the epoch
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

// TestSkippingIsFree counts the samples that are made after a Seek.
func TestSkippingIsFree(t *testing.T) {
	calls := 0
	p := numbers(1000).Map(func(b data.Batch) (data.Batch, error) { calls++; return b, nil }).
		Shuffle(data.Full).Repeat(2).Batch(10).Prefetch(1)
	require.NoError(t, p.Seek(data.Position{Epoch: 3, Batch: 198}))
	require.Len(t, epoch(t, p, -1), 2)
	require.Equal(t, 20, calls)
}

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
	before := runtime.NumGoroutine()
	t.Run("loop broken off", func(t *testing.T) {
		require.Len(t, epoch(t, endless.Batch(2).Prefetch(3).Take(100).Prefetch(2), 5), 5)
	})
	t.Run("context canceled", func(t *testing.T) {
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
	t.Run("panic", func(t *testing.T) {
		p := numbers(3).Map(func(data.Batch) (data.Batch, error) { panic("in Map") }).Batch(1).Prefetch(1)
		require.PanicsWithValue(t, "in Map", func() { epoch(t, p, -1) })
	})
	t.Run("error", func(t *testing.T) {
		failed := errors.New("failed")
		p := numbers(3).Map(func(data.Batch) (data.Batch, error) { return data.Batch{}, failed }).Batch(1).Prefetch(2)
		for _, err := range p.Batches(t.Context()) {
			require.ErrorIs(t, err, failed)
		}
	})
	for deadline := time.Now().Add(5 * time.Second); runtime.NumGoroutine() > before; time.Sleep(time.Millisecond) {
		require.True(t, time.Now().Before(deadline), "goroutines are left")
	}
}

// TestPrefetchReadsAhead has a slow loop find the next batches made.
func TestPrefetchReadsAhead(t *testing.T) {
	calls := make(chan int, 10)
	p := numbers(8).Batch(1).Map(func(b data.Batch) (data.Batch, error) { calls <- 1; return b, nil }).Prefetch(3)
	for _, err := range p.Batches(t.Context()) {
		require.NoError(t, err)
		require.Eventually(t, func() bool { return len(calls) >= 4 }, 5*time.Second, time.Millisecond, "three batches beside the one in use")
		require.Equal(t, 1, p.Position().Batch)
		break
	}
	require.LessOrEqual(t, len(calls), 5)
}

func TestPipelineErrors(t *testing.T) {
	failed := errors.New("failed")
	bad := func(data.Batch) (data.Batch, error) { return data.Batch{}, failed }
	ragged := func(yield func(data.Batch, error) bool) {
		for i := range 3 {
			if !yield(data.Batch{X: []*tensors.Tensor{ints(1+i/2, 2)}}, nil) {
				return
			}
		}
	}
	cut := func(yield func(data.Batch, error) bool) {
		for b := range generated(2) {
			yield(b, nil)
		}
		yield(data.Batch{}, failed)
	}
	for _, tc := range []struct {
		name    string
		p       *data.Pipeline
		wantErr string
	}{
		{"no data", data.FromTensorSlices(nil, nil).Batch(1), "FromTensorSlices: got no input data"},
		{"no samples", data.FromTensorSlices(ints(0, 1), nil).Batch(1), "FromTensorSlices: the data has no samples: want at least one"},
		{"text", data.FromTensorSlices("abc", nil).Batch(1), "FromTensorSlices: x: cannot make a tensor of a string"},
		{"labels missing", data.FromTensorSlices(ints(3, 1), ints(2, 1)).Batch(1), "labels 0 has 2 samples, input 0 has 3"},
		{"weights missing", data.FromTensorSlices(ints(3, 1), ints(3, 1), []float32{1}).Batch(1), "FromTensorSlices: sample weights have shape [1] for 3 samples"},
		{"batch of 0", numbers(3).Batch(0), "Batch: got batch size 0, want a positive number"},
		{"the first error stays", numbers(3).Batch(0).Map(bad).Shuffle(0), "Batch: got batch size 0"},
		{"batches of batches", numbers(3).Batch(2).Batch(2), "the elements are batches already"},
		{"no batch", numbers(3).Map(plus(1)).Shuffle(3), "FromTensorSlices.Map.Shuffle yields samples, want batches: add a Batch"},
		{"no buffer", numbers(3).Shuffle(0).Batch(1), "Shuffle: got a buffer of 0, want a positive number, or data.Full"},
		{"endless buffer", numbers(3).Repeat().Shuffle(data.Full).Batch(1), "shuffle before Repeat"},
		{"endless cache", numbers(3).Repeat().Cache().Batch(1), "put Cache before Repeat"},
		{"an option of another stage", numbers(3).Shuffle(2, data.DropRemainder()).Batch(1), "Shuffle takes no option DropRemainder: it takes Seed, SameOrder"},
		{"negative take", numbers(3).Take(-1).Batch(1), "Take: got -1, want a number not below 0"},
		{"negative repeat", numbers(3).Repeat(-1).Batch(1), "Repeat: got -1, want a number not below 0"},
		{"prefetch 0", numbers(3).Batch(1).Prefetch(0), "Prefetch: got 0, want a number not below 1"},
		{"no function", numbers(3).Map(nil).Batch(1), "Map: got a nil function"},
		{"map a sample", numbers(5).Skip(2).Map(bad).Batch(2), "Map: sample 0: failed"},
		{"map a batch", numbers(5).Batch(2).Map(bad).Prefetch(2), "Map: batch 0: failed"},
		{"map to nothing", numbers(5).Map(func(data.Batch) (data.Batch, error) { return data.Batch{}, nil }).Batch(2), "the function returned no inputs"},
		{"nil iterator", data.FromGenerator(nil).Batch(1), "FromGenerator: got a nil iterator"},
		{"iterator fails", data.FromGenerator(cut).Batch(2), "FromGenerator: sample 2: failed"},
		{"nil tensor", data.FromBatches(func(yield func(data.Batch, error) bool) { yield(data.Batch{X: []*tensors.Tensor{nil}}, nil) }),
			"FromBatches: batch 0 has 1 input(s), 0 label(s) and no sample weight, or one of them is nil"},
		{"fewer than Size", data.FromGenerator(generated(2), data.Size(3)).Batch(1), "the iterator ended after 2 of the 3 that Size names"},
		{"more than Size", data.FromGenerator(generated(4), data.Size(3)).Batch(1), "got a sample after the 3 that Size names"},
		{"negative Size", data.FromGenerator(generated(4), data.Size(-1)).Batch(1), "FromGenerator: Size: got -1"},
		{"ragged", data.FromGenerator(ragged).Batch(3), "Batch: batch 0: element 2 of the batch: input 0 is (Int32)[2, 2], that of the first is (Int32)[1, 2]: all must be alike"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			var got error
			for _, err := range tc.p.Batches(t.Context()) {
				require.NoError(t, got, "nothing comes after an error")
				got = err
			}
			require.ErrorContains(t, got, tc.wantErr)
		})
	}
}

func TestSeekErrors(t *testing.T) {
	p := numbers(6).Batch(2)
	for _, at := range []data.Position{{Batch: 4}, {Batch: -1}, {Epoch: -1}} {
		require.ErrorContains(t, p.Seek(at), "an epoch has 3 batches: the position is that of another dataset")
	}
	require.ErrorContains(t, numbers(6).Batch(0).Seek(data.Position{}), "got batch size 0")
}

func ExampleFromTensorSlices() {
	p := data.FromTensorSlices([]float64{0, 1, 2, 3, 4}, []int32{0, 1, 0, 1, 0}).Shuffle(data.Full, data.Seed(7)).Batch(2)
	for batch, err := range p.Batches(context.Background()) {
		fmt.Println(batch.X[0].Value(), batch.Y[0].Value(), err)
		break
	}
	at := p.Position()
	fmt.Println(at.Epoch, at.Batch)
	if err := p.Seek(at); err != nil { // in this process or, made anew, in another
		fmt.Println(err)
	}
	for batch, err := range p.Batches(context.Background()) {
		fmt.Println(batch.X[0].Value(), batch.Y[0].Value(), err)
	}
	// Output:
	// [1 0] [1 0] <nil>
	// 0 1
	// [3 4] [1 0] <nil>
	// [2] [0] <nil>
}
