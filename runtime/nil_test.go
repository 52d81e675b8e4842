package runtime_test

// This file passes a nil context to everything that takes a context.

import (
	"context"
	"reflect"
	"testing"

	"github.com/gomlx/compute/dtypes"
	"github.com/stretchr/testify/require"

	"github.com/gospmd/gospmd/ir"
	"github.com/gospmd/gospmd/runtime"
	"github.com/gospmd/gospmd/runtime/runtimetest"
)

// TestNilContext calls each method of a client and of an array that takes a context, with a nil
// context and zero values for the other arguments. The error must say that the context is nil.
func TestNilContext(t *testing.T) {
	client := runtimetest.Open(t, 1)
	array, err := client.Put(ir.Tensor(dtypes.Float32, 1), nil, []float32{1})
	require.NoError(t, err)
	defer array.Release()

	contexts, errors := reflect.TypeFor[context.Context](), reflect.TypeFor[error]()
	called := 0
	for _, v := range []any{client, array} {
		value := reflect.ValueOf(v)
		for i := range value.NumMethod() {
			method, typ := value.Type().Method(i), value.Method(i).Type()
			if typ.NumIn() == 0 || typ.In(0) != contexts || typ.Out(typ.NumOut()-1) != errors {
				continue
			}
			args := make([]reflect.Value, typ.NumIn())
			for j := range args {
				args[j] = reflect.Zero(typ.In(j))
			}
			results := value.Method(i).Call(args)
			err, _ := results[len(results)-1].Interface().(error)
			require.ErrorContains(t, err, "the context is nil: want one such as context.Background()", method.Name)
			called++
		}
	}
	require.Greater(t, called, 8)

	var none context.Context
	_, err = runtime.Open(none, runtime.Options{})
	require.ErrorContains(t, err, "the context is nil")
	_, err = runtime.Values[float32](none, array)
	require.ErrorContains(t, err, "the context is nil")
}
