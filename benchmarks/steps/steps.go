// Package steps makes the training steps that the benchmarks measure: models as
// Keras users write them, recorded on a mesh before any pass.
//
// It measures nothing itself.
//
// Order of use: Each, which records and compiles All on all Meshes, then Print.
//
//	name       what it is
//	Model      a model, its training and its layouts
//	Meshes     the meshes, of Devices devices each
//	Line       a model on a mesh; what a benchmark finds of it is a Result
package steps

import (
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/gospmd/gospmd/compile"
	"github.com/gospmd/gospmd/ir"
	"github.com/gospmd/gospmd/keras"
	"github.com/gospmd/gospmd/keras/distribution"
	"github.com/gospmd/gospmd/keras/layers"
	"github.com/gospmd/gospmd/keras/random"
)

// rule is one line of a layout map; "" splits nothing.
type rule struct {
	path string
	axes []string
}

// Model is a model to measure: how it is built, trained and laid out.
type Model struct {
	Name    string
	input   []int
	batch   int
	layers  func() []layers.Layer
	compile []keras.CompileOption
	rules   []rule
}

const none = distribution.None

func mlpLayers() []layers.Layer {
	return []layers.Layer{
		layers.Dense(256, layers.Name("d1"), layers.Activation("relu")),
		layers.Dense(256, layers.Name("d2"), layers.Activation("relu")),
		layers.Dense(10, layers.Name("d3"), layers.Activation("softmax")),
	}
}

var mlpTraining = []keras.CompileOption{keras.Loss("categorical_crossentropy"), keras.Optimizer("adam"), keras.Metrics("accuracy")}

// All are the models: the quickstart, and a perceptron in two layouts.
var All = []Model{
	{
		Name: "quickstart", input: []int{28, 28, 1}, batch: 16,
		layers: func() []layers.Layer {
			return []layers.Layer{
				layers.Flatten(),
				layers.Dense(200, layers.Name("d1"), layers.UseBias(false), layers.Activation("relu")),
				layers.Dropout(0.4, layers.Seed(15)),
				layers.Dense(10, layers.Name("d2"), layers.Activation("softmax")),
			}
		},
		compile: []keras.CompileOption{keras.Loss("mse")},
		rules:   []rule{{"d1/kernel", []string{none, "model"}}, {"d2/output", []string{"data", none}}},
	},
	{
		Name: "mlp, columns then rows", input: []int{784}, batch: 256, layers: mlpLayers, compile: mlpTraining,
		rules: []rule{{"d1/kernel", []string{none, "model"}}, {"d1/bias", []string{"model"}}, {"d2/kernel", []string{"model", none}}},
	},
	{
		Name: "mlp, columns", input: []int{784}, batch: 256, layers: mlpLayers, compile: mlpTraining,
		rules: []rule{{"d[12]/kernel", []string{none, "model"}}, {"d[12]/bias", []string{"model"}}},
	},
}

// Devices is the size of all meshes.
const Devices = 8

// Meshes are devices along the axes data and model.
var Meshes = [][]int{{8, 1}, {4, 2}, {2, 4}, {1, 8}}

// Record trains m for one step on a mesh and returns the step as it was
// traced, with its pins, before any pass. distribution.Initialize must have
// made Devices devices.
func (m Model) Record(ctx context.Context, shape []int, opts ...distribution.Option) (*ir.Module, error) {
	dir, err := os.MkdirTemp("", "gospmd-steps-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	names, err := distribution.ListDevices()
	if err != nil {
		return nil, err
	}
	dm, err := distribution.NewDeviceMesh(shape, []string{"data", "model"}, names[:shape[0]*shape[1]])
	if err != nil {
		return nil, err
	}
	layouts := distribution.NewLayoutMap(dm)
	for _, r := range m.rules {
		layouts.Set(r.path, r.axes...)
	}
	dist, err := distribution.NewModelParallel(layouts, "data", opts...)
	if err != nil {
		return nil, err
	}
	if err := distribution.Scope(dist, func() error { return m.step(ctx, dir) }); err != nil {
		return nil, fmt.Errorf("%s on %v: %w", m.Name, shape, err)
	}
	return ir.ParseFile(filepath.Join(dir, "00_train_step", "00_input.mlir"))
}

// step trains for one step.
func (m Model) step(ctx context.Context, dumps string) error {
	x := keras.Input(m.input)
	y := x
	for _, l := range m.layers() {
		y = y.Apply(l)
	}
	km, err := keras.NewModel([]*layers.Tensor{x}, []*layers.Tensor{y})
	if err != nil {
		return err
	}
	if err := km.Compile(append([]keras.CompileOption{keras.Compiler(compile.Options{Partitioner: compile.XLA, DumpDir: dumps}), keras.Warnings(io.Discard)}, m.compile...)...); err != nil {
		return err
	}
	data, err := random.Normal(append([]int{m.batch}, m.input...), random.Seed(1))
	if err != nil {
		return err
	}
	labels, err := random.Uniform([]int{m.batch, 10}, random.Seed(2))
	if err != nil {
		return err
	}
	_, err = km.Fit(ctx, data, labels, keras.BatchSize(m.batch), keras.Output(io.Discard))
	return err
}
