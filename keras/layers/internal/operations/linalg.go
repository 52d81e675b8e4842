package operations

// This file computes the linear algebra of matrices [..., rows, columns]: factorizations and what
// they solve. All of it is loops of ordinary operations, so that it runs on all platforms and a
// batch that is sharded stays sharded. Gradients are those of the formulas, not of the loops.
//
// Cholesky, LU and QR factorizations are direct: a step for each column. Eigenvalues and singular
// values are found by Jacobi rotations: each makes two columns orthogonal. Sweeps over all pairs of
// columns repeat until the error is below the precision of float32 (jacobiSweeps).

import (
	"fmt"
	"slices"

	"github.com/gomlx/compute/dtypes"
	"github.com/gomlx/compute/shapes"
	"github.com/gomlx/gomlx/core/graph"

	"github.com/gospmd/gospmd/keras/layers/internal/nodes"
)

// jacobiSweeps is the number of sweeps over all pairs of columns. Once the error is small, each
// sweep squares it: matrices of a hundred columns take six to eight sweeps.
const jacobiSweeps = 12

// matrix returns argument i, a batch of matrices [..., rows, columns], with integers converted to
// float32. It panics if its rank is less than 2.
func (o operands) matrix(i int) *graph.Node {
	x := fractions(o.tensor(i))
	if x.Rank() < 2 {
		panic(fmt.Errorf("got %s, want a matrix, or a batch of them", x.Shape()))
	}
	return x
}

// square returns argument i, square matrices in the last two dimensions. It panics for matrices
// that are not square.
func (o operands) square(i int) *graph.Node {
	x := o.matrix(i)
	if r, c := matrixSize(x); r != c {
		panic(fmt.Errorf("got matrices of %d rows and %d columns, want as many of both", r, c))
	}
	return x
}

func matrixSize(x *graph.Node) (rows, columns int) {
	d := x.Shape().Dimensions
	return d[len(d)-2], d[len(d)-1]
}

// product returns the matrix product of a and b, which have the same batch.
func product(a, b *graph.Node) *graph.Node {
	batch, last := count(a.Rank()-2), a.Rank()-1
	return graph.DotGeneral(a, []int{last}, batch, b, []int{last - 1}, batch)
}

// mirror returns the transpose of each matrix of x, the last two dimensions.
func mirror(x *graph.Node) *graph.Node { return graph.Transpose(x, x.Rank()-2, x.Rank()-1) }

// rowAt returns, as int32 in the shape of x, the number of each element's row, from 0. columnAt
// returns that of its column.
func rowAt(x *graph.Node) *graph.Node { return positions(x, x.Rank()-2) }

func columnAt(x *graph.Node) *graph.Node { return positions(x, x.Rank()-1) }

func positions(x *graph.Node, axis int) *graph.Node {
	return graph.Iota(x.Graph(), shapes.Make(dtypes.Int32, x.Shape().Dimensions...), axis)
}

// is returns a boolean tensor: true where the position at equals the index i, which is broadcast.
func is(at, i *graph.Node) *graph.Node {
	return graph.Equal(at, graph.BroadcastToShape(i, at.Shape()))
}

// pickedRow returns row i of each matrix of x, [..., 1, columns]; i is a scalar node. pickedColumn
// returns column i.
func pickedRow(x, i *graph.Node) *graph.Node {
	return graph.ReduceAndKeep(graph.Where(is(rowAt(x), i), x, graph.ZerosLike(x)), graph.ReduceSum, x.Rank()-2)
}

func pickedColumn(x, i *graph.Node) *graph.Node {
	return graph.ReduceAndKeep(graph.Where(is(columnAt(x), i), x, graph.ZerosLike(x)), graph.ReduceSum, x.Rank()-1)
}

// wide returns v broadcast to the shape of x.
func wide(v, x *graph.Node) *graph.Node { return graph.BroadcastToShape(v, x.Shape()) }

// unitLike returns the n×n identity matrix for each matrix of the batch of x.
func unitLike(x *graph.Node, n int) *graph.Node {
	dims := append(slices.Clone(x.Shape().Dimensions[:x.Rank()-2]), n, n)
	shape := shapes.Make(dtypes.Int32, dims...)
	return graph.ConvertDType(graph.Equal(graph.Iota(x.Graph(), shape, len(dims)-2), graph.Iota(x.Graph(), shape, len(dims)-1)), x.DType())
}

// lowerPart returns x, matrices, with the diagonal multiplied by factor and zeros above it.
func lowerPart(x *graph.Node, factor float64) *graph.Node {
	row, column := rowAt(x), columnAt(x)
	diagonal := graph.Where(graph.Equal(row, column), graph.MulScalar(x, factor), graph.ZerosLike(x))
	return graph.Where(graph.GreaterThan(row, column), x, diagonal)
}

// diagonalOf returns the diagonals [..., n] of x, a batch of matrices.
func diagonalOf(x *graph.Node) *graph.Node {
	return graph.ReduceSum(graph.Where(graph.Equal(rowAt(x), columnAt(x)), x, graph.ZerosLike(x)), x.Rank()-1)
}

// scaledColumns multiplies the columns of x by the elements of v [..., columns].
func scaledColumns(x, v *graph.Node) *graph.Node {
	return graph.Mul(x, wide(graph.InsertAxes(v, v.Rank()-1), x))
}

// choleskyFactor returns L, lower triangular, with x = L·Lᵀ, and defines its gradient. It reads the
// mean of x and xᵀ, as JAX does. L has NaN where x is not positive definite.
func choleskyFactor(x *graph.Node) *graph.Node {
	n, _ := matrixSize(x)
	given := graph.MulScalar(graph.Add(x, mirror(x)), .5)
	lower := repeatSteps(n, []*graph.Node{given, graph.ZerosLike(x)}, func(k *graph.Node, s []*graph.Node) []*graph.Node {
		rest, l := s[0], s[1]
		column := pickedColumn(rest, k)
		pivot := graph.Sqrt(pickedRow(column, k))
		column = graph.Div(column, wide(pivot, column))
		column = graph.Where(graph.LessThan(rowAt(column), graph.BroadcastToShape(k, rowAt(column).Shape())), graph.ZerosLike(column), column)
		rest = graph.Sub(rest, product(column, mirror(column)))
		return []*graph.Node{rest, graph.Where(is(columnAt(l), k), wide(column, l), l)}
	})[1]
	// Murray, 2016: the gradient is L⁻ᵀ·Φ(Lᵀ·v)·L⁻¹, symmetric.
	return withGradient([]*graph.Node{x}, []*graph.Node{lower}, func(ys, vs []*graph.Node) []*graph.Node {
		l := ys[0]
		p := lowerPart(product(mirror(l), vs[0]), .5)
		s := triangularSolve(mirror(l), p, false)                // L⁻ᵀ·Φ
		s = mirror(triangularSolve(mirror(l), mirror(s), false)) // ·L⁻¹
		return []*graph.Node{graph.MulScalar(graph.Add(s, mirror(s)), .5)}
	})[0]
}

func cholesky(o operands) *graph.Node {
	l := choleskyFactor(o.square(0))
	if o.attrs["upper"] == true {
		return mirror(l)
	}
	return l
}

// triangularSolve returns y with a·y = b for triangular matrices a and matrices b of the same
// batch, in a step for each row, and defines its gradient. If lower is true a is a lower triangular
// matrix, otherwise an upper one; it ignores the elements on the other side.
func triangularSolve(a, b *graph.Node, lower bool) *graph.Node {
	n, _ := matrixSize(a)
	row, column := rowAt(a), columnAt(a)
	outside := graph.GreaterThan(row, column)
	if lower {
		outside = graph.LessThan(row, column)
	}
	y := repeatSteps(n, []*graph.Node{graph.ZerosLike(b), graph.Where(outside, graph.ZerosLike(a), a), b}, func(k *graph.Node, s []*graph.Node) []*graph.Node {
		y, a, b := s[0], s[1], s[2]
		if !lower {
			k = graph.Sub(graph.Scalar(k.Graph(), dtypes.Int32, n-1), k)
		}
		of := pickedRow(a, k)
		value := graph.Sub(pickedRow(b, k), product(of, y))
		value = graph.Div(value, wide(pickedColumn(of, k), value))
		return []*graph.Node{graph.Where(is(rowAt(y), k), wide(value, y), y), a, b}
	})[0]
	return withGradient([]*graph.Node{a, b}, []*graph.Node{y}, func(ys, vs []*graph.Node) []*graph.Node {
		by := triangularSolve(mirror(a), vs[0], !lower)
		of := graph.Neg(product(by, mirror(ys[0])))
		return []*graph.Node{graph.Where(outside, graph.ZerosLike(of), of), by}
	})[0]
}

// besides returns a and argument 1, the right-hand side b, as matrices with a common batch. vector
// says that b was a vector for each matrix, now one column. It panics if the numbers of rows
// differ.
func (o operands) besides(a *graph.Node) (matrix, b *graph.Node, vector bool) {
	b = graph.ConvertDType(fractions(o.tensor(1)), a.DType())
	if b.Rank() == a.Rank()-1 {
		b, vector = graph.InsertAxes(b, -1), true
	}
	rows, _ := matrixSize(a)
	if b.Rank() < 2 || b.Shape().Dimensions[b.Rank()-2] != rows {
		panic(fmt.Errorf("got a right-hand side %s for matrices %s, want %d rows", o.tensor(1).Shape(), a.Shape(), rows))
	}
	dims := broadcastDims(a.Shape().Dimensions[:a.Rank()-2], b.Shape().Dimensions[:b.Rank()-2])
	full := func(x *graph.Node) *graph.Node {
		last := x.Shape().Dimensions[x.Rank()-2:]
		return graph.BroadcastToDims(graph.ExpandLeftToRank(x, len(dims)+2), slices.Concat(dims, last)...)
	}
	return full(a), full(b), vector
}

// asGiven undoes what besides did to an operand: if vector is true, it removes the last dimension
// of y.
func asGiven(y *graph.Node, vector bool) *graph.Node {
	if vector {
		return graph.Squeeze(y, y.Rank()-1)
	}
	return y
}

func solveTriangular(o operands) *graph.Node {
	a, b, vector := o.besides(o.square(0))
	return asGiven(triangularSolve(a, b, o.attrs["lower"] == true), vector)
}

// factorLU returns the LU factorization with partial pivoting, L and U in one matrix of the shape
// of x, without the ones on the diagonal of L. pivots, int32 [..., min(rows, columns)], holds for
// each step the row that was exchanged with the step's row.
func factorLU(x *graph.Node) (lu, pivots *graph.Node) {
	rows, columns := matrixSize(x)
	n := min(rows, columns)
	batch := x.Shape().Dimensions[:x.Rank()-2]
	start := graph.Zeros(x.Graph(), shapes.Make(dtypes.Int32, append(slices.Clone(batch), n)...))
	out := repeatSteps(n, []*graph.Node{x, start}, func(k *graph.Node, s []*graph.Node) []*graph.Node {
		a, pivots := s[0], s[1]
		column := pickedColumn(a, k)
		at := rowAt(column)
		below := graph.LessThan(at, graph.BroadcastToShape(k, at.Shape()))
		size := graph.Where(below, nodes.Like(column, -1), graph.Abs(column))
		// [batch]
		p := graph.ArgMax(graph.Squeeze(size, size.Rank()-1), size.Rank()-2, dtypes.Int32)
		pivots = graph.Where(is(positions(pivots, pivots.Rank()-1), k), graph.BroadcastToShape(graph.InsertAxes(p, -1), pivots.Shape()), pivots)
		chosen := graph.Equal(rowAt(a), graph.BroadcastToShape(graph.InsertAxes(p, -1, -1), rowAt(a).Shape()))
		current := is(rowAt(a), k)
		upper := graph.ReduceAndKeep(graph.Where(chosen, a, graph.ZerosLike(a)), graph.ReduceSum, a.Rank()-2)
		lower := pickedRow(a, k)
		a = graph.Where(chosen, wide(lower, a), a)
		a = graph.Where(current, wide(upper, a), a)
		column = pickedColumn(a, k)
		pivot := pickedRow(column, k)
		zero := graph.Equal(pivot, graph.ZerosLike(pivot))
		factor := graph.Div(column, wide(graph.Where(zero, graph.OnesLike(pivot), pivot), column))
		after := graph.GreaterThan(at, graph.BroadcastToShape(k, at.Shape()))
		factor = graph.Where(after, factor, graph.ZerosLike(factor))
		right := graph.GreaterThan(columnAt(a), graph.BroadcastToShape(k, columnAt(a).Shape()))
		reduced := graph.Sub(a, product(factor, upper))
		a = graph.Where(right, reduced, a)
		here := graph.LogicalAnd(is(columnAt(a), k), graph.GreaterThan(rowAt(a), graph.BroadcastToShape(k, rowAt(a).Shape())))
		return []*graph.Node{graph.Where(here, wide(factor, a), a), pivots}
	})
	return out[0], out[1]
}

// exchange returns x with its rows exchanged in the order of pivots, which factorLU returns.
func exchange(x, pivots *graph.Node) *graph.Node {
	n := pivots.Shape().Dimensions[pivots.Rank()-1]
	return repeatSteps(n, []*graph.Node{x, pivots}, func(k *graph.Node, s []*graph.Node) []*graph.Node {
		x, pivots := s[0], s[1]
		at := graph.Where(is(positions(pivots, pivots.Rank()-1), k), pivots, graph.ZerosLike(pivots))
		p := graph.ReduceSum(at, pivots.Rank()-1)
		chosen := graph.Equal(rowAt(x), graph.BroadcastToShape(graph.InsertAxes(p, -1, -1), rowAt(x).Shape()))
		upper := graph.ReduceAndKeep(graph.Where(chosen, x, graph.ZerosLike(x)), graph.ReduceSum, x.Rank()-2)
		lower := pickedRow(x, k)
		x = graph.Where(chosen, wide(lower, x), x)
		return []*graph.Node{graph.Where(is(rowAt(x), k), wide(upper, x), x), pivots}
	})[0]
}

// solveFor returns y with a·y = b, for square matrices a and matrices b of the same batch, and
// defines its gradient.
func solveFor(a, b *graph.Node) *graph.Node {
	lu, pivots := factorLU(a)
	unit := graph.Where(graph.Equal(rowAt(lu), columnAt(lu)), graph.OnesLike(lu), lu)
	y := triangularSolve(lu, triangularSolve(unit, exchange(b, pivots), true), false)
	return withGradient([]*graph.Node{a, b}, []*graph.Node{y}, func(ys, vs []*graph.Node) []*graph.Node {
		by := solveFor(mirror(a), vs[0])
		return []*graph.Node{graph.Neg(product(by, mirror(ys[0]))), by}
	})[0]
}

func solve(o operands) *graph.Node {
	a, b, vector := o.besides(o.square(0))
	return asGiven(solveFor(a, b), vector)
}

func invert(x *graph.Node) *graph.Node {
	n, _ := matrixSize(x)
	return solveFor(x, unitLike(x, n))
}

func inverse(o operands) *graph.Node { return invert(o.square(0)) }

// luFactor is the operation lu_factor: L and U in one matrix, and the pivots. It defines the
// gradient of the factorization.
func luFactor(o operands) []*graph.Node {
	x := o.square(0)
	lu, pivots := factorLU(x)
	out := withGradient([]*graph.Node{x}, []*graph.Node{lu}, func(ys, vs []*graph.Node) []*graph.Node {
		// P·dA = dL·U + L·dU: the gradient is Pᵀ·L⁻ᵀ·(tril(Lᵀ·vL) + triu(vU·Uᵀ))·U⁻ᵀ.
		below := graph.GreaterThan(rowAt(ys[0]), columnAt(ys[0]))
		zero := graph.ZerosLike(ys[0])
		unit := graph.Where(graph.Equal(rowAt(zero), columnAt(zero)), graph.OnesLike(zero), zero)
		l, u := graph.Where(below, ys[0], unit), graph.Where(below, zero, ys[0])
		ofL, ofU := graph.Where(below, vs[0], zero), graph.Where(below, zero, vs[0])
		inner := graph.Where(below, product(mirror(l), ofL), product(ofU, mirror(u)))
		inner = triangularSolve(mirror(l), inner, false)
		inner = mirror(triangularSolve(u, mirror(inner), false))
		n, _ := matrixSize(x)
		p := exchange(unitLike(x, n), pivots)
		return []*graph.Node{product(mirror(p), inner)}
	})
	return []*graph.Node{out[0], pivots}
}

// signedLogDet is the operation slogdet: the sign of the determinant, which has no gradient, and
// the logarithm of its absolute value.
func signedLogDet(o operands) []*graph.Node {
	x := o.square(0)
	sign, log := logDet(x)
	return []*graph.Node{sign, log}
}

func logDet(x *graph.Node) (sign, log *graph.Node) {
	lu, pivots := factorLU(graph.StopGradient(x))
	diagonal := diagonalOf(lu)
	moved := graph.NotEqual(pivots, positions(pivots, pivots.Rank()-1))
	factors := graph.Mul(graph.Sign(diagonal), graph.Where(moved, nodes.Like(diagonal, -1), graph.OnesLike(diagonal)))
	sign = graph.ReduceMultiply(factors, factors.Rank()-1)
	log = graph.ReduceSum(graph.Log(graph.Abs(diagonal)), diagonal.Rank()-1)
	log = withGradient([]*graph.Node{x}, []*graph.Node{log}, func(_, vs []*graph.Node) []*graph.Node {
		of := mirror(invert(x))
		return []*graph.Node{graph.Mul(of, wide(graph.InsertAxes(vs[0], -1, -1), of))}
	})[0]
	return graph.StopGradient(sign), log
}

func logDeterminant(o operands) *graph.Node {
	_, log := logDet(o.square(0))
	return log
}

func determinant(o operands) *graph.Node {
	sign, log := logDet(o.square(0))
	return graph.Mul(sign, graph.Exp(log))
}

// choleskyInverse is the operation cholesky_inverse: (L·Lᵀ)⁻¹ for a Cholesky factor L, or (LᵀL)⁻¹
// of an upper one, L, with the attribute upper.
func choleskyInverse(o operands) *graph.Node {
	x := o.square(0)
	upper := o.attrs["upper"] == true
	n, _ := matrixSize(x)
	of := triangularSolve(x, unitLike(x, n), !upper)
	if upper {
		return product(of, mirror(of))
	}
	return product(mirror(of), of)
}

// factorQR returns Q, [..., rows, rows], and R, upper triangular in the shape of x, with x = Q·R,
// by Householder reflections, with LAPACK's signs.
func factorQR(x *graph.Node) (q, r *graph.Node) {
	rows, columns := matrixSize(x)
	steps := min(rows, columns)
	out := repeatSteps(steps, []*graph.Node{unitLike(x, rows), x}, func(k *graph.Node, s []*graph.Node) []*graph.Node {
		q, r := s[0], s[1]
		column := pickedColumn(r, k)
		at := rowAt(column)
		column = graph.Where(graph.LessThan(at, graph.BroadcastToShape(k, at.Shape())), graph.ZerosLike(column), column)
		first := pickedRow(column, k)
		rest := graph.ReduceAndKeep(graph.Square(graph.Where(is(at, k), graph.ZerosLike(column), column)), graph.ReduceSum, column.Rank()-2)
		size := graph.Sqrt(graph.Add(graph.Square(first), rest))
		positive := graph.GreaterOrEqual(first, graph.ZerosLike(first))
		// A column with nothing below the diagonal stays as it is, as in LAPACK.
		done := graph.Equal(rest, graph.ZerosLike(rest))
		v := graph.Where(is(at, k), wide(graph.Where(positive, graph.Add(first, size), graph.Sub(first, size)), column), column)
		square := graph.ReduceAndKeep(graph.Square(v), graph.ReduceSum, v.Rank()-2)
		factor := graph.Div(nodes.Like(square, 2), graph.Where(done, graph.OnesLike(square), square))
		factor = graph.Where(done, graph.ZerosLike(factor), factor)
		scaled := graph.Mul(v, wide(factor, v))
		r = graph.Sub(r, product(scaled, product(mirror(v), r)))
		q = graph.Sub(q, product(product(q, scaled), mirror(v)))
		return []*graph.Node{q, r}
	})
	q, r = out[0], out[1]
	return q, graph.Where(graph.GreaterThan(rowAt(r), columnAt(r)), graph.ZerosLike(r), r)
}

// orthogonal is the operation qr: Q and R. By the attribute mode Q has min(rows, columns) columns
// ("reduced"), or is square ("complete"). Other modes panic. Q and R have no gradient if there are
// fewer rows than columns, or if the mode is complete and there are more.
func orthogonal(o operands) []*graph.Node {
	x := o.matrix(0)
	rows, columns := matrixSize(x)
	mode, _ := o.attrs["mode"].(string)
	if mode != "reduced" && mode != "complete" {
		panic(fmt.Errorf("got mode %q, want reduced or complete", mode))
	}
	q, r := factorQR(x)
	if mode == "complete" && rows > columns || rows < columns {
		// JAX has no gradient either
		return []*graph.Node{graph.StopGradient(q), graph.StopGradient(r)}
	}
	q = graph.SliceAxis(q, q.Rank()-1, graph.AxisRange(0, columns))
	r = graph.SliceAxis(r, r.Rank()-2, graph.AxisRange(0, columns))
	return withGradient([]*graph.Node{x}, []*graph.Node{q, r}, func(ys, vs []*graph.Node) []*graph.Node {
		q, r := ys[0], ys[1]
		m := graph.Sub(product(r, mirror(vs[1])), product(mirror(vs[0]), q))
		// The lower triangle of m, mirrored: what an upper triangular R leaves free.
		low := lowerPart(m, 1)
		both := graph.Where(graph.GreaterOrEqual(rowAt(m), columnAt(m)), low, mirror(low))
		of := graph.Add(vs[0], product(q, both))
		return []*graph.Node{mirror(triangularSolve(r, mirror(of), false))}
	})
}

// jacobiPairs returns, for matrices of n columns, the two columns that each step of the Jacobi
// sweeps rotates, two int32 vectors, and the number of steps of all sweeps. For n below 2 it
// returns nil, nil and 0.
func jacobiPairs(g *graph.Graph, n int) (first, second *graph.Node, steps int) {
	var a, b []int32
	for range jacobiSweeps {
		for i := range n {
			for k := i + 1; k < n; k++ {
				a, b = append(a, int32(i)), append(b, int32(k))
			}
		}
	}
	if len(a) == 0 {
		return nil, nil, 0
	}
	return graph.Const(g, a), graph.Const(g, b), len(a)
}

// planeRotation returns the cosine and sine of the rotation that makes two columns orthogonal. aa
// and bb are the squared norms of the columns, ab is their product. For the elements aa, bb and ab
// of a symmetric matrix it is the rotation that makes ab 0.
func planeRotation(aa, bb, ab *graph.Node) (cosine, sine *graph.Node) {
	none := graph.Equal(ab, graph.ZerosLike(ab))
	zeta := graph.Div(graph.Sub(bb, aa), graph.MulScalar(graph.Where(none, graph.OnesLike(ab), ab), 2))
	sign := graph.Where(graph.LessThan(zeta, graph.ZerosLike(zeta)), nodes.Like(zeta, -1), graph.OnesLike(zeta))
	tangent := graph.Div(sign, graph.Add(graph.Abs(zeta), graph.Sqrt(graph.OnePlus(graph.Square(zeta)))))
	tangent = graph.Where(none, graph.ZerosLike(tangent), tangent)
	cosine = graph.Rsqrt(graph.OnePlus(graph.Square(tangent)))
	return cosine, graph.Mul(cosine, tangent)
}

// rotate returns x with its columns i and k rotated by the angle of the given cosine and sine.
func rotate(x, i, k, cosine, sine *graph.Node) *graph.Node {
	a, b := pickedColumn(x, i), pickedColumn(x, k)
	newA := graph.Sub(graph.Mul(a, wide(cosine, a)), graph.Mul(b, wide(sine, b)))
	newB := graph.Add(graph.Mul(a, wide(sine, a)), graph.Mul(b, wide(cosine, b)))
	x = graph.Where(is(columnAt(x), i), wide(newA, x), x)
	return graph.Where(is(columnAt(x), k), wide(newB, x), x)
}

// sortedColumns sorts the columns of the matrices xs by keys [..., n], one for each column, in
// ascending or descending order. It returns the sorted keys, and the sorted xs.
func sortedColumns(keys *graph.Node, descending bool, xs ...*graph.Node) (sorted *graph.Node, out []*graph.Node) {
	last := keys.Rank() - 1
	at := order(keys, last, descending)
	for _, x := range xs {
		wideAt := graph.BroadcastToShape(graph.InsertAxes(at, last), shapes.Make(dtypes.Int32, x.Shape().Dimensions...))
		out = append(out, pick(x, wideAt, x.Rank()-1))
	}
	return pick(keys, at, last), out
}

// eigenOf returns the eigenvalues of symmetric matrices [..., n, n], the smallest first, and the
// eigenvectors as columns, and defines their gradient. It uses Jacobi rotations on the mean of x
// and its transpose.
func eigenOf(x *graph.Node) (values, vectors *graph.Node) {
	n, _ := matrixSize(x)
	a := graph.MulScalar(graph.Add(x, mirror(x)), .5)
	v := unitLike(x, n)
	if first, second, steps := jacobiPairs(x.Graph(), n); steps > 0 {
		out := repeatSteps(steps, []*graph.Node{a, v}, func(i *graph.Node, s []*graph.Node) []*graph.Node {
			a, v := s[0], s[1]
			p, q := elementAt(first, i), elementAt(second, i)
			column := pickedColumn(a, q)
			pq, qq := pickedRow(column, p), pickedRow(column, q)
			pp := pickedRow(pickedColumn(a, p), p)
			cosine, sine := planeRotation(pp, qq, pq)
			a = rotate(a, p, q, cosine, sine)
			a = mirror(rotate(mirror(a), p, q, cosine, sine))
			return []*graph.Node{a, rotate(v, p, q, cosine, sine)}
		})
		a, v = out[0], out[1]
	}
	values, sorted := sortedColumns(diagonalOf(a), false, v)
	out := withGradient([]*graph.Node{x}, []*graph.Node{values, sorted[0]}, func(ys, vs []*graph.Node) []*graph.Node {
		w, v := ys[0], ys[1]
		inner := graph.Mul(product(mirror(v), vs[1]), gapsInverse(w))
		inner = graph.Add(inner, scaledColumns(unitLike(x, n), vs[0]))
		of := product(v, product(inner, mirror(v)))
		return []*graph.Node{graph.MulScalar(graph.Add(of, mirror(of)), .5)}
	})
	return out[0], out[1]
}

// elementAt returns element i of the vector v as a scalar; i is a scalar node.
func elementAt(v, i *graph.Node) *graph.Node {
	return graph.ReduceSum(graph.Where(is(positions(v, 0), i), v, graph.ZerosLike(v)), 0)
}

// gapsInverse returns, for eigenvalues w of matrices, the matrices of 1/(wⱼ - wᵢ), with 0 on the
// diagonal.
func gapsInverse(w *graph.Node) *graph.Node {
	n := w.Shape().Dimensions[w.Rank()-1]
	dims := append(slices.Clone(w.Shape().Dimensions), n)
	gaps := graph.Sub(graph.BroadcastToDims(graph.InsertAxes(w, w.Rank()-1), dims...), graph.BroadcastToDims(graph.InsertAxes(w, -1), dims...))
	same := graph.Equal(rowAt(gaps), columnAt(gaps))
	return graph.Where(same, graph.ZerosLike(gaps), graph.Reciprocal(graph.Where(same, graph.OnesLike(gaps), gaps)))
}

func symmetricEigen(o operands) []*graph.Node {
	values, vectors := eigenOf(o.square(0))
	return []*graph.Node{values, vectors}
}

// singularOf returns square U and V, whose columns are singular vectors, and the min(rows, columns)
// singular values, the largest first. It defines no gradient.
func singularOf(x *graph.Node) (u, s, v *graph.Node) {
	rows, columns := matrixSize(x)
	if rows < columns {
		v, s, u = singularOf(mirror(x))
		return u, s, v
	}
	turned, v := graph.StopGradient(x), unitLike(x, columns)
	if first, second, steps := jacobiPairs(x.Graph(), columns); steps > 0 {
		out := repeatSteps(steps, []*graph.Node{turned, v}, func(i *graph.Node, state []*graph.Node) []*graph.Node {
			x, v := state[0], state[1]
			p, q := elementAt(first, i), elementAt(second, i)
			a, b := pickedColumn(x, p), pickedColumn(x, q)
			sum := func(y *graph.Node) *graph.Node { return graph.ReduceAndKeep(y, graph.ReduceSum, y.Rank()-2) }
			cosine, sine := planeRotation(sum(graph.Square(a)), sum(graph.Square(b)), sum(graph.Mul(a, b)))
			return []*graph.Node{rotate(x, p, q, cosine, sine), rotate(v, p, q, cosine, sine)}
		})
		turned, v = out[0], out[1]
	}
	_, sorted := sortedColumns(graph.ReduceSum(graph.Square(turned), turned.Rank()-2), true, turned, v)
	turned, v = sorted[0], sorted[1]
	// The columns are orthogonal, so R is diagonal: it has the values, with signs. Q completes U.
	q, r := factorQR(turned)
	diagonal := diagonalOf(graph.SliceAxis(r, r.Rank()-2, graph.AxisRange(0, columns)))
	signs := graph.Where(graph.LessThan(diagonal, graph.ZerosLike(diagonal)), nodes.Like(diagonal, -1), graph.OnesLike(diagonal))
	u = scaledColumns(graph.SliceAxis(q, q.Rank()-1, graph.AxisRange(0, columns)), signs)
	if rows > columns {
		u = graph.Concatenate([]*graph.Node{u, graph.SliceAxis(q, q.Rank()-1, graph.AxisRange(columns, rows))}, q.Rank()-1)
	}
	return u, graph.Abs(diagonal), v
}

// thinSingular returns U, the singular values, the largest first, and V, and defines their
// gradient. Both matrices have as many columns as there are values.
func thinSingular(x *graph.Node) (u, s, v *graph.Node) {
	rows, columns := matrixSize(x)
	n := min(rows, columns)
	u, s, v = singularOf(x)
	cut := func(y *graph.Node) *graph.Node { return graph.SliceAxis(y, y.Rank()-1, graph.AxisRange(0, n)) }
	out := withGradient([]*graph.Node{x}, []*graph.Node{cut(u), s, cut(v)}, func(ys, vs []*graph.Node) []*graph.Node {
		u, s, v := ys[0], ys[1], ys[2]
		gaps := gapsInverse(graph.Square(s))
		skew := func(y *graph.Node) *graph.Node { return graph.Mul(graph.Sub(y, mirror(y)), gaps) }
		inner := graph.Add(scaledColumns(skew(product(mirror(u), vs[0])), s), mirror(scaledColumns(mirror(skew(product(mirror(v), vs[2]))), s)))
		inner = graph.Add(inner, scaledColumns(unitLike(x, n), vs[1]))
		of := product(u, product(inner, mirror(v)))
		inverse := graph.Reciprocal(graph.Where(graph.Equal(s, graph.ZerosLike(s)), graph.OnesLike(s), s))
		outside := func(u, v *graph.Node) *graph.Node { return graph.Sub(v, product(u, product(mirror(u), v))) }
		if rows > n {
			of = graph.Add(of, product(scaledColumns(outside(u, vs[0]), inverse), mirror(v)))
		}
		if columns > n {
			of = graph.Add(of, product(scaledColumns(u, inverse), mirror(outside(v, vs[2]))))
		}
		return []*graph.Node{of}
	})
	return out[0], out[1], out[2]
}

// singular is the operation svd: U, the singular values and Vᵀ, or only the values if the attribute
// compute_uv is false. U and Vᵀ are square unless the attribute full_matrices is false; if that
// needs more vectors than there are values, they have no gradient.
func singular(o operands) []*graph.Node {
	x := o.matrix(0)
	rows, columns := matrixSize(x)
	u, s, v := thinSingular(x)
	switch {
	case o.attrs["compute_uv"] == false:
		return []*graph.Node{s}
	case o.attrs["full_matrices"] != false && rows != columns:
		u, _, v = singularOf(x) // without a gradient, as in JAX
		u, v = graph.StopGradient(u), graph.StopGradient(v)
	}
	return []*graph.Node{u, s, mirror(v)}
}

// small reports for each of the singular values s, [..., n], whether it counts as 0: it is at most
// share times the largest one.
func small(s *graph.Node, share float64) *graph.Node {
	top := graph.ReduceAndKeep(s, graph.ReduceMax, s.Rank()-1)
	return graph.LessOrEqual(s, wide(graph.MulScalar(top, share), s))
}

// pseudoInverse returns the pseudo-inverse of x, a batch of matrices. Singular values of at most
// share times the largest one count as 0.
func pseudoInverse(x *graph.Node, share float64) *graph.Node {
	u, s, v := thinSingular(x)
	zero := small(s, share)
	inverse := graph.Where(zero, graph.ZerosLike(s), graph.Reciprocal(graph.Where(zero, graph.OnesLike(s), s)))
	return product(scaledColumns(v, inverse), mirror(u))
}

// epsilonOf returns the distance from 1 to the next number of a type.
func epsilonOf(d dtypes.DType) float64 {
	switch d {
	case dtypes.Float64:
		return 0x1p-52
	case dtypes.Float16:
		return 0x1p-10
	case dtypes.BFloat16:
		return 0x1p-7
	}
	return 0x1p-23
}

// shareOf returns a share of the largest singular value of x. Singular values up to this share
// count as 0. It is the attribute key if that is given. Otherwise it is factor times JAX's default,
// the larger of the numbers of rows and columns times the epsilon of the type.
func (o operands) shareOf(key string, x *graph.Node, factor float64) float64 {
	if v := o.attrs[key]; v != nil {
		return number(v)
	}
	rows, columns := matrixSize(x)
	return factor * float64(max(rows, columns)) * epsilonOf(x.DType())
}

func pseudoInvert(o operands) *graph.Node {
	x := o.matrix(0)
	return pseudoInverse(x, o.shareOf("rcond", x, 10))
}

// leastSquares is the operation lstsq: the y that minimizes the norm of a·y - b, of the smallest
// norm if several do. a and b are arguments 0 and 1. The attribute rcond, if given, is a share of
// the largest singular value of a. Singular values up to this share count as 0.
func leastSquares(o operands) *graph.Node {
	a, b, vector := o.besides(o.matrix(0))
	return asGiven(product(pseudoInverse(a, o.shareOf("rcond", a, 1)), b), vector)
}

// rankOf is the operation matrix_rank: the numbers of singular values above the attribute tol, or
// by default above JAX's tolerance, int32.
func rankOf(o operands) *graph.Node {
	x := graph.StopGradient(o.matrix(0))
	_, s, _ := thinSingular(x)
	zero := small(s, o.shareOf("tol", x, 1))
	if tol := o.attrs["tol"]; tol != nil {
		zero = graph.LessOrEqual(s, nodes.Like(s, number(tol)))
	}
	return graph.ReduceSum(graph.ConvertDType(graph.LogicalNot(zero), dtypes.Int32), s.Rank()-1)
}
