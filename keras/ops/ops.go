package ops

// This file defines the options of operations. The table of package layers has the computations.

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/gospmd/gospmd/keras/layers"
)

// Tensor is a tensor of a model, a value within the Compute of a layer, or an array.
type Tensor = layers.Tensor

// Option is an argument of an operation that has a name in Keras.
type Option struct {
	name, key string
	value     any
}

// Axis sets the dimensions that an operation works on; by default a reduction takes all.
func Axis(axes ...int) Option {
	if len(axes) == 1 {
		return Option{"Axis", "axis", axes[0]}
	}
	return Option{"Axis", "axis", axes}
}

// KeepDims keeps the dimensions that are reduced, with size 1.
func KeepDims() Option { return Option{"KeepDims", "keepdims", true} }

// DType sets the type of the result, such as "float32".
func DType(name string) Option { return Option{"DType", "dtype", name} }

// Strides sets the step of windows: one number, or one for each spatial dimension.
func Strides(n ...int) Option { return Option{"Strides", "strides", numbers(n)} }

// Padding sets what is beyond the edge for windows: "valid", the default, or "same".
func Padding(kind string) Option { return Option{"Padding", "padding", kind} }

// DilationRate sets the distance of the elements of windows: one number, or one for each
// spatial dimension.
func DilationRate(n ...int) Option { return Option{"DilationRate", "dilation_rate", numbers(n)} }

// OutputPadding sets how many elements ConvTranspose adds at the end of each dimension.
func OutputPadding(n ...int) Option { return Option{"OutputPadding", "output_padding", numbers(n)} }

// FromLogits says that outputs are logits, not probabilities.
func FromLogits() Option { return Option{"FromLogits", "from_logits", true} }

// Epsilon sets what is added to a variance so that it is not 0.
func Epsilon(x float64) Option { return Option{"Epsilon", "epsilon", x} }

// Method sets how quantiles between two elements are found: "linear", the default, "lower",
// "higher", "midpoint" or "nearest".
func Method(name string) Option { return Option{"Method", "method", name} }

// Endpoint says whether the last number of Linspace, Logspace and Geomspace is the end; it is by
// default.
func Endpoint(included bool) Option { return Option{"Endpoint", "endpoint", included} }

// Tolerance sets how far Isclose and AllClose let two numbers differ: by relative times the
// second one, and absolute; 1e-5 and 1e-8 by default.
func Tolerance(relative, absolute float64) Option {
	return Option{"Tolerance", "tolerance", [2]float64{relative, absolute}}
}

// EqualNaN takes NaN for equal to NaN.
func EqualNaN() Option { return Option{"EqualNaN", "equal_nan", true} }

// Reverse goes from the end to the beginning.
func Reverse() Option { return Option{"Reverse", "reverse", true} }

// numbers returns one number, or a list of them.
func numbers(n []int) any {
	if len(n) == 1 {
		return n[0]
	}
	return n
}

// with returns the arguments with names. An option that is none of them is an error of the
// operation.
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

// one returns an argument that may be left out.
func one(given []int, otherwise int) int {
	if len(given) == 0 {
		return otherwise
	}
	return given[0]
}
