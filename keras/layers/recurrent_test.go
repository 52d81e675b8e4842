package layers_test

// This file tests what the reference file does not show of recurrent layers: cells of one's own,
// errors.

import (
	"strings"
	"testing"

	"github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/core/tensors"
	"github.com/stretchr/testify/require"

	"github.com/gospmd/gospmd/internal/testing/runtimetest"
	"github.com/gospmd/gospmd/keras"
	"github.com/gospmd/gospmd/keras/initializers"
	"github.com/gospmd/gospmd/keras/layers"
	"github.com/gospmd/gospmd/keras/variable"
)

// joined returns the only tensor of outs, or all of them concatenated along the last dimension.
func joined(outs []*layers.Tensor) *layers.Tensor {
	if len(outs) == 1 {
		return outs[0]
	}
	return layers.Apply(layers.Concatenate(), outs...)
}

// minimalCell is a user's own cell, the one in Keras' documentation of RNN, with both kernels of
// ones: its state of units numbers is x · kernel + state · recurrent, and its output is twice that.
type minimalCell struct {
	layers.Base
	units             int
	kernel, recurrent *variable.Variable
}

func (l *minimalCell) StateSize() []int { return []int{l.units} }

func (l *minimalCell) Build(b *layers.Builder, in []layers.Spec) (err error) {
	if l.kernel, err = b.AddWeight("kernel", []int{in[0].Shape[1], l.units}, l.DType(), initializers.Ones()); err != nil {
		return err
	}
	l.recurrent, err = b.AddWeight("recurrent_kernel", []int{l.units, l.units}, l.DType(), initializers.Ones())
	return err
}

func (l *minimalCell) Call(c *layers.Context, in []*graph.Node) []*graph.Node {
	h := graph.Add(graph.Dot(in[0], c.Value(l.kernel)).Product(), graph.Dot(in[1], c.Value(l.recurrent)).Product())
	return []*graph.Node{graph.MulScalar(h, 2), h}
}

// TestOwnCell runs a user's own cell, whose output is not one of its states. The output must be the
// one computed by hand.
func TestOwnCell(t *testing.T) {
	x := layers.Input([]int{layers.None, 2})
	y := x.Apply(layers.RNN(&minimalCell{units: 2}))
	m, err := keras.NewModel([]*layers.Tensor{x}, []*layers.Tensor{y})
	require.NoError(t, err)
	require.Equal(t, []int{layers.None, 2}, y.Shape())
	require.NoError(t, m.Compile(keras.Client(runtimetest.Open(t, 1))))
	out, err := m.Predict(t.Context(), tensors.FromValue([][][]float32{{{1, 2}, {0, 1}, {1, 0}}}), keras.Verbose(0))
	require.NoError(t, err)
	// h: 3, then 1 + 2·3 = 7, then 1 + 2·7 = 15; the output is twice that.
	require.Equal(t, []float32{30, 30}, tensors.MustCopyFlatData[float32](out[0]))
}

// The output of a masked step of a user's own cell is its first state, and that of an unrolled
// layer the output of the step before, or zero: Keras on JAX does the same.
func TestMaskedSteps(t *testing.T) {
	for _, tc := range []struct {
		name    string
		options []layers.Option
		state   float32 // the initial state
		want    []float32
	}{
		// The states are 0, 3, 3 and 1 + 2·3 = 7; the outputs of the steps that count are twice that.
		{"a loop", nil, 0, []float32{0, 6, 3, 14}},
		{"unrolled", []layers.Option{layers.Unroll()}, 0, []float32{0, 6, 6, 14}},
		{"zeros", []layers.Option{layers.Unroll(), layers.ZeroOutputForMask()}, 0, []float32{0, 6, 0, 14}},
		// The states are 1, 3 + 2·1 = 5, 5 and 1 + 2·5 = 11.
		{"a loop with a state", nil, 1, []float32{1, 10, 5, 22}},
		{"unrolled with a state", []layers.Option{layers.Unroll()}, 1, []float32{0, 10, 10, 22}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			x, h := layers.Input([]int{4, 2}), layers.Input(2)
			options := append(tc.options, layers.ReturnSequences())
			y := layers.Apply(layers.RNN(&minimalCell{units: 2}, options...), x.Apply(layers.Masking(0)), h)
			m, err := keras.NewModel(keras.Tensors(x, h), keras.Tensors(y))
			require.NoError(t, err)
			require.NoError(t, m.Compile(keras.Client(runtimetest.Open(t, 1))))
			in := []*tensors.Tensor{tensors.FromValue([][][]float32{{{0, 0}, {1, 2}, {0, 0}, {1, 0}}}), tensors.FromValue([][]float32{{tc.state, tc.state}})}
			out, err := m.Predict(t.Context(), in, keras.Verbose(0))
			require.NoError(t, err)
			var first []float32 // of the two equal numbers of each step
			for i, v := range tensors.MustCopyFlatData[float32](out[0]) {
				if i%2 == 0 {
					first = append(first, v)
				}
			}
			require.Equal(t, tc.want, first)
		})
	}
}

// TestStateful predicts with a stateful SimpleRNN for a sequence in two parts, of two steps and of
// one. The second part must go on from the last state: its output is that of the whole sequence.
func TestStateful(t *testing.T) {
	x := layers.Input([]int{layers.None, 2})
	ones := []layers.Option{layers.KernelInitializer("ones"), layers.RecurrentInitializer("ones"), layers.Activation("linear")}
	y := x.Apply(layers.SimpleRNN(2, append(ones, layers.Stateful(1))...))
	m, err := keras.NewModel([]*layers.Tensor{x}, []*layers.Tensor{y})
	require.NoError(t, err)
	require.NoError(t, m.Compile(keras.Client(runtimetest.Open(t, 1))))
	for _, tc := range []struct {
		x    [][]float32
		want float32
	}{{[][]float32{{1, 2}, {0, 1}}, 7}, {[][]float32{{1, 0}}, 15}} {
		out, err := m.Predict(t.Context(), tensors.FromValue([][][]float32{tc.x}), keras.Verbose(0))
		require.NoError(t, err)
		require.Equal(t, []float32{tc.want, tc.want}, tensors.MustCopyFlatData[float32](out[0]))
	}
}

// TestStatefulLSTM predicts twice with a stateful LSTM, alone and within Bidirectional. The states
// continue, so the results must differ.
func TestStatefulLSTM(t *testing.T) {
	x := layers.Input([]int{layers.None, 2})
	y := x.Apply(layers.Bidirectional(layers.LSTM(3, layers.ReturnSequences(), layers.Stateful(1)))).Apply(layers.LSTM(2, layers.Stateful(1)))
	m, err := keras.NewModel(keras.Tensors(x), keras.Tensors(y))
	require.NoError(t, err)
	require.NoError(t, m.Compile(keras.Client(runtimetest.Open(t, 1))))
	var outs []any
	for range 2 {
		out, err := m.Predict(t.Context(), tensors.FromValue([][][]float32{{{1, 2}, {3, 4}}}), keras.Verbose(0))
		require.NoError(t, err)
		outs = append(outs, out[0].Value())
	}
	require.NotEqual(t, outs[0], outs[1])
}

// TestRecurrentErrors makes recurrent layers with wrong arguments. The errors must name what is
// wrong, and the fix.
func TestRecurrentErrors(t *testing.T) {
	sequence := func() *layers.Tensor { return layers.Input([]int{layers.None, 2}) }
	for _, tc := range []struct {
		name string
		y    func() *layers.Tensor
		want string
	}{
		{"no units", func() *layers.Tensor { return sequence().Apply(layers.LSTM(0)) }, "Units: got 0, want a positive number"},
		{"no sequence", func() *layers.Tensor { return layers.Input([]int{2}).Apply(layers.GRU(3)) }, "(batch, time, features)"},
		{"unrolled without a length", func() *layers.Tensor { return sequence().Apply(layers.GRU(3, layers.Unroll())) }, "known number of steps"},
		{"stateful without a batch", func() *layers.Tensor { return sequence().Apply(layers.GRU(3, layers.Stateful(0))) }, "got 0"},
		{"a nil cell", func() *layers.Tensor { return sequence().Apply(layers.RNN(nil)) }, "a cell that is nil"},
		{"one state of two", func() *layers.Tensor { return layers.Apply(layers.LSTM(3), sequence(), layers.Input([]int{3})) }, "2 states to start with"},
		{"an option of another layer", func() *layers.Tensor { return sequence().Apply(layers.SimpleRNN(3, layers.ResetAfter(true))) }, "ResetAfter"},
		{"both directions the same", func() *layers.Tensor {
			return sequence().Apply(layers.Bidirectional(layers.GRU(3), layers.BackwardLayer(layers.GRU(3))))
		}, "one direction"},
		{"no recurrent layer", func() *layers.Tensor { return sequence().Apply(layers.Bidirectional(layers.Dense(3))) }, "want a SimpleRNN, LSTM or GRU"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			err := tc.y().Err()
			require.Error(t, err)
			require.True(t, strings.Contains(err.Error(), tc.want), "%v", err)
		})
	}
}
