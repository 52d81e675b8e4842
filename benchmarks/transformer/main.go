// Transformer measures the training step of a four-layer transformer on several
// meshes, with the shardings of propagation and with those that auto-sharding
// refines: what a device computes and sends, and how long a step takes. Each
// round measures every mesh, so that other load of the machine slows all of them
// alike; the shortest time of each counts.
//
//	go run ./benchmarks/transformer
//	go run ./benchmarks/transformer -rounds 10 -steps 5
package main

import (
	"context"
	"flag"
	"fmt"
	"io"
	"slices"
	"time"

	"github.com/gospmd/gospmd/benchmarks/steps"
	"github.com/gospmd/gospmd/compile"
	"github.com/gospmd/gospmd/compile/report"
	"github.com/gospmd/gospmd/keras"
	"github.com/gospmd/gospmd/keras/distribution"
	"github.com/gospmd/gospmd/keras/layers"
)

func main() { steps.Main("transformer", run) }

// variant is a line of the table.
type variant struct {
	name         string
	data, model  int // the mesh
	asPropagated bool

	steps.Transformer
	dist  distribution.Distribution
	keras *keras.Model
	best  time.Duration // of a step
}

func variants(s steps.Transformer) []*variant {
	list := []*variant{
		{name: "one device", data: 1, model: 1},
		{name: "8x1", data: 8, model: 1},
		{name: "2x4, as propagated", data: 2, model: 4, asPropagated: true},
		{name: "2x4", data: 2, model: 4},
	}
	for _, v := range list {
		v.Transformer = s
	}
	return list
}

func run(ctx context.Context, args []string, out io.Writer) error {
	flags := flag.NewFlagSet("transformer", flag.ContinueOnError)
	rounds := flags.Int("rounds", 3, "how often each mesh is measured")
	count := flags.Int("steps", 3, "training steps of a measurement")
	size := steps.UsualTransformer
	flags.IntVar(&size.Blocks, "blocks", size.Blocks, "number of blocks")
	flags.IntVar(&size.Features, "features", size.Features, "features of a word; a multiple of 8")
	flags.IntVar(&size.Sequence, "sequence", size.Sequence, "words of an example")
	flags.IntVar(&size.Batch, "batch", size.Batch, "examples of a step; a multiple of 8")
	if err := flags.Parse(args); err != nil {
		return err
	}
	if *rounds < 1 || *count < 1 {
		return fmt.Errorf("got -rounds %d -steps %d: want at least 1 of each", *rounds, *count)
	}
	list, err := measure(ctx, size, *rounds, *count)
	if err != nil {
		return err
	}
	var rows [][]any
	for _, v := range list {
		r := v.report()
		rows = append(rows, []any{v.name, r.Flops, r.Bytes, len(r.Collectives), fmt.Sprintf("%.0f", v.best.Seconds()*1000)})
	}
	return steps.Table(out, []string{"mesh", "flops of a device", "bytes sent", "collectives", "ms a step"}, rows)
}

// report returns what a step costs.
func (v *variant) report() *report.Report { return report.New(v.keras.Programs()[0]) }

// measure trains all variants, one after the other in each round.
func measure(ctx context.Context, size steps.Transformer, rounds, count int) ([]*variant, error) {
	devices, err := steps.Initialize()
	if err != nil {
		return nil, err
	}
	list := slices.DeleteFunc(variants(size), func(v *variant) bool { return v.data*v.model > devices })
	for _, v := range list {
		if err := v.open(ctx); err != nil {
			return nil, fmt.Errorf("%s: %w", v.name, err)
		}
	}
	for range rounds {
		for _, v := range list {
			if err := v.time(ctx, count); err != nil {
				return nil, fmt.Errorf("%s: %w", v.name, err)
			}
		}
	}
	return list, nil
}

// open builds the model and runs a step, which compiles it.
func (v *variant) open(ctx context.Context) error {
	var err error
	if v.dist, err = steps.Parallel([]int{v.data, v.model}, steps.TransformerRules); err != nil {
		return err
	}
	layers.ClearSession() // the same names, and so the same weights
	err = distribution.Scope(v.dist, func() (err error) {
		v.keras, err = v.Build(compile.Options{Partitioner: compile.SPMD, KeepLayouts: v.asPropagated})
		return err
	})
	if err != nil {
		return err
	}
	return v.fit(ctx, 1)
}

// time measures some training steps.
func (v *variant) time(ctx context.Context, count int) error {
	start := time.Now()
	if err := v.fit(ctx, count); err != nil {
		return err
	}
	if t := time.Since(start) / time.Duration(count); v.best == 0 || t < v.best {
		v.best = t
	}
	return nil
}

// fit trains for some steps on words that follow each other.
func (v *variant) fit(ctx context.Context, count int) error {
	x, y := v.Data(count)
	return distribution.Scope(v.dist, func() error {
		_, err := v.keras.Fit(ctx, x, y, keras.BatchSize(v.Batch), keras.Output(io.Discard))
		return err
	})
}
