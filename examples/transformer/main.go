// Transformer trains a small GPT on the characters of a text, sharded over a mesh as
// Megatron-LM shards such models, and lets it write.
//
//	go run ./examples/transformer                               # 2x4: two devices along data, four along model
//	go run ./examples/transformer -mesh 8x1                     # the same losses on another mesh
//	go run ./examples/transformer -text FILE -steps 2000 -sample 500
//	go run ./examples/transformer -steps 1 -report              # what a step communicates
package main

import (
	"context"
	_ "embed" // for the default text
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"time"

	"github.com/gospmd/gospmd/compile/report"
	"github.com/gospmd/gospmd/examples/internal/example"
	"github.com/gospmd/gospmd/keras"
	"github.com/gospmd/gospmd/keras/distribution"
	"github.com/gospmd/gospmd/keras/losses"
	"github.com/gospmd/gospmd/keras/optimizers"
	"github.com/gospmd/gospmd/keras/random"
)

// devices is the number of virtual devices that the CPU is divided into.
const devices = 8

// sonnets are eight sonnets by William Shakespeare (1609).
//
//go:embed testdata/sonnets.txt
var sonnets string

func main() { example.Main("transformer", run) }

// config holds the flags.
type config struct {
	mesh, text          string
	model               sizes
	batch, steps, every int
	rate, temperature   float64
	seed, sample        int
	prompt              string
	json, report        bool
}

func run(ctx context.Context, args []string, out io.Writer) error {
	var c config
	flags := flag.NewFlagSet("transformer", flag.ContinueOnError)
	flags.StringVar(&c.mesh, "mesh", "2x4", "devices along the axes data and model, such as 2x4, 8x1 or 1x8; single for one device without distribution")
	flags.StringVar(&c.text, "text", "", "file with the text to learn; by default eight sonnets")
	flags.IntVar(&c.model.layers, "layers", 4, "number of blocks")
	flags.IntVar(&c.model.dim, "dim", 128, "features of a position")
	flags.IntVar(&c.model.heads, "heads", 8, "heads of attention; they must divide -dim")
	flags.IntVar(&c.model.context, "context", 64, "characters that the model sees")
	flags.IntVar(&c.batch, "batch", 16, "pieces of text in a batch")
	flags.IntVar(&c.steps, "steps", 300, "training steps")
	flags.IntVar(&c.every, "every", 20, "steps from one printed loss to the next")
	flags.Float64Var(&c.rate, "rate", 1e-3, "learning rate of Adam")
	flags.IntVar(&c.seed, "seed", 1, "seed of weights, batches and samples")
	flags.IntVar(&c.sample, "sample", 0, "characters to write after the training")
	flags.StringVar(&c.prompt, "prompt", "\n", "what the written text begins with")
	flags.Float64Var(&c.temperature, "temperature", 0.8, "how freely to write; 0 always takes the likeliest character")
	flags.BoolVar(&c.json, "json", false, "print losses and speed as one line of JSON at the end")
	flags.BoolVar(&c.report, "report", false, "print what a training step communicates and stores")
	if err := flags.Parse(args); err != nil {
		return err
	}
	if err := c.check(); err != nil {
		return err
	}
	t, err := c.readText()
	if err != nil {
		return err
	}
	c.model.vocabulary = len(t.vocabulary)
	d, err := c.distribution()
	if err != nil {
		return err
	}
	return distribution.Scope(d, func() error { return c.train(ctx, t, out) })
}

func (c config) check() error {
	for _, f := range []struct {
		name  string
		value int
	}{
		{"layers", c.model.layers}, {"dim", c.model.dim}, {"heads", c.model.heads}, {"context", c.model.context},
		{"batch", c.batch}, {"steps", c.steps}, {"every", c.every},
	} {
		if f.value < 1 {
			return fmt.Errorf("-%s %d: want a positive number", f.name, f.value)
		}
	}
	if c.model.dim%c.model.heads != 0 {
		return fmt.Errorf("-dim %d is not a multiple of -heads %d: give each head the same number of features", c.model.dim, c.model.heads)
	}
	if c.steps%min(c.every, c.steps) != 0 {
		return fmt.Errorf("-steps %d is not a multiple of -every %d: losses are printed after every so many steps", c.steps, c.every)
	}
	if c.temperature < 0 {
		return fmt.Errorf("-temperature %g: want a number not below 0", c.temperature)
	}
	return nil
}

func (c config) readText() (*text, error) {
	s, name := sonnets, "the sonnets"
	if c.text != "" {
		b, err := os.ReadFile(c.text)
		if err != nil {
			return nil, err
		}
		s, name = string(b), c.text
	}
	t := newText(s)
	if len(t.tokens) <= c.model.context {
		return nil, fmt.Errorf("%s has %d characters, want more than -context %d", name, len(t.tokens), c.model.context)
	}
	if _, err := t.encode(c.prompt); err != nil {
		return nil, fmt.Errorf("-prompt: %w", err)
	}
	return t, nil
}

// result is the line of -json.
type result struct {
	Mesh            string    `json:"mesh"`
	Losses          []float64 `json:"losses"`
	TokensPerSecond float64   `json:"tokens_per_second"`
	Sample          string    `json:"sample,omitempty"`
}

func (c config) train(ctx context.Context, t *text, out io.Writer) error {
	random.SetRandomSeed(uint32(c.seed))
	model, err := c.model.gpt()
	if err != nil {
		return err
	}
	loss := losses.SparseCategoricalCrossentropy(losses.FromLogits())
	if err := model.Compile(keras.Optimizer(optimizers.Adam(optimizers.LearningRate(c.rate))), keras.Loss(loss)); err != nil {
		return err
	}
	every := min(c.every, c.steps)
	batches := &windows{text: t, context: c.model.context, batch: c.batch, steps: every, order: c.rand()}
	watch := &speed{out: out, quiet: c.json, steps: every, tokens: c.batch * c.model.context}
	history, err := model.Fit(ctx, batches, nil, keras.Epochs(c.steps/every), keras.Callbacks(watch), keras.Verbose(0))
	if err != nil {
		return err
	}
	if c.report {
		fmt.Fprintln(out, report.New(model.Programs()[0]))
	}
	written := ""
	if c.sample > 0 {
		if written, err = c.write(ctx, model, t); err != nil {
			return err
		}
	}
	if c.json {
		return json.NewEncoder(out).Encode(result{c.mesh, history.Logs["loss"], watch.tokensPerSecond, written})
	}
	_, err = fmt.Fprint(out, written)
	return err
}

// rand returns the random numbers of batches and of the written text.
func (c config) rand() *rand.Rand { return rand.New(rand.NewPCG(uint64(c.seed), 0)) }

// speed prints losses and tokens per second of each epoch; tokensPerSecond is that of
// the last one, so that the compilation in the first epoch counts only if there is
// no other.
type speed struct {
	keras.BaseCallback
	out             io.Writer
	quiet           bool
	steps, tokens   int // of an epoch; of a step
	began           time.Time
	tokensPerSecond float64
}

// OnEpochBegin starts the clock.
func (s *speed) OnEpochBegin(context.Context, int) error {
	s.began = time.Now()
	return nil
}

// OnEpochEnd prints the loss and the speed.
func (s *speed) OnEpochEnd(_ context.Context, epoch int, logs keras.Logs) error {
	s.tokensPerSecond = float64(s.steps*s.tokens) / time.Since(s.began).Seconds()
	if s.quiet {
		return nil
	}
	loss, _ := logs.Get("loss")
	_, err := fmt.Fprintf(s.out, "step %d: loss %.4f, %.0f tokens/s\n", (epoch+1)*s.steps, loss, s.tokensPerSecond)
	return err
}
