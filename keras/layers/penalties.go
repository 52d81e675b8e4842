package layers

// This file holds the options for the size of weights and outputs, regularizers and
// constraints, and AddLoss and AddMetric.

import (
	"github.com/gomlx/gomlx/core/graph"

	"github.com/gospmd/gospmd/keras/constraints"
	"github.com/gospmd/gospmd/keras/regularizers"
	"github.com/gospmd/gospmd/keras/variable"
)

// limits are the regularizers and constraints of a layer, by Keras' keys, such as
// kernel_regularizer.
type limits map[string]any

// KernelRegularizer adds a penalty on the kernel to the loss: the name of a regularizer,
// such as "l2", or a regularizers.Regularizer.
func KernelRegularizer(r any) Option { return set("KernelRegularizer", r) }

// BiasRegularizer adds a penalty on the bias to the loss.
func BiasRegularizer(r any) Option { return set("BiasRegularizer", r) }

// EmbeddingsRegularizer adds a penalty on an embedding's table to the loss.
func EmbeddingsRegularizer(r any) Option { return set("EmbeddingsRegularizer", r) }

// ActivityRegularizer adds a penalty on the layer's output, divided by the size of the
// batch, to the loss. All layers take it.
func ActivityRegularizer(r any) Option { return set("ActivityRegularizer", r) }

// KernelConstraint projects the kernel after each step of the optimizer: the name of a
// constraint, such as "non_neg", or a constraints.Constraint.
func KernelConstraint(c any) Option { return set("KernelConstraint", c) }

// BiasConstraint projects the bias after each step of the optimizer.
func BiasConstraint(c any) Option { return set("BiasConstraint", c) }

// EmbeddingsConstraint projects an embedding's table after each step of the optimizer.
func EmbeddingsConstraint(c any) Option { return set("EmbeddingsConstraint", c) }

// RecurrentRegularizer adds a penalty on the kernel of the states to the loss.
func RecurrentRegularizer(r any) Option { return set("RecurrentRegularizer", r) }

// RecurrentConstraint projects the kernel of the states after each step of the optimizer.
func RecurrentConstraint(c any) Option { return set("RecurrentConstraint", c) }

// DepthwiseRegularizer adds a penalty on the kernel that is applied to each channel.
func DepthwiseRegularizer(r any) Option { return set("DepthwiseRegularizer", r) }

// DepthwiseConstraint projects the kernel that is applied to each channel.
func DepthwiseConstraint(c any) Option { return set("DepthwiseConstraint", c) }

// PointwiseRegularizer adds a penalty on the kernel that mixes channels.
func PointwiseRegularizer(r any) Option { return set("PointwiseRegularizer", r) }

// PointwiseConstraint projects the kernel that mixes channels.
func PointwiseConstraint(c any) Option { return set("PointwiseConstraint", c) }

func (o *options) setLimit(key string, v any) {
	if o.limits == nil {
		o.limits = make(limits)
	}
	o.limits[key] = v
}

// of returns the options of the variable with that name.
func (l limits) of(name string) (out []variable.Option) {
	if r, ok := l[name+"_regularizer"].(*regularizers.Regularizer); ok {
		out = append(out, variable.Regularized(r))
	}
	if c, ok := l[name+"_constraint"].(*constraints.Constraint); ok {
		out = append(out, variable.Constrained(c))
	}
	return out
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
