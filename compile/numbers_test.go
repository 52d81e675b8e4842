//go:build cgo

package compile_test

// This file compares the results of programs with and without simplification. The inputs have
// values that wrong rewrites would change.

import (
	"math"
	"math/rand/v2"
	"reflect"
	"testing"

	"github.com/gomlx/compute/dtypes/bfloat16"
	"github.com/gomlx/compute/dtypes/float16"
	"github.com/stretchr/testify/require"

	"github.com/gospmd/gospmd/compile"
	"github.com/gospmd/gospmd/internal/testing/longtest"
	"github.com/gospmd/gospmd/internal/testing/runtimetest"
	"github.com/gospmd/gospmd/ir"
	"github.com/gospmd/gospmd/ir/pass"
)

func TestRewriteNumbers(t *testing.T) {
	for i, s := range rewriteSamples {
		t.Run(s.rule, func(t *testing.T) {
			client := runtimetest.OpenSample(t, 1, i%4 == 0)
			m := parseSample(t, s.text)
			plain, err := compile.Compile(t.Context(), m, compile.Options{Debug: pass.Debug{Off: []string{"simplify", "cse", "split"}}})
			require.NoError(t, err)
			simple, err := compile.Compile(t.Context(), m, compile.Options{})
			require.NoError(t, err)
			plainly, simply := load(t, client, plain), load(t, client, simple)
			defer func() {
				require.NoError(t, plainly.Close())
				require.NoError(t, simply.Close())
			}()
			for seed := range uint64(4) {
				rng := rand.New(rand.NewPCG(seed, 7))
				var inputs []any
				for _, p := range m.Main().Params() {
					inputs = append(inputs, specials(p.Type, rng))
				}
				want := flatten(t, runLoaded(t, client, plainly, plain, inputs))
				requireSame(t, want, flatten(t, runLoaded(t, client, simply, simple, inputs)), s.text)
			}
		})
	}
}

// specials returns a slice with elements of t, chosen by rng: among them zeros of both signs,
// infinities, NaN, and the smallest and largest integers.
func specials(t ir.Type, rng *rand.Rand) any {
	floats := []float64{0, math.Copysign(0, -1), 1, -1, math.Inf(1), math.Inf(-1), math.NaN(), 3.5, -2.75, 65504, 1e30}
	ints := []int64{0, 1, -1, math.MaxInt64, math.MinInt64, math.MaxInt32, math.MinInt32, 127, -128, 255, 65535, 3}
	out := reflect.MakeSlice(reflect.SliceOf(t.DType.GoType()), t.Size(), t.Size())
	for i := range t.Size() {
		f := floats[(i+rng.IntN(2)*rng.IntN(len(floats)))%len(floats)]
		n := ints[(i+rng.IntN(2)*rng.IntN(len(ints)))%len(ints)]
		e := out.Index(i)
		switch v := e.Addr().Interface().(type) {
		case *bool:
			*v = rng.IntN(2) == 1
		case *bfloat16.BFloat16:
			*v = bfloat16.FromFloat64(f)
		case *float16.Float16:
			*v = float16.FromFloat64(f)
		default:
			switch {
			case e.CanFloat():
				e.SetFloat(f)
			case e.CanInt():
				e.Set(reflect.ValueOf(n).Convert(e.Type()))
			default:
				e.Set(reflect.ValueOf(uint64(n)).Convert(e.Type()))
			}
		}
	}
	return out.Interface()
}

// requireSame fails the test, with text in its message, unless the results want and got, slices of
// elements, are equal bit for bit, except for the payload of NaN.
func requireSame(t *testing.T, want, got []any, text string) {
	require.Equal(t, len(want), len(got))
	for i := range want {
		w, g := reflect.ValueOf(want[i]), reflect.ValueOf(got[i])
		require.Equal(t, w.Type(), g.Type())
		require.Equal(t, w.Len(), g.Len())
		for k := range w.Len() {
			require.Equal(t, elementBits(w.Index(k)), elementBits(g.Index(k)), "output %d, element %d of %v and %v\n%s", i, k, want[i], got[i], text)
		}
	}
}

// elementBits returns the value that is compared for an element of an output: the bits of a float,
// and the element itself for other types. All NaNs are equal, 0 and -0 are not.
func elementBits(v reflect.Value) any {
	if f, ok := v.Interface().(interface{ Float32() float32 }); ok {
		v = reflect.ValueOf(f.Float32())
	}
	if !v.CanFloat() {
		return v.Interface()
	}
	if math.IsNaN(v.Float()) {
		return "NaN"
	}
	return math.Float64bits(v.Float())
}

// TestTransformerNumbers runs a transformer that all passes change, on five meshes, or two in the
// short form. Its results must be within 1e-4 of those on one device without simplification.
func TestTransformerNumbers(t *testing.T) {
	longtest.SkipShort(t, "it compiles six programs")
	rng := rand.New(rand.NewPCG(1, 2))
	var inputs []any
	one, err := ir.Parse(transformer(1, 1, 1))
	require.NoError(t, err)
	for _, p := range one.Main().Params() {
		data := make([]float32, p.Type.Size())
		for i := range data {
			data[i] = float32(rng.NormFloat64() * 0.1)
		}
		inputs = append(inputs, data)
	}
	client := runtimetest.Open(t, 8)
	plain, err := compile.Compile(t.Context(), one, compile.Options{Debug: pass.Debug{Off: []string{"simplify", "cse", "split"}}})
	require.NoError(t, err)
	want := runOn(t, client, plain, inputs)[0].([]float32)
	for _, size := range longtest.Pick([][2]int{{1, 1}, {2, 4}}, [][2]int{{1, 1}, {8, 1}, {4, 2}, {2, 4}, {1, 8}}) {
		m, err := ir.Parse(transformer(1, size[0], size[1]))
		require.NoError(t, err)
		p, err := compile.Compile(t.Context(), m, compile.Options{})
		require.NoError(t, err)
		require.Empty(t, p.Diagnostics)
		got := runOn(t, client, p, inputs)[0].([]float32)
		for i := range want {
			require.InDelta(t, want[i], got[i], 1e-4, "mesh %v, element %d", size, i)
		}
	}
}
