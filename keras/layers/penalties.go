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
func KernelRegularizer(r any) Option { return regularizer("KernelRegularizer", "kernel", r) }

// BiasRegularizer adds a penalty on the bias to the loss.
func BiasRegularizer(r any) Option { return regularizer("BiasRegularizer", "bias", r) }

// EmbeddingsRegularizer adds a penalty on an embedding's table to the loss.
func EmbeddingsRegularizer(r any) Option {
	return regularizer("EmbeddingsRegularizer", "embeddings", r)
}

// ActivityRegularizer adds a penalty on the layer's output, divided by the size of the
// batch, to the loss.
func ActivityRegularizer(r any) Option { return regularizer("ActivityRegularizer", "activity", r) }

// KernelConstraint projects the kernel after each step of the optimizer: the name of a
// constraint, such as "non_neg", or a constraints.Constraint.
func KernelConstraint(c any) Option { return constraint("KernelConstraint", "kernel", c) }

// BiasConstraint projects the bias after each step of the optimizer.
func BiasConstraint(c any) Option { return constraint("BiasConstraint", "bias", c) }

// EmbeddingsConstraint projects an embedding's table after each step of the optimizer.
func EmbeddingsConstraint(c any) Option { return constraint("EmbeddingsConstraint", "embeddings", c) }

// DepthwiseRegularizer adds a penalty on the kernel that is applied to each channel.
func DepthwiseRegularizer(r any) Option { return set("DepthwiseRegularizer", r) }

// DepthwiseConstraint projects the kernel that is applied to each channel.
func DepthwiseConstraint(c any) Option { return set("DepthwiseConstraint", c) }

// PointwiseRegularizer adds a penalty on the kernel that mixes channels.
func PointwiseRegularizer(r any) Option { return set("PointwiseRegularizer", r) }

// PointwiseConstraint projects the kernel that mixes channels.
func PointwiseConstraint(c any) Option { return set("PointwiseConstraint", c) }

func regularizer(name, of string, given any) Option {
	return Option{Name: name, Set: func(o *options) error {
		r, err := regularizers.Get(given)
		if r != nil {
			o.setLimit(of+"_regularizer", r)
		}
		return err
	}}
}

func constraint(name, of string, given any) Option {
	return Option{Name: name, Set: func(o *options) error {
		c, err := constraints.Get(given)
		if c != nil {
			o.setLimit(of+"_constraint", c)
		}
		return err
	}}
}

func (o *options) setLimit(key string, v any) {
	if o.limits == nil {
		o.limits = make(limits)
	}
	o.limits[key] = v
}

// weightLimits are the options of layers with a kernel and a bias.
var weightLimits = []string{"KernelRegularizer", "BiasRegularizer", "ActivityRegularizer", "KernelConstraint", "BiasConstraint"}

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

// config adds the regularizers and constraints of variables, of which names are Keras'
// names by ours, to a config.
func (l limits) config(config map[string]any, names map[string]string) {
	for _, suffix := range []string{"_regularizer", "_constraint"} {
		for ours, keras := range names {
			if v, ok := l[ours+suffix]; ok || ours != "activity" {
				config[keras+suffix] = v
			}
		}
	}
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

// addActivity adds the penalty on a layer's output.
func (c *Context) addActivity(b *Base, out *graph.Node) {
	if b.activity == nil {
		return
	}
	penalty := b.activity.Call(out)
	if out.Rank() > 0 {
		penalty = graph.DivScalar(penalty, float64(out.Shape().Dim(0)))
	}
	c.AddLoss(penalty)
}
