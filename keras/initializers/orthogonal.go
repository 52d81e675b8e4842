package initializers

// This file defines Orthogonal.

import (
	"fmt"
	"reflect"
	"slices"
	"sync"

	"github.com/gomlx/compute/dtypes"
	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/lapack/lapack64"

	"github.com/gospmd/gospmd/layout"
)

type orthogonal struct {
	base

	mu     sync.Mutex
	shape  []int     // of the matrix made last, for its next shard
	matrix []float64 // its elements, row-major
}

// Orthogonal makes a matrix with orthogonal columns, or orthogonal rows if it
// has more columns than rows: the Q of the QR factorisation of normal numbers
// (Saxe et al., 2014). All dimensions before the last count as rows. Options:
// Seed, Gain (1 by default).
//
// A part cannot be computed alone: the full matrix is made on the host once, and
// kept until another shape is asked for. The factorisation rounds differently
// from JAX's, so the numbers equal Keras' up to about 1e-6.
func Orthogonal(opts ...Option) Initializer {
	return &orthogonal{base: newBase("Orthogonal", options{gain: 1}, opts, "Seed", "Gain")}
}

// Config returns the seed and the gain.
func (q *orthogonal) Config() map[string]any { return q.config(true, "gain", q.o.gain) }

// Fill copies the part of the matrix in ranges.
func (q *orthogonal) Fill(dst any, dtype dtypes.DType, global []int, ranges []layout.Range) error {
	if err := q.check(dst, dtype, global, ranges); err != nil {
		return err
	}
	if len(global) < 2 {
		return fmt.Errorf("initializers: Orthogonal: got shape %v: want two or more dimensions", global)
	}
	if !dtype.IsFloat() {
		return fmt.Errorf("initializers: Orthogonal: got dtype %s: want a floating-point dtype", dtype)
	}
	q.mu.Lock()
	defer q.mu.Unlock()
	if !slices.Equal(q.shape, global) {
		if err := q.make(global); err != nil {
			return q.wrap(err)
		}
	}
	out := reflect.ValueOf(dst)
	n := 0
	var visit func(dim, index int)
	visit = func(dim, index int) {
		if dim == len(global) {
			out.Index(n).Set(scalar(q.o.gain*q.matrix[index], dtype))
			n++
			return
		}
		for i := ranges[dim].Start; i < ranges[dim].Limit; i++ {
			visit(dim+1, index*global[dim]+i)
		}
	}
	visit(0, 0)
	return nil
}

// make computes the full matrix.
func (q *orthogonal) make(global []int) error {
	columns := global[len(global)-1]
	rows := 1
	for _, d := range global[:len(global)-1] {
		rows *= d
	}
	if rows == 0 || columns == 0 {
		q.shape, q.matrix = slices.Clone(global), nil
		return nil
	}
	tall, narrow := max(rows, columns), min(rows, columns)
	numbers := make([]float32, tall*narrow)
	if err := q.key.FillNormal(numbers, []int{tall, narrow}, []layout.Range{{Start: 0, Limit: tall}, {Start: 0, Limit: narrow}}, 0, 1); err != nil {
		return err
	}
	a := blas64.General{Rows: tall, Cols: narrow, Stride: narrow, Data: make([]float64, tall*narrow)}
	for i, x := range numbers {
		a.Data[i] = float64(x)
	}
	tau := make([]float64, narrow)
	withWork(func(work []float64, n int) { lapack64.Geqrf(a, tau, work, n) })
	negative := make([]bool, narrow) // signs of R's diagonal
	for j := range negative {
		negative[j] = a.Data[j*narrow+j] < 0
	}
	withWork(func(work []float64, n int) { lapack64.Orgqr(a, tau, work, n) })

	// Q with R's signs is unique; Keras returns it transposed for wide shapes.
	matrix := make([]float64, rows*columns)
	for i := range tall {
		for j := range narrow {
			x := a.Data[i*narrow+j]
			if negative[j] {
				x = -x
			}
			if rows < columns {
				matrix[j*columns+i] = x
			} else {
				matrix[i*columns+j] = x
			}
		}
	}
	q.shape, q.matrix = slices.Clone(global), matrix
	return nil
}

// withWork calls a LAPACK routine with the workspace that it asks for.
func withWork(call func(work []float64, n int)) {
	size := make([]float64, 1)
	call(size, -1)
	n := int(size[0])
	call(make([]float64, n), n)
}
