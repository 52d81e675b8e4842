package keras

// This file binds a model to an optimizer, losses and metrics.

import (
	"errors"
	"fmt"
	"io"
	"os"
	"slices"

	"github.com/gospmd/gospmd/compile"
	"github.com/gospmd/gospmd/internal/option"
	"github.com/gospmd/gospmd/keras/distribution"
	"github.com/gospmd/gospmd/keras/layers"
	"github.com/gospmd/gospmd/keras/losses"
	"github.com/gospmd/gospmd/keras/metrics"
	"github.com/gospmd/gospmd/keras/optimizers"
	"github.com/gospmd/gospmd/runtime"
)

// compiled is what Compile binds to a model.
type compiled struct {
	compileConfig
	lossTracker *metrics.Metric
	resolved    []*metrics.Metric // of metrics and weightedMetrics, once shapes are known
	programs    map[string]*stepProgram
	order       []string // keys of programs in the order they were made
}

type compileConfig struct {
	optimizer       *optimizers.Optimizer
	unscaled        bool // no scaled loss, whatever the policy
	losses          []*losses.Loss
	metrics         []any
	weightedMetrics []any
	client          *runtime.Client
	warnings        io.Writer
	compiler        compile.Options
}

// CompileOption configures Compile.
type CompileOption = option.Option[compileConfig]

// Optimizer sets the optimizer, by name or as an *optimizers.Optimizer;
// "rmsprop" by default, as in Keras.
func Optimizer(o any) CompileOption {
	return CompileOption{Name: "Optimizer", Set: func(c *compileConfig) (err error) {
		c.optimizer, err = optimizers.Get(o)
		return err
	}}
}

// AutoScaleLoss says whether the optimizer of a model of the policy
// mixed_float16 is made to scale the loss (optimizers.NewLossScaleOptimizer),
// which it is by default.
func AutoScaleLoss(scale bool) CompileOption {
	return option.New("AutoScaleLoss", func(c *compileConfig) { c.unscaled = !scale })
}

// Loss sets the loss, by name or as a *losses.Loss. A model of several outputs
// takes one for each, and trains on their sum.
func Loss(perOutput ...any) CompileOption {
	return CompileOption{Name: "Loss", Set: func(c *compileConfig) error {
		c.losses = nil
		for _, l := range perOutput {
			loss, err := losses.Get(l)
			if err != nil {
				return err
			}
			c.losses = append(c.losses, loss)
		}
		return nil
	}}
}

// Metrics sets the metrics that are shown beside the loss, by name or as
// *metrics.Metric. They look at the first output.
func Metrics(list ...any) CompileOption {
	return CompileOption{Name: "Metrics", Set: func(c *compileConfig) error {
		for _, m := range list {
			if err := metrics.Check(m); err != nil {
				return err
			}
		}
		c.metrics = list
		return nil
	}}
}

// WeightedMetrics sets metrics that count each sample by its weight; those of
// Metrics count all alike, as in Keras. One that has the name of another metric
// is shown as weighted_NAME.
func WeightedMetrics(list ...any) CompileOption {
	return CompileOption{Name: "WeightedMetrics", Set: func(c *compileConfig) error {
		for _, m := range list {
			if err := metrics.Check(m); err != nil {
				return err
			}
		}
		c.weightedMetrics = list
		return nil
	}}
}

// shows reports whether a resolved metric has that name.
func (c *compiled) shows(name string) bool {
	return slices.ContainsFunc(c.resolved, func(m *metrics.Metric) bool { return m.Name() == name })
}

// logNames returns the names of what a step shows, in the order of BatchLogs.
func (m *Model) logNames() []string {
	names := []string{m.compiled.lossTracker.Name()}
	for i, id := range slices.Concat(m.compiled.metrics, m.compiled.weightedMetrics) {
		name, ok := id.(string)
		if metric, is := id.(*metrics.Metric); is {
			name, ok = metric.Name(), true
		}
		if ok && i >= len(m.compiled.metrics) && slices.Contains(names, name) {
			name = "weighted_" + name
		}
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}

// Client runs the model on the devices of c. By default it runs on the process'
// client, distribution.Client.
func Client(c *runtime.Client) CompileOption {
	return option.New("Client", func(cfg *compileConfig) { cfg.client = c })
}

// Warnings sets where warnings go, os.Stderr by default.
func Warnings(w io.Writer) CompileOption {
	return option.New("Warnings", func(c *compileConfig) { c.warnings = w })
}

// Compiler sets how the model's functions are compiled: the partitioner, a
// budget, a folder for dumps (each function dumps into its own below it).
func Compiler(o compile.Options) CompileOption {
	return option.New("Compiler", func(c *compileConfig) { c.compiler = o })
}

// Compile configures the model for training: keras.Model.compile. Without
// Loss, only Predict can be used.
//
// Compile binds the model to the current distribution, as Distribute does: Fit,
// Evaluate and Predict work after its scope has ended.
//
// Compile checks the layout map of a ModelParallel distribution: a rule that
// matches no variable and no layer output is a warning, and an error if the
// distribution is strict.
func (m *Model) Compile(opts ...CompileOption) error {
	cfg := compileConfig{warnings: os.Stderr}
	err := option.Apply("Compile", &cfg, opts, "Optimizer", "AutoScaleLoss", "Loss", "Metrics", "WeightedMetrics", "Client", "Warnings", "Compiler")
	if err == nil && cfg.optimizer == nil {
		cfg.optimizer, err = optimizers.Get("rmsprop")
	}
	if err == nil && m.policy == layers.MixedFloat16 && !cfg.unscaled && !cfg.optimizer.ScalesLoss() {
		cfg.optimizer = optimizers.NewLossScaleOptimizer(cfg.optimizer)
	}
	if d := distribution.Current(); err == nil && d != nil {
		err = m.distribute(d, cfg.optimizer, cfg.warnings)
	}
	if err == nil && m.built() {
		err = errors.Join(m.checkOutputs(cfg), m.lintLayouts(cfg.warnings))
	}
	if err != nil {
		return fmt.Errorf("keras: model %s: %w", m.name, err)
	}
	m.compiled = &compiled{compileConfig: cfg, lossTracker: metrics.Mean("loss"), programs: make(map[string]*stepProgram)}
	return nil
}

func (m *Model) checkOutputs(c compileConfig) error {
	if n := len(c.losses); n > 0 && n != len(m.outputs) {
		return fmt.Errorf("got %d losses for %d outputs: give one loss for each output", n, len(m.outputs))
	}
	return nil
}
