package ops

// This file defines operations on bits and on whole numbers.

import "github.com/gospmd/gospmd/keras/layers"

// BitwiseAnd returns the bits that both have, of truths their And. x and y are tensors or numbers.
func BitwiseAnd(x, y any) *Tensor { return layers.Operate("BitwiseAnd", whole(x, y), nil) }

// BitwiseOr returns the bits that one of both has. x and y are tensors or numbers.
func BitwiseOr(x, y any) *Tensor { return layers.Operate("BitwiseOr", whole(x, y), nil) }

// BitwiseXor returns the bits that differ. x and y are tensors or numbers.
func BitwiseXor(x, y any) *Tensor { return layers.Operate("BitwiseXor", whole(x, y), nil) }

// BitwiseLeftShift moves bits by y to the left. x and y are tensors or numbers.
func BitwiseLeftShift(x, y any) *Tensor { return layers.Operate("BitwiseLeftShift", whole(x, y), nil) }

// BitwiseRightShift moves bits by y to the right and keeps the sign. x and y are tensors or
// numbers.
func BitwiseRightShift(x, y any) *Tensor {
	return layers.Operate("BitwiseRightShift", whole(x, y), nil)
}

// LeftShift is BitwiseLeftShift. x and y are tensors or numbers.
func LeftShift(x, y any) *Tensor { return layers.Operate("LeftShift", whole(x, y), nil) }

// RightShift is BitwiseRightShift. x and y are tensors or numbers.
func RightShift(x, y any) *Tensor { return layers.Operate("RightShift", whole(x, y), nil) }

// Gcd returns the greatest common divisor. x and y are tensors or numbers.
func Gcd(x, y any) *Tensor { return layers.Operate("Gcd", []any{x, y}, nil) }

// Lcm returns the least common multiple. x and y are tensors or numbers.
func Lcm(x, y any) *Tensor { return layers.Operate("Lcm", []any{x, y}, nil) }

// Ldexp returns x · 2ʸ. x and y are tensors or numbers.
func Ldexp(x, y any) *Tensor { return layers.Operate("Ldexp", []any{x, y}, nil) }

// Nextafter returns the number next to x in the direction of y. x and y are tensors or numbers.
func Nextafter(x, y any) *Tensor { return layers.Operate("Nextafter", []any{x, y}, nil) }

// BitwiseNot returns the other bits.
func BitwiseNot(x *Tensor) *Tensor { return layers.Operate("BitwiseNot", []any{x}, nil) }

// BitwiseInvert is BitwiseNot.
func BitwiseInvert(x *Tensor) *Tensor { return layers.Operate("BitwiseInvert", []any{x}, nil) }

// Signbit reports where the sign is that of negative numbers, of -0 too.
func Signbit(x *Tensor) *Tensor { return layers.Operate("Signbit", []any{x}, nil) }

// View takes the bits of the elements for those of another type, whose elements have the same
// size, or change the last dimension.
func View(x *Tensor, dtype string) *Tensor {
	return layers.Operate("View", []any{x}, map[string]any{"dtype": dtype})
}

// whole returns tensors, with whole numbers as arrays: Keras asks both for their types.
func whole(xs ...any) []any {
	for i, v := range xs {
		if n, ok := v.(int); ok {
			xs[i] = layers.NewArray(int32(n))
		}
	}
	return xs
}
