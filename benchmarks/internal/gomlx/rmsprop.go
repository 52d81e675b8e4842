package gomlx

// This file has an optimizer that GoMLX computes differently: its own RMSProp corrects the mean of
// squares for its initial zeros.

import (
	"github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/ml/model"
	"github.com/gomlx/gomlx/ml/model/initializer"
	"github.com/gomlx/gomlx/ml/train/optimizer"
)

// rmsprop is RMSprop as Keras computes it.
type rmsprop struct{ learningRate, rho, epsilon float64 }

const rmspropScope = "/rmsprop"

// UpdateGraph implements optimizer.Interface: it adds to the graph one step of RMSprop, as Keras
// has it, for all trainable variables that the graph uses, and increments the global step. The
// means of the squared gradients are variables in a scope of their own.
func (o rmsprop) UpdateGraph(scope *model.Scope, g *graph.Graph, loss *graph.Node) {
	gradients := scope.BuildTrainableVariablesGradientsGraph(loss)
	optimizer.IncrementGlobalStep(g, loss.DType())
	i := 0
	for v := range scope.IterVariables() {
		if !v.Trainable || !v.InUseByGraph(g) {
			continue
		}
		squares := scope.Store().Scope(model.JoinPath(rmspropScope, v.Scope())).WithInitializer(initializer.Zero).
			VariableWithShape(v.Name(), v.Shape()).SetTrainable(false)
		mean := graph.Add(graph.MulScalar(squares.NodeValue(g), o.rho), graph.MulScalar(graph.Square(gradients[i]), 1-o.rho))
		squares.SetNodeValue(mean)
		step := graph.Mul(graph.MulScalar(gradients[i], o.learningRate), graph.Rsqrt(graph.AddScalar(mean, o.epsilon)))
		v.SetNodeValue(graph.Sub(v.NodeValue(g), step))
		i++
	}
}

// Clear implements optimizer.Interface: it deletes the means of the squared gradients.
func (o rmsprop) Clear(scope *model.Scope) error {
	return scope.Store().DeleteVariablesInScope(rmspropScope)
}
