package layers_test

// This file compares layers with Keras on JAX, whose numbers
// benchmarks/peers/layers_reference.py wrote: forward, gradients and one
// training step, on one device and on a mesh.

import (
	"fmt"
	"log/slog"
	"maps"
	"math"
	"slices"
	"testing"

	"github.com/gomlx/compute/dtypes"
	"github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/core/tensors"
	"github.com/stretchr/testify/require"

	"github.com/gospmd/gospmd/internal/testing/longtest"
	"github.com/gospmd/gospmd/internal/testing/runtimetest"
	"github.com/gospmd/gospmd/internal/testing/tracetest"
	"github.com/gospmd/gospmd/keras"
	"github.com/gospmd/gospmd/keras/distribution"
	"github.com/gospmd/gospmd/keras/initializers"
	"github.com/gospmd/gospmd/keras/layers"
	"github.com/gospmd/gospmd/keras/losses"
	"github.com/gospmd/gospmd/keras/optimizers"
	"github.com/gospmd/gospmd/keras/saving"
	"github.com/gospmd/gospmd/keras/variable"
	"github.com/gospmd/gospmd/mesh"
	"github.com/gospmd/gospmd/runtime"
)

func init() { runtimetest.CompileQuickly() }

// layerCase is one case of the reference file: a layer as Keras serializes it, its inputs, and what
// Keras computes with it.
type layerCase struct {
	Layer      string
	Serialized map[string]any // as in config.json
	Call       map[string]any // arguments of the call
	Integers   bool
	Inputs     []any
	Mask       any
	Weights    []struct {
		Path      string
		Trainable bool
		Value     any
	}
	Initial           []any // first values of the weights, of layers for which they are not random
	Output, Cotangent any
	InputGradients    []any `json:"input_gradients"`
	Loss              float64
	Drawn             []int // how often a step draws random numbers
	Trained           []any
}

// shift is a layer that adds a trained variable, by, at first zeros, of the input's shape with a
// batch of batch samples, to its input. It returns an input with another batch unchanged. The
// change of the variable in a training step shows the gradient.
type shift struct {
	layers.Base
	batch int
	by    *variable.Variable
}

func (s *shift) Build(b *layers.Builder, in []layers.Spec) (err error) {
	dims := append([]int{s.batch}, in[0].Shape[1:]...)
	s.by, err = b.AddWeight("by", dims, dtypes.Float32, initializers.Zeros())
	return err
}

func (s *shift) Call(c *layers.Context, in []*graph.Node) []*graph.Node {
	if in[0].Shape().Dimensions[0] != s.batch {
		return in // the shape of the output is being found
	}
	return []*graph.Node{graph.Add(in[0], c.Value(s.by))}
}

// weightedSum is the loss of the reference: the sum of predictions times
// labels, for each sample.
func weightedSum(yTrue, yPred *graph.Node) *graph.Node {
	axes := make([]int, yPred.Rank()-1)
	for i := range axes {
		axes[i] = i + 1
	}
	return graph.ReduceSum(graph.Mul(yTrue, yPred), axes...)
}

// layersFile is a reference file: its name, the number of its cases, whether most of them run on
// the Go engine, and the meshes on which they run.
type layersFile struct {
	name  string
	cases int
	// virtual says that every eighth of its cases runs on XLA, and the others run on the
	// engine written in Go. In the short form XLA runs every 24th, and every 16th of other
	// files.
	virtual bool
	meshes  []string
}

// layersFiles are the reference files and the meshes on which they are compared. On 3x5 nothing
// divides: neither the batch, nor channels, heads or the vocabulary.
var layersFiles = []layersFile{
	{"layers", 61, false, []string{"data=2,model=4", "data=3,model=5", "data=3,model=2"}},
	{"layers_spatial", 35, true, []string{"data=2,model=4", "data=3,model=2"}},
	{"layers_scores", 5, true, []string{"data=2,model=4", "data=3,model=2"}},
	{"layers_preparation", 16, true, []string{"data=2,model=4", "data=3,model=2"}},
	{"layers_noise", 12, true, []string{"data=2,model=4", "data=3,model=2"}},
	{"layers_augmentation", 46, true, []string{"data=2,model=4", "data=3,model=2"}},
	{"layers_merging", 24, true, []string{"data=2,model=4", "data=3,model=2"}},
	{"layers_arguments", 20, true, []string{"data=2,model=4", "data=3,model=2"}},
	{"layers_signals", 14, true, []string{"data=2,model=4", "data=3,model=2"}},
	{"layers_wrapping", 8, true, []string{"data=2,model=4", "data=3,model=2"}},
}

// noWarnings discards warnings. Then layouts are not checked, which would take most of the time.
var noWarnings = keras.Logger(slog.New(slog.DiscardHandler))

func TestKeras(t *testing.T) {
	for _, f := range layersFiles {
		file := tracetest.ReadJSON[struct {
			Batch int
			Rate  float64
			Cases []layerCase
		}](t, "../testdata/reference/"+f.name+".json")
		require.Len(t, file.Cases, f.cases)
		for i, tc := range file.Cases {
			t.Run(fmt.Sprintf("%s %d %s", f.name, i, tc.Layer), func(t *testing.T) {
				tc.config(t)
				every := 16
				if f.virtual {
					every = 24
				}
				open := func(t testing.TB, devices int) *runtime.Client {
					return runtimetest.OpenSample(t, devices, i%every == 0)
				}
				if f.virtual && i%8 > 0 {
					open = openGo
				}
				for _, meshName := range append([]string{""}, f.meshes...) {
					// Every other case of the long form runs on all meshes, the others on one of them in turn.
					all := longtest.Enabled() && i%2 == 0
					if meshName != "" && (testing.Short() || !all && meshName != f.meshes[i%len(f.meshes)]) {
						continue
					}
					if meshName != "" && f.virtual && i%4 >= 2 && !longtest.Enabled() {
						continue // the short form trains half of these layers
					}
					t.Run(fmt.Sprintf("on %q", meshName), func(t *testing.T) {
						onMesh(t, meshName, tc, open, func(client keras.CompileOption) {
							if meshName == "" {
								tc.check(t, client, file.Batch, file.Rate, true)
							}
							if meshName == "" && !testing.Short() && !longtest.Enabled() {
								return // the short form trains on the mesh, to the same numbers
							}
							tc.check(t, client, file.Batch, file.Rate, false)
						})
					})
				}
			})
		}
	}
}

// openGo returns a client of the engine written in Go with that many devices, which is closed at
// the end of the test.
func openGo(t testing.TB, devices int) *runtime.Client {
	t.Helper()
	c, err := runtime.Open(t.Context(), runtime.Options{Devices: devices, Engine: runtime.EngineGo})
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, c.Close()) })
	return c
}

// place returns the index, in the case's list of Keras' weights, of the one with v's path; the
// length of the list if there is none.
func (tc layerCase) place(v *variable.Variable) int {
	for i, w := range tc.Weights {
		if w.Path == v.Path() {
			return i
		}
	}
	return len(tc.Weights)
}

// layer makes the layer that the case describes, from its Keras config. It adds the argument
// use_causal_mask of the call, an option here, and a seed that Keras does not save (unsaved).
func (tc layerCase) layer(t *testing.T) layers.Layer {
	t.Helper()
	o := maps.Clone(tc.Serialized)
	config := maps.Clone(o["config"].(map[string]any))
	if tc.Call["use_causal_mask"] == true { // an option here
		config["use_causal_mask"] = true
	}
	if seed := unsaved[tc.Layer]; seed > 0 && config["dropout"] != 0. {
		config["seed"] = seed
	}
	o["config"] = config
	l, err := saving.DeserializeLayer(o)
	require.NoError(t, err)
	return l
}

// unsaved has, by class, the seeds of layers whose config in Keras has no seed.
var unsaved = map[string]float64{"RandomGrayscale": 8, "SimpleRNN": 3}

// config fails the test unless the layer's config, as written to a file, is the one that the case
// was made from, apart from settings that are null or off.
func (tc layerCase) config(t *testing.T) {
	t.Helper()
	o, err := saving.SerializeLayer(tc.layer(t))
	require.NoError(t, err)
	require.Equal(t, tc.Serialized["class_name"], o["class_name"])
	want, got := tc.Serialized["config"].(map[string]any), o["config"].(map[string]any)
	for key, v := range want {
		if g, ok := got[key]; ok || v != nil && v != false && key != "renorm_momentum" {
			require.Equal(t, described(key, v), described(key, g), key)
		}
	}
	for key, v := range got {
		// an argument of Keras' call
		if _, ok := want[key]; !ok && key != "use_causal_mask" && !(key == "seed" && unsaved[tc.Layer] > 0) {
			require.Contains(t, []any{nil, false}, v, key)
		}
	}
}

// described returns the description v of a layer, the value of key, in the form in which Go and
// Keras agree: without null and false values and registration data, with policies as names, and a
// list of one axis as a number.
func described(key string, v any) any {
	switch v := v.(type) {
	case []any:
		if key == "axis" && len(v) == 1 {
			return v[0]
		}
		out := make([]any, len(v))
		for i, x := range v {
			out[i] = described("", x)
		}
		return out
	case map[string]any:
		if key == "dtype" { // a policy, or its name
			return v["config"].(map[string]any)["name"]
		}
		out := make(map[string]any)
		for key, x := range v {
			if x != nil && x != false && key != "registered_name" && key != "module" && key != "build_config" {
				out[key] = described(key, x)
			}
		}
		return out
	}
	return v
}

// onMesh calls test with an option for Compile: a client of the devices of the mesh called name,
// such as "data=2,model=4", which open opens. It runs in a distribution that shards the batch over
// the axis data, and a dimension of each weight of tc over model, if one is divisible or has at
// least 4 elements. The name "" is one device, without a distribution.
func onMesh(t *testing.T, name string, tc layerCase, open func(testing.TB, int) *runtime.Client, test func(client keras.CompileOption)) {
	if name == "" {
		test(keras.Client(open(t, 1)))
		return
	}
	dm := mesh.MustParse(name)
	layouts := distribution.NewLayoutMap(dm)
	for _, w := range tc.Weights {
		dims := tracetest.Tensor(w.Value).Shape().Dimensions
		axes := make([]string, len(dims))
		if d := shardedDim(dims, dm.AxisSize("model")); d >= 0 {
			axes[d] = "model"
		}
		require.NoError(t, layouts.Set(w.Path, axes...))
	}
	d, err := distribution.NewModelParallel(layouts, "data")
	require.NoError(t, err)
	require.NoError(t, distribution.Scope(d, func() error {
		test(keras.Client(open(t, dm.Size())))
		return nil
	}))
}

// shardedDim returns the index of the last dimension whose size n divides, or else of the first one
// of at least four elements; -1 if there is neither.
func shardedDim(dims []int, n int) int {
	for d, size := range slices.Backward(dims) {
		if size%n == 0 {
			return d
		}
	}
	return slices.IndexFunc(dims, func(size int) bool { return size >= 4 })
}

func (tc layerCase) check(t *testing.T, client keras.CompileOption, batch int, rate float64, predict bool) {
	layers.ClearSession()
	l := tc.layer(t)
	var ins, shifted []*layers.Tensor
	var shifts []*shift
	var xs []any
	for _, v := range tc.Inputs {
		x := tracetest.Tensor(v)
		dtype := dtypes.Float32
		if tc.Integers {
			dtype = dtypes.Int32
		}
		in := layers.Input(x.Shape().Dimensions[1:], layers.DType(dtype))
		xs, ins = append(xs, x), append(ins, in)
		if !tc.Integers {
			s := &shift{batch: batch}
			shifts = append(shifts, s)
			in = in.Apply(s)
		}
		shifted = append(shifted, in)
	}
	if tc.Mask != nil {
		x := tracetest.Tensor(tc.Mask)
		in := layers.Input(x.Shape().Dimensions[1:], layers.DType(dtypes.Bool))
		xs, ins, shifted = append(xs, x), append(ins, in), append(shifted, in)
	}
	as := l
	if tc.Call["reverse"] == true {
		as = l.(*layers.ReversibleEmbeddingLayer).Reverse()
	}
	m, err := keras.NewModel(ins, []*layers.Tensor{joined(layers.ApplyAll(as, shifted...))})
	require.NoError(t, err)
	var weights []*variable.Variable
	for _, v := range keras.Must(m.Layer("layer")).Variables() {
		if v.DType() == dtypes.Float32 {
			weights = append(weights, v)
		}
	}
	require.Len(t, weights, len(tc.Weights))
	slices.SortStableFunc(weights, func(a, b *variable.Variable) int { return tc.place(a) - tc.place(b) })
	for i, v := range weights {
		require.Equal(t, tc.Weights[i].Path, v.Path())
		require.Equal(t, tc.Weights[i].Trainable, v.Trainable())
		if tc.Initial != nil {
			first, err := v.Value(t.Context())
			require.NoError(t, err)
			tracetest.RequireClose(t, v.Path(), tracetest.Tensor(tc.Initial[i]), tensors.FromFlatDataAndDimensions(first.([]float32), v.Shape()...), 2e-7)
		}
		require.NoError(t, v.Assign(nil, tensors.MustCopyFlatData[float32](tracetest.Tensor(tc.Weights[i].Value))), v.Path())
	}
	sgd := optimizers.SGD(optimizers.LearningRate(rate))
	require.NoError(t, m.Compile(keras.Optimizer(sgd), keras.Loss(losses.New("weighted_sum", weightedSum)), client, noWarnings))
	if predict {
		out, err := m.Predict(t.Context(), xs, keras.Verbose(0))
		require.NoError(t, err)
		require.Equal(t, tracetest.Tensor(tc.Output).Shape(), out[0].Shape())
		tracetest.RequireClose(t, "output", tracetest.Tensor(tc.Output), out[0], runtimetest.Tolerance(2e-6))
		return // recurrent layers draw masks in inference too: training starts with the first ones
	}
	history, err := m.Fit(t.Context(), xs, tracetest.Tensor(tc.Cotangent), keras.BatchSize(batch), keras.Shuffle(false), keras.Verbose(0))
	require.NoError(t, err)
	require.InDelta(t, tc.Loss, history.Logs["loss"][0], max(runtimetest.Tolerance(1e-5), 2e-6*math.Abs(tc.Loss)))
	value := func(v *variable.Variable) *tensors.Tensor {
		flat, err := v.Value(t.Context())
		require.NoError(t, err)
		return tensors.FromFlatDataAndDimensions(flat.([]float32), v.Shape()...)
	}
	for i, v := range weights {
		tracetest.RequireClose(t, v.Path(), tracetest.Tensor(tc.Trained[i]), value(v), runtimetest.Tolerance(2e-6))
	}
	var drawn []int
	for _, v := range keras.Must(m.Layer("layer")).Variables() {
		if v.Name() == "seed_generator_state" && tc.Drawn != nil {
			state, err := v.Value(t.Context())
			require.NoError(t, err)
			drawn = append(drawn, int(state.([]uint32)[1]))
		}
	}
	require.Equal(t, tc.Drawn, drawn)
	for i, s := range shifts {
		want := tensors.MustCopyFlatData[float32](tracetest.Tensor(tc.InputGradients[i]))
		for k := range want {
			want[k] *= -float32(rate)
		}
		tracetest.RequireClose(t, fmt.Sprintf("gradient of input %d", i), tensors.FromFlatDataAndDimensions(want, s.by.Shape()...), value(s.by), runtimetest.Tolerance(2e-6))
	}
}
