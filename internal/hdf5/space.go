package hdf5

// This file reads and writes shapes (section IV.A.2.b, Dataspace Message).

import (
	"fmt"
	"math"
	"slices"
)

const maxRank = 32

// decodeShape reads a dataspace message. A scalar has no dimensions; a null
// dataspace, which holds nothing, is given as one dimension of 0.
func decodeShape(c *cursor) []int {
	version, rank, flags := c.u8(), int(c.u8()), c.u8()
	switch version {
	case 1:
		c.skip(5)
	case 2:
		if kind := c.u8(); kind == 2 {
			return []int{0}
		}
	default:
		c.fail("a dataspace message has version %d, want 1 or 2", version)
	}
	if rank > maxRank {
		c.fail("a dataspace of %d dimensions, want at most %d", rank, maxRank)
	}
	if c.err != nil {
		return nil
	}
	shape := make([]int, rank)
	for i := range shape {
		d := c.u64()
		if d > math.MaxInt64 {
			c.fail("dimension %d of %d elements", i, d)
		}
		shape[i] = int(d)
	}
	if flags&1 != 0 { // the largest the dimensions may become
		c.skip(8 * rank)
	}
	return shape
}

// encodeShape returns the dataspace message, version 1.
func encodeShape(shape []int) []byte {
	b := []byte{1, byte(len(shape)), 0, 0, 0, 0, 0, 0}
	for _, d := range shape {
		b = le.AppendUint64(b, uint64(d))
	}
	return b
}

// byteSize returns the size of a tensor, or an error when it is no number of
// bytes that a file can have.
func byteSize(shape []int, elem int) (int64, error) {
	for _, d := range shape {
		if d < 0 {
			return 0, fmt.Errorf("the shape %v has a negative dimension", shape)
		}
	}
	if slices.Contains(shape, 0) {
		return 0, nil
	}
	n := int64(elem)
	for _, d := range shape {
		if n > (1<<60)/int64(d) {
			return 0, fmt.Errorf("the shape %v of elements of %d bytes is larger than any file", shape, elem)
		}
		n *= int64(d)
	}
	return n, nil
}
