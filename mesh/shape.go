package mesh

// This file reads the shape of a mesh from a command line.

import (
	"fmt"
	"strconv"
	"strings"
)

// ParseShape reads the sizes of the given number of axes, joined by x as in
// 2x4. Each must be positive and written without sign and leading zeros.
func ParseShape(text string, axes int) ([]int, error) {
	var shape []int
	for size := range strings.SplitSeq(text, "x") {
		n, err := strconv.Atoi(size)
		if err != nil || n < 1 || strconv.Itoa(n) != size {
			return nil, fmt.Errorf("mesh: shape %q: got the size %q, want a positive number for each axis, such as 2x4", text, size)
		}
		shape = append(shape, n)
	}
	if len(shape) != axes {
		return nil, fmt.Errorf("mesh: shape %q: got %d sizes, want %d, one for each axis", text, len(shape), axes)
	}
	return shape, nil
}
