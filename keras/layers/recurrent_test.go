package layers_test

// This file makes the recurrent layers of the reference file, and tests what it does not
// show: cells of one's own, errors.

import (
	"strings"
	"testing"

	"github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/core/tensors"
	"github.com/stretchr/testify/require"

	"github.com/gospmd/gospmd/keras"
	"github.com/gospmd/gospmd/keras/initializers"
	"github.com/gospmd/gospmd/keras/layers"
	"github.com/gospmd/gospmd/keras/variable"
	"github.com/gospmd/gospmd/runtime/runtimetest"
)

// recurrentOptions returns the options of recurrent layers that the config sets.
func (c config) recurrentOptions() (opts []layers.Option) {
	for name, option := range map[string]func() layers.Option{
		"return_sequences": layers.ReturnSequences, "return_state": layers.ReturnState, "go_backwards": layers.GoBackwards, "unroll": layers.Unroll,
	} {
		if c[name] == true {
			opts = append(opts, option())
		}
	}
	if rate, ok := c["recurrent_dropout"].(float64); ok {
		opts = append(opts, layers.RecurrentDropout(rate))
	}
	if name, ok := c["recurrent_activation"].(string); ok {
		opts = append(opts, layers.RecurrentActivation(name))
	}
	if unit, ok := c["unit_forget_bias"].(bool); ok {
		opts = append(opts, layers.UnitForgetBias(unit))
	}
	if after, ok := c["reset_after"].(bool); ok {
		opts = append(opts, layers.ResetAfter(after))
	}
	if mode, ok := c["merge_mode"]; ok {
		text, _ := mode.(string)
		opts = append(opts, layers.MergeMode(text))
	}
	if c["backward_layer"] != nil {
		opts = append(opts, layers.BackwardLayer(c.inner("backward_layer")))
	}
	return opts
}

// inner returns the layer that is an argument.
func (c config) inner(name string) layers.Layer { return innerLayer(c[name]) }

func innerLayer(v any) layers.Layer {
	o := v.(map[string]any)
	inner := config(o["config"].(map[string]any))
	return constructors[o["layer"].(string)](inner, inner.options()[1:])
}

func init() {
	for name, make := range map[string]func(units int, o ...layers.Option) layers.Layer{
		"SimpleRNN":     func(n int, o ...layers.Option) layers.Layer { return layers.SimpleRNN(n, o...) },
		"LSTM":          func(n int, o ...layers.Option) layers.Layer { return layers.LSTM(n, o...) },
		"GRU":           func(n int, o ...layers.Option) layers.Layer { return layers.GRU(n, o...) },
		"SimpleRNNCell": func(n int, o ...layers.Option) layers.Layer { return layers.SimpleRNNCell(n, o...) },
		"LSTMCell":      func(n int, o ...layers.Option) layers.Layer { return layers.LSTMCell(n, o...) },
		"GRUCell":       func(n int, o ...layers.Option) layers.Layer { return layers.GRUCell(n, o...) },
		"Dense":         func(n int, o ...layers.Option) layers.Layer { return layers.Dense(n, o...) },
	} {
		constructors[name] = func(c config, o []layers.Option) layers.Layer { return make(c.int("units"), o...) }
	}
	constructors["StackedRNNCells"] = func(c config, _ []layers.Option) layers.Layer {
		var cells []layers.Cell
		for _, v := range c["cells"].([]any) {
			cells = append(cells, innerLayer(v).(layers.Cell))
		}
		return layers.StackedRNNCells(cells...)
	}
	constructors["RNN"] = func(c config, o []layers.Option) layers.Layer {
		return layers.RNN(c.inner("cell").(layers.Cell), o...)
	}
	constructors["Bidirectional"] = func(c config, o []layers.Option) layers.Layer {
		return layers.Bidirectional(c.inner("layer"), o...)
	}
	constructors["TimeDistributed"] = func(c config, o []layers.Option) layers.Layer {
		return layers.TimeDistributed(c.inner("layer"), o...)
	}
}

// joined returns the outputs of a layer as one.
func joined(outs []*layers.Tensor) *layers.Tensor {
	if len(outs) == 1 {
		return outs[0]
	}
	return layers.Apply(layers.Concatenate(), outs...)
}

// minimalCell is the cell of Keras' documentation of RNN.
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

// TestOwnCell runs a cell of the user whose output is no state.
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

// TestStateful goes on from the last states: two halves of a sequence are as the whole.
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

// TestRecurrentErrors: what is wrong is said by name, with the fix.
func TestRecurrentErrors(t *testing.T) {
	sequence := func() *layers.Tensor { return layers.Input([]int{layers.None, 2}) }
	for _, tc := range []struct {
		name string
		y    func() *layers.Tensor
		want string
	}{
		{"no units", func() *layers.Tensor { return sequence().Apply(layers.LSTM(0)) }, "got 0 units"},
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
