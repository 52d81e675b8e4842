package layers

// This file defines what every layer is: Layer, Base, Builder and Context.

import (
	"fmt"
	"slices"
	"strings"

	"github.com/gomlx/compute/dtypes"
	"github.com/gomlx/gomlx/core/graph"

	"github.com/gospmd/gospmd/ir"
	"github.com/gospmd/gospmd/keras/distribution"
	"github.com/gospmd/gospmd/keras/random"
	"github.com/gospmd/gospmd/keras/variable"
)

// Layer is a part of a model. Every layer embeds Base, and has Build only if it
// makes variables. It may consist of layers, which it holds in the fields of
// its struct and runs with Context.Apply.
type Layer interface {
	// Build makes the layer's own variables for inputs of the given specs. It is
	// called once, before the first Call. An error says what does not fit.
	Build(b *Builder, inputs []Spec) error
	// Call computes the outputs. The batch is dimension 0 of every input. As
	// all code that builds GoMLX graphs, Call panics where shapes do not fit;
	// the panic becomes an error that names the layer.
	Call(c *Context, inputs []*graph.Node) []*graph.Node

	base() *Base
}

// Spec is the type of a symbolic tensor. A dimension of -1 is open, as the
// batch is.
type Spec struct {
	Shape []int
	DType dtypes.DType
}

// String returns (None, 28, 28) float32, as Keras writes shapes.
func (s Spec) String() string { return ShapeText(s.Shape) + " " + s.DType.String() }

// Base holds what all layers share: the name, the variables, and the first
// error of the layer's options.
type Base struct {
	name      string
	path      string // the name below those of the layers around it
	variables []*variable.Variable
	fixed     []*variable.Variable // those that are never trained
	inner     []Layer              // that the layer consists of
	adopted   bool                 // inner holds the layers in the struct's fields
	built     bool
	frozen    bool
	policy    policy // the zero one until the layer is built, for types of users
	// keepInputs is set by KeepInputs.
	keepInputs bool
	err        error
}

func (b *Base) base() *Base { return b }

// Name returns the layer's name: as given by the option Name or made from the
// type, dense, dense_1, …. It is empty before the layer is first applied.
func (b *Base) Name() string { return b.name }

// SetName names the layer, as the option Name does: for types of your own.
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

// OwnVariables returns the variables that the layer made itself, in the order
// they were made.
func (b *Base) OwnVariables() []*variable.Variable { return b.variables }

// Variables returns the layer's variables: its own, then those of the layers
// that it consists of, each once.
func (b *Base) Variables() (all []*variable.Variable) {
	b.walk(make(map[*Base]bool), func(b *Base) { all = append(all, b.variables...) })
	return all
}

// SetTrainable freezes the layer (false) or thaws it, with all that it consists
// of, from the next Compile on.
func (b *Base) SetTrainable(t bool) {
	b.walk(make(map[*Base]bool), func(b *Base) {
		b.frozen = !t
		for _, v := range b.variables {
			v.SetTrainable(t && !slices.Contains(b.fixed, v))
		}
	})
}

// walk visits a layer and those that it consists of, each once.
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

// fail keeps the first error of a layer's construction.
func (b *Base) fail(format string, args ...any) {
	if b.err == nil {
		b.err = fmt.Errorf(format, args...)
	}
}

// Builder makes a layer's variables, in the layout that the current
// distribution gives their path.
type Builder struct {
	layer  *Base
	path   string // the prefix of the variables' paths
	inputs []Spec
}

// Path returns what the paths of the layer's variables begin with.
func (b *Builder) Path() string { return b.path }

// AddWeight makes a variable of the layer, such as d1/kernel for the name
// kernel.
func (b *Builder) AddWeight(name string, shape []int, dtype dtypes.DType, init variable.Filler, opts ...variable.Option) (*variable.Variable, error) {
	return b.add(b.path+"/"+name, shape, dtype, init, opts...)
}

// weight is a variable that addAll makes if wanted.
type weight struct {
	to     **variable.Variable
	wanted bool
	name   string
	init   variable.Filler
	opts   []variable.Option
}

// addAll makes the wanted ones of several variables of one shape.
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

// SeedGenerator makes the state of a generator of random numbers, an ordinary
// variable seed_generator/seed_generator_state (uint32[2]), with Keras'
// numbering across layers.
func (b *Builder) SeedGenerator(seed *random.SeedGenerator) (*variable.Variable, error) {
	return b.add(autoName("seed_generator")+"/seed_generator_state", []int{2}, dtypes.Uint32, seed, variable.NonTrainable(), variable.As(ir.RoleState))
}

func (b *Builder) add(path string, shape []int, dtype dtypes.DType, init variable.Filler, opts ...variable.Option) (*variable.Variable, error) {
	for _, d := range shape {
		if d < 0 {
			return nil, fmt.Errorf("weight %s cannot have the shape %s: a dimension of the input %v that it depends on is open; "+
				"give keras.Input a number for it, or reduce the open dimensions before, as GlobalAveragePooling2D does", path, ShapeText(shape), b.inputs)
		}
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

// Context is what a layer sees while it is traced.
type Context struct {
	*variable.StatelessScope
	// Training is true in Fit and false in Evaluate and Predict.
	Training bool
	// Distribution lays out the outputs of layers; nil pins none.
	Distribution distribution.Distribution

	current *Base // the layer that is being called
	open    int   // the size of open dimensions while shapes are found, else 0
}
