// Mnist is the program of tf.distribute's Keras guide: it trains on handwritten
// digits with a strategy, validation, and a checkpoint after each epoch, and resumes
// from it.
//
//	go run ./examples/mnist -data DIR           # DIR has MNIST's files; by default they are downloaded
//	go run ./examples/mnist -mesh 2x4           # two devices along data, four along model
//	go run ./examples/mnist -epochs 4 -resume   # two more epochs than before
package main

import (
	"context"
	"encoding/json"
	"flag"
	"io"
	"os"
	"path/filepath"

	"github.com/gospmd/gospmd/examples/internal/example"
	"github.com/gospmd/gospmd/keras"
	"github.com/gospmd/gospmd/keras/callbacks"
	"github.com/gospmd/gospmd/keras/initializers"
	"github.com/gospmd/gospmd/keras/layers"
	"github.com/gospmd/gospmd/keras/losses"
)

func main() { example.Main("mnist", run) }

// config holds the flags.
type config struct {
	mesh, strategy    string
	data, checkpoints string
	epochs, batch     int
	seed              int
	resume, json      bool
}

// result is the line of -json.
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

// train trains and evaluates the model, and returns the results and the model.
func (c config) train(ctx context.Context, out io.Writer) (*result, *keras.Model, error) {
	digits, err := c.load(ctx, out)
	if err != nil {
		return nil, nil, err
	}
	model, err := c.compile(out)
	if err != nil {
		return nil, nil, err
	}
	backup := filepath.Join(c.checkpoints, "training")
	if !c.resume { // start from the beginning
		if err := os.RemoveAll(backup); err != nil {
			return nil, nil, err
		}
	}
	history, err := model.Fit(ctx, digits.train, nil, keras.Epochs(c.epochs), keras.ValidationData(digits.validation, nil), keras.Output(out),
		keras.Callbacks(
			&callbacks.ModelCheckpoint{Path: filepath.Join(c.checkpoints, "ckpt-{epoch}.keras")},
			&callbacks.BackupAndRestore{Dir: backup, Keep: true, Output: out},
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

// compile makes the model in the scope of the strategy.
func (c config) compile(out io.Writer) (model *keras.Model, err error) {
	err = c.scope(out, func(finish func(*keras.Model) error) (err error) {
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

// model returns the model, written as for one device.
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
