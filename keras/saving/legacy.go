package saving

// This file reads weights of the older format of Keras, .h5 files that Keras 2
// wrote and Keras 3 still writes and loads (keras.src.legacy.saving). Keras
// publishes the weights of its applications in it. The attribute layer_names
// lists the layers in the model's order, weight_names of each layer's group the
// datasets in it.

import (
	"errors"
	"fmt"
	"slices"

	"github.com/gospmd/gospmd/internal/hdf5"
	"github.com/gospmd/gospmd/keras"
	"github.com/gospmd/gospmd/keras/variable"
)

// Names in files of the older format.
const (
	layerNames   = "layer_names"
	weightNames  = "weight_names"
	modelWeights = "model_weights" // the group of the weights in the file of a whole model
)

// legacyGroup returns the group with the weights of a file of the older
// format, nil for another file.
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

// savedLayer is a layer that has weights, in a file of the older format.
type savedLayer struct {
	name    string
	weights []*hdf5.Dataset
}

// matchLegacy pairs the layers that have weights with those in the file, in the
// order of both. Their names may differ: Keras counts layers anew in each
// process.
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
	var faults []error
	for i, l := range have {
		s := saved[i]
		if len(l.variables) != len(s.weights) {
			faults = append(faults, fmt.Errorf("layer %s: the file holds %d weights in its place (as layer %s), want %d", l.name, len(s.weights), s.name, len(l.variables)))
			continue
		}
		for k, v := range l.variables {
			from := source{s.weights[k]}
			if err := from.check(v.DType(), v.Shape()); err != nil {
				faults = append(faults, fmt.Errorf("variable %s (in the file %s): %w", v.Path(), s.weights[k].Path(), err))
			}
			pairs = append(pairs, pair{v, from})
		}
	}
	return pairs, errors.Join(faults...)
}

// legacyLayer is a layer of a model with the variables that the older format
// keeps, in its order.
type legacyLayer struct {
	name      string
	variables []*variable.Variable
}

// legacyOrder returns the variables that are trained, then the others, without
// the states of random generators.
func legacyOrder(vs []*variable.Variable) (out []*variable.Variable) {
	for _, trained := range []bool{true, false} {
		for _, v := range vs {
			if v.Trainable() == trained && !isSeedState(v) {
				out = append(out, v)
			}
		}
	}
	return out
}

// savedLayers returns the layers of the file that have weights.
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
			return nil, fmt.Errorf("layer %s: %w", name, err)
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

// span tells the first and the last of a list.
func span[T any](list []T, name func(T) string) string {
	if len(list) == 0 {
		return ""
	}
	return fmt.Sprintf(" (%s to %s)", name(list[0]), name(list[len(list)-1]))
}
