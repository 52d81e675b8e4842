package interp

// This file implements dot_general.

import (
	"slices"

	"github.com/gomlx/compute/dtypes"

	"github.com/gospmd/gospmd/ir"
)

// multipliers hold the matrix product of each element type.
var multipliers = map[dtypes.DType]func(x, y, z *Tensor, n, k, m int){
	dtypes.Bool:       multiplyBools,
	dtypes.Int8:       multiplyBy[int8, int8],
	dtypes.Int16:      multiplyBy[int16, int16],
	dtypes.Int32:      multiplyBy[int32, int32],
	dtypes.Int64:      multiplyBy[int64, int64],
	dtypes.Uint8:      multiplyBy[uint8, uint8],
	dtypes.Uint16:     multiplyBy[uint16, uint16],
	dtypes.Uint32:     multiplyBy[uint32, uint32],
	dtypes.Uint64:     multiplyBy[uint64, uint64],
	dtypes.Float32:    multiplyBy[float32, float64],
	dtypes.Float64:    multiplyBy[float64, float64],
	dtypes.Complex64:  multiplyComplex[complex64],
	dtypes.Complex128: multiplyComplex[complex128],
}

func runDotGeneral(c *call) error {
	d := c.op.DotGeneral().DotDimensionNumbers()
	return c.dot(d)
}

// runDot is dot_general over the last dimension of lhs and the first of rhs.
func runDot(c *call) error {
	return c.dot(&ir.DotDims{LHSContracting: []int{c.in[0].Type.Rank() - 1}, RHSContracting: []int{0}})
}

func (c *call) dot(d *ir.DotDims) error {
	out := c.new(0)
	lhs, err := convertTo(c.in[0], out.Type.DType)
	if err != nil {
		return err
	}
	rhs, err := convertTo(c.in[1], out.Type.DType)
	if err != nil {
		return err
	}
	f := multipliers[out.Type.DType]
	if f == nil {
		return c.unsupported(out.Type.DType)
	}
	// lhs as batch × rows × contracted, rhs as batch × columns × contracted.
	x, batch, n, k := arranged(lhs, d.LHSBatch, d.LHSContracting)
	y, _, m, _ := arranged(rhs, d.RHSBatch, d.RHSContracting)
	xs, ys, zs := n*k*x.elem(), m*k*y.elem(), n*m*out.elem()
	for b := range batch {
		f(&Tensor{x.Type, x.Data[b*xs : (b+1)*xs]}, &Tensor{y.Type, y.Data[b*ys : (b+1)*ys]}, &Tensor{out.Type, out.Data[b*zs : (b+1)*zs]}, n, k, m)
	}
	return nil
}

// arranged returns t with its batch dimensions first and the contracted ones
// last, and how many elements each group has.
func arranged(t *Tensor, batch, contracted []int) (out *Tensor, b, n, k int) {
	permutation := slices.Clone(batch)
	b, n, k = 1, 1, 1
	for _, d := range batch {
		b *= t.Type.Dims[d]
	}
	for d, size := range t.Type.Dims {
		if !slices.Contains(batch, d) && !slices.Contains(contracted, d) {
			permutation = append(permutation, d)
			n *= size
		}
	}
	for _, d := range contracted {
		k *= t.Type.Dims[d]
	}
	return transposed(t, append(permutation, contracted...)), b, n, k
}

// multiplyBy computes z = x·yᵀ in sums of type A, in the order of the
// contracted elements. Four columns go together, for speed.
func multiplyBy[T, A integer | float](xt, yt, zt *Tensor, n, k, m int) {
	x, y, z := view[T](xt), view[T](yt), view[T](zt)
	for i := range n {
		row, to := x[i*k:(i+1)*k], z[i*m:(i+1)*m]
		j := 0
		for ; j+4 <= m; j += 4 {
			y0, y1, y2, y3 := y[j*k:][:len(row)], y[(j+1)*k:][:len(row)], y[(j+2)*k:][:len(row)], y[(j+3)*k:][:len(row)]
			var s0, s1, s2, s3 A
			for p, v := range row {
				a := A(v)
				s0 += a * A(y0[p])
				s1 += a * A(y1[p])
				s2 += a * A(y2[p])
				s3 += a * A(y3[p])
			}
			to[j], to[j+1], to[j+2], to[j+3] = T(s0), T(s1), T(s2), T(s3)
		}
		for ; j < m; j++ {
			var sum A
			for p, v := range y[j*k:][:len(row)] {
				sum += A(row[p]) * A(v)
			}
			to[j] = T(sum)
		}
	}
}

func multiplyComplex[T complx](xt, yt, zt *Tensor, n, k, m int) {
	x, y, z := view[T](xt), view[T](yt), view[T](zt)
	for i := range n {
		for j := range m {
			var sum complex128
			for p := range k {
				sum += complex128(x[i*k+p]) * complex128(y[j*k+p])
			}
			z[i*m+j] = T(sum)
		}
	}
}

func multiplyBools(xt, yt, zt *Tensor, n, k, m int) {
	x, y, z := view[bool](xt), view[bool](yt), view[bool](zt)
	for i := range n {
		for j := range m {
			for p := range k {
				z[i*m+j] = z[i*m+j] || x[i*k+p] && y[j*k+p]
			}
		}
	}
}
