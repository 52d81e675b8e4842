// Package rowmajor iterates over boxes of elements in row-major tensors, and copies them. An
// element is a number of bytes, and a tensor is a list of dimensions.
//
// It knows nothing of element types or files: its users do.
//
// Order of use: CopyBox for a box given by its first index; Strides and CopyStrided if an operand
// is transposed, repeated or reversed; Runs if one of the tensors is in a file.
//
//	function      role
//	Strides       the distance between adjacent elements along each dimension
//	Offset        the offset of an index
//	Each          all indices of a box, in order
//	Runs          the contiguous runs of bytes of a box
//	CopyBox       copies a box from one tensor to another
//	CopyStrided   copies a box with different strides in source and destination
package rowmajor

import "iter"

// Strides returns the distance between adjacent elements along each dimension of a row-major
// tensor, in multiples of unit.
func Strides(dims []int, unit int) []int {
	out := make([]int, len(dims))
	for i := len(dims) - 1; i >= 0; i-- {
		out[i] = unit
		unit *= dims[i]
	}
	return out
}

// Offset returns the offset of an index: the sum of each index times its stride. A nil index is 0
// in all dimensions.
func Offset(index, strides []int) int {
	at := 0
	for i, x := range index {
		at += x * strides[i]
	}
	return at
}

// Each calls visit for every index of a box of the given dimensions, in row-major order. The slice
// is the same in every call. An empty box has no index; one without dimensions has one, the empty
// index.
func Each(dims []int, visit func(index []int)) {
	if isEmpty(dims) {
		return
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

func isEmpty(dims []int) bool {
	for _, n := range dims {
		if n == 0 {
			return true
		}
	}
	return false
}

// Runs yields the contiguous runs of bytes of a box in a row-major tensor, in order: the offset and
// the length of each. The box has count elements along each dimension, from index start on, and
// must be inside the tensor; an element has elem bytes. An empty box has no runs.
func Runs(dims, start, count []int, elem int) iter.Seq2[int64, int] {
	return func(yield func(int64, int) bool) {
		outer, run := len(dims), elem
		for outer > 0 { // dimensions that the box covers completely are part of one run
			outer--
			run *= count[outer]
			if count[outer] != dims[outer] {
				break
			}
		}
		if run == 0 {
			return
		}
		step := make([]int64, len(dims))
		size, at := int64(elem), int64(0)
		for i := len(dims) - 1; i >= 0; i-- {
			step[i] = size
			at += int64(start[i]) * size
			size *= int64(dims[i])
		}
		var loop func(dim int, at int64) bool
		loop = func(dim int, at int64) bool {
			if dim == outer {
				return yield(at, run)
			}
			for i := range count[dim] {
				if !loop(dim+1, at+int64(i)*step[dim]) {
					return false
				}
			}
			return true
		}
		loop(0, at)
	}
}

// CopyBox copies a box of elements, of elem bytes each, from the tensor src to the tensor dst. The
// dims are the sizes of each tensor, and the starts the first index of the box in it; nil means 0.
// The box must be inside both.
func CopyBox(dst []byte, dstDims, dstStart []int, src []byte, srcDims, srcStart, box []int, elem int) {
	dstStrides, srcStrides := Strides(dstDims, elem), Strides(srcDims, elem)
	CopyStrided(dst, Offset(dstStart, dstStrides), dstStrides, src, Offset(srcStart, srcStrides), srcStrides, box, elem)
}

// CopyStrided copies a box of elements, of elem bytes each, from offset srcAt of src to offset
// dstAt of dst. Offsets, and the strides along each dimension of the box, are in bytes. A source
// stride of 0 repeats elements. A negative one reverses them.
func CopyStrided(dst []byte, dstAt int, dstStrides []int, src []byte, srcAt int, srcStrides, box []int, elem int) {
	if isEmpty(box) {
		return
	}
	// Trailing dimensions that are contiguous on both sides form one run.
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
	Each(box[:last], func(index []int) {
		d, s := dstAt, srcAt
		for i, x := range index {
			d += x * dstStrides[i]
			s += x * srcStrides[i]
		}
		copyRuns(dst, d, ds, src, s, ss, n, run)
	})
}

// copyRuns copies n runs of run bytes from src to dst. They begin at d in dst, ds bytes apart, and
// at s in src, ss bytes apart.
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
