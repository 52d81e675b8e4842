// Command stablehlo runs a program that JAX exported, on a mesh that it was not
// exported for: step.mlir is what jax.jit(step).lower(…).as_text() prints of a
// training step on one device (benchmarks/peers/stablehlo_example.py).
//
//	go run ./examples/stablehlo                 # two devices along data, four along model
//	go run ./examples/stablehlo -mesh 8x1       # batches only: the same losses
//	go run ./examples/stablehlo -report         # and what a step sends
package main

import (
	"context"
	_ "embed"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"

	"github.com/gomlx/compute/dtypes"

	"github.com/gospmd/gospmd/compile"
	"github.com/gospmd/gospmd/compile/report"
	"github.com/gospmd/gospmd/ir"
	"github.com/gospmd/gospmd/layout"
	"github.com/gospmd/gospmd/mesh"
	"github.com/gospmd/gospmd/program"
	"github.com/gospmd/gospmd/runtime"
	"github.com/gospmd/gospmd/sharding"
)

//go:embed step.mlir
var stepText string

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := run(ctx, os.Args[1:], os.Stdout); err != nil && !errors.Is(err, flag.ErrHelp) {
		fmt.Fprintln(os.Stderr, "stablehlo:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, args []string, out io.Writer) (err error) {
	flags := flag.NewFlagSet("stablehlo", flag.ContinueOnError)
	meshText := flags.String("mesh", "2x4", "devices along the axes data and model, such as 2x4, 8x1 or 1x1")
	steps := flags.Int("steps", 10, "training steps")
	showReport := flags.Bool("report", false, "print what a step costs each device")
	if err := flags.Parse(args); err != nil {
		return err
	}
	shape, err := mesh.ParseShape(*meshText, 2)
	if err != nil {
		return err
	}
	dm, err := mesh.New(shape, []string{"data", "model"}, nil)
	if err != nil {
		return err
	}

	program, err := compiled(dm)
	if err != nil {
		return err
	}
	if *showReport {
		fmt.Fprint(out, report.New(program))
	}
	client, err := runtime.Open(ctx, runtime.Options{Devices: dm.Size()})
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, client.Close()) }()
	return train(ctx, client, program, *steps, out)
}

// compiled reads the step and splits it for the mesh: the kernels as the rules
// say, the batch over data, and all else as follows from that.
func compiled(dm *mesh.DeviceMesh) (*program.Program, error) {
	m, err := ir.Parse(stepText)
	if err != nil {
		return nil, err
	}
	if err := sharding.Remesh(m, dm); err != nil {
		return nil, err
	}
	layouts := layout.NewLayoutMap(dm)
	layouts.Set("d1_kernel", layout.None, "model")
	layouts.Set("d1_bias", "model")
	layouts.Set("d2_kernel", "model", layout.None)
	layouts.Set("x", "data", layout.None)
	layouts.Set("labels", "data")
	if err := sharding.Pin(m, layouts); err != nil {
		return nil, err
	}
	return compile.Compile(m, compile.Options{})
}

// train runs the step on one batch. What it makes of the parameters takes over
// their memory, as JAX' donate_argnums asks for, and is the next step's input.
func train(ctx context.Context, client *runtime.Client, program *program.Program, steps int, out io.Writer) error {
	step, err := client.Load(ctx, program)
	if err != nil {
		return err
	}
	defer step.Close()
	args := make([]*runtime.Array, len(program.Inputs))
	for i, in := range program.Inputs {
		if args[i], err = client.Put(in.Type, in.Sharding, elements(i, in.Type)); err != nil {
			return err
		}
	}
	for i := range steps {
		results, err := step.Run(args...)
		if err != nil {
			return err
		}
		for k, in := range program.Inputs {
			if in.Donated() {
				args[k] = results[in.Alias]
			}
		}
		loss := results[len(results)-1]
		value, err := runtime.Values[float32](ctx, loss)
		if err != nil {
			return err
		}
		loss.Release()
		fmt.Fprintf(out, "step %d - loss: %.4f\n", i+1, value[0])
	}
	return nil
}

// elements makes up the values of an input.
func elements(number int, t ir.Type) any {
	if t.DType == dtypes.Int32 { // classes
		values := make([]int32, t.Size())
		for k := range values {
			values[k] = int32(k * 7 % 10)
		}
		return values
	}
	values := make([]float32, t.Size())
	for k := range values {
		values[k] = float32((k*37+number*11)%101-50) / 128
	}
	return values
}
