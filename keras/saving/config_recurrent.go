package saving

// This file says how the recurrent layers are made of their configs. They have layers
// among their arguments.

import (
	"fmt"
	"maps"
	"slices"

	"github.com/gospmd/gospmd/internal/brief"
	"github.com/gospmd/gospmd/keras/layers"
)

// The classes are added here, because those below read classes themselves.
func init() { maps.Copy(classes, recurrentClasses()) }

func recurrentClasses() map[string]class {
	cell := func(make func(units int, o ...layers.Option) layers.Layer) class {
		return class{make: func(r *reader, o []layers.Option) layers.Layer {
			return make(r.int("units"), append(o, r.cell()...)...)
		}}
	}
	loop := func(make func(units int, o ...layers.Option) layers.Layer) class {
		return class{listed: "initial_state", make: func(r *reader, o []layers.Option) layers.Layer {
			return make(r.int("units"), slices.Concat(o, r.cell(), r.loop())...)
		}}
	}
	return map[string]class{
		"SimpleRNNCell": cell(func(n int, o ...layers.Option) layers.Layer { return layers.SimpleRNNCell(n, o...) }),
		"LSTMCell":      cell(func(n int, o ...layers.Option) layers.Layer { return layers.LSTMCell(n, o...) }),
		"GRUCell":       cell(func(n int, o ...layers.Option) layers.Layer { return layers.GRUCell(n, o...) }),
		"SimpleRNN":     loop(func(n int, o ...layers.Option) layers.Layer { return layers.SimpleRNN(n, o...) }),
		"LSTM":          loop(func(n int, o ...layers.Option) layers.Layer { return layers.LSTM(n, o...) }),
		"GRU":           loop(func(n int, o ...layers.Option) layers.Layer { return layers.GRU(n, o...) }),
		"StackedRNNCells": {make: func(r *reader, o []layers.Option) layers.Layer {
			var cells []layers.Cell
			for i, v := range r.list("cells") {
				if c, ok := r.nested(fmt.Sprintf("cells[%d]", i), v).(layers.Cell); ok {
					cells = append(cells, c)
				}
			}
			l := layers.StackedRNNCells(cells...)
			l.SetName(r.text("name"))
			return l
		}},
		"RNN": {listed: "initial_state", make: func(r *reader, o []layers.Option) layers.Layer {
			c, ok := r.layer("cell").(layers.Cell)
			if !ok {
				r.fail("cell", "a cell")
			}
			return layers.RNN(c, append(o, r.loop()...)...)
		}},
		"Bidirectional": {listed: "initial_state", make: func(r *reader, o []layers.Option) layers.Layer {
			if r.has("backward_layer") {
				o = append(o, layers.BackwardLayer(r.layer("backward_layer")))
			}
			return layers.Bidirectional(r.layer("layer"), append(o, layers.MergeMode(r.text("merge_mode")))...)
		}},
		"TimeDistributed": {make: func(r *reader, o []layers.Option) layers.Layer {
			return layers.TimeDistributed(r.layer("layer"), o...)
		}},
	}
}

// layer returns the layer that is an argument.
func (r *reader) layer(key string) layers.Layer {
	return r.nested(key, get[map[string]any](r, key, "a layer"))
}

// nested makes a layer of an object.
func (r *reader) nested(key string, v any) layers.Layer {
	class, config, err := classAndConfig(v)
	var l layers.Layer
	if err == nil {
		l, err = r.inside.layer(class, config)
	}
	if err != nil && r.err == nil {
		r.err = fmt.Errorf("%s: %s: %w", r.class, brief.Text(key), err)
	}
	return l
}

// cell returns the options of a recurrent cell.
func (r *reader) cell() []layers.Option {
	o := []layers.Option{
		layers.Activation(r.activation()), layers.UseBias(r.bool("use_bias")),
		layers.KernelInitializer(r.init("kernel_initializer")), layers.RecurrentInitializer(r.init("recurrent_initializer")),
		layers.BiasInitializer(r.init("bias_initializer")),
		layers.DropoutRate(r.float("dropout")), layers.RecurrentDropout(r.float("recurrent_dropout")),
	}
	if r.has("seed") {
		o = append(o, layers.Seed(r.int("seed")))
	}
	if _, ok := r.config["recurrent_activation"]; ok {
		o = append(o, layers.RecurrentActivation(r.activationOf("recurrent_activation")))
	}
	if _, ok := r.config["unit_forget_bias"]; ok {
		o = append(o, layers.UnitForgetBias(r.bool("unit_forget_bias")))
	}
	if _, ok := r.config["reset_after"]; ok {
		o = append(o, layers.ResetAfter(r.bool("reset_after")))
	}
	return o
}

// loop returns the options of a recurrent layer's loop.
func (r *reader) loop() (o []layers.Option) {
	if r.bool("stateful") {
		r.fail("stateful", "false: the batch size of the input is not read; make the layer with layers.Stateful and load its weights")
	}
	for _, flag := range []struct {
		key    string
		option func() layers.Option
	}{
		{"return_sequences", layers.ReturnSequences}, {"return_state", layers.ReturnState}, {"go_backwards", layers.GoBackwards},
		{"unroll", layers.Unroll}, {"zero_output_for_mask", layers.ZeroOutputForMask},
	} {
		if r.bool(flag.key) {
			o = append(o, flag.option())
		}
	}
	return o
}
