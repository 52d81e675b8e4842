package layers

// This file defines ConvLSTM1D to 3D, whose gates are convolutions; and their options.

import (
	"fmt"
	"slices"

	"github.com/gomlx/gomlx/core/graph"

	"github.com/gospmd/gospmd/keras/layers/internal/nodes"
	"github.com/gospmd/gospmd/keras/variable"
)

// convLSTMCellOptions holds the options of ConvLSTMCell: the number of filters, those of the
// convolution of the input, and those of an LSTM's gates.
type convLSTMCellOptions struct {
	filterOptions
	convWindowOptions
	lstmGateOptions
	gateOptions
}

// convLSTMOptions holds the options of ConvLSTM1D, ConvLSTM2D and ConvLSTM3D: those of the cell,
// and those of the loop.
type convLSTMOptions struct {
	convLSTMCellOptions
	loopOptions
}

// ConvLSTMLayer is an LSTM whose products are convolutions: keras.layers.ConvLSTM1D,
// ConvLSTM2D, ConvLSTM3D (Shi et al., 2015).
type ConvLSTMLayer struct{ RNNLayer }

// ConvLSTM1D returns a convolutional LSTM over sequences (batch, time, steps, channels), with
// the given number of filters and size of the kernel. Options: those of LSTM, and Strides,
// Padding, DataFormat, DilationRate, which are of the convolution of the input; that of the
// state keeps its size.
func ConvLSTM1D[S Sizes](filters int, kernelSize S, opts ...Option) *ConvLSTMLayer {
	return declare[*ConvLSTMLayer]("ConvLSTM1D", kernelOf(filters, kernelSize), opts)
}

// ConvLSTM2D returns a convolutional LSTM over sequences of images, (batch, time, height, width,
// channels). The size of the kernel is one number, or height and width. Options: those of
// ConvLSTM1D.
func ConvLSTM2D[S Sizes](filters int, kernelSize S, opts ...Option) *ConvLSTMLayer {
	return declare[*ConvLSTMLayer]("ConvLSTM2D", kernelOf(filters, kernelSize), opts)
}

// ConvLSTM3D returns a convolutional LSTM over sequences of volumes, (batch, time, depth, height,
// width, channels). The size of the kernel is one number, or depth, height and width. Options:
// those of ConvLSTM1D.
func ConvLSTM3D[S Sizes](filters int, kernelSize S, opts ...Option) *ConvLSTMLayer {
	return declare[*ConvLSTMLayer]("ConvLSTM3D", kernelOf(filters, kernelSize), opts)
}

func newConvLSTM(d declared, o *convLSTMOptions, rank int) *ConvLSTMLayer {
	if o.DataFormat != "channels_last" {
		d.fail("%s: DataFormat: got %q, want channels_last: the channels of steps cannot come first", d.name, o.DataFormat)
	}
	w := o.window(&d.Base, rank, false)
	part := d.makePart("ConvLSTMCell", &o.convLSTMCellOptions)
	cell := &ConvLSTMCell{lstmCell{startCell(part, &o.gateOptions, o.Filters, 4), &o.lstmGateOptions}, w}
	return &ConvLSTMLayer{newRNN(d, &o.loopOptions, cell)}
}

// ConvLSTMCell computes one step of a ConvLSTM layer; its inputs are [batch, spatial dimensions...,
// channels].
type ConvLSTMCell struct {
	lstmCell
	window nodes.Window
}

// stateShape returns the shape of a state, [spatial dimensions..., units], for a step of the shape
// step, both without the batch. The spatial sizes are those of the input's convolution.
func (l *ConvLSTMCell) stateShape(step []int) []int {
	w := l.window
	out := make([]int, 0, len(step))
	for i, n := range step[:len(step)-1] {
		if w.Pad == "valid" {
			n -= w.Spread(i) - 1
		}
		out = append(out, (n+w.Strides[i]-1)/w.Strides[i])
	}
	return append(out, l.Units)
}

// Build makes the kernels and the bias for a step of the input, the first of inputs. A step of
// another rank, of unknown sizes or smaller than the window, and strides and dilation that are both
// above 1, are errors.
func (l *ConvLSTMCell) Build(b *Builder, inputs []Spec) (err error) {
	w, in := l.window, inputs[:1]
	if err := checkWindow(w, in); err != nil {
		return err
	}
	if err := w.CheckStrides(); err != nil {
		return err
	}
	if slices.Contains(in[0].Shape[1:], None) {
		return fmt.Errorf("got a step %s, want known sizes: give keras.Input numbers for them", in[0])
	}
	channels := in[0].Shape[len(in[0].Shape)-1]
	kernel := slices.Concat(w.Size, []int{channels, 4 * l.Units})
	states := slices.Concat(w.Size, []int{l.Units, 4 * l.Units})
	return l.addWeights(b, kernel, states, []int{4 * l.Units}, l.forgetBias())
}

// Call returns the output of one step and the next states, output and memory. in holds the input
// and both states before. One convolution of the input and one of the output before compute all
// gates; where something is dropped, there is one for each gate in place of it.
func (l *ConvLSTMCell) Call(c *Context, in []*graph.Node) []*graph.Node {
	w := l.window
	same := nodes.Window{Size: w.Size, Strides: slices.Repeat([]int{1}, len(w.Size)), Dilation: slices.Repeat([]int{1}, len(w.Size)), Pad: "same"}
	sum := graph.Add(l.convolve(c, w, in[0], l.Kernel, l.inputMasks), l.convolve(c, same, in[1], l.RecurrentKernel, l.stateMasks))
	return l.step(l.split(addBias(sum, l.biasValue(c))), in[2])
}

func (l *ConvLSTMCell) convolve(c *Context, w nodes.Window, x *graph.Node, kernel *variable.Variable, masks []*graph.Node) *graph.Node {
	k := c.Value(kernel)
	if !c.Training || len(masks) == 0 {
		return w.Convolve(x, k, 1)
	}
	parts := l.split(k)
	for i := range parts {
		parts[i] = w.Convolve(graph.Mul(x, masks[i]), parts[i], 1)
	}
	return graph.Concatenate(parts, -1)
}

// dropMasks draws the dropout masks of inputs, of the sizes dims, and of states, one for each of
// the four gates, and stores them for Call. It moves the seed's state on.
func (l *ConvLSTMCell) dropMasks(c *Context, dims []int) {
	state := append([]int{dims[0]}, l.stateShape(dims[1:])...)
	l.inputMasks = l.masks(c, l.opts.DropoutRate, 4, dims)
	l.stateMasks = l.masks(c, l.opts.RecurrentDropout, 4, state)
}
