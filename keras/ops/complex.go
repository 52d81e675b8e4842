package ops

// This file defines complex numbers, which models have as real and imaginary parts at their ends.

import "github.com/gospmd/gospmd/keras/layers"

// Angle returns the angle of complex numbers: 0 or π of real ones.
func Angle(x *Tensor) *Tensor { return layers.Operate("Angle", []any{x}, nil) }

// Conjugate returns the numbers with the other sign of the imaginary part.
func Conjugate(x *Tensor) *Tensor { return layers.Operate("Conjugate", []any{x}, nil) }

// Imag returns imaginary parts, 0 of real numbers.
func Imag(x *Tensor) *Tensor { return layers.Operate("Imag", []any{x}, nil) }

// Real returns real parts.
func Real(x *Tensor) *Tensor { return layers.Operate("Real", []any{x}, nil) }

// Isreal reports where the imaginary part is 0.
func Isreal(x *Tensor) *Tensor { return layers.Operate("Isreal", []any{x}, nil) }

// ViewAsComplex takes the last dimension, of size 2, for real and imaginary parts.
func ViewAsComplex(x *Tensor) *Tensor { return layers.Operate("ViewAsComplex", []any{x}, nil) }

// ViewAsReal returns real and imaginary parts as a last dimension.
func ViewAsReal(x *Tensor) *Tensor { return layers.Operate("ViewAsReal", []any{x}, nil) }

// Conj is Conjugate.
func Conj(x *Tensor) *Tensor { return Conjugate(x) }

// Polar makes complex numbers of sizes and angles.
func Polar(x, y any) *Tensor { return layers.Operate("Polar", []any{x, y}, nil) }
