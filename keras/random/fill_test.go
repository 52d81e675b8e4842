package random_test

// This file tests what only the host has: parts of tensors, errors,
// and speed.

import (
	"math"
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"

	"github.com/gomlx/compute/dtypes"
	"github.com/gomlx/compute/shapes"
	"github.com/stretchr/testify/require"

	"github.com/gospmd/gospmd/keras/random"
	"github.com/gospmd/gospmd/layout"
	"github.com/gospmd/gospmd/mesh"
)

func shapeOf(dtype dtypes.DType, dims ...int) shapes.Shape { return shapes.Make(dtype, dims...) }

func cloned(slice any) any {
	v := reflect.ValueOf(slice)
	return reflect.AppendSlice(reflect.MakeSlice(v.Type(), 0, v.Len()), v).Interface()
}

// part returns the elements of all, a tensor of this shape row by row, that are in ranges, in
// row-major order.
func part[T any](all []T, shape []int, ranges []layout.Range) []T {
	out := []T{}
	var visit func(dim, index int)
	visit = func(dim, index int) {
		if dim == len(shape) {
			out = append(out, all[index])
			return
		}
		for i := ranges[dim].Start; i < ranges[dim].Limit; i++ {
			visit(dim+1, index*shape[dim]+i)
		}
	}
	visit(0, 0)
	return out
}

// Fills of any ranges give the numbers that the full tensor has there, bits and normals, for shapes
// of all kinds.
func TestShardsEqualWhole(t *testing.T) {
	key := random.Key{7, 8}
	for _, shape := range [][]int{{}, {1}, {5}, {1100}, {7, 3}, {3, 700}, {4, 1, 6}, {2, 3, 4, 5}, {600, 2, 1}, {3, 0, 2}, {300, 700}} {
		bits := make([]uint32, size(shape))
		require.NoError(t, key.FillBits(bits, shape, fullRanges(shape)))
		normals := make([]float32, size(shape))
		require.NoError(t, key.FillNormal(normals, shape, fullRanges(shape), 0, 1))
		rng := rand.New(rand.NewPCG(1, uint64(size(shape))))
		for range 50 {
			ranges := make([]layout.Range, len(shape))
			for i, d := range shape {
				a, b := rng.IntN(d+1), rng.IntN(d+1)
				if rng.IntN(3) == 0 {
					a, b = 0, d
				}
				ranges[i] = layout.Range{Start: min(a, b), Limit: max(a, b)}
			}
			want := part(bits, shape, ranges)
			got := make([]uint32, len(want))
			require.NoError(t, key.FillBits(got, shape, ranges))
			require.Equal(t, want, got, "shape %v, ranges %v", shape, ranges)
			gotNormals := make([]float32, len(want))
			require.NoError(t, key.FillNormal(gotNormals, shape, ranges, 0, 1))
			require.Equal(t, part(normals, shape, ranges), gotNormals)
		}
	}
}

// The shards of an uneven sharding have the numbers of the full tensor, and together all its
// elements.
func TestUnevenShards(t *testing.T) {
	m := mesh.MustParse("data=4,model=2")
	s := layout.Replicated(m, 2)
	s.Dims[0].Axes = mesh.FullAxes("data")
	s.Dims[1].Axes = mesh.FullAxes("model")
	shape := []int{10, 7}
	all := make([]float32, size(shape))
	key := random.Key{3, 0}
	require.NoError(t, key.FillUniform(all, shape, fullRanges(shape), -1, 1))
	seen := 0
	for pos := range m.Size() {
		ranges := s.ShardRanges(shape, pos)
		want := part(all, shape, ranges)
		got := make([]float32, len(want))
		require.NoError(t, key.FillUniform(got, shape, ranges, -1, 1))
		require.Equal(t, want, got)
		seen += len(got)
	}
	require.Equal(t, size(shape), seen)
}

// FillBits must use 64-bit indices for elements beyond 2³²: the test compares two rows of a tensor
// of 2⁴⁰ elements with words computed from 64-bit indices.
func TestHugeTensor(t *testing.T) {
	shape := []int{1 << 20, 1 << 20}
	key := random.Key{1, 2}
	got := make([]uint32, 2)
	require.NoError(t, key.FillBits(got, shape, []layout.Range{{Start: 4095, Limit: 4097}, {Start: 1<<20 - 1, Limit: 1 << 20}}))
	for i, row := range []uint64{4095, 4096} {
		index := row<<20 + 1<<20 - 1
		a, b := key.Block(uint32(index>>32), uint32(index))
		require.Equal(t, a^b, got[i])
	}
}

func TestFillErrors(t *testing.T) {
	k := random.Key{1, 2}
	two := []layout.Range{{Start: 0, Limit: 2}}
	for _, tc := range []struct {
		name, want string
		err        error
	}{
		{"rank", "1 ranges for a tensor of rank 2", k.FillBits(make([]uint32, 4), []int{2, 2}, two)},
		{"out of range", "range [0, 2) is not within [0, 1)", k.FillBits(make([]uint32, 2), []int{1}, two)},
		{"length", "want a slice of the 2 elements", k.FillBits(make([]uint32, 3), []int{2}, two)},
		{"no slice", "want a slice", k.FillBits(7, []int{2}, two)},
		{"bits type", "want []uint8, []uint16, []uint32 or []uint64", k.FillBits(make([]int32, 2), []int{2}, two)},
		{"float type", "want []float32, []float64", k.FillNormal(make([]int32, 2), []int{2}, two, 0, 1)},
		{"interval", "is empty or infinite", k.FillUniform(make([]float32, 2), []int{2}, two, 1, 0)},
		{"infinite interval", "is empty or infinite", k.FillUniform(make([]float32, 2), []int{2}, two, 0, math.Inf(1))},
		{"probability", "want a number in [0, 1]", k.FillBernoulli(make([]bool, 2), []int{2}, two, math.NaN())},
		{"integers", "does not fit dtype Uint8: want numbers from 0 to 255", k.FillRandInt(make([]uint8, 2), []int{2}, two, 0, 257)},
		{"no integers", "is empty", k.FillRandInt(make([]uint8, 2), []int{2}, two, 3, 3)},
		{"integer type", "want an integer dtype", k.FillRandInt(make([]float32, 2), []int{2}, two, 0, 3)},
	} {
		t.Run(tc.name, func(t *testing.T) { require.ErrorContains(t, tc.err, tc.want) })
	}
}

func TestEagerErrors(t *testing.T) {
	_, err := random.Normal([]int{2, -1}, random.Seed(1))
	require.ErrorContains(t, err, "no negative dimension")
	_, err = random.Normal([]int{2}, random.Seed(-1))
	require.ErrorContains(t, err, "got seed -1: want a number from 0 to 4294967295")
	_, err = random.Normal([]int{2}, random.NewSeedGenerator(-1))
	require.ErrorContains(t, err, "got seed -1")
	_, err = random.Normal([]int{2}, random.Seed(1), random.Range(0, 1))
	require.ErrorContains(t, err, "Normal takes no option Range: it takes DType, Mean, Stddev")
	_, err = random.Normal([]int{2}, random.Seed(1), random.DType(dtypes.Int32))
	require.ErrorContains(t, err, "cannot make numbers of dtype Int32")
	x, err := random.RandInt([]int{4}, 0, 3, random.Seed(1), random.DType(dtypes.Uint8))
	require.NoError(t, err)
	require.Equal(t, dtypes.Uint8, x.DType())
}

func TestSeedGeneratorFillsItsState(t *testing.T) {
	g := random.NewSeedGenerator(15)
	state := make([]uint32, 2)
	require.NoError(t, g.Fill(state, dtypes.Uint32, []int{2}, fullRanges([]int{2})))
	require.Equal(t, []uint32{15, 0}, state)
	_, err := g.NextKey()
	require.NoError(t, err)
	require.NoError(t, g.Fill(state[:1], dtypes.Uint32, []int{2}, []layout.Range{{Start: 1, Limit: 2}}))
	require.Equal(t, []uint32{1, 0}, state)
	require.ErrorContains(t, g.Fill(make([]int32, 2), dtypes.Int32, []int{2}, fullRanges([]int{2})), "want uint32[2]")
	require.ErrorContains(t, random.NewSeedGenerator(-3).Fill(state, dtypes.Uint32, []int{2}, fullRanges([]int{2})), "got seed -3")
}

// The quantiles of FillNormal's numbers must be those of the normal distribution.
func TestNormalDistribution(t *testing.T) {
	const n = 200_000
	x := make([]float32, n)
	require.NoError(t, random.Key{5, 0}.FillNormal(x, []int{n}, fullRanges([]int{n}), 0, 1))
	slices.Sort(x)
	for _, q := range []float64{0.001, 0.01, 0.1, 0.5, 0.9, 0.99, 0.999} {
		want := math.Sqrt2 * math.Erfinv(2*q-1)
		require.InDelta(t, want, float64(x[int(q*n)]), 0.06, "quantile %g", q)
	}
}

func BenchmarkFill(b *testing.B) {
	const n = 1 << 20
	shape, all := []int{1024, 1024}, []layout.Range{{Start: 0, Limit: 1024}, {Start: 0, Limit: 1024}}
	column := []layout.Range{{Start: 0, Limit: 1024}, {Start: 256, Limit: 512}}
	key := random.Key{1, 2}
	floats, words, bools := make([]float32, n), make([]uint32, n), make([]bool, n)
	for _, bm := range []struct {
		name string
		n    int
		fill func() error
	}{
		{"bits", n, func() error { return key.FillBits(words, shape, all) }},
		{"bits, a quarter of the columns", n / 4, func() error { return key.FillBits(words[:n/4], shape, column) }},
		{"uniform", n, func() error { return key.FillUniform(floats, shape, all, -0.1, 0.1) }},
		{"bernoulli", n, func() error { return key.FillBernoulli(bools, shape, all, 0.6) }},
		{"normal", n, func() error { return key.FillNormal(floats, shape, all, 0, 1) }},
	} {
		b.Run(bm.name, func(b *testing.B) {
			for b.Loop() {
				if err := bm.fill(); err != nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric(float64(b.N)*float64(bm.n)/b.Elapsed().Seconds()/1e6, "M/s")
			b.ReportMetric(0, "ns/op")
		})
	}
}
