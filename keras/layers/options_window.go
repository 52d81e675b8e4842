package layers

// This file holds the options of layers that move a window over images.

import (
	"fmt"

	"github.com/gospmd/gospmd/internal/option"
)

// Strides sets how far a window moves: one number for both dimensions, or
// height and width. The default is 1 for convolutions, and the window's size
// for poolings.
func Strides(n ...int) Option {
	return pairOption("Strides", n, func(o *options) *[2]int { return &o.window.strides })
}

// PoolSize sets the size of a pooling's window, one number or height and
// width: 2 by default.
func PoolSize(n ...int) Option {
	return pairOption("PoolSize", n, func(o *options) *[2]int { return &o.window.size })
}

// DilationRate sets the distance between a kernel's elements, one number or
// height and width: 1 by default.
func DilationRate(n ...int) Option {
	return pairOption("DilationRate", n, func(o *options) *[2]int { return &o.window.dilation })
}

// Padding says what happens at the edges: "valid", the default, keeps windows
// within the image; "same" adds zeros such that the output has the size of the
// input, divided by the strides.
func Padding(kind string) Option {
	return Option{Name: "Padding", Set: func(o *options) error {
		if kind != "valid" && kind != "same" {
			return fmt.Errorf("got %q, want \"valid\" or \"same\"", kind)
		}
		o.window.same = kind == "same"
		return nil
	}}
}

// Groups splits the channels of a convolution into groups that are convolved
// apart: 1 by default.
func Groups(n int) Option {
	return positive("Groups", n, func(o *options) { o.groups = n })
}

// DepthMultiplier sets the number of outputs for each channel of a depthwise
// convolution: 1 by default.
func DepthMultiplier(n int) Option {
	return positive("DepthMultiplier", n, func(o *options) { o.depthMultiplier = n })
}

// KeepDims keeps the dimensions that a global pooling reduces, with size 1.
func KeepDims() Option { return option.New("KeepDims", func(o *options) { o.keepDims = true }) }

func pairOption(name string, n []int, field func(*options) *[2]int) Option {
	return Option{Name: name, Set: func(o *options) (err error) {
		*field(o), err = pair(n)
		return err
	}}
}

// pair returns one number twice, or two as they are.
func pair(n []int) ([2]int, error) {
	for _, v := range n {
		if v < 1 {
			return [2]int{}, fmt.Errorf("got %v, want positive numbers", n)
		}
	}
	switch len(n) {
	case 1:
		return [2]int{n[0], n[0]}, nil
	case 2:
		return [2]int{n[0], n[1]}, nil
	default:
		return [2]int{}, fmt.Errorf("got %d numbers, want one for both dimensions, or height and width", len(n))
	}
}

func positive(name string, n int, set func(*options)) Option {
	return Option{Name: name, Set: func(o *options) error {
		if n < 1 {
			return fmt.Errorf("got %d, want a positive number", n)
		}
		set(o)
		return nil
	}}
}
