package diffusion

// This file defines the U-Net.

import (
	"math"

	"github.com/gomlx/compute/shapes"
	//lint:ignore ST1001 GoMLX programs are written so
	. "github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/ml/layers"
	"github.com/gomlx/gomlx/ml/layers/activation"
	"github.com/gomlx/gomlx/ml/layers/norm"
	"github.com/gomlx/gomlx/ml/model"
)

// uNet returns the predicted noise of the images x, [batch, size, size, colours], in the same
// shape. times, [batch, 1, 1, 1], say how noisy each is. It halves the images several times, and
// doubles them again. At each size it concatenates the result of the way down to that of the way
// up.
func uNet(scope *model.Scope, x, times *Node) *Node {
	depth, channels := model.GetParamOr(scope, "depth", 0), model.GetParamOr(scope, "channels", 0)
	out := x.Shape().Dim(-1)
	waves := waves(times, model.GetParamOr(scope, "embedding", 0))
	dims := x.Shape().Clone().Dimensions
	dims[3] = waves.Shape().Dim(-1)
	x = layers.Convolution(scope.In("first"), Concatenate([]*Node{x, BroadcastToDims(waves, dims...)}, -1)).Channels(channels).KernelSize(1).Done()
	var skipped []*Node
	for i := range depth {
		x = residual(scope.In("down%d", i), x, channels<<i)
		skipped = append(skipped, x)
		x = MeanPool(x).Window(2).Done()
	}
	x = residual(scope.In("middle"), x, channels<<depth)
	for i := range depth {
		i := depth - 1 - i
		size := skipped[i].Shape().Dimensions
		x = Interpolate(x, size[0], size[1], size[2], x.Shape().Dim(-1)).Nearest().Done()
		x = residual(scope.In("up%d", i), Concatenate([]*Node{x, skipped[i]}, -1), channels<<i)
	}
	return layers.Convolution(scope.In("last"), x).Channels(out).KernelSize(1).Done()
}

// residual returns x plus the result of two convolutions of x, with that number of channels. If x
// has another number, a convolution of one pixel adapts it first.
func residual(scope *model.Scope, x *Node, channels int) *Node {
	short := x
	if x.Shape().Dim(-1) != channels {
		short = layers.Convolution(scope.In("short"), x).Channels(channels).KernelSize(1).Done()
	}
	x = norm.BatchNorm(scope.In("norm"), x, -1).Center(false).Scale(false).Done()
	x = layers.Convolution(scope.In("conv0"), x).Channels(channels).KernelSize(3).PadSame().Done()
	x = layers.Convolution(scope.In("conv1"), activation.ApplyFromScope(scope, x)).Channels(channels).KernelSize(3).PadSame().Done()
	return Add(short, x)
}

// waves returns n numbers for each of times, [batch, 1, 1, 1], as [batch, 1, 1, n]: the sines and
// then the cosines of the time in n/2 frequencies, which grow by a constant factor from 1 to 1000.
// n is even and at least 4.
func waves(times *Node, n int) *Node {
	g, half := times.Graph(), n/2
	steps := Iota(g, shapes.Make(times.DType(), 1, 1, 1, half), 3)
	frequencies := Exp(MulScalar(steps, math.Log(1000)/float64(half-1)))
	angles := Mul(MulScalar(times, 2*math.Pi), frequencies)
	return Concatenate([]*Node{Sin(angles), Cos(angles)}, -1)
}
