package random_test

// This file compares numbers that are drawn until one fits, permutations and classes with JAX.

import (
	"testing"

	"github.com/gomlx/compute/dtypes"
	"github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/core/tensors"
	"github.com/stretchr/testify/require"

	"github.com/gospmd/gospmd/internal/testing/runtimetest"
	"github.com/gospmd/gospmd/internal/testing/tracetest"
	"github.com/gospmd/gospmd/ir"
	"github.com/gospmd/gospmd/keras/random"
	"github.com/gospmd/gospmd/runtime"
	"github.com/gospmd/gospmd/trace"
)

func TestBetasAndPermutationsEqualJAX(t *testing.T) {
	// the Go engine compiles nothing
	client := runtimetest.OpenWith(t, runtime.Options{Devices: 1, Engine: runtime.EngineGo})
	file := readReference(t)
	require.NotEmpty(t, file.Betas)
	require.NotEmpty(t, file.Permutations)
	out := tracetest.RunOn(t, client, func(in []*graph.Node) (out []*graph.Node) {
		for _, b := range file.Betas {
			out = append(out, random.Trace(in[0]).Beta(graph.Const(in[0].Graph(), b.Alpha), len(b.Numbers)))
		}
		for _, p := range file.Permutations {
			out = append(out, random.Trace(in[0]).Permutation(len(p.Order)))
		}
		return out
	}, tensors.FromValue([]uint32{file.Betas[0].Key[0], file.Betas[0].Key[1]}))
	for i, b := range file.Betas {
		require.InDeltaSlice(t, b.Numbers, out[i].Value(), 1e-6, "alpha %g", b.Alpha)
	}
	for i, p := range file.Permutations {
		require.Equal(t, p.Order, out[len(file.Betas)+i].Value())
	}
}

func TestCategoricalEqualsKeras(t *testing.T) {
	client := runtimetest.OpenWith(t, runtime.Options{Devices: 1, Engine: runtime.EngineGo})
	file := tracetest.ReadJSON[struct {
		Cases []struct {
			DType   string
			Logits  [][]float32
			Classes [][]int32
		}
	}](t, "testdata/categorical.json")
	require.Len(t, file.Cases, 3)
	out := tracetest.RunOn(t, client, func(in []*graph.Node) (out []*graph.Node) {
		for _, c := range file.Cases {
			logits := graph.ConvertDType(graph.Const(in[0].Graph(), c.Logits), dtypes.MapOfNames[c.DType])
			out = append(out, random.Trace(in[0]).Categorical(logits, len(c.Classes[0])))
		}
		return out
	}, tensors.FromValue([]uint32{11, 3}))
	for i, c := range file.Cases {
		require.Equal(t, c.Classes, out[i].Value(), c.DType)
	}
	_, err := trace.Record("test", nil, func(r *trace.Recorder) ([]trace.Output, error) {
		key := random.Trace(r.Param("key", ir.Tensor(dtypes.Uint32, 2), nil))
		key.Categorical(r.Param("logits", ir.Tensor(dtypes.Float32, 2), nil), 1)
		return nil, nil
	})
	require.ErrorContains(t, err, "Categorical: got logits of shape (Float32)[2] and 1 samples: want logits [rows, classes]")
}
