package callbacks

// This file defines SwapEMAWeights.

import (
	"context"
	"errors"
	"fmt"

	"github.com/gospmd/gospmd/keras"
	"github.com/gospmd/gospmd/keras/variable"
	"github.com/gospmd/gospmd/runtime"
)

// SwapEMAWeights replaces the model's weights by their moving averages during Evaluate, Predict and
// validation: keras.callbacks.SwapEMAWeights. The optimizer must have UseEMA. The replaced weights
// are kept on the host meanwhile.
type SwapEMAWeights struct {
	keras.EpochCallback
	// SwapOnEpoch also swaps at the end of an epoch, so that later callbacks, such as
	// ModelCheckpoint, see the averages.
	SwapOnEpoch bool

	model *keras.Model
	kept  []keptWeight // the weights that the averages replace now
}

// keptWeight is a weight with the value that it had before its average replaced it.
type keptWeight struct {
	weight *variable.Variable
	value  any
}

// OnTrainBegin stores m, whose weights are replaced later, and forgets the weights kept of an
// earlier training. It returns an error if m's optimizer has no moving averages.
func (c *SwapEMAWeights) OnTrainBegin(_ context.Context, m *keras.Model) error {
	c.model, c.kept = m, nil
	if !m.Optimizer().KeepsAverages() {
		return fmt.Errorf("SwapEMAWeights: the optimizer %s keeps no averages: give it the option UseEMA", m.Optimizer().Name())
	}
	return nil
}

// OnEpochBegin gives the model its weights back, if the averages are in their place.
func (c *SwapEMAWeights) OnEpochBegin(ctx context.Context, _ int) error { return c.leave(ctx) }

// OnEpochEnd replaces the weights by the averages, if SwapOnEpoch is set.
func (c *SwapEMAWeights) OnEpochEnd(ctx context.Context, _ int, _ keras.Logs) error {
	if !c.SwapOnEpoch {
		return nil
	}
	return c.enter(ctx, c.model)
}

// OnTrainEnd drops the kept weights. The model keeps the averages, as after each training with
// UseEMA.
func (c *SwapEMAWeights) OnTrainEnd(context.Context) error {
	c.kept = nil
	return nil
}

// OnTestBegin replaces the weights by the averages, unless that is done already.
func (c *SwapEMAWeights) OnTestBegin(ctx context.Context, m *keras.Model) error {
	return c.enter(ctx, m)
}

// OnTestEnd gives the model its weights back after a validation or an Evaluate.
func (c *SwapEMAWeights) OnTestEnd(ctx context.Context, _ keras.Logs) error { return c.leave(ctx) }

// OnPredictBegin replaces the weights by the averages, unless that is done already.
func (c *SwapEMAWeights) OnPredictBegin(ctx context.Context, m *keras.Model) error {
	return c.enter(ctx, m)
}

// OnPredictEnd gives the model the weights back that it had before OnPredictBegin.
func (c *SwapEMAWeights) OnPredictEnd(ctx context.Context) error { return c.leave(ctx) }

// enter keeps the weights on the host, and replaces them in the model by their averages. It does
// nothing if that is done already, or for a model without an optimizer. If it fails, the model has
// all its weights again.
func (c *SwapEMAWeights) enter(ctx context.Context, m *keras.Model) error {
	if c.kept != nil || m.Optimizer() == nil {
		return nil
	}
	c.model = m
	client, err := m.Client(ctx)
	if err != nil {
		return err
	}
	weights, averages := m.Optimizer().Averages()
	for i, v := range weights {
		if err := c.replace(ctx, client, v, averages[i]); err != nil {
			return errors.Join(err, c.leave(ctx))
		}
	}
	return nil
}

// replace keeps the value of a weight and assigns it that of its average.
func (c *SwapEMAWeights) replace(ctx context.Context, client *runtime.Client, weight, average *variable.Variable) error {
	value, err := weight.Value(ctx)
	if err != nil {
		return err
	}
	flat, err := average.Value(ctx)
	if err != nil {
		return err
	}
	c.kept = append(c.kept, keptWeight{weight, value})
	return weight.Assign(client, flat)
}

// leave gives the weights of the model back the values that they had before the averages replaced
// them. If the averages are not in use, it does nothing.
func (c *SwapEMAWeights) leave(ctx context.Context) error {
	if c.kept == nil {
		return nil
	}
	client, err := c.model.Client(ctx)
	if err != nil {
		return err
	}
	for _, k := range c.kept {
		if err := k.weight.Assign(client, k.value); err != nil {
			return err
		}
	}
	c.kept = nil
	return nil
}
