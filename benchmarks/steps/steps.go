// Package steps holds what the benchmarks share. It has training steps of models as Keras users
// write them, recorded on a mesh before any pass, with their data and first weights, also as files
// for other programs. It also has the frame of the benchmarks' main functions.
//
// It measures nothing itself.
//
// Order of use: Find or Models, then Build and Data in a Scope of Parallel, or Record for the step
// alone; Export writes what programs in Python need.
//
//	name          role
//	Main          the main function of a benchmark
//	Model         a model, its training and its layout rules
//	Models        the five models that are compared with peers; Perceptrons are small models
//	Transformer   a model of words, of any size
//	Meshes        the meshes, of Devices devices each
//	Parallel      the distribution of a mesh and layout rules
//	Table         writes a table
//
//	file             what it holds
//	steps.go         Model: its training step, distribution and data
//	models.go        the models
//	loops.go         the models with a loop
//	transformer.go   Transformer
//	batches.go       a model's data, in batches
//	export.go        a model's settings, weights and data as files
//	python.go        FindPython: the Python of the peers
//	table.go         the main function of the benchmarks and their tables
package steps

import (
	"fmt"
	"log/slog"

	"github.com/gomlx/gomlx/core/tensors"

	"github.com/gospmd/gospmd/compile"
	"github.com/gospmd/gospmd/ir"
	"github.com/gospmd/gospmd/keras"
	"github.com/gospmd/gospmd/keras/data"
	"github.com/gospmd/gospmd/keras/distribution"
	"github.com/gospmd/gospmd/keras/layers"
	"github.com/gospmd/gospmd/keras/optimizers"
	"github.com/gospmd/gospmd/keras/random"
)

// Rule is a rule of a LayoutMap: the axis of each dimension of the variables and
// outputs whose path matches; distribution.None leaves a dimension unsharded.
type Rule struct {
	Path string   `json:"path"`
	Axes []string `json:"axes"`
}

const none = distribution.None

// Devices is the size of all meshes.
const Devices = 8

// Axes are the names of the axes that all meshes have, in order.
var Axes = []string{"data", "model"}

// Meshes are the meshes, with devices along the axes data and model.
var Meshes = [][]int{{8, 1}, {4, 2}, {2, 4}, {1, 8}}

// ModelParallel returns the model-parallel distribution of a mesh with the axes data and model, of
// the given shape. Rules are the layout rules of its map. A shape with other axes, or for more
// devices than there are, is an error.
func ModelParallel(shape []int, rules []Rule, opts ...distribution.Option) (distribution.Distribution, error) {
	names, err := distribution.ListDevices()
	if err != nil {
		return nil, err
	}
	if len(shape) != len(Axes) || shape[0]*shape[1] > len(names) {
		return nil, fmt.Errorf("got the mesh %v: want the sizes of %v, for at most %d devices", shape, Axes, len(names))
	}
	dm, err := distribution.NewDeviceMesh(shape, Axes, names[:shape[0]*shape[1]])
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
	Name      string
	Batch     int
	Optimizer Optimizer
	Loss      string
	Rules     []Rule

	build func() (*keras.Model, error)
	data  func(examples int) (x, y *tensors.Tensor, err error)
	sizes any // the sizes of a Transformer
}

// Optimizer is the optimizer of a Model, with its settings under Keras' names.
type Optimizer struct {
	Name         string  `json:"name"`
	LearningRate float64 `json:"learning_rate"`
	Momentum     float64 `json:"momentum,omitempty"`
}

func (o Optimizer) make() (*optimizers.Optimizer, error) {
	rate := optimizers.LearningRate(o.LearningRate)
	switch o.Name {
	case "adam":
		return optimizers.Adam(rate), nil
	case "rmsprop":
		return optimizers.RMSprop(rate), nil
	case "sgd":
		return optimizers.SGD(rate, optimizers.Momentum(o.Momentum)), nil
	}
	return nil, fmt.Errorf("got the optimizer %q: want adam, rmsprop or sgd", o.Name)
}

// Build returns the compiled model, for the current distribution. Its layers have the same names
// and its weights the same values each time: it resets the names that layers get by default, and
// sets the random seed to 1. o are the compiler's options. The model logs nothing, unless more says
// so.
func (m Model) Build(o compile.Options, more ...keras.CompileOption) (*keras.Model, error) {
	layers.ClearSession()
	random.SetRandomSeed(1)
	km, err := m.build()
	if err != nil {
		return nil, err
	}
	optimizer, err := m.Optimizer.make()
	if err != nil {
		return nil, err
	}
	options := []keras.CompileOption{keras.Loss(m.Loss), keras.Optimizer(optimizer), keras.Compiler(o), keras.Logger(slog.New(slog.DiscardHandler))}
	return km, km.Compile(append(options, more...)...)
}

// Data returns the inputs x and the labels y of count training steps: count·Batch examples along
// the first dimension of one tensor each.
func (m Model) Data(count int) (x, y *tensors.Tensor, err error) { return m.data(count * m.Batch) }

// ModelParallel returns the keras distribution of the model's layout rules on a mesh of that shape,
// with axes data and model.
func (m Model) ModelParallel(shape []int, opts ...distribution.Option) (distribution.Distribution, error) {
	return ModelParallel(shape, m.Rules, opts...)
}

// Record returns a training step of m on a mesh as it is traced, with its sharding
// annotations, before any pass. distribution.Initialize must have made Devices devices.
func (m Model) Record(shape []int, opts ...distribution.Option) (recorded *ir.Module, err error) {
	dist, err := m.ModelParallel(shape, opts...)
	if err != nil {
		return nil, err
	}
	err = distribution.Scope(dist, func() error {
		km, err := m.Build(compile.Options{})
		if err != nil {
			return err
		}
		x, y, err := m.Data(1)
		if err != nil {
			return err
		}
		recorded, err = km.Lower(data.Batch{X: []*tensors.Tensor{x}, Y: []*tensors.Tensor{y}})
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("%s on %v: %w", m.Name, shape, err)
	}
	return recorded, nil
}
