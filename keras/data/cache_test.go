package data_test

// This file tests the stage Cache, in memory and in a file.

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/gospmd/gospmd/keras/data"
)

// TestCacheKeeps counts how often a mapped function is called: once for each sample, also if the
// loop ends early or samples are drawn at random.
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

// TestCacheOfAnotherSeed seeks a pipeline, whose cache holds the shuffled elements of its own seed,
// to a position of another pipeline with another seed. It must then yield the other pipeline's
// order.
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

// countCalls returns a pipeline of n numbers, each increased by one, that is cached in file. It
// adds the calls of the mapped function to calls.
func countCalls(n int, file string, calls *int) *data.Pipeline {
	return numbers(n).Map(func(b data.Batch) (data.Batch, error) { *calls++; return plus(1)(b) }).Cache(file)
}

func TestCacheFile(t *testing.T) {
	file := filepath.Join(t.TempDir(), "cache")
	calls := 0
	p := countCalls(5, file, &calls).Batch(2)
	want := [][]int32{{1, 2}, {3, 4}, {5}}
	require.Equal(t, want[:2], epoch(t, p, 2))
	require.NoFileExists(t, file, "a loop that ended early leaves no file")
	entries, err := os.ReadDir(filepath.Dir(file))
	require.NoError(t, err)
	require.Empty(t, entries)
	require.Equal(t, want, epoch(t, p, -1))
	require.FileExists(t, file)

	calls = 0
	require.Equal(t, want, epoch(t, p, -1))
	require.Zero(t, calls, "the program that wrote the file reads it")
	q := countCalls(5, file, &calls).Batch(3)
	require.Equal(t, [][]int32{{1, 2, 3}, {4, 5}}, epoch(t, q, -1))
	require.Equal(t, 1, calls, "another program computes the first element, and reads the rest")
	require.NoError(t, q.Seek(data.Position{Epoch: 7, Batch: 1}))
	require.Equal(t, [][]int32{{4, 5}}, epoch(t, q, -1))
	require.Equal(t, 1, calls)
}

// TestCacheFileParts caches batches of several tensors of several types in a file. The loop that
// reads the file yields what the loop that wrote it did.
func TestCacheFileParts(t *testing.T) {
	file := filepath.Join(t.TempDir(), "cache")
	make := func() *data.Pipeline {
		return data.FromTensorSlices([]any{[]bool{true, false, true}, [][]uint8{{1, 2}, {3, 4}, {5, 6}}}, nil, []float32{1, 2, 3}).Batch(2).Cache(file)
	}
	for range 2 {
		var xs, weights []any
		for b, err := range make().Batches(t.Context()) {
			require.NoError(t, err)
			require.Len(t, b.X, 2)
			require.Empty(t, b.Y)
			xs, weights = append(xs, b.X[0].Value(), b.X[1].Value()), append(weights, b.SampleWeight[0].Value())
		}
		require.Equal(t, []any{[]bool{true, false}, [][]uint8{{1, 2}, {3, 4}}, []bool{true}, [][]uint8{{5, 6}}}, xs)
		require.Equal(t, []any{[]float32{1, 2}, []float32{3}}, weights)
	}
}

// TestCacheFileWeights caches elements with two sample weights in a file, and reads them back.
func TestCacheFileWeights(t *testing.T) {
	file := filepath.Join(t.TempDir(), "cache")
	for range 2 {
		var weights []any
		p := data.FromTensorSlices([]float32{1, 2}, []any{[]float32{3, 4}, []float32{5, 6}}, []any{[]float32{7, 8}, []float32{9, 10}}).Cache(file)
		for b, err := range p.Batch(2).Batches(t.Context()) {
			require.NoError(t, err)
			require.Len(t, b.SampleWeight, 2)
			weights = append(weights, b.SampleWeight[0].Value(), b.SampleWeight[1].Value())
		}
		require.Equal(t, []any{[]float32{7, 8}, []float32{9, 10}}, weights)
	}
}

// The orders of a shuffled pipeline are the same in the pass that writes the file of its cache and
// in those that read it.
func TestCacheFileShuffled(t *testing.T) {
	file := filepath.Join(t.TempDir(), "cache")
	make := func() *data.Pipeline { return numbers(9).Cache(file).Shuffle(data.Full, data.Seed(5)).Batch(2) }
	first := epoch(t, make(), -1)
	require.FileExists(t, file)
	p := make()
	require.Equal(t, first, epoch(t, p, -1))
	require.NoError(t, p.Seek(data.Position{Batch: 3}))
	require.Equal(t, first[3:], epoch(t, p, -1))
}

func TestCacheFileErrors(t *testing.T) {
	file := filepath.Join(t.TempDir(), "cache")
	calls := 0
	epoch(t, countCalls(5, file, &calls).Batch(2), -1)
	intact, err := os.ReadFile(file)
	require.NoError(t, err)
	plainFile := filepath.Join(t.TempDir(), "plain")
	epoch(t, numbers(5).Cache(plainFile).Batch(2), -1)
	values := ints(5, 2)
	values.MustMutableFlatData(func(flat any) { flat.([]int32)[9]++ })
	damaged := func(change func(b []byte) []byte) string {
		name := filepath.Join(t.TempDir(), "damaged")
		require.NoError(t, os.WriteFile(name, change(append([]byte{}, intact...)), 0o644))
		return name
	}
	const other, broken = "was made of other data, or by other stages: remove it, or give another name", "the file is damaged, cut off or not a cache of gospmd: remove it"
	for _, tc := range []struct {
		name    string
		p       *data.Pipeline
		wantErr string
	}{
		{"other numbers", countCalls(6, file, &calls), other},
		{"other values", data.FromTensorSlices(values, ints(5, 1)).Cache(plainFile), other},
		{"another function", numbers(5).Map(plus(1)).Cache(file), other},
		{"other stages", numbers(5).Cache(file), other},
		{"another generator", data.FromGenerator(generated(5)).Cache(file), other},
		{"empty", countCalls(5, damaged(func([]byte) []byte { return nil }), &calls), broken},
		{"text", countCalls(5, damaged(func([]byte) []byte {
			return []byte("a text of more than a hundred characters, which is what the shortest of caches has, if not some more")
		}), &calls), broken},
		{"cut off", countCalls(5, damaged(func(b []byte) []byte { return b[:len(b)-1] }), &calls), broken},
		{"bytes too many", countCalls(5, damaged(func(b []byte) []byte { return append(b, 0) }), &calls), broken},
		{"damaged table", countCalls(5, damaged(func(b []byte) []byte { b[len(b)-40]++; return b }), &calls), broken},
		{"damaged footer", countCalls(5, damaged(func(b []byte) []byte { b[len(b)-30]++; return b }), &calls), broken},
		{"damaged element", countCalls(5, damaged(func(b []byte) []byte { b[20]++; return b }), &calls), "element 0 does not have its checksum: the file is damaged, remove it"},
		{"no directory", countCalls(5, filepath.Join(t.TempDir(), "absent", "cache"), &calls), "cannot write into the directory"},
		{"no name", numbers(5).Cache(""), "Cache: got the file names"},
		{"two names", numbers(5).Cache("a", "b"), "Cache: got the file names"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			var got error
			for _, err := range tc.p.Batch(2).Batches(t.Context()) {
				got = err
			}
			require.ErrorContains(t, got, tc.wantErr)
		})
	}
}

// FuzzCacheFile changes cache files at random and reads them. Reading must return an error or the
// right elements.
func FuzzCacheFile(f *testing.F) {
	f.Add(uint64(1), 3)
	f.Fuzz(func(t *testing.T, seed uint64, changes int) {
		file := filepath.Join(t.TempDir(), "cache")
		calls := 0
		want := epoch(t, countCalls(5, file, &calls).Batch(2), -1)
		b, err := os.ReadFile(file)
		require.NoError(t, err)
		r := rand.New(rand.NewPCG(seed, 0))
		for range min(max(changes, 0), 8) {
			switch r.IntN(3) {
			case 0:
				b[r.IntN(len(b))] ^= 1 << r.IntN(8)
			case 1:
				b = b[:1+r.IntN(len(b))]
			default:
				b = append(b, b[r.IntN(len(b)):]...)
			}
		}
		require.NoError(t, os.WriteFile(file, b, 0o644))
		var got [][]int32
		for b, err := range countCalls(5, file, &calls).Batch(2).Batches(t.Context()) {
			if err != nil {
				return
			}
			got = append(got, values(t, b))
		}
		require.Equal(t, want, got)
	})
}

// ExamplePipeline_Cache loops over a pipeline twice: the first loop writes the cache's file, and
// the second one reads it.
func ExamplePipeline_Cache() {
	dir, err := os.MkdirTemp("", "")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer os.RemoveAll(dir)
	for range 2 {
		calls := 0
		slow := func(b data.Batch) (data.Batch, error) { calls++; return b, nil }
		p := data.FromTensorSlices([]float32{1, 2, 3}, nil).Map(slow).Cache(filepath.Join(dir, "features")).Batch(2)
		for _, err := range p.Batches(context.Background()) {
			if err != nil {
				fmt.Println(err)
			}
		}
		fmt.Println("calls:", calls)
	}
	// Output:
	// calls: 4
	// calls: 1
}
