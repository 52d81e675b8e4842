package metrics

// This file defines Metric, its state, and how a batch updates it.

import (
	"fmt"
	"path"
	"strings"

	"github.com/gomlx/compute/dtypes"
	g "github.com/gomlx/gomlx/core/graph"

	"github.com/gospmd/gospmd/internal/autoname"
	"github.com/gospmd/gospmd/internal/option"
	"github.com/gospmd/gospmd/ir"
	"github.com/gospmd/gospmd/keras/initializers"
	"github.com/gospmd/gospmd/keras/losses"
	"github.com/gospmd/gospmd/keras/variable"
	"github.com/gospmd/gospmd/layout"
	"github.com/gospmd/gospmd/mesh"
)

// Func computes a value for each sample, or for each element, from labels and predictions.
type Func func(yTrue, yPred *g.Node) *g.Node

// Metric is one number, or a few, computed over the batches of an epoch: keras.metrics.Metric. Its
// state is in variables NAME/… on the devices, where NAME is the name under which the training
// shows the metric. If the options of a constructor are wrong, Get and Check return the error.
type Metric struct {
	class     string // Keras' name, empty for a metric of the user's own
	err       error
	common    common
	options   any // a pointer to the struct of options of the class
	rule      rule
	variables []*variable.Variable
	byName    map[string]*variable.Variable
}

// rule defines a kind of metric: its state, how a batch updates the state, and the result.
type rule struct {
	// state returns the variables of the state, for labels and predictions of these
	// shapes; they start at 0.
	state func(labels, predictions []int) ([]StateVariable, error)
	// adds a batch to the state; nil for a metric of values, which has no labels
	update func(u *Update)
	result func(s *State) *g.Node
	// numbers returns how many numbers the result has, for predictions of the given shape; nil: one.
	numbers func(predictions []int) int
	err     error // of options that do not fit together
}

// StateVariable describes a variable of a metric's state. DType is float32 by default.
type StateVariable struct {
	Name  string
	Shape []int
	DType dtypes.DType
}

// State reads and writes a metric's state while a step is traced.
type State struct {
	metric *Metric
	scope  *variable.StatelessScope
}

// variable returns the variable of the state with that name. If there is none, it panics with an
// error that names those there are.
func (s *State) variable(name string) *variable.Variable {
	v := s.metric.byName[name]
	if v != nil {
		return v
	}
	if s.metric.variables == nil {
		panic(fmt.Errorf("metric %s has no state: call Build first", s.metric.Name()))
	}
	var names []string
	for _, v := range s.metric.variables {
		names = append(names, path.Base(v.Path()))
	}
	panic(fmt.Errorf("metric %s has no %q in its state, but %s: UpdateValues is for a Mean or a Sum, UpdateMean for a Mean, Update for others",
		s.metric.Name(), name, strings.Join(names, ", ")))
}

// Get returns the current value of the variable of the state with that name; an unknown name
// panics, in Add and Set too.
func (s *State) Get(name string) *g.Node { return s.scope.Value(s.variable(name)) }

// Add adds n, converted to the variable's type, to the variable of the state with that name.
func (s *State) Add(name string, n *g.Node) {
	v := s.variable(name)
	s.scope.Assign(v, g.Add(s.scope.Value(v), g.ConvertDType(n, v.DType())))
}

// Set sets the variable of the state with that name to n.
func (s *State) Set(name string, n *g.Node) { s.scope.Assign(s.variable(name), n) }

// Update holds one batch. SampleWeight is nil if samples have no weights. Predictions of half
// precision are converted to float32.
type Update struct {
	YTrue, YPred, SampleWeight *g.Node
	State
}

// New returns a metric of your own with that name: the mean of values over all samples.
func New(name string, values Func) *Metric {
	return &Metric{common: common{name}, rule: meanOf(values)}
}

// NewStateful returns a metric of your own with a state: update changes it with each
// batch, and result computes the number that is shown.
func NewStateful(name string, state []StateVariable, update func(*Update), result func(*State) *g.Node) *Metric {
	return &Metric{common: common{name}, rule: rule{
		state:  func([]int, []int) ([]StateVariable, error) { return state, nil },
		update: update,
		result: result,
	}}
}

// newMetric returns a metric of Keras' class with these options, which are the fields of a T. of
// makes its rule from their values. An error in the options is kept in the metric.
func newMetric[T any](class string, opts []Option, of func(o *T) rule) *Metric {
	o := new(T)
	m := &Metric{class: class, options: o}
	option.SetDefaults(o)
	if m.err = option.Assign(class, opts, &m.common, o); m.err == nil {
		m.rule = of(o)
	}
	if m.rule.err != nil {
		m.err = fmt.Errorf("%s: %w", class, m.rule.err)
	}
	if m.common.Name == "" {
		m.common.Name = defaultName(class)
	}
	return m
}

// meanMetric returns the metric of Keras' class that is the mean over samples of the results of
// values. It has only the option Name.
func meanMetric(class string, opts []Option, values Func) *Metric {
	return newMetric(class, opts, func(*noOptions) rule { return meanOf(values) })
}

// defaultName returns the name of a metric of that class without the option Name: for AUC and some
// others with a number, such as auc_1, as in Keras.
func defaultName(class string) string {
	for _, c := range classes {
		if c.class == class && c.numbered {
			return autoname.Next(c.names[0])
		} else if c.class == class {
			return c.names[0]
		}
	}
	return class
}

// Name returns the name under which the logs show the metric.
func (m *Metric) Name() string { return m.common.Name }

// Build makes the variables of the state, with paths below path, for labels and predictions of
// these shapes; they take the place of those of an earlier call. They are replicated on dm; nil is
// one device. It returns an error if the labels or the predictions do not fit the metric.
func (m *Metric) Build(path string, dm *mesh.DeviceMesh, labels, predictions []int) error {
	if err := m.checkLabels(labels, predictions); err != nil {
		return err
	}
	state, err := m.rule.state(labels, predictions)
	if err != nil {
		return fmt.Errorf("metric %s: %w", m.Name(), err)
	}
	m.variables, m.byName = nil, make(map[string]*variable.Variable)
	for _, s := range state {
		if s.DType == dtypes.InvalidDType {
			s.DType = dtypes.Float32
		}
		v := variable.New(path+"/"+s.Name, s.Shape, s.DType, initializers.Zeros(), variable.NonTrainable(), variable.As(ir.RoleState))
		if dm != nil {
			if err := v.SetSharding(layout.Replicated(dm, len(s.Shape))); err != nil {
				return err
			}
		}
		m.variables, m.byName[s.Name] = append(m.variables, v), v
	}
	return nil
}

// Variables returns the variables of the state. There are none before Build.
func (m *Metric) Variables() []*variable.Variable { return m.variables }

// Update adds a batch to the state. weights hold a weight for each sample, or are nil. A Mean or a
// Sum, which takes values, panics with an error that says so.
func (m *Metric) Update(s *variable.StatelessScope, yTrue, yPred, weights *g.Node) {
	m.rule.update(&Update{YTrue: yTrue, YPred: losses.Full(yPred), SampleWeight: weights, State: State{m, s}})
}

// Numbers returns how many numbers the result has, for predictions of the given shape.
func (m *Metric) Numbers(predictions []int) int {
	if m.rule.numbers == nil || len(predictions) == 0 {
		return 1
	}
	return m.rule.numbers(predictions)
}

// Result returns the current result: a scalar, or a vector whose elements are shown as NAME_0,
// NAME_1, ….
func (m *Metric) Result(s *variable.StatelessScope) *g.Node {
	return g.ConvertDType(m.rule.result(&State{m, s}), dtypes.Float32)
}
