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
	err := data.Numbers(y, func(i int, v float64) bool {
		if !r.allows(v) {
			bad, value = i, v
		}
		return bad < 0
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

// allows reports whether a label obeys the rule.
func (r labelRule) allows(v float64) bool {
	switch {
	case math.IsNaN(v) || math.IsInf(v, 0):
		return false
	case r.numbers:
		return v >= 0 && v == math.Trunc(v) && (r.classes < 0 || v < float64(r.classes))
	}
	return true
}
