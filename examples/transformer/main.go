package main

import (
	"context"
	_ "embed" // for the default text
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"iter"
	"math"
	"math/rand/v2"
	"os"
	"slices"
	"time"

	"github.com/gomlx/gomlx/core/tensors"
	"github.com/gospmd/gospmd/compile/report"
	"github.com/gospmd/gospmd/examples/internal/example"
	"github.com/gospmd/gospmd/keras"
	"github.com/gospmd/gospmd/keras/data"
	"github.com/gospmd/gospmd/keras/distribution"
	"github.com/gospmd/gospmd/keras/losses"
	"github.com/gospmd/gospmd/keras/optimizers"
	"github.com/gospmd/gospmd/keras/random"
)

// devices is the number of virtual devices on the CPU.
const devices = 8

// sonnets are eight sonnets by William Shakespeare (1609).
//
//go:embed testdata/sonnets.txt
var sonnets string

func main() { example.Main("transformer", run) }

// config holds the values of the program's flags.
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
	d, err := c.distribution(ctx)
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

// result holds what the program prints with -json, on one line: the mesh, losses, the speed and the
// written text.
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

// rand returns a new generator of random numbers, for batches and for the written text. It starts
// with -seed, so each call gives the same numbers.
func (c config) rand() *rand.Rand { return rand.New(rand.NewPCG(uint64(c.seed), 0)) }

// speed is the callback that prints losses and tokens per second of each epoch; tokensPerSecond is
// the speed of the last epoch. So it includes the compilation only if there is a single epoch.
type speed struct {
	keras.BaseCallback
	out             io.Writer
	quiet           bool
	steps, tokens   int // steps of an epoch; tokens of a step
	began           time.Time
	tokensPerSecond float64
}

// OnEpochBegin notes when the epoch begins.
func (s *speed) OnEpochBegin(context.Context, int) error {
	s.began = time.Now()
	return nil
}

// OnEpochEnd computes the speed of the epoch in tokens a second and prints it with the loss, unless
// s is quiet.
func (s *speed) OnEpochEnd(_ context.Context, epoch int, logs keras.Logs) error {
	s.tokensPerSecond = float64(s.steps*s.tokens) / time.Since(s.began).Seconds()
	if s.quiet {
		return nil
	}
	loss, _ := logs.Get("loss")
	_, err := fmt.Fprintf(s.out, "step %d: loss %.4f, %.0f tokens/s\n", (epoch+1)*s.steps, loss, s.tokensPerSecond)
	return err
}

// text is a text as indices into its vocabulary, which has the different characters of the text.
type text struct {
	vocabulary []rune // sorted
	tokens     []int32
}

func newText(s string) *text {
	t := &text{vocabulary: []rune(s)}
	slices.Sort(t.vocabulary)
	t.vocabulary = slices.Compact(t.vocabulary)
	t.tokens, _ = t.encode(s) // the vocabulary contains all characters
	return t
}

func (t *text) encode(s string) ([]int32, error) {
	var tokens []int32
	for _, r := range s {
		i, ok := slices.BinarySearch(t.vocabulary, r)
		if !ok {
			return nil, fmt.Errorf("the text has no %q", r)
		}
		tokens = append(tokens, int32(i))
	}
	if len(tokens) == 0 {
		return nil, fmt.Errorf("got no characters, want at least one")
	}
	return tokens, nil
}

// windows is a dataset of random pieces of the text; the labels are the next characters. Each epoch
// continues the sequence of random numbers.
type windows struct {
	text                  *text
	context, batch, steps int
	order                 *rand.Rand
}

// Cardinality returns the number of batches in an epoch: the number of steps.
func (w *windows) Cardinality() int { return w.steps }

// Batches yields the batches of an epoch: x are random windows of the text, and y the tokens that
// follow each of theirs. Each epoch has other windows.
func (w *windows) Batches(context.Context) iter.Seq2[data.Batch, error] {
	return func(yield func(data.Batch, error) bool) {
		for range w.steps {
			var x, y []int32
			for range w.batch {
				at := w.order.IntN(len(w.text.tokens) - w.context)
				x = append(x, w.text.tokens[at:at+w.context]...)
				y = append(y, w.text.tokens[at+1:at+w.context+1]...)
			}
			tensor := func(tokens []int32) []*tensors.Tensor {
				return []*tensors.Tensor{tensors.FromFlatDataAndDimensions(tokens, w.batch, w.context)}
			}
			if !yield(data.Batch{X: tensor(x), Y: tensor(y)}, nil) {
				return
			}
		}
	}
}

// write returns the prompt, -sample more characters, each drawn from the model's prediction at
// -temperature, and a line break. A character of the prompt that t does not have is an error.
func (c config) write(ctx context.Context, m *keras.Model, t *text) (string, error) {
	tokens, err := t.encode(c.prompt)
	if err != nil {
		return "", err
	}
	numbers := c.rand()
	n := c.model.context
	for range c.sample {
		seen := tokens[max(0, len(tokens)-n):]
		x := make([]int32, n) // zeros after the text have no effect: attention is causal
		copy(x, seen)
		out, err := m.Predict(ctx, tensors.FromFlatDataAndDimensions(x, 1, n), keras.Verbose(0))
		if err != nil {
			return "", err
		}
		logits, err := tensors.CopyFlatData[float32](out[0])
		if err != nil {
			return "", err
		}
		v := len(t.vocabulary)
		tokens = append(tokens, int32(choose(logits[(len(seen)-1)*v:len(seen)*v], c.temperature, numbers)))
	}
	var runes []rune
	for _, token := range tokens {
		runes = append(runes, t.vocabulary[token])
	}
	return string(runes) + "\n", nil
}

// choose draws the index of a token from softmax(logits / temperature). At temperature 0 it takes
// the most probable one, the first of several.
func choose(logits []float32, temperature float64, numbers *rand.Rand) int {
	largest := slices.Max(logits)
	if temperature == 0 {
		return slices.Index(logits, largest)
	}
	weights, sum := make([]float64, len(logits)), 0.0
	for i, l := range logits {
		weights[i] = math.Exp(float64(l-largest) / temperature)
		sum += weights[i]
	}
	left := numbers.Float64() * sum
	for i, w := range weights {
		if left -= w; left < 0 {
			return i
		}
	}
	return len(logits) - 1
}
