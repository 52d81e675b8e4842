// Quickstart trains the model of the Keras distribution guide on a mesh of
// eight devices.
//
//	go run ./examples/quickstart                 # 2x4: two devices along data, four along model
//	go run ./examples/quickstart -mesh 8x1       # the same numbers on another mesh
//	go run ./examples/quickstart -mesh single    # and on one device
//	gospmd launch -n 2 -- go run ./examples/quickstart   # and as two processes, each with half of the devices
package main

import (
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"io"

	"github.com/gospmd/gospmd/compile"
	"github.com/gospmd/gospmd/examples/internal/example"
	"github.com/gospmd/gospmd/keras"
	"github.com/gospmd/gospmd/keras/distribution"
	"github.com/gospmd/gospmd/keras/initializers"
	"github.com/gospmd/gospmd/keras/layers"
	"github.com/gospmd/gospmd/keras/random"
)

// devices is the number of virtual devices on the CPU.
const devices = 8

const strategies = "model-parallel, data-parallel (all devices along the batch), data-parallel-devices or data-parallel-mesh (the same, told the mesh's devices or a 1-D mesh of them)"

func main() { example.Main("quickstart", run) }

// config holds the values of the program's flags.
type config struct {
	mesh, strategy string
	partitioner    string
	epochs, seed   int
	json           bool
}

func run(ctx context.Context, args []string, out io.Writer) error {
	var c config
	flags := flag.NewFlagSet("quickstart", flag.ContinueOnError)
	flags.StringVar(&c.mesh, "mesh", "2x4", "devices along the axes data and model, such as 2x4, 8x1, 4x2 or 1x8; single for one device without distribution")
	flags.StringVar(&c.strategy, "strategy", "model-parallel", strategies)
	flags.StringVar(&c.partitioner, "partitioner", "default", "xla for XLA's own, spmd for ours, or default")
	flags.IntVar(&c.epochs, "epochs", 3, "number of epochs")
	flags.IntVar(&c.seed, "seed", 11, "seed of data and weights")
	flags.BoolVar(&c.json, "json", false, "print the losses as one line of JSON at the end")
	if err := flags.Parse(args); err != nil {
		return err
	}
	d, err := c.distribution(ctx)
	if err != nil {
		return err
	}
	return distribution.Scope(d, func() error { return c.train(ctx, out) })
}

func (c config) train(ctx context.Context, out io.Writer) error {
	model, err := c.model()
	if err != nil {
		return err
	}
	compiler, err := c.compiler()
	if err != nil {
		return err
	}
	if err := model.Compile(keras.Loss("mse"), keras.Compiler(compiler)); err != nil {
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
	history, err := model.Fit(ctx, x, y, keras.BatchSize(16), keras.Epochs(c.epochs), keras.Shuffle(false), keras.Output(out))
	if err != nil {
		return err
	}
	logs, err := model.Evaluate(ctx, x, y, keras.BatchSize(16), keras.Output(out))
	if err != nil {
		return err
	}
	if !c.json {
		return nil
	}
	loss, _ := logs.Get("loss")
	return json.NewEncoder(out).Encode(struct {
		Mesh string    `json:"mesh"`
		Loss []float64 `json:"loss"`
		Eval float64   `json:"eval"`
	}{c.mesh, history.Logs["loss"], loss})
}

// distribution initializes the devices and returns the distribution of -strategy on the mesh of
// -mesh; nil, for one device, with -mesh single. An unknown strategy is an error.
func (c config) distribution(ctx context.Context) (distribution.Distribution, error) {
	if err := example.Initialize(ctx, devices); err != nil {
		return nil, err
	}
	mesh, err := distribution.ParseMesh(c.mesh, "data", "model")
	if err != nil || mesh == nil {
		return nil, err
	}
	names, err := example.Names(mesh)
	if err != nil {
		return nil, err
	}
	switch c.strategy {
	case "model-parallel":
		return modelParallel(mesh)
	case "data-parallel":
		return distribution.NewDataParallel()
	case "data-parallel-devices":
		return distribution.NewDataParallel(distribution.Devices(names...))
	case "data-parallel-mesh":
		mesh, err := distribution.NewDeviceMesh([]int{len(names)}, []string{"batch"}, names)
		if err != nil {
			return nil, err
		}
		return distribution.NewDataParallel(distribution.Mesh(mesh))
	}
	return nil, fmt.Errorf("strategy %q: want %s", c.strategy, strategies)
}

// modelParallel returns the distribution that shards the columns of the first layer's kernel over
// the axis model, and the batches and the second layer's output over the axis data.
func modelParallel(mesh *distribution.DeviceMesh) (distribution.Distribution, error) {
	layouts := distribution.NewLayoutMap(mesh)
	layouts.Set("d1/kernel", distribution.None, "model")
	layouts.Set("d2/output", "data", distribution.None)
	return distribution.NewModelParallel(layouts, "data")
}

// compiler returns the compiler's options for -partitioner: default, xla or spmd. Another value is
// an error.
func (c config) compiler() (o compile.Options, err error) {
	switch c.partitioner {
	case "default":
	case "xla":
		o.Partitioner = compile.XLA
	case "spmd":
		o.Partitioner = compile.SPMD
	default:
		err = fmt.Errorf("partitioner %q: want xla, spmd or default", c.partitioner)
	}
	return o, err
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
