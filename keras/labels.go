package keras

// This file refuses labels that a loss cannot do anything with: XLA would turn
// them into NaN, or into another class, without a word.

import (
	"fmt"
	"math"

	"github.com/gomlx/gomlx/core/tensors"

	"github.com/gospmd/gospmd/keras/data"
	"github.com/gospmd/gospmd/keras/layers"
)

// checkLabels looks at the labels of a batch with the eyes of Keras' losses; a
// loss of the user's own may take what it likes.
func (m *Model) checkLabels(b data.Batch) error {
	for i, y := range b.Y {
		if i >= len(m.compiled.losses) {
			return nil
		}
		class, _ := m.compiled.losses[i].Config()
		if class == "" {
			continue
		}
		r := labelRule{classes: -1}
		if class == "SparseCategoricalCrossentropy" {
			shape := m.outputs[i].Shape()
			r = labelRule{numbers: true, classes: shape[len(shape)-1]}
		}
		if err := r.check(y, m.outputs[i]); err != nil {
			return fmt.Errorf("labels %d: %w", i, err)
		}
	}
	return nil
}

// labelRule says what labels must be: finite and, where they are numbers of
// classes, whole and within their number, -1 if that is not known.
type labelRule struct {
	numbers bool
	classes int
}

func (r labelRule) check(y *tensors.Tensor, output *layers.Tensor) error {
	bad, value := -1, 0.0
	err := y.ConstFlatData(func(flat any) {
		switch flat := flat.(type) { // half floats and booleans are left to the loss
		case []float32:
			bad, value = firstBad(r, flat)
		case []float64:
			bad, value = firstBad(r, flat)
		case []int8:
			bad, value = firstBad(r, flat)
		case []int16:
			bad, value = firstBad(r, flat)
		case []int32:
			bad, value = firstBad(r, flat)
		case []int64:
			bad, value = firstBad(r, flat)
		case []uint8:
			bad, value = firstBad(r, flat)
		case []uint16:
			bad, value = firstBad(r, flat)
		case []uint32:
			bad, value = firstBad(r, flat)
		case []uint64:
			bad, value = firstBad(r, flat)
		}
	})
	if err != nil || bad < 0 {
		return err
	}
	sample := bad / max(1, y.Size()/max(1, y.Shape().Dimensions[0]))
	switch {
	case math.IsNaN(value) || math.IsInf(value, 0):
		return fmt.Errorf("sample %d of the batch has the label %v, want a finite number: look for gaps in the data", sample, value)
	case value != math.Trunc(value):
		return fmt.Errorf("sample %d of the batch has the label %v, want the number of a class, a whole one", sample, value)
	}
	limit := "a class from 0 on"
	if r.classes >= 0 {
		limit = fmt.Sprintf("a class from 0 to %d, for %s has %d outputs", r.classes-1, output.Producer().Name(), r.classes)
	}
	return fmt.Errorf("sample %d of the batch has the label %v, want %s", sample, value, limit)
}

// firstBad returns the place and the value of the first label that does not
// obey the rule, -1 if all do.
func firstBad[T float32 | float64 | int8 | int16 | int32 | int64 | uint8 | uint16 | uint32 | uint64](r labelRule, flat []T) (int, float64) {
	for i, x := range flat {
		v := float64(x)
		ok := v-v == 0 // neither NaN nor infinite
		if r.numbers {
			ok = ok && v >= 0 && v == math.Trunc(v) && (r.classes < 0 || v < float64(r.classes))
		}
		if !ok {
			return i, v
		}
	}
	return -1, 0
}
