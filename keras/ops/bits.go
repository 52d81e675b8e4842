package ops

// This file defines operations on bits and on integers.

import "github.com/gospmd/gospmd/keras/layers"

// BitwiseAnd returns the bits that are set in both x and y; of booleans, their And. x and y are
// tensors or numbers, not of floats.
func BitwiseAnd(x, y any) *Tensor { return layers.Operate("BitwiseAnd", whole(x, y), nil) }

// BitwiseOr returns the bits that are set in x or y; of booleans, their Or. x and y are tensors or
// numbers, not of floats.
func BitwiseOr(x, y any) *Tensor { return layers.Operate("BitwiseOr", whole(x, y), nil) }

// BitwiseXor returns the bits that differ between x and y; of booleans, their Xor. x and y are
// tensors or numbers, not of floats.
func BitwiseXor(x, y any) *Tensor { return layers.Operate("BitwiseXor", whole(x, y), nil) }

// BitwiseLeftShift returns x with its bits shifted to the left by y places. x and y are tensors or
// numbers.
func BitwiseLeftShift(x, y any) *Tensor { return layers.Operate("BitwiseLeftShift", whole(x, y), nil) }

// BitwiseRightShift returns x with its bits shifted to the right by y places; the sign stays. x and
// y are tensors or numbers.
func BitwiseRightShift(x, y any) *Tensor {
	return layers.Operate("BitwiseRightShift", whole(x, y), nil)
}

// LeftShift is BitwiseLeftShift: the bits of x, shifted to the left by y places. x and y are
// tensors or numbers.
func LeftShift(x, y any) *Tensor { return layers.Operate("LeftShift", whole(x, y), nil) }

// RightShift is BitwiseRightShift: the bits of x, shifted to the right by y places. x and y are
// tensors or numbers.
func RightShift(x, y any) *Tensor { return layers.Operate("RightShift", whole(x, y), nil) }

// Gcd returns the greatest common divisor of x and y, element by element. x and y are tensors of
// integers, or integers.
func Gcd(x, y any) *Tensor { return layers.Operate("Gcd", []any{x, y}, nil) }

// Lcm returns the least common multiple of x and y, element by element. x and y are tensors of
// integers, or integers.
func Lcm(x, y any) *Tensor { return layers.Operate("Lcm", []any{x, y}, nil) }

// Ldexp returns x · 2ʸ. x and y are tensors or numbers.
func Ldexp(x, y any) *Tensor { return layers.Operate("Ldexp", []any{x, y}, nil) }

// Nextafter returns the floating-point number next to x in the direction of y. x and y are tensors
// or numbers.
func Nextafter(x, y any) *Tensor { return layers.Operate("Nextafter", []any{x, y}, nil) }

// BitwiseNot returns x, integers, with all bits inverted; of booleans, their Not.
func BitwiseNot(x *Tensor) *Tensor { return layers.Operate("BitwiseNot", []any{x}, nil) }

// BitwiseInvert is BitwiseNot: x, integers, with all bits inverted; of booleans, their Not.
func BitwiseInvert(x *Tensor) *Tensor { return layers.Operate("BitwiseInvert", []any{x}, nil) }

// Signbit reports for each element whether its sign bit is set: it is for negative numbers and for
// -0.
func Signbit(x *Tensor) *Tensor { return layers.Operate("Signbit", []any{x}, nil) }

// View reads the bits of x as elements of another type. If the types differ in size, the size of
// the last dimension changes.
func View(x *Tensor, dtype string) *Tensor {
	return layers.Operate("View", []any{x}, map[string]any{"dtype": dtype})
}

// whole returns xs, in which it replaces each int by an int32 array, because Keras needs the types
// of both operands.
func whole(xs ...any) []any {
	for i, v := range xs {
		if n, ok := v.(int); ok {
			xs[i] = layers.NewArray(int32(n))
		}
	}
	return xs
}
