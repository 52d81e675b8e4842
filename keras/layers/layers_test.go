package layers_test

import (
	"testing"

	"github.com/gomlx/compute/dtypes"
	"github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/core/tensors"
	"github.com/stretchr/testify/require"

	"github.com/gospmd/gospmd/internal/testing/runtimetest"
	"github.com/gospmd/gospmd/internal/testing/tracetest"
	"github.com/gospmd/gospmd/keras"
	"github.com/gospmd/gospmd/keras/activations"
	"github.com/gospmd/gospmd/keras/layers"
)

// bothWays is a layer of one's own that calls an embedding, Words, in both directions.
type bothWays struct {
	layers.Base
	Words *layers.ReversibleEmbeddingLayer
}

func (l *bothWays) Call(c *layers.Context, in []*graph.Node) []*graph.Node {
	return []*graph.Node{c.Apply(l.Words.Reverse(), c.Apply(l.Words, in[0]))}
}

func TestSpectrogramErrors(t *testing.T) {
	for _, tc := range []struct {
		layer layers.Layer
		dims  []int
		want  string
	}{
		{layers.STFTSpectrogram(layers.FrameLength(8), layers.FrameStep(9)), []int{20, 1}, "FrameStep: got 9, want at most the length of a frame, 8"},
		{layers.STFTSpectrogram(layers.FrameLength(8), layers.FFTLength(7)), []int{20, 1}, "FFTLength: got 7, want at least the length of a frame, 8"},
		{layers.STFTSpectrogram(layers.Window("han")), []int{300, 1}, `got the window "han" (did you mean "hann"?)`},
		{layers.STFTSpectrogram(layers.FrameLength(3), layers.Window([]float64{1, 2})), []int{20, 1}, "got a window of 2 numbers, want 3, the length of a frame"},
		{layers.STFTSpectrogram(layers.FrameLength(30)), []int{20, 1}, "the window is larger than the input (None, 20, 1)"},
		{layers.STFTSpectrogram(layers.Scaling("power")), []int{300, 1}, `Scaling: got "power"`},
		{layers.STFTSpectrogram(), []int{300}, "(batch, steps, channels)"},
		{layers.MelSpectrogram(), []int{1}, "want at least 2 steps, because they are reflected at their ends"},
		{layers.MelSpectrogram(layers.FFTLength(8), layers.SequenceLength(9)), []int{300}, "SequenceLength: got 9, want at most the length of the transform, 8"},
		{layers.MelSpectrogram(layers.Window("blackman")), []int{300}, `Window: got "blackman"`},
		{layers.MelSpectrogram(layers.MinFreq(9000)), []int{300}, "got frequencies from 9000 to 8000"},
	} {
		require.ErrorContains(t, layers.Input(tc.dims).Apply(tc.layer).Err(), tc.want)
	}
	require.Equal(t, []int{-1, 40, 3}, layers.Input([]int{100}).Apply(layers.MelSpectrogram(layers.FFTLength(64), layers.SequenceStride(50), layers.NumMelBins(40))).Shape())
	require.Equal(t, []int{-1, 1249, 129}, layers.Input([]int{160000, 1}).Apply(layers.STFTSpectrogram()).Shape())
}

// TestReverse calls an embedding in reverse, in a model and in a layer of one's own. It must be the
// same layer, with one table, or two with TieWeights(false), and the call must have the argument
// reverse. A Sequential, a reverse call on vectors of another size and a negative LogitSoftCap must
// be errors.
func TestReverse(t *testing.T) {
	words := layers.ReversibleEmbedding(5, 4)
	x := layers.Input([]int{3}, layers.DType(dtypes.Int32))
	y := x.Apply(words).Apply(words.Reverse())
	require.NoError(t, y.Err())
	require.Equal(t, []int{-1, 3, 5}, y.Shape())
	require.Same(t, words, y.Producer().Layer)
	require.Equal(t, map[string]any{"reverse": true}, y.Producer().Arguments())
	require.Nil(t, y.Producer().Inputs[0].Producer().Arguments())
	require.Len(t, words.Variables(), 1)

	own := &bothWays{Words: layers.ReversibleEmbedding(5, 4, layers.TieWeights(false))}
	require.Equal(t, []int{-1, 3, 5}, x.Apply(own).Shape())
	require.Equal(t, []layers.Layer{own.Words}, layers.Inner(own))
	require.Len(t, own.Variables(), 2)

	_, err := keras.NewSequential(layers.Dense(4), words.Reverse())
	require.ErrorContains(t, err, "layer 1 is a ReversibleEmbedding called with reverse, and a Sequential calls layers with nothing but tensors")
	require.ErrorContains(t, layers.Input([]int{3}).Apply(words.Reverse()).Err(), "layer reversible_embedding (reversible_embedding)")
	require.ErrorContains(t, x.Apply(layers.ReversibleEmbedding(5, 4, layers.LogitSoftCap(-1))).Err(), "LogitSoftCap: got -1")
}

func TestShapes(t *testing.T) {
	open := []int{-1, 3}
	for _, tc := range []struct {
		name  string
		input []int
		layer layers.Layer
		want  []int
	}{
		{"flatten", []int{2, 3}, layers.Flatten(), []int{-1, 6}},
		{"flatten of nothing to flatten", []int{3}, layers.Flatten(), []int{-1, 3}},
		{"dense", []int{3}, layers.Dense(5), []int{-1, 5}},
		{"dense on a sequence", []int{7, 3}, layers.Dense(5), []int{-1, 7, 5}},
		{"dense on an open sequence", open, layers.Dense(5), []int{-1, -1, 5}},
		{"dropout", []int{3}, layers.Dropout(0.5), []int{-1, 3}},
		{"activation", []int{3}, layers.NewActivation("relu"), []int{-1, 3}},
		{"convolution", []int{8, 9, 3}, layers.Conv2D(4, 3), []int{-1, 6, 7, 4}},
		{"convolution of open size", []int{-1, -1, 3}, layers.Conv2D(4, 3, layers.Strides(2), layers.Padding("same")), []int{-1, -1, -1, 4}},
		{"depthwise convolution", []int{8, 9, 3}, layers.DepthwiseConv2D([]int{2, 3}, layers.DepthMultiplier(2)), []int{-1, 7, 7, 6}},
		{"pooling", []int{8, 9, 3}, layers.MaxPooling2D(), []int{-1, 4, 4, 3}},
		{"pooling that pads", []int{8, 9, 3}, layers.AveragePooling2D(layers.PoolSize(3), layers.Strides(2), layers.Padding("same")), []int{-1, 4, 5, 3}},
		{"global pooling of open size", []int{-1, -1, 3}, layers.GlobalAveragePooling2D(), []int{-1, 3}},
		{"global pooling that keeps", []int{4, 4, 3}, layers.GlobalMaxPooling2D(layers.KeepDims()), []int{-1, 1, 1, 3}},
		{"convolution over steps", []int{9, 3}, layers.Conv1D(4, 3, layers.Padding("causal")), []int{-1, 9, 4}},
		{"convolution over volumes", []int{4, 5, 6, 3}, layers.Conv3D(4, []int{3, 2, 1}), []int{-1, 2, 4, 6, 4}},
		{"transposed convolution", []int{-1, 3}, layers.Conv1DTranspose(4, 3, layers.Strides(2), layers.Padding("same")), []int{-1, -1, 4}},
		{"transposed convolution of images", []int{4, 5, 3}, layers.Conv2DTranspose(4, 3, layers.Strides(2)), []int{-1, 9, 11, 4}},
		{"transposed convolution of volumes", []int{4, 5, 6, 3}, layers.Conv3DTranspose(2, 1), []int{-1, 4, 5, 6, 2}},
		{"separable convolution", []int{9, 3}, layers.SeparableConv1D(4, 3), []int{-1, 7, 4}},
		{"separable convolution of images", []int{9, 8, 3}, layers.SeparableConv2D(4, 3), []int{-1, 7, 6, 4}},
		{"depthwise convolution over steps", []int{9, 3}, layers.DepthwiseConv1D(3), []int{-1, 7, 3}},
		{"poolings over steps", []int{9, 3}, layers.MaxPooling1D(), []int{-1, 4, 3}},
		{"means over steps", []int{9, 3}, layers.AveragePooling1D(layers.PoolSize(3)), []int{-1, 3, 3}},
		{"poolings of volumes", []int{4, 5, 6, 3}, layers.MaxPooling3D(), []int{-1, 2, 2, 3, 3}},
		{"means of volumes", []int{4, 5, 6, 3}, layers.AveragePooling3D(), []int{-1, 2, 2, 3, 3}},
		{"global poolings over steps", []int{-1, 3}, layers.GlobalMaxPooling1D(), []int{-1, 3}},
		{"global means over steps", []int{-1, 3}, layers.GlobalAveragePooling1D(), []int{-1, 3}},
		{"global poolings of volumes", []int{4, 5, 6, 3}, layers.GlobalMaxPooling3D(layers.KeepDims()), []int{-1, 1, 1, 1, 3}},
		{"global means of volumes", []int{4, 5, 6, 3}, layers.GlobalAveragePooling3D(), []int{-1, 3}},
		{"repeated steps", []int{-1, 3}, layers.UpSampling1D(), []int{-1, -1, 3}},
		{"larger images", []int{-1, 4, 3}, layers.UpSampling2D(layers.Interpolation("bilinear")), []int{-1, -1, 8, 3}},
		{"larger volumes", []int{2, 3, 4, 3}, layers.UpSampling3D(layers.Size(1, 2, 3)), []int{-1, 2, 6, 12, 3}},
		{"zero steps", []int{4, 3}, layers.ZeroPadding1D([]int{1, 2}), []int{-1, 7, 3}},
		{"zeros around volumes", []int{4, 4, 4, 3}, layers.ZeroPadding3D([]int{1, 2, 3}), []int{-1, 6, 8, 10, 3}},
		{"fewer steps", []int{-1, 3}, layers.Cropping1D(1), []int{-1, -1, 3}},
		{"smaller images", []int{4, 5, 3}, layers.Cropping2D([]int{1, 0, 2, 1}), []int{-1, 3, 2, 3}},
		{"smaller volumes", []int{4, 4, 4, 3}, layers.Cropping3D(1), []int{-1, 2, 2, 2, 3}},
		{"embedding of an open sequence", []int{-1}, layers.Embedding(10, 4), []int{-1, -1, 4}},
		{"attention over itself", []int{-1, 6}, layers.MultiHeadAttention(2, 3), []int{-1, -1, 6}},
		{"repeated vector", []int{6}, layers.RepeatVector(3), []int{-1, 3, 6}},
		{"einsum", []int{-1, 6}, layers.EinsumDense("...x,xy->...y", 4, layers.BiasAxes("y")), []int{-1, -1, 4}},
		{"einsum with open dimensions", []int{-1, 6}, layers.EinsumDense("abc,cde->abde", []int{layers.None, 2, 3}), []int{-1, -1, 2, 3}},
		{"identity", []int{6}, layers.Identity(), []int{-1, 6}},
		{"lambda", []int{6}, layers.Lambda(graph.Abs), []int{-1, 6}},
		{"relu", []int{6}, layers.ReLU(layers.MaxValue(6), layers.Threshold(1)), []int{-1, 6}},
		{"leaky relu", []int{6}, layers.LeakyReLU(layers.NegativeSlope(0.1)), []int{-1, 6}},
		{"prelu", []int{4, 6}, layers.PReLU(layers.SharedAxes(1)), []int{-1, 4, 6}},
		{"elu", []int{6}, layers.ELU(), []int{-1, 6}},
		{"softmax", []int{4, 6}, layers.Softmax(layers.Axis(1, 2)), []int{-1, 4, 6}},
		{"groups", []int{4, 6}, layers.GroupNormalization(layers.Groups(3)), []int{-1, 4, 6}},
		{"groups of one channel", []int{-1, 6}, layers.GroupNormalization(layers.Groups(-1)), []int{-1, -1, 6}},
		{"norms", []int{4, 6}, layers.UnitNormalization(), []int{-1, 4, 6}},
		{"noise", []int{4}, layers.GaussianNoise(0.1), []int{-1, 4}},
		{"factors of noise", []int{4}, layers.GaussianDropout(0.1), []int{-1, 4}},
		{"dropout for selu", []int{4}, layers.AlphaDropout(0.1), []int{-1, 4}},
		{"dropped features", []int{4, 6}, layers.SpatialDropout1D(0.1), []int{-1, 4, 6}},
		{"dropped channels", []int{4, 4, 6}, layers.SpatialDropout2D(0.1), []int{-1, 4, 4, 6}},
		{"dropped channels of volumes", []int{4, 4, 4, 6}, layers.SpatialDropout3D(0.1), []int{-1, 4, 4, 4, 6}},
		{"penalty", []int{4}, layers.ActivityRegularization(layers.L1(0.1), layers.L2(0.1)), []int{-1, 4}},
		{"reshape", []int{6}, layers.Reshape([]int{2, -1}), []int{-1, 2, 3}},
		{"permute", []int{2, 3, 4}, layers.Permute([]int{3, 1, 2}), []int{-1, 4, 2, 3}},
		{"zero padding", []int{2, 3, 4}, layers.ZeroPadding2D([]int{1, 2}), []int{-1, 4, 7, 4}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			y := layers.Input(tc.input).Apply(tc.layer)
			require.NoError(t, y.Err())
			require.Equal(t, tc.want, y.Shape())
		})
	}
}

func TestErrors(t *testing.T) {
	x, image, text := layers.Input([]int{3}), layers.Input([]int{4, 4, 6}), layers.Input([]int{5, 8})
	for _, tc := range []struct {
		name string
		got  *layers.Tensor
		want string
	}{
		{"no size", layers.Input([]int{0}), "dimension 0 of shape [0] cannot be used"},
		{"no input", layers.Apply(layers.Flatten()), "is applied to no tensor"},
		{"nil input", layers.Apply(layers.Flatten(), nil), "input 0 is nil"},
		{"two inputs", layers.Apply(layers.Flatten(layers.Name("f")), x, x), "layer f (flatten): got 2 inputs, want one"},
		{"the first error stays", layers.Input([]int{0}).Apply(layers.Dense(3)), "dimension 0 of shape [0]"},
		{"kernel size", x.Apply(layers.Conv2D(1, []int{1, 2, 3})), "Conv2D: size of the window: got 3 numbers, want one for all dimensions, or height, width"},
		{"no image", x.Apply(layers.Conv2D(1, 3, layers.Name("c"))), "layer c (conv2d): got inputs [(None, 3) Float32], want one of 4 dimensions"},
		{"kernel too large", image.Apply(layers.Conv2D(1, 5, layers.Name("c"))), "the window is larger than the input (None, 4, 4, 6): its height is 5, the input's 4"},
		{"groups", image.Apply(layers.Conv2D(4, 3, layers.Groups(4))), "got an input of 6 channels for 4 groups, want a multiple of the groups"},
		{"filters in groups", image.Apply(layers.Conv2D(3, 3, layers.Groups(2))), "Conv2D: got 3 filters in 2 groups, want a multiple"},
		{"strides and dilation", image.Apply(layers.Conv2D(1, 2, layers.Strides(2), layers.DilationRate(2))), "got strides [2 2] and dilation rate [2 2]: one of them must be 1"},
		{"padding", image.Apply(layers.MaxPooling2D(layers.Padding("full"))), `MaxPooling2D: Padding: got "full", want "valid" or "same"`},
		{"causal padding", image.Apply(layers.Conv2D(1, 3, layers.Padding("causal"))), `Conv2D: Padding: got "causal", want "valid" or "same"`},
		{"output padding", image.Apply(layers.Conv2DTranspose(1, 3, layers.Strides(2), layers.OutputPadding(0, 2))), "got output padding [0 2] for strides [2 2], want less"},
		{"cropping", image.Apply(layers.Cropping2D(2, layers.Name("c"))), "of which the cropping [[2 2] [2 2]] leaves nothing"},
		{"edges", image.Apply(layers.ZeroPadding2D([]int{1, 2, 3})), "ZeroPadding2D: got padding [1 2 3], want one number, 2 or 4"},
		{"interpolation", image.Apply(layers.UpSampling2D(layers.Interpolation("area"))), `UpSampling2D: Interpolation: got "area", want one of`},
		{"channels first", image.Apply(layers.RandomFlip("vertical", layers.DataFormat("channels_first"))), `RandomFlip: DataFormat: got "channels_first", want one of ["channels_last"]`},
		{"channels in the middle", image.Apply(layers.MaxPooling2D(layers.DataFormat("middle"))), `MaxPooling2D: DataFormat: got "middle", want one of ["channels_first" "channels_last"]`},
		{"no filters", image.Apply(layers.Conv2D(0, 1)), "Conv2D: Filters: got 0, want a positive number"},
		{"open channels", layers.Input([]int{4, 4, -1}).Apply(layers.Conv2D(1, 3, layers.Name("c"))), "weight c/kernel cannot have the shape (3, 3, None, 1)"},
		{"axes", x.Apply(layers.LayerNormalization(layers.Axis(0))), "got axes [0] for an input of shape (None, 3), want different dimensions after the batch"},
		{"several axes", x.Apply(layers.BatchNormalization(layers.Axis(1, 2))), "BatchNormalization: got axes [1 2], want one"},
		{"one input to add", x.Apply(layers.Add()), "got 1 inputs, want at least two"},
		{"channels in groups", text.Apply(layers.GroupNormalization(layers.Groups(3))), "got an input of 8 channels for 3 groups, want a multiple of the groups"},
		{"groups of a convolution", image.Apply(layers.Conv2D(4, 3, layers.Groups(-1))), "Conv2D: Groups: got -1, want a positive number"},
		{"rate", x.Apply(layers.AlphaDropout(1.5)), "AlphaDropout: Rate: got 1.5, want a number in [0, 1]"},
		{"noise", x.Apply(layers.GaussianNoise(-1)), "GaussianNoise: Stddev: got -1, want a number not below 0"},
		{"images with dropped channels", text.Apply(layers.SpatialDropout2D(0.5)), "want one of 4 dimensions: (batch, height, width, channels)"},
		{"penalty", x.Apply(layers.ActivityRegularization(layers.L1(-1))), "ActivityRegularization: L1: got -1, want a number not below 0"},
		{"one input of attention", text.Apply(layers.Attention()), "got 1 inputs, want query and value"},
		{"features of attention", layers.Apply(layers.AdditiveAttention(), text, layers.Input([]int{5, 4})), "want queries and keys of as many features"},
		{"scores", layers.Apply(layers.Attention(layers.ScoreMode("sum")), text, text), `Attention: ScoreMode: got "sum", want one of`},
		{"three inputs to subtract", layers.Apply(layers.Subtract(), x, x, x), "got 3 inputs, want two"},
		{"axes to multiply over", layers.Apply(layers.Dot(1), text, image), "got axes [1] of inputs of shapes (None, 5, 8) and (None, 4, 4, 6), want dimensions after the batch, of equal size"},
		{"no equation", x.Apply(layers.EinsumDense("ab,bc", 3)), `got the equation "ab,bc", want one as`},
		{"output of an equation", x.Apply(layers.EinsumDense("ab,bc->ac", []int{3, 4})), "got the output shape [3 4] for the equation"},
		{"bias of an equation", x.Apply(layers.EinsumDense("ab,bc->ac", 3, layers.BiasAxes("b"))), `got bias axes "b", of which the output has no 'b'`},
		{"negative slope", x.Apply(layers.LeakyReLU(layers.NegativeSlope(-1))), "LeakyReLU: NegativeSlope: got -1, want a number not below 0"},
		{"shared axes", x.Apply(layers.PReLU(layers.SharedAxes(2))), "got shared axes [2]"},
		{"images to repeat", image.Apply(layers.RepeatVector(2)), "want one of 2 dimensions"},
		{"nothing to apply", x.Apply(layers.Lambda(nil)), "Lambda: got a nil function"},
		{"shapes that do not fit", layers.Apply(layers.Add(), x, layers.Input([]int{4})), "which do not fit each other in dimension 1"},
		{"shapes to concatenate", layers.Apply(layers.Concatenate(), x, image), "want equal shapes but for dimension 1"},
		{"elements", x.Apply(layers.Reshape([]int{2, 2})), "got samples of shape [3], 3 elements, which do not fit the target shape [2 2]"},
		{"order", x.Apply(layers.Permute([]int{2, 2})), "Permute: got dims [2 2], want each of 1 to 2 once"},
		{"heads", x.Apply(layers.GroupQueryAttention(2, 3, 2)), "GroupQueryAttention: got 3 query heads for 2 heads of keys and values, want a multiple"},
		{"no sequence", x.Apply(layers.MultiHeadAttention(2, 2)), "for query, want 3 dimensions: (batch, sequence, features)"},
		{"mask of another size", layers.Apply(layers.MultiHeadAttention(2, 2, layers.Name("a")), text, text, text, layers.Input([]int{5, 4})),
			"2 heads, 5 queries and 5 values, want (batch, queries, values), (batch, heads, queries, values) or (queries, values)"},
		{"mask of one dimension too many", layers.Apply(layers.MultiHeadAttention(2, 2, layers.Name("a")), text, text, text, layers.Input([]int{2, 5, 5, 1})),
			"got (None, 2, 5, 5, 1) Float32 for the mask, want (batch, queries, values)"},
		{"call as a layer", x.Apply(layers.TimeDistributed(layers.WithTraining(layers.Dense(3), false))), "got a call of dense with training, want a layer: calls are for Apply"},
		{"initializer", x.Apply(layers.Dense(3, layers.KernelInitializer("glorot"))), `Dense: KernelInitializer: `},
	} {
		t.Run(tc.name, func(t *testing.T) { require.ErrorContains(t, tc.got.Err(), tc.want) })
	}
}

func TestAutomaticNames(t *testing.T) {
	layers.ClearSession()
	x := layers.Input([]int{3})
	var names []string
	for _, l := range []layers.Layer{layers.Dense(1), layers.Dense(1), layers.Flatten(), layers.NewActivation("relu"), layers.Dense(1, layers.Name("own")), layers.Dense(1)} {
		names = append(names, x.Apply(l).Producer().Name())
	}
	require.Equal(t, []string{"dense", "dense_1", "flatten", "activation", "own", "dense_2"}, names)
}

// TestFrozen freezes and unfreezes a layer by SetTrainable. Variables that are never trained, such
// as moving averages, are not trainable afterwards either.
func TestFrozen(t *testing.T) {
	l := layers.BatchNormalization()
	require.NoError(t, layers.Input([]int{3}).Apply(l).Err())
	trained := func() (names []string) {
		for _, v := range l.Variables() {
			if v.Trainable() {
				names = append(names, v.Name())
			}
		}
		return names
	}
	require.Equal(t, []string{"gamma", "beta"}, trained())
	l.SetTrainable(false)
	require.Empty(t, trained())
	l.SetTrainable(true)
	require.Equal(t, []string{"gamma", "beta"}, trained())
}

// TestEmbeddingOutside looks up rows that do not exist: NaN, and from the end
// for negative numbers, as Keras on JAX does. Those of an input would be an error.
func TestEmbeddingOutside(t *testing.T) {
	x := layers.Input([]int{4}, layers.DType(dtypes.Int32))
	m, err := keras.NewModel([]*layers.Tensor{x}, []*layers.Tensor{x.Call(layers.Identity(), layers.Embedding(3, 1))})
	require.NoError(t, err)
	require.NoError(t, m.SetWeights(t.Context(), [][]float32{{10}, {20}, {30}}))
	require.NoError(t, m.Compile(keras.Client(runtimetest.Open(t, 1))))
	out, err := m.Predict(t.Context(), [][]int32{{2, 3, -1, -4}}, keras.Verbose(0))
	require.NoError(t, err)
	got := tensors.MustCopyFlatData[float32](out[0])
	require.Equal(t, []float32{30, 30}, []float32{got[0], got[2]})
	require.True(t, got[1] != got[1] && got[3] != got[3], "got %v, want NaN", got)
}

// TestSharedLayer applies one layer twice: it has one set of variables.
func TestSharedLayer(t *testing.T) {
	d := layers.Dense(3)
	y := layers.Input([]int{3}).Apply(d).Apply(d)
	require.NoError(t, y.Err())
	require.Len(t, d.Variables(), 2)
}

// TestDenseCasts: a Dense on integers must have an output of the layer's type, float32.
func TestDenseCasts(t *testing.T) {
	d := layers.Dense(2, layers.KernelInitializer("ones"), layers.UseBias(false))
	y := layers.Input([]int{3}, layers.DType(dtypes.Int32)).Apply(d)
	require.NoError(t, y.Err())
	require.Equal(t, dtypes.Float32, y.DType())
}

// The gradient of relu at 0 must be 0, as in Keras. GoMLX's maximum would give 1.
func TestTies(t *testing.T) {
	out := tracetest.Run(t, func(in []*graph.Node) []*graph.Node {
		y := activations.Relu(in[0])
		return graph.Gradient(graph.ReduceAllSum(y), in[0])
	}, tensors.FromValue([]float32{-1, 0, 1}))
	require.Equal(t, []float32{0, 0, 1}, out[0].Value())
}
