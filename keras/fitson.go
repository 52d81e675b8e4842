package keras

// This file finds the meshes of accelerators whose memory is large enough for a model's training.

import (
	"context"
	"fmt"
	"reflect"

	"github.com/gospmd/gospmd/compile"
	"github.com/gospmd/gospmd/fit"
	"github.com/gospmd/gospmd/internal/made"
	"github.com/gospmd/gospmd/keras/data"
)

// FitsOn returns the meshes of o.Target on which the training step for batches of b's shapes fits
// in memory, the best mesh first: see fit.Search. For each mesh it predicts the communication and
// the time of a step. The values in b do not matter. Without o.Meshes, it tries all meshes that use
// the target's devices, have the axes of the model's own mesh, and allow its layouts.
//
// The step is compiled as that of a new training of the model there: as Compile and the
// distribution say, for example with Memory, MicroBatches and Budget. A field that is set in
// o.Compile replaces the model's, to try another limit of memory for example. A mesh on which the
// micro-batches do not divide the samples of a device has a row with an error.
//
// A model that is not compiled, or has no distribution, is an error. No device is needed, and
// nothing runs.
func (m *Model) FitsOn(ctx context.Context, b data.Batch, o fit.Options) (*fit.Table, error) {
	if err := made.Context(ctx); err != nil {
		return nil, fmt.Errorf("keras: fits on: %w", err)
	}
	module, err := m.Lower(b)
	if err != nil {
		return nil, err
	}
	fail := func(err error) (*fit.Table, error) {
		return nil, fmt.Errorf("keras: model %s: fits on: %w", m.name, err)
	}
	if m.mesh() == nil {
		return fail(fmt.Errorf("the model is on one device: there are no axes; set a distribution before the model is made"))
	}
	m.nameRules(module.Main())
	if len(o.Meshes) == 0 && o.Target.Chip != nil {
		if o.Meshes, err = fit.Meshes(m.mesh().AxisNames(), o.Target.Devices()); err != nil {
			return fail(err)
		}
	}
	o.Compile = overridden(m.firstOptions(trainStep), o.Compile)
	t, err := fit.Search(ctx, fit.OnMesh(module, nil), o)
	if err != nil {
		return fail(err)
	}
	return t, nil
}

// overridden returns own with the fields that are set in by. It drops own's dumps, which are about
// the steps that run.
func overridden(own, by compile.Options) compile.Options {
	own.Debug.Dump, own.Debug.After, own.Debug.Output = "", nil, nil
	to, from := reflect.ValueOf(&own).Elem(), reflect.ValueOf(by)
	for i := range from.NumField() {
		if f := from.Field(i); !f.IsZero() {
			to.Field(i).Set(f)
		}
	}
	return own
}
