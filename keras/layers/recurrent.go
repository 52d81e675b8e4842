package layers

// This file defines the recurrent layers with a cell of Keras' own: SimpleRNN, LSTM and
// GRU; and Bidirectional and TimeDistributed, which run other layers over a sequence.

import (
	"fmt"
	"reflect"
	"slices"
	"strings"

	"github.com/gomlx/gomlx/core/graph"

	"github.com/gospmd/gospmd/internal/autoname"
	"github.com/gospmd/gospmd/internal/option"
)

// splitOptions divides the options of a recurrent layer into those of its cell and those
// of the loop.
func splitOptions(opts []Option, cell []string) (ofCell, ofLoop []Option) {
	for _, o := range opts {
		inCell := slices.Contains(cell, o.Name)
		if inCell && o.Name != "Name" {
			ofCell = append(ofCell, o)
		}
		if !inCell || slices.Contains(loopOptions, o.Name) || o.Name == "DTypePolicy" {
			ofLoop = append(ofLoop, o)
		}
	}
	return ofCell, ofLoop
}

// withCell makes the loop of a layer that has a cell of its own.
func (l *RNNLayer) withCell(kind string, opts []Option, more []string, cell func(opts []Option) Cell) {
	names := slices.Concat(cellOptions, more, []string{"DTypePolicy"})
	ofCell, ofLoop := splitOptions(opts, names)
	c := cell(append(ofCell, Name(autoname.Snake(kind)+"_cell")))
	l.configureLoop(kind, c, ofLoop, loopOptions)
	if err := c.base().err; err != nil {
		l.fail("%w", err)
	}
}

// SimpleRNNLayer is keras.layers.SimpleRNN.
type SimpleRNNLayer struct{ RNNLayer }

// SimpleRNN returns a fully connected recurrent layer. Options: those of SimpleRNNCell
// and of RNN.
func SimpleRNN(units int, opts ...Option) *SimpleRNNLayer {
	l := &SimpleRNNLayer{}
	l.withCell("SimpleRNN", opts, nil, func(o []Option) Cell { return SimpleRNNCell(units, o...) })
	l.like = func(more ...Option) Layer { return SimpleRNN(units, slices.Concat(opts, more)...) }
	return l
}

// Config returns the options of the cell and of the loop.
func (l *SimpleRNNLayer) Config() (map[string]any, error) { return l.ownConfig() }

// LSTMLayer is keras.layers.LSTM.
type LSTMLayer struct{ RNNLayer }

// LSTM returns a recurrent layer with long short-term memory. Options: those of LSTMCell
// and of RNN.
func LSTM(units int, opts ...Option) *LSTMLayer {
	l := &LSTMLayer{}
	l.withCell("LSTM", opts, lstmOptions, func(o []Option) Cell { return LSTMCell(units, o...) })
	l.like = func(more ...Option) Layer { return LSTM(units, slices.Concat(opts, more)...) }
	return l
}

// Config returns the options of the cell and of the loop.
func (l *LSTMLayer) Config() (map[string]any, error) { return l.ownConfig() }

// GRULayer is keras.layers.GRU.
type GRULayer struct{ RNNLayer }

// GRU returns a recurrent layer with gated units. Options: those of GRUCell and of RNN.
func GRU(units int, opts ...Option) *GRULayer {
	l := &GRULayer{}
	l.withCell("GRU", opts, gruOptions, func(o []Option) Cell { return GRUCell(units, o...) })
	l.like = func(more ...Option) Layer { return GRU(units, slices.Concat(opts, more)...) }
	return l
}

// Config returns the options of the cell and of the loop.
func (l *GRULayer) Config() (map[string]any, error) { return l.ownConfig() }

// ownConfig returns the options of a layer with a cell of its own.
func (l *RNNLayer) ownConfig() (map[string]any, error) {
	config, err := l.Cell.(Configured).Config()
	if err != nil {
		return nil, err
	}
	for name, v := range l.loopConfig() {
		config[name] = v
	}
	return config, l.saved()
}

// loop returns the recurrent layer itself: what Bidirectional needs of any of them.
func (l *RNNLayer) loop() *RNNLayer { return l }

type recurrent interface {
	Layer
	loop() *RNNLayer
}

// MergeMode sets how Bidirectional joins the outputs of both directions: "concat" (the
// default), "sum", "mul", "ave", or "" for both, as two outputs.
func MergeMode(mode string) Option {
	return Option{Name: "MergeMode", Set: func(o *options) error {
		if !slices.Contains([]string{"concat", "sum", "mul", "ave", ""}, mode) {
			return fmt.Errorf("got %q, want \"concat\", \"sum\", \"mul\", \"ave\" or \"\"", mode)
		}
		o.rnn.mergeMode = mode
		return nil
	}}
}

// BackwardLayer sets the layer of Bidirectional that runs backwards, which needs the
// option GoBackwards. By default it is made like the other one.
func BackwardLayer(l Layer) Option {
	return option.New("BackwardLayer", func(o *options) { o.rnn.backward = l })
}

// direction sets GoBackwards.
func direction(backwards bool) Option {
	return option.New("GoBackwards", func(o *options) { o.rnn.backwards = backwards })
}

// BidirectionalLayer runs a recurrent layer over a sequence in both directions:
// keras.layers.Bidirectional.
type BidirectionalLayer struct {
	Base
	ForwardLayer, BackwardLayer Layer
	opts                        options
}

// Bidirectional returns a layer that runs two recurrent layers made like layer, one of
// them backwards, and joins their outputs. Further inputs are the states to start with,
// those of the forward layer first. Options: Name, MergeMode, BackwardLayer, DType.
func Bidirectional(layer Layer, opts ...Option) *BidirectionalLayer {
	l := &BidirectionalLayer{}
	l.opts = l.configure("Bidirectional", append([]Option{MergeMode("concat")}, opts...), "Name", "MergeMode", "BackwardLayer")
	r, ok := layer.(recurrent)
	if !ok || isNil(layer) || r.loop().like == nil {
		l.fail("Bidirectional: got a %T, want a SimpleRNN, LSTM or GRU", layer)
		return l
	}
	name := func(prefix string) Option {
		nameLayer(layer, TypeName(layer))
		return Name(prefix + strings.TrimPrefix(layer.Name(), prefix))
	}
	l.ForwardLayer = r.loop().like(name("forward_"))
	l.BackwardLayer = l.opts.rnn.backward
	if isNil(l.BackwardLayer) {
		l.BackwardLayer = r.loop().like(name("backward_"), direction(true))
	}
	back, ok := l.BackwardLayer.(recurrent)
	if !ok {
		l.fail("Bidirectional: the backward layer is a %T, want a recurrent layer", l.BackwardLayer)
		return l
	}
	f, b := &l.ForwardLayer.(recurrent).loop().opts.rnn, &back.loop().opts.rnn
	switch {
	case f.backwards == b.backwards:
		l.fail("Bidirectional: both layers go in one direction: give the backward layer the option GoBackwards, and the other one not")
	case f.sequences != b.sequences || f.state != b.state || f.stateful != b.stateful:
		l.fail("Bidirectional: the layers differ in ReturnSequences, ReturnState or Stateful: give both the same")
	}
	f.zeroForMasked, b.zeroForMasked = f.sequences, b.sequences
	return l
}

// Build makes the variables of both layers.
func (l *BidirectionalLayer) Build(b *Builder, inputs []Spec) error {
	forward, backward := halves(inputs)
	for i, layer := range []Layer{l.ForwardLayer, l.BackwardLayer} {
		if !layer.base().built {
			if err := build(layer, b.path, [][]Spec{forward, backward}[i]); err != nil {
				return err
			}
		}
	}
	return nil
}

// halves returns the inputs of both layers: the sequence, and the states.
func halves[T any](inputs []T) (forward, backward []T) {
	n := 1 + (len(inputs)-1)/2
	return inputs[:n], append([]T{inputs[0]}, inputs[n:]...)
}

// Call runs both layers.
func (l *BidirectionalLayer) Call(c *Context, inputs []*graph.Node) []*graph.Node {
	forward, backward := halves(inputs)
	f, b := c.ApplyAll(l.ForwardLayer, forward...), c.ApplyAll(l.BackwardLayer, backward...)
	x, y := f[0], b[0]
	if l.ForwardLayer.(recurrent).loop().opts.rnn.sequences {
		y = graph.Reverse(y, 1)
	}
	states := slices.Concat(f[1:], b[1:])
	switch l.opts.rnn.mergeMode {
	case "sum":
		x = graph.Add(x, y)
	case "ave":
		x = graph.DivScalar(graph.Add(x, y), 2)
	case "mul":
		x = graph.Mul(x, y)
	case "":
		return append([]*graph.Node{x, y}, states...)
	default:
		x = graph.Concatenate([]*graph.Node{x, y}, -1)
	}
	return append([]*graph.Node{x}, states...)
}

// Config returns the layers and how they are merged.
func (l *BidirectionalLayer) Config() (map[string]any, error) {
	var mode any = l.opts.rnn.mergeMode
	if mode == "" {
		mode = nil
	}
	return map[string]any{"layer": l.ForwardLayer, "backward_layer": l.BackwardLayer, "merge_mode": mode}, nil
}

// TimeDistributedLayer applies a layer to each step of a sequence:
// keras.layers.TimeDistributed.
type TimeDistributedLayer struct {
	Base
	keepsMask
	Layer Layer
}

// TimeDistributed returns a layer that applies layer to each step of its input, (batch,
// time, …), with the same variables. Options: Name, DType.
func TimeDistributed(layer Layer, opts ...Option) *TimeDistributedLayer {
	l := &TimeDistributedLayer{Layer: layer}
	l.configure("TimeDistributed", opts, "Name")
	if isNil(layer) {
		l.fail("TimeDistributed: got a layer that is nil")
	}
	return l
}

// Build makes the variables of the layer for one step.
func (l *TimeDistributedLayer) Build(b *Builder, inputs []Spec) error {
	if len(inputs) != 1 || len(inputs[0].Shape) < 3 {
		return fmt.Errorf("got inputs %v, want one of at least 3 dimensions: (batch, time, …)", inputs)
	}
	in := inputs[0]
	if l.Layer.base().built {
		return nil
	}
	return build(l.Layer, b.path, []Spec{{Shape: slices.Delete(slices.Clone(in.Shape), 1, 2), DType: in.DType}})
}

// Call makes a batch of all steps.
func (l *TimeDistributedLayer) Call(c *Context, inputs []*graph.Node) []*graph.Node {
	x := inputs[0]
	dims := x.Shape().Dimensions
	flat := graph.Reshape(x, append([]int{dims[0] * dims[1]}, dims[2:]...)...)
	y := c.Apply(l.Layer, flat)
	return []*graph.Node{graph.Reshape(y, append([]int{dims[0], dims[1]}, y.Shape().Dimensions[1:]...)...)}
}

// Config returns the layer.
func (l *TimeDistributedLayer) Config() (map[string]any, error) {
	return map[string]any{"layer": l.Layer}, nil
}

// isNil reports whether a layer is nil, or a nil pointer.
func isNil(l Layer) bool {
	if l == nil {
		return true
	}
	v := reflect.ValueOf(l)
	return v.Kind() == reflect.Pointer && v.IsNil()
}
