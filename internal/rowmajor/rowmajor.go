// Package rowmajor walks over and copies boxes of elements in row-major
// tensors. It sees elements as bytes of a given size and tensors as lists of
// dimensions.
//
// It knows nothing of element types or files: its users do.
//
// Order of use: CopyBox for a box given by its starts; Strides and CopyStrided
// where an operand is transposed, repeated or reversed.
//
//	function      role
//	Strides       the distance of neighbours along each dimension
//	Offset        the offset of an index
//	Each          all indices of a box, in order
//	CopyBox       copies a box from one tensor to another
//	CopyStrided   copies a box with strides of its own on either side
package rowmajor

// Strides returns the distance of neighbours along each dimension of a
// row-major tensor, in units of unit.
func Strides(dims []int, unit int) []int {
	out := make([]int, len(dims))
	for i := len(dims) - 1; i >= 0; i-- {
		out[i] = unit
		unit *= dims[i]
	}
	return out
}

// Offset returns the offset of an index.
func Offset(index, strides []int) int {
	at := 0
	for i, x := range index {
		at += x * strides[i]
	}
	return at
}

// Each calls visit for every index of a box of the given dimensions, in
// row-major order. The slice is the same in every call.
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

// CopyBox copies a box of elements, of elem bytes each, between two tensors.
// The starts say where the box begins in each; nil means at 0.
func CopyBox(dst []byte, dstDims, dstStart []int, src []byte, srcDims, srcStart, box []int, elem int) {
	dstStrides, srcStrides := Strides(dstDims, elem), Strides(srcDims, elem)
	CopyStrided(dst, Offset(dstStart, dstStrides), dstStrides, src, Offset(srcStart, srcStrides), srcStrides, box, elem)
}

// CopyStrided copies a box of elements; offsets and strides are in bytes. A
// stride of the source may be 0, which repeats elements, or negative, which
// reverses them.
func CopyStrided(dst []byte, dstAt int, dstStrides []int, src []byte, srcAt int, srcStrides, box []int, elem int) {
	if isEmpty(box) {
		return
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
	Each(box[:last], func(index []int) {
		d, s := dstAt, srcAt
		for i, x := range index {
			d += x * dstStrides[i]
			s += x * srcStrides[i]
		}
		copyRuns(dst, d, ds, src, s, ss, n, run)
	})
}

// copyRuns copies n runs of bytes that begin ds and ss bytes apart.
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
