package operations

// This file holds operations on signals: Fourier transforms.

import (
	"fmt"
	"math"

	"github.com/gomlx/compute/dtypes"
	"github.com/gomlx/gomlx/core/graph"

	"github.com/gospmd/gospmd/keras/layers/internal/nodes"
	"github.com/gospmd/gospmd/keras/layers/internal/signals"
)

// parts returns the real and the imaginary parts of complex numbers, in this order.
func parts(x *graph.Node) []*graph.Node { return []*graph.Node{graph.Real(x), graph.Imag(x)} }

// transform is the operation fft: the Fourier transform along the last dimension. Argument and
// result are pairs of real and imaginary parts.
func transform(o operands) []*graph.Node {
	return parts(graph.FFT(o.complexOf()))
}

// transformReal is the operation rfft: the Fourier transform along the last dimension of real
// numbers, as real and imaginary parts. The dimension is cut off or padded with zeros to
// fft_length, if that is given. A length below 1 panics.
func transformReal(o operands) []*graph.Node {
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

// transformShortTime is the operation stft: the real and imaginary parts of the short-time Fourier
// transform of the last axis. It makes one transform of fft_length for each sequence of
// sequence_length, times the window if there is one; the sequences begin sequence_stride apart.
// With the attribute center the signal is padded by its mirror image, half of fft_length at both
// ends. Lengths that do not fit, and unknown windows, panic.
func transformShortTime(o operands) []*graph.Node {
	x := fractions(o.tensor(0))
	length, stride, n := o.ints("sequence_length"), o.ints("sequence_stride"), o.ints("fft_length")
	if len(length) != 1 || len(stride) != 1 || len(n) != 1 || length[0] < 1 || stride[0] < 1 || n[0] < length[0] {
		panic(fmt.Errorf("got sequence_length %v, sequence_stride %v, fft_length %v, want positive numbers, of which fft_length is not below sequence_length", length, stride, n))
	}
	var w signals.Factors
	if err := w.Assign(o.attrs["window"]); err != nil {
		panic(err)
	}
	window, err := w.Of(length[0], true)
	if err != nil {
		panic(err)
	}
	if window != nil {
		window = signals.Center(window, n[0])
	}
	if o.attrs["center"] == true {
		x = signals.Pad(x, n[0]/2)
	}
	re, im := signals.STFT(x, window, stride[0], n[0])
	return []*graph.Node{re, im}
}

// complexOf returns the complex numbers of argument 0, a list of real and imaginary parts. Another
// number of tensors panics.
func (o operands) complexOf() *graph.Node {
	in := o.list(0)
	if len(in) != 2 {
		panic(fmt.Errorf("got %d tensors, want two: real and imaginary parts", len(in)))
	}
	return graph.Complex(fractions(in[0]), fractions(in[1]))
}

// transformed2 returns an operation on complex numbers, given as real and imaginary parts, that
// applies f, a transform of the last dimension, to each of the last two dimensions in turn. Fewer
// dimensions are a panic.
func transformed2(f func(x *graph.Node, lengths ...int) *graph.Node) func(o operands) []*graph.Node {
	return func(o operands) []*graph.Node {
		x := o.complexOf()
		if x.Rank() < 2 {
			panic(fmt.Errorf("got %s, want at least two dimensions", x.Shape()))
		}
		return parts(mirror(f(mirror(f(x)))))
	}
}

// realInverse returns the real signals of n elements whose Fourier transforms are x. It cuts off
// frequencies above n/2, or adds zeros for frequencies that x lacks.
func realInverse(x *graph.Node, n int) *graph.Node {
	last := x.Rank() - 1
	have, want := x.Shape().Dimensions[last], n/2+1
	if have > want {
		x = graph.SliceAxis(x, last, graph.AxisRange(0, want))
	}
	if have < want {
		pad := func(y *graph.Node) *graph.Node { return padAxis(y, last, 0, want-have, "constant", 0) }
		x = graph.Complex(pad(graph.Real(x)), pad(graph.Imag(x)))
	}
	return graph.InverseRealFFT(x, n)
}

// invertRealTransform returns the real signal whose Fourier transform is given by its real and
// imaginary parts: the inverse of transformReal. It has fft_length elements, by default 2·(n-1) for
// n frequencies. A length below 1 panics.
func invertRealTransform(o operands) *graph.Node {
	x := o.complexOf()
	n := 2 * (x.Shape().Dim(-1) - 1)
	if want := o.ints("fft_length"); want != nil {
		n = want[0]
	}
	if n < 1 {
		panic(fmt.Errorf("got fft_length %d, want a positive number", n))
	}
	return realInverse(x, n)
}

// sequences is the operation extract_sequences: the last dimension cut into sequences of
// sequence_length that begin every sequence_stride elements, in a new last dimension. Numbers that
// are not positive panic.
func sequences(o operands) *graph.Node {
	length, stride := o.ints("sequence_length"), o.ints("sequence_stride")
	if len(length) != 1 || len(stride) != 1 || length[0] < 1 || stride[0] < 1 {
		panic(fmt.Errorf("got sequence_length %v and sequence_stride %v, want positive numbers", length, stride))
	}
	return signals.Frames(o.tensor(0), length[0], stride[0])
}

// shortTimeInverse returns the signal of a short-time Fourier transform, given as real and
// imaginary parts: it adds up the inverse transforms of the overlapping sequences, times the
// window, and divides by the sum of the squared windows. Attributes are those of
// transformShortTime, and length, the largest number of elements. It panics as that does.
func shortTimeInverse(o operands) *graph.Node {
	x := o.complexOf()
	length, stride, n := o.ints("sequence_length"), o.ints("sequence_stride"), o.ints("fft_length")
	if len(length) != 1 || len(stride) != 1 || len(n) != 1 || length[0] < 1 || stride[0] < 1 || n[0] < length[0] || x.Rank() < 2 {
		panic(fmt.Errorf("got %s, sequence_length %v, sequence_stride %v, fft_length %v, want [..., sequences, frequencies] and positive numbers, of which fft_length is not below sequence_length", x.Shape(), length, stride, n))
	}
	var w signals.Factors
	if err := w.Assign(o.attrs["window"]); err != nil {
		panic(err)
	}
	window, err := w.Of(length[0], true)
	if err != nil {
		panic(err)
	}
	scale := float64(n[0]) / float64(stride[0]) // Keras' for no window
	if window == nil {
		for range n[0] {
			window = append(window, 1)
		}
	} else {
		window, scale = signals.Center(window, n[0]), 1
	}
	y := realInverse(x, n[0])
	frames := y.Shape().Dim(-2)
	total := n[0] + stride[0]*(frames-1)
	var sum *graph.Node
	norm := make([]float64, total)
	last := y.Rank() - 1
	weights := graph.ConvertDType(graph.Const(o.g, window), y.DType())
	y = graph.Mul(y, graph.BroadcastToShape(graph.ExpandLeftToRank(weights, y.Rank()), y.Shape()))
	for f := range frames {
		part := graph.Squeeze(graph.SliceAxis(y, last-1, graph.AxisElem(f)), last-1)
		part = padAxis(part, last-1, f*stride[0], total-n[0]-f*stride[0], "constant", 0)
		if sum == nil {
			sum = part
		} else {
			sum = graph.Add(sum, part)
		}
		for i, w := range window {
			norm[f*stride[0]+i] += w * w
		}
	}
	for i, v := range norm {
		if v <= 1e-10 {
			norm[i] = 1
		}
		norm[i] = scale / norm[i]
	}
	factors := graph.ConvertDType(graph.Const(o.g, norm), y.DType())
	sum = graph.Mul(sum, graph.BroadcastToShape(graph.ExpandLeftToRank(factors, sum.Rank()), sum.Shape()))
	from, to := 0, total
	if o.attrs["center"] == true {
		from, to = n[0]/2, total-n[0]/2
	}
	if want := o.ints("length"); want != nil {
		to = min(total, from+want[0])
	}
	return graph.SliceAxis(sum, last-1, graph.AxisRange(from, to))
}

// distances is the operation cdist: the Euclidean distance of each row of one tensor to each row of
// the other. Rows of different lengths panic.
func distances(o operands) *graph.Node {
	xs := o.promotedTensors()
	x, y := fractions(xs[0]), fractions(xs[1])
	if x.Rank() < 2 || y.Rank() < 2 || x.Shape().Dim(-1) != y.Shape().Dim(-1) {
		panic(fmt.Errorf("got %s and %s, want rows of one length", x.Shape(), y.Shape()))
	}
	all := o.tensorsOf(graph.InsertAxes(x, x.Rank()-1), graph.InsertAxes(y, y.Rank()-2))
	return graph.Sqrt(graph.ReduceSum(graph.Square(graph.Sub(all[0], all[1])), all[0].Rank()-1))
}

// isInTopK is the operation in_top_k: it reports for each sample whether its target class, argument
// 0, is among the k largest predictions, argument 1, [batch, classes]: fewer than the attribute k
// are larger than its own. A prediction of NaN for the target counts as the smallest.
func isInTopK(o operands) *graph.Node {
	targets, predictions := graph.ConvertDType(o.tensor(0), dtypes.Int32), fractions(o.tensor(1))
	last := predictions.Rank() - 1
	own := pick(predictions, graph.InsertAxes(targets, -1), last)
	own = graph.Where(graph.IsNaN(own), nodes.Like(own, math.Inf(-1)), own)
	above := graph.GreaterThan(predictions, graph.BroadcastToShape(own, predictions.Shape()))
	rank := graph.ReduceSum(graph.ConvertDType(above, dtypes.Int32), last)
	return graph.LessThan(rank, nodes.Like(rank, number(o.attrs["k"])))
}
