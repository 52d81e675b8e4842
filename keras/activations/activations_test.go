package activations_test

import (
	"encoding/json"
	"fmt"
	"os"
	"testing"

	g "github.com/gomlx/gomlx/core/graph"
	"github.com/stretchr/testify/require"

	"github.com/gospmd/gospmd/internal/tracetest"
	"github.com/gospmd/gospmd/keras/activations"
)

// notHere are the activations of the reference file that this package does not
// have.
var notHere = map[string]bool{
	"squareplus": true, "soft_shrink": true, "sparse_plus": true, "sparse_sigmoid": true, "hard_shrink": true, "sparsemax": true,
}

// tolerance is reached by gelu at -30 only, where erf's distance from -1, a
// float32's last bit, is multiplied by 30.
const tolerance = 3e-6

// TestKeras compares value and gradient with Keras on JAX, whose numbers
// benchmarks/peers/training_reference.py wrote.
func TestKeras(t *testing.T) {
	text, err := os.ReadFile("../testdata/reference/activations.json")
	require.NoError(t, err)
	var file struct {
		Cases []struct {
			Name                          string
			Params                        map[string]any
			X, Cotangent, Value, Gradient any
		}
	}
	require.NoError(t, json.Unmarshal(text, &file))
	tested := 0
	for _, tc := range file.Cases {
		if notHere[tc.Name] || tc.Name != "gelu" && len(tc.Params) > 0 {
			continue
		}
		tested++
		t.Run(tc.Name, func(t *testing.T) {
			f, err := activations.Get(tc.Name)
			require.NoError(t, err)
			if tc.Params["approximate"] == true {
				f = activations.GeluApproximate
			}
			out := tracetest.Run(t, func(in []*g.Node) []*g.Node {
				y := f(in[0])
				return []*g.Node{y, g.Gradient(g.ReduceAllSum(g.Mul(y, in[1])), in[0])[0]}
			}, tracetest.Tensor(tc.X), tracetest.Tensor(tc.Cotangent))
			tracetest.RequireClose(t, "value", tracetest.Tensor(tc.Value), out[0], tolerance)
			tracetest.RequireClose(t, "gradient", tracetest.Tensor(tc.Gradient), out[1], tolerance)
		})
	}
	require.GreaterOrEqual(t, tested, 20)
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
