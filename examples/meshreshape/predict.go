package main

// This file predicts the time of a step on absent devices.

import (
	"context"
	"errors"
	"fmt"

	"github.com/gomlx/gomlx/core/tensors"

	"github.com/gospmd/gospmd/compile"
	"github.com/gospmd/gospmd/compile/cost"
	"github.com/gospmd/gospmd/compile/report"
	"github.com/gospmd/gospmd/keras"
	"github.com/gospmd/gospmd/keras/data"
	"github.com/gospmd/gospmd/mesh"
)

// machineOf returns the machine of the flag -machine for the mesh dm; nil without the flag.
func (c config) machineOf(dm *mesh.DeviceMesh) (*cost.Machine, error) {
	if c.machine == "" {
		return nil, nil
	}
	machine, err := cost.MachineNamed(c.machine, dm)
	if err != nil {
		return nil, fmt.Errorf("-machine: %w", err)
	}
	return machine, nil
}

// predict compiles the training step of the model for the devices of machine, and returns the
// predicted time there. A machine that has no speed of memory is an error.
func (c config) predict(model *keras.Model, machine *cost.Machine) (*cost.Prediction, error) {
	c.steps = 1
	x, y, err := c.data()
	if err != nil {
		return nil, err
	}
	step, err := model.Lower(data.Batch{X: []*tensors.Tensor{x}, Y: []*tensors.Tensor{y}})
	if err != nil {
		return nil, err
	}
	p, err := compile.Compile(context.Background(), step, compile.Options{Machine: machine})
	if err != nil {
		return nil, err
	}
	r := report.NewFor(p, machine)
	if r.Prediction == nil {
		return nil, errors.New("-machine: the file does not say how fast a device reads its memory: want memory_bandwidth")
	}
	return r.Prediction, nil
}
