package operations_test

import (
	"maps"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/gomlx/compute/dtypes"
	"github.com/gomlx/compute/shapes"
	"github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/core/tensors"
	"github.com/stretchr/testify/require"

	"github.com/gospmd/gospmd/internal/testing/runtimetest"
	"github.com/gospmd/gospmd/internal/testing/tracetest"
	"github.com/gospmd/gospmd/keras/layers/internal/operations"
)

func init() { runtimetest.CompileQuickly() }

// single is a test case of one operation: its class and arguments as a .keras file has them, and
// Keras' results. Gradients are those of the sum of the result, weighed by 1, 2, 3, …, with respect
// to tensors by their positions.
type single struct {
	Class     string
	Args      []any
	Kwargs    map[string]any
	Attrs     map[string]any
	Results   []any
	Gradients map[string]any
}

// tensorOf returns a tensor of a test case as float32, with NaN where the file has null and
// infinities where it has their names, and the type that it has in the case. It panics if the type
// is unknown.
func tensorOf(v map[string]any) (*tensors.Tensor, dtypes.DType) {
	var dims []int
	for _, d := range v["shape"].([]any) {
		dims = append(dims, int(d.(float64)))
	}
	var flat []float32
	for _, n := range v["numbers"].([]any) {
		switch n := n.(type) {
		case nil:
			flat = append(flat, float32(math.NaN()))
		case string:
			sign, ok := map[string]int{"inf": 1, "-inf": -1}[n]
			if !ok {
				panic(n)
			}
			flat = append(flat, float32(math.Inf(sign)))
		case float64:
			flat = append(flat, float32(n))
		}
	}
	dtype, err := dtypes.DTypeString(v["dtype"].(string))
	if err != nil {
		panic(err)
	}
	return tensors.FromFlatDataAndDimensions(flat, dims...), dtype
}

// argument converts v, an argument of a case, to a function that returns it for Compute. It appends
// the tensors in it to inputs; the function gets the nodes of all inputs, and puts them in the
// tensors' places. A whole number becomes an int, "-inf" the number, and an object with "slice" a
// Slice.
func argument(v any, inputs *[]*tensors.Tensor) func(in []*graph.Node) any {
	switch v := v.(type) {
	case string:
		if v == "-inf" {
			return func([]*graph.Node) any { return math.Inf(-1) }
		}
	case float64:
		if n := int(v); float64(n) == v {
			return func([]*graph.Node) any { return n }
		}
	case []any:
		var list []func([]*graph.Node) any
		for _, x := range v {
			list = append(list, argument(x, inputs))
		}
		return func(in []*graph.Node) any {
			out := []any{}
			for _, f := range list {
				out = append(out, f(in))
			}
			return out
		}
	case map[string]any:
		if part, ok := v["slice"].([]any); ok {
			bound := func(v any) *int {
				n, ok := v.(float64)
				if !ok {
					return nil
				}
				i := int(n)
				return &i
			}
			return func([]*graph.Node) any {
				return operations.Slice{Start: bound(part[0]), Stop: bound(part[1]), Step: bound(part[2])}
			}
		}
		x, dtype := tensorOf(v)
		*inputs = append(*inputs, x)
		i := len(*inputs) - 1
		return func(in []*graph.Node) any {
			if dtype.IsComplex() {
				part := func(k int) *graph.Node { return graph.Squeeze(graph.SliceAxis(in[i], -1, graph.AxisElem(k)), -1) }
				return graph.Complex(part(0), part(1))
			}
			return graph.ConvertDType(in[i], dtype)
		}
	}
	return func([]*graph.Node) any { return v }
}

// otherwise has, by the case, the index of the result (those behind it are of its gradients) and
// the index of the element, what we give where Keras gives something else, on purpose. The gradient
// of logaddexp for a finite number beside ∞ is 0; JAX takes the ∞ for 0 there and gives e to the
// number. The cross-entropy of a class is that of its own logit; Keras also multiplies the -∞ of
// another class by 0, and gets NaN.
var otherwise = map[string]map[int]map[int]float32{
	"logaddexp_infinite":           {1: {15: 0}, 2: {3: 0, 4: 0}},
	"logaddexp2_infinite":          {1: {15: 0}, 2: {3: 0, 4: 0}},
	"sparse_crossentropy_infinite": {0: {1: 1.3132616}},
}

// TestAgainstKeras runs operations on one device with other types, ranks and arguments than the
// tests of package ops. The results must have the types, shapes and, up to 1e-6, the values of
// Keras on JAX, which benchmarks/peers/operation_cases.py wrote; the gradients too, if it wrote
// them.
func TestAgainstKeras(t *testing.T) {
	file := tracetest.ReadJSON[struct{ Cases map[string]single }](t, "testdata/cases.json")
	for i, name := range slices.Sorted(maps.Keys(file.Cases)) {
		t.Run(name, func(t *testing.T) {
			c := file.Cases[name]
			op := operations.Table[c.Class]
			require.True(t, op.Exists(), c.Class)
			for _, name := range strings.Fields(op.Named) {
				if v, ok := c.Kwargs[name]; ok {
					c.Args = append(c.Args, v)
					delete(c.Kwargs, name)
				}
			}
			require.Empty(t, c.Kwargs)
			var inputs []*tensors.Tensor
			args := argument(c.Args, &inputs)
			attrs := make(map[string]any)
			for key, v := range c.Attrs {
				attrs[key] = argument(v, &inputs)(nil)
			}
			var types []dtypes.DType
			got := tracetest.RunOn(t, runtimetest.OpenSample(t, 1, i%8 == 0), func(in []*graph.Node) []*graph.Node {
				results := op.Compute(in[0].Graph(), args(in).([]any), attrs, nil)
				for i, y := range results {
					types = append(types, y.DType())
					if y.DType().IsComplex() {
						y = graph.Stack([]*graph.Node{graph.Real(y), graph.Imag(y)}, y.Rank())
					}
					results[i] = graph.ConvertDType(y, dtypes.Float32)
				}
				for _, i := range slices.Sorted(maps.Keys(c.Gradients)) {
					y := results[0]
					weights := graph.AddScalar(graph.Iota(y.Graph(), shapes.Make(dtypes.Float32, y.Shape().Size()), 0), 1)
					sum := graph.ReduceAllSum(graph.Mul(y, graph.Reshape(weights, y.Shape().Dimensions...)))
					results = append(results, graph.Gradient(sum, in[i[0]-'0'])[0])
					types = append(types, dtypes.Float32)
					c.Results = append(c.Results, c.Gradients[i])
				}
				return results
			}, inputs...)
			require.Len(t, got, len(c.Results))
			for i, want := range c.Results {
				want, dtype := tensorOf(want.(map[string]any))
				require.Equal(t, dtype, types[i])
				require.True(t, want.Shape().EqualDimensions(got[i].Shape()), "got %s, want %s", got[i].Shape(), want.Shape())
				if ours := otherwise[name][i]; ours != nil {
					flat := tensors.MustCopyFlatData[float32](want)
					for at, v := range ours {
						flat[at] = v
					}
					want = tensors.FromFlatDataAndDimensions(flat, want.Shape().Dimensions...)
				}
				tracetest.RequireClose(t, name, want, got[i], runtimetest.Tolerance(1e-6))
			}
		})
	}
}
