package gomlx

// This file has an optimizer that GoMLX has in another form: its own RMSProp corrects the mean
// of squares for the zeros that it begins with.

import (
	. "github.com/gomlx/gomlx/core/graph" //nolint:staticcheck // as GoMLX's optimizers do
	"github.com/gomlx/gomlx/ml/model"
	"github.com/gomlx/gomlx/ml/model/initializer"
	"github.com/gomlx/gomlx/ml/train/optimizer"
)

// rmsprop is RMSprop as Keras computes it.
type rmsprop struct{ learningRate, rho, epsilon float64 }

const rmspropScope = "/rmsprop"

// UpdateGraph implements optimizer.Interface.
func (o rmsprop) UpdateGraph(scope *model.Scope, g *Graph, loss *Node) {
	gradients := scope.BuildTrainableVariablesGradientsGraph(loss)
	optimizer.IncrementGlobalStep(g, loss.DType())
	i := 0
	for v := range scope.IterVariables() {
		if !v.Trainable || !v.InUseByGraph(g) {
			continue
		}
		squares := scope.Store().Scope(model.JoinPath(rmspropScope, v.Scope())).WithInitializer(initializer.Zero).
			VariableWithShape(v.Name(), v.Shape()).SetTrainable(false)
		mean := Add(MulScalar(squares.NodeValue(g), o.rho), MulScalar(Square(gradients[i]), 1-o.rho))
		squares.SetNodeValue(mean)
		step := Mul(MulScalar(gradients[i], o.learningRate), Rsqrt(AddScalar(mean, o.epsilon)))
		v.SetNodeValue(Sub(v.NodeValue(g), step))
		i++
	}
}

// Clear implements optimizer.Interface.
func (o rmsprop) Clear(scope *model.Scope) error {
	return scope.Store().DeleteVariablesInScope(rmspropScope)
}
