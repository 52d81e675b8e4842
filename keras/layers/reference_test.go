package layers_test

// This file compares layers with Keras on JAX, whose numbers
// benchmarks/peers/layers_reference.py wrote: forward, gradients and one
// training step, on one device and on a mesh.

import (
	"fmt"
	"slices"
	"testing"

	"github.com/gomlx/compute/dtypes"
	"github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/core/tensors"
	"github.com/stretchr/testify/require"

	"github.com/gospmd/gospmd/internal/longtest"
	"github.com/gospmd/gospmd/keras"
	"github.com/gospmd/gospmd/keras/distribution"
	"github.com/gospmd/gospmd/keras/initializers"
	"github.com/gospmd/gospmd/keras/layers"
	"github.com/gospmd/gospmd/keras/losses"
	"github.com/gospmd/gospmd/keras/optimizers"
	"github.com/gospmd/gospmd/keras/variable"
	"github.com/gospmd/gospmd/mesh"
	"github.com/gospmd/gospmd/runtime/runtimetest"
	"github.com/gospmd/gospmd/trace/tracetest"
)

// layerCase is one case of the reference file.
type layerCase struct {
	Layer    string
	Config   config
	Call     config
	Integers bool
	Inputs   []any
	Mask     any
	Weights  []struct {
		Path      string
		Trainable bool
		Value     any
	}
	Output, Cotangent any
	InputGradients    []any `json:"input_gradients"`
	Loss              float64
	Trained           []any
}

// config holds the arguments of Keras' constructor.
type config map[string]any

// ints returns a number, or a list of numbers of any depth, as one list.
func (c config) ints(name string) []int {
	var out []int
	var walk func(v any)
	walk = func(v any) {
		switch v := v.(type) {
		case float64:
			out = append(out, int(v))
		case []any:
			for _, e := range v {
				walk(e)
			}
		}
	}
	walk(c[name])
	return out
}

func (c config) int(name string) int { return c.ints(name)[0] }

// options returns the options that the config sets.
func (c config) options() []layers.Option {
	opts := []layers.Option{layers.Name("layer")}
	add := func(name string, make func() layers.Option) {
		if _, ok := c[name]; ok {
			opts = append(opts, make())
		}
	}
	number := func(name string) float64 { return c[name].(float64) }
	add("strides", func() layers.Option { return layers.Strides(c.ints("strides")...) })
	add("pool_size", func() layers.Option { return layers.PoolSize(c.ints("pool_size")...) })
	if kind, ok := c["padding"].(string); ok { // of ZeroPadding2D it is numbers
		opts = append(opts, layers.Padding(kind))
	}
	add("dilation_rate", func() layers.Option { return layers.DilationRate(c.ints("dilation_rate")...) })
	add("groups", func() layers.Option { return layers.Groups(c.int("groups")) })
	add("depth_multiplier", func() layers.Option { return layers.DepthMultiplier(c.int("depth_multiplier")) })
	add("activation", func() layers.Option { return layers.Activation(c["activation"]) })
	add("use_bias", func() layers.Option { return layers.UseBias(c["use_bias"].(bool)) })
	add("keepdims", layers.KeepDims)
	add("axis", func() layers.Option { return layers.Axis(c.ints("axis")...) })
	add("momentum", func() layers.Option { return layers.Momentum(number("momentum")) })
	add("epsilon", func() layers.Option { return layers.Epsilon(number("epsilon")) })
	add("center", func() layers.Option { return layers.Center(c["center"].(bool)) })
	if scale, ok := c["scale"].(bool); ok { // of Rescaling it is a number
		opts = append(opts, layers.Scale(scale))
	}
	add("value_dim", func() layers.Option { return layers.ValueDim(c.int("value_dim")) })
	add("dropout", func() layers.Option { return layers.DropoutRate(number("dropout")) })
	add("seed", func() layers.Option { return layers.Seed(c.int("seed")) })
	add("offset", func() layers.Option { return layers.Offset(number("offset")) })
	add("use_causal_mask", layers.UseCausalMask)
	return append(opts, c.recurrentOptions()...)
}

// constructors makes the layers from Keras' config.
var constructors = map[string]func(c config, opts []layers.Option) layers.Layer{
	"Conv2D": func(c config, o []layers.Option) layers.Layer {
		return layers.Conv2D(c.int("filters"), c.ints("kernel_size"), o...)
	},
	"DepthwiseConv2D": func(c config, o []layers.Option) layers.Layer {
		return layers.DepthwiseConv2D(c.ints("kernel_size"), o...)
	},
	"MaxPooling2D":           func(_ config, o []layers.Option) layers.Layer { return layers.MaxPooling2D(o...) },
	"AveragePooling2D":       func(_ config, o []layers.Option) layers.Layer { return layers.AveragePooling2D(o...) },
	"GlobalAveragePooling2D": func(_ config, o []layers.Option) layers.Layer { return layers.GlobalAveragePooling2D(o...) },
	"GlobalMaxPooling2D":     func(_ config, o []layers.Option) layers.Layer { return layers.GlobalMaxPooling2D(o...) },
	"BatchNormalization":     func(_ config, o []layers.Option) layers.Layer { return layers.BatchNormalization(o...) },
	"LayerNormalization":     func(_ config, o []layers.Option) layers.Layer { return layers.LayerNormalization(o...) },
	"RMSNormalization":       func(_ config, o []layers.Option) layers.Layer { return layers.RMSNormalization(o...) },
	"Embedding": func(c config, o []layers.Option) layers.Layer {
		return layers.Embedding(c.int("input_dim"), c.int("output_dim"), o...)
	},
	"MultiHeadAttention": func(c config, o []layers.Option) layers.Layer {
		return layers.MultiHeadAttention(c.int("num_heads"), c.int("key_dim"), o...)
	},
	"GroupQueryAttention": func(c config, o []layers.Option) layers.Layer {
		return layers.GroupQueryAttention(c.int("head_dim"), c.int("num_query_heads"), c.int("num_key_value_heads"), o...)
	},
	"Add":           func(_ config, o []layers.Option) layers.Layer { return layers.Add(o...) },
	"Multiply":      func(_ config, o []layers.Option) layers.Layer { return layers.Multiply(o...) },
	"Concatenate":   func(_ config, o []layers.Option) layers.Layer { return layers.Concatenate(o...) },
	"Reshape":       func(c config, o []layers.Option) layers.Layer { return layers.Reshape(c.ints("target_shape"), o...) },
	"Permute":       func(c config, o []layers.Option) layers.Layer { return layers.Permute(c.ints("dims"), o...) },
	"ZeroPadding2D": func(c config, o []layers.Option) layers.Layer { return layers.ZeroPadding2D(c.ints("padding"), o...) },
	"Rescaling": func(c config, o []layers.Option) layers.Layer {
		return layers.Rescaling(c["scale"].(float64), o...)
	},
}

// shift adds a trained variable of the shape of the full batch, so that a
// training step shows the gradient of its output.
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

func TestKeras(t *testing.T) {
	file := tracetest.ReadJSON[struct {
		Batch int
		Rate  float64
		Cases []layerCase
	}](t, "../testdata/reference/layers.json")
	require.Len(t, file.Cases, 58)
	meshOf := [2]string{"data=2,model=4", "data=3,model=5"}
	for i, tc := range file.Cases {
		// On the last mesh nothing divides: neither the batch, nor channels,
		// heads or the vocabulary.
		for _, meshName := range []string{"", "data=2,model=4", "data=3,model=5"} {
			if meshName != "" && (testing.Short() || !longtest.Enabled() && meshName != meshOf[i%2]) {
				continue // the short form takes the meshes in turn
			}
			t.Run(fmt.Sprintf("%d %s on %q", i, tc.Layer, meshName), func(t *testing.T) {
				onMesh(t, meshName, tc, func(client keras.CompileOption) {
					if meshName == "" {
						tc.check(t, client, file.Batch, file.Rate, true)
					}
					tc.check(t, client, file.Batch, file.Rate, false)
				})
			})
		}
	}
}

// onMesh shards the batch over data, and a dimension of each weight over model.
func onMesh(t *testing.T, name string, tc layerCase, test func(client keras.CompileOption)) {
	if name == "" {
		test(keras.Client(runtimetest.Open(t, 1)))
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
		test(keras.Client(runtimetest.Open(t, dm.Size())))
		return nil
	}))
}

// shardedDim returns the last dimension that divides by n, or else the first one
// of at least four elements, -1 if there is neither.
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
	opts := append(tc.Config.options(), tc.Call.options()[1:]...)
	l := constructors[tc.Layer](tc.Config, opts)
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
	m, err := keras.NewModel(ins, []*layers.Tensor{joined(layers.ApplyAll(l, shifted...))})
	require.NoError(t, err)
	var weights []*variable.Variable
	for _, v := range m.Layer("layer").Variables() {
		if v.DType() == dtypes.Float32 {
			weights = append(weights, v)
		}
	}
	require.Len(t, weights, len(tc.Weights))
	for i, v := range weights {
		require.Equal(t, tc.Weights[i].Path, v.Path())
		require.Equal(t, tc.Weights[i].Trainable, v.Trainable())
		require.NoError(t, v.Assign(nil, tensors.MustCopyFlatData[float32](tracetest.Tensor(tc.Weights[i].Value))), v.Path())
	}
	sgd := optimizers.SGD(optimizers.LearningRate(rate))
	require.NoError(t, m.Compile(keras.Optimizer(sgd), keras.Loss(losses.New("weighted_sum", weightedSum)), client, keras.Warnings(t.Output())))
	if predict {
		out, err := m.Predict(t.Context(), xs, keras.Verbose(0))
		require.NoError(t, err)
		require.Equal(t, tracetest.Tensor(tc.Output).Shape(), out[0].Shape())
		tracetest.RequireClose(t, "output", tracetest.Tensor(tc.Output), out[0], 2e-6)
		return // recurrent layers draw masks in inference too: training starts with the first ones
	}
	history, err := m.Fit(t.Context(), xs, tracetest.Tensor(tc.Cotangent), keras.BatchSize(batch), keras.Shuffle(false), keras.Verbose(0))
	require.NoError(t, err)
	require.InDelta(t, tc.Loss, history.Logs["loss"][0], 1e-5)
	value := func(v *variable.Variable) *tensors.Tensor {
		flat, err := v.Value(t.Context())
		require.NoError(t, err)
		return tensors.FromFlatDataAndDimensions(flat.([]float32), v.Shape()...)
	}
	for i, v := range weights {
		tracetest.RequireClose(t, v.Path(), tracetest.Tensor(tc.Trained[i]), value(v), 2e-6)
	}
	for i, s := range shifts {
		want := tensors.MustCopyFlatData[float32](tracetest.Tensor(tc.InputGradients[i]))
		for k := range want {
			want[k] *= -float32(rate)
		}
		tracetest.RequireClose(t, fmt.Sprintf("gradient of input %d", i), tensors.FromFlatDataAndDimensions(want, s.by.Shape()...), value(s.by), 2e-6)
	}
}
