package trace_test

// This file defines the tensors that tests pass and compare, and runs recorded modules by package
// runtime.

import (
	"context"
	"fmt"
	"math"
	"math/cmplx"
	"reflect"
	"testing"

	"github.com/gomlx/compute/dtypes"
	"github.com/gomlx/compute/dtypes/bfloat16"
	"github.com/gomlx/compute/shapes"
	"github.com/stretchr/testify/require"

	"github.com/gospmd/gospmd/internal/testing/runtimetest"
	"github.com/gospmd/gospmd/ir"
	"github.com/gospmd/gospmd/layout"
	"github.com/gospmd/gospmd/mesh"
	"github.com/gospmd/gospmd/program"
	"github.com/gospmd/gospmd/runtime"
)

// tensor is a tensor in the host's memory: its dimensions, and its elements as a flat slice of the
// dtype's Go type.
type tensor struct {
	dims []int
	flat any
}

func vec[T any](values ...T) tensor { return tensor{[]int{len(values)}, values} }

func mat[T any](dims []int, values ...T) tensor { return tensor{dims, values} }

func scalar[T any](v T) tensor { return tensor{nil, []T{v}} }

func (x tensor) dtype() dtypes.DType { return dtypes.FromGoType(reflect.TypeOf(x.flat).Elem()) }

func (x tensor) shape() shapes.Shape { return shapes.Make(x.dtype(), x.dims...) }

func (x tensor) irType() ir.Type { return ir.Tensor(x.dtype(), x.dims...) }

// count returns the tensor of the given dimensions with the numbers 0, 1, 2, …, each once and in a
// mixed order, multiplied by scale, plus shift.
func count[T float32 | float64 | int32](scale, shift T, dims ...int) tensor {
	n := 1
	for _, d := range dims {
		n *= d
	}
	flat := make([]T, n)
	for i := range flat {
		// The stride is coprime to all sizes used here, so each number occurs once, but not in the
		// order of the indices.
		flat[i] = T((i*11)%n)*scale + shift
	}
	return tensor{dims, flat}
}

// mapElements returns the tensor with the results of fn for the elements of x, of type T.
func mapElements[T, U any](x tensor, fn func(T) U) tensor {
	in := x.flat.([]T)
	out := make([]U, len(in))
	for i, v := range in {
		out[i] = fn(v)
	}
	return tensor{x.dims, out}
}

// requireClose fails the test unless got has the shape of want, and elements that differ by at most
// tol; for large elements tol is relative to their size. NaN is equal to NaN. name is for the
// message.
func requireClose(t *testing.T, name string, got, want tensor, tol float64) {
	t.Helper()
	require.Equal(t, want.shape().String(), got.shape().String(), "shape of %s", name)
	g, w := reflect.ValueOf(got.flat), reflect.ValueOf(want.flat)
	for i := range w.Len() {
		a, b := number(g.Index(i)), number(w.Index(i))
		if !areSame(a, b, tol) {
			t.Fatalf("%s: element %d is %v, want %v\n got %v\nwant %v", name, i, a, b, got.flat, want.flat)
		}
	}
}

func areSame(a, b complex128, tol float64) bool {
	if a == b || cmplx.IsNaN(a) && cmplx.IsNaN(b) {
		return true
	}
	return cmplx.Abs(a-b) <= tol*math.Max(1, cmplx.Abs(b))
}

func number(v reflect.Value) complex128 {
	if b, ok := v.Interface().(bfloat16.BFloat16); ok {
		return complex(float64(b.Float32()), 0)
	}
	switch {
	case v.CanComplex():
		return v.Complex()
	case v.CanFloat():
		return complex(v.Float(), 0)
	case v.CanInt():
		return complex(float64(v.Int()), 0)
	case v.CanUint():
		return complex(float64(v.Uint()), 0)
	case v.Kind() == reflect.Bool:
		if v.Bool() {
			return 1
		}
		return 0
	}
	panic(fmt.Sprintf("BUG: no number: %s", v.Type()))
}

// load gives a recorded module to the engine unchanged, without gospmd's compiler, for one device,
// and returns a function that runs it on its inputs and returns its results, both in order. The
// test is skipped if there is no engine.
func load(t *testing.T, m *ir.Module) func(in ...tensor) []tensor {
	t.Helper()
	return loadOn(t, runtimetest.Open(t, 1), m)
}

// loadOn loads m on the first device of a client that is open already, as load does, and returns a
// function that runs it.
func loadOn(t *testing.T, client *runtime.Client, m *ir.Module) func(in ...tensor) []tensor {
	t.Helper()
	device, err := mesh.New(nil, nil, nil)
	require.NoError(t, err)
	info := func(name string, typ ir.Type) program.TensorInfo {
		return program.TensorInfo{Name: name, Type: typ, Local: typ, Sharding: layout.Replicated(device, typ.Rank())}
	}
	p := &program.Program{Name: m.Name, Form: program.PerDevice, Mesh: device, Module: m}
	for _, v := range m.Main().Params() {
		p.Inputs = append(p.Inputs, program.Input{TensorInfo: info(v.Name, v.Type), Alias: -1})
	}
	for _, r := range m.Main().Results {
		p.Outputs = append(p.Outputs, program.Output{TensorInfo: info(r.Name, r.Type)})
	}
	exe, err := client.Load(context.Background(), p)
	require.NoError(t, err, "%s", m)
	t.Cleanup(func() { require.NoError(t, exe.Close()) })
	return func(in ...tensor) []tensor {
		args := make([]*runtime.Array, len(in))
		for i, x := range in {
			args[i], err = client.Put(x.irType(), p.Inputs[i].Sharding, x.flat)
			require.NoError(t, err)
			defer args[i].Release()
		}
		results, err := exe.Run(args...)
		require.NoError(t, err)
		out := make([]tensor, len(results))
		for i, r := range results {
			flat, err := r.Get(context.Background())
			require.NoError(t, err)
			out[i] = tensor{r.Type().Dims, flat}
			r.Release()
		}
		return out
	}
}
