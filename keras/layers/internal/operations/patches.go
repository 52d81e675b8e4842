package operations

// This file computes operations on images that cut, resize, compare and distort them.

import (
	"fmt"
	"math"
	"slices"

	"github.com/gomlx/compute/dtypes"
	"github.com/gomlx/compute/shapes"
	"github.com/gomlx/gomlx/core/graph"

	"github.com/gospmd/gospmd/keras/layers/internal/nodes"
	"github.com/gospmd/gospmd/keras/layers/internal/pixels"
	"github.com/gospmd/gospmd/keras/random"
)

// inBatches returns the operation f, for arguments of that rank with a batch dimension, extended to
// one image or volume without it: the tensors get a batch dimension of 1, which the result loses
// again.
func inBatches(rank int, f func(o operands) *graph.Node) func(o operands) *graph.Node {
	return func(o operands) *graph.Node {
		x := o.tensor(0)
		if x.Rank() != rank-1 {
			return f(o)
		}
		o.args = slices.Clone(o.args)
		for i, v := range o.args {
			if x, ok := v.(*graph.Node); ok && x.Rank() == rank-1 {
				o.args[i] = graph.InsertAxes(x, 0)
			}
		}
		return graph.Squeeze(f(o), 0)
	}
}

// patches is the operation extract_patches: the windows of attribute size of images or volumes
// [batch, ..., channels], with or without the batch, as the pixels of each window in the last
// dimension. A size of one number is that of all dimensions. Without the attribute strides, the
// windows are side by side. Other ranks panic.
func patches(o operands) *graph.Node {
	size := o.ints("size")
	x := o.tensor(0)
	rank := len(size)
	if rank == 1 { // of a square or a cube
		rank = max(2, x.Rank()-2)
		size = slices.Repeat(size, rank)
	}
	single := x.Rank() == rank+1
	if single {
		x = graph.InsertAxes(x, 0)
	}
	if x.Rank() != rank+2 {
		panic(fmt.Errorf("got %s for patches of %v, want (batch, %d spatial dimensions, channels)", o.tensor(0).Shape(), size, rank))
	}
	w := o.window(x, size)
	if o.attrs["strides"] == nil {
		w.Strides = size
	}
	n := x.Shape().Dim(-1)
	for _, s := range size {
		n *= s
	}
	unit := graph.Diagonal(o.g, n)
	kernel := graph.Reshape(graph.ConvertDType(unit, x.DType()), append(slices.Clone(size), x.Shape().Dim(-1), n)...)
	y := w.Convolve(x, kernel, 1)
	if single {
		return graph.Squeeze(y, 0)
	}
	return y
}

// borders returns how many pixels are cut off or added above and to the left (start), and the
// height and width of the result (size). what is the end of the attributes' names, cropping or
// padding. For each dimension the attributes give two of three numbers: the pixels before, the
// pixels after, and the size of the result. sign is 1 if pixels are cut off, -1 if they are added.
// It panics if not two are given, or if start or size is negative.
func (o operands) borders(x *graph.Node, what string, sign int) (start, size [2]int) {
	size = pixels.Size(x)
	keys := [2][3]string{{"top_", "bottom_", "target_height"}, {"left_", "right_", "target_width"}}
	for d, k := range keys {
		first, last, target := o.ints(k[0]+what), o.ints(k[1]+what), o.ints(k[2])
		known := 0
		for _, v := range [][]int{first, last, target} {
			if v != nil {
				known++
			}
		}
		if known != 2 {
			panic(fmt.Errorf("got %s%s %v, %s%s %v and %s %v, want two of them", k[0], what, first, k[1], what, last, k[2], target))
		}
		if target == nil {
			target = []int{size[d] - sign*(first[0]+last[0])}
		}
		if first == nil {
			first = []int{sign*(size[d]-target[0]) - last[0]}
		}
		start[d], size[d] = first[0], target[0]
		if start[d] < 0 || size[d] < 0 {
			panic(fmt.Errorf("got %s%s %d and %s %d, want numbers that are not negative", k[0], what, start[d], k[2], size[d]))
		}
	}
	return start, size
}

// crop is the operation crop_images: it returns images without the pixels at their borders that the
// attributes say. A part that is not within the images panics.
func crop(o operands) *graph.Node {
	o.channelsLastOnly()
	x := o.tensor(0)
	start, size := o.borders(x, "cropping", 1)
	for d := range 2 {
		if start[d]+size[d] > x.Shape().Dimensions[1+d] {
			panic(fmt.Errorf("got a part of %v from %v on of images %s, want one within them", size, start, x.Shape()))
		}
		x = graph.SliceAxis(x, 1+d, graph.AxisRange(start[d], start[d]+size[d]))
	}
	return x
}

// surround is the operation pad_images: it returns images with zeros added at their borders, as the
// attributes say. A result that is too small for the images panics.
func surround(o operands) *graph.Node {
	o.channelsLastOnly()
	x := o.tensor(0)
	start, size := o.borders(x, "padding", -1)
	for d := range 2 {
		after := size[d] - start[d] - x.Shape().Dimensions[1+d]
		if after < 0 {
			panic(fmt.Errorf("got a size of %v with %v pixels before the images %s, want a larger one", size, start, x.Shape()))
		}
		x = padAxis(x, 1+d, start[d], after, "constant", 0)
	}
	return x
}

// resizedImages is the operation resize: images [..., height, width, channels] resized to attribute
// size, by the interpolation of the attributes. Integers stay integers, rounded. The attributes
// crop_to_aspect_ratio and pad_to_aspect_ratio keep the aspect ratio; one of them may be true. It
// panics for other values of the attributes.
func resizedImages(o operands) *graph.Node {
	o.channelsLastOnly()
	given, size := o.tensor(0), o.ints("size")
	if len(size) != 2 || size[0] < 1 || size[1] < 1 {
		panic(fmt.Errorf("got size %v, want a positive height and width", o.attrs["size"]))
	}
	if mode := o.attrs["fill_mode"]; mode != nil && mode != "constant" {
		panic(fmt.Errorf("got fill_mode %v, want constant", mode))
	}
	fit := pixels.Fit{}
	fit.Interpolation, _ = o.attrs["interpolation"].(string)
	if !slices.Contains(pixels.Interpolations, fit.Interpolation) {
		panic(fmt.Errorf("got interpolation %q, want one of %q", fit.Interpolation, pixels.Interpolations))
	}
	fit.Antialias = o.attrs["antialias"] == true
	fit.Crop, fit.Pad = o.attrs["crop_to_aspect_ratio"] == true, o.attrs["pad_to_aspect_ratio"] == true
	fit.FillValue = numberOf(o.attrs["fill_value"])
	if fit.Crop && fit.Pad {
		panic(fmt.Errorf("got crop_to_aspect_ratio and pad_to_aspect_ratio, want one of them"))
	}
	y := fit.Resize(given, [2]int(size))
	if dtype := given.DType(); !dtype.IsFloat() && y.DType() != dtype {
		return graph.ConvertDType(graph.Round(y), dtype)
	}
	return y
}

// scaleAndMove returns images of shape output_shape, operand 1: the dimensions of the attribute
// spatial_dims are resized by the factors of operand 2, and moved by the pixels of operand 3.
// Attribute method names the interpolation, and antialias smooths what becomes smaller. Pixels from
// outside the images are 0. Unknown methods and another number of dimensions panic.
func scaleAndMove(o operands) *graph.Node {
	x := fractions(o.tensor(0))
	out := integersOf("output_shape", o.arg(1))
	scale, move := graph.ConvertDType(o.vector(2), dtypes.Float32), graph.ConvertDType(o.vector(3), dtypes.Float32)
	axes := normalAxes(o.ints("spatial_dims"), x.Rank())
	method, _ := o.attrs["method"].(string)
	name, ok := map[string]string{"linear": "bilinear", "trilinear": "bilinear", "cubic": "bicubic", "tricubic": "bicubic",
		"bilinear": "bilinear", "bicubic": "bicubic", "lanczos3": "lanczos3", "lanczos5": "lanczos5"}[method]
	if !ok {
		panic(fmt.Errorf("got method %q, want linear, bilinear, trilinear, cubic, bicubic, tricubic, lanczos3 or lanczos5", method))
	}
	if len(out) != x.Rank() {
		panic(fmt.Errorf("got output_shape %v for %d dimensions", out, x.Rank()))
	}
	for i, axis := range axes {
		shape := shapes.Make(dtypes.Float32, x.Shape().Dimensions[axis], out[axis])
		scalar := func(v *graph.Node) *graph.Node {
			return graph.BroadcastToShape(graph.Reshape(graph.SliceAxis(v, 0, graph.AxisElem(i))), shape)
		}
		inverse, moved := graph.Reciprocal(scalar(scale)), scalar(move)
		from, to := graph.Iota(o.g, shape, 0), graph.Iota(o.g, shape, 1)
		at := graph.AddScalar(graph.Sub(graph.Mul(graph.AddScalar(to, .5), inverse), graph.Mul(moved, inverse)), -.5)
		distance := graph.Abs(graph.Sub(at, from))
		if o.attrs["antialias"] == true {
			distance = graph.Div(distance, graph.Max(inverse, nodes.Like(inverse, 1)))
		}
		weights := pixels.Kernels[name](distance)
		sum := graph.BroadcastToShape(graph.ReduceAndKeep(weights, graph.ReduceSum, 0), shape)
		nothing := graph.LessOrEqual(graph.Abs(sum), nodes.Like(sum, 1000*0x1p-23))
		weights = graph.Where(nothing, graph.ZerosLike(weights), graph.Div(weights, graph.Where(nothing, graph.OnesLike(sum), sum)))
		within := graph.LogicalAnd(graph.GreaterOrEqual(at, nodes.Like(at, -.5)), graph.LessOrEqual(at, nodes.Like(at, float64(shape.Dimensions[0])-.5)))
		weights = graph.Where(within, weights, graph.ZerosLike(weights))
		x = pixels.AlongAxis(x, graph.ConvertDType(weights, x.DType()), axis)
	}
	return x
}

// edgesOf is the operation sobel_edges: the Sobel gradients of images, vertical and then
// horizontal, in a new last dimension.
func edgesOf(o operands) *graph.Node {
	x := o.images()
	filter := func(rows, columns []float64) *graph.Node {
		vector := func(v []float64) *graph.Node { return graph.ConvertDType(graph.Const(o.g, v), x.DType()) }
		return pixels.Filter(x, vector(rows), vector(columns))
	}
	slope, smooth := []float64{-1, 0, 1}, []float64{1, 2, 1}
	return graph.Stack([]*graph.Node{filter(slope, smooth), filter(smooth, slope)}, 4)
}

// similarity returns the structural similarity index (SSIM) of two batches of images [batch,
// height, width, channels], one number for each pair. Attributes give the largest value (max_val),
// the size in pixels and the standard deviation of the Gaussian window (filter_size, filter_sigma),
// and the constants k1 and k2. Other ranks and different shapes panic.
func similarity(o operands) *graph.Node {
	o.channelsLastOnly()
	xs := o.promotedTensors()
	a, b := fractions(xs[0]), fractions(xs[1])
	if a.Rank() != 4 || !slices.Equal(a.Shape().Dimensions, b.Shape().Dimensions) {
		panic(fmt.Errorf("got %s and %s, want images (batch, height, width, channels) of one shape", a.Shape(), b.Shape()))
	}
	size, sigma := int(number(o.attrs["filter_size"])), number(o.attrs["filter_sigma"])
	top := number(o.attrs["max_val"])
	c1, c2 := math.Pow(number(o.attrs["k1"])*top, 2), math.Pow(number(o.attrs["k2"])*top, 2)
	weights, sum := make([]float64, size), 0.0
	for i := range weights {
		weights[i] = math.Exp(-math.Pow(float64(i)-float64(size-1)/2, 2) / (2 * sigma * sigma))
		sum += weights[i]
	}
	kernel := make([]float64, 0, size*size)
	for _, v := range weights {
		for _, w := range weights {
			kernel = append(kernel, v*w/(sum*sum))
		}
	}
	d := a.Shape().Dimensions
	k := graph.Reshape(graph.ConvertDType(graph.Const(o.g, kernel), a.DType()), size, size, 1, 1)
	w := nodes.Window{Size: []int{size, size}, Strides: []int{1, 1}, Dilation: []int{1, 1}, Pad: "valid"}
	smooth := func(x *graph.Node) *graph.Node {
		return w.Convolve(x, graph.BroadcastToDims(k, size, size, 1, d[3]), d[3])
	}
	meanA, meanB := smooth(a), smooth(b)
	aa, bb, ab := graph.Square(meanA), graph.Square(meanB), graph.Mul(meanA, meanB)
	varA, varB := graph.Sub(smooth(graph.Square(a)), aa), graph.Sub(smooth(graph.Square(b)), bb)
	both := graph.Sub(smooth(graph.Mul(a, b)), ab)
	over := graph.Mul(graph.AddScalar(graph.MulScalar(ab, 2), c1), graph.AddScalar(graph.MulScalar(both, 2), c2))
	under := graph.Mul(graph.AddScalar(graph.Add(aa, bb), c1), graph.AddScalar(graph.Add(varA, varB), c2))
	return graph.ReduceMean(graph.Div(over, under), 1, 2, 3)
}

// distort is the operation elastic_transform: it moves pixels by random distances, which are drawn
// from the attribute seed, smoothed by a Gaussian of the attribute sigma, and multiplied by the
// attribute alpha. As in Keras, a pixel moves by the same distance vertically and horizontally. It
// panics without a seed, and if sigma is not positive.
func distort(o operands) *graph.Node {
	x := o.images()
	alpha, sigma := number(o.attrs["alpha"]), number(o.attrs["sigma"])
	seed, ok := o.attrs["seed"].(int)
	if !ok || sigma <= 0 {
		panic(fmt.Errorf("got seed %v and sigma %v, want a whole number and a positive one", o.attrs["seed"], sigma))
	}
	size := pixels.Size(x)
	key := random.Trace(graph.Const(o.g, []uint32{uint32(seed), 0}))
	noise := graph.MulScalar(key.Normal(x.DType(), 0, 1, x.Shape().Dim(0), size[0], size[1]), sigma)
	window := int(6*sigma) | 1
	sigmas := graph.ConvertDType(graph.Const(o.g, []float64{sigma, sigma}), x.DType())
	moved := graph.Squeeze(pixels.Blur(graph.InsertAxes(noise, -1), [2]int{window, window}, sigmas), -1)
	moved = graph.ConvertDType(graph.MulScalar(moved, alpha), dtypes.Float32)
	row, column := pixels.Grid(x)
	wide := func(v *graph.Node) *graph.Node { return graph.BroadcastToShape(v, moved.Shape()) }
	return pixels.Sample(x, graph.Add(wide(row), moved), graph.Add(wide(column), moved), o.sampling(o.attrs["interpolation"], o.attrs["fill_mode"]))
}
