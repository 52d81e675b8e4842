package keras

// This file binds a model to an optimizer, losses and metrics, and to a
// distribution.

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"reflect"

	"github.com/gospmd/gospmd/compile"
	"github.com/gospmd/gospmd/compile/memory"
	"github.com/gospmd/gospmd/compile/report"
	"github.com/gospmd/gospmd/internal/made"
	"github.com/gospmd/gospmd/internal/option"
	"github.com/gospmd/gospmd/ir"
	"github.com/gospmd/gospmd/keras/distribution"
	"github.com/gospmd/gospmd/keras/layers"
	"github.com/gospmd/gospmd/keras/losses"
	"github.com/gospmd/gospmd/keras/metrics"
	"github.com/gospmd/gospmd/keras/optimizers"
	"github.com/gospmd/gospmd/layout"
	"github.com/gospmd/gospmd/program"
	"github.com/gospmd/gospmd/runtime"
	"github.com/gospmd/gospmd/trace"
)

// compiled holds what Compile binds to a model, such as losses and metrics, and the compiled steps.
type compiled struct {
	compileConfig
	place    ir.Location // the user's line that called Compile
	loss     *tracked    // the total
	heads    []*head     // by output, once the model is built
	added    []*tracked  // metrics of layers (AddMetric), once the model is built
	programs map[string]*stepProgram
	oneSteps map[string]*oneStep
	pending  []*pendingProgram // that are loaded before they are needed
	order    []string          // keys of programs in the order in which they were compiled
	fitted   *program.Fitting  // of the first training step, if there is a limit of memory: later ones keep its slots' layouts
	feed     feed              // of the run under way
	own      own               // of steps of the user's own
	loop     loop              // of several training steps, without StepsPerExecution
	linted   stepKind          // the kind of step (training, test or prediction) whose layouts were linted last
}

// compileConfig holds the values of Compile's options, or their defaults.
type compileConfig struct {
	optimizer       *optimizers.Optimizer
	unscaled        bool      // AutoScaleLoss(false)
	losses          perOutput // names and losses.Loss, nil for none
	lossWeights     perOutput // of numbers
	metrics         perOutput
	weightedMetrics perOutput
	perExecution    int // StepsPerExecution; 0: the training chooses
	steps           map[stepKind]StepFunc
	computeLoss     LossFunc
	watch           func(Value) // RunEagerly; nil where steps are compiled
	client          *runtime.Client
	logger          *slog.Logger
	broadcast       bool // BroadcastWeights
	compiler        compile.Options
	budget          report.Budget
	memory          int // in bytes; 0 is no limit
	policies        *memory.Policies
	microBatches    int // MicroBatches; 0: 1, or what Memory takes
}

// CompileOption is an option of Model.Compile, such as Optimizer or Loss.
type CompileOption struct{ compileSetting }

// compileSetting is the name of an option, and the function that sets it in a compileConfig.
type compileSetting = option.Option[compileConfig]

// Optimizer sets the optimizer, by name or as an *optimizers.Optimizer; "rmsprop" by default, as in
// Keras. An unknown name, and a nil or zero optimizer, are errors of Compile.
func Optimizer(o any) CompileOption {
	return CompileOption{compileSetting{Name: "Optimizer", Set: func(c *compileConfig) (err error) {
		c.optimizer, err = optimizers.Get(o)
		return err
	}}}
}

// AutoScaleLoss sets whether Compile makes the optimizer of a model with the
// policy mixed_float16 scale the loss (optimizers.NewLossScaleOptimizer). By
// default it does.
func AutoScaleLoss(scale bool) CompileOption {
	return CompileOption{option.New("AutoScaleLoss", func(c *compileConfig) { c.unscaled = !scale })}
}

// Loss sets the loss, by name, as a *losses.Loss or as a function: losses.Func, or func(yTrue,
// yPred *layers.Tensor) *layers.Tensor. A model with several outputs has one for each, in the order
// of the outputs or as a map by their names; one loss is that of all. It is trained on their sum.
// An output whose loss is nil, or that a map lacks, is not trained on. An unknown loss, and another
// number or other names than the outputs', are errors of Compile.
func Loss(perOutput ...any) CompileOption {
	return CompileOption{compileSetting{Name: "Loss", Set: func(c *compileConfig) error {
		c.losses = perOutputOf(perOutput).each(lossOf)
		for _, l := range c.losses.values() {
			if l == nil {
				continue
			}
			if _, err := losses.Get(l); err != nil {
				return err
			}
		}
		return nil
	}}}
}

// LossWeights sets what the losses of the outputs are multiplied by before they are summed: an int
// or float64 for each output in their order, or a map by their names. The weight of another output,
// or for nil, is 1. The logs of the outputs' losses are not multiplied. Other types, and weights
// that do not fit the outputs, are errors of Compile.
func LossWeights(perOutput ...any) CompileOption {
	return CompileOption{compileSetting{Name: "LossWeights", Set: func(c *compileConfig) error {
		c.lossWeights = perOutputOf(perOutput).each(func(w any) any {
			if n, ok := w.(int); ok {
				return float64(n)
			}
			return w
		})
		for _, w := range c.lossWeights.values() {
			if _, ok := w.(float64); !ok && w != nil {
				return fmt.Errorf("got %v, a %T, want numbers", w, w)
			}
		}
		return nil
	}}}
}

// Metrics sets the metrics that are shown besides the loss, by name, as *metrics.Metric or
// *losses.Loss, or as functions: metrics.Func, or the same on Tensors. The name of a function is
// that of the metric, as Python writes names. A model with several outputs has a metric, a []any of
// them or nil for each, in the order of the outputs or as a map by their names. An unknown metric
// is an error of Compile.
func Metrics(list ...any) CompileOption {
	return metricsOption("Metrics", list, func(c *compileConfig) *perOutput { return &c.metrics })
}

// WeightedMetrics sets metrics that weight each sample by SampleWeight or ClassWeight; as in Keras,
// those of Metrics do not. list has the forms that Metrics takes. A weighted metric with the name
// of another metric is shown as weighted_NAME.
func WeightedMetrics(list ...any) CompileOption {
	return metricsOption("WeightedMetrics", list, func(c *compileConfig) *perOutput { return &c.weightedMetrics })
}

// metricsOption returns the Compile option name, which sets a list of metrics for each output.
// field returns where in the config they are set. A metric that is not valid is an error of
// Compile.
func metricsOption(name string, list []any, field func(*compileConfig) *perOutput) CompileOption {
	return CompileOption{compileSetting{Name: name, Set: func(c *compileConfig) error {
		*field(c) = perOutputOf(list).each(metricOf)
		for _, m := range field(c).values() {
			if m == nil && len(list) == 1 {
				return metrics.Check(m)
			}
			for _, one := range flat(m) {
				if err := metrics.Check(one); err != nil {
					return err
				}
			}
		}
		return nil
	}}}
}

// StepsPerExecution sets how many steps run as one program, at least 1: Keras' steps_per_execution.
// It saves time where steps are short, and costs time to compile, memory for the batches, and
// callbacks their calls between the steps: they are called once for each execution, with the number
// of its last batch. All numbers are those of one step after the other. The program is a loop, so
// that the time to compile does not depend on n. Steps of an execution run one by one where fewer
// than n batches of one shape are left in the epoch, and where the model has convolutions and the
// devices' compiler is slow at these in loops, as on CPUs.
//
// Without it an execution is one step, as in Keras, until a training on CPUs with short steps has
// done many, and if none of its callbacks looks at batches (BatchObserver): from then on it is up
// to 16. StepsPerExecution(1) keeps that from happening.
func StepsPerExecution(n int) CompileOption {
	return CompileOption{compileSetting{Name: "StepsPerExecution", Set: func(c *compileConfig) error {
		if n < 1 {
			return fmt.Errorf("got %d, want a positive number of steps", n)
		}
		c.perExecution = n
		return nil
	}}}
}

// BroadcastWeights sets whether the variables of a model that several processes train,
// evaluate or predict with together are made equal before the first step of each epoch: all
// processes get the values of process 0, weights, states of the optimizer and of random
// generators alike. TensorFlow does that, and Horovod's BroadcastGlobalVariables. By default
// different values or seeds are an error that names the variables and the processes. Shuffled data
// want the same random.SetRandomSeed in all processes, or a ShuffleSeed.
func BroadcastWeights(broadcast bool) CompileOption {
	return CompileOption{option.New("BroadcastWeights", func(c *compileConfig) { c.broadcast = broadcast })}
}

// Client sets the client on whose devices the model runs: by default the process' client,
// distribution.Client. nil is an error.
func Client(c *runtime.Client) CompileOption {
	return CompileOption{compileSetting{Name: "Client", Set: func(cfg *compileConfig) error {
		cfg.client = c
		return made.Check("the client", c, "open one by runtime.Open, or leave the option out")
	}}}
}

// Logger sets the logger that gets warnings: slog.Default by default, and for nil.
func Logger(l *slog.Logger) CompileOption {
	return CompileOption{option.New("Logger", func(c *compileConfig) { c.logger = cmp.Or(l, slog.Default()) })}
}

// Compiler sets the compiler's options for the model's steps, such as the partitioner, or a
// directory for dumps (each step writes into its own directory below it).
func Compiler(o compile.Options) CompileOption {
	return CompileOption{option.New("Compiler", func(c *compileConfig) { c.compiler = o })}
}

// Budget bounds what each step of the model may cost a device; by default nothing does. A step that
// costs more is an error where it is compiled, which is the first time that Fit, Evaluate or
// Predict needs it, before anything runs: a *report.OverBudgetError. A budget that is not valid is
// an error of Compile.
func Budget(b report.Budget) CompileOption {
	return CompileOption{compileSetting{Name: "Budget", Set: func(c *compileConfig) error {
		if err := b.Validate(); err != nil {
			return fmt.Errorf("the budget %w", err)
		}
		c.budget = b
		return nil
	}}}
}

// Compile configures the model for training: keras.Model.compile. A model that was compiled without
// Loss trains on what its layers add to the loss (AddLoss, regularizers), or as its TrainStep or
// ComputeLoss says; else it can only predict. Compile replaces all that an earlier call has set,
// and its compiled steps.
//
// Like Distribute, Compile binds the model to the current distribution. Fit, Evaluate and Predict
// use it also after its scope has ended.
//
// Compile checks the layout map of a ModelParallel distribution: a rule that matches no variable
// and no layer output, and a layout that wastes memory, is a warning, and an error if the
// distribution is strict. The first step that is compiled is checked for layouts that are mistakes
// and cost time or memory: each is a warning with the line that mends it.
func (m *Model) Compile(opts ...CompileOption) error {
	if err := m.check(); err != nil {
		return fmt.Errorf("keras: compile: %w", err)
	}
	cfg := compileConfig{logger: slog.Default()}
	err := option.Apply("Compile", &cfg, opts, "Optimizer", "AutoScaleLoss", "Loss", "LossWeights", "Metrics", "WeightedMetrics", "StepsPerExecution", "TrainStep", "TestStep", "ComputeLoss", "RunEagerly", "BroadcastWeights", "Client", "Logger", "Compiler", "Budget", "Memory", "MemoryPolicies", "MicroBatches")
	if err == nil && cfg.microBatches > 1 && cfg.perExecution > 1 {
		err = fmt.Errorf("got MicroBatches(%d) and StepsPerExecution(%d): a step that is long enough to be divided gains nothing by the other; leave one out", cfg.microBatches, cfg.perExecution)
	}
	if err == nil && cfg.optimizer == nil {
		cfg.optimizer, err = optimizers.Get("rmsprop")
	}
	if err == nil && m.policy == layers.MixedFloat16 && !cfg.unscaled && !cfg.optimizer.ScalesLoss() {
		cfg.optimizer = optimizers.NewLossScaleOptimizer(cfg.optimizer)
	}
	if d := distribution.Current(); err == nil && d != nil {
		err = m.distribute(d, cfg.optimizer, cfg.logger)
	}
	if err == nil {
		err = cfg.openEagerly(m.devices())
	}
	c := &compiled{compileConfig: cfg, place: trace.Caller(), programs: make(map[string]*stepProgram), oneSteps: make(map[string]*oneStep)}
	c.loss = &tracked{log: "loss", given: metrics.Mean(metrics.Name("loss"))}
	if err == nil && m.built() {
		err = m.bind(c)
	}
	if err != nil {
		return fmt.Errorf("keras: model %s: %w", m.name, err)
	}
	m.dropPending() // a callback may compile the model
	m.compiled = c
	return nil
}

// bind binds losses and metrics that Compile was given to the outputs of a model that is built. It
// also lints the layouts: it logs warnings, or returns an error for a strict distribution.
func (m *Model) bind(c *compiled) error {
	return errors.Join(m.bindOutputs(c), m.lintLayouts(c.compileConfig))
}

// Distribution returns the distribution that the model is bound to; nil for a model on one device.
func (m *Model) Distribution() distribution.Distribution { return m.dist }

// Distribute binds the model to d; Compile binds it to the current distribution. If the model was
// built for one device, its variables are resharded and keep their values, a notice goes to the
// logger slog.Default, and the model must be compiled again. It is an error if d is nil, or if the
// model is bound to another distribution. An equal one changes nothing.
func (m *Model) Distribute(d distribution.Distribution) error {
	if err := m.distribute(d, nil, slog.Default()); err != nil {
		return fmt.Errorf("keras: model %s: %w", m.name, err)
	}
	return nil
}

// distribute binds the model to d. It reshards the variables of a built model and those of the
// optimizer o, unless o is nil; the model is then not compiled any more, and a notice goes to l. If
// the model is bound to an equal distribution, it does nothing. Another one, and a nil d, are
// errors.
func (m *Model) distribute(d distribution.Distribution, o *optimizers.Optimizer, l *slog.Logger) error {
	switch {
	case distribution.Check(d) != nil:
		return distribution.Check(d)
	case d == nil:
		return fmt.Errorf("got no distribution, want one, such as distribution.NewDataParallel returns")
	case m.dist != nil && reflect.DeepEqual(m.dist, d):
		return nil
	case m.dist != nil:
		return fmt.Errorf("it belongs to %s, and is compiled in the scope of %s: make the model in the scope it is compiled in, "+
			"or load its saved weights into one that was made there", describe(m.dist), describe(d))
	}
	if !m.built() {
		m.dist = d
		return nil
	}
	vs := m.Variables()
	shardings := make([]*layout.Sharding, len(vs))
	err := distribution.Scope(d, func() (err error) {
		for i, v := range vs {
			if shardings[i], err = distribution.VariableSharding(v.Path(), len(v.Shape())); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return err
	}
	ctx := context.Background()
	for i, v := range vs {
		if err := v.Relayout(ctx, shardings[i]); err != nil {
			return err
		}
	}
	if o != nil {
		if err := o.Relayout(ctx, d.DeviceMesh()); err != nil {
			return err
		}
	}
	m.dropPending()
	m.dist, m.compiled = d, nil
	l.Info(fmt.Sprintf("keras: model %s was made for one device: its %d variables are resharded for %s", m.name, len(vs), describe(d)))
	return nil
}

// describe returns a distribution's type and mesh for messages, such as "DataParallel on data=8".
func describe(d distribution.Distribution) string {
	return fmt.Sprintf("%s on %s", reflect.Indirect(reflect.ValueOf(d)).Type().Name(), d.DeviceMesh())
}
