package keras

// This file converts losses and metrics that are functions of Tensors to those of packages losses
// and metrics, which are functions of nodes.

import (
	"github.com/gomlx/gomlx/core/graph"

	"github.com/gospmd/gospmd/keras/layers"
	"github.com/gospmd/gospmd/keras/losses"
	"github.com/gospmd/gospmd/keras/metrics"
)

// onNodes returns the function v of labels and predictions, which are tensors, as one of graph
// nodes. ok is false if v is no such function.
func onNodes(v any) (f func(yTrue, yPred *graph.Node) *graph.Node, ok bool) {
	call, ok := v.(func(yTrue, yPred *layers.Tensor) *layers.Tensor)
	if !ok || call == nil {
		return nil, false
	}
	on := layers.OnNodes(func(xs ...*layers.Tensor) *layers.Tensor { return call(xs[0], xs[1]) })
	return func(yTrue, yPred *graph.Node) *graph.Node { return on(yTrue, yPred) }, true
}

// lossOf returns a loss in the form that package losses takes: it converts a function of tensors,
// and returns anything else unchanged.
func lossOf(loss any) any {
	if f, ok := onNodes(loss); ok {
		return losses.Func(f)
	}
	return loss
}

// metricOf returns a metric, or a list of metrics, in the form that package metrics takes: it
// converts functions of tensors, and returns anything else unchanged.
func metricOf(metric any) any {
	if list, ok := metric.([]any); ok {
		out := make([]any, len(list))
		for i, m := range list {
			out[i] = metricOf(m)
		}
		return out
	}
	if f, ok := onNodes(metric); ok {
		return metrics.New(metrics.NameOfFunc(metric), f)
	}
	return metric
}
