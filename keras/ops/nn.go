package ops

// This file defines operations of networks: convolutions, poolings, normalizations, losses. Tensors
// are channels last.

import "github.com/gospmd/gospmd/keras/layers"

// Conv slides a kernel [spatial dimensions…, channels, filters] over x. Options: Strides, Padding,
// DilationRate.
func Conv(x, kernel *Tensor, opts ...Option) *Tensor {
	return layers.Operate("Conv", []any{x, kernel}, with(opts, windowed()))
}

// windowed are the arguments of convolutions.
func windowed() map[string]any {
	return map[string]any{"strides": 1, "padding": "valid", "data_format": "channels_last", "dilation_rate": 1}
}

// ConvTranspose is the gradient of a convolution; the kernel is [spatial dimensions…, filters,
// channels]. Options: those of Conv, OutputPadding.
func ConvTranspose(x, kernel *Tensor, opts ...Option) *Tensor {
	attrs := windowed()
	attrs["output_padding"] = nil
	return layers.Operate("ConvTranspose", []any{x, kernel}, with(opts, attrs))
}

// DepthwiseConv convolves each channel separately; the kernel is [spatial dimensions…, channels,
// depth multiplier]. Options: those of Conv.
func DepthwiseConv(x, kernel *Tensor, opts ...Option) *Tensor {
	return layers.Operate("DepthwiseConv", []any{x, kernel}, with(opts, windowed()))
}

// SeparableConv is a DepthwiseConv, then a Conv with a kernel of size 1. Options: those of Conv.
func SeparableConv(x, depthwise, pointwise *Tensor, opts ...Option) *Tensor {
	return layers.Operate("SeparableConv", []any{x, depthwise, pointwise}, with(opts, windowed()))
}

// MaxPool returns the largest number of each window of a size: one number, or one for each spatial
// dimension. Options: Strides, Padding.
func MaxPool(x *Tensor, size []int, opts ...Option) *Tensor {
	return layers.Operate("MaxPool", []any{x}, with(opts, map[string]any{"pool_size": numbers(size), "strides": nil, "padding": "valid", "data_format": "channels_last"}))
}

// AveragePool returns the mean of each window of a size: one number, or one for each spatial
// dimension. Options: Strides, Padding.
func AveragePool(x *Tensor, size []int, opts ...Option) *Tensor {
	return layers.Operate("AveragePool", []any{x}, with(opts, map[string]any{"pool_size": numbers(size), "strides": nil, "padding": "valid", "data_format": "channels_last"}))
}

// AdaptiveMaxPool returns the largest numbers of as many windows as size says.
func AdaptiveMaxPool(x *Tensor, size ...int) *Tensor {
	return layers.Operate("AdaptiveMaxPool", []any{x}, map[string]any{"output_size": numbers(size), "data_format": "channels_last"})
}

// AdaptiveAveragePool returns the means of as many windows as size says.
func AdaptiveAveragePool(x *Tensor, size ...int) *Tensor {
	return layers.Operate("AdaptiveAveragePool", []any{x}, map[string]any{"output_size": numbers(size), "data_format": "channels_last"})
}

// given returns arguments without the last ones that are nil.
func given(args ...any) []any {
	for len(args) > 0 {
		if t, ok := args[len(args)-1].(*Tensor); args[len(args)-1] != nil && (!ok || t != nil) {
			break
		}
		args = args[:len(args)-1]
	}
	for i, v := range args {
		if t, ok := v.(*Tensor); ok && t == nil {
			args[i] = nil
		}
	}
	return args
}

// BatchNormalization moves x to mean 0 and variance 1 by those given for an axis; offset and scale
// may be nil. Options: Epsilon.
func BatchNormalization(x, mean, variance *Tensor, axis int, offset, scale *Tensor, opts ...Option) *Tensor {
	return layers.Operate("BatchNorm", given(x, mean, variance, offset, scale), with(opts, map[string]any{"axis": axis, "epsilon": 1e-3}))
}

// LayerNormalization moves x to mean 0 and variance 1 over axes, the last one by default; gamma and
// beta may be nil. Options: Axis, Epsilon.
func LayerNormalization(x, gamma, beta *Tensor, opts ...Option) *Tensor {
	return layers.Operate("LayerNorm", given(x, gamma, beta), with(opts, map[string]any{"axis": -1, "epsilon": nil, "rms_scaling": false}))
}

// RMSNormalization divides by the root of the mean square over axes, the last one by default; scale
// may be nil. Options: Axis, Epsilon.
func RMSNormalization(x, scale *Tensor, opts ...Option) *Tensor {
	return layers.Operate("RMSNorm", given(x, scale), with(opts, map[string]any{"axis": -1, "epsilon": nil}))
}

// BinaryCrossentropy returns the cross-entropy of each element. Options: FromLogits.
func BinaryCrossentropy(target, output *Tensor, opts ...Option) *Tensor {
	return layers.Operate("BinaryCrossentropy", []any{target, output}, with(opts, map[string]any{"from_logits": false}))
}

// CategoricalCrossentropy returns the cross-entropy of probabilities along an axis, the last one
// by default. Options: FromLogits, Axis.
func CategoricalCrossentropy(target, output *Tensor, opts ...Option) *Tensor {
	return layers.Operate("CategoricalCrossentropy", []any{target, output}, with(opts, map[string]any{"from_logits": false, "axis": -1}))
}

// SparseCategoricalCrossentropy is CategoricalCrossentropy for numbers of classes. Options: those
// of it.
func SparseCategoricalCrossentropy(target, output *Tensor, opts ...Option) *Tensor {
	return layers.Operate("SparseCategoricalCrossentropy", []any{target, output}, with(opts, map[string]any{"from_logits": false, "axis": -1}))
}

// CTCLoss returns the loss of sequences without alignment: targets [batch, labels], logits [batch,
// steps, classes], the lengths of both, and the class of the blank.
func CTCLoss(target, output, targetLength, outputLength *Tensor, maskIndex int) *Tensor {
	return layers.Operate("CTCLoss", []any{target, output, targetLength, outputLength}, map[string]any{"mask_index": maskIndex})
}

// CTCDecode returns the labels of logits [batch, steps, classes] by the most probable class of each
// step, -1 behind the last one, and minus the sum of the logits.
func CTCDecode(x, lengths *Tensor, mergeRepeated bool, maskIndex int) (labels, scores *Tensor) {
	return two(layers.OperateAll("CTCDecode", []any{x, lengths}, map[string]any{"strategy": "greedy", "beam_width": 100, "top_paths": 1, "merge_repeated": mergeRepeated, "mask_index": maskIndex}))
}

// DotProductAttention attends of queries [batch, steps, heads, size] to keys and values, which may
// have fewer heads. Options: Bias, Mask, Scale, Causal.
func DotProductAttention(query, key, value *Tensor, opts ...Option) *Tensor {
	attrs := with(opts, map[string]any{"bias": nil, "mask": nil, "scale": nil, "is_causal": false, "flash_attention": nil, "attn_logits_soft_cap": nil})
	args := given(query, key, value, attrs["bias"], attrs["mask"], attrs["scale"])
	for _, key := range []string{"bias", "mask", "scale"} {
		delete(attrs, key)
	}
	return layers.Operate("DotProductAttention", args, attrs)
}

// Bias is added to the scores of attention.
func Bias(x *Tensor) Option { return Option{"Bias", "bias", x} }

// Mask says which keys attention may see.
func Mask(x *Tensor) Option { return Option{"Mask", "mask", x} }

// Scale multiplies the scores of attention, by default 1/√size.
func Scale(x float64) Option { return Option{"Scale", "scale", x} }

// Causal lets attention see no later step.
func Causal() Option { return Option{"Causal", "is_causal", true} }

// DepthToSpace makes blocks of pixels of channels.
func DepthToSpace(x *Tensor, blockSize int) *Tensor {
	return layers.Operate("DepthToSpace", []any{x}, map[string]any{"block_size": blockSize, "data_format": "channels_last"})
}

// SpaceToDepth makes channels of blocks of pixels.
func SpaceToDepth(x *Tensor, blockSize int) *Tensor {
	return layers.Operate("SpaceToDepth", []any{x}, map[string]any{"block_size": blockSize, "data_format": "channels_last"})
}

// Blocks are the windows of Fold and Unfold, for height and width. Dilation and Stride are 1 by
// default.
type Blocks struct {
	Size, Dilation, Padding, Stride [2]int
}

func (b Blocks) attrs() map[string]any {
	or := func(n [2]int) []int { return []int{max(n[0], 1), max(n[1], 1)} }
	return map[string]any{"kernel_size": b.Size[:], "dilation": or(b.Dilation), "padding": b.Padding[:], "stride": or(b.Stride)}
}

// Unfold returns the blocks of images [batch, channels, height, width] as columns.
func Unfold(x *Tensor, b Blocks) *Tensor { return layers.Operate("Unfold", []any{x}, b.attrs()) }

// Fold adds blocks up to images [batch, channels, height, width] of a size.
func Fold(x *Tensor, size [2]int, b Blocks) *Tensor {
	attrs := b.attrs()
	attrs["output_size"] = size[:]
	return layers.Operate("Fold", []any{x}, attrs)
}

// PSNR returns the peak signal-to-noise ratio of two tensors, in decibels.
func PSNR(x, y *Tensor, maxValue float64) *Tensor {
	return layers.Operate("PSNR", []any{x, y}, map[string]any{"max_val": maxValue})
}

// SparseSigmoid returns 0 below -1, 1 above 1, and a straight line between.
func SparseSigmoid(x *Tensor) *Tensor { return layers.Operate("SparseSigmoid", []any{x}, nil) }
