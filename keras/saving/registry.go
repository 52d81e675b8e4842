package saving

// This file holds the registry of layers: how each class is made of its config.

import (
	"fmt"
	"slices"

	"github.com/gomlx/compute/dtypes"

	"github.com/gospmd/gospmd/keras/initializers"
	"github.com/gospmd/gospmd/keras/layers"
)

// class says how a layer is made. Layers tell their configs themselves
// (layers.Configured).
type class struct {
	make   func(r *reader, o []layers.Option) layers.Layer
	merges bool // is applied to a list of tensors
	// inputs names the tensors of the call, for classes that take several.
	inputs []string
	// call names the arguments of Keras' call that are options of the layer
	// here: make reads them as if they stood in the config.
	call []string
}

// attends are the arguments of a call of the attention layers. The first two
// and the third are positional, the mask is not.
var (
	attends       = []string{"query", "value", "key", "attention_mask"}
	attendOptions = []string{"use_causal_mask"}
)

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
	"GroupQueryAttention": {inputs: attends, call: attendOptions, make: func(r *reader, o []layers.Option) layers.Layer {
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
	"MultiHeadAttention": {inputs: attends, call: attendOptions, make: func(r *reader, o []layers.Option) layers.Layer {
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

// activation returns the name of the activation, which Keras writes as an
// object where it is not one of its own functions.
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

// initializerMakers are the initializers with options. Others are found by
// name.
var initializerMakers = map[string]func(...initializers.Option) initializers.Initializer{
	"GlorotNormal":    initializers.GlorotNormal,
	"GlorotUniform":   initializers.GlorotUniform,
	"HeNormal":        initializers.HeNormal,
	"HeUniform":       initializers.HeUniform,
	"Identity":        initializers.Identity,
	"LecunNormal":     initializers.LecunNormal,
	"LecunUniform":    initializers.LecunUniform,
	"Orthogonal":      initializers.Orthogonal,
	"RandomNormal":    initializers.RandomNormal,
	"RandomUniform":   initializers.RandomUniform,
	"TruncatedNormal": initializers.TruncatedNormal,
	"VarianceScaling": initializers.VarianceScaling,
}

// init returns the initializer of an option.
func (r *reader) init(key string) initializers.Initializer {
	r.read[key] = true
	init, err := decodeInitializer(r.config[key])
	if err != nil {
		if r.err == nil {
			r.err = fmt.Errorf("%s: %s: %w", r.class, key, err)
		}
		return initializers.Zeros()
	}
	return init
}

func decodeInitializer(v any) (initializers.Initializer, error) {
	if name, ok := v.(string); ok {
		return initializers.Get(name)
	}
	class, config, err := classAndConfig(v)
	if err != nil {
		return nil, err
	}
	r := newReader(class, config)
	maker, ok := initializerMakers[class]
	if class == "Constant" {
		value := r.float("value")
		return initializers.Constant(value), r.done()
	}
	if !ok {
		return initializers.Get(class)
	}
	var o []initializers.Option
	for _, option := range []struct {
		key string
		set func() initializers.Option
	}{
		{"seed", func() initializers.Option { return initializers.Seed(r.int("seed")) }},
		{"mean", func() initializers.Option { return initializers.Mean(r.float("mean")) }},
		{"stddev", func() initializers.Option { return initializers.Stddev(r.float("stddev")) }},
		{"minval", func() initializers.Option { return initializers.Range(r.float("minval"), r.float("maxval")) }},
		{"gain", func() initializers.Option { return initializers.Gain(r.float("gain")) }},
	} {
		if r.has(option.key) {
			o = append(o, option.set())
		}
	}
	if class == "VarianceScaling" {
		o = append(o, initializers.Scale(r.float("scale")), initializers.Mode(r.text("mode")), initializers.Distribution(r.text("distribution")))
	}
	if r.has("input_axes") && r.has("output_axes") {
		o = append(o, initializers.FanAxes(r.ints("input_axes"), r.ints("output_axes")))
	}
	return maker(o...), r.done()
}

// decodePolicy returns the name of a dtype policy.
func decodePolicy(v any) (string, error) {
	if v == nil {
		return "float32", nil
	}
	if name, ok := v.(string); ok {
		return name, nil
	}
	class, config, err := classAndConfig(v)
	if err != nil {
		return "", err
	}
	name, _ := config["name"].(string)
	if class != "DTypePolicy" {
		return "", fmt.Errorf("the dtype policy %s %s is not known here", class, name)
	}
	return name, nil
}

// decodeDType returns the element type of a name or a policy.
func decodeDType(v any) (dtypes.DType, error) {
	name, err := decodePolicy(v)
	if err != nil {
		return 0, err
	}
	for d := range fileTypes {
		if dtypeText(d) == name {
			return d, nil
		}
	}
	return 0, fmt.Errorf("the dtype %q is not known here: want one such as float32", name)
}
