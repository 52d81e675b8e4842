//go:build cgo

package compile_test

// This file compares gradients of max poolings with and without the pass pooling.

import (
	"fmt"
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"

	"github.com/gomlx/compute/dtypes/bfloat16"
	"github.com/stretchr/testify/require"

	"github.com/gospmd/gospmd/compile"
	"github.com/gospmd/gospmd/internal/testing/runtimetest"
	"github.com/gospmd/gospmd/ir"
	"github.com/gospmd/gospmd/ir/pass"
	"github.com/gospmd/gospmd/runtime"
	"github.com/gospmd/gospmd/target"
)

// The pass that rewrites gradients of max pooling computes the same as the Go engine's
// select_and_scatter, which gives the whole gradient to the first of equal elements. Programs with
// other windows or bodies are not rewritten.
func TestPooling(t *testing.T) {
	client := runtimetest.OpenWith(t, runtime.Options{Devices: 1, Engine: runtime.EngineGo})
	for _, tc := range []struct {
		name, x, g, size, strides, padding string
		select_, init                      string
		rewritten                          bool
	}{
		{name: "2x2", x: "3x4x6x2xf32", g: "3x2x3x2xf32", size: "1, 2, 2, 1", rewritten: true},
		{name: "what is left over", x: "2x7x5x2xf32", g: "2x3x2x2xf32", size: "1, 2, 2, 1", rewritten: true},
		{name: "windows that reach beyond the end", x: "2x7x5xf32", g: "2x3x3xf32", size: "1, 3, 2", padding: "[[0, 0], [0, 2], [0, 1]]", rewritten: true},
		{name: "both", x: "5x7xbf16", g: "2x3xbf16", size: "2, 3", padding: "[[0, 0], [0, 2]]", rewritten: true},
		{name: "one dimension", x: "9xf64", g: "3xf64", size: "3", rewritten: true},
		{name: "windows that overlap", x: "9xf32", g: "4xf32", size: "3", strides: "2"},
		{name: "windows apart", x: "9xf32", g: "3xf32", size: "2", strides: "3"},
		{name: "padding before", x: "8xf32", g: "4xf32", size: "2", padding: "[[1, 0]]"},
		{name: "the last of equal ones", x: "8xf32", g: "4xf32", size: "2", select_: "GT"},
		{name: "another initial value", x: "8xf32", g: "4xf32", size: "2", init: "1.0"},
		{name: "integers", x: "8xi32", g: "4xi32", size: "2", init: "0"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			or := func(s, otherwise string) string {
				if s == "" {
					return otherwise
				}
				return s
			}
			element := tc.x[strings.LastIndexByte(tc.x, 'x')+1:]
			rank := strings.Count(tc.x, "x")
			none := "[" + strings.TrimSuffix(strings.Repeat("[0, 0], ", rank), ", ") + "]"
			m, err := ir.Parse(fmt.Sprintf(`func.func public @main(%%x: tensor<%[1]s>, %%g: tensor<%[2]s>) -> tensor<%[1]s> {
  %%z = stablehlo.constant dense<%[3]s> : tensor<%[4]s>
  %%0 = "stablehlo.select_and_scatter"(%%x, %%g, %%z) <{window_dimensions = array<i64: %[5]s>, window_strides = array<i64: %[6]s>, padding = dense<%[7]s> : tensor<%[8]dx2xi64>}> ({
    ^bb0(%%a: tensor<%[4]s>, %%b: tensor<%[4]s>):
      %%c = stablehlo.compare %[9]s, %%a, %%b : (tensor<%[4]s>, tensor<%[4]s>) -> tensor<i1>
      stablehlo.return %%c : tensor<i1>
  }, {
    ^bb0(%%a: tensor<%[4]s>, %%b: tensor<%[4]s>):
      %%c = stablehlo.add %%a, %%b : tensor<%[4]s>
      stablehlo.return %%c : tensor<%[4]s>
  }) : (tensor<%[1]s>, tensor<%[2]s>, tensor<%[4]s>) -> tensor<%[1]s>
  return %%0 : tensor<%[1]s>
}`, tc.x, tc.g, or(tc.init, "0.0"), element, tc.size, or(tc.strides, tc.size), or(tc.padding, none), rank, or(tc.select_, "GE")))
			require.NoError(t, err)
			plain, err := compile.Compile(t.Context(), m, compile.Options{Debug: pass.Debug{Off: []string{"pooling"}}})
			require.NoError(t, err)
			without, err := compile.Compile(t.Context(), m, compile.Options{})
			require.NoError(t, err)
			require.Equal(t, !tc.rewritten, strings.Contains(string(target.CPU.Text(without)), "select_and_scatter"))
			for seed := range uint64(5) {
				rng := rand.New(rand.NewPCG(seed, 3))
				var inputs []any
				for _, p := range m.Main().Params() {
					inputs = append(inputs, fewNumbers(p.Type, rng))
				}
				requireSame(t, runOn(t, client, plain, inputs), runOn(t, client, without, inputs), m.String())
			}
		})
	}
}

// fewNumbers returns a slice of t's Go type with random elements, integers from -2 to 2.
func fewNumbers(t ir.Type, rng *rand.Rand) any {
	out := reflect.MakeSlice(reflect.SliceOf(t.DType.GoType()), t.Size(), t.Size())
	for i := range t.Size() {
		n := rng.IntN(5) - 2
		if half, ok := out.Index(i).Addr().Interface().(*bfloat16.BFloat16); ok {
			*half = bfloat16.FromFloat64(float64(n))
			continue
		}
		out.Index(i).Set(reflect.ValueOf(n).Convert(out.Index(i).Type()))
	}
	return out.Interface()
}
