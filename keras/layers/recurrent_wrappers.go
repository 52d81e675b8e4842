package layers

// This file defines Bidirectional and TimeDistributed, which run other layers over a sequence; and
// their options.

import (
	"fmt"
	"reflect"
	"slices"
	"strings"

	"github.com/gomlx/gomlx/core/graph"
)

// wrapperClasses has the layers that apply another layer: by the name of the class in Keras, how a
// layer is made of its options.
var wrapperClasses = map[string]class{
	"Bidirectional":   classOf(newBidirectional),
	"TimeDistributed": classOf(newTimeDistributed),
}

// bidirectionalOptions holds the options of Bidirectional: the layer, the layer that runs backwards
// (nil for a copy), and MergeMode ("" for two outputs).
type bidirectionalOptions struct {
	Layer         layerValue `argument:"layer"`
	BackwardLayer layerValue `option:"backward_layer"`
	MergeMode     optional   `option:"merge_mode" default:"concat" oneof:"concat sum mul ave"`
}

// timeDistributedOptions holds the only option of TimeDistributed: the layer that is applied to
// each step.
type timeDistributedOptions struct {
	Layer layerValue `argument:"layer"`
}

// copyLoop returns a copy of the layer, not built, with this name, which runs backwards or
// forwards. Its initializers draw new numbers unless they have a seed.
func (l *RNNLayer) copyLoop(name string, backwards bool) Layer {
	return l.copyAs(name, func(options any) {
		options.(interface{ loop() *loopOptions }).loop().GoBackwards = backwards
		options.(interface{ gates() *gateOptions }).gates().renew()
	})
}

// loop returns l. Bidirectional calls it to get the RNNLayer of a layer that embeds one, such as
// LSTM.
func (l *RNNLayer) loop() *RNNLayer { return l }

type recurrent interface {
	Layer
	loop() *RNNLayer
}

// MergeMode sets how Bidirectional joins the outputs of both directions: "concat" (the default),
// "sum", "mul" or "ave". With "" they are two outputs. Others are errors.
func MergeMode(mode string) Option { return set("MergeMode", mode) }

// BackwardLayer sets the layer of Bidirectional that runs backwards. By default it is a copy of the
// forward layer with GoBackwards. It is an error if l is not recurrent, if not exactly one of the
// two layers has GoBackwards, or if they differ in ReturnSequences, ReturnState or Stateful.
func BackwardLayer(l Layer) Option { return set("BackwardLayer", l) }

// BidirectionalLayer runs two recurrent layers over a sequence, one forwards and one backwards, and
// joins their outputs as MergeMode says: keras.layers.Bidirectional.
type BidirectionalLayer struct {
	declared
	opts                        *bidirectionalOptions
	ForwardLayer, BackwardLayer Layer
}

// Bidirectional returns a layer that runs two copies of a recurrent layer, one of them backwards,
// or a copy and the BackwardLayer, and joins their outputs. With ReturnSequences the outputs of
// masked steps are zero. Further inputs are the initial states, first those of the forward layer. A
// layer such as RNN that is no SimpleRNN, LSTM, GRU or ConvLSTM is an error. Options: Name,
// MergeMode, BackwardLayer, DType.
func Bidirectional(layer Layer, opts ...Option) *BidirectionalLayer {
	return declare[*BidirectionalLayer]("Bidirectional", []Option{set("Layer", layer)}, opts)
}

func newBidirectional(d declared, o *bidirectionalOptions) Layer {
	l := &BidirectionalLayer{declared: d, opts: o}
	layer := o.Layer.Layer
	r, ok := layer.(recurrent)
	if !ok || isNil(layer) || r.loop().class == "RNN" {
		l.fail("Bidirectional: got a %T, want a SimpleRNN, LSTM or GRU", layer)
		return l
	}
	name := func(prefix string) string {
		nameLayer(layer, TypeName(layer))
		return prefix + strings.TrimPrefix(layer.Name(), prefix)
	}
	l.ForwardLayer = r.loop().copyLoop(name("forward_"), r.loop().opts.GoBackwards)
	l.BackwardLayer = o.BackwardLayer.Layer
	if isNil(l.BackwardLayer) {
		l.BackwardLayer = r.loop().copyLoop(name("backward_"), true)
	}
	back, ok := l.BackwardLayer.(recurrent)
	if !ok {
		l.fail("Bidirectional: the backward layer is a %T, want a recurrent layer", l.BackwardLayer)
		return l
	}
	f, b := l.ForwardLayer.(recurrent).loop().opts, back.loop().opts
	switch {
	case f.GoBackwards == b.GoBackwards:
		l.fail("Bidirectional: both layers go in one direction: give the backward layer the option GoBackwards, and the other one not")
	case f.ReturnSequences != b.ReturnSequences || f.ReturnState != b.ReturnState || f.Stateful != b.Stateful:
		l.fail("Bidirectional: the layers differ in ReturnSequences, ReturnState or Stateful: give both the same")
	}
	f.ZeroOutputForMask, b.ZeroOutputForMask = f.ReturnSequences, b.ReturnSequences
	o.Layer.Layer, o.BackwardLayer.Layer = l.ForwardLayer, l.BackwardLayer
	return l
}

// Build builds those of the two layers that are not built yet. Both get inputs[0], the sequence. Of
// the initial states, the other inputs, the forward layer gets the first half and the backward
// layer the second half.
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

// halves returns the inputs of the two directions of a Bidirectional: each gets the sequence,
// inputs[0], and half of the initial states.
func halves[T any](inputs []T) (forward, backward []T) {
	n := 1 + (len(inputs)-1)/2
	return inputs[:n], append([]T{inputs[0]}, inputs[n:]...)
}

// Call runs the layer forward and the other one backward on the input. It returns their outputs,
// merged by the merge mode, or both without one, and then the states of both if ReturnState is set.
func (l *BidirectionalLayer) Call(c *Context, inputs []*graph.Node) []*graph.Node {
	forward, backward := halves(inputs)
	f, b := c.ApplyAll(l.ForwardLayer, forward...), c.ApplyAll(l.BackwardLayer, backward...)
	x, y := f[0], b[0]
	if l.ForwardLayer.(recurrent).loop().opts.ReturnSequences {
		y = graph.Reverse(y, 1)
	}
	states := slices.Concat(f[1:], b[1:])
	switch l.opts.MergeMode {
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

// TimeDistributedLayer applies a layer to each step of a sequence:
// keras.layers.TimeDistributed.
type TimeDistributedLayer struct {
	declared
	keepsMask
	Layer Layer
}

// TimeDistributed returns a layer that applies layer to each step of its input, (batch, time, …),
// with the same variables, and returns the first output: (batch, time, …). A nil layer is an error
// of the result. Options: Name, DType.
func TimeDistributed(layer Layer, opts ...Option) *TimeDistributedLayer {
	return declare[*TimeDistributedLayer]("TimeDistributed", []Option{set("Layer", layer)}, opts)
}

func newTimeDistributed(d declared, o *timeDistributedOptions) Layer {
	if isNil(o.Layer.Layer) {
		d.fail("TimeDistributed: got a layer that is nil")
	} else if err := errCalled(o.Layer.Layer); err != nil {
		d.fail("TimeDistributed: %w", err)
	}
	return &TimeDistributedLayer{declared: d, Layer: o.Layer.Layer}
}

// Build builds the layer for one step, if it is not built. An input without a time dimension is an
// error.
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

// Call applies the layer to each step of the input: it makes one batch of the steps of all samples,
// and divides the output into samples and steps.
func (l *TimeDistributedLayer) Call(c *Context, inputs []*graph.Node) []*graph.Node {
	x := inputs[0]
	dims := x.Shape().Dimensions
	flat := graph.Reshape(x, append([]int{dims[0] * dims[1]}, dims[2:]...)...)
	y := c.Apply(l.Layer, flat)
	return []*graph.Node{graph.Reshape(y, append([]int{dims[0], dims[1]}, y.Shape().Dimensions[1:]...)...)}
}

// isNil reports whether l is nil, or a nil pointer in the interface.
func isNil(l Layer) bool {
	if l == nil {
		return true
	}
	v := reflect.ValueOf(l)
	return v.Kind() == reflect.Pointer && v.IsNil()
}
