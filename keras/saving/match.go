package saving

// This file pairs the variables of a model with the datasets of a file. In files of Keras 3, the
// path of a group identifies the layer. The older format is that of .h5 files, which Keras 2 wrote,
// and Keras 3 still writes and loads (keras.src.legacy.saving). There the attribute layer_names
// lists the layers in the model's order, and weight_names of each layer's group lists its datasets.
// Keras publishes the weights of its applications in the older format.

import (
	"fmt"
	"slices"
	"strconv"

	"github.com/gospmd/gospmd/internal/brief"
	"github.com/gospmd/gospmd/internal/hdf5"
	"github.com/gospmd/gospmd/keras"
	"github.com/gospmd/gospmd/keras/initializers"
	"github.com/gospmd/gospmd/keras/variable"
)

// pair is a variable and what fills it: a dataset of the HDF5 file, or zeros for the factors of
// LoRA, which a file does not hold.
type pair struct {
	v *variable.Variable
	s variable.Filler
}

// match returns the variables of group p, each with the dataset of the file f that holds its value.
// LoRA's matrices get zeros, because the kernel in the file includes them. It returns an error if
// the numbers of variables and datasets differ, or if a dataset has another shape or a type that
// cannot be converted.
func match(f *hdf5.File, p group) ([]pair, error) {
	n := 0
	var g *hdf5.Group
	if f.Root().Has(p.varsPath()) {
		var err error
		if g, err = f.Root().Group(p.varsPath()); err != nil {
			return nil, err
		}
		n = len(slices.DeleteFunc(slices.Clone(g.Names()), func(name string) bool { return name == idfName }))
	}
	if n != len(p.variables) {
		hint := ""
		if n == 0 {
			hint = ": is it another model's file?"
		}
		return nil, fmt.Errorf("%s: the file holds %d variables there, want %d%s", p, n, len(p.variables), hint)
	}
	pairs := make([]pair, n)
	for i, v := range p.variables {
		d, err := g.Dataset(strconv.Itoa(i))
		if err != nil {
			return nil, fmt.Errorf("%s: %w", p, err)
		}
		s := source{d}
		if err := s.check(v.DType(), v.Shape()); err != nil {
			return nil, fmt.Errorf("%s: variable %s: %w", p, v.Path(), err)
		}
		pairs[i] = pair{v, s}
	}
	if a := p.adapted; a != nil { // the kernel in the file includes them
		pairs = append(pairs, pair{a.A, initializers.Zeros()}, pair{a.B, initializers.Zeros()})
	}
	return pairs, nil
}

// unused returns an error in extra for each layer in the file's group layers that has variables
// there and is not in the model, whose groups are all. err is that of reading the group.
func unused(f *hdf5.File, all []group) (extra []error, err error) {
	if !f.Root().Has("layers") {
		return nil, nil
	}
	g, err := f.Root().Group("layers")
	if err != nil {
		return nil, err
	}
	have := make(map[string]bool)
	for _, p := range all {
		have[p.path] = true
	}
	for _, name := range g.Names() {
		if have["layers/"+name] {
			continue
		}
		if vars, err := g.Group(name + "/vars"); err == nil && len(vars.Names()) > 0 {
			extra = append(extra, fmt.Errorf("the file holds weights of a layer layers/%s, the model has none there: it is another model's file", brief.Text(name)))
		}
	}
	return extra, nil
}

// matchOptimizer pairs the optimizer's variables with those in the file, and builds the optimizer
// for it. It returns nil if the model has no optimizer or the file no variables of one. The file of
// an untrained model has no slots: then slots keep their initial values. Another number of
// variables is an error.
func matchOptimizer(m *keras.Model, f *hdf5.File) ([]pair, error) {
	if m.Optimizer() == nil || !f.Root().Has(optimizerPath+"/vars") {
		return nil, nil
	}
	g, err := f.Root().Group(optimizerPath + "/vars")
	if err != nil || len(g.Names()) == 0 {
		return nil, err
	}
	if err := m.BuildOptimizer(); err != nil {
		return nil, err
	}
	p := group{path: optimizerPath, name: m.Optimizer().Name(), variables: m.Optimizer().Variables()}
	if n, early := len(g.Names()), m.Optimizer().EarlyVariables(); n == len(early) && n < len(p.variables) {
		p.variables = early
	} else if n != len(p.variables) {
		return nil, fmt.Errorf("the file holds %d variables of an optimizer, %s has %d: compile the model with the optimizer that the file was made with, or do not compile it before its weights are loaded",
			n, p.name, len(p.variables))
	}
	return match(f, p)
}

// These are the names of groups and attributes in files of the older format.
const (
	layerNames   = "layer_names"
	weightNames  = "weight_names"
	modelWeights = "model_weights" // the group of the weights in a whole-model file
)

// legacyGroup returns the group of file f that holds the weights in Keras' older format, before
// .keras archives; nil, without an error, for other files.
func legacyGroup(f *hdf5.File) (*hdf5.Group, error) {
	g := f.Root()
	if g.IsGroup(modelWeights) {
		return g.Group(modelWeights)
	}
	if slices.ContainsFunc(g.Attrs(), func(a hdf5.Attr) bool { return a.Name == layerNames || a.Name == layerNames+"0" }) {
		return g, nil
	}
	return nil, nil
}

// savedLayer is a layer with weights in a file of the older format: its name, and the datasets of
// its weights.
type savedLayer struct {
	name    string
	weights []*hdf5.Dataset
}

// matchLegacy pairs the model's layers with weights with those in group g, in order. Their names
// may differ, because Keras counts layers in each process from 0. Other numbers of layers or
// weights, other shapes and types that cannot be converted are errors.
func matchLegacy(m *keras.Model, g *hdf5.Group) (pairs []pair, err error) {
	saved, err := savedLayers(g)
	if err != nil {
		return nil, err
	}
	var have []legacyLayer
	for _, l := range m.Layers() {
		if vs := legacyOrder(l.Variables()); len(vs) > 0 {
			have = append(have, legacyLayer{l.Name(), vs})
		}
	}
	if len(have) != len(saved) {
		return nil, fmt.Errorf("the file holds %d layers with weights%s, the model has %d%s: it is another model's file",
			len(saved), span(saved, func(l savedLayer) string { return l.name }),
			len(have), span(have, func(l legacyLayer) string { return l.name }))
	}
	var errs []error
	for i, l := range have {
		s := saved[i]
		if len(l.variables) != len(s.weights) {
			errs = append(errs, fmt.Errorf("layer %s: the file holds %d weights of it (as layer %s), want %d", l.name, len(s.weights), brief.Text(s.name), len(l.variables)))
			continue
		}
		for k, v := range l.variables {
			from := source{s.weights[k]}
			if err := from.check(v.DType(), v.Shape()); err != nil {
				errs = append(errs, fmt.Errorf("variable %s (in the file %s): %w", v.Path(), brief.Text(s.weights[k].Path()), err))
			}
			pairs = append(pairs, pair{v, from})
		}
	}
	return pairs, brief.Join(errs...)
}

// legacyLayer is a layer of a model, with its variables in the order of the older format.
type legacyLayer struct {
	name      string
	variables []*variable.Variable
}

// legacyOrder returns the variables in the order of the older format: the trainable ones, then the
// others. It leaves out the states of random generators.
func legacyOrder(vs []*variable.Variable) (out []*variable.Variable) {
	for _, trained := range []bool{true, false} {
		for _, v := range vs {
			if v.Trainable() == trained && !v.IsSeedState() {
				out = append(out, v)
			}
		}
	}
	return out
}

// savedLayers returns the layers of the HDF5 group g, in the order of the file, that have weights,
// with the datasets of these.
func savedLayers(g *hdf5.Group) (out []savedLayer, err error) {
	names, err := g.Texts(layerNames)
	if err != nil {
		return nil, err
	}
	for _, name := range names {
		lg, err := g.Group(name)
		if err != nil {
			return nil, err
		}
		weights, err := lg.Texts(weightNames)
		if err != nil {
			return nil, fmt.Errorf("layer %s: %w", brief.Text(name), err)
		}
		l := savedLayer{name: name}
		for _, w := range weights {
			d, err := lg.Dataset(w)
			if err != nil {
				return nil, err
			}
			l.weights = append(l.weights, d)
		}
		if len(weights) > 0 {
			out = append(out, l)
		}
	}
	return out, nil
}

// span returns the names of the first and the last element of a list, in brackets, for messages: "
// (a to z)"; "" for an empty list.
func span[T any](list []T, name func(T) string) string {
	if len(list) == 0 {
		return ""
	}
	return fmt.Sprintf(" (%s to %s)", brief.Text(name(list[0])), brief.Text(name(list[len(list)-1])))
}
