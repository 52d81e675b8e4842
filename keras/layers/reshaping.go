package layers

// This file defines the layers that change shapes, Flatten, Reshape, Permute
// and ZeroPadding2D, and those that combine several tensors, Add, Multiply
// and Concatenate.

import (
	"fmt"
	"math"
	"slices"

	"github.com/gomlx/gomlx/core/graph"

	"github.com/gospmd/gospmd/ir"
)

// FlattenLayer reshapes its input to two dimensions, the batch and all others:
// keras.layers.Flatten.
type FlattenLayer struct{ Base }

// Flatten returns a layer that flattens all dimensions but the batch. Options:
// Name.
func Flatten(opts ...Option) *FlattenLayer {
	l := &FlattenLayer{}
	l.configure("Flatten", opts, "Name")
	return l
}

// Build checks the number of inputs.
func (l *FlattenLayer) Build(_ *Builder, inputs []Spec) error {
	if len(inputs) != 1 {
		return fmt.Errorf("got %d inputs, want one", len(inputs))
	}
	return nil
}

// Call reshapes.
func (l *FlattenLayer) Call(_ *Context, inputs []*graph.Node) []*graph.Node {
	x := inputs[0]
	batch := x.Shape().Dimensions[0]
	rest := 1
	for _, d := range x.Shape().Dimensions[1:] {
		rest *= d
	}
	return []*graph.Node{graph.Reshape(x, batch, rest)}
}

// Config returns the options.
func (l *FlattenLayer) Config() (map[string]any, error) {
	return map[string]any{"data_format": channelsLast}, nil
}

// ReshapeLayer gives each sample another shape: keras.layers.Reshape.
type ReshapeLayer struct {
	Base
	Target []int
}

// Reshape returns a layer that gives each sample the shape target, which has no
// batch dimension. One size may be -1; it follows from the others. Options: Name.
func Reshape(target []int, opts ...Option) *ReshapeLayer {
	l := &ReshapeLayer{Target: slices.Clone(target)}
	l.configure("Reshape", opts, "Name")
	open := 0
	for _, d := range target {
		if d == -1 {
			open++
		}
		if d < -1 || d == 0 || open > 1 {
			l.fail("Reshape: got target shape %v, want positive sizes, and -1 for at most one", target)
		}
	}
	return l
}

// Build checks the number of elements.
func (l *ReshapeLayer) Build(_ *Builder, inputs []Spec) error {
	if err := checkOne(inputs, 1); err != nil {
		return err
	}
	elements, ok := ir.Elements(inputs[0].Shape[1:]...)
	if !ok {
		return nil // an open dimension: checked when the model runs
	}
	known := 1
	for _, d := range l.Target {
		if d = max(d, 1); known > ir.MaxElements/d {
			return fmt.Errorf("the target shape %v is too large: want fewer than 2^56 elements", l.Target)
		}
		known *= d
	}
	if elements%known != 0 || known != elements && !slices.Contains(l.Target, -1) {
		return fmt.Errorf("got samples of shape %v, %d elements, which do not fit the target shape %v", inputs[0].Shape[1:], elements, l.Target)
	}
	return nil
}

// Call reshapes.
func (l *ReshapeLayer) Call(_ *Context, inputs []*graph.Node) []*graph.Node {
	return []*graph.Node{graph.Reshape(inputs[0], slices.Concat(inputs[0].Shape().Dimensions[:1], l.Target)...)}
}

// Config returns the options.
func (l *ReshapeLayer) Config() (map[string]any, error) {
	return map[string]any{"target_shape": l.Target}, nil
}

// PermuteLayer changes the order of the dimensions: keras.layers.Permute.
type PermuteLayer struct {
	Base
	Dims []int
}

// Permute returns a layer whose output has the input's dimensions in the order
// dims. They are counted from 1, because the batch stays the first. Options:
// Name.
func Permute(dims []int, opts ...Option) *PermuteLayer {
	l := &PermuteLayer{Dims: slices.Clone(dims)}
	l.configure("Permute", opts, "Name")
	for i, d := range slices.Sorted(slices.Values(dims)) {
		if d != i+1 {
			l.fail("Permute: got dims %v, want each of 1 to %d once", dims, len(dims))
		}
	}
	return l
}

// Build checks the number of dimensions.
func (l *PermuteLayer) Build(_ *Builder, inputs []Spec) error {
	if len(inputs) != 1 || len(inputs[0].Shape) != len(l.Dims)+1 {
		return fmt.Errorf("got inputs %v for the order %v, want one with as many dimensions beside the batch", inputs, l.Dims)
	}
	return nil
}

// Call transposes.
func (l *PermuteLayer) Call(_ *Context, inputs []*graph.Node) []*graph.Node {
	return []*graph.Node{graph.TransposeAllAxes(inputs[0], slices.Concat([]int{0}, l.Dims)...)}
}

// Config returns the options.
func (l *PermuteLayer) Config() (map[string]any, error) { return map[string]any{"dims": l.Dims}, nil }

// ZeroPadding2DLayer pads images with zeros: keras.layers.ZeroPadding2D.
type ZeroPadding2DLayer struct {
	Base
	Height, Width [2]int // number of zeros before and after
}

// ZeroPadding2D returns a layer that pads images, channels last, with zeros.
// padding is one number for all sides, two for height and width, or four for
// top, bottom, left and right. Options: Name.
func ZeroPadding2D(padding []int, opts ...Option) *ZeroPadding2DLayer {
	l := &ZeroPadding2DLayer{}
	l.configure("ZeroPadding2D", opts, "Name")
	p := padding
	switch len(p) {
	case 1:
		l.Height, l.Width = [2]int{p[0], p[0]}, [2]int{p[0], p[0]}
	case 2:
		l.Height, l.Width = [2]int{p[0], p[0]}, [2]int{p[1], p[1]}
	case 4:
		l.Height, l.Width = [2]int{p[0], p[1]}, [2]int{p[2], p[3]}
	}
	if len(p) != 1 && len(p) != 2 && len(p) != 4 || slices.Min(p) < 0 || slices.Max(p) > math.MaxInt32 {
		l.fail("ZeroPadding2D: got padding %v, want one, two or four numbers from 0 to %d", padding, math.MaxInt32)
	}
	return l
}

// Build checks the input.
func (l *ZeroPadding2DLayer) Build(_ *Builder, inputs []Spec) error { return checkImages(inputs) }

// Call pads.
func (l *ZeroPadding2DLayer) Call(_ *Context, inputs []*graph.Node) []*graph.Node {
	x := inputs[0]
	return []*graph.Node{graph.Pad(x, graph.ScalarZero(x.Graph(), x.DType()), graph.PadAxis{},
		graph.PadAxis{Start: l.Height[0], End: l.Height[1]}, graph.PadAxis{Start: l.Width[0], End: l.Width[1]}, graph.PadAxis{})}
}

// Config returns the options.
func (l *ZeroPadding2DLayer) Config() (map[string]any, error) {
	return map[string]any{"padding": [][2]int{l.Height, l.Width}, "data_format": channelsLast}, nil
}

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
