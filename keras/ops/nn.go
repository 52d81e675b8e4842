package ops

// This file defines operations of networks: convolutions, poolings, normalizations, losses. Tensors
// are channels last.

import "github.com/gospmd/gospmd/keras/layers"

// Conv returns the convolution of x with a kernel [spatial dimensions…, channels, filters].
// Options: Strides, Padding, DilationRate.
func Conv(x, kernel *Tensor, opts ...Option) *Tensor {
	return layers.Operate("Conv", []any{x, kernel}, with(opts, windowed()))
}

// windowed returns the arguments of convolutions and poolings, by Keras' names, with their default
// values.
func windowed() map[string]any {
	return map[string]any{"strides": 1, "padding": "valid", "data_format": "channels_last", "dilation_rate": 1}
}

// ConvTranspose returns the transposed convolution: the gradient of a convolution with respect to
// its input. The kernel is [spatial dimensions…, filters, channels]. Options: those of Conv,
// OutputPadding.
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

// SeparableConv is a DepthwiseConv with the kernel depthwise, then a Conv with the kernel
// pointwise, of size 1, which mixes channels. Options: those of Conv.
func SeparableConv(x, depthwise, pointwise *Tensor, opts ...Option) *Tensor {
	return layers.Operate("SeparableConv", []any{x, depthwise, pointwise}, with(opts, windowed()))
}

// MaxPool returns the largest element of each window. size is one number, or one for each spatial
// dimension; windows are as far apart by default. Options: Strides, Padding.
func MaxPool(x *Tensor, size []int, opts ...Option) *Tensor {
	return layers.Operate("MaxPool", []any{x}, with(opts, map[string]any{"pool_size": numbers(size), "strides": nil, "padding": "valid", "data_format": "channels_last"}))
}

// AveragePool returns the mean of each window, without the padding. size is one number, or one for
// each spatial dimension; windows are as far apart by default. Options: Strides, Padding.
func AveragePool(x *Tensor, size []int, opts ...Option) *Tensor {
	return layers.Operate("AveragePool", []any{x}, with(opts, map[string]any{"pool_size": numbers(size), "strides": nil, "padding": "valid", "data_format": "channels_last"}))
}

// AdaptiveMaxPool divides the spatial dimensions into windows and returns the largest element of
// each. size is the number of windows along each spatial dimension, or one number for all: these
// are the spatial dimensions of the result.
func AdaptiveMaxPool(x *Tensor, size ...int) *Tensor {
	return layers.Operate("AdaptiveMaxPool", []any{x}, map[string]any{"output_size": numbers(size), "data_format": "channels_last"})
}

// AdaptiveAveragePool divides the spatial dimensions into windows and returns the mean of each.
// size is the number of windows along each spatial dimension, or one number for all: these are the
// spatial dimensions of the result.
func AdaptiveAveragePool(x *Tensor, size ...int) *Tensor {
	return layers.Operate("AdaptiveAveragePool", []any{x}, map[string]any{"output_size": numbers(size), "data_format": "channels_last"})
}

// given returns args without the nil ones at the end. A nil *Tensor among the others becomes nil.
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

// BatchNormalization normalizes x with the given mean and variance, which are vectors along the
// axis. It then multiplies by scale and adds offset; both may be nil. Options: Epsilon.
func BatchNormalization(x, mean, variance *Tensor, axis int, offset, scale *Tensor, opts ...Option) *Tensor {
	return layers.Operate("BatchNorm", given(x, mean, variance, offset, scale), with(opts, map[string]any{"axis": axis, "epsilon": 1e-3}))
}

// LayerNormalization normalizes x to mean 0 and variance 1 over axes, the last one by default. It
// then multiplies by gamma and adds beta; both may be nil. Options: Axis, Epsilon.
func LayerNormalization(x, gamma, beta *Tensor, opts ...Option) *Tensor {
	return layers.Operate("LayerNorm", given(x, gamma, beta), with(opts, map[string]any{"axis": -1, "epsilon": nil, "rms_scaling": false}))
}

// RMSNormalization divides x by its root mean square over axes, the last one by default. It then
// multiplies by scale, which may be nil. Options: Axis, Epsilon.
func RMSNormalization(x, scale *Tensor, opts ...Option) *Tensor {
	return layers.Operate("RMSNorm", given(x, scale), with(opts, map[string]any{"axis": -1, "epsilon": nil}))
}

// BinaryCrossentropy returns the cross-entropy of each element between target and output,
// probabilities of two classes. Options: FromLogits.
func BinaryCrossentropy(target, output *Tensor, opts ...Option) *Tensor {
	return layers.Operate("BinaryCrossentropy", []any{target, output}, with(opts, map[string]any{"from_logits": false}))
}

// CategoricalCrossentropy returns the cross-entropy between one-hot targets and probabilities along
// an axis, the last one by default; the result lacks this axis. Options: FromLogits, Axis.
func CategoricalCrossentropy(target, output *Tensor, opts ...Option) *Tensor {
	return layers.Operate("CategoricalCrossentropy", []any{target, output}, with(opts, map[string]any{"from_logits": false, "axis": -1}))
}

// SparseCategoricalCrossentropy is CategoricalCrossentropy for targets that are class numbers,
// without the axis of classes. Options: those of CategoricalCrossentropy.
func SparseCategoricalCrossentropy(target, output *Tensor, opts ...Option) *Tensor {
	return layers.Operate("SparseCategoricalCrossentropy", []any{target, output}, with(opts, map[string]any{"from_logits": false, "axis": -1}))
}

// CTCLoss returns the CTC loss of each sequence, without alignment. target is [batch, labels],
// output holds logits [batch, steps, classes]. targetLength and outputLength hold the lengths of
// the sequences, [batch]. maskIndex is the class of the blank.
func CTCLoss(target, output, targetLength, outputLength *Tensor, maskIndex int) *Tensor {
	return layers.Operate("CTCLoss", []any{target, output, targetLength, outputLength}, map[string]any{"mask_index": maskIndex})
}

// CTCDecode decodes logits [batch, steps, classes] greedily: it takes the most probable class of
// each step, up to the lengths, [batch]. It leaves out the class maskIndex, the blank, and with
// mergeRepeated repetitions. labels, [1, batch, steps], is filled up with -1. scores, [batch, 1],
// holds minus the sum of the largest logits of each sequence.
func CTCDecode(x, lengths *Tensor, mergeRepeated bool, maskIndex int) (labels, scores *Tensor) {
	return two(layers.OperateAll("CTCDecode", []any{x, lengths}, map[string]any{"strategy": "greedy", "beam_width": 100, "top_paths": 1, "merge_repeated": mergeRepeated, "mask_index": maskIndex}))
}

// DotProductAttention returns the attention of the queries, [batch, steps, heads, size], over keys
// and values, in the shape of the queries. Keys and values have the axes of the queries. They may
// have fewer heads, which must divide those of the queries. Options: Bias, Mask, Scale, Causal.
func DotProductAttention(query, key, value *Tensor, opts ...Option) *Tensor {
	attrs := with(opts, map[string]any{"bias": nil, "mask": nil, "scale": nil, "is_causal": false, "flash_attention": nil, "attn_logits_soft_cap": nil})
	args := given(query, key, value, attrs["bias"], attrs["mask"], attrs["scale"])
	for _, key := range []string{"bias", "mask", "scale"} {
		delete(attrs, key)
	}
	return layers.Operate("DotProductAttention", args, attrs)
}

// Bias sets a tensor that DotProductAttention adds to the scores, [batch, heads, queries, keys];
// its dimensions may be 1.
func Bias(x *Tensor) Option { return Option{"Bias", "bias", x} }

// Mask sets which keys each query attends to in DotProductAttention: those where it is true,
// [batch, heads, queries, keys]; its dimensions may be 1.
func Mask(x *Tensor) Option { return Option{"Mask", "mask", x} }

// Scale sets the factor of the scores of DotProductAttention. The default is 1/√size, where size is
// the last dimension of the queries.
func Scale(x float64) Option { return Option{"Scale", "scale", x} }

// Causal makes each query of DotProductAttention attend only to keys of its own and earlier steps.
func Causal() Option { return Option{"Causal", "is_causal", true} }

// DepthToSpace moves channels into blocks of blockSize × blockSize pixels: height and width grow by
// blockSize, and the channels, whose number blockSize² must divide, shrink.
func DepthToSpace(x *Tensor, blockSize int) *Tensor {
	return layers.Operate("DepthToSpace", []any{x}, map[string]any{"block_size": blockSize, "data_format": "channels_last"})
}

// SpaceToDepth moves the pixels of blocks of blockSize × blockSize into channels: height and width,
// which blockSize must divide, shrink, and the channels grow by blockSize².
func SpaceToDepth(x *Tensor, blockSize int) *Tensor {
	return layers.Operate("SpaceToDepth", []any{x}, map[string]any{"block_size": blockSize, "data_format": "channels_last"})
}

// Blocks describes the windows of Fold and Unfold, along height and then width, in pixels. Dilation
// and Stride are 1 by default, Padding is 0.
type Blocks struct {
	Size, Dilation, Padding, Stride [2]int
}

func (b Blocks) attrs() map[string]any {
	or := func(n [2]int) []int { return []int{max(n[0], 1), max(n[1], 1)} }
	return map[string]any{"kernel_size": b.Size[:], "dilation": or(b.Dilation), "padding": b.Padding[:], "stride": or(b.Stride)}
}

// Unfold returns the windows of images [batch, channels, height, width] as columns: [batch,
// channels · window, windows].
func Unfold(x *Tensor, b Blocks) *Tensor { return layers.Operate("Unfold", []any{x}, b.attrs()) }

// Fold is the inverse of Unfold: it puts columns back into images [batch, channels, height, width]
// of a size. Where windows overlap, it adds them.
func Fold(x *Tensor, size [2]int, b Blocks) *Tensor {
	attrs := b.attrs()
	attrs["output_size"] = size[:]
	return layers.Operate("Fold", []any{x}, attrs)
}

// PSNR returns the peak signal-to-noise ratio of two tensors, in decibels, as a scalar. maxValue is
// the largest possible value.
func PSNR(x, y *Tensor, maxValue float64) *Tensor {
	return layers.Operate("PSNR", []any{x, y}, map[string]any{"max_val": maxValue})
}

// SparseSigmoid returns 0 below -1, 1 above 1, and a straight line between.
func SparseSigmoid(x *Tensor) *Tensor { return layers.Operate("SparseSigmoid", []any{x}, nil) }
