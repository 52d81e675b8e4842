// Mnist is the program of tf.distribute's Keras guide: it trains on handwritten digits, with a
// strategy, a validation, and a checkpoint after each epoch, and can resume from a checkpoint.
//
//	go run ./examples/mnist -data DIR           # DIR has MNIST's files; by default they are downloaded
//	go run ./examples/mnist -mesh 2x4           # two devices along data, four along model
//	go run ./examples/mnist -epochs 4 -resume   # two more epochs than before
package main

import (
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/gomlx/gomlx/core/tensors"

	"github.com/gospmd/gospmd/examples/internal/example"
	"github.com/gospmd/gospmd/keras"
	"github.com/gospmd/gospmd/keras/callbacks"
	"github.com/gospmd/gospmd/keras/data"
	"github.com/gospmd/gospmd/keras/datasets"
	"github.com/gospmd/gospmd/keras/distribute"
	"github.com/gospmd/gospmd/keras/distribution"
	"github.com/gospmd/gospmd/keras/initializers"
	"github.com/gospmd/gospmd/keras/layers"
	"github.com/gospmd/gospmd/keras/losses"
)

func main() { example.Main("mnist", run) }

// config holds the values of the program's flags.
type config struct {
	mesh, strategy    string
	data, checkpoints string
	epochs, batch     int
	seed              int
	resume, json      bool
}

// result holds what the program prints with -json, on one line: the mesh, the seed, losses and
// accuracies.
type result struct {
	Mesh         string    `json:"mesh"`
	Seed         int       `json:"seed"`
	Loss         []float64 `json:"loss"`
	ValLoss      []float64 `json:"val_loss"`
	ValAccuracy  []float64 `json:"val_accuracy"`
	TestLoss     float64   `json:"test_loss"`
	TestAccuracy float64   `json:"test_accuracy"`
}

func run(ctx context.Context, args []string, out io.Writer) error {
	var c config
	flags := flag.NewFlagSet("mnist", flag.ContinueOnError)
	flags.StringVar(&c.mesh, "mesh", "8x1", "devices along the axes data and model, such as 8x1, 4x2 or 2x4; single for one device without distribution")
	flags.StringVar(&c.strategy, "strategy", "auto", strategies)
	flags.StringVar(&c.data, "data", "", "directory with MNIST's four IDX files; by default they are downloaded")
	flags.StringVar(&c.checkpoints, "checkpoints", "ckpt", "directory for checkpoints")
	flags.IntVar(&c.epochs, "epochs", 2, "number of epochs")
	flags.IntVar(&c.batch, "batch", 64, "samples in a global batch")
	flags.IntVar(&c.seed, "seed", 1, "seed of the weights")
	flags.BoolVar(&c.resume, "resume", false, "resume from the last checkpoint")
	flags.BoolVar(&c.json, "json", false, "print the losses as one line of JSON at the end")
	if err := flags.Parse(args); err != nil {
		return err
	}
	r, _, err := c.train(ctx, out)
	if err != nil || !c.json {
		return err
	}
	return json.NewEncoder(out).Encode(r)
}

// train compiles the model, trains it with checkpoints and backups, and evaluates it on the test
// images. Without -resume it first removes the backup of an earlier run. It returns the results and
// the model. Progress goes to out.
func (c config) train(ctx context.Context, out io.Writer) (*result, *keras.Model, error) {
	digits, err := c.load(ctx, out)
	if err != nil {
		return nil, nil, err
	}
	model, err := c.compile(ctx, out)
	if err != nil {
		return nil, nil, err
	}
	backup := filepath.Join(c.checkpoints, "training")
	if !c.resume && distribution.ProcessID() == 0 { // starts from the beginning
		if err := os.RemoveAll(backup); err != nil {
			return nil, nil, err
		}
	}
	history, err := model.Fit(ctx, digits.train, nil, keras.Epochs(c.epochs), keras.ValidationData(digits.validation, nil), keras.Output(out),
		keras.Callbacks(
			&callbacks.ModelCheckpoint{Filepath: filepath.Join(c.checkpoints, "ckpt-{epoch}.keras")},
			&callbacks.BackupAndRestore{BackupDir: backup, DeleteCheckpoint: new(false)},
		))
	if err != nil {
		return nil, nil, err
	}
	logs, err := model.Evaluate(ctx, digits.test, nil, keras.Output(out))
	if err != nil {
		return nil, nil, err
	}
	r := &result{Mesh: c.mesh, Seed: c.seed,
		Loss: history.Logs["loss"], ValLoss: history.Logs["val_loss"], ValAccuracy: history.Logs["val_sparse_categorical_accuracy"]}
	r.TestLoss, _ = logs.Get("loss")
	r.TestAccuracy, _ = logs.Get("sparse_categorical_accuracy")
	return r, model, nil
}

// compile returns the model, made in the scope of the strategy and compiled.
func (c config) compile(ctx context.Context, out io.Writer) (model *keras.Model, err error) {
	err = c.scope(ctx, out, func(finish func(*keras.Model) error) (err error) {
		if model, err = c.model(); err != nil {
			return err
		}
		if err := finish(model); err != nil {
			return err
		}
		return model.Compile(keras.Optimizer("adam"), keras.Metrics("sparse_categorical_accuracy"),
			keras.Loss(losses.SparseCategoricalCrossentropy(losses.FromLogits())))
	})
	return model, err
}

// model returns the model, written as for one device: three Dense layers of 256, 256 and 10 units,
// with initial values that depend on the seed.
func (c config) model() (*keras.Model, error) {
	dense := func(units int, name string, seed int, opts ...layers.Option) layers.Layer {
		return layers.Dense(units, append(opts, layers.Name(name), layers.KernelInitializer(initializers.GlorotUniform(initializers.Seed(seed))))...)
	}
	x := keras.Input([]int{pixels})
	y := x.Apply(dense(256, "d1", c.seed, layers.Activation("relu")))
	y = y.Apply(dense(256, "d2", c.seed+1, layers.Activation("relu")))
	y = y.Apply(dense(10, "d3", c.seed+2))
	return keras.NewModel([]*layers.Tensor{x}, []*layers.Tensor{y})
}

// devices is the number of virtual devices on the CPU.
const devices = 8

const strategies = "mirrored, or multi-worker (TF_CONFIG) or multi-gpu, which do the same by other functions, for meshes such as 8x1; model-parallel; auto chooses mirrored or model-parallel by the mesh"

// scope calls f in the scope of the strategy of -mesh and -strategy, or without one for one device.
// f makes the model, calls finish, and compiles the model. A strategy that only shards batches is
// an error for a mesh with an axis model.
func (c config) scope(ctx context.Context, out io.Writer, f func(finish func(*keras.Model) error) error) error {
	nothing := func(*keras.Model) error { return nil }
	if err := example.Initialize(ctx, devices); err != nil {
		return err
	}
	mesh, err := distribution.ParseMesh(c.mesh, "data", "model")
	if err != nil {
		return err
	}
	if mesh == nil { // one device
		return f(nothing)
	}
	n, sharded := mesh.Size(), mesh.AxisSize("model") > 1
	name := c.strategy
	if name == "auto" {
		name = "mirrored"
		if sharded {
			name = "model-parallel"
		}
	}
	if name != "model-parallel" && sharded {
		return fmt.Errorf("strategy %s shards batches only: want a mesh such as %dx1, or -strategy model-parallel, got the mesh %s", name, n, c.mesh)
	}
	if name == "multi-gpu" {
		return f(func(m *keras.Model) error {
			_, err := distribute.MultiGPUModel(m, n)
			return err
		})
	}
	s, err := strategy(ctx, name, mesh)
	if err != nil {
		return err
	}
	if distribution.ProcessID() == 0 {
		fmt.Fprintln(out, "Number of devices:", n, "- replicas:", s.NumReplicasInSync())
	}
	return s.Scope(func() error { return f(nothing) })
}

func strategy(ctx context.Context, name string, mesh *distribution.DeviceMesh) (*distribute.Strategy, error) {
	switch name {
	case "mirrored":
		return mirroredStrategy(mesh)
	case "multi-worker":
		return distribute.MultiWorkerMirroredStrategy(ctx)
	case "model-parallel":
		return modelParallel(mesh)
	}
	return nil, fmt.Errorf("strategy %q: want %s", name, strategies)
}

// mirroredStrategy returns the strategy that replicates the model on the devices of the mesh.
func mirroredStrategy(mesh *distribution.DeviceMesh) (*distribute.Strategy, error) {
	names, err := example.Names(mesh)
	if err != nil {
		return nil, err
	}
	return distribute.MirroredStrategy(names...)
}

// modelParallel returns the strategy that shards the units of the hidden layers over the axis
// model: the columns of the first layer's kernel, the rows of the second's.
func modelParallel(mesh *distribution.DeviceMesh) (*distribute.Strategy, error) {
	layouts := distribution.NewLayoutMap(mesh)
	layouts.Set("d1/kernel", distribution.None, "model")
	layouts.Set("d1/bias", "model")
	layouts.Set("d2/kernel", "model", distribution.None)
	d, err := distribution.NewModelParallel(layouts, "data")
	if err != nil {
		return nil, err
	}
	return distribute.NewStrategy(d)
}

const pixels = 28 * 28

// digits has the datasets of the images: to train, to validate and to test, in batches.
type digits struct{ train, validation, test *data.Pipeline }

func (c config) load(ctx context.Context, out io.Writer) (d digits, err error) {
	opts := []datasets.Option{datasets.Output(out)}
	if c.data != "" {
		opts = append(opts, datasets.Dir(c.data))
	}
	train, test, err := datasets.MNIST(ctx, opts...)
	if err != nil {
		return d, err
	}
	samples := data.FromTensorSlices(train.X, train.Y)
	// the last 10000 of 60000 are for validation
	n := samples.Cardinality() - samples.Cardinality()/6
	d.train = c.batches(samples.Take(n))
	d.validation = c.batches(samples.Skip(n))
	d.test = c.batches(data.FromTensorSlices(test.X, test.Y))
	return d, nil
}

// batches returns the batches of samples, with scaled images. They are scaled while the steps of
// earlier batches run.
func (c config) batches(samples *data.Pipeline) *data.Pipeline {
	return samples.Batch(c.batch).Map(scale).Prefetch(2)
}

// scale converts images to vectors of numbers from 0 to 1, and labels to floats.
func scale(b data.Batch) (out data.Batch, err error) {
	x, err := floats(b.X[0], 255, b.Size(), pixels)
	if err != nil {
		return out, err
	}
	y, err := floats(b.Y[0], 1, b.Size())
	return data.Batch{X: []*tensors.Tensor{x}, Y: []*tensors.Tensor{y}}, err
}

// floats converts bytes to floats, divides them by the number by, and reshapes the tensor to dims.
func floats(t *tensors.Tensor, by float32, dims ...int) (*tensors.Tensor, error) {
	flat := make([]float32, t.Size())
	err := t.ConstBytes(func(from []byte) {
		for i, b := range from {
			flat[i] = float32(b) / by
		}
	})
	if err != nil {
		return nil, err
	}
	return tensors.FromFlatDataAndDimensions(flat, dims...), nil
}
