package data

// This file defines item, the element that stages hand on, and how items
// become one Batch.

import (
	"fmt"
	"slices"

	"github.com/gomlx/compute/shapes"
	"github.com/gomlx/gomlx/core/tensors"
)

// item is an element of a pipeline: tensors, or one row of tensors that hold
// all samples, which is copied only when it is needed.
type item struct {
	of  Batch
	row int // -1: the tensors themselves
}

func whole(b Batch) item { return item{b, -1} }

// batch returns the tensors of the element.
func (it item) batch() (Batch, error) {
	if it.row < 0 {
		return it.of, nil
	}
	return assemble([]item{it}, func(shape shapes.Shape, _ int) shapes.Shape { return shape })
}

// stack returns the elements as one batch.
func stack(items []item) (Batch, error) {
	return assemble(items, func(shape shapes.Shape, n int) shapes.Shape {
		return shapes.Make(shape.DType, append([]int{n}, shape.Dimensions...)...)
	})
}

// assemble copies the tensors of items, one item after the other, into tensors
// whose shape is made of the shape of one item and the number of items.
func assemble(items []item, shape func(one shapes.Shape, n int) shapes.Shape) (out Batch, err error) {
	first := items[0].of
	for i, it := range items {
		if it.row >= 0 && i > 0 && sameTensors(it.of, first) {
			continue
		}
		if err := fitting(it, items[0]); err != nil {
			return out, fmt.Errorf("element %d of the batch: %w", i, err)
		}
	}
	n := len(first.Tensors())
	made := make([]*tensors.Tensor, n)
	for slot := range n {
		made[slot] = tensors.FromShape(shape(items[0].shape(slot), len(items)))
		if err := copySlot(made[slot], items, slot); err != nil {
			return out, err
		}
	}
	out.X, made = slices.Clip(made[:len(first.X)]), made[len(first.X):]
	out.Y, made = slices.Clip(made[:len(first.Y)]), made[len(first.Y):]
	if len(made) > 0 {
		out.SampleWeight = made[0]
	}
	return out, nil
}

// sameTensors reports whether a and b are rows of the same tensors.
func sameTensors(a, b Batch) bool {
	return len(a.X) > 0 && len(b.X) > 0 && &a.X[0] == &b.X[0]
}

// tensor returns the tensor of a slot: X, then Y, then SampleWeight.
func (it item) tensor(slot int) *tensors.Tensor {
	switch nx := len(it.of.X); {
	case slot < nx:
		return it.of.X[slot]
	case slot < nx+len(it.of.Y):
		return it.of.Y[slot-nx]
	}
	return it.of.SampleWeight
}

// shape returns the shape of the element's part in a slot.
func (it item) shape(slot int) shapes.Shape {
	s := it.tensor(slot).Shape()
	if it.row < 0 {
		return s
	}
	return shapes.Make(s.DType, s.Dimensions[1:]...)
}

// slotName names a slot in messages.
func slotName(b Batch, slot int) string {
	switch nx := len(b.X); {
	case slot < nx:
		return fmt.Sprintf("input %d", slot)
	case slot < nx+len(b.Y):
		return fmt.Sprintf("labels %d", slot-nx)
	}
	return "the sample weight"
}

// fitting says whether it and first can be in one batch.
func fitting(it, first item) error {
	a, b := it.of, first.of
	if len(a.X) != len(b.X) || len(a.Y) != len(b.Y) || (a.SampleWeight == nil) != (b.SampleWeight == nil) {
		return fmt.Errorf("it has %s, the first has %s: all must have the same", parts(a), parts(b))
	}
	for slot := range a.Tensors() {
		if it.tensor(slot) == nil {
			return fmt.Errorf("%s is nil, want a tensor", slotName(a, slot))
		}
		got, want := it.shape(slot), first.shape(slot)
		if !got.Equal(want) {
			return fmt.Errorf("%s is %s, that of the first is %s: all must be alike", slotName(a, slot), got, want)
		}
	}
	return nil
}

func parts(b Batch) string {
	weight := "no sample weight"
	if b.SampleWeight != nil {
		weight = "a sample weight"
	}
	return fmt.Sprintf("%d input(s), %d label(s) and %s", len(b.X), len(b.Y), weight)
}

// copySlot copies a slot of all items into to.
func copySlot(to *tensors.Tensor, items []item, slot int) error {
	size := int(to.Shape().ByteSize()) / len(items)
	var inner error
	err := to.MutableBytes(func(dst []byte) {
		for i := 0; i < len(items) && inner == nil; {
			from := items[i].tensor(slot)
			inner = from.ConstBytes(func(src []byte) {
				// Rows of one tensor stand together: it is locked once for all.
				for ; i < len(items) && items[i].tensor(slot) == from; i++ {
					offset := max(items[i].row, 0) * size
					copy(dst[i*size:(i+1)*size], src[offset:offset+size])
				}
			})
		}
	})
	if err == nil {
		err = inner
	}
	return err
}
