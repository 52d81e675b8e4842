package layers

// This file defines the poolings whose windows follow from the size of the output:
// AdaptiveAveragePooling and AdaptiveMaxPooling, 1D to 3D. Inputs are channels last.

import (
	"fmt"
	"slices"

	"github.com/gomlx/gomlx/core/graph"
)

// AdaptivePoolingLayer reduces windows that cover an input evenly:
// keras.layers.AdaptiveAveragePooling1D to 3D, AdaptiveMaxPooling1D to 3D. Of n elements and
// m windows, window i has the elements from ⌊i·n/m⌋ to ⌈(i+1)·n/m⌉.
type AdaptivePoolingLayer struct {
	declared
	reduce func(x *graph.Node, axis int, windows [][2]int) *graph.Node
}

func newAdaptivePooling(d declared, rank int, reduce func(x *graph.Node, axis int, windows [][2]int) *graph.Node) *AdaptivePoolingLayer {
	d.toRank("the size of the output", &d.opts.outputSize, rank)
	return &AdaptivePoolingLayer{d, reduce}
}

func adaptive(class string, outputSize []int, opts []Option) *AdaptivePoolingLayer {
	return declare[*AdaptivePoolingLayer](class, []Option{set("OutputSize", outputSize)}, opts)
}

// AdaptiveAveragePooling1D returns a layer that takes means over the steps, so that outputSize
// steps remain. Options: Name, DataFormat, DType.
func AdaptiveAveragePooling1D(outputSize int, opts ...Option) *AdaptivePoolingLayer {
	return adaptive("AdaptiveAveragePooling1D", []int{outputSize}, opts)
}

// AdaptiveAveragePooling2D returns a layer that takes means over images. outputSize is one
// number, or height and width. Options: those of AdaptiveAveragePooling1D.
func AdaptiveAveragePooling2D[S Sizes](outputSize S, opts ...Option) *AdaptivePoolingLayer {
	return adaptive("AdaptiveAveragePooling2D", sizesOf(outputSize), opts)
}

// AdaptiveAveragePooling3D returns a layer that takes means over volumes. outputSize is one
// number, or depth, height and width. Options: those of AdaptiveAveragePooling1D.
func AdaptiveAveragePooling3D[S Sizes](outputSize S, opts ...Option) *AdaptivePoolingLayer {
	return adaptive("AdaptiveAveragePooling3D", sizesOf(outputSize), opts)
}

// AdaptiveMaxPooling1D returns a layer that takes the largest values over the steps.
// Arguments and options: those of AdaptiveAveragePooling1D.
func AdaptiveMaxPooling1D(outputSize int, opts ...Option) *AdaptivePoolingLayer {
	return adaptive("AdaptiveMaxPooling1D", []int{outputSize}, opts)
}

// AdaptiveMaxPooling2D returns a layer that takes the largest values over images. Arguments
// and options: those of AdaptiveAveragePooling2D.
func AdaptiveMaxPooling2D[S Sizes](outputSize S, opts ...Option) *AdaptivePoolingLayer {
	return adaptive("AdaptiveMaxPooling2D", sizesOf(outputSize), opts)
}

// AdaptiveMaxPooling3D returns a layer that takes the largest values over volumes. Arguments
// and options: those of AdaptiveAveragePooling3D.
func AdaptiveMaxPooling3D[S Sizes](outputSize S, opts ...Option) *AdaptivePoolingLayer {
	return adaptive("AdaptiveMaxPooling3D", sizesOf(outputSize), opts)
}

// Build checks the input, whose spatial dimensions the windows depend on.
func (l *AdaptivePoolingLayer) Build(_ *Builder, inputs []Spec) error {
	rank := len(l.opts.outputSize)
	if err := checkSpatial(inputs, rank); err != nil {
		return err
	}
	for _, n := range inputs[0].Shape[1 : rank+1] {
		if n == None {
			return fmt.Errorf("got an input of shape %s: want numbers for the dimensions that are pooled", ShapeText(inputs[0].Shape))
		}
	}
	return nil
}

// Call pools.
func (l *AdaptivePoolingLayer) Call(_ *Context, inputs []*graph.Node) []*graph.Node {
	x := graph.ConvertDType(inputs[0], l.ComputeDType())
	return []*graph.Node{adaptivelyPooled(x, l.opts.outputSize, l.reduce)}
}

// adaptivelyPooled pools one spatial dimension after the other to its size.
func adaptivelyPooled(x *graph.Node, sizes []int, reduce func(x *graph.Node, axis int, windows [][2]int) *graph.Node) *graph.Node {
	for i, m := range sizes {
		n := x.Shape().Dimensions[i+1]
		windows := make([][2]int, m)
		for w := range windows {
			windows[w] = [2]int{w * n / m, ((w+1)*n + m - 1) / m}
		}
		x = reduce(x, i+1, windows)
	}
	return x
}

// adaptiveMean multiplies by a matrix of weights.
func adaptiveMean(x *graph.Node, axis int, windows [][2]int) *graph.Node {
	weights := make([][]float32, x.Shape().Dimensions[axis])
	for i := range weights {
		weights[i] = make([]float32, len(windows))
		for w, ends := range windows {
			if ends[0] <= i && i < ends[1] {
				weights[i][w] = 1 / float32(ends[1]-ends[0])
			}
		}
	}
	return alongAxis(x, graph.ConstAsDType(x.Graph(), x.DType(), weights), axis)
}

// adaptiveMax puts the windows next to each other and reduces each. A shorter one repeats
// its last element.
func adaptiveMax(x *graph.Node, axis int, windows [][2]int) *graph.Node {
	longest := 0
	for _, ends := range windows {
		longest = max(longest, ends[1]-ends[0])
	}
	var places [][]int32
	for _, ends := range windows {
		for i := range longest {
			places = append(places, []int32{int32(min(ends[0]+i, ends[1]-1))})
		}
	}
	order := make([]int, x.Rank()) // the axis first, and back: a swap
	for i := range order {
		order[i] = i
	}
	order[0], order[axis] = axis, 0
	y := graph.Gather(graph.TransposeAllAxes(x, order...), graph.Const(x.Graph(), places))
	y = graph.TransposeAllAxes(y, order...)
	w := window{size: slices.Repeat([]int{1}, x.Rank()-2), pad: "valid"}
	w.size[axis-1] = longest
	w.strides, w.dilation = w.size, slices.Repeat([]int{1}, x.Rank()-2)
	return maxOfWindow(w, y)
}
