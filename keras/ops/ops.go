package ops

// This file defines the options of operations. Package layers implements the operations: its table
// of operations names their computations.

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/gospmd/gospmd/keras/layers"
)

// Tensor is a tensor of a model, a value within the method Compute of a layer, or an array.
type Tensor = layers.Tensor

// Option is a named argument of an operation, such as Axis(1). An operation takes the options that
// its comment names. Any other makes a Tensor that holds the error.
type Option struct {
	name, key string
	value     any
}

// Axis sets the dimensions that an operation works on; negative ones count from the end. Without
// it, a reduction reduces all dimensions; others have the default that their comment names.
func Axis(axes ...int) Option {
	if len(axes) == 1 {
		return Option{"Axis", "axis", axes[0]}
	}
	return Option{"Axis", "axis", axes}
}

// KeepDims makes a reduction keep the reduced dimensions, with size 1.
func KeepDims() Option { return Option{"KeepDims", "keepdims", true} }

// DType sets the type of the result by Keras' name, such as "float32". An unknown name is an error.
func DType(name string) Option { return Option{"DType", "dtype", name} }

// Strides sets the step of windows: one number, or one for each spatial dimension. The default is 1
// for convolutions, and the size of the windows for poolings and ExtractPatches.
func Strides(n ...int) Option { return Option{"Strides", "strides", numbers(n)} }

// Padding sets how the windows of convolutions, poolings and ExtractPatches treat the edge.
// "valid", the default, has no windows beyond the edge. "same" extends x, so that the size of the
// result is the size of x divided by the stride, rounded up; for ConvTranspose it is multiplied by
// the stride. Others are errors.
func Padding(kind string) Option { return Option{"Padding", "padding", kind} }

// DilationRate sets the distance between the elements of a window of a convolution or of
// ExtractPatches: one number, or one for each spatial dimension. It is 1 by default. If it is above
// 1, Strides above 1 are an error.
func DilationRate(n ...int) Option { return Option{"DilationRate", "dilation_rate", numbers(n)} }

// OutputPadding sets how many elements ConvTranspose adds at the end of each dimension. By default
// the number follows from the kernel, the strides and the padding, as in Keras.
func OutputPadding(n ...int) Option { return Option{"OutputPadding", "output_padding", numbers(n)} }

// FromLogits says that the outputs that a cross-entropy gets are logits, not probabilities.
func FromLogits() Option { return Option{"FromLogits", "from_logits", true} }

// Epsilon sets the number that a normalization adds to the variance, so that it does not divide by
// 0: 1e-3 by default for BatchNormalization, and 1e-7 for others.
func Epsilon(x float64) Option { return Option{"Epsilon", "epsilon", x} }

// Method sets how Quantile, Percentile and their Nan forms compute a quantile between two elements:
// "linear", the default, "lower", "higher", "midpoint" or "nearest". Others are errors.
func Method(name string) Option { return Option{"Method", "method", name} }

// Endpoint sets whether stop is the last number of Linspace, Logspace and Geomspace. It is by
// default.
func Endpoint(included bool) Option { return Option{"Endpoint", "endpoint", included} }

// Tolerance sets how far two numbers may differ in Isclose and AllClose: by relative times the
// absolute value of the second number, plus absolute. The defaults are 1e-5 and 1e-8.
func Tolerance(relative, absolute float64) Option {
	return Option{"Tolerance", "tolerance", [2]float64{relative, absolute}}
}

// EqualNaN makes Isclose and AllClose treat two NaNs as equal.
func EqualNaN() Option { return Option{"EqualNaN", "equal_nan", true} }

// Reverse makes Scan and AssociativeScan run from the end to the beginning.
func Reverse() Option { return Option{"Reverse", "reverse", true} }

// numbers returns n as Keras writes it in arguments: a single number if n has just one element,
// else the list.
func numbers(n []int) any {
	if len(n) == 1 {
		return n[0]
	}
	return n
}

// with sets in attrs the values of the options opts, and returns attrs. An option that attrs does
// not have becomes an error in attrs; the operation then returns a Tensor that holds it.
func with(opts []Option, attrs map[string]any) map[string]any {
	known := slices.Sorted(maps.Keys(attrs))
	for _, o := range opts {
		if !slices.Contains(known, o.key) {
			attrs[layers.BadOption] = fmt.Errorf("got the option %s, which it does not take: it takes those for %s", o.name, strings.Join(known, ", "))
			return attrs
		}
		attrs[o.key] = o.value
	}
	return attrs
}

// one returns the first of given, which holds an optional argument, or otherwise if given is empty.
func one(given []int, otherwise int) int {
	if len(given) == 0 {
		return otherwise
	}
	return given[0]
}
