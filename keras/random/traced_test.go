package random_test

// This file runs traced functions on the Go backend and compares them with JAX and
// the host, and shows from the compiled module that nothing is communicated.

import (
	"math"
	"testing"

	"github.com/gomlx/compute"
	"github.com/gomlx/compute/dtypes"
	"github.com/gomlx/compute/gobackend"
	"github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/core/tensors"
	"github.com/stretchr/testify/require"

	"github.com/gospmd/gospmd/compile"
	"github.com/gospmd/gospmd/ir"
	"github.com/gospmd/gospmd/keras/random"
	"github.com/gospmd/gospmd/layout"
	"github.com/gospmd/gospmd/mesh"
	"github.com/gospmd/gospmd/program"
	"github.com/gospmd/gospmd/trace"
)

func goBackend(t testing.TB) compute.Backend {
	t.Helper()
	b, err := gobackend.New("")
	require.NoError(t, err)
	t.Cleanup(b.Finalize)
	return b
}

// flat returns a copy of a tensor's elements in row-major order, a slice of its Go type.
func flat(t testing.TB, x *tensors.Tensor) (out any) {
	t.Helper()
	require.NoError(t, x.ConstFlatData(func(data any) { out = cloned(data) }))
	return out
}

// run executes build on the backend with the node of key, and returns the elements of its result as
// flat does.
func run(t testing.TB, b compute.Backend, key random.Key, build func(key *graph.Node) *graph.Node) any {
	t.Helper()
	out, err := graph.CallOnce(b, build, []uint32{key[0], key[1]})
	require.NoError(t, err)
	return flat(t, out)
}

// tracedWithin says how far traced numbers may be off: they must be equal, except if a logarithm is
// taken, or if a backend may fuse a product and a sum of 64 bits.
func (c referenceCase) tracedWithin() tolerance {
	switch {
	case c.DType == "float64" && c.Op != "bernoulli":
		return tolerance{absolute: 2e-15 * max(1, math.Abs(c.Params.High))}
	case c.isNormal() && c.DType == "float32":
		return tolerance{ulps: 4}
	case c.isNormal():
		return tolerance{ulps: 1}
	}
	return exact
}

func TestTracedEqualsJAX(t *testing.T) {
	b := goBackend(t)
	for _, c := range readReference(t).Cases {
		t.Run(c.String(), func(t *testing.T) {
			got := run(t, b, c.Key, func(key *graph.Node) *graph.Node { return c.traced(t, key) })
			c.compare(t, got, c.tracedWithin())
			c.tracedWithin().check(t, got, c.host(t)) // the traced function and the host
		})
	}
}

func TestTracedDerivedKeysEqualHost(t *testing.T) {
	b := goBackend(t)
	for _, d := range readReference(t).Derived {
		for i, want := range d.Key.Split(3) {
			got := run(t, b, d.Key, func(key *graph.Node) *graph.Node { return random.Trace(key).Split(3)[i].Node() })
			require.Equal(t, want[:], got)
		}
		got := run(t, b, d.Key, func(key *graph.Node) *graph.Node {
			return random.Trace(key).FoldIn(graph.Const(key.Graph(), uint32(77))).Node()
		})
		want := d.Key.FoldIn(77)
		require.Equal(t, want[:], got)
	}
}

// Next returns the key that the state node holds, and the next state, as SeedGenerator.NextKey
// does.
func TestNext(t *testing.T) {
	b := goBackend(t)
	state := random.Key{15, 41}
	require.Equal(t, []uint32{15, 41}, run(t, b, state, func(s *graph.Node) *graph.Node { k, _ := random.Next(s); return k.Node() }))
	require.Equal(t, []uint32{15, 42}, run(t, b, state, func(s *graph.Node) *graph.Node { _, next := random.Next(s); return next }))
}

func TestTracedDropout(t *testing.T) {
	b := goBackend(t)
	key := random.Key{15, 0}
	const n = 1000
	keep := make([]bool, n)
	require.NoError(t, key.FillBernoulli(keep, []int{n}, fullRanges([]int{n}), 1-0.4))
	got := run(t, b, key, func(k *graph.Node) *graph.Node {
		return random.Trace(k).Dropout(graph.OnePlus(graph.Iota(k.Graph(), shapeOf(dtypes.Float32, n), 0)), 0.4)
	}).([]float32)
	for i, k := range keep {
		want := float32(0)
		if k {
			want = float32(i+1) / float32(1-0.4)
		}
		require.Equal(t, want, got[i], "element %d", i)
	}
	ones := func(rate float64) any {
		return run(t, b, key, func(k *graph.Node) *graph.Node {
			return random.Trace(k).Dropout(graph.Ones(k.Graph(), shapeOf(dtypes.Float32, 3)), rate)
		})
	}
	require.Equal(t, []float32{1, 1, 1}, ones(0))
	require.Equal(t, []float32{0, 0, 0}, ones(1))
}

func TestTracedErrors(t *testing.T) {
	b := goBackend(t)
	for _, tc := range []struct {
		name, want string
		build      func(k *graph.Node)
	}{
		{"key of another type", "got a key of type", func(k *graph.Node) { random.Trace(graph.ConvertDType(k, dtypes.Int32)) }},
		{"integer uniform", "want float32, float64, float16 or bfloat16", func(k *graph.Node) { random.Trace(k).Uniform(dtypes.Int32, 0, 1, 2) }},
		{"empty interval", "is empty or infinite", func(k *graph.Node) { random.Trace(k).Uniform(dtypes.Float32, 1, 1, 2) }},
		{"probability", "got probability 1.5", func(k *graph.Node) { random.Trace(k).Bernoulli(1.5, 2) }},
		{"rate", "got rate -1", func(k *graph.Node) { random.Trace(k).Dropout(graph.Const(k.Graph(), float32(1)), -1) }},
		{"float bits", "want uint8, uint16, uint32 or uint64", func(k *graph.Node) { random.Trace(k).Bits(dtypes.Float32, 2) }},
		{"negative dimension", "no negative dimension", func(k *graph.Node) { random.Trace(k).Bits(dtypes.Uint32, 2, -1) }},
		{"integers that do not fit", "does not fit dtype Int8", func(k *graph.Node) { random.Trace(k).RandInt(dtypes.Int8, 0, 1000, 2) }},
		{"fold in a vector", "want a scalar uint32", func(k *graph.Node) { random.Trace(k).FoldIn(k) }},
	} {
		t.Run(tc.name, func(t *testing.T) {
			_, err := graph.CallOnce(b, func(k *graph.Node) *graph.Node { tc.build(k); return k }, []uint32{1, 2})
			require.ErrorContains(t, err, tc.want)
		})
	}
}

// FuzzFaces: on random keys, shapes and parameters, traced functions must return the same numbers
// as those on the host, to the bit.
func FuzzFaces(f *testing.F) {
	f.Add(uint32(1), uint32(2), uint8(3), uint8(4), uint8(1), -1.5, 2.5)
	f.Add(uint32(0), uint32(0), uint8(1), uint8(1), uint8(1), 0.0, 1.0)
	f.Add(uint32(9), uint32(7), uint8(0), uint8(5), uint8(2), 1e-30, 3e30)
	f.Fuzz(func(t *testing.T, k0, k1 uint32, d0, d1, d2 uint8, low, high float64) {
		if float32(low) >= float32(high) || float32(high)-float32(low) > 1e37 || !(low > -1e37) || !(high < 1e37) {
			t.Skip("not an interval")
		}
		b := goBackend(t)
		key, shape := random.Key{k0, k1}, []int{int(d0 % 6), int(d1 % 6), int(d2 % 6)}
		if size(shape) == 0 {
			t.Skip("the Go backend has no empty iota")
		}
		numbers := make([]float32, size(shape))
		require.NoError(t, key.FillUniform(numbers, shape, fullRanges(shape), low, high))
		require.Equal(t, numbers, run(t, b, key, func(k *graph.Node) *graph.Node {
			return random.Trace(k).Uniform(dtypes.Float32, low, high, shape...)
		}), "Uniform")
		p := float64(k1) / (1 << 32)
		bools := make([]bool, size(shape))
		require.NoError(t, key.FillBernoulli(bools, shape, fullRanges(shape), p))
		require.Equal(t, bools, run(t, b, key, func(k *graph.Node) *graph.Node {
			return random.Trace(k).Bernoulli(p, shape...)
		}), "Bernoulli")
		ints := make([]int32, size(shape))
		require.NoError(t, key.FillRandInt(ints, shape, fullRanges(shape), -int64(k0/2), int64(k1/2)+1))
		require.Equal(t, ints, run(t, b, key, func(k *graph.Node) *graph.Node {
			return random.Trace(k).RandInt(dtypes.Int32, -int64(k0/2), int64(k1/2)+1, shape...)
		}), "RandInt")
	})
}

// moduleOf returns the compiled program of build, a function of a key, on the mesh. Dimension 0 of
// the result is sharded over data and dimension 1 over model.
func moduleOf(t *testing.T, dm *mesh.DeviceMesh, build func(key *graph.Node) *graph.Node) *program.Program {
	t.Helper()
	module, err := trace.Record("random", dm, func(r *trace.Recorder) ([]trace.Output, error) {
		n := build(r.Param("key", ir.Tensor(dtypes.Uint32, 2), layout.Replicated(dm, 1)))
		want := layout.Replicated(dm, n.Rank())
		want.Dims[0].Axes, want.Dims[1].Axes = mesh.FullAxes("data"), mesh.FullAxes("model")
		return []trace.Output{{Name: "out", Node: n, Sharding: want}}, nil
	})
	require.NoError(t, err)
	program, err := compile.Compile(t.Context(), module, compile.Options{})
	require.NoError(t, err)
	return program
}

// Each device computes its numbers alone: in the per-device program no value is larger than the
// shard of the result, and there are no collectives.
func TestNothingIsCommunicated(t *testing.T) {
	dm := mesh.MustParse("data=4,model=2")
	shape := []int{8, 6}
	local := 8 * 6 / dm.Size()
	for _, tc := range []struct {
		name  string
		build func(k random.TracedKey) *graph.Node
	}{
		{"bits", func(k random.TracedKey) *graph.Node { return k.Bits(dtypes.Uint32, shape...) }},
		{"uniform", func(k random.TracedKey) *graph.Node { return k.Uniform(dtypes.Float32, -1, 2, shape...) }},
		{"normal", func(k random.TracedKey) *graph.Node { return k.Normal(dtypes.Float32, 0, 1, shape...) }},
		{"truncated", func(k random.TracedKey) *graph.Node { return k.TruncatedNormal(dtypes.BFloat16, 0, 1, shape...) }},
		{"bernoulli", func(k random.TracedKey) *graph.Node { return k.Bernoulli(0.5, shape...) }},
		{"integers", func(k random.TracedKey) *graph.Node { return k.RandInt(dtypes.Int32, 0, 7, shape...) }},
	} {
		t.Run(tc.name, func(t *testing.T) {
			program := moduleOf(t, dm, func(key *graph.Node) *graph.Node { return tc.build(random.Trace(key)) })
			iotas := 0
			program.Module.Main().Walk(func(op *ir.Op) {
				if op.Kind.Info().Traits&ir.Collective != 0 {
					t.Errorf("a collective: %s", op.Kind)
				}
				if op.Kind == ir.OpIota {
					iotas++
				}
				for _, r := range op.Results {
					if r.Type.Size() > local {
						t.Errorf("%s makes a value of type %s, larger than a shard", op.Kind, r.Type)
					}
				}
			})
			require.Positive(t, iotas)
		})
	}
}
