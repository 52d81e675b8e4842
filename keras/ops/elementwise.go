package ops

// This file defines operations element by element.

import "github.com/gospmd/gospmd/keras/layers"

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

// Power returns x to the power of y, element by element. x and y are tensors or numbers.
func Power(x, y any) *layers.Tensor { return layers.Operate("Power", []any{x, y}, nil) }

// Maximum returns the larger of x and y at each element. Where x and y are equal, each gets half of
// the gradient. x and y are tensors or numbers.
func Maximum(x, y any) *layers.Tensor { return layers.Operate("Maximum", []any{x, y}, nil) }

// Minimum returns the smaller of x and y at each element. Where x and y are equal, each gets half
// of the gradient. x and y are tensors or numbers.
func Minimum(x, y any) *layers.Tensor { return layers.Operate("Minimum", []any{x, y}, nil) }

// Equal reports for each element whether x equals y. x and y are tensors or numbers.
func Equal(x, y any) *layers.Tensor { return layers.Operate("Equal", []any{x, y}, nil) }

// NotEqual reports for each element whether x differs from y. x and y are tensors or numbers.
func NotEqual(x, y any) *layers.Tensor { return layers.Operate("NotEqual", []any{x, y}, nil) }

// Greater reports for each element whether x > y. x and y are tensors or numbers.
func Greater(x, y any) *layers.Tensor { return layers.Operate("Greater", []any{x, y}, nil) }

// GreaterEqual reports for each element whether x ≥ y. x and y are tensors or numbers.
func GreaterEqual(x, y any) *layers.Tensor { return layers.Operate("GreaterEqual", []any{x, y}, nil) }

// Less reports for each element whether x < y. x and y are tensors or numbers.
func Less(x, y any) *layers.Tensor { return layers.Operate("Less", []any{x, y}, nil) }

// LessEqual reports for each element whether x ≤ y. x and y are tensors or numbers.
func LessEqual(x, y any) *layers.Tensor { return layers.Operate("LessEqual", []any{x, y}, nil) }

// LogicalAnd reports for each element whether x and y are both true. x and y are tensors or
// numbers.
func LogicalAnd(x, y any) *layers.Tensor { return layers.Operate("LogicalAnd", []any{x, y}, nil) }

// LogicalOr reports for each element whether x or y is true. x and y are tensors or numbers.
func LogicalOr(x, y any) *layers.Tensor { return layers.Operate("LogicalOr", []any{x, y}, nil) }

// LogicalNot reports for each element whether x is false.
func LogicalNot(x *layers.Tensor) *layers.Tensor { return layers.Operate("LogicalNot", []any{x}, nil) }

// Absolute returns |x|.
func Absolute(x *layers.Tensor) *layers.Tensor { return layers.Operate("Absolute", []any{x}, nil) }

// Negative returns -x.
func Negative(x *layers.Tensor) *layers.Tensor { return layers.Operate("Negative", []any{x}, nil) }

// Square returns x².
func Square(x *layers.Tensor) *layers.Tensor { return layers.Operate("Square", []any{x}, nil) }

// Sqrt returns the square root of x.
func Sqrt(x *layers.Tensor) *layers.Tensor { return layers.Operate("Sqrt", []any{x}, nil) }

// Rsqrt returns 1 / √x.
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

// Clip limits x to [low, high]: elements below low become low, elements above high become high.
func Clip(x *layers.Tensor, low, high float64) *layers.Tensor {
	return layers.Operate("Clip", []any{x}, map[string]any{"x_min": low, "x_max": high})
}

// Where returns x where the condition, a tensor of bools, is true, else y. x and y are tensors or
// numbers. The three are broadcast to one shape.
func Where(condition *layers.Tensor, x, y any) *layers.Tensor {
	return layers.Operate("Where", []any{condition, x, y}, nil)
}

// Arctan2 returns the angle whose tangent is x / y, in radians from -π to π, in the quadrant of the
// point with the abscissa y and the ordinate x. x and y are tensors or numbers.
func Arctan2(x, y any) *layers.Tensor { return layers.Operate("Arctan2", []any{x, y}, nil) }

// FloorDivide returns x / y, rounded down towards -∞. x and y are tensors or numbers.
func FloorDivide(x, y any) *layers.Tensor { return layers.Operate("FloorDivide", []any{x, y}, nil) }

// Logaddexp returns log(exp(x) + exp(y)). x and y are tensors or numbers.
func Logaddexp(x, y any) *layers.Tensor { return layers.Operate("Logaddexp", []any{x, y}, nil) }

// LogicalXor reports for each element whether exactly one of x and y is true. x and y are tensors
// or numbers.
func LogicalXor(x, y any) *layers.Tensor { return layers.Operate("LogicalXor", []any{x, y}, nil) }

// Mod returns the remainder of x / y, with the sign of y. x and y are tensors or numbers.
func Mod(x, y any) *layers.Tensor { return layers.Operate("Mod", []any{x, y}, nil) }

// Arccos returns the inverse cosine of x.
func Arccos(x *layers.Tensor) *layers.Tensor { return layers.Operate("Arccos", []any{x}, nil) }

// Arccosh returns the inverse hyperbolic cosine of x.
func Arccosh(x *layers.Tensor) *layers.Tensor { return layers.Operate("Arccosh", []any{x}, nil) }

// Arcsin returns the inverse sine of x.
func Arcsin(x *layers.Tensor) *layers.Tensor { return layers.Operate("Arcsin", []any{x}, nil) }

// Arcsinh returns the inverse hyperbolic sine of x.
func Arcsinh(x *layers.Tensor) *layers.Tensor { return layers.Operate("Arcsinh", []any{x}, nil) }

// Arctan returns the inverse tangent of x.
func Arctan(x *layers.Tensor) *layers.Tensor { return layers.Operate("Arctan", []any{x}, nil) }

// Arctanh returns the inverse hyperbolic tangent of x.
func Arctanh(x *layers.Tensor) *layers.Tensor { return layers.Operate("Arctanh", []any{x}, nil) }

// Ceil returns x rounded up.
func Ceil(x *layers.Tensor) *layers.Tensor { return layers.Operate("Ceil", []any{x}, nil) }

// Cosh returns the hyperbolic cosine of x.
func Cosh(x *layers.Tensor) *layers.Tensor { return layers.Operate("Cosh", []any{x}, nil) }

// Erf returns the error function of x.
func Erf(x *layers.Tensor) *layers.Tensor { return layers.Operate("Erf", []any{x}, nil) }

// Erfinv returns the inverse error function of x.
func Erfinv(x *layers.Tensor) *layers.Tensor { return layers.Operate("Erfinv", []any{x}, nil) }

// Exp2 returns 2 to the power of x.
func Exp2(x *layers.Tensor) *layers.Tensor { return layers.Operate("Exp2", []any{x}, nil) }

// Expm1 returns exp(x) - 1.
func Expm1(x *layers.Tensor) *layers.Tensor { return layers.Operate("Expm1", []any{x}, nil) }

// Floor returns x rounded down.
func Floor(x *layers.Tensor) *layers.Tensor { return layers.Operate("Floor", []any{x}, nil) }

// Isfinite reports for each element whether it is neither infinite nor NaN.
func Isfinite(x *layers.Tensor) *layers.Tensor { return layers.Operate("Isfinite", []any{x}, nil) }

// Isinf reports for each element whether it is infinite.
func Isinf(x *layers.Tensor) *layers.Tensor { return layers.Operate("Isinf", []any{x}, nil) }

// Isnan reports for each element whether it is NaN.
func Isnan(x *layers.Tensor) *layers.Tensor { return layers.Operate("Isnan", []any{x}, nil) }

// Log10 returns the logarithm of x to base 10.
func Log10(x *layers.Tensor) *layers.Tensor { return layers.Operate("Log10", []any{x}, nil) }

// Log2 returns the logarithm of x to base 2.
func Log2(x *layers.Tensor) *layers.Tensor { return layers.Operate("Log2", []any{x}, nil) }

// OnesLike returns ones in the shape and the type of x.
func OnesLike(x *layers.Tensor) *layers.Tensor { return layers.Operate("OnesLike", []any{x}, nil) }

// Reciprocal returns 1 / x.
func Reciprocal(x *layers.Tensor) *layers.Tensor { return layers.Operate("Reciprocal", []any{x}, nil) }

// Sign returns -1, 0 or 1: the sign of x.
func Sign(x *layers.Tensor) *layers.Tensor { return layers.Operate("Sign", []any{x}, nil) }

// Sinh returns the hyperbolic sine of x.
func Sinh(x *layers.Tensor) *layers.Tensor { return layers.Operate("Sinh", []any{x}, nil) }

// StopGradient returns x, but no gradient flows back through it.
func StopGradient(x *layers.Tensor) *layers.Tensor {
	return layers.Operate("StopGradient", []any{x}, nil)
}

// Tan returns the tangent of x.
func Tan(x *layers.Tensor) *layers.Tensor { return layers.Operate("Tan", []any{x}, nil) }

// Trunc returns x rounded towards 0.
func Trunc(x *layers.Tensor) *layers.Tensor { return layers.Operate("Trunc", []any{x}, nil) }

// ZerosLike returns zeros in the shape and the type of x.
func ZerosLike(x *layers.Tensor) *layers.Tensor { return layers.Operate("ZerosLike", []any{x}, nil) }

// Round rounds x to a number of decimals, 0 by default; a negative number rounds to tens, hundreds
// and so on. It rounds halves to the even neighbour.
func Round(x *layers.Tensor, decimals ...int) *layers.Tensor {
	return layers.Operate("Round", []any{x}, map[string]any{"decimals": one(decimals, 0)})
}

// FullLike returns a tensor of the shape and the type of x whose elements all are value.
func FullLike(x *layers.Tensor, value float64) *layers.Tensor {
	return layers.Operate("FullLike", []any{x, value}, nil)
}

// NanToNum replaces NaN by 0, and infinities by the largest and the lowest finite number of the
// type.
func NanToNum(x *layers.Tensor) *layers.Tensor {
	return layers.Operate("NanToNum", []any{x}, map[string]any{"nan": 0.0, "posinf": nil, "neginf": nil})
}

// Cbrt returns the cube root of x.
func Cbrt(x *layers.Tensor) *layers.Tensor { return layers.Operate("Cbrt", []any{x}, nil) }

// Deg2rad returns x, which has angles in degrees, in radians.
func Deg2rad(x *layers.Tensor) *layers.Tensor { return layers.Operate("Deg2rad", []any{x}, nil) }

// Rad2deg returns x, which has angles in radians, in degrees.
func Rad2deg(x *layers.Tensor) *layers.Tensor { return layers.Operate("Rad2deg", []any{x}, nil) }

// Erfc returns 1 - erf(x).
func Erfc(x *layers.Tensor) *layers.Tensor { return layers.Operate("Erfc", []any{x}, nil) }

// Isneginf reports for each element whether it is -∞.
func Isneginf(x *layers.Tensor) *layers.Tensor { return layers.Operate("Isneginf", []any{x}, nil) }

// Isposinf reports for each element whether it is +∞.
func Isposinf(x *layers.Tensor) *layers.Tensor { return layers.Operate("Isposinf", []any{x}, nil) }

// Sinc returns sin(πx)/(πx), 1 at 0.
func Sinc(x *layers.Tensor) *layers.Tensor { return layers.Operate("Sinc", []any{x}, nil) }

// Heaviside returns 0 where x is below 0, 1 where it is above, y where it is 0. x and y are tensors
// or numbers.
func Heaviside(x, y any) *layers.Tensor { return layers.Operate("Heaviside", []any{x, y}, nil) }

// Hypot returns √(x² + y²). x and y are tensors or numbers.
func Hypot(x, y any) *layers.Tensor { return layers.Operate("Hypot", []any{x, y}, nil) }

// Logaddexp2 returns log2(2ˣ + 2ʸ). x and y are tensors or numbers.
func Logaddexp2(x, y any) *layers.Tensor { return layers.Operate("Logaddexp2", []any{x, y}, nil) }
