package ops

// This file defines linear algebra of matrices [..., rows, columns].

import "github.com/gospmd/gospmd/keras/layers"

// Det returns the determinant of each square matrix, [...] for matrices [..., n, n].
func Det(x *Tensor) *Tensor { return layers.Operate("Det", []any{x}, nil) }

// Inv returns the inverse of each square matrix of x, its last two dimensions.
func Inv(x *Tensor) *Tensor { return layers.Operate("Inv", []any{x}, nil) }

// Logdet returns the logarithm of the absolute value of each square matrix's determinant.
func Logdet(x *Tensor) *Tensor { return layers.Operate("Logdet", []any{x}, nil) }

// Cholesky returns the lower triangular L with x = L·Lᵀ of each symmetric positive definite matrix.
// If upper is true, it returns Lᵀ.
func Cholesky(x *Tensor, upper bool) *Tensor {
	return layers.Operate("Cholesky", []any{x}, map[string]any{"upper": upper})
}

// CholeskyInverse returns the inverse of the matrix whose Cholesky factor is x: a lower triangular
// one, or if upper is true an upper one.
func CholeskyInverse(x *Tensor, upper bool) *Tensor {
	return layers.Operate("CholeskyInverse", []any{x}, map[string]any{"upper": upper})
}

// Eigh returns the eigenvalues of symmetric matrices, the smallest first, and the eigenvectors as
// columns. Jacobi rotations compute them to the precision of float32. The signs of the vectors may
// differ from LAPACK's.
func Eigh(x *Tensor) (values, vectors *Tensor) { return two(layers.OperateAll("Eigh", []any{x}, nil)) }

// LuFactor returns the LU factorization of square matrices, L and U in one matrix. pivots holds for
// each row the row that it was exchanged with, in the order of the exchanges.
func LuFactor(x *Tensor) (lu, pivots *Tensor) {
	return two(layers.OperateAll("LuFactor", []any{x}, nil))
}

// Slogdet returns the sign of each determinant, -1, 0 or 1, and the logarithm of its absolute
// value.
func Slogdet(x *Tensor) (sign, log *Tensor) { return two(layers.OperateAll("Slogdet", []any{x}, nil)) }

// Qr returns an orthogonal Q and an upper triangular R with x = Q·R. With mode "reduced" Q has
// min(rows, columns) columns; with "complete" it is square. Other modes are errors. There is no
// gradient for fewer rows than columns, nor for "complete" with more rows than columns.
func Qr(x *Tensor, mode string) (q, r *Tensor) {
	return two(layers.OperateAll("Qr", []any{x}, map[string]any{"mode": mode}))
}

// SVD returns U, the singular values (the largest first), and Vᵀ, with x = U·S·Vᵀ. With
// fullMatrices U and Vᵀ are square, and have no gradient unless x is square. Jacobi rotations
// compute the values to the precision of float32. The signs of the vectors may differ from
// LAPACK's.
func SVD(x *Tensor, fullMatrices bool) (u, s, vt *Tensor) {
	out := layers.OperateAll("SVD", []any{x}, map[string]any{"full_matrices": fullMatrices, "compute_uv": true})
	if len(out) < 3 {
		return out[0], out[0], out[0] // an error
	}
	return out[0], out[1], out[2]
}

// SingularValues returns only the singular values of each matrix, the largest first: Keras' SVD
// with compute_uv=False.
func SingularValues(x *Tensor) *Tensor {
	return layers.Operate("SVD", []any{x}, map[string]any{"full_matrices": false, "compute_uv": false})
}

// Solve returns the y with a·y = b. a is square. b is a matrix, or a vector, for each matrix a.
func Solve(a, b *Tensor) *Tensor { return layers.Operate("Solve", []any{a, b}, nil) }

// SolveTriangular returns the y with a·y = b for a lower triangular a, or an upper one if lower is
// false; what is on the other side of a is ignored. b is a matrix, or a vector, for each matrix a.
func SolveTriangular(a, b *Tensor, lower bool) *Tensor {
	return layers.Operate("SolveTriangular", []any{a, b}, map[string]any{"lower": lower})
}

// Lstsq returns the y that minimizes the norm of a·y - b. If several do, it returns the y of the
// smallest norm.
func Lstsq(a, b *Tensor) *Tensor {
	return layers.Operate("Lstsq", []any{a, b}, map[string]any{"rcond": nil})
}

// Pinv returns the pseudo-inverse (Moore and Penrose) of each matrix, with rows and columns
// exchanged in size.
func Pinv(x *Tensor) *Tensor { return layers.Operate("Pinv", []any{x}, map[string]any{"rcond": nil}) }

// MatrixRank returns the rank of each matrix: the number of singular values that are not 0 up to
// rounding.
func MatrixRank(x *Tensor) *Tensor {
	return layers.Operate("MatrixRank", []any{x}, map[string]any{"tol": nil})
}
