package layers

// This file defines masks. A mask says which steps of sequences count. The file also defines how
// masks pass from layer to layer.

import (
	"slices"

	"github.com/gomlx/gomlx/core/graph"
)

// Masker is a Layer whose outputs have masks, like Keras' layers with supports_masking. The outputs
// of other layers have none. If your layer keeps the steps of its input, give it a method
// ComputeMask that returns masks[:1].
type Masker interface {
	Layer
	// ComputeMask returns the mask of each output, nil where it has none; outputs
	// beyond the last one have none. masks are those of the inputs.
	ComputeMask(c *Context, inputs, masks []*graph.Node) []*graph.Node
}

// keepsMask is embedded by layers whose first output has the mask of their first input.
type keepsMask struct{}

// ComputeMask returns the mask of the first input, nil if it has none, as the mask of the first
// output.
func (keepsMask) ComputeMask(_ *Context, _, masks []*graph.Node) []*graph.Node { return masks[:1] }

// Mask returns the mask of x, a value of the model that is traced. The mask, (batch, time), is true
// for the steps that count; it is nil if all count. Losses and metrics ignore the steps that the
// mask of a prediction excludes.
func (c *Context) Mask(x *graph.Node) *graph.Node { return c.masks[x] }

// setMask makes mask the mask of x, a value of the model that is traced. A nil mask changes
// nothing.
func (c *Context) setMask(x, mask *graph.Node) {
	if mask == nil {
		return
	}
	if c.masks == nil {
		c.masks = make(map[*graph.Node]*graph.Node)
	}
	c.masks[x] = mask
}

// masksOf returns the mask of each of the values xs, nil where one has none.
func (c *Context) masksOf(xs []*graph.Node) []*graph.Node {
	masks := make([]*graph.Node, len(xs))
	for i, x := range xs {
		masks[i] = c.masks[x]
	}
	return masks
}

// outputMasks returns the mask of each output of l, nil for none: that which the output already has
// (an output of an inner layer has that layer's), or the one that l's ComputeMask gives.
func (c *Context) outputMasks(l Layer, inputs, outputs []*graph.Node) []*graph.Node {
	masks := c.masksOf(outputs)
	m, ok := l.(Masker)
	if !ok {
		return masks
	}
	for i, mask := range m.ComputeMask(c, inputs, c.masksOf(inputs)) {
		if i < len(masks) && masks[i] == nil {
			masks[i] = mask
		}
	}
	return masks
}

// ComputeMask returns the mask of the first input, the sequence, if the layer returns the outputs
// of all steps, and otherwise nil.
func (l *RNNLayer) ComputeMask(_ *Context, _, masks []*graph.Node) []*graph.Node {
	if !l.opts.ReturnSequences {
		return nil
	}
	return masks[:1]
}

// ComputeMask returns the mask of the input sequence if the layer returns the outputs of all steps,
// and else none. Without a merge mode there are two outputs, which get the same masks.
func (l *BidirectionalLayer) ComputeMask(c *Context, inputs, masks []*graph.Node) []*graph.Node {
	out := l.ForwardLayer.(recurrent).loop().ComputeMask(c, inputs, masks)
	if l.opts.MergeMode == "" {
		return append(slices.Clone(out), out...)
	}
	return out
}

// ComputeMask returns the union of the inputs' masks, if all inputs have masks. Otherwise it
// returns none.
func (l *MergeLayer) ComputeMask(_ *Context, _, masks []*graph.Node) []*graph.Node {
	out := masks[0]
	for _, m := range masks[1:] {
		if out == nil || m == nil {
			return nil
		}
		out = graph.LogicalOr(out, m)
	}
	return []*graph.Node{out}
}

// ComputeMask returns one mask: the masks of the inputs concatenated as the layer concatenates the
// inputs. All steps of an input without a mask count. Joined along the last axis, a step counts if
// it does in any input. If no input has a mask, it returns nil.
func (l *ConcatenateLayer) ComputeMask(_ *Context, inputs, masks []*graph.Node) []*graph.Node {
	if !slices.ContainsFunc(masks, func(m *graph.Node) bool { return m != nil }) {
		return nil
	}
	full := make([]*graph.Node, len(inputs))
	for i, x := range inputs {
		mask := masks[i]
		if mask == nil {
			mask = graph.Const(x.Graph(), true)
		} else if mask.Rank() < x.Rank() {
			mask = graph.InsertAxes(mask, -1)
		}
		full[i] = graph.BroadcastToDims(mask, x.Shape().Dimensions...)
	}
	joined := graph.Concatenate(full, l.axis)
	return []*graph.Node{graph.LogicalAny(joined, joined.Rank()-1)}
}
