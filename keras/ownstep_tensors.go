package keras

// This file defines the short forms of steps: losses, means, random numbers and the optimizer's
// step of a Step, each in one call.

import (
	"fmt"

	"github.com/gomlx/compute/dtypes"

	"github.com/gospmd/gospmd/keras/layers"
	"github.com/gospmd/gospmd/keras/losses"
	"github.com/gospmd/gospmd/keras/metrics"
	"github.com/gospmd/gospmd/keras/random"
)

// Optimize minimizes a scalar loss by the optimizer that the model was compiled with, over all
// trainable variables of the model.
func (s *Step) Optimize(loss *layers.Tensor) {
	s.Minimize(s.Model().Optimizer(), loss, s.Model().TrainableVariables()...)
}

// Loss returns a loss of predictions, reduced and without sample weights: the call of a
// keras.losses.Loss. loss is what the option Loss takes, such as losses.MeanSquaredError() or
// "mse". An unknown loss panics.
func (s *Step) Loss(loss any, yTrue, yPred *layers.Tensor) *layers.Tensor {
	l, err := losses.Get(lossOf(loss))
	if err != nil {
		panic(fmt.Errorf("Loss: %w", err))
	}
	both := s.Nodes(yTrue, yPred)
	return s.Tensor(l.Value(both[0], both[1], nil, nil))
}

// Mean adds a number to a mean over the steps of the epoch, and returns the mean: what updating a
// keras.metrics.Mean and returning its result is in Keras. The name says which mean.
//
//	return keras.StepLogs{"loss": s.Mean("loss", loss)}
func (s *Step) Mean(name string, value *layers.Tensor) *layers.Tensor {
	o := &s.Model().compiled.own
	m := o.means[name]
	if m == nil {
		m = metrics.Mean(metrics.Name(name))
		if o.means == nil {
			o.means = make(map[string]*metrics.Metric)
		}
		o.means[name] = m
	}
	s.UpdateMean(m, value)
	return s.Result(m)
}

// Normal returns random numbers of the normal distribution with mean 0 and standard deviation 1,
// float32 in this shape: keras.random.normal(shape, seed=g). The state of g goes on. NextKey gives
// other numbers.
func (s *Step) Normal(g *random.SeedGenerator, shape ...int) *layers.Tensor {
	return s.Tensor(s.NextKey(g).Normal(dtypes.Float32, 0, 1, shape...))
}

// Uniform returns random numbers in [0, 1), float32 in this shape: keras.random.uniform(shape,
// seed=g). The state of g goes on.
func (s *Step) Uniform(g *random.SeedGenerator, shape ...int) *layers.Tensor {
	return s.Tensor(s.NextKey(g).Uniform(dtypes.Float32, 0, 1, shape...))
}
