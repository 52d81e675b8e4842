package data

// This file defines stage, the part of a pipeline, and item, the element that stages pass on.

import (
	"context"
	"fmt"
	"hash/fnv"
	"io"
	"iter"
	"slices"

	"github.com/gomlx/compute/shapes"
	"github.com/gomlx/gomlx/core/tensors"
)

// pass is one iteration over the data. The elements that a stage yields in a pass depend only on
// the pass, so that the stage can be opened at any element.
type pass struct {
	seed   uint64 // for the stages without their own seed
	number uint64 // the epoch; before a Repeat, the round
}

// stage yields the elements of a pass, computed from those of the stage before it.
type stage interface {
	// name is the name of the stage in messages.
	name() string
	// identify writes a description of the elements' origin. If two stages write the same, they
	// yield the same elements.
	identify(w io.Writer) error
	// size returns the number of elements of a pass, or Unknown or Infinite.
	size() int
	// open yields the elements from number from on. There may be fewer elements than from.
	open(ctx context.Context, p pass, from int) iter.Seq2[item, error]
	// at returns a function that computes any single element of a pass of known size. It returns
	// nil if that would cost more than the element itself.
	at(p pass) func(i int) (item, error)
}

// sequence yields the elements get(i) for i from from up to limit, exclusive. It ends after the
// first error, which is get's or that of ctx.
func sequence(ctx context.Context, from, limit int, get func(i int) (item, error)) iter.Seq2[item, error] {
	return func(yield func(item, error) bool) {
		for i := from; i < limit; i++ {
			err := ctx.Err()
			var it item
			if err == nil {
				it, err = get(i)
			}
			if !yield(it, err) || err != nil {
				return
			}
		}
	}
}

// skipFirst yields the elements of seq after the first n, up to the first error.
func skipFirst(seq iter.Seq2[item, error], n int) iter.Seq2[item, error] {
	return func(yield func(item, error) bool) {
		for it, err := range seq {
			if err == nil && n > 0 {
				n--
				continue
			}
			if !yield(it, err) || err != nil {
				return
			}
		}
	}
}

// mix returns a seed computed from all given seeds and their order.
func mix(seeds ...uint64) uint64 {
	h := fnv.New64a()
	for _, s := range seeds {
		var b [8]byte
		for i := range b {
			b[i] = byte(s >> (8 * i))
		}
		h.Write(b[:])
	}
	return h.Sum64()
}

// item is an element of a pipeline: the tensors of a Batch, or their slices at one
// index of dimension 0, which are copied only when needed.
type item struct {
	of    Batch
	index int // -1: the whole tensors
}

func itemOf(b Batch) item { return item{b, -1} }

// batch returns the tensors of the element, copied if the element is a slice of larger ones.
func (it item) batch() (Batch, error) {
	if it.index < 0 {
		return it.of, nil
	}
	return assemble([]item{it}, func(shape shapes.Shape, _ int) shapes.Shape { return shape })
}

// stack returns the elements as one batch, in a new first dimension. It returns an error if their
// shapes differ.
func stack(items []item) (Batch, error) {
	return assemble(items, func(shape shapes.Shape, n int) shapes.Shape {
		return withDims(shape, append([]int{n}, shape.Dimensions...)...)
	})
}

// assemble returns a batch of new tensors, into which it copies the tensors of items (at least
// one), one item after the other. shape computes the shape of a new tensor from the shape of one
// item's tensor and the number of items. Items that are not alike (checkAlike) are an error.
func assemble(items []item, shape func(one shapes.Shape, n int) shapes.Shape) (out Batch, err error) {
	first := items[0].of
	for i, it := range items {
		if it.index >= 0 && i > 0 && sameTensors(it.of, first) {
			continue
		}
		if err := checkAlike(it, items[0]); err != nil {
			return out, fmt.Errorf("element %d of the batch: %w", i, err)
		}
	}
	out.Names = first.Names
	n := len(first.Tensors())
	made := make([]*tensors.Tensor, n)
	for slot := range n {
		made[slot] = tensors.FromShape(shape(widest(items, slot), len(items)))
		if err := copySlot(made[slot], items, slot); err != nil {
			return out, err
		}
	}
	out.X, made = slices.Clip(made[:len(first.X)]), made[len(first.X):]
	out.Y, made = slices.Clip(made[:len(first.Y)]), made[len(first.Y):]
	if len(made) > 0 {
		out.SampleWeight = made
	}
	return out, nil
}

// sameTensors reports whether the inputs of a and b are the same list of tensors, and not only
// equal ones.
func sameTensors(a, b Batch) bool {
	return len(a.X) > 0 && len(b.X) > 0 && &a.X[0] == &b.X[0]
}

// tensor returns the tensor that the element is of or in, in a slot: the slots are those of X, then
// Y, then SampleWeight.
func (it item) tensor(slot int) *tensors.Tensor {
	switch nx := len(it.of.X); {
	case slot < nx:
		return it.of.X[slot]
	case slot < nx+len(it.of.Y):
		return it.of.Y[slot-nx]
	}
	return it.of.SampleWeight[slot-len(it.of.X)-len(it.of.Y)]
}

// shape returns the shape of the element's own tensor in a slot, counted over X, Y and
// SampleWeight.
func (it item) shape(slot int) shapes.Shape {
	s := it.tensor(slot).Shape()
	if it.index < 0 {
		return s
	}
	return withDims(s, s.Dimensions[1:]...)
}

// slotName returns the name of a slot of b for messages, such as "input 0" or "labels 1".
func slotName(b Batch, slot int) string {
	switch nx := len(b.X); {
	case slot < nx:
		return fmt.Sprintf("input %d", slot)
	case slot < nx+len(b.Y):
		return fmt.Sprintf("labels %d", slot-nx)
	}
	if len(b.SampleWeight) > 1 {
		return fmt.Sprintf("sample weights %d", slot-len(b.X)-len(b.Y))
	}
	return "the sample weight"
}

// checkAlike returns an error if the item and first cannot be in one batch: their numbers of
// tensors, names, types or shapes differ.
func checkAlike(it, first item) error {
	a, b := it.of, first.of
	if len(a.X) != len(b.X) || len(a.Y) != len(b.Y) || len(a.SampleWeight) != len(b.SampleWeight) {
		return fmt.Errorf("it has %s, the first has %s: all must have the same", tensorCounts(a), tensorCounts(b))
	}
	if !a.Names.equal(b.Names) {
		return fmt.Errorf("its tensors have the names %v, those of the first %v: all must have the same", a.Names, b.Names)
	}
	for slot := range a.Tensors() {
		if it.tensor(slot) == nil {
			return fmt.Errorf("%s is nil, want a tensor", slotName(a, slot))
		}
		got, want := it.shape(slot), first.shape(slot)
		if !alike(got, want) {
			return fmt.Errorf("%s is %s, that of the first is %s: all must be alike", slotName(a, slot), got, want)
		}
	}
	return nil
}

// tensorCounts returns a text with the numbers of inputs, labels and sample weights of a batch, for
// messages.
func tensorCounts(b Batch) string {
	weight := "no sample weight"
	switch n := len(b.SampleWeight); {
	case n == 1:
		weight = "a sample weight"
	case n > 1:
		weight = fmt.Sprintf("%d sample weights", n)
	}
	return fmt.Sprintf("%d input(s), %d label(s) and %s", len(b.X), len(b.Y), weight)
}

// copySlot copies the tensors of all items in that slot (an input, label or weight) into to, one
// behind the other.
func copySlot(to *tensors.Tensor, items []item, slot int) error {
	size := int(to.Shape().ByteSize()) / len(items)
	var inner error
	err := to.MutableBytes(func(dst []byte) {
		for i := 0; i < len(items) && inner == nil; {
			from := items[i].tensor(slot)
			inner = from.ConstBytes(func(src []byte) {
				// Consecutive items of one tensor are copied under one lock.
				one := items[i].shape(slot)
				own := int(one.ByteSize())
				for ; i < len(items) && items[i].tensor(slot) == from; i++ {
					offset := max(items[i].index, 0) * own
					copyElement(dst[i*size:(i+1)*size], src[offset:offset+own], to.Shape(), one)
				}
			})
		}
	})
	if err == nil {
		err = inner
	}
	return err
}
