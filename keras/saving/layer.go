package saving

// This file describes single layers as config.json does.

import (
	"encoding/json"
	"fmt"

	"github.com/gospmd/gospmd/internal/brief"
	"github.com/gospmd/gospmd/internal/budget"
	"github.com/gospmd/gospmd/keras/layers"
)

// SerializeLayer returns the object that describes a layer without its weights, as in config.json:
// keras.layers.serialize. Arguments of Keras' call that are options here, such as use_causal_mask,
// are in its config. A layer without a name gets one. Models, and classes that neither Keras has
// nor RegisterLayer was called for, are errors.
func SerializeLayer(l layers.Layer) (map[string]any, error) {
	if err := layers.AssignName(l); err != nil {
		return nil, err
	}
	v, err := encodeArgument(l)
	if err != nil {
		return nil, fmt.Errorf("layer %s: %w", l.Name(), err)
	}
	text, err := json.Marshal(v)
	if err != nil {
		return nil, fmt.Errorf("layer %s: %w", l.Name(), err)
	}
	var o map[string]any
	return o, json.Unmarshal(text, &o)
}

// DeserializeLayer makes the layer that an object, as SerializeLayer returns it, describes:
// keras.layers.deserialize. The layer has new weights. Unknown classes and options are errors.
func DeserializeLayer(object map[string]any) (layers.Layer, error) {
	text, err := json.Marshal(object)
	if err != nil {
		return nil, err
	}
	b := budget.ForFile(int64(len(text)))
	if err := b.JSON(text, budget.Any, "the values of a layer"); err != nil {
		return nil, err
	}
	class, config, err := classAndConfig(object)
	if err != nil {
		return nil, err
	}
	l, err := decoder{budget: b}.layer(class, config)
	if err != nil {
		return nil, err
	}
	if err := layers.ConstructionError(l); err != nil {
		return nil, fmt.Errorf("layer %s: %w", brief.Text(class), err)
	}
	return l, nil
}
