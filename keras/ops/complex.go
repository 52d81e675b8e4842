package ops

// This file defines operations on complex numbers. A model has no complex inputs and outputs: it
// has their real and imaginary parts.

import "github.com/gospmd/gospmd/keras/layers"

// Angle returns the angles of complex numbers in radians, from -π to π. The angle of a real number
// is 0, or π if it is negative.
func Angle(x *Tensor) *Tensor { return layers.Operate("Angle", []any{x}, nil) }

// Conjugate returns the complex conjugate of x: the imaginary part changes its sign.
func Conjugate(x *Tensor) *Tensor { return layers.Operate("Conjugate", []any{x}, nil) }

// Imag returns the imaginary parts of x. They are 0 if x is real.
func Imag(x *Tensor) *Tensor { return layers.Operate("Imag", []any{x}, nil) }

// Real returns the real parts of x: x itself if it is real.
func Real(x *Tensor) *Tensor { return layers.Operate("Real", []any{x}, nil) }

// Isreal reports for each element whether its imaginary part is 0.
func Isreal(x *Tensor) *Tensor { return layers.Operate("Isreal", []any{x}, nil) }

// ViewAsComplex returns complex numbers. The last dimension of x has size 2: the real and the
// imaginary part.
func ViewAsComplex(x *Tensor) *Tensor { return layers.Operate("ViewAsComplex", []any{x}, nil) }

// ViewAsReal returns the real and imaginary parts of x along a new last dimension of size 2.
func ViewAsReal(x *Tensor) *Tensor { return layers.Operate("ViewAsReal", []any{x}, nil) }

// Conj is Conjugate.
func Conj(x *Tensor) *Tensor { return Conjugate(x) }

// Polar returns the complex numbers that have the absolute values x and the angles y, in radians.
func Polar(x, y any) *Tensor { return layers.Operate("Polar", []any{x, y}, nil) }
