// Command stablehlo runs a program that JAX exported, on a mesh that it was not exported for:
// step.mlir is the output of jax.jit(step).lower(…).as_text() for a training step on one device
// (benchmarks/peers/stablehlo_example.py). example.Train runs the step.
//
//	go run ./examples/stablehlo                 # two devices along data, four along model
//	go run ./examples/stablehlo -mesh 8x1       # data-parallel: the same losses
//	go run ./examples/stablehlo -report         # also prints the communication of a step
package main

import (
	"context"
	_ "embed"
	"errors"
	"flag"
	"fmt"
	"io"

	"github.com/gomlx/compute/dtypes"

	"github.com/gospmd/gospmd/compile"
	"github.com/gospmd/gospmd/compile/report"
	"github.com/gospmd/gospmd/examples/internal/example"
	"github.com/gospmd/gospmd/ir"
	"github.com/gospmd/gospmd/layout"
	"github.com/gospmd/gospmd/mesh"
	"github.com/gospmd/gospmd/program"
	"github.com/gospmd/gospmd/runtime"
	"github.com/gospmd/gospmd/sharding"
)

//go:embed step.mlir
var stepText string

func main() { example.Main("stablehlo", run) }

func run(ctx context.Context, args []string, out io.Writer) (err error) {
	flags := flag.NewFlagSet("stablehlo", flag.ContinueOnError)
	meshText := flags.String("mesh", "2x4", "devices along the axes data and model, such as 2x4, 8x1 or 1x1")
	steps := flags.Int("steps", 10, "training steps")
	showReport := flags.Bool("report", false, "print what a step costs each device")
	if err := flags.Parse(args); err != nil {
		return err
	}
	dm, err := example.Mesh(*meshText)
	if err != nil {
		return err
	}

	program, err := compileStep(dm)
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
	// The loss is the last result of the step, after the updated parameters.
	return example.Train(ctx, client, program, example.Training{Steps: *steps, Every: 1, Loss: len(program.Outputs) - 1, Values: elements}, out)
}

// compileStep reads the step and partitions it for the mesh: the rules shard the kernels
// and the batch, and propagation shards everything else.
func compileStep(dm *mesh.DeviceMesh) (*program.Program, error) {
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
	if err := sharding.Annotate(m, layouts); err != nil {
		return nil, err
	}
	return compile.Compile(context.Background(), m, compile.Options{})
}

// elements returns invented values, as a flat slice, for the input with the given number: classes
// from 0 to 9 for an input of int32, else float32 numbers between -1 and 1.
func elements(number int, in program.Input) any {
	t := in.Type
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
