package layers

// This file defines the layers that combine several tensors: Add, Subtract, Multiply,
// Average, Minimum, Maximum, Dot and Concatenate; and their options.

import (
	"fmt"
	"slices"

	"github.com/gomlx/gomlx/core/graph"

	"github.com/gospmd/gospmd/internal/option"
	"github.com/gospmd/gospmd/keras/layers/internal/nodes"
)

// mergingClasses has the layers that merge inputs: by the name of the class in Keras, how a layer
// is made of its options.
var mergingClasses = map[string]class{
	"Add":         classOf(func(d declared, _ *noOptions) Layer { return &MergeLayer{declared: d, combine: graph.Add} }),
	"Average":     classOf(func(d declared, _ *noOptions) Layer { return &MergeLayer{declared: d, combine: graph.Add, mean: true} }),
	"Concatenate": classOf(newConcatenate),
	"Dot":         classOf(func(d declared, o *dotOptions) Layer { return &DotLayer{d, o} }),
	"Maximum":     classOf(func(d declared, _ *noOptions) Layer { return &MergeLayer{declared: d, combine: nodes.Greater} }),
	"Minimum":     classOf(func(d declared, _ *noOptions) Layer { return &MergeLayer{declared: d, combine: nodes.Smaller} }),
	"Multiply":    classOf(func(d declared, _ *noOptions) Layer { return &MergeLayer{declared: d, combine: graph.Mul} }),
	"Subtract":    classOf(func(d declared, _ *noOptions) Layer { return &MergeLayer{declared: d, combine: graph.Sub} }),
}

// dotOptions holds the options of Dot: the axes, one for both inputs or one for each, and
// Normalize.
type dotOptions struct {
	Axes      option.Ints `argument:"axes"`
	Normalize bool        `option:"normalize"`
}

// MergeLayer combines its inputs element by element: keras.layers.Add, Subtract, Multiply,
// Average, Minimum, Maximum. Inputs of size 1 in a dimension are broadcast.
type MergeLayer struct {
	declared
	combine func(a, b *graph.Node) *graph.Node
	mean    bool
}

// Add returns a layer that adds its inputs, two or more, element by element. Options: Name, DType.
func Add(opts ...Option) *MergeLayer { return declare[*MergeLayer]("Add", opts) }

// Subtract returns a layer that subtracts its second input from its first, element by element.
// Options: Name, DType.
func Subtract(opts ...Option) *MergeLayer { return declare[*MergeLayer]("Subtract", opts) }

// Multiply returns a layer that multiplies its inputs, two or more, element by element. Options:
// Name, DType.
func Multiply(opts ...Option) *MergeLayer { return declare[*MergeLayer]("Multiply", opts) }

// Average returns a layer that takes the mean of its inputs, two or more, element by element.
// Options: Name, DType.
func Average(opts ...Option) *MergeLayer { return declare[*MergeLayer]("Average", opts) }

// Minimum returns a layer that takes the smallest of its inputs, two or more, at each element.
// Options: Name, DType.
func Minimum(opts ...Option) *MergeLayer { return declare[*MergeLayer]("Minimum", opts) }

// Maximum returns a layer that takes the largest of its inputs, two or more, at each element.
// Options: Name, DType.
func Maximum(opts ...Option) *MergeLayer { return declare[*MergeLayer]("Maximum", opts) }

// Build returns an error unless there are at least two inputs, for Subtract just two, that can be
// broadcast to one shape.
func (l *MergeLayer) Build(_ *Builder, inputs []Spec) error {
	if len(inputs) < 2 {
		return fmt.Errorf("got %d inputs, want at least two", len(inputs))
	}
	if l.class == "Subtract" && len(inputs) > 2 {
		return fmt.Errorf("got %d inputs, want two", len(inputs))
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

// Call returns one node: the inputs combined element by element from first to last, in the layer's
// compute type; Average divides their sum by their number. Inputs of fewer dimensions get
// dimensions of 1 after the batch.
func (l *MergeLayer) Call(_ *Context, inputs []*graph.Node) []*graph.Node {
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
	if l.mean {
		y = graph.DivScalar(y, float64(len(inputs)))
	}
	return []*graph.Node{y}
}

// ConcatenateLayer concatenates its inputs along one dimension: keras.layers.Concatenate.
type ConcatenateLayer struct {
	declared
	opts *axisOptions
	axis int
}

// Concatenate returns a layer that concatenates its inputs along Axis, the last one by default.
// Options: Name, Axis (one), DType.
func Concatenate(opts ...Option) *ConcatenateLayer {
	return declare[*ConcatenateLayer]("Concatenate", opts)
}

func newConcatenate(d declared, o *axisOptions) Layer {
	if len(o.Axis) != 1 {
		d.fail("Concatenate: got axes %v, want one", []int(o.Axis))
	}
	return &ConcatenateLayer{declared: d, opts: o}
}

// Build finds the axis. It returns an error if the axis is the batch or out of range, or if the
// shapes of the inputs differ in another dimension.
func (l *ConcatenateLayer) Build(_ *Builder, inputs []Spec) error {
	rank := len(inputs[0].Shape)
	l.axis = l.opts.Axis[0]
	if l.axis < 0 {
		l.axis += rank
	}
	if l.axis < 1 || l.axis >= rank {
		return fmt.Errorf("got axis %d for inputs of %d dimensions, want one after the batch", l.opts.Axis[0], rank)
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

// Call returns the inputs, converted to the layer's compute type, joined along the dimension.
func (l *ConcatenateLayer) Call(_ *Context, inputs []*graph.Node) []*graph.Node {
	converted := make([]*graph.Node, len(inputs))
	for i, x := range inputs {
		converted[i] = graph.ConvertDType(x, l.ComputeDType())
	}
	return []*graph.Node{graph.Concatenate(converted, l.axis)}
}

// DotLayer sums the products of two inputs over one dimension of each: keras.layers.Dot.
type DotLayer struct {
	declared
	opts *dotOptions
}

// Dot returns a layer that sums the products of two inputs over an axis of each: axes is one
// number for both, or one for each. Options: Name, Normalize, DType.
func Dot[S Sizes](axes S, opts ...Option) *DotLayer {
	return declare[*DotLayer]("Dot", []Option{set("Axes", sizesOf(axes))}, opts)
}

// Normalize makes Dot divide each vector of both inputs by its Euclidean norm, so that it computes
// cosines.
func Normalize() Option { return set("Normalize", true) }

// axes returns the axes of both inputs, of shapes a and b, that are contracted, counted from 0.
// They follow from Dot's argument: one number for both inputs, or one for each; negative ones count
// from the end. Another number of axes, axes that are the batch or do not exist, and axes of
// different sizes are errors. A negative size is one that is not known; it fits every size.
func (l *DotLayer) axes(a, b []int) (x, y int, err error) {
	given := []int(l.opts.Axes)
	if len(given) == 1 {
		given = []int{given[0], given[0]}
	}
	if len(given) != 2 {
		return 0, 0, fmt.Errorf("got axes %v, want one or two", []int(l.opts.Axes))
	}
	x, y = given[0], given[1]
	if x < 0 {
		x += len(a)
	}
	if y < 0 {
		y += len(b)
	}
	if x < 1 || x >= len(a) || y < 1 || y >= len(b) || a[x] != b[y] && a[x] >= 0 && b[y] >= 0 {
		return 0, 0, fmt.Errorf("got axes %v of inputs of shapes %s and %s, want dimensions after the batch, of equal size",
			[]int(l.opts.Axes), ShapeText(a), ShapeText(b))
	}
	return x, y, nil
}

// Build returns an error unless there are two inputs whose axes fit each other.
func (l *DotLayer) Build(_ *Builder, inputs []Spec) error {
	if len(inputs) != 2 {
		return fmt.Errorf("got %d inputs, want two", len(inputs))
	}
	_, _, err := l.axes(inputs[0].Shape, inputs[1].Shape)
	return err
}

// Call returns the products of the two inputs' vectors along the axes, summed, for each sample.
// With Normalize the vectors have norm 1, so that these are the cosines. The result has at least
// two dimensions. Axes of different sizes panic.
func (l *DotLayer) Call(_ *Context, inputs []*graph.Node) []*graph.Node {
	a, b := graph.ConvertDType(inputs[0], l.ComputeDType()), graph.ConvertDType(inputs[1], l.ComputeDType())
	x, y, err := l.axes(a.Shape().Dimensions, b.Shape().Dimensions)
	if err != nil {
		panic(err)
	}
	if l.opts.Normalize {
		a, b = nodes.Unit(a, 1e-7, x), nodes.Unit(b, 1e-7, y)
	}
	out := graph.DotGeneral(a, []int{x}, []int{0}, b, []int{y}, []int{0})
	if out.Rank() == 1 {
		out = graph.InsertAxes(out, 1)
	}
	return []*graph.Node{out}
}

// ComputeMask returns nil: the result has no mask.
func (l *DotLayer) ComputeMask(*Context, []*graph.Node, []*graph.Node) []*graph.Node { return nil }
