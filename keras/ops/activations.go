package ops

// This file defines activations.

import "github.com/gospmd/gospmd/keras/layers"

// Relu returns max(x, 0).
func Relu(x *layers.Tensor) *layers.Tensor { return layers.Operate("Relu", []any{x}, nil) }

// Sigmoid returns 1 / (1 + exp(-x)).
func Sigmoid(x *layers.Tensor) *layers.Tensor { return layers.Operate("Sigmoid", []any{x}, nil) }

// Silu returns x · sigmoid(x).
func Silu(x *layers.Tensor) *layers.Tensor { return layers.Operate("Silu", []any{x}, nil) }

// Softplus returns log(exp(x) + 1).
func Softplus(x *layers.Tensor) *layers.Tensor { return layers.Operate("Softplus", []any{x}, nil) }

// Softmax returns exp(x) divided by its sum along an axis, the last one by default: positive values
// that sum to 1. Options: Axis.
func Softmax(x *layers.Tensor, opts ...Option) *layers.Tensor {
	return layers.Operate("Softmax", []any{x}, with(opts, map[string]any{"axis": -1}))
}

// HardSigmoid returns relu6(x + 3) / 6.
func HardSigmoid(x *layers.Tensor) *layers.Tensor {
	return layers.Operate("HardSigmoid", []any{x}, nil)
}

// HardSilu returns x · hard_sigmoid(x).
func HardSilu(x *layers.Tensor) *layers.Tensor { return layers.Operate("HardSilu", []any{x}, nil) }

// HardTanh limits x to [-1, 1].
func HardTanh(x *layers.Tensor) *layers.Tensor { return layers.Operate("HardTanh", []any{x}, nil) }

// LogSigmoid returns log(sigmoid(x)).
func LogSigmoid(x *layers.Tensor) *layers.Tensor { return layers.Operate("LogSigmoid", []any{x}, nil) }

// Relu6 returns min(max(x, 0), 6).
func Relu6(x *layers.Tensor) *layers.Tensor { return layers.Operate("Relu6", []any{x}, nil) }

// Selu returns 1.0507·x above 0 and 1.0507·1.6733·(exp(x) - 1) below: with these constants the
// activations of a deep network keep mean 0 and variance 1.
func Selu(x *layers.Tensor) *layers.Tensor { return layers.Operate("Selu", []any{x}, nil) }

// Softsign returns x / (|x| + 1).
func Softsign(x *layers.Tensor) *layers.Tensor { return layers.Operate("Softsign", []any{x}, nil) }

// SparsePlus returns 0 below -1, x above 1, and (x+1)²/4 between.
func SparsePlus(x *layers.Tensor) *layers.Tensor { return layers.Operate("SparsePlus", []any{x}, nil) }

// Sparsemax returns the probabilities (values from 0 to 1 with sum 1) that are closest to x along
// the last dimension. Small elements of x become 0.
func Sparsemax(x *layers.Tensor) *layers.Tensor { return layers.Operate("Sparsemax", []any{x}, nil) }

// TanhShrink returns x - tanh(x).
func TanhShrink(x *layers.Tensor) *layers.Tensor { return layers.Operate("TanhShrink", []any{x}, nil) }

// Celu returns x above 0 and alpha · (exp(x/alpha) - 1) below.
func Celu(x *layers.Tensor, alpha float64) *layers.Tensor {
	return layers.Operate("Celu", []any{x}, map[string]any{"alpha": alpha})
}

// Elu returns x above 0 and alpha · (exp(x) - 1) below.
func Elu(x *layers.Tensor, alpha float64) *layers.Tensor {
	return layers.Operate("Elu", []any{x}, map[string]any{"alpha": alpha})
}

// HardShrink returns x where |x| is above a threshold, else 0.
func HardShrink(x *layers.Tensor, threshold float64) *layers.Tensor {
	return layers.Operate("HardShrink", []any{x}, map[string]any{"threshold": threshold})
}

// LeakyRelu returns x above 0 and slope · x below.
func LeakyRelu(x *layers.Tensor, slope float64) *layers.Tensor {
	return layers.Operate("LeakyRelu", []any{x}, map[string]any{"negative_slope": slope})
}

// SoftShrink moves x towards 0 by a threshold, which is not negative, and returns 0 where |x| is at
// most the threshold.
func SoftShrink(x *layers.Tensor, threshold float64) *layers.Tensor {
	return layers.Operate("SoftShrink", []any{x}, map[string]any{"threshold": threshold})
}

// Squareplus returns (x + √(x² + b)) / 2.
func Squareplus(x *layers.Tensor, b float64) *layers.Tensor {
	return layers.Operate("Squareplus", []any{x}, map[string]any{"b": b})
}

// Gelu returns x · Φ(x), where Φ is the distribution function of the normal distribution. If
// approximate is true, it computes Φ by a formula with tanh.
func Gelu(x *layers.Tensor, approximate bool) *layers.Tensor {
	return layers.Operate("Gelu", []any{x}, map[string]any{"approximate": approximate})
}

// Glu cuts the dimension axis, whose size must be even, into two halves. It returns the first half
// times the sigmoid of the second.
func Glu(x *layers.Tensor, axis int) *layers.Tensor {
	return layers.Operate("Glu", []any{x}, map[string]any{"axis": axis})
}

// LogSoftmax returns the logarithm of Softmax along an axis, the last one by default. Options:
// Axis.
func LogSoftmax(x *layers.Tensor, opts ...Option) *layers.Tensor {
	return layers.Operate("LogSoftmax", []any{x}, with(opts, map[string]any{"axis": -1}))
}

// Threshold returns x where x > threshold, and the last argument elsewhere.
func Threshold(x *layers.Tensor, threshold, otherwise float64) *layers.Tensor {
	return layers.Operate("Threshold", []any{x}, map[string]any{"threshold": threshold, "default_value": otherwise})
}
