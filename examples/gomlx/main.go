// Command gomlx trains a model that is a plain GoMLX graph, without package keras: it records the
// graph once, as on one device, and partitions it for a mesh. example.Train runs the step.
//
//	go run ./examples/gomlx                     # two devices along data, four along model
//	go run ./examples/gomlx -mesh 3x2           # the same losses; sizes need not divide
//	go run ./examples/gomlx -report             # also prints the communication of a step
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"math"

	"github.com/gomlx/compute/dtypes"
	"github.com/gomlx/gomlx/core/graph"

	"github.com/gospmd/gospmd/compile"
	"github.com/gospmd/gospmd/compile/report"
	"github.com/gospmd/gospmd/examples/internal/example"
	"github.com/gospmd/gospmd/ir"
	"github.com/gospmd/gospmd/layout"
	"github.com/gospmd/gospmd/mesh"
	"github.com/gospmd/gospmd/program"
	"github.com/gospmd/gospmd/runtime"
	"github.com/gospmd/gospmd/sharding"
	"github.com/gospmd/gospmd/trace"
)

// The model learns the sine of a number from its powers.
const (
	samples = 1000
	powers  = 5
	units   = 30
)

func main() { example.Main("gomlx", run) }

func run(ctx context.Context, args []string, out io.Writer) (err error) {
	flags := flag.NewFlagSet("gomlx", flag.ContinueOnError)
	meshText := flags.String("mesh", "2x4", "devices along the axes data and model, such as 2x4, 8x1 or 1x1")
	steps := flags.Int("steps", 200, "training steps")
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
	return example.Train(ctx, client, program, example.Training{Steps: *steps, Every: 50, Loss: 0, Values: values}, out)
}

// compileStep partitions the step for the mesh: the rules shard the kernels and the
// batch, and propagation shards everything else, including the gradients.
func compileStep(dm *mesh.DeviceMesh) (*program.Program, error) {
	m, err := record(dm)
	if err != nil {
		return nil, err
	}
	layouts := layout.NewLayoutMap(dm)
	layouts.Set("d1/kernel", layout.None, "model")
	layouts.Set("d1/bias", layout.None, "model")
	layouts.Set("d2/kernel", "model", layout.None)
	layouts.Set("[xy]", "data", layout.None)
	if err := sharding.Annotate(m, layouts); err != nil {
		return nil, err
	}
	return compile.Compile(context.Background(), m, compile.Options{})
}

// record returns the module of one training step, recorded as for one device: nothing in it is
// sharded yet.
func record(dm *mesh.DeviceMesh) (*ir.Module, error) {
	f32 := func(dims ...int) ir.Type { return ir.Tensor(dtypes.Float32, dims...) }
	return trace.Record("step", dm, func(r *trace.Recorder) ([]trace.Output, error) {
		x := r.Param("x", f32(samples, powers), nil)
		y := r.Param("y", f32(samples, 1), nil)
		names := []string{"d1/kernel", "d1/bias", "d2/kernel"}
		weights := []*graph.Node{
			r.Param(names[0], f32(powers, units), nil),
			r.Param(names[1], f32(1, units), nil),
			r.Param(names[2], f32(units, 1), nil),
		}
		var h, predicted *graph.Node
		r.Scope("d1", func() { h = r.Mark(graph.Tanh(graph.Add(graph.MatMul(x, weights[0]), weights[1]))) })
		r.Scope("d2", func() { predicted = r.Mark(graph.MatMul(h, weights[2])) })
		loss := graph.ReduceAllMean(graph.Square(graph.Sub(predicted, y)))

		outputs := []trace.Output{{Name: "loss", Node: loss}}
		for i, g := range r.Gradient(loss, weights...) {
			updated := graph.Sub(weights[i], graph.MulScalar(g, 0.1))
			outputs = append(outputs, trace.Output{Name: names[i], Node: updated, Donor: names[i]})
		}
		return outputs, nil
	})
}

// values returns the initial values of an input by its name: x has the powers of evenly spaced
// numbers, y the sines of twice these numbers, and the others, the weights, have invented numbers.
func values(_ int, in program.Input) any {
	v := make([]float32, in.Type.Size())
	for i := range v {
		switch in.Name {
		case "x":
			v[i] = float32(math.Pow(number(i/powers), float64(i%powers)))
		case "y":
			v[i] = float32(math.Sin(2 * number(i)))
		default: // weights
			v[i] = float32((i*37)%101-50) / 100
		}
	}
	return v
}

// number returns the input of sample i. The inputs are evenly spaced from -1 to 1.
func number(i int) float64 { return 2*float64(i)/(samples-1) - 1 }
