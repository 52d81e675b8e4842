package interp

// This file defines Tensor, a dense tensor in memory, and how its elements are
// seen as a Go slice.

import (
	"bytes"
	"unsafe"

	"github.com/gomlx/compute/dtypes"

	"github.com/gospmd/gospmd/ir"
)

// Tensor is a tensor in memory: elements in row-major order, as Go lays out
// the type of the dtype, booleans and integers of less than 8 bits one byte
// each (signed ones with their sign). It is never changed once it is made, so
// that tensors may share memory.
type Tensor struct {
	Type ir.Type
	Data []byte // aligned for the element type
}

// New returns a tensor of zeros.
func New(t ir.Type) *Tensor {
	return &Tensor{t, Alloc(t.Size() * ir.ElementBytes(t.DType))}
}

// FromBytes returns a tensor over data, which is copied only where it is not
// aligned.
func FromBytes(t ir.Type, data []byte) *Tensor {
	if len(data) > 0 && uintptr(unsafe.Pointer(unsafe.SliceData(data)))%8 != 0 {
		align := uintptr(min(ir.ElementBytes(t.DType), 8))
		if uintptr(unsafe.Pointer(unsafe.SliceData(data)))%align != 0 {
			data = append(Alloc(len(data))[:0], data...)
		}
	}
	return &Tensor{t, data}
}

// FromDense returns a literal, a splat written out.
func FromDense(d *ir.Dense) *Tensor {
	t := New(d.Type)
	copy(t.Data, d.Data)
	if d.Splat && len(t.Data) > len(d.Data) {
		fill(t.Data, d.Data)
	}
	if w := smallInt[d.Type.DType]; w.bits > 0 {
		w.wrap(t)
	}
	return t
}

// fill repeats element over the whole of dst.
func fill(dst, element []byte) {
	if len(element) == 1 {
		copy(dst, bytes.Repeat(element, len(dst)))
		return
	}
	for n := copy(dst, element); n < len(dst); n *= 2 {
		copy(dst[n:], dst[:n])
	}
}

// with returns the same elements under another type.
func (t *Tensor) with(typ ir.Type) *Tensor { return &Tensor{typ, t.Data} }

// elem returns the bytes that an element takes.
func (t *Tensor) elem() int { return ir.ElementBytes(t.Type.DType) }

// view returns the elements as a slice of their Go type.
func view[T any](t *Tensor) []T {
	var zero T
	if len(t.Data) == 0 {
		return nil
	}
	return unsafe.Slice((*T)(unsafe.Pointer(unsafe.SliceData(t.Data))), len(t.Data)/int(unsafe.Sizeof(zero)))
}

// Strides returns the distance of neighbours along each dimension of a
// row-major tensor, in units of unit.
func strides(dims []int, unit int) []int {
	out := make([]int, len(dims))
	for i := len(dims) - 1; i >= 0; i-- {
		out[i] = unit
		unit *= dims[i]
	}
	return out
}

// each calls visit for every index of a box of the given dimensions, in
// row-major order. The slice is the same in every call.
func each(dims []int, visit func(index []int)) {
	for _, d := range dims {
		if d == 0 {
			return
		}
	}
	index := make([]int, len(dims))
	for {
		visit(index)
		d := len(dims) - 1
		for ; d >= 0; d-- {
			if index[d]++; index[d] < dims[d] {
				break
			}
			index[d] = 0
		}
		if d < 0 {
			return
		}
	}
}

// copyStrided copies a box of elements; offsets and strides are in bytes. A
// source stride may be 0 or negative.
func copyStrided(dst []byte, dstAt int, dstStrides []int, src []byte, srcAt int, srcStrides, box []int, elem int) {
	for _, n := range box {
		if n == 0 {
			return
		}
	}
	// Trailing dimensions that are dense on both sides make one run.
	outer, run := len(box), elem
	for outer > 0 && dstStrides[outer-1] == run && srcStrides[outer-1] == run {
		outer--
		run *= box[outer]
	}
	if outer == 0 {
		copy(dst[dstAt:dstAt+run], src[srcAt:srcAt+run])
		return
	}
	last := outer - 1
	n, ds, ss := box[last], dstStrides[last], srcStrides[last]
	each(box[:last], func(index []int) {
		d, s := dstAt, srcAt
		for i, x := range index {
			d += x * dstStrides[i]
			s += x * srcStrides[i]
		}
		copyRuns(dst, d, ds, src, s, ss, n, run)
	})
}

// copyRuns copies n runs of bytes that lie ds and ss apart.
func copyRuns(dst []byte, d, ds int, src []byte, s, ss, n, run int) {
	switch {
	case run == 4:
		for range n {
			*(*[4]byte)(dst[d:]) = *(*[4]byte)(src[s:])
			d, s = d+ds, s+ss
		}
	case run == 8:
		for range n {
			*(*[8]byte)(dst[d:]) = *(*[8]byte)(src[s:])
			d, s = d+ds, s+ss
		}
	case run == 1:
		for range n {
			dst[d] = src[s]
			d, s = d+ds, s+ss
		}
	default:
		for range n {
			copy(dst[d:d+run], src[s:s+run])
			d, s = d+ds, s+ss
		}
	}
}

// Flat returns the elements of a tensor of f32 or f64 as a slice of floats,
// which shares its memory.
func Flat(t *Tensor) any {
	if t.Type.DType == dtypes.Float64 {
		return view[float64](t)
	}
	return view[float32](t)
}
