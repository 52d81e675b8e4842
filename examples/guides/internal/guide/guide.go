package guide

// This file runs a guide.

import (
	"cmp"
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"github.com/gomlx/gomlx/core/tensors"

	"github.com/gospmd/gospmd/examples/internal/example"
	"github.com/gospmd/gospmd/keras"
	"github.com/gospmd/gospmd/keras/data"
	"github.com/gospmd/gospmd/keras/distribution"
	"github.com/gospmd/gospmd/keras/saving"
)

// devices is the number of virtual devices that the CPU is divided into.
const devices = 8

// Guide is one example program: a model, its data, and how it is trained. Parts, Train and Predict
// may be nil.
type Guide struct {
	Name   string
	Layout map[string][]string // the axes of variables and layer outputs, by path
	Batch  int                 // the size of batches
	Epochs int
	Shown  int    // the number of samples whose predictions are shown; 6 by default
	Log    string // the name of the log that is printed after each epoch; "loss" by default
	// Model makes and compiles the model of the guide.
	Model func() (*keras.Model, error)
	// Parts returns the models that the model consists of, if each has its own weight file. It is
	// nil if the weights of the whole model are in one file.
	Parts func(m *keras.Model) []*keras.Model
	// Data returns the training data, as Model.Fit takes them.
	Data func() (x, y any, err error)
	// Train trains the model and returns the loss of each epoch. The default is one Fit.
	Train func(ctx context.Context, r *Run) ([]float64, error)
	// Predict returns the outputs that the guide shows. The default is Model.Predict on the first
	// samples.
	Predict func(ctx context.Context, r *Run) ([]*tensors.Tensor, error)
}

// Run is one execution of a guide: its model and data, and where it prints.
type Run struct {
	*Guide
	Model *keras.Model
	X, Y  any
	Out   io.Writer
}

// Result holds the results of a guide: those that it prints with -json, or those of Keras.
type Result struct {
	Loss        []float64   `json:"loss"`        // of each epoch
	Predictions [][]float32 `json:"predictions"` // predictions of each output of the model, row by row
}

// Main is the main function of a guide: it parses the flags, runs the guide g, and ends the process
// with the error if there is one.
func Main(g *Guide) { example.Main(g.Name, g.Run) }

// Run runs the guide with command-line arguments: -mesh (2x4 by default, single for one device),
// -weights, -epochs and -json. It writes its progress to out, and then the predictions or, with
// -json, a Result.
func (g *Guide) Run(ctx context.Context, args []string, out io.Writer) error {
	flags := flag.NewFlagSet(g.Name, flag.ContinueOnError)
	mesh := flags.String("mesh", "2x4", "devices along the axes data and model, such as 2x4, 8x1 or 3x2; single for one device without distribution")
	weights := flags.String("weights", "", "begin with the weights of this file (.weights.h5)")
	epochs := flags.Int("epochs", g.Epochs, "number of epochs")
	asJSON := flags.Bool("json", false, "print losses and predictions as one line of JSON at the end")
	if err := flags.Parse(args); err != nil {
		return err
	}
	d, err := g.distribution(ctx, *mesh)
	if err != nil {
		return err
	}
	set := *g
	set.Epochs = *epochs
	return distribution.Scope(d, func() error { return set.train(ctx, *weights, *asJSON, out) })
}

// distribution returns the distribution of the guide on the mesh that text gives, such as 2x4; nil
// for the text "single". The layouts are those of g.Layout, and batches are sharded along the axis
// data. It initializes the devices.
func (g *Guide) distribution(ctx context.Context, text string) (distribution.Distribution, error) {
	if err := example.Initialize(ctx, devices); err != nil {
		return nil, err
	}
	mesh, err := distribution.ParseMesh(text, "data", "model")
	if err != nil || mesh == nil {
		return nil, err
	}
	layouts := distribution.NewLayoutMap(mesh)
	for _, path := range slices.Sorted(maps.Keys(g.Layout)) {
		layouts.Set(path, g.Layout[path]...)
	}
	return distribution.NewModelParallel(layouts, "data")
}

func (g *Guide) train(ctx context.Context, weights string, asJSON bool, out io.Writer) error {
	r := &Run{Guide: g, Out: out}
	var err error
	if r.Model, err = g.Model(); err != nil {
		return err
	}
	if r.X, r.Y, err = g.Data(); err != nil {
		return err
	}
	if weights != "" {
		if err := r.load(ctx, weights); err != nil {
			return err
		}
	}
	train, predict := g.Train, g.Predict
	if train == nil {
		train = fit
	}
	if predict == nil {
		predict = predictFirst
	}
	var result Result
	if result.Loss, err = train(ctx, r); err != nil {
		return err
	}
	outputs, err := predict(ctx, r)
	if err != nil {
		return err
	}
	for _, t := range outputs {
		values, err := data.Floats(t)
		if err != nil {
			return err
		}
		result.Predictions = append(result.Predictions, values)
	}
	if asJSON {
		return json.NewEncoder(out).Encode(result)
	}
	for i, t := range outputs {
		fmt.Fprintf(out, "output %d of the first samples: %v\n", i, t.Value())
	}
	return nil
}

// load loads the weights of the model from file, such as start.weights.h5. If the model consists of
// parts, part i is loaded from a file with i in its name: start1.weights.h5; part 0 from file
// itself. Then all seed generators get the state 1337.
func (r *Run) load(ctx context.Context, file string) error {
	parts := []*keras.Model{r.Model}
	if r.Parts != nil {
		parts = r.Parts(r.Model)
	}
	for i, part := range parts {
		name := file
		if i > 0 {
			name = strings.Replace(file, ".weights.h5", fmt.Sprintf("%d.weights.h5", i), 1)
		}
		if err := saving.LoadWeights(ctx, part, name); err != nil {
			return err
		}
		if err := seed(ctx, part); err != nil {
			return err
		}
	}
	return nil
}

// seed gives all seed generators of the model the state 1337, as guides_reference.py does: files of
// weights do not hold it.
func seed(ctx context.Context, m *keras.Model) error {
	client, err := m.Client(ctx)
	if err != nil {
		return err
	}
	for _, v := range m.Variables() {
		if v.IsSeedState() {
			if err := v.Assign(client, []uint32{1337, 0}); err != nil {
				return err
			}
		}
	}
	return nil
}

// Fit trains the model on the data of r for some epochs, after opts, and returns for each epoch the
// log that r.Log names, by default the loss. Batches have the guide's size, without shuffling; a
// dataset makes its own batches.
func (r *Run) Fit(ctx context.Context, epochs int, opts ...keras.RunOption) ([]float64, error) {
	opts = append(slices.Clone(opts), keras.Epochs(epochs), keras.Output(r.Out))
	if _, ok := r.X.(data.Dataset); !ok {
		opts = append(opts, keras.BatchSize(r.Batch), keras.Shuffle(false))
	}
	h, err := r.Model.Fit(ctx, r.X, r.Y, opts...)
	if err != nil {
		return nil, err
	}
	return h.Logs[cmp.Or(r.Log, "loss")], nil
}

// fit trains the model for the guide's number of epochs, and returns the loss of each epoch.
func fit(ctx context.Context, r *Run) ([]float64, error) { return r.Fit(ctx, r.Epochs) }

// predictFirst predicts the first r.Shown samples of r.X, 6 if that is 0, and returns one tensor of
// predictions for each output of the model. Fewer samples are an error.
func predictFirst(ctx context.Context, r *Run) ([]*tensors.Tensor, error) {
	x, err := data.Tensors(r.X)
	if err != nil {
		return nil, err
	}
	for i, t := range x {
		if x[i], err = data.Slice(t, 0, cmp.Or(r.Shown, 6)); err != nil {
			return nil, err
		}
	}
	return r.Model.Predict(ctx, x, keras.Verbose(0))
}
