package optimizers

// This file defines Optimizer, and Get, which finds an optimizer by name.

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/gomlx/compute/dtypes"
	g "github.com/gomlx/gomlx/core/graph"

	"github.com/gospmd/gospmd/internal/made"
	"github.com/gospmd/gospmd/internal/option"
	"github.com/gospmd/gospmd/internal/suggest"
	"github.com/gospmd/gospmd/ir"
	"github.com/gospmd/gospmd/keras/initializers"
	"github.com/gospmd/gospmd/keras/variable"
	"github.com/gospmd/gospmd/layout"
	"github.com/gospmd/gospmd/mesh"
	"github.com/gospmd/gospmd/runtime"
)

// Optimizer updates trainable variables from their gradients. From its first training step on it
// belongs to one model.
type Optimizer struct {
	class        string // Keras' name, empty for one of the user's own
	common       common
	options      any // a pointer to the struct of the other options of the class
	groups       []slotGroup
	rule         func(*Update)
	scalars      []sharedScalar
	untracked    bool                             // part of a LossScaleOptimizer; see addScalars
	decay        func(*variable.Variable) float64 // weight decay by variable, nil: the option's
	err          error                            // of the options; returned by Get
	scaling      *lossScale                       // nil unless NewLossScaleOptimizer made it
	multi        *multi                           // nil unless MultiOptimizer made it
	iteration    *variable.Variable
	learningRate *variable.Variable // nil with a schedule
	trained      []*variable.Variable
	slotVars     map[*variable.Variable]map[string]*variable.Variable
	all          []*variable.Variable
}

// slotGroup is a group of slots. Variables lists the slots of a group by trained variable: first
// all slots of the first variable, then those of the second, and so on.
type slotGroup struct {
	names   []string
	initial map[string]float64 // by name; 0 by default
	// dims reports whether a variable has the slot, and returns the dimensions of the variable that
	// the slot does not have. If dims is nil, each variable has the slot, in its own shape.
	dims func(slot string, v *variable.Variable) (without []int, wanted bool)
}

// sharedScalar is a number that the rule reads for all variables, such as Nadam's momentum. next
// returns its value for the next update from its value now and the number of the step.
type sharedScalar struct {
	name    string
	initial float64
	next    func(now, step *g.Node) *g.Node
	// holds the scalar; nil before Build, and if the optimizer is untracked
	variable *variable.Variable
}

// These are the names of the slots that the common options need.
const (
	averageSlot     = "average"
	accumulatorSlot = "gradient_accumulator"
)

// New returns an optimizer of your own, with this name and learning rate, and else Keras' defaults.
// rule sets the new values of an Update. It may keep state in the named slots, which have each
// variable's shape and start at 0.
func New(name string, learningRate float64, slots []string, rule func(*Update)) *Optimizer {
	o := &Optimizer{rule: rule}
	option.SetDefaults(&o.common)
	o.common.Name, o.common.LearningRate.number = name, learningRate
	for _, s := range slots {
		o.groups = append(o.groups, slotGroup{names: []string{s}})
	}
	return o
}

// Update is the argument of an update rule: the update of one variable. All nodes have the
// variable's dtype. They have the variable's shape, or are scalars.
type Update struct {
	Gradient     *g.Node
	LearningRate *g.Node // scalar
	Step         *g.Node // scalar: the number of this update, from 1

	scope    *variable.StatelessScope
	variable *variable.Variable
	before   *g.Node // its value before weight decay
	slots    map[string]*variable.Variable
	scalars  map[string]*g.Node
}

// Value returns the variable's value so far: before the rule calls SetValue that after the weight
// decay, and afterwards the value that was set.
func (u *Update) Value() *g.Node { return u.scope.Value(u.variable) }

// SetValue makes n the new value of the variable, after the step.
func (u *Update) SetValue(n *g.Node) { u.scope.Assign(u.variable, n) }

// Slot returns the current value of the variable's slot with that name.
func (u *Update) Slot(name string) *g.Node { return u.scope.Value(u.slots[name]) }

// SetSlot sets the new value of the slot with that name of the variable to n, and returns it.
func (u *Update) SetSlot(name string, n *g.Node) *g.Node {
	u.scope.Assign(u.slots[name], n)
	return n
}

// Name returns the optimizer's name, such as adam. The paths of the optimizer's variables begin
// with it.
func (o *Optimizer) Name() string { return o.common.Name }

// Build makes the variables iteration, learning_rate and the slots for the trained variables. A
// slot has the sharding of its variable. The others are replicated on dm; nil is one device.
// Building again for the same variables does nothing. For other variables it is an error, because
// the slots hold the state of the training.
func (o *Optimizer) Build(trained []*variable.Variable, dm *mesh.DeviceMesh) error {
	if o.scaling != nil {
		if err := o.scaling.build(dm); err != nil {
			return err
		}
	}
	if o.iteration != nil {
		if slices.Equal(o.trained, trained) {
			return nil
		}
		return fmt.Errorf("optimizer %s already belongs to a model with other trainable variables: compile with a new optimizer", o.common.Name)
	}
	if o.multi != nil {
		if err := o.multi.assign(o, trained); err != nil {
			return err
		}
	}
	o.trained = slices.Clone(trained)
	if err := o.buildRate(dm); err != nil {
		return err
	}
	if o.multi != nil {
		return o.multi.build(o, dm)
	}
	o.slotVars = make(map[*variable.Variable]map[string]*variable.Variable, len(trained))
	for _, v := range trained {
		o.slotVars[v] = make(map[string]*variable.Variable)
	}
	for _, group := range slices.Concat(o.common.slots(), o.groups) {
		for _, v := range trained {
			if err := o.addSlots(v, group); err != nil {
				return err
			}
		}
	}
	return o.addScalars(dm)
}

// buildRate makes the variable iteration and, without a schedule, learning_rate, on the mesh dm. It
// sets o.all to them.
func (o *Optimizer) buildRate(dm *mesh.DeviceMesh) error {
	o.iteration = scalar(o.common.Name, "iteration", dtypes.Int32, 0)
	o.all = []*variable.Variable{o.iteration}
	if o.common.LearningRate.schedule == nil {
		o.learningRate = scalar(o.common.Name, "learning_rate", dtypes.Float32, o.common.LearningRate.number)
		o.all = append(o.all, o.learningRate)
	}
	return replicate(o.all, dm)
}

// addScalars makes the variables of the numbers that the rule shares among all trained variables,
// replicated on dm, and adds them to o.all. It makes none within a LossScaleOptimizer: Keras' files
// lack them there, and each step begins with their initial values.
func (o *Optimizer) addScalars(dm *mesh.DeviceMesh) error {
	if o.untracked {
		return nil
	}
	for i, x := range o.scalars {
		v := scalar(o.common.Name, x.name, dtypes.Float32, x.initial)
		if err := replicate([]*variable.Variable{v}, dm); err != nil {
			return err
		}
		o.scalars[i].variable = v
		o.all = append(o.all, v)
	}
	return nil
}

// Relayout changes the shardings of the optimizer's variables after those of the trained variables
// have changed. A slot gets the sharding of its variable. The others are replicated on dm, or have
// no sharding if dm is nil. It stops at the first error.
func (o *Optimizer) Relayout(ctx context.Context, dm *mesh.DeviceMesh) error {
	ofSlot := make(map[*variable.Variable]*layout.Sharding)
	o.slotShardings(ofSlot)
	for _, v := range o.Variables() {
		s, isSlot := ofSlot[v]
		if !isSlot && dm != nil {
			s = layout.Replicated(dm, len(v.Shape()))
		}
		if err := v.Relayout(ctx, s); err != nil {
			return err
		}
	}
	return nil
}

// slotShardings adds to ofSlot the sharding of each slot, which follows from that of its variable.
// It includes the slots of inner optimizers.
func (o *Optimizer) slotShardings(ofSlot map[*variable.Variable]*layout.Sharding) {
	for _, inner := range o.Optimizers() {
		inner.slotShardings(ofSlot)
	}
	for _, v := range o.trained {
		for _, group := range slices.Concat(o.common.slots(), o.groups) {
			for _, name := range group.names {
				if slot := o.slotVars[v][name]; slot != nil {
					var without []int
					if group.dims != nil {
						without, _ = group.dims(name, v)
					}
					_, ofSlot[slot] = withoutDims(v.Shape(), v.Sharding(), without)
				}
			}
		}
	}
}

// addSlots makes the slots of the group for the variable v, as far as v has them, with v's
// sharding, less the dimensions that a slot does not have. It adds them to o.slotVars and o.all.
func (o *Optimizer) addSlots(v *variable.Variable, group slotGroup) error {
	for _, name := range group.names {
		var without []int
		wanted := true
		if group.dims != nil {
			without, wanted = group.dims(name, v)
		}
		if !wanted {
			continue
		}
		path := o.common.Name + "/" + strings.ReplaceAll(v.Path(), "/", "_") + "_" + name
		dims, sharding := withoutDims(v.Shape(), v.Sharding(), without)
		dtype := v.DType()
		if len(dims) == 0 && len(without) > 0 { // is not used
			if o.untracked {
				continue
			}
			dtype = dtypes.Int32 // an integer in Keras' files
		}
		slot := variable.New(path, dims, dtype, initializers.Constant(group.initial[name]), variable.NonTrainable(), variable.As(ir.RoleOptimizer))
		if err := slot.SetSharding(sharding); err != nil {
			return err
		}
		o.slotVars[v][name] = slot
		o.all = append(o.all, slot)
	}
	return nil
}

// withoutDims returns a shape and its sharding without the dimensions listed in without. The
// sharding may be nil.
func withoutDims(shape []int, s *layout.Sharding, without []int) ([]int, *layout.Sharding) {
	if len(without) == 0 {
		return shape, s
	}
	var dims []int
	for d, n := range shape {
		if !slices.Contains(without, d) {
			dims = append(dims, n)
		}
	}
	if s == nil {
		return dims, nil
	}
	kept := layout.Replicated(s.Mesh, len(dims))
	i := 0
	for d := range shape {
		if !slices.Contains(without, d) {
			kept.Dims[i] = s.Dims[d]
			i++
		}
	}
	return dims, kept
}

// Variables returns iteration, learning_rate (unless a schedule sets it) and the slots, in Keras'
// order; for a MultiOptimizer, its own and then those of its optimizers. The variables of a
// LossScaleOptimizer come first. There are none before Build.
func (o *Optimizer) Variables() []*variable.Variable {
	if o.scaling == nil {
		return o.all
	}
	return slices.Concat(o.scaling.all, o.all)
}

// InnerVariables returns what Variables does, without the variables of the loss scale that a
// LossScaleOptimizer has.
func (o *Optimizer) InnerVariables() []*variable.Variable { return o.all }

// EarlyVariables returns the variables that Keras' optimizer has before it is built for a model:
// iterations and learning rates. It is called after Build.
func (o *Optimizer) EarlyVariables() (early []*variable.Variable) {
	if o.scaling != nil {
		early = append(early, o.scaling.all[:2]...)
	}
	early = append(early, o.iteration)
	if o.learningRate != nil {
		early = append(early, o.learningRate)
	}
	for _, inner := range o.Optimizers() {
		early = append(early, inner.EarlyVariables()...)
	}
	return early
}

// LearningRate returns the current learning rate: that of the schedule at the current step, or the
// variable's. It waits for steps that run. A MultiOptimizer has none, which is an error.
func (o *Optimizer) LearningRate(ctx context.Context) (float64, error) {
	if o.multi != nil {
		return 0, o.errRates()
	}
	if o.common.LearningRate.schedule != nil {
		step := 0
		if o.iteration != nil {
			flat, err := o.iteration.Value(ctx)
			if err != nil {
				return 0, err
			}
			step = int(flat.([]int32)[0])
		}
		return RateAt(o.common.LearningRate.schedule, step)
	}
	if o.learningRate == nil {
		return o.common.LearningRate.number, nil
	}
	flat, err := o.learningRate.Value(ctx)
	if err != nil {
		return 0, err
	}
	return float64(flat.([]float32)[0]), nil
}

// SetLearningRate changes the learning rate from the next step on. c is the client of the model's
// devices. Before the first step it may be nil. A rate that is negative or not finite, an optimizer
// with a schedule, and a MultiOptimizer, are errors.
func (o *Optimizer) SetLearningRate(c *runtime.Client, rate float64) error {
	if err := checkRate(rate); err != nil {
		return err
	}
	if o.multi != nil {
		return o.errRates()
	}
	if o.common.LearningRate.schedule != nil {
		return fmt.Errorf("optimizer %s was made with a schedule of its learning rate, which cannot be set: make it with LearningRate instead", o.common.Name)
	}
	if o.learningRate != nil {
		return o.learningRate.Assign(c, []float32{float32(rate)})
	}
	o.common.LearningRate.number = rate
	return nil
}

// byName maps Keras' names in lower case to the constructors of optimizers.
var byName = map[string]func(...Option) *Optimizer{
	"adadelta":  Adadelta,
	"adafactor": Adafactor,
	"adagrad":   Adagrad,
	"adam":      Adam,
	"adamax":    Adamax,
	"adamw":     AdamW,
	"ftrl":      Ftrl,
	"lamb":      Lamb,
	"lion":      Lion,
	"muon":      Muon,
	"nadam":     Nadam,
	"rmsprop":   RMSprop,
	"sgd":       SGD,

	"schedulefreeadamw": ScheduleFreeAdamW,
}

// Get returns the optimizer of a name, such as "rmsprop", with Keras' defaults, or an *Optimizer as
// it is. Upper and lower case are the same. An unknown name, and the error of an *Optimizer's
// options, are errors.
func Get(optimizer any) (*Optimizer, error) {
	switch o := optimizer.(type) {
	case *Optimizer:
		if err := made.Check("the optimizer", o, "make one such as optimizers.Adam()"); err != nil {
			return nil, err
		}
		return o, o.err
	case string:
		if makeOptimizer, ok := byName[strings.ToLower(o)]; ok {
			return makeOptimizer(), nil
		}
		names := slices.Sorted(maps.Keys(byName))
		return nil, fmt.Errorf("unknown optimizer %q%s: want one of %s, or an optimizers.Optimizer",
			o, suggest.DidYouMean(o, names), strings.Join(names, ", "))
	default:
		return nil, fmt.Errorf("optimizer is a %T: want a name such as \"rmsprop\", or an optimizers.Optimizer", optimizer)
	}
}
