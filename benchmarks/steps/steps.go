// Package steps is what the benchmarks share: the training steps that they
// measure, of models as Keras users write them, recorded on a mesh before any
// pass, and the frame of their main functions.
//
// It measures nothing itself.
//
// Order of use: Each, which records and compiles All on all Meshes, then Print.
//
//	name          role
//	Main          the main function of a benchmark
//	Model         a model, its training and its layout rules
//	Transformer   another model, of any size
//	Meshes        the meshes, of Devices devices each
//	Line          a model on a mesh; a Result is what a benchmark finds of it
//	Parallel      the distribution of a mesh and layout rules
//	Print         results as a table or as JSON; Table a table of other rows
//
//	file             what it holds
//	steps.go         the models, their meshes and training steps
//	transformer.go   Transformer, a model of words
//	table.go         the main function of the benchmarks and their tables
package steps

import (
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/gomlx/gomlx/core/tensors"

	"github.com/gospmd/gospmd/compile"
	"github.com/gospmd/gospmd/ir"
	"github.com/gospmd/gospmd/ir/pass"
	"github.com/gospmd/gospmd/keras"
	"github.com/gospmd/gospmd/keras/distribution"
	"github.com/gospmd/gospmd/keras/layers"
	"github.com/gospmd/gospmd/keras/random"
	"github.com/gospmd/gospmd/program"
)

// Rule is a rule of a LayoutMap: the axis of each dimension of the variables and
// outputs whose path matches; distribution.None leaves a dimension unsharded.
type Rule struct {
	Path string
	Axes []string
}

// Parallel returns the model-parallel distribution of a mesh with the axes data
// and model, of this shape.
func Parallel(shape []int, rules []Rule, opts ...distribution.Option) (distribution.Distribution, error) {
	names, err := distribution.ListDevices()
	if err != nil {
		return nil, err
	}
	dm, err := distribution.NewDeviceMesh(shape, []string{"data", "model"}, names[:shape[0]*shape[1]])
	if err != nil {
		return nil, err
	}
	layouts := distribution.NewLayoutMap(dm)
	for _, r := range rules {
		if err := layouts.Set(r.Path, r.Axes...); err != nil {
			return nil, err
		}
	}
	return distribution.NewModelParallel(layouts, "data", opts...)
}

// Model is a model to measure: its layers, training and layout rules.
type Model struct {
	Name    string
	input   []int
	batch   int
	layers  func() []layers.Layer
	compile []keras.CompileOption
	rules   []Rule
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
		rules:   []Rule{{"d1/kernel", []string{none, "model"}}, {"d2/output", []string{"data", none}}},
	},
	{
		Name: "mlp, columns then rows", input: []int{784}, batch: 256, layers: mlpLayers, compile: mlpTraining,
		rules: []Rule{{"d1/kernel", []string{none, "model"}}, {"d1/bias", []string{"model"}}, {"d2/kernel", []string{"model", none}}},
	},
	{
		Name: "mlp, columns", input: []int{784}, batch: 256, layers: mlpLayers, compile: mlpTraining,
		rules: []Rule{{"d[12]/kernel", []string{none, "model"}}, {"d[12]/bias", []string{"model"}}},
	},
}

// Devices is the size of all meshes.
const Devices = 8

// Meshes are devices along the axes data and model.
var Meshes = [][]int{{8, 1}, {4, 2}, {2, 4}, {1, 8}}

// Record trains m for one step on a mesh and returns the step as it was
// traced, with its sharding annotations, before any pass.
// distribution.Initialize must have made Devices devices.
func (m Model) Record(ctx context.Context, shape []int, opts ...distribution.Option) (*ir.Module, error) {
	dir, err := os.MkdirTemp("", "gospmd-steps-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	dist, err := m.Parallel(shape, opts...)
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
	km, err := m.Build(compile.Options{Partitioner: compile.XLA, Debug: pass.Debug{Dump: dumps}})
	if err != nil {
		return err
	}
	x, y, err := m.Data()
	if err != nil {
		return err
	}
	_, err = km.Fit(ctx, x, y, keras.BatchSize(m.batch), keras.Output(io.Discard))
	return err
}

// Build returns the compiled model, for the current distribution.
func (m Model) Build(o compile.Options) (*keras.Model, error) {
	x := keras.Input(m.input)
	y := x
	for _, l := range m.layers() {
		y = y.Apply(l)
	}
	km, err := keras.NewModel([]*layers.Tensor{x}, []*layers.Tensor{y})
	if err != nil {
		return nil, err
	}
	return km, km.Compile(append([]keras.CompileOption{keras.Compiler(o), keras.Warnings(io.Discard)}, m.compile...)...)
}

// Data returns the inputs and the labels of one step.
func (m Model) Data() (x, y *tensors.Tensor, err error) {
	if x, err = random.Normal(append([]int{m.batch}, m.input...), random.Seed(1)); err != nil {
		return nil, nil, err
	}
	y, err = random.Uniform([]int{m.batch, 10}, random.Seed(2))
	return x, y, err
}

// Parallel returns the distribution of the model on a mesh.
func (m Model) Parallel(shape []int, opts ...distribution.Option) (distribution.Distribution, error) {
	return Parallel(shape, m.rules, opts...)
}

// Initialize gives the process Devices virtual devices of the CPU or, on another platform
// ($GOSPMD_PLATFORM), all that are there. It returns their number.
func Initialize() (int, error) {
	o, err := distribution.Options{}.Complete()
	if err != nil {
		return 0, err
	}
	o.Devices = 0
	if o.Platform == "cpu" {
		o.Devices = Devices
	}
	if err := distribution.Initialize(o); err != nil {
		return 0, err
	}
	return distribution.DeviceCount()
}

// Each visits the training steps of the models on all meshes: as they were
// recorded, and as gospmd's partitioner compiles them.
func Each(ctx context.Context, models []Model, visit func(l Line, recorded *ir.Module, p *program.Program) error) error {
	if err := distribution.Initialize(distribution.Options{Platform: "cpu", Devices: Devices}); err != nil { // nothing runs
		return err
	}
	for _, m := range models {
		for _, shape := range Meshes {
			l := Line{m.Name, shape}
			recorded, err := m.Record(ctx, shape)
			if err != nil {
				return err
			}
			p, err := compile.Compile(recorded, compile.Options{Partitioner: compile.SPMD})
			if err != nil {
				return fmt.Errorf("%s: %w", l, err)
			}
			if err := visit(l, recorded, p); err != nil {
				return fmt.Errorf("%s: %w", l, err)
			}
		}
	}
	return nil
}
