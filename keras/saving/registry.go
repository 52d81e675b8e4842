package saving

// This file holds the registry of layers: how each class is made of its config.

import (
	"slices"

	"github.com/gospmd/gospmd/keras/layers"
)

// class says how a layer is made of its config. The config comes from the layer
// itself (layers.Configured).
type class struct {
	make   func(r *reader, o []layers.Option) layers.Layer
	merges bool // Keras applies it to a list of tensors
	// inputs are the names of the tensors of a call, for classes with several.
	inputs []string
	// call are the arguments of Keras' call that are options of our layer: make
	// reads them as if they were in the config.
	call []string
}

// The arguments of a call of the attention layers. The first three are positional,
// the mask is not.
var (
	attentionInputs  = []string{"query", "value", "key", "attention_mask"}
	attentionOptions = []string{"use_causal_mask"}
)

// classes are the layers by Keras' name of the class.
var classes = map[string]class{
	"Activation": {make: func(r *reader, o []layers.Option) layers.Layer {
		return layers.NewActivation(r.activation(), o...)
	}},
	"Add": {merges: true, make: func(_ *reader, o []layers.Option) layers.Layer { return layers.Add(o...) }},
	"AveragePooling2D": {make: func(r *reader, o []layers.Option) layers.Layer {
		return layers.AveragePooling2D(append(o, r.pooling()...)...)
	}},
	"BatchNormalization": {make: func(r *reader, o []layers.Option) layers.Layer {
		return layers.BatchNormalization(append(o, layers.Axis(r.ints("axis")...), layers.Momentum(r.float("momentum")), layers.Epsilon(r.float("epsilon")),
			layers.Center(r.bool("center")), layers.Scale(r.bool("scale")),
			layers.BetaInitializer(r.init("beta_initializer")), layers.GammaInitializer(r.init("gamma_initializer")),
			layers.MovingMeanInitializer(r.init("moving_mean_initializer")), layers.MovingVarianceInitializer(r.init("moving_variance_initializer")))...)
	}},
	"Concatenate": {merges: true, make: func(r *reader, o []layers.Option) layers.Layer {
		return layers.Concatenate(append(o, layers.Axis(r.int("axis")))...)
	}},
	"Conv2D": {make: func(r *reader, o []layers.Option) layers.Layer {
		return layers.Conv2D(r.int("filters"), r.ints("kernel_size"), append(o, append(r.convolution("kernel_initializer"), layers.Groups(r.int("groups")))...)...)
	}},
	"Dense": {make: func(r *reader, o []layers.Option) layers.Layer {
		return layers.Dense(r.int("units"), append(o, layers.Activation(r.activation()), layers.UseBias(r.bool("use_bias")),
			layers.KernelInitializer(r.init("kernel_initializer")), layers.BiasInitializer(r.init("bias_initializer")))...)
	}},
	"DepthwiseConv2D": {make: func(r *reader, o []layers.Option) layers.Layer {
		return layers.DepthwiseConv2D(r.ints("kernel_size"), append(o, append(r.convolution("depthwise_initializer"), layers.DepthMultiplier(r.int("depth_multiplier")))...)...)
	}},
	"Dropout": {make: func(r *reader, o []layers.Option) layers.Layer {
		if r.has("seed") {
			o = append(o, layers.Seed(r.int("seed")))
		}
		return layers.Dropout(r.float("rate"), o...)
	}},
	"Embedding": {make: func(r *reader, o []layers.Option) layers.Layer {
		return layers.Embedding(r.int("input_dim"), r.int("output_dim"), append(o, layers.EmbeddingsInitializer(r.init("embeddings_initializer")))...)
	}},
	"Flatten": {make: func(_ *reader, o []layers.Option) layers.Layer { return layers.Flatten(o...) }},
	"GlobalAveragePooling2D": {make: func(r *reader, o []layers.Option) layers.Layer {
		return layers.GlobalAveragePooling2D(append(o, r.keepDims()...)...)
	}},
	"GlobalMaxPooling2D": {make: func(r *reader, o []layers.Option) layers.Layer {
		return layers.GlobalMaxPooling2D(append(o, r.keepDims()...)...)
	}},
	"GroupQueryAttention": {inputs: attentionInputs, call: attentionOptions, make: func(r *reader, o []layers.Option) layers.Layer {
		return layers.GroupQueryAttention(r.int("head_dim"), r.int("num_query_heads"), r.int("num_key_value_heads"), append(o, r.attention()...)...)
	}},
	"LayerNormalization": {make: func(r *reader, o []layers.Option) layers.Layer {
		return layers.LayerNormalization(append(o, layers.Axis(r.ints("axis")...), layers.Epsilon(r.float("epsilon")),
			layers.Center(r.bool("center")), layers.Scale(r.bool("scale")),
			layers.BetaInitializer(r.init("beta_initializer")), layers.GammaInitializer(r.init("gamma_initializer")))...)
	}},
	"MaxPooling2D": {make: func(r *reader, o []layers.Option) layers.Layer {
		return layers.MaxPooling2D(append(o, r.pooling()...)...)
	}},
	"MultiHeadAttention": {inputs: attentionInputs, call: attentionOptions, make: func(r *reader, o []layers.Option) layers.Layer {
		if axes := r.ints("attention_axes"); !slices.Equal(axes, []int{1}) {
			r.fail("attention_axes", "[1], attention along a sequence")
		}
		return layers.MultiHeadAttention(r.int("num_heads"), r.int("key_dim"), append(o, append(r.attention(), layers.ValueDim(r.int("value_dim")))...)...)
	}},
	"Multiply": {merges: true, make: func(_ *reader, o []layers.Option) layers.Layer { return layers.Multiply(o...) }},
	"Permute":  {make: func(r *reader, o []layers.Option) layers.Layer { return layers.Permute(r.ints("dims"), o...) }},
	"RMSNormalization": {make: func(r *reader, o []layers.Option) layers.Layer {
		return layers.RMSNormalization(append(o, layers.Axis(r.ints("axis")...), layers.Epsilon(r.float("epsilon")))...)
	}},
	"Rescaling": {make: func(r *reader, o []layers.Option) layers.Layer {
		return layers.Rescaling(r.float("scale"), append(o, layers.Offset(r.float("offset")))...)
	}},
	"Reshape": {make: func(r *reader, o []layers.Option) layers.Layer {
		return layers.Reshape(r.ints("target_shape"), o...)
	}},
	"ZeroPadding2D": {make: func(r *reader, o []layers.Option) layers.Layer {
		return layers.ZeroPadding2D(r.ints("padding"), o...)
	}},
}

func (r *reader) pooling() []layers.Option {
	return []layers.Option{layers.PoolSize(r.ints("pool_size")...), layers.Strides(r.ints("strides")...), layers.Padding(r.text("padding"))}
}

func (r *reader) attention() []layers.Option {
	o := []layers.Option{
		layers.DropoutRate(r.float("dropout")), layers.UseBias(r.bool("use_bias")),
		layers.KernelInitializer(r.init("kernel_initializer")), layers.BiasInitializer(r.init("bias_initializer")),
	}
	if r.has("seed") {
		o = append(o, layers.Seed(r.int("seed")))
	}
	if r.bool("use_causal_mask") {
		o = append(o, layers.UseCausalMask())
	}
	return o
}

func (r *reader) keepDims() []layers.Option {
	if r.bool("keepdims") {
		return []layers.Option{layers.KeepDims()}
	}
	return nil
}

func (r *reader) convolution(kernel string) []layers.Option {
	return []layers.Option{
		layers.Strides(r.ints("strides")...), layers.Padding(r.text("padding")), layers.DilationRate(r.ints("dilation_rate")...),
		layers.Activation(r.activation()), layers.UseBias(r.bool("use_bias")),
		layers.KernelInitializer(r.init(kernel)), layers.BiasInitializer(r.init("bias_initializer")),
	}
}

// activation returns the name of the activation. Keras writes an activation that is
// not one of its own functions as an object.
func (r *reader) activation() any {
	if o, ok := r.config["activation"].(map[string]any); ok {
		r.read["activation"] = true
		if name, ok := o["config"].(string); ok {
			return name
		}
		r.fail("activation", "the name of an activation")
		return "linear"
	}
	if !r.has("activation") {
		r.skip("activation")
		return "linear"
	}
	return r.text("activation")
}
