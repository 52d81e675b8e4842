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
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gospmd/gospmd/internal/testing/longtest"
	"github.com/gospmd/gospmd/internal/testing/runtimetest"
	"github.com/gospmd/gospmd/internal/testing/tracetest"
	"github.com/gospmd/gospmd/keras"
	"github.com/gospmd/gospmd/keras/data"
	"github.com/gospmd/gospmd/keras/distribution"
	"github.com/gospmd/gospmd/keras/layers"
	"github.com/gospmd/gospmd/keras/ops"
	"github.com/gospmd/gospmd/keras/saving"
	"github.com/gospmd/gospmd/mesh"
	"github.com/gospmd/gospmd/runtime"
)

func init() { runtimetest.CompileQuickly() }

// gradients is a layer that returns a model's outputs, and then two gradients for each of them, by
// the first two inputs, of the sum of output · cos(position). They are zeros for an output that is
// not of floats.
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

// reference is a reference file: the inputs, and the outputs and gradients that Keras computed for
// each case.
type reference struct {
	X, Y, N any
	Cases   map[string]struct {
		Output    any
		Gradients []any
	}
}

// compare computes the outputs and gradients of a model of operations on the inputs of the
// reference, and fails the test if they differ from Keras'.
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

// families are the files of reference cases, with the functions that compute them here.
var families = []struct {
	file      string
	functions func(x, y, u, n tensor) map[string]tensor
	// cases with constants that functions do not take: what is padded with, what is for NaN,
	// corners
	without int
	inGo    bool // Keras writes no file: the cases take functions
}{
	{"operations", functions, 2, false},
	{"operations_more", moreFunctions, 1, false},
	{"operations_numpy", numpyFunctions, 0, false},
	{"operations_nn", nnFunctions, 0, false},
	{"operations_linalg", linalgFunctions, 0, false},
	{"operations_core", coreFunctions, 0, true},
}

// meshesOf returns the names of the meshes on which family i of cases is tested: one device (""),
// and both meshes (of 8 and of 6 devices) in the long form or one of them in the short form.
func meshesOf(i int) []string {
	meshes := []string{"", "data=2,model=4", "data=3,model=2"}
	if !longtest.Enabled() {
		return []string{"", meshes[1+i%2]}
	}
	return meshes
}

// TestAgainstKeras loads Keras' models of operations. Outputs and gradients must be Keras' on one
// device and on meshes; on one device also of the model that is saved and loaded again. The short
// form has only that one: TestFunctions computes the same operations on meshes.
func TestAgainstKeras(t *testing.T) {
	for i, family := range families {
		if family.inGo {
			continue
		}
		file := tracetest.ReadJSON[reference](t, "testdata/"+family.file+".json")
		for _, meshName := range longtest.Pick([]string{""}, meshesOf(i)) {
			t.Run(family.file+" "+meshName, func(t *testing.T) {
				require.NoError(t, distribution.Scope(dataParallel(t, meshName), func() error {
					client := goEngine(t, meshName)
					m, err := saving.LoadModel(t.Context(), "testdata/"+family.file+".keras")
					require.NoError(t, err)
					require.Len(t, m.OutputNames(), len(file.Cases))
					if longtest.Enabled() {
						file.compare(t, m, client)
					}
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

// computed is a layer of one's own, with inputs x, y and n, that computes all functions of a family
// of cases in its Compute. Its outputs are in the order of the cases' names.
type computed struct {
	layers.Base
	functions func(x, y, u, n tensor) map[string]tensor
}

func (l *computed) Compute(in ...tensor) []tensor {
	all := l.functions(in[0], in[1], ops.Sigmoid(in[0]), in[2])
	var out []tensor
	for _, name := range slices.Sorted(maps.Keys(all)) {
		out = append(out, all[name])
	}
	return out
}

// TestFunctions builds the same models with the functions of this package, on tensors of a model
// and within a layer's Compute. Outputs and gradients must be Keras' on one device, and on meshes
// within a layer. Operations that take Go functions run on meshes in both forms. The short form has
// layers on meshes only.
func TestFunctions(t *testing.T) {
	for i, family := range families {
		file := tracetest.ReadJSON[reference](t, "testdata/"+family.file+".json")
		for _, meshName := range meshesOf(i) {
			for _, inLayer := range []bool{false, true} {
				if !inLayer && meshName != "" && !family.inGo {
					continue // the same operations as those of the file
				}
				if inLayer && meshName == "" && !longtest.Enabled() {
					continue
				}
				t.Run(fmt.Sprintf("%s %s in a layer %t", family.file, meshName, inLayer), func(t *testing.T) {
					require.NoError(t, distribution.Scope(dataParallel(t, meshName), func() error {
						x, y := keras.Input([]int{4}, layers.Name("x")), keras.Input([]int{4}, layers.Name("y"))
						n := keras.Input([]int{3}, layers.Name("n"), layers.DType(dtypes.Int32))
						all := family.functions(x, y, ops.Sigmoid(x), n)
						require.Len(t, all, len(file.Cases)-family.without)
						names := slices.Sorted(maps.Keys(all))
						var outs []*layers.Tensor
						for _, name := range names {
							require.NoError(t, all[name].Err(), name)
							outs = append(outs, all[name])
						}
						if inLayer {
							outs = layers.ApplyAll(&computed{functions: family.functions}, x, y, n)
						}
						m, err := keras.NewModel(keras.Tensors(x, y, n), outs, keras.OutputNames(names...))
						require.NoError(t, err)
						file.compare(t, m, goEngine(t, meshName))
						return nil
					}))
				})
			}
		}
	}
}

// dataParallel returns a distribution over the mesh called name that shards the batch along its
// axis data; nil for "".
func dataParallel(t *testing.T, name string) distribution.Distribution {
	t.Helper()
	if name == "" {
		return nil
	}
	d, err := distribution.NewModelParallel(distribution.NewLayoutMap(mesh.MustParse(name)), "data")
	require.NoError(t, err)
	return d
}

// goEngine returns a Compile option that runs a model on the engine written in Go, which takes no
// time to compile, with the devices of the mesh called name.
func goEngine(t *testing.T, name string) keras.CompileOption {
	t.Helper()
	n := 1
	if name != "" {
		n = mesh.MustParse(name).Size()
	}
	client := runtimetest.OpenWith(t, runtime.Options{Devices: n, Engine: runtime.EngineGo})
	return keras.Client(client)
}

// requireClose requires that got has the numbers of want, nested lists, with differences of at most
// 1e-5 of the larger of their size and 1. NaNs are equal. what begins the messages.
func requireClose(t *testing.T, what string, want any, got *tensors.Tensor) {
	t.Helper()
	expected, err := data.Floats(tracetest.Tensor(want))
	require.NoError(t, err)
	numbers := flat(t, got)
	if !assert.Len(t, numbers, len(expected), what) {
		return
	}
	for i, w := range expected {
		g := numbers[i]
		if math.IsNaN(float64(w)) && math.IsNaN(g) || float64(w) == g {
			continue
		}
		if !assert.InDelta(t, w, g, 1e-5*max(1, math.Abs(float64(w))), "%s, element %d", what, i) {
			return
		}
	}
}

// flat returns the numbers of a tensor in row-major order, as float64.
func flat(t *testing.T, x *tensors.Tensor) (out []float64) {
	t.Helper()
	require.NoError(t, data.Numbers(x, func(_ int, v float64) bool { out = append(out, v); return true }))
	return out
}
