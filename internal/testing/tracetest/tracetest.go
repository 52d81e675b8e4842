// Package tracetest runs functions of GoMLX nodes in tests: it records, compiles and runs them on
// one device.
//
// It is for tests only. Programs use packages trace, compile and runtime.
//
// Order of use: Run; then ReadJSON, Tensor and RequireClose to compare the results with a reference
// file.
//
//	function      role
//	Run           records, compiles and runs a function
//	ReadJSON      reads a reference file
//	Tensor        a float32 tensor out of JSON's nested lists
//	RequireClose  compares a result with a reference
package tracetest

import (
	"encoding/json"
	"fmt"
	"math"
	"os"
	"reflect"
	"slices"
	"testing"

	"github.com/gomlx/compute/shapes"
	"github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/core/tensors"
	"github.com/stretchr/testify/require"

	"github.com/gospmd/gospmd/compile"
	"github.com/gospmd/gospmd/internal/testing/runtimetest"
	"github.com/gospmd/gospmd/ir"
	"github.com/gospmd/gospmd/runtime"
	"github.com/gospmd/gospmd/trace"
)

// Run records fn as a program whose parameters are the inputs, compiles it, runs it on one device,
// and returns its results. An error fails the test.
func Run(t testing.TB, fn func(in []*graph.Node) []*graph.Node, inputs ...*tensors.Tensor) []*tensors.Tensor {
	t.Helper()
	return RunOn(t, runtimetest.Open(t, 1), fn, inputs...)
}

// RunOn computes fn on the devices of client, as Run does on one device, and returns its results.
// An error fails the test.
func RunOn(t testing.TB, client *runtime.Client, fn func(in []*graph.Node) []*graph.Node, inputs ...*tensors.Tensor) []*tensors.Tensor {
	t.Helper()
	var params []trace.Input
	for i, in := range inputs {
		params = append(params, trace.Input{Name: fmt.Sprintf("x%d", i), Type: ir.Tensor(in.DType(), in.Shape().Dimensions...)})
	}
	m, err := trace.RecordFunc("f", nil, func(_ *graph.Graph, in []*graph.Node) []*graph.Node { return fn(in) }, params...)
	require.NoError(t, err)
	p, err := compile.Compile(t.Context(), m, compile.Options{})
	require.NoError(t, err)
	exe, err := client.Load(t.Context(), p)
	require.NoError(t, err)
	args := make([]*runtime.Array, len(inputs))
	for i, in := range inputs {
		require.NoError(t, in.ConstFlatData(func(flat any) {
			args[i], err = client.Put(params[i].Type, nil, flat)
		}))
		require.NoError(t, err)
	}
	results, err := exe.Run(args...)
	require.NoError(t, err)
	out := make([]*tensors.Tensor, len(results))
	for i, r := range results {
		flat, err := r.Get(t.Context())
		require.NoError(t, err)
		out[i] = tensors.FromShape(shapes.Make(r.Type().DType, r.Type().Dims...))
		require.NoError(t, out[i].MutableFlatData(func(to any) { reflect.Copy(reflect.ValueOf(to), reflect.ValueOf(flat)) }))
	}
	for _, a := range slices.Concat(args, results) {
		a.Release()
	}
	require.NoError(t, exe.Close())
	return out
}

// ReadJSON returns the content of the JSON file name as a T. An error fails the test.
func ReadJSON[T any](t testing.TB, name string) (content T) {
	t.Helper()
	text, err := os.ReadFile(name)
	require.NoError(t, err)
	require.NoError(t, json.Unmarshal(text, &content), name)
	return content
}

// Tensor returns the float32 tensor of v, a number or nested lists of numbers as JSON has them. It
// panics if lists that must be equally long are not.
func Tensor(v any) *tensors.Tensor {
	var flat []float32
	var dims []int
	var walk func(v any, depth int)
	walk = func(v any, depth int) {
		list, ok := v.([]any)
		if !ok {
			flat = append(flat, float32(v.(float64)))
			return
		}
		if len(dims) == depth {
			dims = append(dims, len(list))
		}
		for _, e := range list {
			walk(e, depth+1)
		}
	}
	walk(v, 0)
	return tensors.FromFlatDataAndDimensions(flat, dims...)
}

// RequireClose fails the test if an element of got differs from want by more than tolerance. For
// elements of want whose absolute value is above 1, the tolerance is relative. Infinities and NaN
// must be the same. Tensors must have elements of type float32, and equally many. what names the
// value in the messages.
func RequireClose(t testing.TB, what string, want, got *tensors.Tensor, tolerance float64) {
	t.Helper()
	w, v := tensors.MustCopyFlatData[float32](want), tensors.MustCopyFlatData[float32](got)
	require.Len(t, v, len(w), what)
	for i := range w {
		got, want := float64(v[i]), float64(w[i])
		if math.IsNaN(want) || math.IsInf(want, 0) {
			require.True(t, got == want || math.IsNaN(got) && math.IsNaN(want), "%s at %d: got %g, want %g", what, i, got, want)
			continue
		}
		require.LessOrEqual(t, math.Abs(got-want), tolerance*max(1, math.Abs(want)), "%s at %d: got %g, want %g", what, i, got, want)
	}
}
