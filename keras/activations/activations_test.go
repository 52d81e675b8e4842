package activations_test

import (
	"fmt"
	"math"
	"testing"

	g "github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/core/tensors"
	"github.com/stretchr/testify/require"

	"github.com/gospmd/gospmd/internal/testing/longtest"
	"github.com/gospmd/gospmd/internal/testing/tracetest"
	"github.com/gospmd/gospmd/keras/activations"
)

// withParams returns the activation function of the name, with the parameters p of the reference
// file; a missing parameter has Keras' default. It returns nil for a function that takes no
// parameters there.
func withParams(name string, p map[string]any) activations.Func {
	number := func(key string, otherwise float64) float64 {
		if v, ok := p[key].(float64); ok {
			return v
		}
		return otherwise
	}
	switch name {
	case "gelu":
		if p["approximate"] == true {
			return activations.GeluApproximate
		}
		return activations.Gelu
	case "relu":
		return activations.ReluWith(number("negative_slope", 0), number("max_value", math.Inf(1)), number("threshold", 0))
	case "leaky_relu":
		return activations.LeakyReluWith(number("negative_slope", 0.2))
	case "elu":
		return activations.EluWith(number("alpha", 1))
	case "threshold":
		return activations.Threshold(number("threshold", 0), number("default_value", 0))
	}
	return nil
}

// tolerance returns the relative error that TestKeras allows: 3e-6 in the long form, which only
// gelu at -30 reaches, where erf's distance from -1, a float32's last bit, is multiplied by 30.
//
// In the short form it is 1e-5: XLA does not optimize there, and rounds a little otherwise.
func tolerance() float64 { return longtest.Pick(1e-5, 3e-6) }

// TestKeras requires that values and gradients of the activations in the reference file, except
// sparsemax, are near those of Keras on JAX, which benchmarks/peers/training_reference.py wrote.
func TestKeras(t *testing.T) {
	file := tracetest.ReadJSON[struct {
		Cases []struct {
			Name                          string
			Params                        map[string]any
			X, Cotangent, Value, Gradient any
		}
	}](t, "../testdata/reference/activations.json")
	tested := 0
	for _, tc := range file.Cases {
		if tc.Name == "sparsemax" {
			continue // Keras' is not one: see TestSparsemax
		}
		tested++
		t.Run(tc.Name, func(t *testing.T) {
			f := withParams(tc.Name, tc.Params)
			if len(tc.Params) == 0 {
				var err error
				f, err = activations.Get(tc.Name)
				require.NoError(t, err)
			}
			out := tracetest.Run(t, func(in []*g.Node) []*g.Node {
				y := f(in[0])
				return []*g.Node{y, g.Gradient(g.ReduceAllSum(g.Mul(y, in[1])), in[0])[0]}
			}, tracetest.Tensor(tc.X), tracetest.Tensor(tc.Cotangent))
			tracetest.RequireClose(t, "value", tracetest.Tensor(tc.Value), out[0], tolerance())
			tracetest.RequireClose(t, "gradient", tracetest.Tensor(tc.Gradient), out[1], tolerance())
		})
	}
	require.Equal(t, 33, tested)
}

// TestSparsemax checks results by hand, and the gradient by the paper's
// formula: v less its mean over the support.
func TestSparsemax(t *testing.T) {
	x := tensors.FromValue([][]float32{{5, 5, -5, 1}, {0.25, 0.5, 0.5, -1}, {1, 2, 3, 4}, {0, 0, 0, 0}})
	v := tensors.FromValue([][]float32{{1, 3, 5, 7}, {1, 2, 6, 7}, {1, 2, 3, 4}, {1, 2, 3, 4}})
	out := tracetest.Run(t, func(in []*g.Node) []*g.Node {
		y := activations.Sparsemax(in[0])
		return []*g.Node{y, g.Gradient(g.ReduceAllSum(g.Mul(y, in[1])), in[0])[0]}
	}, x, v)
	third := float32(1) / 3
	tracetest.RequireClose(t, "value", tensors.FromValue([][]float32{
		{0.5, 0.5, 0, 0}, {third - 1.0/6, third + 1.0/12, third + 1.0/12, 0}, {0, 0, 0, 1}, {0.25, 0.25, 0.25, 0.25},
	}), out[0], 1e-6)
	tracetest.RequireClose(t, "gradient", tensors.FromValue([][]float32{{-1, 1, 0, 0}, {-2, -1, 3, 0}, {0, 0, 0, 0}, {-1.5, -0.5, 0.5, 1.5}}), out[1], 1e-6)
}

func TestGet(t *testing.T) {
	_, err := activations.Get("rellu")
	require.ErrorContains(t, err, `unknown activation "rellu"`)
	_, err = activations.Get(3)
	require.ErrorContains(t, err, "activation is a int")
	f, err := activations.Get(activations.Relu)
	require.NoError(t, err)
	require.NotNil(t, f)
}

func Example() {
	_, err := activations.Get("softmx")
	fmt.Println(err != nil)
	f, err := activations.Get("softmax")
	fmt.Println(f != nil, err)
	// Output:
	// true
	// true <nil>
}
