package report

// This file groups the values that are in memory at the peak. Repeated blocks have one line.

import (
	"cmp"
	"fmt"
	"slices"
)

// liveGroup is a group of values of one type that the same op makes in one layer, or in layers
// whose names differ only in numbers.
type liveGroup struct {
	LiveBuffer // the first value of the group; numbers that differ within the group are * in its layer
	count      int
	bytes      int // bytes of all values
}

// typeText returns the type, with the number of values in front if there are several: "3 ×
// 75x100xf32".
func (g liveGroup) typeText() string {
	if g.count == 1 {
		return g.Type
	}
	return fmt.Sprintf("%d × %s", g.count, g.Type)
}

// A group that takes less than one part in minShare of the temporary memory is left out.
const minShare = 100

// liveGroups returns the values in memory at the peak, grouped by type, op and layer without
// numbers: the groups that take most memory, at most maxLargest, the largest first, without those
// below minShare.
func (r *Report) liveGroups() []liveGroup {
	all := r.live
	if all == nil { // a report that was read from JSON has only the largest values
		all = r.Memory.Largest
	}
	at := map[[3]string]int{}
	var groups []liveGroup
	for _, l := range all {
		layer := withoutNumbers(l.Layer)
		key := [3]string{l.Type, l.Op, layer}
		i, ok := at[key]
		if !ok {
			i, at[key] = len(groups), len(groups)
			groups = append(groups, liveGroup{LiveBuffer: l})
		}
		g := &groups[i]
		if g.Layer != l.Layer {
			g.Layer = layer
		}
		g.count, g.bytes = g.count+1, g.bytes+l.Bytes
	}
	slices.SortStableFunc(groups, func(a, b liveGroup) int { return cmp.Compare(b.bytes, a.bytes) })
	for i, g := range groups {
		if i == maxLargest || g.bytes < r.Memory.Temporary/minShare {
			return groups[:i]
		}
	}
	return groups
}

// withoutNumbers returns a layer's path with * for each number.
func withoutNumbers(path string) string {
	out := make([]rune, 0, len(path))
	for _, c := range path {
		if c < '0' || c > '9' {
			out = append(out, c)
		} else if len(out) == 0 || out[len(out)-1] != '*' {
			out = append(out, '*')
		}
	}
	return string(out)
}
