// Transformer measures the training step of a four-layer transformer on several
// meshes, with the shardings of propagation and with those that auto-sharding
// refines: what a device computes and sends, and how long a step takes. Each
// round measures every mesh, so that other load of the machine slows all of them
// alike; the shortest time of each counts.
//
//	go run ./benchmarks/transformer
//	go run ./benchmarks/transformer -rounds 10 -steps 5
//
//	file       what it holds
//	main.go    the command: its flags, rounds and table
//	model.go   the model and its layout map
package main

import (
	"context"
	"flag"
	"fmt"
	"io"
	"time"

	"github.com/gomlx/compute/dtypes"
	"github.com/gomlx/gomlx/core/tensors"
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
	rounds := flags.Int("rounds", 3, "how often each mesh is measured")
	count := flags.Int("steps", 3, "training steps of a measurement")
	size := usual
	flags.IntVar(&size.blocks, "blocks", size.blocks, "number of blocks")
	flags.IntVar(&size.features, "features", size.features, "features of a word; a multiple of 8")
	flags.IntVar(&size.sequence, "sequence", size.sequence, "words of an example")
	flags.IntVar(&size.batch, "batch", size.batch, "examples of a step; a multiple of 8")
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
func measure(ctx context.Context, size sizes, rounds, count int) ([]*variant, error) {
	if err := distribution.Initialize(distribution.Options{Devices: steps.Devices}); err != nil {
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
	if v.dist, err = steps.Parallel([]int{v.data, v.model}, rules); err != nil {
		return err
	}
	layers.ClearSession() // the same names, and so the same weights
	err = distribution.Scope(v.dist, func() (err error) {
		v.keras, err = v.build(compile.Options{Partitioner: compile.SPMD, KeepLayouts: v.asPropagated})
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
	examples := count * v.batch
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

// sizes are those of the model; the defaults make 3.4 million weights.
type sizes struct {
	blocks, features, heads, sequence, words, batch int
}

var usual = sizes{blocks: 4, features: 256, heads: 8, sequence: 128, words: 512, batch: 32}

const none = distribution.None

// rules shard the weights as Megatron does (Shoeybi and others, 2019): heads and
// hidden units over model. What follows from that for activations is the line "as
// propagated"; the compiler chooses others where they cost less.
var rules = []steps.Rule{
	{Path: `.*_attention/(query|key|value)/kernel`, Axes: []string{none, "model", none}},
	{Path: `.*_attention/(query|key|value)/bias`, Axes: []string{"model", none}},
	{Path: `.*_attention/attention_output/kernel`, Axes: []string{"model", none, none}},
	{Path: `.*_up/kernel`, Axes: []string{none, "model"}},
	{Path: `.*_up/bias`, Axes: []string{"model"}},
	{Path: `.*_down/kernel`, Axes: []string{"model", none}},
}

// build returns the compiled model, for the current distribution.
func (s sizes) build(o compile.Options) (*keras.Model, error) {
	name := func(block int, part string) layers.Option {
		return layers.Name(fmt.Sprintf("block%d_%s", block, part))
	}
	x := keras.Input([]int{s.sequence}, layers.DType(dtypes.Int32))
	y := x.Apply(layers.Embedding(s.words, s.features, layers.Name("words")))
	for b := range s.blocks {
		h := y.Apply(layers.LayerNormalization(name(b, "norm1")))
		h = h.Apply(layers.MultiHeadAttention(s.heads, s.features/s.heads, name(b, "attention"), layers.UseCausalMask()))
		y = layers.Apply(layers.Add(name(b, "add1")), y, h)
		h = y.Apply(layers.LayerNormalization(name(b, "norm2")))
		h = h.Apply(layers.Dense(4*s.features, name(b, "up"), layers.Activation("gelu")))
		h = h.Apply(layers.Dense(s.features, name(b, "down")))
		y = layers.Apply(layers.Add(name(b, "add2")), y, h)
	}
	y = y.Apply(layers.LayerNormalization(layers.Name("norm")))
	y = y.Apply(layers.Dense(s.words, layers.Name("next"), layers.Activation("softmax")))
	m, err := keras.NewModel([]*layers.Tensor{x}, []*layers.Tensor{y})
	if err != nil {
		return nil, err
	}
	return m, m.Compile(keras.Loss("sparse_categorical_crossentropy"), keras.Optimizer("adam"), keras.Compiler(o), keras.Warnings(io.Discard))
}
