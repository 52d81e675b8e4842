package main

// This file defines the models, with layouts that are good for them.

import (
	"log/slog"
	"slices"

	"github.com/gomlx/gomlx/core/tensors"

	"github.com/gospmd/gospmd/ir"
	"github.com/gospmd/gospmd/keras"
	"github.com/gospmd/gospmd/keras/data"
	"github.com/gospmd/gospmd/keras/distribution"
	"github.com/gospmd/gospmd/keras/layers"
	"github.com/gospmd/gospmd/mesh"
)

// rule is a rule of a layout map: the axis of each dimension of the variables, or of the outputs of
// layers, whose path matches; none leaves a dimension whole.
type rule struct {
	path string
	axes []string
}

// model is a model with a good layout map.
type model struct {
	name     string
	layers   func() (in, out *layers.Tensor)
	x, y     []int // shapes of a batch
	integers bool  // whether x holds indices
	loss     string
	rules    []rule
	heldOut  bool // no constant of package suggest was chosen with the mistakes of this model
}

const (
	none         = distribution.None
	crossentropy = "sparse_categorical_crossentropy"
)

// megatron are the rules for the blocks of transformers (Shoeybi and others, 2019).
var megatron = []rule{
	{".*attention/(query|key|value)/kernel", []string{none, "model", none}},
	{".*attention/(query|key|value)/bias", []string{"model", none}},
	{".*attention/attention_output/kernel", []string{"model", none, none}},
	{".*up/kernel", []string{none, "model"}}, {".*up/bias", []string{"model"}}, {".*down/kernel", []string{"model", none}},
}

var models = []model{
	{
		name: "mlp", layers: mlp, x: []int{64, 1024}, y: []int{64, 1}, loss: crossentropy,
		rules: []rule{
			{"(d1|d3)/kernel", []string{none, "model"}}, {"(d1|d3)/bias", []string{"model"}}, {"(d2|d4)/kernel", []string{"model", none}},
		},
	},
	{
		name: "conv", layers: conv, x: []int{16, 8, 8, 64}, y: []int{16, 1}, loss: crossentropy,
		rules: []rule{
			{"(c1|c3)/kernel", []string{none, none, none, "model"}}, {"(c1|c3)/bias", []string{"model"}},
			{"(c2|c4)/kernel", []string{none, none, "model", none}},
			{"d1/kernel", []string{none, "model"}}, {"d1/bias", []string{"model"}}, {"d2/kernel", []string{"model", none}},
		},
	},
	{
		name: "transformer", layers: transformer, x: []int{8, 64}, integers: true, y: []int{8, 64, 1}, loss: crossentropy,
		rules: slices.Concat(megatron, []rule{{"tokens/embeddings", []string{"model", none}}, {"head/kernel", []string{none, "model"}}}),
	},
	{
		name: "embedding", layers: embedding, x: []int{128, 16}, integers: true, y: []int{128, 1}, loss: crossentropy,
		rules: []rule{
			{"items/embeddings", []string{"model", none}},
			{"d1/kernel", []string{none, "model"}}, {"d1/bias", []string{"model"}}, {"d2/kernel", []string{"model", none}},
			{"scores/kernel", []string{none, "model"}}, {"scores/bias", []string{"model"}},
		},
	},
	{
		name: "lstm", layers: lstm, x: []int{64, 12, 256}, y: []int{64, 1}, loss: crossentropy,
		rules: []rule{
			{"lstm[12]/.*/kernel", []string{none, "model"}}, {"lstm[12]/.*/bias", []string{"model"}},
			{"lstm[12]/.*/recurrent_kernel", []string{none, "model"}},
			{"d1/kernel", []string{none, "model"}}, {"d1/bias", []string{"model"}}, {"d2/kernel", []string{"model", none}},
		},
	},
	{
		name: "vit", heldOut: true, layers: vit, x: []int{16, 32, 32, 3}, y: []int{16, 1}, loss: crossentropy,
		rules: slices.Concat(megatron, []rule{{"patches/kernel", []string{none, none, none, none}}, {"classes/kernel", []string{none, "model"}}, {"classes/bias", []string{"model"}}}),
	},
	{
		name: "unet", heldOut: true, layers: unet, x: []int{8, 32, 32, 16}, y: []int{8, 32, 32, 1}, loss: crossentropy,
		rules: []rule{
			{"(down1|down2|middle|up2|up1)a/kernel", []string{none, none, none, "model"}}, {"(down1|down2|middle|up2|up1)a/bias", []string{"model"}},
			{"(down1|down2|middle|up2|up1)b/kernel", []string{none, none, "model", none}},
		},
	},
	{
		name: "llama", heldOut: true, layers: llama, x: []int{8, 64}, integers: true, y: []int{8, 64, 1}, loss: crossentropy,
		rules: slices.Concat(megatron, []rule{
			{"tokens/embeddings", []string{"model", none}}, {"head/kernel", []string{none, "model"}},
			{".*gate/kernel", []string{none, "model"}},
		}),
	},
	{
		name: "recommender", heldOut: true, layers: recommender, x: []int{256, 8}, integers: true, y: []int{256, 1}, loss: crossentropy,
		rules: []rule{
			{"(users|items)/embeddings", []string{"model", none}},
			{"deep1/kernel", []string{none, "model"}}, {"deep1/bias", []string{"model"}}, {"deep2/kernel", []string{"model", none}},
			{"next/kernel", []string{none, "model"}}, {"next/bias", []string{"model"}},
		},
	},
	{
		name: "mixer", heldOut: true, layers: mixer, x: []int{16, 64, 256}, y: []int{16, 1}, loss: crossentropy,
		rules: []rule{
			{".*up/kernel", []string{none, "model"}}, {".*up/bias", []string{"model"}}, {".*down/kernel", []string{"model", none}},
			{"classes/kernel", []string{none, "model"}}, {"classes/bias", []string{"model"}},
		},
	},
	{
		name: "outputs", heldOut: true, layers: llama, x: []int{8, 64}, integers: true, y: []int{8, 64, 1}, loss: crossentropy,
		rules: slices.Concat(megatron, []rule{
			{"tokens/embeddings", []string{"model", none}}, {"head/kernel", []string{none, "model"}},
			{".*gate/kernel", []string{none, "model"}},
			{"tokens/output", []string{"data", none, none}}, {"head/output", []string{"data", none, "model"}},
			{".*attention/output", []string{"data", none, none}},
			{".*(gate|up)/output", []string{"data", none, "model"}}, {".*down/output", []string{"data", none, none}},
		}),
	},
}

// record returns the module of the model's training step, with Adam, on the mesh dm, whose axes
// must be data and model. The weights are sharded by the model's good layout map, the batch along
// data. It resets the names that layers get by default. distribution.Initialize must have made the
// devices of dm.
func (m model) record(dm *mesh.DeviceMesh) (*ir.Module, error) {
	layouts := distribution.NewLayoutMap(dm)
	for _, r := range m.rules {
		if err := layouts.Set(r.path, r.axes...); err != nil {
			return nil, err
		}
	}
	d, err := distribution.NewModelParallel(layouts, "data")
	if err != nil {
		return nil, err
	}
	var out *ir.Module
	layers.ClearSession()
	err = distribution.Scope(d, func() error {
		x, y := m.layers()
		km, err := keras.NewModel([]*layers.Tensor{x}, []*layers.Tensor{y})
		if err != nil {
			return err
		}
		if err := km.Compile(keras.Loss(m.loss), keras.Optimizer("adam"), keras.Logger(slog.New(slog.DiscardHandler))); err != nil {
			return err
		}
		batch := data.Batch{X: zeros(m.x, m.integers), Y: zeros(m.y, true)}
		out, err = km.Lower(batch)
		return err
	})
	return out, err
}

// zeros returns a list with one tensor of zeros with the given dimensions, as a batch: of int32 if
// integers is true, else of float32.
func zeros(dims []int, integers bool) []*tensors.Tensor {
	if integers {
		return []*tensors.Tensor{tensors.FromScalarAndDimensions(int32(0), dims...)}
	}
	return []*tensors.Tensor{tensors.FromScalarAndDimensions(float32(0), dims...)}
}
