package ops

// This file defines linear algebra of matrices [..., rows, columns].

import "github.com/gospmd/gospmd/keras/layers"

// Det returns the determinant.
func Det(x *Tensor) *Tensor { return layers.Operate("Det", []any{x}, nil) }

// Inv returns the inverse.
func Inv(x *Tensor) *Tensor { return layers.Operate("Inv", []any{x}, nil) }

// Logdet returns the logarithm of the size of the determinant.
func Logdet(x *Tensor) *Tensor { return layers.Operate("Logdet", []any{x}, nil) }

// Cholesky returns L, lower triangular, with x = L·Lᵀ, or Lᵀ where upper.
func Cholesky(x *Tensor, upper bool) *Tensor {
	return layers.Operate("Cholesky", []any{x}, map[string]any{"upper": upper})
}

// CholeskyInverse returns the inverse of the matrix whose Cholesky factor is x.
func CholeskyInverse(x *Tensor, upper bool) *Tensor {
	return layers.Operate("CholeskyInverse", []any{x}, map[string]any{"upper": upper})
}

// Eigh returns the eigenvalues of symmetric matrices, the smallest first, and the eigenvectors as
// columns. They are found by rotations, to the precision of float32; the signs of the vectors may
// differ from LAPACK's.
func Eigh(x *Tensor) (values, vectors *Tensor) { return two(layers.OperateAll("Eigh", []any{x}, nil)) }

// LuFactor returns L and U of square matrices in one, and the row that each row was exchanged
// with, in order.
func LuFactor(x *Tensor) (lu, pivots *Tensor) {
	return two(layers.OperateAll("LuFactor", []any{x}, nil))
}

// Slogdet returns the sign of the determinant and the logarithm of its size.
func Slogdet(x *Tensor) (sign, log *Tensor) { return two(layers.OperateAll("Slogdet", []any{x}, nil)) }

// Qr returns orthogonal Q and upper triangular R with x = Q·R: with mode "reduced" Q has as many
// columns as x, with "complete" it is square.
func Qr(x *Tensor, mode string) (q, r *Tensor) {
	return two(layers.OperateAll("Qr", []any{x}, map[string]any{"mode": mode}))
}

// SVD returns U, the singular values, the largest first, and Vᵀ with x = U·S·Vᵀ. Full matrices
// are square. The values are found by rotations, to the precision of float32; the signs of
// vectors may differ from LAPACK's.
func SVD(x *Tensor, fullMatrices bool) (u, s, vt *Tensor) {
	out := layers.OperateAll("SVD", []any{x}, map[string]any{"full_matrices": fullMatrices, "compute_uv": true})
	if len(out) < 3 {
		return out[0], out[0], out[0] // an error
	}
	return out[0], out[1], out[2]
}

// SingularValues returns the singular values alone: SVD with compute_uv=False.
func SingularValues(x *Tensor) *Tensor {
	return layers.Operate("SVD", []any{x}, map[string]any{"full_matrices": false, "compute_uv": false})
}

// Solve returns y with a·y = b; b is a matrix, or a vector for each matrix.
func Solve(a, b *Tensor) *Tensor { return layers.Operate("Solve", []any{a, b}, nil) }

// SolveTriangular is Solve for an upper or lower triangular matrix.
func SolveTriangular(a, b *Tensor, lower bool) *Tensor {
	return layers.Operate("SolveTriangular", []any{a, b}, map[string]any{"lower": lower})
}

// Lstsq returns the y that minimizes the distance of a·y from b. If there are several, it returns
// the shortest.
func Lstsq(a, b *Tensor) *Tensor {
	return layers.Operate("Lstsq", []any{a, b}, map[string]any{"rcond": nil})
}

// Pinv returns the pseudo-inverse.
func Pinv(x *Tensor) *Tensor { return layers.Operate("Pinv", []any{x}, map[string]any{"rcond": nil}) }

// MatrixRank returns how many singular values are not 0.
func MatrixRank(x *Tensor) *Tensor {
	return layers.Operate("MatrixRank", []any{x}, map[string]any{"tol": nil})
}
