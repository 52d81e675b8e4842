package optimizers

// This file defines Optimizer and how one is found by name.

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/gomlx/compute/dtypes"
	g "github.com/gomlx/gomlx/core/graph"

	"github.com/gospmd/gospmd/compile"
	"github.com/gospmd/gospmd/keras/initializers"
	"github.com/gospmd/gospmd/keras/variable"
	"github.com/gospmd/gospmd/layout"
	"github.com/gospmd/gospmd/mesh"
	"github.com/gospmd/gospmd/runtime"
)

// Optimizer updates trainable variables from their gradients. It belongs to
// one model, from that model's first training step on.
type Optimizer struct {
	name  string
	rate  float64
	slots []string
	rule  func(*Update)
	err   error // of the options; returned by Get

	iteration    *variable.Variable
	learningRate *variable.Variable
	trained      []*variable.Variable
	slotVars     map[*variable.Variable]map[string]*variable.Variable
	all          []*variable.Variable
}

// New returns an optimizer of your own: rule makes new values from an Update,
// keeping state in the named slots, which start at 0.
func New(name string, learningRate float64, slots []string, rule func(*Update)) *Optimizer {
	return &Optimizer{name: name, rate: learningRate, slots: slots, rule: rule}
}

// Update is the update of one variable, as the rule of an Optimizer sees it.
// All nodes have the variable's dtype and, but for scalars, its shape.
type Update struct {
	Gradient     *g.Node
	LearningRate *g.Node // scalar
	Step         *g.Node // scalar: number of this step, from 1

	scope    *variable.StatelessScope
	variable *variable.Variable
	slots    map[string]*variable.Variable
}

// Value returns the variable's current value.
func (u *Update) Value() *g.Node { return u.scope.Value(u.variable) }

// SetValue sets the variable's new value.
func (u *Update) SetValue(n *g.Node) { u.scope.Assign(u.variable, n) }

// Slot returns the current value of a slot.
func (u *Update) Slot(name string) *g.Node { return u.scope.Value(u.slots[name]) }

// SetSlot sets the new value of a slot and returns it.
func (u *Update) SetSlot(name string, n *g.Node) *g.Node {
	u.scope.Assign(u.slots[name], n)
	return n
}

// Name returns the name, which begins the paths of the optimizer's variables.
func (o *Optimizer) Name() string { return o.name }

// Build makes iteration, learning_rate and the slots for the variables, the
// slots in their variables' layouts, the rest replicated on dm (nil: one
// device). Building again for the same variables does nothing; for others it
// is an error, because the slots hold the training so far.
func (o *Optimizer) Build(trained []*variable.Variable, dm *mesh.DeviceMesh) error {
	if o.iteration != nil {
		if slices.Equal(o.trained, trained) {
			return nil
		}
		return fmt.Errorf("optimizer %s already belongs to a model with other trainable variables: compile with a new optimizer", o.name)
	}
	o.trained = slices.Clone(trained)
	o.iteration = variable.New(o.name+"/iteration", nil, dtypes.Int32, initializers.Zeros(), variable.NonTrainable(), variable.As(compile.RoleOptimizer))
	o.learningRate = variable.New(o.name+"/learning_rate", nil, dtypes.Float32, initializers.Constant(o.rate), variable.NonTrainable(), variable.As(compile.RoleOptimizer))
	o.all = []*variable.Variable{o.iteration, o.learningRate}
	if dm != nil {
		for _, v := range o.all {
			if err := v.SetSharding(layout.Replicated(dm, 0)); err != nil {
				return err
			}
		}
	}
	o.slotVars = make(map[*variable.Variable]map[string]*variable.Variable, len(trained))
	for _, v := range trained {
		o.slotVars[v] = make(map[string]*variable.Variable, len(o.slots))
	}
	for _, slot := range o.slots {
		for _, v := range trained {
			path := o.name + "/" + strings.ReplaceAll(v.Path(), "/", "_") + "_" + slot
			sv := variable.New(path, v.Shape(), v.DType(), initializers.Zeros(), variable.NonTrainable(), variable.As(compile.RoleOptimizer))
			if err := sv.SetSharding(v.Sharding()); err != nil {
				return err
			}
			o.slotVars[v][slot] = sv
			o.all = append(o.all, sv)
		}
	}
	return nil
}

// Variables returns iteration, learning_rate and the slots, in Keras' order.
// It is empty before Build.
func (o *Optimizer) Variables() []*variable.Variable { return o.all }

// Apply assigns the variables' and the slots' new values in s. gradients are
// those of the variables that Build was given, in that order.
func (o *Optimizer) Apply(s *variable.StatelessScope, gradients []*g.Node) {
	iteration := s.Value(o.iteration)
	for i, v := range o.trained {
		step := g.ConvertDType(g.AddScalar(iteration, 1), v.DType())
		s.Recorder.Scope(v.Path(), func() {
			o.rule(&Update{
				Gradient:     g.ConvertDType(gradients[i], v.DType()),
				LearningRate: g.ConvertDType(s.Value(o.learningRate), v.DType()),
				Step:         step,
				scope:        s,
				variable:     v,
				slots:        o.slotVars[v],
			})
		})
	}
	s.Assign(o.iteration, g.AddScalar(iteration, 1))
}

// LearningRate returns the current learning rate.
func (o *Optimizer) LearningRate(ctx context.Context) (float64, error) {
	if o.learningRate == nil {
		return o.rate, nil
	}
	flat, err := o.learningRate.Value(ctx)
	if err != nil {
		return 0, err
	}
	return float64(flat.([]float32)[0]), nil
}

// SetLearningRate changes the learning rate from the next step on. c is the
// client of the model's devices; before the first step it may be nil.
func (o *Optimizer) SetLearningRate(c *runtime.Client, rate float64) error {
	if err := checkRate(rate); err != nil {
		return err
	}
	if o.learningRate != nil {
		return o.learningRate.Assign(c, []float32{float32(rate)})
	}
	o.rate = rate
	return nil
}

// byName maps Keras' names to the optimizers.
var byName = map[string]func(...Option) *Optimizer{
	"adam":    Adam,
	"rmsprop": RMSprop,
	"sgd":     SGD,
}

// Get returns the optimizer of a name in any case, such as "rmsprop", with
// Keras' defaults; an *Optimizer as it is.
func Get(optimizer any) (*Optimizer, error) {
	switch o := optimizer.(type) {
	case *Optimizer:
		return o, o.err
	case string:
		if makeOptimizer, ok := byName[strings.ToLower(o)]; ok {
			return makeOptimizer(), nil
		}
		return nil, fmt.Errorf("unknown optimizer %q: want one of %s, or an optimizers.Optimizer",
			o, strings.Join(slices.Sorted(maps.Keys(byName)), ", "))
	default:
		return nil, fmt.Errorf("optimizer is a %T: want a name such as \"rmsprop\", or an optimizers.Optimizer", optimizer)
	}
}
