package interp

// This file implements the ops that make, reshape and move data.

import (
	"github.com/gomlx/compute/dtypes"

	"github.com/gospmd/gospmd/internal/rowmajor"
)

// runIota fills the result with the index along one dimension.
func runIota(c *call) error {
	out, dim := c.newResult(0), c.op.Iota().IotaDimension()
	dims := out.Type.Dims
	inner := 1
	for _, d := range dims[dim+1:] {
		inner *= d
	}
	count, ok := counters[out.Type.DType]
	if !ok {
		return c.unsupportedError(out.Type.DType)
	}
	count(out, inner, dims[dim])
	return nil
}

// counters has, by element type, functions that write i/inner%size to every element i of t.
var counters = map[dtypes.DType]func(t *Tensor, inner, size int){
	dtypes.Int8:       countBy(func(n int) int8 { return int8(n) }),
	dtypes.Int16:      countBy(func(n int) int16 { return int16(n) }),
	dtypes.Int32:      countBy(func(n int) int32 { return int32(n) }),
	dtypes.Int64:      countBy(func(n int) int64 { return int64(n) }),
	dtypes.Uint8:      countBy(func(n int) uint8 { return uint8(n) }),
	dtypes.Uint16:     countBy(func(n int) uint16 { return uint16(n) }),
	dtypes.Uint32:     countBy(func(n int) uint32 { return uint32(n) }),
	dtypes.Uint64:     countBy(func(n int) uint64 { return uint64(n) }),
	dtypes.Float32:    countBy(func(n int) float32 { return float32(n) }),
	dtypes.Float64:    countBy(func(n int) float64 { return float64(n) }),
	dtypes.Complex64:  countBy(func(n int) complex64 { return complex(float32(n), 0) }),
	dtypes.Complex128: countBy(func(n int) complex128 { return complex(float64(n), 0) }),
}

func countBy[T any](number func(n int) T) func(t *Tensor, inner, size int) {
	return func(t *Tensor, inner, size int) {
		z := view[T](t)
		for i := 0; i < len(z); {
			for n := range size {
				v := number(n)
				for range inner {
					z[i] = v
					i++
				}
			}
		}
	}
}

// runBroadcast maps dimension i of the operand to dimension broadcast_dimensions[i] of the result.
// It repeats dimensions of size 1, and along the other dimensions of the result.
func runBroadcast(c *call) error {
	x, out := c.in[0], c.newRaw(0)
	if len(x.Data) == x.elem() && len(out.Data) > 0 {
		fill(out.Data, x.Data)
		return nil
	}
	elem := x.elem()
	from := make([]int, out.Type.Rank())
	own := rowmajor.Strides(x.Type.Dims, elem)
	for i, d := range c.op.BroadcastInDim().BroadcastDimensions() {
		if x.Type.Dims[i] > 1 || out.Type.Dims[d] == 1 {
			from[d] = own[i]
		}
	}
	rowmajor.CopyStrided(out.Data, 0, rowmajor.Strides(out.Type.Dims, elem), x.Data, 0, from, out.Type.Dims, elem)
	return nil
}

func runReshape(c *call) error {
	c.set(0, c.in[0].withType(c.op.Results[0].Type))
	return nil
}

func runTranspose(c *call) error {
	c.set(0, transpose(c.in[0], c.op.Transpose().Permutation()))
	return nil
}

// transpose returns t with dimension i taken from dimension permutation[i]; t itself if that
// changes nothing.
func transpose(t *Tensor, permutation []int) *Tensor {
	same, dims, from := true, make([]int, len(permutation)), make([]int, len(permutation))
	own := rowmajor.Strides(t.Type.Dims, t.elem())
	for i, p := range permutation {
		dims[i], from[i] = t.Type.Dims[p], own[p]
		same = same && i == p
	}
	if same {
		return t
	}
	out := New(t.Type.WithDims(dims))
	rowmajor.CopyStrided(out.Data, 0, rowmajor.Strides(dims, t.elem()), t.Data, 0, from, dims, t.elem())
	return out
}

func runSlice(c *call) error {
	x, out, elem := c.in[0], c.newRaw(0), c.in[0].elem()
	from, at := rowmajor.Strides(x.Type.Dims, elem), 0
	steps := c.op.Slice().Strides()
	for i, start := range c.op.Slice().StartIndices() {
		at += start * from[i]
		from[i] *= steps[i]
	}
	rowmajor.CopyStrided(out.Data, 0, rowmajor.Strides(out.Type.Dims, elem), x.Data, at, from, out.Type.Dims, elem)
	return nil
}

// runPad computes pad: it fills the result with the padding value, and copies element i of each
// dimension to low + i·(interior+1). It drops elements that fall outside of the result because
// padding is negative.
func runPad(c *call) error {
	x, out, elem := c.in[0], c.newRaw(0), c.in[0].elem()
	if len(out.Data) == 0 {
		return nil
	}
	fill(out.Data, c.in[1].Data)
	from, to := rowmajor.Strides(x.Type.Dims, elem), rowmajor.Strides(out.Type.Dims, elem)
	low, interior := c.op.Pad().EdgePaddingLow(), c.op.Pad().InteriorPadding()
	box, src, dst := make([]int, len(from)), 0, 0
	for i, size := range x.Type.Dims {
		step := interior[i] + 1
		first := 0 // the first element that falls inside the result
		if low[i] < 0 {
			first = (-low[i] + step - 1) / step
		}
		last := min(size-1, floorDiv(out.Type.Dims[i]-1-low[i], step))
		if box[i] = last - first + 1; box[i] <= 0 {
			return nil
		}
		src += first * from[i]
		dst += (low[i] + first*step) * to[i]
		to[i] *= step
	}
	rowmajor.CopyStrided(out.Data, dst, to, x.Data, src, from, box, elem)
	return nil
}

func floorDiv(a, b int) int {
	q := a / b
	if a%b != 0 && (a < 0) != (b < 0) {
		q--
	}
	return q
}

func runConcatenate(c *call) error {
	c.set(0, Concatenate(c.in, c.op.Concatenate().Dimension()))
	return nil
}

// Concatenate returns a new tensor: the concatenation of one or more tensors along a dimension, in
// the order of parts.
func Concatenate(parts []*Tensor, dim int) *Tensor {
	typ := parts[0].Type.WithDims(append([]int(nil), parts[0].Type.Dims...))
	typ.Dims[dim] = 0
	for _, p := range parts {
		typ.Dims[dim] += p.Type.Dims[dim]
	}
	out := New(typ)
	rows := 1
	for _, d := range typ.Dims[:dim] {
		rows *= d
	}
	if rows == 0 || len(out.Data) == 0 {
		return out
	}
	width, at := len(out.Data)/rows, 0
	for _, p := range parts {
		n := len(p.Data) / rows
		for r := range rows {
			copy(out.Data[r*width+at:][:n], p.Data[r*n:][:n])
		}
		at += n
	}
	return out
}

// Slice returns the elements with indices [start, start+size) along a dimension.
func Slice(t *Tensor, dim, start, size int) *Tensor {
	dims := append([]int(nil), t.Type.Dims...)
	dims[dim] = size
	out, elem := New(t.Type.WithDims(dims)), t.elem()
	from := rowmajor.Strides(t.Type.Dims, elem)
	rowmajor.CopyStrided(out.Data, 0, rowmajor.Strides(dims, elem), t.Data, start*from[dim], from, dims, elem)
	return out
}

func runReverse(c *call) error {
	x, out, elem := c.in[0], c.newRaw(0), c.in[0].elem()
	from, at := rowmajor.Strides(x.Type.Dims, elem), 0
	if len(out.Data) == 0 {
		return nil
	}
	for _, d := range c.op.Reverse().Dimensions() {
		at += (x.Type.Dims[d] - 1) * from[d]
		from[d] = -from[d]
	}
	rowmajor.CopyStrided(out.Data, 0, rowmajor.Strides(out.Type.Dims, elem), x.Data, at, from, out.Type.Dims, elem)
	return nil
}
