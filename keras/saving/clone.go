package saving

// This file makes models like others, with new weights.

import (
	"encoding/json"
	"fmt"

	"github.com/gospmd/gospmd/internal/brief"
	"github.com/gospmd/gospmd/internal/budget"
	"github.com/gospmd/gospmd/keras"
	"github.com/gospmd/gospmd/keras/layers"
)

// CloneModel returns a model like m with new weights: keras.models.clone_model. Model, layers and
// variables have the names of m's; the current distribution shards the variables. The new model is
// not compiled; if m is not built, it is not built either. A model of a Go type, and one with a
// layer that cannot be saved, such as one that is not registered, are errors.
func CloneModel(m *keras.Model) (*keras.Model, error) {
	clone, err := cloneModel(m)
	if err != nil {
		return nil, fmt.Errorf("saving: clone of model %s: %w", m.Name(), brief.Error(err))
	}
	return clone, nil
}

func cloneModel(m *keras.Model) (*keras.Model, error) {
	switch {
	case m.Subclassed() != nil:
		return nil, fmt.Errorf("it is of the Go type %T, whose code no config has: make another value of the type", m.Subclassed())
	case len(m.Nodes()) == 0:
		return cloneUnbuilt(m)
	}
	o, err := encodeGraph(m)
	if err != nil {
		return nil, err
	}
	text, err := json.Marshal(o)
	if err != nil {
		return nil, err
	}
	var config map[string]any
	if err := json.Unmarshal(text, &config); err != nil {
		return nil, err
	}
	class, config, err := classAndConfig(config)
	if err != nil {
		return nil, err
	}
	clone, err := decoder{budget: budget.ForFile(int64(len(text)))}.model(class)(config)
	if err != nil {
		return nil, err
	}
	return clone, clone.SetDTypePolicy(m.DTypePolicy())
}

// cloneUnbuilt returns a copy, with layers of its own, of a Sequential that is not built. A layer
// that cannot be serialized is an error.
func cloneUnbuilt(m *keras.Model) (*keras.Model, error) {
	var list []layers.Layer
	for _, l := range m.Layers() {
		if nested, ok := l.(*keras.ModelLayer); ok {
			inner, err := CloneModel(nested.Model())
			if err != nil {
				return nil, err
			}
			list = append(list, inner.AsLayer())
			continue
		}
		object, err := SerializeLayer(l)
		if err != nil {
			return nil, err
		}
		like, err := DeserializeLayer(object)
		if err != nil {
			return nil, err
		}
		list = append(list, like)
	}
	clone, err := keras.NewSequential(list...)
	if err != nil {
		return nil, err
	}
	return clone, clone.SetName(m.Name())
}
