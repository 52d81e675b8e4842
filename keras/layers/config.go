package layers

// This file describes layers, for files.

import (
	"fmt"

	"github.com/gospmd/gospmd/keras/activations"
)

// Configured is a layer that can tell how it was made.
type Configured interface {
	Layer
	// Config returns the options as Keras' get_config names them, but for the
	// name, trainable and dtype. Initializers are initializers.Initializer;
	// what has no name in Keras is an error.
	Config() (map[string]any, error)
}

// Trainable reports whether SetTrainable has left the layer trainable.
func (b *Base) Trainable() bool { return !b.frozen }

// activationName returns Keras' name of the activation.
func (o *options) activationName() (string, error) {
	switch a := o.activationID.(type) {
	case nil:
		return "linear", nil
	case string:
		return a, nil
	case activations.Func:
		return "", fmt.Errorf("its activation is a function, which has no name to be saved: give the name of one")
	default:
		return "", fmt.Errorf("its activation is a %T, want a name", a)
	}
}

func (o *options) seedConfig() any {
	if o.seed == nil {
		return nil
	}
	return *o.seed
}

// axisConfig returns one axis as a number, several as a list.
func (o *options) axisConfig() any {
	if len(o.axis) == 1 {
		return o.axis[0]
	}
	return o.axis
}

func (w window) paddingName() string {
	if w.same {
		return "same"
	}
	return "valid"
}

const channelsLast = "channels_last"

// Config returns the options.
func (l *DenseLayer) Config() (map[string]any, error) {
	activation, err := l.opts.activationName()
	return map[string]any{
		"units": l.Units, "activation": activation, "use_bias": l.opts.useBias,
		"kernel_initializer": l.opts.kernelInitializer, "bias_initializer": l.opts.biasInitializer,
	}, err
}

// Config returns the options.
func (l *ActivationLayer) Config() (map[string]any, error) {
	activation, err := l.opts.activationName()
	return map[string]any{"activation": activation}, err
}

// Config returns the options.
func (l *FlattenLayer) Config() (map[string]any, error) {
	return map[string]any{"data_format": channelsLast}, nil
}

// Config returns the options.
func (l *DropoutLayer) Config() (map[string]any, error) {
	return map[string]any{"rate": l.Rate, "seed": l.seedOption, "noise_shape": nil}, nil
}

// Config returns the options.
func (l *Conv2DLayer) Config() (map[string]any, error) {
	config, err := l.opts.convConfig("kernel_initializer")
	config["filters"], config["groups"] = l.Filters, l.opts.groups
	return config, err
}

// Config returns the options.
func (l *DepthwiseConv2DLayer) Config() (map[string]any, error) {
	config, err := l.opts.convConfig("depthwise_initializer")
	config["depth_multiplier"] = l.opts.depthMultiplier
	return config, err
}

func (o *options) convConfig(kernel string) (map[string]any, error) {
	activation, err := o.activationName()
	return map[string]any{
		"kernel_size": o.window.size, "strides": o.window.strides, "padding": o.window.paddingName(),
		"data_format": channelsLast, "dilation_rate": o.window.dilation, "activation": activation,
		"use_bias": o.useBias, kernel: o.kernelInitializer, "bias_initializer": o.biasInitializer,
	}, err
}

// Config returns the options of a pooling.
func (l *pool2D) Config() (map[string]any, error) {
	w := l.opts.window
	return map[string]any{"pool_size": w.size, "strides": w.strides, "padding": w.paddingName(), "data_format": channelsLast}, nil
}

// Config returns the options of a global pooling.
func (l *globalPool2D) Config() (map[string]any, error) {
	return map[string]any{"data_format": channelsLast, "keepdims": l.opts.keepDims}, nil
}

// Config returns the options.
func (l *BatchNormalizationLayer) Config() (map[string]any, error) {
	o := &l.opts
	return map[string]any{
		"axis": o.axisConfig(), "momentum": o.momentum, "epsilon": o.epsilon, "center": o.center, "scale": o.scale,
		"beta_initializer": o.betaInitializer, "gamma_initializer": o.gammaInitializer,
		"moving_mean_initializer": o.meanInitializer, "moving_variance_initializer": o.varianceInitializer,
	}, nil
}

// Config returns the options.
func (l *LayerNormalizationLayer) Config() (map[string]any, error) {
	o := &l.opts
	return map[string]any{
		"axis": o.axisConfig(), "epsilon": o.epsilon, "center": o.center, "scale": o.scale,
		"beta_initializer": o.betaInitializer, "gamma_initializer": o.gammaInitializer,
	}, nil
}

// Config returns the options.
func (l *RMSNormalizationLayer) Config() (map[string]any, error) {
	return map[string]any{"axis": l.opts.axisConfig(), "epsilon": l.opts.epsilon}, nil
}

// Config returns the options.
func (l *EmbeddingLayer) Config() (map[string]any, error) {
	return map[string]any{
		"input_dim": l.InputDim, "output_dim": l.OutputDim, "embeddings_initializer": l.opts.embeddingsInitializer,
	}, nil
}

// Config returns the options. use_causal_mask is an argument of the call in
// Keras.
func (l *MultiHeadAttentionLayer) Config() (map[string]any, error) {
	config := l.config()
	config["num_heads"], config["key_dim"], config["value_dim"] = l.heads, l.keyDim, l.valueDim
	config["output_shape"], config["attention_axes"] = nil, []int{1}
	return config, nil
}

// Config returns the options, as that of MultiHeadAttentionLayer does.
func (l *GroupedQueryAttentionLayer) Config() (map[string]any, error) {
	config := l.config()
	config["head_dim"], config["num_query_heads"], config["num_key_value_heads"] = l.keyDim, l.heads, l.groups
	return config, nil
}

func (l *attention) config() map[string]any {
	return map[string]any{
		"dropout": l.opts.dropout, "use_bias": l.opts.useBias, "seed": l.opts.seedConfig(), "use_causal_mask": l.opts.causal,
		"kernel_initializer": l.opts.kernelInitializer, "bias_initializer": l.opts.biasInitializer,
	}
}

// Config returns nothing: elementwise merges have no options.
func (l *merge) Config() (map[string]any, error) { return map[string]any{}, nil }

// Config returns the options.
func (l *ConcatenateLayer) Config() (map[string]any, error) {
	return map[string]any{"axis": l.opts.axis[0]}, nil
}

// Config returns the options.
func (l *ReshapeLayer) Config() (map[string]any, error) {
	return map[string]any{"target_shape": l.Target}, nil
}

// Config returns the options.
func (l *PermuteLayer) Config() (map[string]any, error) { return map[string]any{"dims": l.Dims}, nil }

// Config returns the options.
func (l *ZeroPadding2DLayer) Config() (map[string]any, error) {
	return map[string]any{"padding": [][2]int{l.Height, l.Width}, "data_format": channelsLast}, nil
}

// Config returns the options.
func (l *RescalingLayer) Config() (map[string]any, error) {
	return map[string]any{"scale": l.Scale, "offset": l.opts.offset}, nil
}
