package layers

// This file holds operations on signals: Fourier transforms.

import (
	"fmt"

	"github.com/gomlx/gomlx/core/graph"

	"github.com/gospmd/gospmd/keras/layers/internal/signals"
)

// parts returns the real and the imaginary part of a complex number.
func parts(x *graph.Node) []*graph.Node { return []*graph.Node{graph.Real(x), graph.Imag(x)} }

// transformed transforms the last dimension of a pair of real and imaginary parts.
func transformed(o operands) []*graph.Node {
	in := o.list(0)
	if len(in) != 2 {
		panic(fmt.Errorf("got %d tensors, want two: real and imaginary parts", len(in)))
	}
	return parts(graph.FFT(graph.Complex(fractions(in[0]), fractions(in[1]))))
}

// realTransformed transforms the last dimension, cut off or filled up with zeros to fft_length.
func realTransformed(o operands) []*graph.Node {
	x := fractions(o.tensor(0))
	last := x.Rank() - 1
	n := x.Shape().Dimensions[last]
	if want := o.ints("fft_length"); want != nil {
		if want[0] < 1 {
			panic(fmt.Errorf("got fft_length %d, want a positive number", want[0]))
		}
		x = graph.SliceAxis(x, last, graph.AxisRange(0, min(n, want[0])))
		x = padAxis(x, last, 0, max(0, want[0]-n), "constant", 0)
	}
	return parts(graph.RealFFT(x))
}

// shortTimeTransformed transforms sequences of a signal.
func shortTimeTransformed(o operands) []*graph.Node {
	x := fractions(o.tensor(0))
	length, stride, n := o.ints("sequence_length"), o.ints("sequence_stride"), o.ints("fft_length")
	if len(length) != 1 || len(stride) != 1 || len(n) != 1 || length[0] < 1 || stride[0] < 1 || n[0] < length[0] {
		panic(fmt.Errorf("got sequence_length %v, sequence_stride %v, fft_length %v, want positive numbers, of which fft_length is not below sequence_length", length, stride, n))
	}
	var w signalWindow
	if err := w.Assign(o.l.attrs["window"]); err != nil {
		panic(err)
	}
	window, err := w.of(length[0], true)
	if err != nil {
		panic(err)
	}
	if window != nil {
		window = signals.Centered(window, n[0])
	}
	if o.l.attrs["center"] == true {
		x = signals.Padded(x, n[0]/2)
	}
	re, im := signals.STFT(x, window, stride[0], n[0])
	return []*graph.Node{re, im}
}
