package callbacks

// This file finds the first number of a step that is not finite.

import (
	"context"
	"fmt"
	"math"

	"github.com/gospmd/gospmd/ir"
	"github.com/gospmd/gospmd/keras"
)

// found is a NaN or an infinity in the replay of a step. order is the number of values that its
// device computed before; text names its element and value for the message.
type found struct {
	order int
	text  string
}

// locate replays the last step of a training, from the state before it. It returns, as the end of a
// message, where the first NaN is, or if there is none the first infinity; "" if there is neither.
// Devices compute the same ops in the same order, so that of several devices the one counts whose
// op comes first.
func locate(ctx context.Context, t *keras.Training, from *keras.StepState) (string, error) {
	done := make(map[int]int) // values of each device
	firsts := make(map[string]*found)
	err := t.Replay(ctx, from, func(v keras.Value) {
		order := done[v.Device]
		done[v.Device]++
		if !v.Type.DType.IsFloat() || isConstant(v.Op) {
			return
		}
		for i, x := range v.Numbers() {
			kind := "NaN"
			if math.IsInf(x, 0) {
				kind = "infinity"
			} else if !math.IsNaN(x) {
				continue
			}
			// Equal orders: the device with the smaller number stands first, whichever comes first.
			text := fmt.Sprintf("; the first %s is element %v of %s", kind, indexOf(i, v.Type.Dims), v)
			if f := firsts[kind]; f == nil || order < f.order || order == f.order && text < f.text {
				firsts[kind] = &found{order, text}
			}
			return
		}
	})
	for _, kind := range []string{"NaN", "infinity"} {
		if f := firsts[kind]; f != nil && err == nil {
			return f.text, nil
		}
	}
	return "", err
}

// isConstant reports whether an op has no operands but constants, such as the least number that a
// maximum begins with: a search for a NaN skips it.
func isConstant(op *ir.Op) bool {
	for _, v := range op.Operands {
		if v.IsArg() || !isConstant(v.Def()) {
			return false
		}
	}
	return len(op.Regions) == 0
}

// indexOf returns the index, one number for each dimension, of element i in row-major order of a
// tensor with the sizes dims.
func indexOf(i int, dims []int) []int {
	index := make([]int, len(dims))
	for k := len(dims) - 1; k >= 0; k-- {
		index[k], i = i%dims[k], i/dims[k]
	}
	return index
}
