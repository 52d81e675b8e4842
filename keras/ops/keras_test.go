package ops_test

// This file compares all operations with Keras on JAX: benchmarks/peers/ops_reference.py
// wrote a model that consists of them, its outputs and gradients.

import (
	"fmt"
	"maps"
	"math"
	"path/filepath"
	"slices"
	"testing"

	"github.com/gomlx/compute/dtypes"
	"github.com/gomlx/compute/shapes"
	"github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/core/tensors"
	"github.com/stretchr/testify/require"

	"github.com/gospmd/gospmd/internal/longtest"
	"github.com/gospmd/gospmd/keras"
	"github.com/gospmd/gospmd/keras/data"
	"github.com/gospmd/gospmd/keras/distribution"
	"github.com/gospmd/gospmd/keras/layers"
	"github.com/gospmd/gospmd/keras/ops"
	"github.com/gospmd/gospmd/keras/saving"
	"github.com/gospmd/gospmd/mesh"
	"github.com/gospmd/gospmd/runtime"
	"github.com/gospmd/gospmd/trace/tracetest"
)

// gradients is a layer that computes a model's outputs, and the gradients of the sum of
// output · cos(position) with respect to its first two inputs, for each output of floats.
type gradients struct {
	layers.Base
	Model layers.Layer
}

func (l *gradients) Call(c *layers.Context, in []*graph.Node) []*graph.Node {
	outs := c.ApplyAll(l.Model, in...)
	results := outs
	for _, y := range outs {
		if !y.DType().IsFloat() {
			results = append(results, graph.ZerosLike(in[0]), graph.ZerosLike(in[1]))
			continue
		}
		at := graph.Reshape(graph.Iota(y.Graph(), shapes.Make(y.DType(), y.Shape().Size()), 0), y.Shape().Dimensions...)
		sum := graph.ReduceAllSum(graph.Mul(y, graph.Cos(at)))
		results = append(results, c.Recorder.Gradient(sum, in[0], in[1])...)
	}
	return results
}

// reference is what Keras computed.
type reference struct {
	X, Y, N any
	Cases   map[string]struct {
		Output    any
		Gradients []any
	}
}

// compare runs a model of operations and their gradients.
func (r reference) compare(t *testing.T, m *keras.Model, client keras.CompileOption) {
	t.Helper()
	names := m.OutputNames()
	wrapped := layers.ApplyAll(&gradients{Model: m.AsLayer()}, m.Inputs()...)
	with, err := keras.NewModel(m.Inputs(), wrapped)
	require.NoError(t, err)
	require.NoError(t, with.Compile(client))
	out, err := with.PredictOnBatch(t.Context(), []any{tracetest.Tensor(r.X), tracetest.Tensor(r.Y), tracetest.Tensor(r.N)})
	require.NoError(t, err)
	for i, name := range names {
		want := r.Cases[name]
		requireClose(t, name, want.Output, out[i])
		for k, g := range want.Gradients {
			requireClose(t, fmt.Sprintf("gradient %d of %s", k, name), g, out[len(names)+2*i+k])
		}
	}
}

// TestAgainstKeras loads the models, saves them, and loads them again.
func TestAgainstKeras(t *testing.T) {
	for i, name := range []string{"operations", "operations_more"} {
		file := tracetest.ReadJSON[reference](t, "testdata/"+name+".json")
		meshes := []string{"", "data=2,model=4", "data=3,model=2"}
		if !longtest.Enabled() {
			meshes = []string{"", meshes[1+i]}
		}
		for _, meshName := range meshes {
			t.Run(name+" "+meshName, func(t *testing.T) {
				require.NoError(t, distribution.Scope(dataParallel(t, meshName), func() error {
					client := goEngine(t, meshName)
					m, err := saving.LoadModel(t.Context(), "testdata/"+name+".keras")
					require.NoError(t, err)
					require.Len(t, m.OutputNames(), len(file.Cases))
					file.compare(t, m, client)
					if meshName != "" {
						return nil
					}
					path := filepath.Join(t.TempDir(), "again.keras")
					require.NoError(t, saving.SaveModel(t.Context(), m, path))
					m, err = saving.LoadModel(t.Context(), path)
					require.NoError(t, err)
					file.compare(t, m, client)
					return nil
				}))
			})
		}
	}
}

// TestFunctions makes the models by the functions of this package.
func TestFunctions(t *testing.T) {
	x, y := keras.Input([]int{4}, layers.Name("x")), keras.Input([]int{4}, layers.Name("y"))
	n := keras.Input([]int{3}, layers.Name("n"), layers.DType(dtypes.Int32))
	for name, all := range map[string]map[string]tensor{"operations": functions(x, y, ops.Sigmoid(x), n), "operations_more": moreFunctions(x, y, ops.Sigmoid(x), n)} {
		file := tracetest.ReadJSON[reference](t, "testdata/"+name+".json")
		without := map[string]int{"operations": 2, "operations_more": 1}[name] // cases with constants: what is padded with, what is for NaN, corners
		require.Len(t, all, len(file.Cases)-without)
		var names []string
		var outs []*layers.Tensor
		for _, name := range slices.Sorted(maps.Keys(all)) {
			names, outs = append(names, name), append(outs, all[name])
		}
		m, err := keras.NewModel(keras.Tensors(x, y, n), outs, keras.OutputNames(names...))
		require.NoError(t, err)
		file.compare(t, m, goEngine(t, ""))
	}
}

// dataParallel returns a distribution over the first axis of a mesh, nil for none.
func dataParallel(t *testing.T, name string) distribution.Distribution {
	t.Helper()
	if name == "" {
		return nil
	}
	d, err := distribution.NewModelParallel(distribution.NewLayoutMap(mesh.MustParse(name)), "data")
	require.NoError(t, err)
	return d
}

// goEngine returns a client of the engine written in Go, whose programs are compiled in no time.
func goEngine(t *testing.T, name string) keras.CompileOption {
	t.Helper()
	n := 1
	if name != "" {
		n = mesh.MustParse(name).Size()
	}
	client, err := runtime.Open(t.Context(), runtime.Options{Devices: n, Engine: runtime.EngineGo})
	require.NoError(t, err)
	t.Cleanup(func() { client.Close() })
	return keras.Client(client)
}

// requireClose compares numbers to 1e-5 of the larger of their size and 1.
func requireClose(t *testing.T, what string, want any, got *tensors.Tensor) {
	t.Helper()
	expected, err := data.Floats(tracetest.Tensor(want))
	require.NoError(t, err)
	var numbers []float32
	require.NoError(t, data.Numbers(got, func(_ int, v float64) bool { numbers = append(numbers, float32(v)); return true }))
	require.Len(t, numbers, len(expected), what)
	for i, w := range expected {
		g := float64(numbers[i])
		if math.IsNaN(float64(w)) && math.IsNaN(g) || float64(w) == g {
			continue
		}
		require.InDelta(t, w, g, 1e-5*max(1, math.Abs(float64(w))), "%s, element %d", what, i)
	}
}
