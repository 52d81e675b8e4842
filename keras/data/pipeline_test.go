package data_test

// This file tests the elements that stages yield, and their errors.

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"sync/atomic"
	"testing"

	"github.com/gomlx/gomlx/core/tensors"
	"github.com/stretchr/testify/require"

	"github.com/gospmd/gospmd/keras/data"
)

// numbers returns a pipeline of the samples 0 to n-1: sample i has [i, i] as x and [i] as y, int32.
func numbers(n int) *data.Pipeline { return data.FromTensorSlices(ints(n, 2), ints(n, 1)) }

// values returns the labels of a batch of numbers, and fails the test unless its inputs match them.
func values(t testing.TB, b data.Batch) []int32 {
	t.Helper()
	xs, ys := tensors.MustCopyFlatData[int32](b.X[0]), tensors.MustCopyFlatData[int32](b.Y[0])
	require.Len(t, ys, b.Size())
	for i, y := range ys {
		require.Equal(t, []int32{y, y}, xs[2*i:2*i+2], "samples of x and y stay together")
	}
	return ys
}

// epoch returns the numbers in the batches of an epoch, a slice for each batch; at most limit
// batches, or all if limit is negative. An error fails the test.
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

// plus returns a function for Map that adds k to each number of inputs and labels, which must be
// int32. It changes copies, and drops sample weights.
func plus(k int32) func(data.Batch) (data.Batch, error) {
	return func(b data.Batch) (data.Batch, error) {
		out := data.Batch{}
		for _, side := range []struct {
			from []*tensors.Tensor
			to   *[]*tensors.Tensor
		}{{b.X, &out.X}, {b.Y, &out.Y}} {
			for _, t := range side.from {
				flat := tensors.MustCopyFlatData[int32](t)
				for i := range flat {
					flat[i] += k
				}
				*side.to = append(*side.to, tensors.FromFlatDataAndDimensions(flat, t.Shape().Dimensions...))
			}
		}
		return out, nil
	}
}

// generated yields n samples: sample i has [i, i] as x and [i] as y.
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
		size int // number of elements; 0 means len(want)
	}{
		{name: "batch", p: numbers(5).Batch(2), want: [][]int32{{0, 1}, {2, 3}, {4}}},
		{name: "drop remainder", p: numbers(5).Batch(2, data.DropRemainder()), want: [][]int32{{0, 1}, {2, 3}}},
		{name: "batch larger than all", p: numbers(2).Batch(5), want: [][]int32{{0, 1}}},
		{name: "only a remainder", p: numbers(2).Batch(5, data.DropRemainder())},
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
		{name: "map by several", p: numbers(7).Map(plus(1), data.NumParallelCalls(3)).Batch(4).Map(plus(10), data.NumParallelCalls(2)), want: [][]int32{{11, 12, 13, 14}, {15, 16, 17}}},
		{name: "shuffle what several map", p: numbers(4).Map(plus(1), data.NumParallelCalls(3)).Shuffle(1).Skip(1).Batch(3), want: [][]int32{{2, 3, 4}}},
		// the example of tf.data.Dataset.interleave
		{name: "interleave", p: numbers(6).Skip(1).Interleave(times(6), data.CycleLength(2), data.BlockLength(4)).Batch(30),
			want: [][]int32{{1, 1, 1, 1, 2, 2, 2, 2, 1, 1, 2, 2, 3, 3, 3, 3, 4, 4, 4, 4, 3, 3, 4, 4, 5, 5, 5, 5, 5, 5}}, size: data.Unknown},
		{name: "interleave one by one", p: numbers(3).Interleave(times(2)).Batch(4), want: [][]int32{{0, 0, 1, 1}, {2, 2}}, size: data.Unknown},
		{name: "interleave more than there are", p: numbers(2).Interleave(times(2), data.CycleLength(5)).Skip(1).Batch(3), want: [][]int32{{1, 0, 1}}, size: data.Unknown},
		{name: "interleave nothing", p: numbers(3).Interleave(times(0), data.CycleLength(2)).Batch(3), size: data.Unknown},
		{name: "interleave batches", p: numbers(4).Batch(2).Interleave(times(2), data.CycleLength(2)), want: [][]int32{{0, 1}, {2, 3}, {0, 1}, {2, 3}}, size: data.Unknown},
		{name: "shuffle nothing", p: numbers(4).Shuffle(1).Batch(4), want: [][]int32{{0, 1, 2, 3}}},
		{name: "prefetch", p: numbers(3).Prefetch(2).Batch(2).Prefetch(1), want: [][]int32{{0, 1}, {2}}},
		{name: "cache", p: numbers(3).Map(plus(1)).Cache().Batch(2), want: [][]int32{{1, 2}, {3}}},
		{name: "generator", p: data.FromGenerator(generated(3)).Batch(2), want: [][]int32{{0, 1}, {2}}, size: data.Unknown},
		{name: "generator of known size", p: data.FromGenerator(generated(3), data.Size(3)).Batch(2), want: [][]int32{{0, 1}, {2}}},
		{name: "generator, repeated", p: data.FromGenerator(generated(3)).Repeat(2).Batch(4), want: [][]int32{{0, 1, 2, 0}, {1, 2}}, size: data.Unknown},
		{name: "no element of a generator", p: data.FromGenerator(generated(3)).Take(0).Batch(2)},
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

// times returns a function for Interleave: it makes of an element a pipeline that yields this
// element n times.
func times(n int) func(data.Batch) (*data.Pipeline, error) {
	return func(b data.Batch) (*data.Pipeline, error) {
		of := func(yield func(data.Batch, error) bool) { yield(b, nil) }
		if b.X[0].Shape().Rank() > 1 {
			return data.FromBatches(of).Repeat(n), nil
		}
		return data.FromGenerator(of).Repeat(n), nil
	}
}

// TestParallelMap requires that Map with NumParallelCalls(3) runs three calls at the same time, and
// keeps the order of the elements.
func TestParallelMap(t *testing.T) {
	var running, most atomic.Int32
	all := make(chan struct{})
	f := func(b data.Batch) (data.Batch, error) {
		if n := running.Add(1); n > most.Load() {
			most.Store(n)
			if n == 3 {
				close(all)
			}
		}
		<-all // three calls are needed before one returns
		running.Add(-1)
		return b, nil
	}
	p := numbers(9).Map(f, data.NumParallelCalls(3)).Batch(9)
	require.Equal(t, [][]int32{{0, 1, 2, 3, 4, 5, 6, 7, 8}}, epoch(t, p, -1))
	require.EqualValues(t, 3, most.Load())
}

// plain is a dataset without a position: it hides the methods of data.Positioned of the dataset
// that it wraps.
type plain struct{ data.Dataset }

func TestCardinalityInfinite(t *testing.T) {
	for _, p := range []*data.Pipeline{numbers(3).Repeat().Batch(2), numbers(3).Batch(2).Repeat().Repeat(2).Prefetch(1), numbers(3).Repeat().Shuffle(2).Skip(1).Batch(1)} {
		require.Equal(t, data.Infinite, p.Cardinality(), p.String())
		require.Len(t, epoch(t, p, 10), 10)
	}
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
		{"text", data.FromTensorSlices("abc", nil).Batch(1), "FromTensorSlices: input 0 is a scalar, want samples along the first dimension"},
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
		{"no parallel calls", numbers(3).Map(bad, data.NumParallelCalls(0)).Batch(1), "Map: NumParallelCalls: got 0, want a positive number"},
		{"one of several calls", numbers(5).Map(bad, data.NumParallelCalls(3)).Batch(1), "Map: sample 0: failed"},
		{"no function to interleave", numbers(3).Interleave(nil).Batch(1), "Interleave: got a nil function"},
		{"no cycle", numbers(3).Interleave(times(1), data.CycleLength(0)).Batch(1), "Interleave: CycleLength: got 0, want a positive number"},
		{"interleaved batches", numbers(3).Interleave(func(data.Batch) (*data.Pipeline, error) { return numbers(2).Batch(1), nil }).Batch(1),
			"Interleave: sample 0: the function returned FromTensorSlices.Batch, whose elements are each a batch, want a sample"},
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

func ExampleFromTensorSlices() {
	p := data.FromTensorSlices([]float64{0, 1, 2, 3, 4}, []int32{0, 1, 0, 1, 0}).Shuffle(data.Full, data.Seed(7)).Batch(2)
	for batch, err := range p.Batches(context.Background()) {
		fmt.Println(batch.X[0].Value(), batch.Y[0].Value(), err)
		break
	}
	at := p.Position()
	fmt.Println(at.Epoch, at.Batch)
	if err := p.Seek(at); err != nil { // in the same pipeline, or in a new one as in another process
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
