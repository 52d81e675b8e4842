// Multiworker trains the model of the Keras distribution guide as several processes, on one machine
// or several. All processes run this program. The mesh contains the devices of all.
//
//	gospmd launch -n 2 -- go run ./examples/multiworker              # MultiWorkerMirroredStrategy on the devices of both
//	gospmd launch -n 2 -- go run ./examples/multiworker -mesh 2x4    # ModelParallel: two devices along data, four along model
//	sbatch examples/multiworker/multiworker.sbatch                   # under Slurm
//	kubectl apply -f examples/multiworker/kubernetes.yaml            # in Kubernetes
//
// Without a launcher there is one process. A job that has lost a process ends. With -backup, a
// restarted job continues from the last backup, also with another number of processes:
//
//	gospmd launch -n 3 -- go run ./examples/multiworker -backup backup -epochs 100
//	gospmd launch -n 2 -- go run ./examples/multiworker -backup backup -epochs 100
package main

import (
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"io"

	"github.com/gospmd/gospmd/examples/internal/example"
	"github.com/gospmd/gospmd/keras"
	"github.com/gospmd/gospmd/keras/callbacks"
	"github.com/gospmd/gospmd/keras/distribute"
	"github.com/gospmd/gospmd/keras/distribution"
	"github.com/gospmd/gospmd/keras/initializers"
	"github.com/gospmd/gospmd/keras/layers"
	"github.com/gospmd/gospmd/keras/random"
)

// devices is the number of virtual devices of all processes together. GOSPMD_CPU_DEVICES may set
// the number for each process instead.
const devices = 8

func main() { example.Main("multiworker", run) }

// config holds the values of the program's flags.
type config struct {
	mesh, backup         string
	epochs, batch, every int
	rows                 string // rows of d1/kernel
	seed                 int
	json, steps          bool
}

// result holds what each process prints with -json, on one line: its number, the loss of each epoch
// and that of the evaluation.
type result struct {
	Process int       `json:"process"`
	Loss    []float64 `json:"loss"`
	Eval    float64   `json:"eval"`
}

func run(ctx context.Context, args []string, out io.Writer) error {
	var c config
	flags := flag.NewFlagSet("multiworker", flag.ContinueOnError)
	flags.StringVar(&c.mesh, "mesh", "", "devices along the axes data and model, such as 2x4, for ModelParallel; by default MultiWorkerMirroredStrategy on all devices")
	flags.IntVar(&c.epochs, "epochs", 3, "number of epochs")
	flags.IntVar(&c.batch, "batch", 16, "samples in a global batch")
	flags.StringVar(&c.backup, "backup", "", "directory for backups, which all processes share; a job that is started again goes on from the last one")
	flags.IntVar(&c.every, "every", 0, "batches between two backups; 0 for one after each epoch")
	flags.IntVar(&c.seed, "seed", 11, "seed of data and weights")
	flags.StringVar(&c.rows, "rows", "", "axis that shards the rows of d1/kernel")
	flags.BoolVar(&c.json, "json", false, "print the losses as one line of JSON at the end")
	flags.BoolVar(&c.steps, "steps", false, "print the number of each step that is done")
	if err := flags.Parse(args); err != nil {
		return err
	}
	if err := example.Initialize(ctx, devices); err != nil {
		return err
	}
	s, err := c.strategy(ctx)
	if err != nil {
		return err
	}
	if distribution.ProcessID() == 0 {
		fmt.Fprintf(out, "%d processes, %s\n", distribution.NumProcesses(), s)
	}
	return s.Scope(func() error { return c.train(ctx, out) })
}

// strategy returns the strategy of -mesh: model parallelism on that mesh, with the rows of
// d1/kernel sharded by -rows, or without the flag a MultiWorkerMirroredStrategy. The mesh "single"
// is an error.
func (c config) strategy(ctx context.Context) (*distribute.Strategy, error) {
	if c.mesh == "" {
		return distribute.MultiWorkerMirroredStrategy(ctx)
	}
	mesh, err := distribution.ParseMesh(c.mesh, "data", "model")
	if err != nil {
		return nil, err
	}
	if mesh == nil {
		return nil, fmt.Errorf("-mesh %s: want a mesh, such as 2x4", c.mesh)
	}
	layouts := distribution.NewLayoutMap(mesh)
	layouts.Set("d1/kernel", c.rows, "model")
	d, err := distribution.NewModelParallel(layouts, "data")
	if err != nil {
		return nil, err
	}
	return distribute.NewStrategy(d)
}

func (c config) train(ctx context.Context, out io.Writer) error {
	model, err := c.model()
	if err != nil {
		return err
	}
	if err := model.Compile(keras.Loss("mse"), keras.Optimizer("adam")); err != nil {
		return err
	}
	x, err := random.Normal([]int{128, 28, 28, 1}, random.Seed(c.seed))
	if err != nil {
		return err
	}
	y, err := random.Normal([]int{128, 10}, random.Seed(c.seed+1))
	if err != nil {
		return err
	}
	history, err := model.Fit(ctx, x, y, keras.BatchSize(c.batch), keras.Epochs(c.epochs), keras.ShuffleSeed(uint64(c.seed)), keras.Output(out),
		keras.Callbacks(c.callbacks(model, out)...))
	if err != nil {
		return err
	}
	logs, err := model.Evaluate(ctx, x, y, keras.BatchSize(c.batch), keras.Output(out))
	if err != nil || !c.json {
		return err
	}
	r := result{Process: distribution.ProcessID(), Loss: history.Logs["loss"]}
	r.Eval, _ = logs.Get("loss")
	return json.NewEncoder(out).Encode(r)
}

// callbacks returns the callbacks that the flags ask for: with -backup, one that saves the training
// and resumes it, and with -steps, one that prints the number of each step.
func (c config) callbacks(model *keras.Model, out io.Writer) (list []keras.Callback) {
	if c.backup != "" {
		list = append(list, &callbacks.BackupAndRestore{BackupDir: c.backup, SaveFreq: c.every})
	}
	if c.steps {
		list = append(list, &callbacks.Lambda{TrainBatchEnd: func(ctx context.Context, _ int, logs *keras.BatchLogs) error {
			if _, err := logs.Get(ctx); err != nil { // waits until the step has ended
				return err
			}
			_, err := fmt.Fprintln(out, "step", model.Training().Progress().Step)
			return err
		}})
	}
	return list
}

// model returns the model, written as for one device: two Dense layers with dropout between them,
// with initial values that depend on the seed.
func (c config) model() (*keras.Model, error) {
	x := keras.Input([]int{28, 28, 1})
	y := x.Apply(layers.Flatten())
	y = y.Apply(layers.Dense(200, layers.Name("d1"), layers.UseBias(false), layers.Activation("relu"),
		layers.KernelInitializer(initializers.GlorotUniform(initializers.Seed(c.seed+2)))))
	y = y.Apply(layers.Dropout(0.4, layers.Seed(c.seed+4)))
	y = y.Apply(layers.Dense(10, layers.Name("d2"), layers.Activation("softmax"),
		layers.KernelInitializer(initializers.GlorotUniform(initializers.Seed(c.seed+3)))))
	return keras.NewModel([]*layers.Tensor{x}, []*layers.Tensor{y})
}
