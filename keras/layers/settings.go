package layers

// This file defines the table of options that have names in Keras' configs.

import (
	"fmt"
	"slices"
	"strings"

	"github.com/gospmd/gospmd/internal/option"
	"github.com/gospmd/gospmd/keras/activations"
	"github.com/gospmd/gospmd/keras/constraints"
	"github.com/gospmd/gospmd/keras/initializers"
	"github.com/gospmd/gospmd/keras/regularizers"
)

// settings are the options of declared layers (declare.go). A key may have several options; a
// layer takes one of them.
var settings = append(option.Table[options]{
	// Of windows and images.
	{Option: "Filters", Key: "filters", Field: func(o *options) any { return &o.filters }, Check: size},
	{Option: "KernelSize", Key: "kernel_size", Field: func(o *options) any { return &o.window.size }, Check: sizes},
	{Option: "PoolSize", Key: "pool_size", Field: func(o *options) any { return &o.window.size }, Check: sizes},
	{Option: "Size", Key: "size", Field: func(o *options) any { return &o.window.size }, Check: sizes, Single: true},
	{Option: "Strides", Key: "strides", Field: func(o *options) any { return &o.window.strides }, Check: sizes},
	{Option: "DilationRate", Key: "dilation_rate", Field: func(o *options) any { return &o.window.dilation }, Check: sizes},
	{Option: "Padding", Key: "padding", Field: func(o *options) any { return &o.window.pad }},
	{Option: "OutputPadding", Key: "output_padding", Field: func(o *options) any { return &o.outputPadding }},
	{Option: "ZeroPadding", Key: "padding", Field: func(o *options) any { return &o.edges }},
	{Option: "Cropping", Key: "cropping", Field: func(o *options) any { return &o.edges }},
	{Option: "Interpolation", Key: "interpolation", Field: func(o *options) any { return &o.interpolation }, Check: option.OneOf(interpolations...)},
	{Option: "DataFormat", Key: "data_format", Field: func(o *options) any { return &o.dataFormat }, Check: option.OneOf(channelsLast)},
	{Option: "KeepDims", Key: "keepdims", Field: func(o *options) any { return &o.keepDims }},
	{Option: "DepthMultiplier", Key: "depth_multiplier", Field: func(o *options) any { return &o.depthMultiplier }, Check: size},
	{Option: "Groups", Key: "groups", Field: func(o *options) any { return &o.groups }, Check: groupCount},

	{Option: "Height", Key: "height", Field: func(o *options) any { return &o.height }, Check: size},
	{Option: "Width", Key: "width", Field: func(o *options) any { return &o.width }, Check: size},
	{Option: "ConstantFill", Key: "fill_mode", Field: func(o *options) any { return &o.fillMode }, Check: option.OneOf("constant")},
	{Option: "FillValue", Key: "fill_value", Field: func(o *options) any { return &o.fillValue }},
	{Option: "Antialias", Key: "antialias", Field: func(o *options) any { return &o.antialias }},
	{Option: "CropToAspectRatio", Key: "crop_to_aspect_ratio", Field: func(o *options) any { return &o.cropToAspect }},
	{Option: "PadToAspectRatio", Key: "pad_to_aspect_ratio", Field: func(o *options) any { return &o.padToAspect }},
	{Option: "OutputSize", Key: "output_size", Field: func(o *options) any { return &o.outputSize }, Check: sizes},

	// Of the preparation of data.
	{Option: "Mean", Key: "mean", Field: func(o *options) any { return arrayField{&o.mean} }},
	{Option: "Variance", Key: "variance", Field: func(o *options) any { return arrayField{&o.variance} }},
	{Option: "Invert", Key: "invert", Field: func(o *options) any { return &o.invert }},
	{Option: "NumTokens", Key: "num_tokens", Field: func(o *options) any { return &o.numTokens }, Check: size},
	{Option: "Encoding", Key: "output_mode", Field: func(o *options) any { return &o.outputMode }, Check: option.OneOf("multi_hot", "one_hot", "count")},
	{Option: "BinEncoding", Key: "output_mode", Field: func(o *options) any { return &o.outputMode }, Check: option.OneOf("int", "multi_hot", "one_hot", "count")},
	{Option: "MaxTokens", Key: "max_tokens", Field: func(o *options) any { return &o.lookup.maxTokens }, Check: size},
	{Option: "OOVIndices", Key: "num_oov_indices", Field: func(o *options) any { return &o.lookup.oov }, Check: option.NotNegative},
	{Option: "MaskToken", Key: "mask_token", Field: func(o *options) any { return tokenField{&o.lookup.mask} }},
	{Option: "OOVToken", Key: "oov_token", Field: func(o *options) any { return tokenField{&o.lookup.oovToken} }},
	{Option: "Vocabulary", Key: "vocabulary", Field: func(o *options) any { return vocabularyField{&o.lookup.vocabulary} }},
	{Option: "VocabularySize", Key: "vocabulary_size", Field: func(o *options) any { return &o.lookup.size }},
	{Option: "VocabularyDType", Key: "vocabulary_dtype", Field: func(o *options) any { return &o.lookup.dtype }, Check: option.OneOf("int64")},
	{Option: "TextEncoding", Key: "encoding", Field: func(o *options) any { return &o.lookup.encoding }, Check: option.OneOf("utf-8")},
	{Option: "IDFWeights", Key: "idf_weights", Field: func(o *options) any { return &o.lookup.idf }},
	{Option: "LookupMode", Key: "output_mode", Field: func(o *options) any { return &o.lookup.mode }, Check: option.OneOf("int", "one_hot", "multi_hot", "count", "tf_idf")},
	{Option: "PadToMaxTokens", Key: "pad_to_max_tokens", Field: func(o *options) any { return &o.lookup.pad }},
	{Option: "Salt", Key: "salt", Field: func(o *options) any { return saltField{&o.lookup.salt} }},
	{Option: "OOVMethod", Key: "oov_method", Field: func(o *options) any { return &o.lookup.oovMethod }, Check: option.OneOf("floormod", "farmhash")},
	{Option: "Standardize", Key: "standardize", Field: func(o *options) any { return &o.lookup.standardize }, Check: option.OneOf("lower_and_strip_punctuation", "lower", "strip_punctuation")},
	{Option: "Split", Key: "split", Field: func(o *options) any { return &o.lookup.split }, Check: option.OneOf("whitespace", "character")},
	{Option: "NGrams", Key: "ngrams", Field: func(o *options) any { return &o.lookup.ngrams }},
	{Option: "OutputSequenceLength", Key: "output_sequence_length", Field: func(o *options) any { return &o.lookup.length }, Check: size},
	{Option: "HashBins", Key: "num_bins", Field: func(o *options) any { return &o.numTokens }, Check: size},
	{Option: "HashMask", Key: "mask_value", Field: func(o *options) any { return tokenField{&o.lookup.mask} }},
	{Option: "HashMode", Key: "output_mode", Field: func(o *options) any { return &o.lookup.mode }, Check: option.OneOf("int", "one_hot", "multi_hot", "count")},
	{Option: "CrossMode", Key: "output_mode", Field: func(o *options) any { return &o.lookup.mode }, Check: option.OneOf("int", "one_hot")},
	{Option: "BinBoundaries", Key: "bin_boundaries", Field: func(o *options) any { return &o.boundaries }},
	{Option: "NumBins", Key: "num_bins", Field: func(o *options) any { return &o.numBins }, Check: size},
	{Option: "SummaryError", Key: "epsilon", Field: func(o *options) any { return &o.summaryError }, Check: option.Positive},

	// Of spectrograms.
	{Option: "SpectrogramMode", Key: "mode", Field: func(o *options) any { return &o.signal.mode }, Check: option.OneOf("log", "magnitude", "psd", "real", "imag", "angle", "stft")},
	{Option: "FrameLength", Key: "frame_length", Field: func(o *options) any { return &o.signal.frameLength }, Check: size},
	{Option: "FrameStep", Key: "frame_step", Field: func(o *options) any { return &o.signal.frameStep }, Check: size},
	{Option: "FFTLength", Key: "fft_length", Field: func(o *options) any { return &o.signal.fftLength }, Check: size},
	{Option: "Window", Key: "window", Field: func(o *options) any { return &o.signal.window }},
	{Option: "Periodic", Key: "periodic", Field: func(o *options) any { return &o.signal.periodic }},
	{Option: "Scaling", Key: "scaling", Field: func(o *options) any { return (*optional)(&o.signal.scaling) }, Check: option.OneOf("density", "spectrum")},
	{Option: "ExpandDims", Key: "expand_dims", Field: func(o *options) any { return &o.signal.expandDims }},
	{Option: "SequenceStride", Key: "sequence_stride", Field: func(o *options) any { return &o.signal.stride }, Check: size},
	{Option: "SequenceLength", Key: "sequence_length", Field: func(o *options) any { return &o.signal.sequenceLength }, Check: size},
	{Option: "SamplingRate", Key: "sampling_rate", Field: func(o *options) any { return &o.signal.samplingRate }, Check: size},
	{Option: "NumMelBins", Key: "num_mel_bins", Field: func(o *options) any { return &o.signal.melBins }, Check: size},
	{Option: "MinFreq", Key: "min_freq", Field: func(o *options) any { return &o.signal.minFreq }, Check: option.NotNegative},
	{Option: "MaxFreq", Key: "max_freq", Field: func(o *options) any { return &o.signal.maxFreq }, Check: option.Positive},
	{Option: "PowerToDB", Key: "power_to_db", Field: func(o *options) any { return &o.signal.powerToDB }},
	{Option: "TopDB", Key: "top_db", Field: func(o *options) any { return &o.signal.topDB }, Check: option.NotNegative},
	{Option: "MagExp", Key: "mag_exp", Field: func(o *options) any { return &o.signal.magExp }, Check: option.Positive},
	{Option: "MinPower", Key: "min_power", Field: func(o *options) any { return &o.signal.minPower }, Check: option.Positive},
	{Option: "RefPower", Key: "ref_power", Field: func(o *options) any { return &o.signal.referencePower }},

	// Of merges, activations and shapes.
	{Option: "Axis", Key: "axis", Field: func(o *options) any { return &o.axis }, Single: true},
	{Option: "Axes", Key: "axes", Field: func(o *options) any { return &o.axes }, Single: true},
	{Option: "Normalize", Key: "normalize", Field: func(o *options) any { return &o.normalize }},
	{Option: "Alpha", Key: "alpha", Field: func(o *options) any { return &o.alpha }, Check: option.NotNegative},
	{Option: "MaxValue", Key: "max_value", Field: func(o *options) any { return &o.maxValue }, Check: option.NotNegative},
	{Option: "NegativeSlope", Key: "negative_slope", Field: func(o *options) any { return &o.negativeSlope }, Check: option.NotNegative},
	{Option: "Threshold", Key: "threshold", Field: func(o *options) any { return &o.threshold }, Check: option.NotNegative},
	{Option: "SharedAxes", Key: "shared_axes", Field: func(o *options) any { return &o.sharedAxes }},
	{Option: "TargetShape", Key: "target_shape", Field: func(o *options) any { return &o.targetShape }},
	{Option: "Dims", Key: "dims", Field: func(o *options) any { return &o.dims }},
	{Option: "ScaleBy", Key: "scale", Field: func(o *options) any { return arrayField{&o.scaleBy} }},
	{Option: "Offset", Key: "offset", Field: func(o *options) any { return arrayField{&o.offset} }},
	{Option: "MaskValue", Key: "mask_value", Field: func(o *options) any { return &o.maskValue }},
	{Option: "MaskZero", Key: "mask_zero", Field: func(o *options) any { return &o.maskZero }},
	{Option: "Layer", Key: "layer", Field: func(o *options) any { return layerField{&o.layer} }},
	{Option: "Times", Key: "n", Field: func(o *options) any { return &o.times }, Check: size},
	{Option: "Equation", Key: "equation", Field: func(o *options) any { return &o.equation }},
	{Option: "OutputShape", Key: "output_shape", Field: func(o *options) any { return (*openSize)(&o.outputShape) }},
	{Option: "BiasAxes", Key: "bias_axes", Field: func(o *options) any { return (*optional)(&o.biasAxes) }},

	// Of normalizations and noise.
	{Option: "Epsilon", Key: "epsilon", Field: func(o *options) any { return &o.epsilon }, Check: option.NotNegative},
	{Option: "Center", Key: "center", Field: func(o *options) any { return &o.center }},
	{Option: "Scale", Key: "scale", Field: func(o *options) any { return &o.scale }},
	{Option: "BetaInitializer", Key: "beta_initializer", Field: func(o *options) any { return initializerField{&o.betaInitializer} }},
	{Option: "GammaInitializer", Key: "gamma_initializer", Field: func(o *options) any { return initializerField{&o.gammaInitializer} }},
	{Option: "Momentum", Key: "momentum", Field: func(o *options) any { return &o.momentum }, Check: option.Fraction},
	{Option: "MovingMeanInitializer", Key: "moving_mean_initializer", Field: func(o *options) any { return initializerField{&o.meanInitializer} }},
	{Option: "MovingVarianceInitializer", Key: "moving_variance_initializer", Field: func(o *options) any { return initializerField{&o.varianceInitializer} }},
	{Option: "Renorm", Key: "renorm", Field: func(o *options) any { return &o.renorm }},
	{Option: "RenormMomentum", Key: "renorm_momentum", Field: func(o *options) any { return &o.renormMomentum }, Check: option.Fraction},
	{Option: "RenormClipping", Key: "renorm_clipping", Field: func(o *options) any { return &o.renormClipping }},
	{Option: "Synchronized", Key: "synchronized", Field: func(o *options) any { return &o.synchronized }},
	limit("BetaRegularizer", "beta_regularizer"), limit("BetaConstraint", "beta_constraint"),
	limit("GammaRegularizer", "gamma_regularizer"), limit("GammaConstraint", "gamma_constraint"),
	{Option: "Rate", Key: "rate", Field: func(o *options) any { return &o.rate }, Check: option.Fraction},
	{Option: "NoiseShape", Key: "noise_shape", Field: func(o *options) any { return (*openSize)(&o.noiseShape) }},
	{Option: "Stddev", Key: "stddev", Field: func(o *options) any { return &o.stddev }, Check: option.NotNegative},
	{Option: "Seed", Key: "seed", Field: func(o *options) any { return &o.seed }},
	{Option: "UseScale", Key: "use_scale", Field: func(o *options) any { return &o.useScale }},
	{Option: "ScoreMode", Key: "score_mode", Field: func(o *options) any { return &o.scoreMode }, Check: option.OneOf("dot", "concat")},
	{Option: "DropoutRate", Key: "dropout", Field: func(o *options) any { return &o.dropout }, Check: option.Fraction},
	{Option: "UseCausalMask", Key: "use_causal_mask", Field: func(o *options) any { return &o.causal }},
	{Option: "NumHeads", Key: "num_heads", Field: func(o *options) any { return &o.heads }, Check: size},
	{Option: "KeyDim", Key: "key_dim", Field: func(o *options) any { return &o.keyDim }, Check: size},
	{Option: "ValueDim", Key: "value_dim", Field: func(o *options) any { return &o.valueDim }, Check: size},
	{Option: "HeadDim", Key: "head_dim", Field: func(o *options) any { return &o.keyDim }, Check: size},
	{Option: "NumQueryHeads", Key: "num_query_heads", Field: func(o *options) any { return &o.heads }, Check: size},
	{Option: "NumKeyValueHeads", Key: "num_key_value_heads", Field: func(o *options) any { return &o.keyValueHeads }, Check: size},
	{Option: "AttentionAxes", Key: "attention_axes", Field: func(o *options) any { return &o.attentionAxes }},
	{Option: "SlidingWindow", Key: "sliding_window", Field: func(o *options) any { return &o.slidingWindow }, Check: size},
	{Option: "UseGate", Key: "use_gate", Field: func(o *options) any { return &o.useGate }},
	{Option: "L1", Key: "l1", Field: func(o *options) any { return &o.l1 }, Check: option.NotNegative},
	{Option: "L2", Key: "l2", Field: func(o *options) any { return &o.l2 }, Check: option.NotNegative},

	// Of layers with weights.
	{Option: "Units", Key: "units", Field: func(o *options) any { return &o.units }, Check: size},
	{Option: "InputDim", Key: "input_dim", Field: func(o *options) any { return &o.inputDim }, Check: size},
	{Option: "OutputDim", Key: "output_dim", Field: func(o *options) any { return &o.outputDim }, Check: size},
	{Option: "Activation", Key: "activation", Field: func(o *options) any { return activationField{&o.activation, &o.activationID} }},
	{Option: "UseBias", Key: "use_bias", Field: func(o *options) any { return &o.useBias }},
	{Option: "KernelInitializer", Key: "kernel_initializer", Field: func(o *options) any { return initializerField{&o.kernelInitializer} }},
	{Option: "DepthwiseInitializer", Key: "depthwise_initializer", Field: func(o *options) any { return initializerField{&o.kernelInitializer} }},
	{Option: "PointwiseInitializer", Key: "pointwise_initializer", Field: func(o *options) any { return initializerField{&o.pointwiseInitializer} }},
	{Option: "BiasInitializer", Key: "bias_initializer", Field: func(o *options) any { return initializerField{&o.biasInitializer} }},
	limit("KernelRegularizer", "kernel_regularizer"), limit("KernelConstraint", "kernel_constraint"),
	limit("DepthwiseRegularizer", "depthwise_regularizer"), limit("DepthwiseConstraint", "depthwise_constraint"),
	limit("PointwiseRegularizer", "pointwise_regularizer"), limit("PointwiseConstraint", "pointwise_constraint"),
	{Option: "AlphaInitializer", Key: "alpha_initializer", Field: func(o *options) any { return initializerField{&o.alphaInitializer} }},
	limit("AlphaRegularizer", "alpha_regularizer"), limit("AlphaConstraint", "alpha_constraint"),
	limit("BiasRegularizer", "bias_regularizer"), limit("BiasConstraint", "bias_constraint"),
	limit("ActivityRegularizer", "activity_regularizer"),
	{Option: "EmbeddingsInitializer", Key: "embeddings_initializer", Field: func(o *options) any { return initializerField{&o.embeddingsInitializer} }},
	{Option: "TieWeights", Key: "tie_weights", Field: func(o *options) any { return &o.tieWeights }},
	{Option: "ReverseDType", Key: "reverse_dtype", Field: func(o *options) any { return (*optional)(&o.reverseDType) }, Check: option.OneOf("float16", "bfloat16", "float32", "float64")},
	{Option: "LogitSoftCap", Key: "logit_soft_cap", Field: func(o *options) any { return &o.logitSoftCap }, Check: option.Positive},
	limit("EmbeddingsRegularizer", "embeddings_regularizer"), limit("EmbeddingsConstraint", "embeddings_constraint"),

	// Of recurrent layers.
	{Option: "RecurrentActivation", Key: "recurrent_activation", Field: func(o *options) any {
		return activationField{&o.rnn.recurrentActivation, &o.rnn.recurrentActivationID}
	}},
	{Option: "RecurrentInitializer", Key: "recurrent_initializer", Field: func(o *options) any { return initializerField{&o.rnn.recurrentInitializer} }},
	limit("RecurrentRegularizer", "recurrent_regularizer"), limit("RecurrentConstraint", "recurrent_constraint"),
	{Option: "RecurrentDropout", Key: "recurrent_dropout", Field: func(o *options) any { return &o.rnn.recurrentDropout }, Check: option.Fraction},
	{Option: "UnitForgetBias", Key: "unit_forget_bias", Field: func(o *options) any { return &o.rnn.unitForgetBias }},
	{Option: "ResetAfter", Key: "reset_after", Field: func(o *options) any { return &o.rnn.resetAfter }},
	{Option: "ReturnSequences", Key: "return_sequences", Field: func(o *options) any { return &o.rnn.sequences }},
	{Option: "ReturnState", Key: "return_state", Field: func(o *options) any { return &o.rnn.state }},
	{Option: "GoBackwards", Key: "go_backwards", Field: func(o *options) any { return &o.rnn.backwards }},
	{Option: "Stateful", Key: "stateful", Field: func(o *options) any { return (*batchSize)(&o.rnn.stateful) }},
	{Option: "Unroll", Key: "unroll", Field: func(o *options) any { return &o.rnn.unroll }},
	{Option: "ZeroOutputForMask", Key: "zero_output_for_mask", Field: func(o *options) any { return &o.rnn.zeroForMasked }},
	{Option: "Cell", Key: "cell", Field: func(o *options) any { return layerField{&o.layer} }},
	{Option: "Cells", Key: "cells", Field: func(o *options) any { return listField[Cell]{&o.cells} }},
	{Option: "Layers", Key: "layers", Field: func(o *options) any { return listField[Layer]{&o.layers} }},
	{Option: "PowerIterations", Key: "power_iterations", Field: func(o *options) any { return &o.powerIterations }, Check: size},
	{Option: "BackwardLayer", Key: "backward_layer", Field: func(o *options) any { return layerField{&o.rnn.backward} }},
	{Option: "MergeMode", Key: "merge_mode", Field: func(o *options) any { return (*optional)(&o.rnn.mergeMode) }, Check: option.OneOf("concat", "sum", "mul", "ave")},
}, augmentSettings...)

// channelsLast is the only data format of the layers, under Keras' name.
const channelsLast = "channels_last"

// maxSize is the largest size that an option may be.
const maxSize = 1<<31 - 1

// size is the Check of a positive integer.
func size(v any) error {
	if n, ok := v.(int); !ok || n < 1 || n > maxSize {
		return fmt.Errorf("got %v, want a positive number of at most %d", v, maxSize)
	}
	return nil
}

// groupCount is the Check of a number of groups.
func groupCount(v any) error {
	if v == -1 {
		return nil
	}
	return size(v)
}

// sizes is the Check of positive integers.
func sizes(v any) error {
	for _, n := range v.([]int) {
		if size(n) != nil {
			return fmt.Errorf("got %v, want positive numbers of at most %d", v, maxSize)
		}
	}
	return nil
}

// activationField is an activation in options, and what it was given as.
type activationField struct {
	to *activations.Func
	id *any
}

func (f activationField) Assign(v any) (err error) {
	if v == nil {
		v = "linear"
	}
	*f.id = v
	*f.to, err = activations.Get(v)
	return err
}

// Read returns the name of the activation, or the function, which no file can hold.
func (f activationField) Read() any {
	if *f.id == nil {
		return "linear"
	}
	return *f.id
}

// layerField is a layer in options, nil for none.
type layerField struct{ to *Layer }

func (f layerField) Assign(v any) error {
	l, ok := v.(Layer)
	if !ok && v != nil {
		return fmt.Errorf("got %v, want a layer", v)
	}
	*f.to = l
	return nil
}

func (f layerField) Read() any {
	if isNil(*f.to) {
		return nil
	}
	return *f.to
}

// listField are layers in options.
type listField[L Layer] struct{ to *[]L }

func (f listField[L]) Assign(v any) error {
	if given, ok := v.([]L); ok {
		*f.to = slices.Clone(given)
		return nil
	}
	list, ok := v.([]any)
	if !ok {
		return fmt.Errorf("got %v, want a list of layers", v)
	}
	*f.to = nil
	for _, x := range list {
		l, ok := x.(L)
		if !ok {
			return fmt.Errorf("got a %T, want a %T", x, *new(L))
		}
		*f.to = append(*f.to, l)
	}
	return nil
}

func (f listField[L]) Read() any {
	out := make([]Layer, len(*f.to))
	for i, l := range *f.to {
		out[i] = l
	}
	return out
}

// initializerField is an initializer in options.
type initializerField struct{ init *initializers.Initializer }

func (f initializerField) Assign(v any) (err error) {
	*f.init, err = initializers.Get(v)
	return err
}

func (f initializerField) Read() any { return *f.init }

// limit is the row of a regularizer or a constraint.
func limit(name, key string) option.Setting[options] {
	return option.Setting[options]{Option: name, Key: key, Field: func(o *options) any { return limitField{o, key} }}
}

type limitField struct {
	*options
	key string
}

func (f limitField) Assign(v any) error {
	if strings.HasSuffix(f.key, "_constraint") {
		c, err := constraints.Get(v)
		if c != nil {
			f.setLimit(f.key, c)
		}
		return err
	}
	r, err := regularizers.Get(v)
	if r != nil {
		f.setLimit(f.key, r)
	}
	return err
}

func (f limitField) Read() any { return f.limits[f.key] }

// openSize is a shape. None is null in configs.
type openSize []int

func (f *openSize) Assign(v any) error {
	*f = nil
	if v == nil {
		return nil
	}
	if n, ok := v.([]int); ok {
		*f = slices.Clone(n)
	} else {
		list, ok := v.([]any)
		if !ok {
			list = []any{v}
		}
		for _, x := range list {
			n, ok := x.(float64)
			if x == nil {
				n, ok = None, true
			}
			if !ok || n != float64(int(n)) {
				return fmt.Errorf("got %v, want sizes", v)
			}
			*f = append(*f, int(n))
		}
	}
	for _, n := range *f {
		if n != None && size(n) != nil {
			return fmt.Errorf("got %v, want positive sizes of at most %d, or None", *f, maxSize)
		}
	}
	return nil
}

func (f *openSize) Read() any {
	if *f == nil {
		return nil
	}
	out := make([]any, len(*f))
	for i, n := range *f {
		if n != None {
			out[i] = n
		}
	}
	return out
}

// optional is a text. "" is null in configs.
type optional string

func (f *optional) Assign(v any) error {
	text, ok := v.(string)
	if !ok && v != nil {
		return fmt.Errorf("got %v, want a text", v)
	}
	*f = optional(text)
	return nil
}

func (f *optional) Read() any {
	if *f == "" {
		return nil
	}
	return string(*f)
}
