package layers

// This file defines masks, which say what steps of sequences count, and how they go from
// layer to layer.

import (
	"slices"

	"github.com/gomlx/gomlx/core/graph"
)

// Masker is a Layer whose outputs have masks, as Keras' layers with supports_masking.
// Behind other layers there is no mask: where a layer of yours keeps the steps of its
// input, give it ComputeMask, which returns masks[:1].
type Masker interface {
	Layer
	// ComputeMask returns the mask of each output, nil where it has none; outputs
	// beyond the last one have none. masks are those of the inputs.
	ComputeMask(c *Context, inputs, masks []*graph.Node) []*graph.Node
}

// keepsMask is embedded by layers whose output has the mask of their first input.
type keepsMask struct{}

// ComputeMask returns the mask of the first input.
func (keepsMask) ComputeMask(_ *Context, _, masks []*graph.Node) []*graph.Node { return masks[:1] }

// Mask returns the mask of x, a value of the model that is being traced: true for the
// steps that count, (batch, time); nil where all do. Losses and metrics leave out what
// the mask of a prediction does.
func (c *Context) Mask(x *graph.Node) *graph.Node { return c.masks[x] }

// setMask makes mask the mask of x.
func (c *Context) setMask(x, mask *graph.Node) {
	if mask == nil {
		return
	}
	if c.masks == nil {
		c.masks = make(map[*graph.Node]*graph.Node)
	}
	c.masks[x] = mask
}

// masksOf returns the masks of values.
func (c *Context) masksOf(xs []*graph.Node) []*graph.Node {
	masks := make([]*graph.Node, len(xs))
	for i, x := range xs {
		masks[i] = c.masks[x]
	}
	return masks
}

// outputMasks returns the masks of a layer's outputs. Those that Call has passed on from
// an inner layer have its mask.
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

// ComputeMask returns the mask of the sequence, where outputs of all steps are returned.
func (l *RNNLayer) ComputeMask(_ *Context, _, masks []*graph.Node) []*graph.Node {
	if !l.opts.ReturnSequences {
		return nil
	}
	return masks[:1]
}

// ComputeMask returns the mask of the sequence, where outputs of all steps are returned.
func (l *BidirectionalLayer) ComputeMask(c *Context, inputs, masks []*graph.Node) []*graph.Node {
	out := l.ForwardLayer.(recurrent).loop().ComputeMask(c, inputs, masks)
	if l.opts.MergeMode == "" {
		return append(slices.Clone(out), out...)
	}
	return out
}

// ComputeMask returns what counts in one of the inputs, if all have masks.
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

// ComputeMask joins the masks as the inputs are joined. An input without a mask counts.
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
