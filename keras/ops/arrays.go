package ops

// This file defines what NumPy does with arrays: joins, cuts, grids, diagonals, comparisons.

import "github.com/gospmd/gospmd/keras/layers"

// DivideNoNan returns x / y, and 0 where y is 0. x and y are tensors or numbers.
func DivideNoNan(x, y any) *Tensor { return layers.Operate("DivideNoNan", []any{x, y}, nil) }

// Fmax returns the larger of x and y. Where one of them is NaN, it returns the other. x and y are
// tensors or numbers.
func Fmax(x, y any) *Tensor { return layers.Operate("Fmax", []any{x, y}, nil) }

// Fmin returns the smaller of x and y. Where one of them is NaN, it returns the other. x and y are
// tensors or numbers.
func Fmin(x, y any) *Tensor { return layers.Operate("Fmin", []any{x, y}, nil) }

// Fmod returns the remainder of x / y, with the sign of x. x and y are tensors or numbers.
func Fmod(x, y any) *Tensor { return layers.Operate("Fmod", []any{x, y}, nil) }

// Copy returns x.
func Copy(x *Tensor) *Tensor { return layers.Operate("Copy", []any{x}, nil) }

// Fabs returns |x| as floating-point values, also of integers.
func Fabs(x *Tensor) *Tensor { return layers.Operate("Fabs", []any{x}, nil) }

// Fliplr reverses the order of the elements along the second axis.
func Fliplr(x *Tensor) *Tensor { return layers.Operate("Fliplr", []any{x}, nil) }

// Flipud reverses the order of the elements along the first axis.
func Flipud(x *Tensor) *Tensor { return layers.Operate("Flipud", []any{x}, nil) }

// I0 returns the modified Bessel function of the first kind of order 0, of each element.
func I0(x *Tensor) *Tensor { return layers.Operate("I0", []any{x}, nil) }

// Append joins x and y along an axis. Without Axis it returns all elements of both as a vector.
// Options: Axis (one).
func Append(x, y *Tensor, opts ...Option) *Tensor {
	return layers.Operate("Append", []any{x, y}, with(opts, map[string]any{"axis": nil}))
}

// ArraySplit cuts an axis into n parts. If n does not divide its size, the first parts are one
// element longer.
func ArraySplit(x *Tensor, n, axis int) []*Tensor {
	return layers.OperateAll("ArraySplit", []any{x}, map[string]any{"indices_or_sections": n, "axis": axis})
}

// Hsplit cuts the second axis, or the only one of a vector, into parts. One number is the number of
// parts, which must divide the axis; several are the positions where to cut.
func Hsplit(x *Tensor, at ...int) []*Tensor {
	return layers.OperateAll("Hsplit", []any{x}, map[string]any{"indices_or_sections": numbers(at)})
}

// Vsplit cuts the first axis into parts. One number is the number of parts, which must divide the
// axis; several are the positions where to cut.
func Vsplit(x *Tensor, at ...int) []*Tensor {
	return layers.OperateAll("Vsplit", []any{x}, map[string]any{"indices_or_sections": numbers(at)})
}

// Dsplit cuts the third axis into parts. One number is the number of parts, which must divide the
// axis; several are the positions where to cut.
func Dsplit(x *Tensor, at ...int) []*Tensor {
	return layers.OperateAll("Dsplit", []any{x}, map[string]any{"indices_or_sections": numbers(at)})
}

// Dstack returns the tensors joined along the third axis. A vector [n] counts as [1, n, 1], and a
// matrix [rows, columns] as [rows, columns, 1].
func Dstack(xs ...*Tensor) *Tensor { return layers.Operate("Dstack", []any{xs}, nil) }

// Argpartition returns the positions of the elements along an axis, in an order in which the
// element of rank k, from 0, is at its place and the smaller ones are before it. Options: Axis
// (one, the last by default).
func Argpartition(x *Tensor, k int, opts ...Option) *Tensor {
	return layers.Operate("Argpartition", []any{x}, with(opts, map[string]any{"kth": k, "axis": -1}))
}

// Correlate returns the cross-correlation of two vectors: sums of the products of x and the shifted
// y, one for each shift. mode is "valid", "same" or "full".
func Correlate(x, y *Tensor, mode string) *Tensor {
	return layers.Operate("Correlate", []any{x, y}, map[string]any{"mode": mode})
}

// Cross returns the cross products of vectors of three elements, or of two, along an axis. Options:
// Axis (one, the last by default).
func Cross(x, y *Tensor, opts ...Option) *Tensor {
	return layers.Operate("Cross", []any{x, y}, with(opts, map[string]any{"axisa": -1, "axisb": -1, "axisc": -1, "axis": nil}))
}

// Diag returns a matrix with the vector x on diagonal k and zeros elsewhere. If x is a matrix, it
// returns its diagonal k. 0 is the main diagonal, and positive numbers are above it.
func Diag(x *Tensor, k int) *Tensor { return layers.Operate("Diag", []any{x}, map[string]any{"k": k}) }

// Diagflat returns a matrix with all elements of x on diagonal k and zeros elsewhere. 0 is the main
// diagonal, and positive numbers are above it.
func Diagflat(x *Tensor, k int) *Tensor {
	return layers.Operate("Diagflat", []any{x}, map[string]any{"k": k})
}

// IsIn reports for each element of x whether it occurs in another tensor, or in a []float64 or
// []int.
func IsIn(x *Tensor, of any) *Tensor {
	return layers.Operate("IsIn", []any{x, listed(of)}, map[string]any{"assume_unique": false, "invert": false})
}

// Isclose reports for each element whether x and y, tensors or numbers, are equal up to a
// tolerance, or are the same infinity. Options: Tolerance, EqualNaN.
func Isclose(x, y any, opts ...Option) *Tensor {
	attrs := with(opts, map[string]any{"tolerance": [2]float64{1e-5, 1e-8}, "equal_nan": false})
	t := attrs["tolerance"].([2]float64)
	delete(attrs, "tolerance")
	return layers.Operate("Isclose", []any{x, y, t[0], t[1]}, attrs)
}

// AllClose returns one bool: whether all elements of x and y, tensors or numbers, are equal up to a
// tolerance. Options: those of Isclose.
func AllClose(x, y any, opts ...Option) *Tensor {
	attrs := with(opts, map[string]any{"tolerance": [2]float64{1e-5, 1e-8}, "equal_nan": false})
	t := attrs["tolerance"].([2]float64)
	delete(attrs, "tolerance")
	attrs["rtol"], attrs["atol"] = t[0], t[1]
	return layers.Operate("AllClose", []any{x, y}, attrs)
}

// Kron returns the Kronecker product: a matrix of blocks, each an element of x times all of y.
func Kron(x, y *Tensor) *Tensor { return layers.Operate("Kron", []any{x, y}, nil) }

// Rot90 rotates the plane of two axes by k quarters of a circle, from the first of these axes
// towards the second.
func Rot90(x *Tensor, k, from, to int) *Tensor {
	return layers.Operate("Rot90", []any{x}, map[string]any{"k": k, "axes": []int{from, to}})
}

// SaturateCast converts x to a type. A value out of the type's range becomes the nearest value of
// the range.
func SaturateCast(x *Tensor, dtype string) *Tensor {
	return layers.Operate("SaturateCast", []any{x}, map[string]any{"dtype": dtype})
}

// Select returns, for each element, the choice (a tensor or a number) of the first condition that
// is true. Where none is true, it returns the last argument.
func Select(conditions []*Tensor, choices []any, otherwise any) *Tensor {
	return layers.Operate("Select", []any{conditions, choices, otherwise}, nil)
}

// Trapezoid returns the integral of y along an axis, the last one by default, by the trapezoidal
// rule. The points of y are dx apart. Options: Axis (one).
func Trapezoid(y *Tensor, dx float64, opts ...Option) *Tensor {
	return layers.Operate("Trapezoid", []any{y}, with(opts, map[string]any{"x": nil, "dx": dx, "axis": -1}))
}

// UnravelIndex converts indices into a flattened array to coordinates in an array of the shape: one
// tensor for each dimension. Negative indices count from the end, and one out of range becomes the
// nearest in it.
func UnravelIndex(indices *Tensor, shape ...int) []*Tensor {
	return layers.OperateAll("UnravelIndex", []any{indices}, map[string]any{"shape": shape})
}

// Vander returns the Vandermonde matrix of a vector: a row for each element, with its powers from
// n-1 to 0, or from 0 to n-1 if increasing is true.
func Vander(x *Tensor, n int, increasing bool) *Tensor {
	return layers.Operate("Vander", []any{x}, map[string]any{"N": n, "increasing": increasing})
}

// Meshgrid returns the coordinates of the points of a grid, one tensor for each vector. indexing is
// "xy", which exchanges the first two dimensions of the grid, or "ij", which keeps the order of the
// vectors.
func Meshgrid(indexing string, xs ...*Tensor) []*Tensor {
	args := make([]any, len(xs))
	for i, x := range xs {
		args[i] = x
	}
	return layers.OperateAll("Meshgrid", args, map[string]any{"indexing": indexing})
}

// EmptyLike returns zeros in the shape of x, and in its type unless DType says otherwise. Options:
// DType.
func EmptyLike(x *Tensor, opts ...Option) *Tensor {
	return layers.Operate("EmptyLike", []any{x}, with(opts, map[string]any{"dtype": nil}))
}
