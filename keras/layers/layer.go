package layers

// This file defines Layer, Base and Builder, which every layer uses, and how layers get names.

import (
	"fmt"
	"reflect"
	"slices"
	"strings"

	"github.com/gomlx/compute/dtypes"
	"github.com/gomlx/gomlx/core/graph"

	"github.com/gospmd/gospmd/internal/autoname"
	"github.com/gospmd/gospmd/ir"
	"github.com/gospmd/gospmd/keras/distribution"
	"github.com/gospmd/gospmd/keras/initializers"
	"github.com/gospmd/gospmd/keras/random"
	"github.com/gospmd/gospmd/keras/regularizers"
	"github.com/gospmd/gospmd/keras/variable"
)

// Layer is a part of a model. Every layer embeds Base, which has all methods. It overrides Call, or
// has a method Compute on Tensors, which Base.Call calls, and overrides Build if it makes
// variables. It may consist of other layers, or models (*keras.Model), which it holds in exported
// fields of its struct and applies in its call.
//
// A Layer may also implement
//   - Configured, without which a model that contains it cannot be saved to a
//     .keras archive, only its weights;
//   - Composite, if the layers that it consists of are not in exported fields.
type Layer interface {
	// Build makes the layer's own variables for inputs of the given specs. It is
	// called once, before the first Call. An error says what does not fit.
	Build(b *Builder, inputs []Spec) error
	// Call computes the outputs. The batch is dimension 0 of every input. Like
	// all code that builds GoMLX graphs, Call panics if shapes do not fit; the
	// panic becomes an error that names the layer.
	Call(c *Context, inputs []*graph.Node) []*graph.Node

	// These are methods of Base.
	Name() string
	SetName(name string)
	Trainable() bool
	SetTrainable(trainable bool)
	FreezeOwn()
	DTypePolicy() string
	SetDTypePolicy(name string)
	Variables() []*variable.Variable
	OwnVariables() []*variable.Variable

	base() *Base
}

// Configured is a Layer that can return the options it was made with, so that a .keras archive can
// hold it. Config returns them by their keys in the archive.
type Configured interface {
	Layer
	// Config returns the options under the names of Keras' get_config, without
	// name, trainable and dtype. Initializers are initializers.Initializer. An
	// option that has no name in Keras is an error.
	Config() (map[string]any, error)
}

// Spec is the shape and the type of a symbolic tensor, the batch included. A dimension of -1 is
// open, as the batch is.
type Spec struct {
	Shape []int
	DType dtypes.DType
}

// String returns the shape as Keras writes it and the type: (None, 28, 28) float32.
func (s Spec) String() string {
	if s.DType == String {
		return ShapeText(s.Shape) + " string"
	}
	return ShapeText(s.Shape) + " " + s.DType.String()
}

// Base holds what all layers have: name, variables, inner layers, dtype policy,
// and the first error of the layer's options.
type Base struct {
	class     string // Keras' name of the class, of declared layers (declare.go)
	name      string
	path      string // the layer's name, behind the names of the layers that contain it
	variables []*variable.Variable
	fixed     []*variable.Variable // those of variables that are never trained
	inner     []Layer              // the layers that the layer consists of
	outer     []*Base              // the layers that the layer is a part of
	calling   *Context             // the context of the running call of the layer; nil between calls
	adopted   bool                 // inner holds those of Parts
	built     bool
	topLevel  bool // the path is the name, also within other layers
	frozen    bool
	freeParts bool // only the layer's own variables are frozen
	// dtype policy; in layers of users' types the zero value until the layer is built
	policy     policy
	keepInputs bool                      // set by KeepInputs
	activity   *regularizers.Regularizer // of the outputs, or nil
	place      ir.Location               // the user's line that made the layer
	nodes      []*Node                   // the applications of the layer
	remat      remat                     // what is computed again in the backward pass
	err        error
	reported   error // err with the layer's name and place, once it was returned to a caller
}

func (b *Base) base() *Base { return b }

// Name returns the layer's name: that of the option Name or of SetName, or one made of the type,
// such as dense or dense_1. A layer without a given name has "" until it is first applied, or
// becomes a part of another layer.
func (b *Base) Name() string { return b.name }

// SetName names the layer, like the option Name: for types of your own. An empty name, a name with
// "/" and a layer that is built already are errors, which the layer keeps.
func (b *Base) SetName(name string) {
	switch {
	case b.built:
		b.fail("layer %s cannot be renamed to %q: its variables have paths already", b.name, name)
	case name == "" || strings.Contains(name, "/"):
		b.fail("SetName: got %q, want a name without \"/\"", name)
	default:
		b.name = name
	}
}

// Build makes nothing: the layer has no variables of its own.
func (b *Base) Build(*Builder, []Spec) error { return nil }

// OwnVariables returns the variables that the layer made itself, in the order they were made. It is
// empty before the layer is built. Do not change the list.
func (b *Base) OwnVariables() []*variable.Variable { return b.variables }

// Variables returns the layer's variables, each once: its own, then those of the
// layers that it consists of.
func (b *Base) Variables() (all []*variable.Variable) {
	b.walk(make(map[*Base]bool), func(b *Base) { all = append(all, b.variables...) })
	return all
}

// Trainable reports whether the layer is not frozen. It is false after SetTrainable(false) of the
// layer, or of a layer that contains it, and after FreezeOwn; SetTrainable(true) makes it true
// again.
func (b *Base) Trainable() bool { return !b.frozen }

// SetTrainable freezes (false) or unfreezes the layer and the layers that it consists of, from the
// next Compile on. Variables that are never trained, such as moving averages, stay so.
func (b *Base) SetTrainable(t bool) {
	b.walk(make(map[*Base]bool), func(b *Base) {
		b.frozen, b.freeParts = !t, false
		for _, v := range b.variables {
			v.SetTrainable(t && !slices.Contains(b.fixed, v))
		}
	})
}

// FreezeOwn freezes the variables that the layer makes itself, and not the layers that it consists
// of. That is what trainable=False does in the constructors of Keras.
func (b *Base) FreezeOwn() {
	b.frozen, b.freeParts = true, true
	for _, v := range b.variables {
		v.SetTrainable(false)
	}
}

// walk calls visit for the layer, and then for the layers that it consists of, each once: seen has
// those that were visited.
func (b *Base) walk(seen map[*Base]bool, visit func(*Base)) {
	if seen[b] {
		return
	}
	seen[b] = true
	visit(b)
	for _, l := range b.inner {
		l.base().walk(seen, visit)
	}
}

// fail records the error of a layer's construction that format and args give. It keeps the first
// one only.
func (b *Base) fail(format string, args ...any) {
	if b.err == nil {
		b.err = fmt.Errorf(format, args...)
	}
}

// Builder makes a layer's variables, in the sharding that the current distribution has for their
// path. A Layer's Build gets one.
type Builder struct {
	layer  *Base
	path   string // the prefix of the variables' paths
	inputs []Spec
	err    error // the first one of Weight
}

// Path returns the prefix of the paths of the layer's variables: the layer's path, such as
// block/dense.
func (b *Builder) Path() string { return b.path }

// AddWeight makes a variable of the layer, whose path is the layer's path and the name, such as
// d1/kernel. init fills it with its first value. The distribution decides its sharding. In a frozen
// layer it is not trainable. Sizes that are open (-1), too many elements, and a layout that does
// not fit are errors.
func (b *Builder) AddWeight(name string, shape []int, dtype dtypes.DType, init variable.Filler, opts ...variable.Option) (*variable.Variable, error) {
	return b.add(b.path+"/"+name, shape, dtype, init, opts...)
}

// Weight is AddWeight in short, as self.add_weight is in Keras: init is the name of an initializer,
// such as "glorot_uniform", or an initializers.Initializer, and the type is that of the layer's
// policy. After an error it returns nil. Build may go on then: the layer fails with the first such
// error when Build has returned.
//
//	l.kernel = b.Weight("kernel", "glorot_uniform", inputs[0].Shape[1], l.units)
func (b *Builder) Weight(name string, init any, shape ...int) *variable.Variable {
	i, err := initializers.Get(init)
	var v *variable.Variable
	if err == nil {
		v, err = b.AddWeight(name, shape, b.layer.policy.variable, i)
	}
	if err != nil && b.err == nil {
		b.err = err
	}
	return v
}

// weight describes a variable for addAll: where the variable is stored, whether it is made, its
// name, its initializer and its options.
type weight struct {
	to     **variable.Variable
	wanted bool
	name   string
	init   variable.Filler
	opts   []variable.Option
}

// addAll makes a variable, by AddWeight, for each of the weights whose field wanted is true, and
// stores it in the weight's field to. All have the given shape and type. The first error ends it.
func (b *Builder) addAll(weights []weight, shape []int, dtype dtypes.DType) (err error) {
	for _, w := range weights {
		if !w.wanted {
			continue
		}
		if *w.to, err = b.AddWeight(w.name, shape, dtype, w.init, w.opts...); err != nil {
			return err
		}
	}
	return nil
}

// SeedGenerator makes the state of a generator of random numbers: the variable
// seed_generator/seed_generator_state, uint32[2]. As in Keras its path begins with the generator's
// name, not with the layer's.
func (b *Builder) SeedGenerator(seed *random.SeedGenerator) (*variable.Variable, error) {
	return b.seedState(seed.Name(), seed)
}

// ownSeedGenerator is SeedGenerator for a generator that Build makes: in Keras its path begins
// with that of the layer.
func (b *Builder) ownSeedGenerator(seed *random.SeedGenerator) (*variable.Variable, error) {
	return b.seedState(b.path+"/"+seed.Name(), seed)
}

func (b *Builder) seedState(path string, seed *random.SeedGenerator) (*variable.Variable, error) {
	return b.add(path+"/"+variable.SeedState, []int{2}, dtypes.Uint32, seed, variable.NonTrainable(), variable.As(ir.RoleState))
}

func (b *Builder) add(path string, shape []int, dtype dtypes.DType, init variable.Filler, opts ...variable.Option) (*variable.Variable, error) {
	for _, d := range shape {
		if d < 0 {
			return nil, fmt.Errorf("weight %s cannot have the shape %s: a dimension of the input %v that it depends on is open; "+
				"give keras.Input a number for it, or reduce the open dimensions first, as GlobalAveragePooling2D does", path, ShapeText(shape), b.inputs)
		}
	}
	if _, ok := ir.Elements(shape...); !ok {
		return nil, fmt.Errorf("weight %s cannot have the shape %s: it would have more than 2^56 elements; make the layer or its input %v smaller",
			path, ShapeText(shape), b.inputs)
	}
	v := variable.New(path, slices.Clone(shape), dtype, init, opts...)
	s, err := distribution.VariableSharding(path, len(shape))
	if err != nil {
		return nil, err
	}
	if err := v.SetSharding(s); err != nil {
		return nil, err
	}
	if !v.Trainable() {
		b.layer.fixed = append(b.layer.fixed, v)
	}
	if b.layer.frozen {
		v.SetTrainable(false)
	}
	b.layer.variables = append(b.layer.variables, v)
	return v, nil
}

// AutoName returns the next automatic name of a kind: for "sequential" it is sequential, then
// sequential_1, and so on.
func AutoName(kind string) string { return autoname.Next(kind) }

// ClearSession restarts the numbers of automatic names, as keras.utils.clear_session does. Layers
// that have names keep them.
func ClearSession() { autoname.Clear() }

// nameLayer gives l a name made of kind and a number, such as dense_1, unless it has a name, and
// the current RematScope, unless it has one.
func nameLayer(l Layer, kind string) {
	if b := l.base(); b.name == "" {
		b.name = AutoName(kind)
	}
	l.base().enterRemat()
}

// TypeName returns the class of l in snake case, as Keras names layers:
// dense, layer_normalization, conv2d.
func TypeName(l Layer) string { return autoname.Snake(ClassName(l)) }

// typeName returns the name of the Go type of l without the ending Layer, such as Dense.
func typeName(l Layer) string {
	return strings.TrimSuffix(reflect.Indirect(reflect.ValueOf(l)).Type().Name(), "Layer")
}
