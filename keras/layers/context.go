package layers

// This file defines Context, in which a layer is traced, and what a layer adds to a step: AddLoss,
// AddMetric.

import (
	"github.com/gomlx/gomlx/core/graph"

	"github.com/gospmd/gospmd/keras/distribution"
	"github.com/gospmd/gospmd/keras/regularizers"
	"github.com/gospmd/gospmd/keras/variable"
)

// Context is the context in which a layer is traced.
type Context struct {
	*variable.StatelessScope
	// Training is true in Fit and false in Evaluate and Predict.
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

// AddLoss adds a scalar to the loss of the step under way: keras.layers.Layer.add_loss.
func (c *Context) AddLoss(loss *graph.Node) { c.losses = append(c.losses, loss) }

// Losses returns what AddLoss and the activity regularizers have added.
func (c *Context) Losses() []*graph.Node { return c.losses }

// AddMetric adds a scalar to the logs of training and evaluation, as the mean over the
// batches of an epoch: what a keras.metrics.Mean in a layer of one's own does, and add_metric
// of older versions of Keras. The name is that of the log. A layer adds the same names at
// each call.
func (c *Context) AddMetric(name string, value *graph.Node) {
	c.metrics = append(c.metrics, AddedMetric{name, value})
}

// AddedMetric is what AddMetric was given.
type AddedMetric struct {
	Name  string
	Value *graph.Node
}

// AddedMetrics returns what AddMetric has added.
func (c *Context) AddedMetrics() []AddedMetric { return c.metrics }

// AddedMetrics returns the names that AddMetric of the node's layer gets.
func (n *Node) AddedMetrics() []string { return n.metrics }

// penalize adds the penalty of a regularizer, nil for none, on what a layer returns.
func (c *Context) penalize(r *regularizers.Regularizer, out *graph.Node) {
	if r == nil {
		return
	}
	penalty := r.Call(out)
	if out.Rank() > 0 {
		penalty = graph.DivScalar(penalty, float64(out.Shape().Dim(0)))
	}
	c.AddLoss(penalty)
}
