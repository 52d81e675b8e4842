package page

// This file finds corresponding ops of repeated layers.

import (
	"fmt"
	"slices"

	"github.com/gospmd/gospmd/internal/layerpath"
)

// addAlike adds, for each op, the first corresponding op: one of another repeat of the same layer,
// with the same shapes and as much work; the op itself if it is the first. If a layer has several
// of these, they correspond in their order. names has the layer of each row, and t is the tree of
// these layers.
func (r *rows) addAlike(t *layerpath.Tree, names []string) {
	first, seen := map[string]int{}, map[string]int{}
	for at, op := range r.order {
		place := t.Place(names[at])
		like := at
		if len(place.Repeat) > 0 {
			o := &r.Ops
			kind := fmt.Sprint(place.Node, o.Kind[at], o.Phase[at], o.Axes[at], o.Bytes[at], o.Runs[at], o.Flops[at])
			for _, v := range slices.Concat(op.Operands, op.Results) {
				kind += " " + v.Type.Short()
			}
			inLayer := kind + " in " + names[at]
			seen[inLayer]++
			key := fmt.Sprint(kind, " ", seen[inLayer])
			if known, ok := first[key]; ok {
				like = known
			} else {
				first[key] = at
			}
		}
		r.Ops.Alike = append(r.Ops.Alike, like)
	}
}
