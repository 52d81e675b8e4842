package ops

// This file defines the options of operations. The table of package layers has the computations.

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

// one returns an argument that may be left out.
func one(given []int, otherwise int) int {
	if len(given) == 0 {
		return otherwise
	}
	return given[0]
}
