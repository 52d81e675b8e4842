package ir

// This file writes the memory layouts that custom calls ask for.

import (
	"fmt"
	"strconv"
	"strings"
)

// RowMajorLayouts returns a row-major layout for each of types, those of the operands or the
// results of a custom call: in memory the last dimension is the innermost one.
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
