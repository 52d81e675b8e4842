package signals

// This file takes frames of signals and transforms them.

import (
	"fmt"

	"github.com/gomlx/compute/dtypes"
	"github.com/gomlx/compute/shapes"
	"github.com/gomlx/gomlx/core/graph"
)

// Frames returns the sequences of a length that start at every stride-th step of x [..., time]:
// [..., frames, length]. Steps after the last complete sequence are left out. It panics if x is
// shorter than one sequence.
func Frames(x *graph.Node, length, stride int) *graph.Node {
	rank, dims := x.Rank(), x.Shape().Dimensions
	if time := dims[rank-1]; time < length {
		panic(fmt.Errorf("got signals %s, want at least %d steps, the length of a sequence", x.Shape(), length))
	}
	count := 1 + (dims[rank-1]-length)/stride
	index := shapes.Make(dtypes.Int32, count, length, 1)
	at := graph.Add(graph.MulScalar(graph.Iota(x.Graph(), index, 0), float64(stride)), graph.Iota(x.Graph(), index, 1))
	order := func(first, n int) (axes []int) { // moves axes from the front behind the others
		for i := range n {
			axes = append(axes, (i+first)%n)
		}
		return axes
	}
	y := graph.Gather(graph.TransposeAllAxes(x, order(rank-1, rank)...), at) // time is in front
	return graph.TransposeAllAxes(y, order(2, rank+1)...)
}

// Pad reflects n steps at both ends of x [..., time], without the end itself. Short signals are
// reflected several times. A signal of one step panics unless n is 0.
func Pad(x *graph.Node, n int) *graph.Node {
	last := x.Rank() - 1
	if n > 0 && x.Shape().Dimensions[last] < 2 {
		panic(fmt.Errorf("got signals %s, want at least 2 steps, because they are reflected at their ends", x.Shape()))
	}
	for n > 0 {
		time := x.Shape().Dimensions[last]
		now := min(n, time-1)
		part := func(from, to int) *graph.Node {
			return graph.Reverse(graph.SliceAxis(x, last, graph.AxisRange(from, to)), last)
		}
		x = graph.Concatenate([]*graph.Node{part(1, now+1), x, part(time-1-now, time-1)}, last)
		n -= now
	}
	return x
}

// STFT returns the short-time Fourier transform of x [..., time]: real and imaginary parts, [...,
// frames, fftLength/2+1]. The window has fftLength numbers, nil for ones. It panics if x is shorter
// than fftLength.
func STFT(x *graph.Node, window []float64, stride, fftLength int) (re, im *graph.Node) {
	frames := Frames(x, fftLength, stride)
	if window != nil {
		w := graph.ConvertDType(graph.Const(x.Graph(), window), x.DType())
		frames = graph.Mul(frames, graph.BroadcastToShape(graph.ExpandLeftToRank(w, frames.Rank()), frames.Shape()))
	}
	y := graph.RealFFT(frames)
	return graph.Real(y), graph.Imag(y)
}

// Center returns n numbers: the window in the middle, and zeros at both sides. n is at least the
// window's length.
func Center(window []float64, n int) []float64 {
	out := make([]float64, n)
	copy(out[(n-len(window))/2:], window)
	return out
}
