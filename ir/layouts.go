package ir

// This file writes the layouts in memory that custom calls want.

import (
	"fmt"
	"strconv"
	"strings"
)

// RowMajorLayouts returns the layouts of operands or results of a custom call that
// lie in memory with the last dimension innermost.
func RowMajorLayouts(types []Type) Array {
	out := make(Array, len(types))
	for k, t := range types {
		order := make([]string, t.Rank())
		for i := range order {
			order[i] = strconv.Itoa(len(order) - 1 - i)
		}
		minorToMajor := fmt.Sprintf("dense<[%s]>", strings.Join(order, ", "))
		if len(order) == 0 {
			minorToMajor = "dense<>"
		}
		out[k] = Raw(fmt.Sprintf("%s : tensor<%dxindex>", minorToMajor, len(order)))
	}
	return out
}
