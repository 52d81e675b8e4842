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

// Softmax returns positive numbers with a sum of 1 along an axis, the last one by default.
func Softmax(x *layers.Tensor, opts ...Option) *layers.Tensor {
	return layers.Operate("Softmax", []any{x}, with(opts, map[string]any{"axis": -1}))
}

// HardSigmoid returns relu6(x + 3) / 6.
func HardSigmoid(x *layers.Tensor) *layers.Tensor {
	return layers.Operate("HardSigmoid", []any{x}, nil)
}

// HardSilu returns x · hard_sigmoid(x).
func HardSilu(x *layers.Tensor) *layers.Tensor { return layers.Operate("HardSilu", []any{x}, nil) }

// HardTanh returns x between -1 and 1.
func HardTanh(x *layers.Tensor) *layers.Tensor { return layers.Operate("HardTanh", []any{x}, nil) }

// LogSigmoid returns log(sigmoid(x)).
func LogSigmoid(x *layers.Tensor) *layers.Tensor { return layers.Operate("LogSigmoid", []any{x}, nil) }

// Relu6 returns min(max(x, 0), 6).
func Relu6(x *layers.Tensor) *layers.Tensor { return layers.Operate("Relu6", []any{x}, nil) }

// Selu returns elu scaled so that networks normalize themselves.
func Selu(x *layers.Tensor) *layers.Tensor { return layers.Operate("Selu", []any{x}, nil) }

// Softsign returns x / (|x| + 1).
func Softsign(x *layers.Tensor) *layers.Tensor { return layers.Operate("Softsign", []any{x}, nil) }

// SparsePlus returns 0 below -1, x above 1, and (x+1)²/4 between.
func SparsePlus(x *layers.Tensor) *layers.Tensor { return layers.Operate("SparsePlus", []any{x}, nil) }

// Sparsemax returns the projection of the last dimension onto probabilities. Most of them are 0.
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

// SoftShrink returns x moved towards 0 by a threshold, 0 where that passes 0.
func SoftShrink(x *layers.Tensor, threshold float64) *layers.Tensor {
	return layers.Operate("SoftShrink", []any{x}, map[string]any{"threshold": threshold})
}

// Squareplus returns (x + √(x² + b)) / 2.
func Squareplus(x *layers.Tensor, b float64) *layers.Tensor {
	return layers.Operate("Squareplus", []any{x}, map[string]any{"b": b})
}

// Gelu returns x · Φ(x), where Φ is the normal distribution function, or its approximation by
// tanh, Keras' default here.
func Gelu(x *layers.Tensor, approximate bool) *layers.Tensor {
	return layers.Operate("Gelu", []any{x}, map[string]any{"approximate": approximate})
}

// Glu returns the first half of an axis times the sigmoid of the second half.
func Glu(x *layers.Tensor, axis int) *layers.Tensor {
	return layers.Operate("Glu", []any{x}, map[string]any{"axis": axis})
}

// LogSoftmax returns the logarithm of Softmax. Options: Axis.
func LogSoftmax(x *layers.Tensor, opts ...Option) *layers.Tensor {
	return layers.Operate("LogSoftmax", []any{x}, with(opts, map[string]any{"axis": -1}))
}

// Threshold returns x where it is above a threshold, else another number.
func Threshold(x *layers.Tensor, threshold, otherwise float64) *layers.Tensor {
	return layers.Operate("Threshold", []any{x}, map[string]any{"threshold": threshold, "default_value": otherwise})
}
