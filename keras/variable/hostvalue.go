package variable

// This file defines hostValue, the Filler of a value that the user gave.

import (
	"github.com/gomlx/compute/dtypes"

	"github.com/gospmd/gospmd/layout"
)

// hostValue holds a whole tensor, row-major, as bytes.
type hostValue struct{ bytes []byte }

// Fill copies the elements that lie in ranges.
func (h hostValue) Fill(dst any, dtype dtypes.DType, global []int, ranges []layout.Range) error {
	out := dtypes.UnsafeByteSliceFromAny(dst)
	size := dtype.Size()
	var copyDim func(dim, offset int)
	copyDim = func(dim, offset int) {
		if dim == len(global) {
			n := copy(out, h.bytes[offset*size:(offset+1)*size])
			out = out[n:]
			return
		}
		r := ranges[dim]
		if dim == len(global)-1 {
			start := offset*global[dim] + r.Start
			n := copy(out, h.bytes[start*size:(start+r.Len())*size])
			out = out[n:]
			return
		}
		for i := r.Start; i < r.Limit; i++ {
			copyDim(dim+1, offset*global[dim]+i)
		}
	}
	copyDim(0, 0)
	return nil
}
