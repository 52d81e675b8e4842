package buffers

// This file lowers comparisons that a TPU stores as bits. Where the backward pass needs to know only
// which elements of a large value were positive, libtpu does not keep the value. It packs one bit
// for each element, while it waits for the next collective, and frees the value.

import (
	"github.com/gomlx/compute/dtypes"

	"github.com/gospmd/gospmd/ir"
)

// addMasks adds to the graph the comparisons that wait in l.masks, which are stored as bits. It is
// called after each collective, and before the first op that reads one of them.
func (l *lowering) addMasks() {
	for _, op := range l.masks {
		bits := ir.Tensor(dtypes.Uint8, (op.Results[0].Type.Size()+7)/8)
		l.values[op.Results[0]] = l.g.addOne(kernel, op, bits, l.value(op.Operands[0]))
	}
	l.masks = nil
}

// isStoredMask reports whether op compares the result of a product or convolution that would be
// stored only for this: all its other users are relus, whose results are stored themselves, because
// ops over windows read them.
func isStoredMask(op *ir.Op) bool {
	if op.Kind != ir.OpCompare {
		return false
	}
	x := op.Operands[0]
	if x.Def() == nil || !x.Def().IsContraction() {
		return false
	}
	relus := 0
	for u := range x.Uses() {
		switch {
		case u.Op == op:
		case u.Op.Kind == ir.OpMaximum && isReadByWindows(u.Op.Results[0]):
			relus++
		default:
			return false
		}
	}
	return relus > 0
}

// isReadByWindows reports whether an op over windows reads v, as in a max pooling.
func isReadByWindows(v *ir.Value) bool {
	for u := range v.Uses() {
		if u.Op.Kind == ir.OpReduceWindow || u.Op.Kind == ir.OpSelectAndScatter {
			return true
		}
	}
	return false
}
