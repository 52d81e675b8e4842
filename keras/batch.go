package keras

// This file checks batches against the model: their shapes, and labels that a
// loss cannot use, which XLA would silently turn into NaN or another class.

import (
	"fmt"
	"math"
	"slices"

	"github.com/gomlx/compute/dtypes"
	"github.com/gomlx/gomlx/core/tensors"

	"github.com/gospmd/gospmd/keras/data"
	"github.com/gospmd/gospmd/keras/layers"
)

// checkBatch compares a batch with the model's inputs and outputs.
func (m *Model) checkBatch(b data.Batch) error {
	if len(b.X) != len(m.inputs) {
		return fmt.Errorf("got %d input tensors, the model has %d inputs", len(b.X), len(m.inputs))
	}
	for i, t := range m.inputs {
		got := b.X[i].Shape().Dimensions
		if !fits(got, t.Shape()) {
			return fmt.Errorf("input %s wants data of shape %s, got %s",
				t.Producer().Name(), layers.ShapeText(t.Shape()), layers.ShapeText(got))
		}
		if got, want := b.X[i].DType(), t.DType(); got.IsComplex() && !want.IsComplex() {
			return fmt.Errorf("input %s wants %s data, got %s", t.Producer().Name(), want, got)
		}
	}
	if len(b.Y) > 0 && len(b.Y) != len(m.outputs) {
		return fmt.Errorf("got %d label tensors, the model has %d outputs", len(b.Y), len(m.outputs))
	}
	for i, y := range b.Y {
		if y.DType() == dtypes.Complex64 || y.DType() == dtypes.Complex128 {
			return fmt.Errorf("labels %d are %s, want real numbers", i, y.DType())
		}
	}
	return nil
}

// fits reports whether a shape fits one with open dimensions.
func fits(got, want []int) bool {
	return slices.EqualFunc(got, want, func(g, w int) bool { return w < 0 || g == w })
}

// checkLabels checks the labels of a batch against Keras' losses. It does not
// check labels of the user's own losses.
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
			r = labelRule{classNumbers: true, classes: shape[len(shape)-1]}
		}
		if err := r.check(y, m.outputs[i]); err != nil {
			return fmt.Errorf("labels %d: %w", i, err)
		}
	}
	return nil
}

// labelRule describes valid labels: finite numbers, or class numbers.
type labelRule struct {
	classNumbers bool
	classes      int // number of classes, -1 if it is not known
}

// check returns an error that names the first label that is not valid.
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
		return fmt.Errorf("sample %d of the batch has the label %v, want the number of a class, an integer", sample, value)
	}
	limit := "a class from 0 on"
	if r.classes >= 0 {
		limit = fmt.Sprintf("a class from 0 to %d, for %s has %d outputs", r.classes-1, output.Producer().Name(), r.classes)
	}
	return fmt.Errorf("sample %d of the batch has the label %v, want %s", sample, value, limit)
}

// allows reports whether a label is valid.
func (r labelRule) allows(v float64) bool {
	switch {
	case math.IsNaN(v) || math.IsInf(v, 0):
		return false
	case r.classNumbers:
		return v >= 0 && v == math.Trunc(v) && (r.classes < 0 || v < float64(r.classes))
	}
	return true
}
