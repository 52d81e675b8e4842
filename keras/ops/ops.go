package ops

// This file defines the operations. What they compute is in the table of package layers.

import "github.com/gospmd/gospmd/keras/layers"

// Option is an argument of an operation that has a name in Keras.
type Option func(attrs map[string]any)

// Axis sets the dimensions that an operation works on; by default a reduction takes all.
func Axis(axes ...int) Option {
	return func(attrs map[string]any) {
		attrs["axis"] = axes
		if len(axes) == 1 {
			attrs["axis"] = axes[0]
		}
	}
}

// KeepDims keeps the dimensions that are reduced, with size 1.
func KeepDims() Option { return func(attrs map[string]any) { attrs["keepdims"] = true } }

// with returns the arguments with names.
func with(opts []Option, attrs map[string]any) map[string]any {
	for _, o := range opts {
		o(attrs)
	}
	return attrs
}

// Add returns x + y. x and y are tensors or numbers.
func Add(x, y any) *layers.Tensor { return layers.Operate("Add", []any{x, y}, nil) }

// Subtract returns x - y. x and y are tensors or numbers.
func Subtract(x, y any) *layers.Tensor { return layers.Operate("Subtract", []any{x, y}, nil) }

// Multiply returns x · y, element by element. x and y are tensors or numbers.
func Multiply(x, y any) *layers.Tensor { return layers.Operate("Multiply", []any{x, y}, nil) }

// TrueDivide returns x / y. x and y are tensors or numbers.
func TrueDivide(x, y any) *layers.Tensor { return layers.Operate("TrueDivide", []any{x, y}, nil) }

// Divide returns x / y. x and y are tensors or numbers.
func Divide(x, y any) *layers.Tensor { return layers.Operate("Divide", []any{x, y}, nil) }

// Power returns x to the power of y. x and y are tensors or numbers.
func Power(x, y any) *layers.Tensor { return layers.Operate("Power", []any{x, y}, nil) }

// Maximum returns the larger of x and y; where they tie, they share the gradient. x and y are tensors or numbers.
func Maximum(x, y any) *layers.Tensor { return layers.Operate("Maximum", []any{x, y}, nil) }

// Minimum returns the smaller of x and y; where they tie, they share the gradient. x and y are tensors or numbers.
func Minimum(x, y any) *layers.Tensor { return layers.Operate("Minimum", []any{x, y}, nil) }

// Equal returns where x equals y. x and y are tensors or numbers.
func Equal(x, y any) *layers.Tensor { return layers.Operate("Equal", []any{x, y}, nil) }

// NotEqual returns where x does not equal y. x and y are tensors or numbers.
func NotEqual(x, y any) *layers.Tensor { return layers.Operate("NotEqual", []any{x, y}, nil) }

// Greater returns where x is above y. x and y are tensors or numbers.
func Greater(x, y any) *layers.Tensor { return layers.Operate("Greater", []any{x, y}, nil) }

// GreaterEqual returns where x is y or above. x and y are tensors or numbers.
func GreaterEqual(x, y any) *layers.Tensor { return layers.Operate("GreaterEqual", []any{x, y}, nil) }

// Less returns where x is below y. x and y are tensors or numbers.
func Less(x, y any) *layers.Tensor { return layers.Operate("Less", []any{x, y}, nil) }

// LessEqual returns where x is y or below. x and y are tensors or numbers.
func LessEqual(x, y any) *layers.Tensor { return layers.Operate("LessEqual", []any{x, y}, nil) }

// LogicalAnd returns where both are true. x and y are tensors or numbers.
func LogicalAnd(x, y any) *layers.Tensor { return layers.Operate("LogicalAnd", []any{x, y}, nil) }

// LogicalOr returns where one of both is true. x and y are tensors or numbers.
func LogicalOr(x, y any) *layers.Tensor { return layers.Operate("LogicalOr", []any{x, y}, nil) }

// Matmul returns the product of matrices; dimensions before the last two are a batch. x and y are tensors or numbers.
func Matmul(x, y any) *layers.Tensor { return layers.Operate("Matmul", []any{x, y}, nil) }

// LogicalNot returns where x is false.
func LogicalNot(x *layers.Tensor) *layers.Tensor { return layers.Operate("LogicalNot", []any{x}, nil) }

// Absolute returns |x|.
func Absolute(x *layers.Tensor) *layers.Tensor { return layers.Operate("Absolute", []any{x}, nil) }

// Negative returns -x.
func Negative(x *layers.Tensor) *layers.Tensor { return layers.Operate("Negative", []any{x}, nil) }

// Square returns x².
func Square(x *layers.Tensor) *layers.Tensor { return layers.Operate("Square", []any{x}, nil) }

// Sqrt returns the root of x.
func Sqrt(x *layers.Tensor) *layers.Tensor { return layers.Operate("Sqrt", []any{x}, nil) }

// Rsqrt returns 1 / the root of x.
func Rsqrt(x *layers.Tensor) *layers.Tensor { return layers.Operate("Rsqrt", []any{x}, nil) }

// Exp returns e to the power of x.
func Exp(x *layers.Tensor) *layers.Tensor { return layers.Operate("Exp", []any{x}, nil) }

// Log returns the natural logarithm of x.
func Log(x *layers.Tensor) *layers.Tensor { return layers.Operate("Log", []any{x}, nil) }

// Log1p returns log(1 + x).
func Log1p(x *layers.Tensor) *layers.Tensor { return layers.Operate("Log1p", []any{x}, nil) }

// Sin returns the sine of x.
func Sin(x *layers.Tensor) *layers.Tensor { return layers.Operate("Sin", []any{x}, nil) }

// Cos returns the cosine of x.
func Cos(x *layers.Tensor) *layers.Tensor { return layers.Operate("Cos", []any{x}, nil) }

// Tanh returns the hyperbolic tangent of x.
func Tanh(x *layers.Tensor) *layers.Tensor { return layers.Operate("Tanh", []any{x}, nil) }

// Relu returns max(x, 0).
func Relu(x *layers.Tensor) *layers.Tensor { return layers.Operate("Relu", []any{x}, nil) }

// Sigmoid returns 1 / (1 + exp(-x)).
func Sigmoid(x *layers.Tensor) *layers.Tensor { return layers.Operate("Sigmoid", []any{x}, nil) }

// Silu returns x · sigmoid(x).
func Silu(x *layers.Tensor) *layers.Tensor { return layers.Operate("Silu", []any{x}, nil) }

// Softplus returns log(exp(x) + 1).
func Softplus(x *layers.Tensor) *layers.Tensor { return layers.Operate("Softplus", []any{x}, nil) }

// Sum returns the sum over axes. Options: Axis, KeepDims.
func Sum(x *layers.Tensor, opts ...Option) *layers.Tensor {
	return layers.Operate("Sum", []any{x}, with(opts, map[string]any{"axis": nil, "keepdims": false}))
}

// Mean returns the mean over axes. Options: Axis, KeepDims.
func Mean(x *layers.Tensor, opts ...Option) *layers.Tensor {
	return layers.Operate("Mean", []any{x}, with(opts, map[string]any{"axis": nil, "keepdims": false}))
}

// Max returns the largest number over axes. Options: Axis, KeepDims.
func Max(x *layers.Tensor, opts ...Option) *layers.Tensor {
	return layers.Operate("Max", []any{x}, with(opts, map[string]any{"axis": nil, "keepdims": false}))
}

// Min returns the smallest number over axes. Options: Axis, KeepDims.
func Min(x *layers.Tensor, opts ...Option) *layers.Tensor {
	return layers.Operate("Min", []any{x}, with(opts, map[string]any{"axis": nil, "keepdims": false}))
}

// All returns whether all are true over axes. Options: Axis, KeepDims.
func All(x *layers.Tensor, opts ...Option) *layers.Tensor {
	return layers.Operate("All", []any{x}, with(opts, map[string]any{"axis": nil, "keepdims": false}))
}

// Any returns whether one is true over axes. Options: Axis, KeepDims.
func Any(x *layers.Tensor, opts ...Option) *layers.Tensor {
	return layers.Operate("Any", []any{x}, with(opts, map[string]any{"axis": nil, "keepdims": false}))
}

// Softmax returns positive numbers with a sum of 1 along an axis, the last one by default.
func Softmax(x *layers.Tensor, opts ...Option) *layers.Tensor {
	return layers.Operate("Softmax", []any{x}, with(opts, map[string]any{"axis": -1}))
}

// Cast returns x as another type, such as "float32".
func Cast(x *layers.Tensor, dtype string) *layers.Tensor {
	return layers.Operate("Cast", []any{x}, map[string]any{"dtype": dtype})
}

// Clip returns x with what is below low or above high replaced by these.
func Clip(x *layers.Tensor, low, high float64) *layers.Tensor {
	return layers.Operate("Clip", []any{x}, map[string]any{"x_min": low, "x_max": high})
}

// Concatenate joins tensors along an axis.
func Concatenate(xs []*layers.Tensor, axis int) *layers.Tensor {
	return layers.Operate("Concatenate", []any{xs}, map[string]any{"axis": axis})
}

// Stack joins tensors along a new axis.
func Stack(xs []*layers.Tensor, axis int) *layers.Tensor {
	return layers.Operate("Stack", []any{xs}, map[string]any{"axis": axis})
}

// ExpandDims inserts a dimension of size 1.
func ExpandDims(x *layers.Tensor, axis int) *layers.Tensor {
	return layers.Operate("ExpandDims", []any{x}, map[string]any{"axis": axis})
}

// Squeeze drops dimensions of size 1: those of Axis, or all. Options: Axis.
func Squeeze(x *layers.Tensor, opts ...Option) *layers.Tensor {
	return layers.Operate("Squeeze", []any{x}, with(opts, map[string]any{"axis": nil}))
}

// Reshape returns x in another shape, the batch included; one size may be -1.
func Reshape(x *layers.Tensor, shape ...int) *layers.Tensor {
	return layers.Operate("Reshape", []any{x}, map[string]any{"newshape": shape})
}

// Transpose changes the order of dimensions, the batch included: axes are those of x, in the
// order of the result; none turn the order around.
func Transpose(x *layers.Tensor, axes ...int) *layers.Tensor {
	attrs := map[string]any{"axes": nil}
	if len(axes) > 0 {
		attrs["axes"] = axes
	}
	return layers.Operate("Transpose", []any{x}, attrs)
}

// Where returns x where a condition is true, else y. x and y are tensors or numbers.
func Where(condition *layers.Tensor, x, y any) *layers.Tensor {
	return layers.Operate("Where", []any{condition, x, y}, nil)
}

// GetItem indexes x, the batch first, as Python does: items are numbers, ranges (Range, From,
// To, Full), Ellipsis, and nil for a new dimension.
func GetItem(x *layers.Tensor, items ...any) *layers.Tensor { return x.GetItem(items...) }

// Ellipsis stands in an index for all dimensions between.
var Ellipsis = layers.Ellipsis{}

// Range is start:stop in an index.
func Range(start, stop int) layers.Slice { return layers.Slice{Start: &start, Stop: &stop} }

// From is start: in an index.
func From(start int) layers.Slice { return layers.Slice{Start: &start} }

// To is :stop in an index.
func To(stop int) layers.Slice { return layers.Slice{Stop: &stop} }

// Full is : in an index.
func Full() layers.Slice { return layers.Slice{} }
