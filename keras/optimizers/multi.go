package optimizers

// This file trains variables by several optimizers. OptimizerMap chooses the optimizer of a
// variable by its path, MultiOptimizer applies the optimizers.

import (
	"cmp"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"

	g "github.com/gomlx/gomlx/core/graph"

	"github.com/gospmd/gospmd/internal/autoname"
	"github.com/gospmd/gospmd/internal/option"
	"github.com/gospmd/gospmd/internal/pyregexp"
	"github.com/gospmd/gospmd/keras/variable"
	"github.com/gospmd/gospmd/mesh"
)

// OptimizerMap maps the paths of variables to optimizers, by patterns:
// keras.optimizers.OptimizerMap.
type OptimizerMap struct {
	otherwise *Optimizer
	rules     []optimizerRule
	err       error // the first one
}

// optimizerRule is an entry of an OptimizerMap: the key, its pattern, and the optimizer.
type optimizerRule struct {
	key       string
	pattern   *regexp.Regexp // matches paths as a whole
	optimizer *Optimizer
}

// NewOptimizerMap returns a map with a default optimizer, given by name or as an *Optimizer, for
// all paths that Set does not set. If the optimizer is not valid, the error is in the
// MultiOptimizer of the map: the function Get returns it.
func NewOptimizerMap(otherwise any) *OptimizerMap {
	m := &OptimizerMap{}
	m.otherwise, m.err = part("the default optimizer", otherwise)
	return m
}

// Set sets the optimizer, given by name or as an *Optimizer, of the variables that match the key.
// The key is a path, such as "encoder/dense/kernel", or a Python regular expression that matches
// whole paths, such as "encoder/.*". It returns an error for an optimizer or a pattern that is not
// valid, and for a key that is set already; the first one is also in the MultiOptimizer of the map.
func (m *OptimizerMap) Set(key string, optimizer any) error {
	o, err := part(fmt.Sprintf("key %q", key), optimizer)
	if err == nil && slices.ContainsFunc(m.rules, func(r optimizerRule) bool { return r.key == key }) {
		err = fmt.Errorf("OptimizerMap: the key %q is there already: use each key once", key)
	}
	var pattern *regexp.Regexp
	if err == nil {
		if pattern, err = pyregexp.Compile(`^(?:` + key + `)\Z`); err != nil {
			err = fmt.Errorf("OptimizerMap: key %q: %w", key, err)
		}
	}
	if err != nil {
		if m.err == nil {
			m.err = err
		}
		return err
	}
	m.rules = append(m.rules, optimizerRule{key, pattern, o})
	return nil
}

// part returns the given optimizer, a name or an *Optimizer, of a part of an OptimizerMap; what
// names the part. A MultiOptimizer or a LossScaleOptimizer is an error: it cannot be part of a
// MultiOptimizer.
func part(what string, optimizer any) (*Optimizer, error) {
	o, err := Get(optimizer)
	switch {
	case err != nil:
		return nil, fmt.Errorf("OptimizerMap: %s: %w", what, err)
	case o.scaling != nil:
		return nil, fmt.Errorf("OptimizerMap: %s: got a LossScaleOptimizer: scale the loss of the MultiOptimizer instead", what)
	case o.multi != nil:
		return nil, fmt.Errorf("OptimizerMap: %s: got a MultiOptimizer, want an optimizer such as Adam", what)
	}
	return o, nil
}

// Default returns the optimizer of the paths that match no key. It is nil if the one that
// NewOptimizerMap got is not valid.
func (m *OptimizerMap) Default() *Optimizer { return m.otherwise }

// Keys returns the keys, in the order in which they were set.
func (m *OptimizerMap) Keys() []string {
	var keys []string
	for _, r := range m.rules {
		keys = append(keys, r.key)
	}
	return keys
}

// Optimizer returns the optimizer of a key, or nil if the key was not set.
func (m *OptimizerMap) Optimizer(key string) *Optimizer {
	for _, r := range m.rules {
		if r.key == key {
			return r.optimizer
		}
	}
	return nil
}

// Get returns the optimizer of a path. A key that equals the path comes first, then a key that
// matches it as a regular expression, then the default. It fails if two keys match.
func (m *OptimizerMap) Get(path string) (*Optimizer, error) {
	var found []optimizerRule
	for _, r := range m.rules {
		if r.key == path {
			return r.optimizer, nil
		}
		if r.pattern.MatchString(path) {
			found = append(found, r)
		}
	}
	switch len(found) {
	case 0:
		return m.otherwise, nil
	case 1:
		return found[0].optimizer, nil
	}
	return nil, fmt.Errorf("OptimizerMap: the keys %q and %q both match %s: write keys of which one matches, or the path itself", found[0].key, found[1].key, path)
}

// multi holds the parts of a MultiOptimizer: how it chooses, its optimizers, and which of them
// trains each variable.
type multi struct {
	byPath *OptimizerMap // nil with a function
	choose func(*variable.Variable) (*Optimizer, error)
	inner  []*Optimizer
	of     []int // the index in inner of the optimizer of each trained variable
}

// MultiOptimizer trains each variable by one of several optimizers:
// keras.optimizers.MultiOptimizer. The first argument is an *OptimizerMap, or a
// func(*variable.Variable) *Optimizer; a model with such a function cannot be saved to a .keras
// archive. Each optimizer has its own iteration, learning rate and options; GlobalClipNorm uses the
// norm of its own gradients. Optimizers of one name are renamed: adam_1. A MultiOptimizer has no
// learning rate: to read or set it is an error. Optimizers returns the optimizers that have one.
// Options: Name, and LossScaleFactor, which replaces that of the optimizers.
func MultiOptimizer(of any, opts ...Option) *Optimizer {
	const class = "MultiOptimizer"
	o := &Optimizer{class: class, multi: &multi{}}
	err := option.Assign(class, opts, &o.common.named)
	o.common.Name = cmp.Or(o.common.Name, autoname.Snake(class))
	o.err = err
	switch of := of.(type) {
	case *OptimizerMap:
		if of == nil {
			o.err = errors.Join(err, errors.New("MultiOptimizer: got a nil OptimizerMap, want one of NewOptimizerMap"))
			break
		}
		o.err = errors.Join(err, of.err)
		o.multi.byPath = of
		o.multi.choose = func(v *variable.Variable) (*Optimizer, error) { return of.Get(v.Path()) }
		for _, r := range of.rules {
			o.multi.index(o, r.optimizer)
		}
		if of.otherwise != nil {
			o.multi.index(o, of.otherwise)
		}
	case func(*variable.Variable) *Optimizer:
		o.multi.choose = func(v *variable.Variable) (*Optimizer, error) { return part("variable "+v.Path(), of(v)) }
	default:
		o.err = errors.Join(err, fmt.Errorf("MultiOptimizer: got a %T, want an *OptimizerMap, or a func(*variable.Variable) *Optimizer", of))
	}
	return o
}

// index returns the index of optimizer o in m.inner. It appends an o that is new, makes its name
// unique as Keras does (adam, adam_1), and gives it the loss scale factor of the outer optimizer.
func (m *multi) index(outer, o *Optimizer) int {
	if i := slices.Index(m.inner, o); i >= 0 {
		return i
	}
	name := o.common.Name
	for n := 1; slices.ContainsFunc(m.inner, func(other *Optimizer) bool { return other.common.Name == o.common.Name }); n++ {
		o.common.Name = fmt.Sprintf("%s_%d", name, n)
	}
	o.common.LossScaleFactor = outer.common.LossScaleFactor
	m.inner = append(m.inner, o)
	return len(m.inner) - 1
}

// assign sets, for each variable that outer, the MultiOptimizer, trains, which of the optimizers
// updates it, and adds new optimizers to m.inner. It returns an error if none does, or if an
// optimizer was built for other variables.
func (m *multi) assign(outer *Optimizer, trained []*variable.Variable) error {
	m.of = make([]int, len(trained))
	for i, v := range trained {
		o, err := m.choose(v)
		if err != nil {
			return err
		}
		m.of[i] = m.index(outer, o)
	}
	for k, o := range m.inner {
		if o.iteration != nil && !slices.Equal(o.trained, ofOptimizer(m, trained, k)) {
			return fmt.Errorf("optimizer %s of %s already belongs to a model with other trainable variables: compile with a new optimizer", o.common.Name, outer.common.Name)
		}
	}
	return nil
}

// build builds the inner optimizers, each for the variables of outer that it trains, on dm, and
// adds their variables to outer.all. One without variables has only iteration and learning rate, as
// in Keras.
func (m *multi) build(outer *Optimizer, dm *mesh.DeviceMesh) (err error) {
	for k, o := range m.inner {
		o.untracked = outer.untracked
		its := ofOptimizer(m, outer.trained, k)
		switch {
		case len(its) > 0:
			err = o.Build(its, dm)
		case o.iteration == nil:
			err = o.buildRate(dm)
		}
		if err != nil {
			return err
		}
		outer.all = append(outer.all, o.all...)
	}
	return nil
}

// ofOptimizer returns the elements of all, which has one for each trained variable, that belong to
// the variables of inner optimizer k.
func ofOptimizer[T any](m *multi, all []T, k int) (its []T) {
	for i, x := range all {
		if m.of[i] == k {
			its = append(its, x)
		}
	}
	return its
}

// step updates the variables from gradients that are not scaled, in the order of the trained
// variables: each inner optimizer updates its own.
func (m *multi) step(s *variable.StatelessScope, gradients []*g.Node) {
	for k, o := range m.inner {
		if len(o.trained) > 0 {
			o.step(s, ofOptimizer(m, gradients, k))
		}
	}
}

// Optimizers returns the optimizers of a MultiOptimizer, and nil for another optimizer. If a
// function chooses them, they are known only once a model is trained.
func (o *Optimizer) Optimizers() []*Optimizer {
	if o.multi == nil {
		return nil
	}
	return o.multi.inner
}

// OptimizerMap returns the map of a MultiOptimizer. It returns nil for another optimizer, and for a
// MultiOptimizer with a function.
func (o *Optimizer) OptimizerMap() *OptimizerMap {
	if o.multi == nil {
		return nil
	}
	return o.multi.byPath
}

// errRates returns the error for reading or setting the learning rate of a MultiOptimizer; it lists
// the names of its optimizers.
func (o *Optimizer) errRates() error {
	var names []string
	for _, inner := range o.multi.inner {
		names = append(names, inner.common.Name)
	}
	return fmt.Errorf("optimizer %s is a MultiOptimizer, which has no learning rate: read or set those of its Optimizers(): %s", o.common.Name, strings.Join(names, ", "))
}
