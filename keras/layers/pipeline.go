package layers

// This file defines Pipeline, several layers as one.

import "github.com/gomlx/gomlx/core/graph"

// PipelineLayer runs layers one after the other: keras.layers.Pipeline.
type PipelineLayer struct {
	declared
	Layers []Layer
}

// Pipeline returns a layer that runs layers one after the other, such as those that augment
// images. Options: Name.
func Pipeline(ls []Layer, opts ...Option) *PipelineLayer {
	return declare[*PipelineLayer]("Pipeline", []Option{set("Layers", ls)}, opts)
}

func newPipeline(d declared) *PipelineLayer {
	for i, l := range d.opts.layers {
		if isNil(l) {
			d.fail("Pipeline: layer %d is nil: want a layer, such as layers.Rescaling(0.5)", i)
		}
	}
	return &PipelineLayer{declared: d, Layers: d.opts.layers}
}

// Call runs the layers.
func (l *PipelineLayer) Call(c *Context, inputs []*graph.Node) []*graph.Node {
	for _, part := range l.Layers {
		inputs = c.ApplyAll(part, inputs...)
	}
	return inputs
}
