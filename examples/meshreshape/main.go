package main

import (
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"math/rand/v2"

	"github.com/gomlx/gomlx/core/tensors"

	"github.com/gospmd/gospmd/examples/internal/example"
	"github.com/gospmd/gospmd/keras/random"
)

func main() { example.Main("meshreshape", run) }

// config holds the values of the program's flags.
type config struct {
	devices             int
	axes                [][]string
	pairs, units, batch int
	steps, epochs, seed int
	json                bool
	plot, machine       string
}

func run(ctx context.Context, args []string, out io.Writer) error {
	var c config
	flags := flag.NewFlagSet("meshreshape", flag.ContinueOnError)
	flags.IntVar(&c.devices, "devices", 8, "number of virtual devices that the CPU is divided into")
	flags.Func("axes", "names of the mesh axes: the first shards the batch, the last the layers' units, those between the other dimension of kernels; may be repeated (default data,model and data,fsdp,model)", func(text string) error {
		axes, err := parseAxes(text)
		c.axes = append(c.axes, axes)
		return err
	})
	flags.IntVar(&c.pairs, "pairs", 2, "pairs of dense layers")
	flags.IntVar(&c.units, "units", 512, "units of the first layer of a pair; the second has half as many")
	flags.IntVar(&c.batch, "batch", 128, "samples in a batch")
	flags.IntVar(&c.steps, "steps", 20, "training steps in an epoch")
	flags.IntVar(&c.epochs, "epochs", 3, "epochs; the first one compiles and is not timed")
	flags.IntVar(&c.seed, "seed", 1, "seed of data and weights")
	flags.BoolVar(&c.json, "json", false, "print what was found as one line of JSON")
	flags.StringVar(&c.plot, "plot", "", "write a plot of step times and bytes into this PNG file")
	flags.StringVar(&c.machine, "machine", "", "also predict the time of a step there: a target such as v5e:2x4 or h100:8, or a machine file of gospmd doctor -measure")
	if err := flags.Parse(args); err != nil {
		return err
	}
	if c.axes == nil {
		c.axes = [][]string{{"data", "model"}, {"data", "fsdp", "model"}}
	}
	if err := c.check(); err != nil {
		return err
	}
	if err := example.Initialize(ctx, c.devices); err != nil {
		return err
	}
	return c.trainAll(ctx, out)
}

func (c config) check() error {
	for _, f := range []struct {
		name         string
		value, least int
	}{
		{"devices", c.devices, 1}, {"pairs", c.pairs, 1}, {"units", c.units, 2}, {"batch", c.batch, 1}, {"steps", c.steps, 1}, {"epochs", c.epochs, 2},
	} {
		if f.value < f.least {
			return fmt.Errorf("-%s %d: want %d or more", f.name, f.value, f.least)
		}
	}
	return nil
}

// trainAll trains on every mesh shape of c.devices devices and writes the results to out, as a
// table or as JSON, and as a plot into a file if one is given. Progress goes to out, too, except
// beside JSON. Numbers of devices without a shape are an error.
func (c config) trainAll(ctx context.Context, out io.Writer) error {
	progress := out
	if c.json {
		progress = io.Discard
	}
	var runs []outcome
	for _, axes := range c.axes {
		for _, s := range shapes(c.devices, axes) {
			fmt.Fprintf(progress, "mesh %s: ", s)
			r, err := c.train(ctx, s)
			if err != nil {
				return fmt.Errorf("mesh %s: %w", s, err)
			}
			runs = append(runs, r)
			fmt.Fprintf(progress, "%d steps, loss %.4f\n", c.steps*c.epochs, r.Losses[len(r.Losses)-1])
		}
	}
	if len(runs) == 0 {
		return fmt.Errorf("-devices %d is no product of %d sizes above 1, which axes %v need: give other numbers", c.devices, len(c.axes[0]), c.axes)
	}
	if c.plot != "" {
		if err := plotRuns(runs, c.plot); err != nil {
			return err
		}
	}
	if c.json {
		return json.NewEncoder(out).Encode(runs)
	}
	fmt.Fprintln(out)
	if err := printTable(out, runs); err != nil {
		return err
	}
	_, err := fmt.Fprintln(out, "\n"+verdict(runs))
	return err
}

// data returns random examples for an epoch, the same in each call: x are normally distributed
// features, [c.batch·c.steps, features], and y a class for each example.
func (c config) data() (x, y *tensors.Tensor, err error) {
	n := c.batch * c.steps
	if x, err = random.Normal([]int{n, features}, random.Seed(c.seed)); err != nil {
		return nil, nil, err
	}
	r := rand.New(rand.NewPCG(uint64(c.seed), 0))
	labels := make([]int32, n)
	for i := range labels {
		labels[i] = r.Int32N(classes)
	}
	return x, tensors.FromValue(labels), nil
}
