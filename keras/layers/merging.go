package layers

// This file defines the layers that combine several tensors: Add, Multiply and
// Concatenate.

import (
	"fmt"
	"slices"

	"github.com/gomlx/gomlx/core/graph"
)

// merge is the part of a layer that the elementwise merges have.
type merge struct {
	Base
	combine func(a, b *graph.Node) *graph.Node
}

func newMerge(kind string, combine func(a, b *graph.Node) *graph.Node, opts []Option) merge {
	l := merge{combine: combine}
	l.configure(kind, opts, "Name", "DType")
	return l
}

// Build checks that the inputs can be broadcast to one shape.
func (l *merge) Build(_ *Builder, inputs []Spec) error {
	if len(inputs) < 2 {
		return fmt.Errorf("got %d inputs, want at least two", len(inputs))
	}
	rank := 0
	for _, in := range inputs {
		rank = max(rank, len(in.Shape))
	}
	for d := 1; d < rank; d++ {
		known := 1
		for _, in := range inputs {
			i := d - (rank - len(in.Shape)) // dimensions of 1 are inserted after the batch
			if i < 1 || in.Shape[i] <= 1 {
				continue
			}
			if known != 1 && known != in.Shape[i] {
				return fmt.Errorf("got inputs %v, which do not fit each other in dimension %d: want equal sizes, or 1", inputs, d)
			}
			known = in.Shape[i]
		}
	}
	return nil
}

// Config returns nothing: elementwise merges have no options.
func (l *merge) Config() (map[string]any, error) { return map[string]any{}, nil }

// Call combines the inputs from first to last.
func (l *merge) Call(_ *Context, inputs []*graph.Node) []*graph.Node {
	rank := 0
	for _, x := range inputs {
		rank = max(rank, x.Rank())
	}
	var y *graph.Node
	for _, x := range inputs {
		x = graph.ConvertDType(x, l.ComputeDType())
		for x.Rank() < rank {
			x = graph.InsertAxes(x, 1)
		}
		if y == nil {
			y = x
		} else {
			y = l.combine(y, x)
		}
	}
	return []*graph.Node{y}
}

// AddLayer adds its inputs: keras.layers.Add.
type AddLayer struct{ merge }

// Add returns a layer that adds its inputs. Options: Name, DType.
func Add(opts ...Option) *AddLayer { return &AddLayer{newMerge("Add", graph.Add, opts)} }

// MultiplyLayer multiplies its inputs: keras.layers.Multiply.
type MultiplyLayer struct{ merge }

// Multiply returns a layer that multiplies its inputs. Options: Name, DType.
func Multiply(opts ...Option) *MultiplyLayer {
	return &MultiplyLayer{newMerge("Multiply", graph.Mul, opts)}
}

// ConcatenateLayer concatenates its inputs: keras.layers.Concatenate.
type ConcatenateLayer struct {
	Base
	opts options
	axis int
}

// Concatenate returns a layer that concatenates its inputs along Axis. Options:
// Name, Axis (one), DType.
func Concatenate(opts ...Option) *ConcatenateLayer {
	l := &ConcatenateLayer{}
	l.opts = l.configure("Concatenate", opts, "Name", "Axis", "DType")
	if len(l.opts.axis) != 1 {
		l.fail("Concatenate: got axes %v, want one", l.opts.axis)
	}
	return l
}

// Build checks that the shapes of the inputs differ along the axis only.
func (l *ConcatenateLayer) Build(_ *Builder, inputs []Spec) error {
	rank := len(inputs[0].Shape)
	l.axis = l.opts.axis[0]
	if l.axis < 0 {
		l.axis += rank
	}
	if l.axis < 1 || l.axis >= rank {
		return fmt.Errorf("got axis %d for inputs of %d dimensions, want one after the batch", l.opts.axis[0], rank)
	}
	for _, in := range inputs[1:] {
		a, b := slices.Clone(inputs[0].Shape), slices.Clone(in.Shape)
		if len(a) == len(b) {
			a[l.axis], b[l.axis] = 0, 0
		}
		if !slices.Equal(a, b) {
			return fmt.Errorf("got inputs %v, want equal shapes but for dimension %d", inputs, l.axis)
		}
	}
	return nil
}

// Call concatenates.
func (l *ConcatenateLayer) Call(_ *Context, inputs []*graph.Node) []*graph.Node {
	converted := make([]*graph.Node, len(inputs))
	for i, x := range inputs {
		converted[i] = graph.ConvertDType(x, l.ComputeDType())
	}
	return []*graph.Node{graph.Concatenate(converted, l.axis)}
}

// Config returns the options.
func (l *ConcatenateLayer) Config() (map[string]any, error) {
	return map[string]any{"axis": l.opts.axis[0]}, nil
}
