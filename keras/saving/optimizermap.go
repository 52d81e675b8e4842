package saving

// This file writes and reads the optimizers of a MultiOptimizer. The order of the keys of an
// OptimizerMap is that of the optimizers' variables in the file.

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"slices"

	"github.com/gospmd/gospmd/internal/brief"
	"github.com/gospmd/gospmd/keras/optimizers"
)

// These are Keras' class names of optimizers that consist of several.
const (
	multiClass        = "MultiOptimizer"
	optimizerMapClass = "OptimizerMap"
)

// orderedMap is an object of JSON whose keys have an order.
type orderedMap struct {
	keys   []string
	values map[string]any // the written values
}

// UnmarshalJSON reads the keys of a JSON object into m.keys, in the order of the text. It drops the
// values. Another value than an object has no keys, and is no error.
func (m *orderedMap) UnmarshalJSON(text []byte) error {
	d := json.NewDecoder(bytes.NewReader(text))
	if start, err := d.Token(); err != nil || start != json.Delim('{') {
		return err
	}
	for d.More() {
		key, err := d.Token()
		if err != nil {
			return err
		}
		var value json.RawMessage
		if err := d.Decode(&value); err != nil {
			return err
		}
		m.keys = append(m.keys, key.(string))
	}
	return nil
}

// ruleOrder returns the keys of the OptimizerMap in a config.json, in order. If the form is another
// one, it returns nil; the decoder then reports the error.
func ruleOrder(text []byte) []string {
	type optimizer struct {
		Config struct {
			Map struct {
				Config struct {
					Rules orderedMap `json:"optimizer_map"`
				}
			} `json:"optimizer_map"`
			Inner json.RawMessage `json:"inner_optimizer"`
		}
	}
	var file struct {
		Compile struct{ Optimizer optimizer } `json:"compile_config"`
	}
	_ = json.Unmarshal(text, &file)
	o := file.Compile.Optimizer
	if o.Config.Inner != nil {
		_ = json.Unmarshal(o.Config.Inner, &o)
	}
	return o.Config.Map.Config.Rules.keys
}

// MarshalJSON writes an object of JSON with the keys in the order of m.keys.
func (m orderedMap) MarshalJSON() ([]byte, error) {
	var out bytes.Buffer
	for i, key := range m.keys {
		name, err := json.Marshal(key)
		if err != nil {
			return nil, err
		}
		value, err := json.Marshal(m.values[key])
		if err != nil {
			return nil, err
		}
		out.WriteByte("{,"[min(i, 1)])
		out.Write(name)
		out.WriteByte(':')
		out.Write(value)
	}
	if len(m.keys) == 0 {
		out.WriteByte('{')
	}
	out.WriteByte('}')
	return out.Bytes(), nil
}

// encodeOptimizerMap returns the object for config.json that describes the OptimizerMap of a
// MultiOptimizer. One that chooses by a function, or uses an optimizer for several keys, is an
// error.
func encodeOptimizerMap(ctx context.Context, o *optimizers.Optimizer) (*object, error) {
	m := o.OptimizerMap()
	if m == nil {
		return nil, fmt.Errorf("the optimizer %s chooses by a function, which cannot be written into a %s archive: choose by an OptimizerMap", o.Name(), archiveSuffix)
	}
	otherwise, err := encodeOptimizer(ctx, m.Default())
	if err != nil {
		return nil, err
	}
	rules := orderedMap{keys: m.Keys(), values: make(map[string]any)}
	seen := []*optimizers.Optimizer{m.Default()}
	for _, key := range rules.keys {
		inner := m.Optimizer(key)
		if slices.Contains(seen, inner) {
			return nil, fmt.Errorf("the optimizer %s stands for several keys of the OptimizerMap of %s, %q among them, and Keras' files cannot say so: join the keys as a|b, or leave out that of the default", inner.Name(), o.Name(), key)
		}
		seen = append(seen, inner)
		if rules.values[key], err = encodeOptimizer(ctx, inner); err != nil {
			return nil, err
		}
	}
	return &object{Module: "keras.optimizers", ClassName: optimizerMapClass,
		Config: map[string]any{"default_optimizer": otherwise, "optimizer_map": rules}}, nil
}

// decodeMulti returns the MultiOptimizer that the config of r describes. order has the keys of its
// OptimizerMap in their order in the file. One that chooses by a function is an error.
func decodeMulti(r *reader, order []string) (any, error) {
	r.skip("optimizer_map")
	class, config, err := classAndConfig(r.config["optimizer_map"])
	if err != nil {
		return nil, err
	}
	rules, ok := config["optimizer_map"].(map[string]any)
	if class != optimizerMapClass || !ok || len(rules) != len(order) {
		return nil, fmt.Errorf("optimizer %s chooses by a %s, want an %s: functions are not in the file", r.class, brief.Text(class), optimizerMapClass)
	}
	otherwise, err := decodeOptimizer(config["default_optimizer"], nil)
	if err != nil {
		return nil, err
	}
	m := optimizers.NewOptimizerMap(otherwise)
	for _, key := range order {
		o, err := decodeOptimizer(rules[key], nil)
		if err == nil {
			err = m.Set(key, o)
		}
		if err != nil {
			return nil, fmt.Errorf("%s: %w", brief.Text(key), err)
		}
	}
	opts := r.optimizerName()
	if r.has("loss_scale_factor") {
		opts = append(opts, optimizers.LossScaleFactor(r.float("loss_scale_factor")))
	}
	if err := r.done(); err != nil {
		return nil, err
	}
	return optimizers.Get(optimizers.MultiOptimizer(m, opts...))
}
