package hdf5

// This file iterates over boxes of elements. A slab is a box of a tensor,
// given by its first index and its number of indices in each dimension.

import (
	"fmt"
	"iter"
)

// checkSlab says whether a slab lies in shape, and returns its size.
func checkSlab(shape, start, count []int, elem int) (int, error) {
	if len(start) != len(shape) || len(count) != len(shape) {
		return 0, fmt.Errorf("a slab from %v of %v does not fit the shape %v: want a start and a count for each dimension", start, count, shape)
	}
	n := elem
	for i, d := range shape {
		if start[i] < 0 || count[i] < 0 || start[i] > d-count[i] {
			return 0, fmt.Errorf("a slab from %v of %v lies outside the shape %v in dimension %d", start, count, shape, i)
		}
		n *= count[i]
	}
	return n, nil
}

// runs yields the slab's runs of neighbouring bytes in a row-major tensor: the
// first byte, and how many.
func runs(shape, start, count []int, elem int) iter.Seq2[int64, int] {
	return func(yield func(int64, int) bool) {
		outer, run := len(shape), elem
		for outer > 0 { // dimensions of which the slab has all make one run
			outer--
			run *= count[outer]
			if count[outer] != shape[outer] {
				break
			}
		}
		if run == 0 {
			return
		}
		step := make([]int64, len(shape))
		size, at := int64(elem), int64(0)
		for i := len(shape) - 1; i >= 0; i-- {
			step[i] = size
			at += int64(start[i]) * size
			size *= int64(shape[i])
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

// copyBox copies a box of count elements between two row-major tensors.
func copyBox(dst []byte, dstShape, dstStart []int, src []byte, srcShape, srcStart, count []int, elem int) {
	rank := len(count)
	if rank == 0 {
		copy(dst[:elem], src)
		return
	}
	var loop func(dim, d, s int)
	loop = func(dim, d, s int) {
		d, s = d*dstShape[dim]+dstStart[dim], s*srcShape[dim]+srcStart[dim]
		if dim == rank-1 {
			n := count[dim] * elem
			copy(dst[d*elem:][:n], src[s*elem:][:n])
			return
		}
		for i := range count[dim] {
			loop(dim+1, d+i, s+i)
		}
	}
	loop(0, 0, 0)
}

// swapBytes turns big-endian elements into little-endian ones, or back.
func swapBytes(b []byte, elem int) {
	for ; len(b) >= elem; b = b[elem:] {
		for i, j := 0, elem-1; i < j; i, j = i+1, j-1 {
			b[i], b[j] = b[j], b[i]
		}
	}
}
