package main

// This file defines the model as on one device, its layouts, and one training.

import (
	"context"
	"fmt"
	"time"

	"github.com/gospmd/gospmd/compile/cost"
	"github.com/gospmd/gospmd/compile/report"
	"github.com/gospmd/gospmd/keras"
	"github.com/gospmd/gospmd/keras/distribution"
	"github.com/gospmd/gospmd/keras/layers"
	"github.com/gospmd/gospmd/keras/losses"
	"github.com/gospmd/gospmd/keras/optimizers"
	"github.com/gospmd/gospmd/keras/random"
)

const (
	features = 784
	classes  = 10
)

// model returns the model that is trained on each mesh: c.pairs pairs of dense layers, each wide
// and then narrow, and a classifier.
func (c config) model() (*keras.Model, error) {
	x := keras.Input([]int{features})
	y := x
	for i := range c.pairs {
		y = y.Apply(layers.Dense(c.units, layers.Name(fmt.Sprintf("up%d", i)), layers.Activation("relu")))
		y = y.Apply(layers.Dense(c.units/2, layers.Name(fmt.Sprintf("down%d", i)), layers.Activation("relu")))
	}
	y = y.Apply(layers.Dense(classes, layers.Name("classes")))
	return keras.NewModel([]*layers.Tensor{x}, []*layers.Tensor{y})
}

// distribution returns the model's layouts on a mesh of shape s: Megatron's, which shard the
// columns of one layer and the rows of the next over the last axis. Any axes between the first and
// the last axis shard the other dimension of kernels.
func (s shape) distribution() (distribution.Distribution, error) {
	mesh, err := distribution.ParseMesh(s.String(), s.axes...)
	if err != nil {
		return nil, err
	}
	units, other := s.axes[len(s.axes)-1], distribution.None
	if len(s.axes) > 2 {
		other = s.axes[1]
	}
	layouts := distribution.NewLayoutMap(mesh)
	for _, rule := range []struct {
		path string
		axes []string
	}{{`up\d/kernel`, []string{other, units}}, {`up\d/bias`, []string{units}}, {`down\d/kernel`, []string{units, other}}} {
		if err := layouts.Set(rule.path, rule.axes...); err != nil {
			return nil, err
		}
	}
	return distribution.NewModelParallel(layouts, s.axes[0])
}

// outcome holds the results of the training on one mesh shape.
type outcome struct {
	Mesh        string         `json:"mesh"`
	Losses      []float64      `json:"losses"`       // loss of each epoch
	StepSeconds float64        `json:"step_seconds"` // step time of the fastest epoch after the first
	Report      *report.Report `json:"report"`       // report of a training step
	// Prediction is the predicted time of a step on the devices of -machine; nil without -machine.
	Prediction *cost.Prediction `json:"prediction,omitempty"`
}

// train trains the model on a mesh of shape s, from the same seed each time, which it sets for the
// process, and returns its losses, times and costs.
func (c config) train(ctx context.Context, s shape) (r outcome, err error) {
	d, err := s.distribution()
	if err != nil {
		return r, err
	}
	machine, err := c.machineOf(d.DeviceMesh())
	if err != nil {
		return r, err
	}
	r.Mesh = s.String()
	err = distribution.Scope(d, func() error {
		random.SetRandomSeed(uint32(c.seed))
		model, err := c.model()
		if err != nil {
			return err
		}
		loss := losses.SparseCategoricalCrossentropy(losses.FromLogits())
		if err := model.Compile(keras.Optimizer(optimizers.Adam()), keras.Loss(loss)); err != nil {
			return err
		}
		x, y, err := c.data()
		if err != nil {
			return err
		}
		watch := &stopwatch{}
		history, err := model.Fit(ctx, x, y, keras.BatchSize(c.batch), keras.Epochs(c.epochs), keras.Shuffle(false), keras.Callbacks(watch), keras.Verbose(0))
		if err != nil {
			return err
		}
		r.Losses, r.StepSeconds = history.Logs["loss"], watch.fastest.Seconds()/float64(c.steps)
		r.Report = report.New(model.Programs()[0])
		if machine != nil {
			r.Prediction, err = c.predict(model, machine)
		}
		return err
	})
	return r, err
}

// stopwatch is the callback that measures how long each epoch takes, and keeps the shortest time
// after the first epoch.
type stopwatch struct {
	keras.BaseCallback
	began   time.Time
	fastest time.Duration // time of the fastest epoch after the first, which also compiles
}

// OnEpochBegin notes when the epoch begins.
func (w *stopwatch) OnEpochBegin(context.Context, int) error {
	w.began = time.Now()
	return nil
}

// OnEpochEnd computes how long the epoch took, and keeps the time if it is the shortest after the
// first epoch.
func (w *stopwatch) OnEpochEnd(_ context.Context, epoch int, _ keras.Logs) error {
	if took := time.Since(w.began); epoch > 0 && (w.fastest == 0 || took < w.fastest) {
		w.fastest = took
	}
	return nil
}
