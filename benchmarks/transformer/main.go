// Transformer measures the training step of a four-layer transformer on several
// meshes, with layouts as propagation leaves them and as they are revised by
// pass balance: what a device computes and sends, and how long a step takes.
// The meshes take turns, so that whatever else the machine does slows all of
// them; the shortest time of each counts.
//
//	go run ./benchmarks/transformer
//	go run ./benchmarks/transformer -rounds 10 -steps 5
package main

import (
	"context"
	"flag"
	"fmt"
	"io"
	"os"
	"text/tabwriter"
	"time"

	"github.com/gomlx/gomlx/core/tensors"

	"github.com/gospmd/gospmd/compile"
	"github.com/gospmd/gospmd/compile/report"
	"github.com/gospmd/gospmd/keras"
	"github.com/gospmd/gospmd/keras/distribution"
	"github.com/gospmd/gospmd/keras/layers"
)

// devices is the number of virtual devices that the CPU is divided into.
const devices = 8

func main() {
	if err := run(context.Background(), os.Args[1:], os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "transformer:", err)
		os.Exit(1)
	}
}

// variant is a line of the table.
type variant struct {
	name         string
	data, model  int // the mesh
	asPropagated bool

	sizes
	dist  distribution.Distribution
	keras *keras.Model
	best  time.Duration // of a step
}

func variants(s sizes) []*variant {
	list := []*variant{
		{name: "one device", data: 1, model: 1},
		{name: "8x1", data: 8, model: 1},
		{name: "2x4, as propagated", data: 2, model: 4, asPropagated: true},
		{name: "2x4", data: 2, model: 4},
	}
	for _, v := range list {
		v.sizes = s
	}
	return list
}

func run(ctx context.Context, args []string, out io.Writer) error {
	flags := flag.NewFlagSet("transformer", flag.ContinueOnError)
	rounds := flags.Int("rounds", 3, "how often each mesh has its turn")
	steps := flags.Int("steps", 3, "steps of a turn")
	size := usual
	flags.IntVar(&size.blocks, "blocks", size.blocks, "number of blocks")
	flags.IntVar(&size.features, "features", size.features, "features of a word; a multiple of 8")
	flags.IntVar(&size.sequence, "sequence", size.sequence, "words of an example")
	flags.IntVar(&size.batch, "batch", size.batch, "examples of a step; a multiple of 8")
	if err := flags.Parse(args); err != nil {
		return err
	}
	if *rounds < 1 || *steps < 1 {
		return fmt.Errorf("got -rounds %d -steps %d: want at least 1 of each", *rounds, *steps)
	}
	list, err := measure(ctx, size, *rounds, *steps)
	if err != nil {
		return err
	}
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, "mesh\tflops of a device\tbytes sent\tcollectives\tms a step\t")
	for _, v := range list {
		r := v.report()
		fmt.Fprintf(w, "%s\t%d\t%d\t%d\t%.0f\t\n", v.name, r.Flops, r.Bytes, len(r.Collectives), v.best.Seconds()*1000)
	}
	return w.Flush()
}

// report returns what a step costs.
func (v *variant) report() *report.Report { return report.New(v.keras.Programs()[0]) }

// measure trains all variants in turn.
func measure(ctx context.Context, size sizes, rounds, steps int) ([]*variant, error) {
	if err := distribution.Initialize(distribution.Options{Devices: devices}); err != nil {
		return nil, err
	}
	list := variants(size)
	for _, v := range list {
		if err := v.open(ctx); err != nil {
			return nil, fmt.Errorf("%s: %w", v.name, err)
		}
	}
	for range rounds {
		for _, v := range list {
			if err := v.turn(ctx, steps); err != nil {
				return nil, fmt.Errorf("%s: %w", v.name, err)
			}
		}
	}
	return list, nil
}

// open builds the model and runs a step, which compiles it.
func (v *variant) open(ctx context.Context) error {
	names, err := distribution.ListDevices()
	if err != nil {
		return err
	}
	dm, err := distribution.NewDeviceMesh([]int{v.data, v.model}, []string{"data", "model"}, names[:v.data*v.model])
	if err != nil {
		return err
	}
	layouts := distribution.NewLayoutMap(dm)
	for _, r := range rules {
		if err := layouts.Set(r.path, r.axes...); err != nil {
			return err
		}
	}
	if v.dist, err = distribution.NewModelParallel(layouts, "data"); err != nil {
		return err
	}
	layers.ClearSession() // the same names, and so the same weights
	err = distribution.Scope(v.dist, func() (err error) {
		v.keras, err = v.build(compile.Options{Partitioner: compile.SPMD, AsPropagated: v.asPropagated})
		return err
	})
	if err != nil {
		return err
	}
	return v.fit(ctx, 1)
}

// turn measures some steps.
func (v *variant) turn(ctx context.Context, steps int) error {
	start := time.Now()
	if err := v.fit(ctx, steps); err != nil {
		return err
	}
	if t := time.Since(start) / time.Duration(steps); v.best == 0 || t < v.best {
		v.best = t
	}
	return nil
}

// fit trains for some steps on words that follow each other.
func (v *variant) fit(ctx context.Context, steps int) error {
	examples := steps * v.batch
	x, y := make([]int32, examples*v.sequence), make([]int32, examples*v.sequence)
	for i := range x {
		x[i], y[i] = int32(i*7%v.words), int32((i+1)*7%v.words)
	}
	return distribution.Scope(v.dist, func() error {
		_, err := v.keras.Fit(ctx, tensors.FromFlatDataAndDimensions(x, examples, v.sequence), tensors.FromFlatDataAndDimensions(y, examples, v.sequence, 1),
			keras.BatchSize(v.batch), keras.Output(io.Discard))
		return err
	})
}
