package main

// This file has the models, on a mesh of 2 devices along data and 4 along model.

import (
	"maps"
	"slices"

	"github.com/gomlx/gomlx/core/tensors"

	"github.com/gospmd/gospmd/benchmarks/steps"
	"github.com/gospmd/gospmd/compile"
	"github.com/gospmd/gospmd/keras"
	"github.com/gospmd/gospmd/keras/distribution"
)

// shape is that of the mesh.
var shape = []int{2, 4}

// startable is a model to start.
type startable struct {
	parallel func() (distribution.Distribution, error)
	build    func() (training, error)
}

// training is a model and its data of one step.
type training struct {
	model *keras.Model
	x, y  *tensors.Tensor
	batch int
}

var programs = map[string]startable{
	"quickstart":  ofSteps(steps.All[0]),
	"mlp":         ofSteps(steps.All[1]),
	"transformer": ofTransformer(transformer),
}

// transformer has the four blocks of benchmarks/transformer, and few words in a step: what
// is measured is the start.
var transformer = steps.Transformer{Blocks: 4, Features: 256, Heads: 8, Sequence: 16, Words: 512, Batch: 8}

func programNames() []string { return slices.Sorted(maps.Keys(programs)) }

func ofSteps(m steps.Model) startable {
	return startable{
		parallel: func() (distribution.Distribution, error) { return m.Parallel(shape) },
		build: func() (t training, err error) {
			if t.model, err = m.Build(compile.Options{}); err != nil {
				return t, err
			}
			t.x, t.y, err = m.Data()
			t.batch = t.x.Shape().Dimensions[0]
			return t, err
		},
	}
}

func ofTransformer(m steps.Transformer) startable {
	return startable{
		parallel: func() (distribution.Distribution, error) { return steps.Parallel(shape, steps.TransformerRules) },
		build: func() (t training, err error) {
			t.model, err = m.Build(compile.Options{})
			t.x, t.y = m.Data(1)
			t.batch = m.Batch
			return t, err
		},
	}
}
