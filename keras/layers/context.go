package layers

// This file defines Context, in which a layer is traced, and what a layer adds to a step: AddLoss,
// AddMetric.

import (
	"github.com/gomlx/gomlx/core/graph"

	"github.com/gospmd/gospmd/keras/distribution"
	"github.com/gospmd/gospmd/keras/regularizers"
	"github.com/gospmd/gospmd/keras/variable"
)

// Context is the context in which layers are traced during one step: the values of variables,
// whether the step trains, and what the layers add: losses, metrics and masks.
type Context struct {
	*variable.StatelessScope
	// Training is true in Fit, and false in Evaluate and Predict; during the call of a layer by
	// WithTraining it is what that says.
	Training bool
	// Distribution has the layouts of the layers' outputs; nil leaves them to
	// the compiler.
	Distribution distribution.Distribution

	current *Base                       // the layer that is being called
	callee  Layer                       // the same, for Base.Call
	losses  []*graph.Node               // see AddLoss
	metrics []AddedMetric               // see AddMetric
	masks   map[*graph.Node]*graph.Node // of values of the model (masking.go)
	// size of open dimensions while output shapes are computed, else 0
	open int
}

// AddLoss adds loss, a scalar that is a value in this Call or an array, to the loss of the step
// that is traced: keras.layers.Layer.add_loss. It panics for other tensors.
func (c *Context) AddLoss(loss *Tensor) { c.losses = append(c.losses, c.Nodes(loss)...) }

// Losses returns the penalties that AddLoss and the activity regularizers have added so far,
// scalars in the order in which they were added.
func (c *Context) Losses() []*graph.Node { return c.losses }

// AddMetric adds value, a scalar that is a value in this Call or an array, to the logs of training
// and evaluation, under a name. The log shows the mean over the batches of an epoch. A
// keras.metrics.Mean in a user's layer does the same, and add_metric in older versions of Keras. A
// layer must add the same names at each call. Other tensors panic.
func (c *Context) AddMetric(name string, value *Tensor) {
	c.metrics = append(c.metrics, AddedMetric{name, c.Nodes(value)[0]})
}

// AddedMetric holds the name and the value, a scalar node, of a call of AddMetric.
type AddedMetric struct {
	Name  string
	Value *graph.Node
}

// AddedMetrics returns the metrics that AddMetric has added, in order of the calls.
func (c *Context) AddedMetrics() []AddedMetric { return c.metrics }

// AddedMetrics returns the names of the metrics that the node's layer adds by AddMetric.
func (n *Node) AddedMetrics() []string { return n.metrics }

// penalize adds the penalty of the regularizer r on out, a layer's output, to the losses of the
// step, divided by the batch size as in Keras. Without a regularizer (nil) it does nothing.
func (c *Context) penalize(r *regularizers.Regularizer, out *graph.Node) {
	if r == nil {
		return
	}
	penalty := r.Call(out)
	if out.Rank() > 0 {
		penalty = graph.DivScalar(penalty, float64(out.Shape().Dim(0)))
	}
	c.losses = append(c.losses, penalty)
}
