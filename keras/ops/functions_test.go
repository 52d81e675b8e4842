package ops_test

import (
	"github.com/gospmd/gospmd/keras/layers"
	o "github.com/gospmd/gospmd/keras/ops"
)

type tensor = *layers.Tensor

// functions returns the cases of benchmarks/peers/ops_reference.py by name: results of functions of
// this package. x and y have rows of 4 float32 numbers, u is the sigmoid of x, and n has rows of 3
// int32 numbers.
func functions(x, y, u, n tensor) map[string]tensor {
	float := func(t tensor) tensor { return t.Mul(1.0) }
	colors := o.Reshape(o.Concatenate([]tensor{u, u.Mul(.5), u}, 1), -1, 2, 2, 3)
	values, indices := o.TopK(x, 2)
	return map[string]tensor{
		"arccos": o.Arccos(u), "arccosh": o.Arccosh(u.Add(1.5)), "arcsin": o.Arcsin(u), "arcsinh": o.Arcsinh(x), "arctan": o.Arctan(x),
		"arctan2": o.Arctan2(x, y), "arctanh": o.Arctanh(u), "ceil": o.Ceil(x), "cosh": o.Cosh(x), "exp2": o.Exp2(x), "expm1": o.Expm1(x),
		"floor": o.Floor(x), "floor_divide": o.FloorDivide(x, y.Add(0.0137)), "floor_divide_integers": o.FloorDivide(n.Sub(2), 3),
		"isfinite": o.Isfinite(x.Div(float(n.GetItem(o.Full(), o.To(1))))), "isinf": o.Isinf(x.Div(float(n.GetItem(o.Full(), o.To(1))))), "isnan": o.Isnan(o.Log(x)),
		"log10": o.Log10(u), "log2": o.Log2(u), "logaddexp": o.Logaddexp(x, y), "logical_xor": o.LogicalXor(o.Greater(x, 0), o.Greater(y, 0)),
		"mod": o.Mod(x, y.Add(0.0137)), "mod_integers": o.Mod(n.Sub(2), 3), "ones_like": o.OnesLike(x).Add(x), "reciprocal": o.Reciprocal(u),
		"round": o.Round(x), "round_decimals": o.Round(x, 1), "sign": o.Sign(x), "sinh": o.Sinh(x), "tan": o.Tan(x), "trunc": o.Trunc(x.Mul(2)),
		"zeros_like": o.ZerosLike(x).Add(y), "full_like": o.FullLike(x, 1.5).Add(y), "erf": o.Erf(x), "erfinv": o.Erfinv(u), "stop_gradient": o.StopGradient(x).Mul(y),

		"celu": o.Celu(x, .7), "elu": o.Elu(x, .7), "gelu": o.Gelu(x, true), "gelu_exact": o.Gelu(x, false), "glu": o.Glu(x, -1),
		"hard_shrink": o.HardShrink(x, .4), "hard_sigmoid": o.HardSigmoid(x), "hard_silu": o.HardSilu(x), "hard_tanh": o.HardTanh(x),
		"leaky_relu": o.LeakyRelu(x, .3), "log_sigmoid": o.LogSigmoid(x), "log_softmax": o.LogSoftmax(x), "relu6": o.Relu6(x.Mul(5)), "selu": o.Selu(x),
		"soft_shrink": o.SoftShrink(x, .4), "softsign": o.Softsign(x), "sparse_plus": o.SparsePlus(x), "squareplus": o.Squareplus(x, 3),
		"tanh_shrink": o.TanhShrink(x), "threshold": o.Threshold(x, .2, -1),

		"argmax": o.Argmax(x, o.Axis(1)), "argmin": o.Argmin(x, o.Axis(-1), o.KeepDims()), "argsort": o.Argsort(x), "average": o.Average(x, u, o.Axis(1)),
		"count_nonzero": o.CountNonzero(n, o.Axis(1)), "cumprod": o.Cumprod(u, o.Axis(1)), "cumsum": o.Cumsum(x, o.Axis(1)), "diff": o.Diff(x, 1, o.Axis(1)),
		"logsumexp": o.Logsumexp(x, o.Axis(1), o.KeepDims()), "norm": o.Norm(x, nil, o.Axis(1)), "norm_1": o.Norm(x, 1, o.Axis(1), o.KeepDims()),
		"normalize": o.Normalize(x, 2), "prod": o.Prod(x, o.Axis(1)), "sort": o.Sort(x, o.Axis(1)), "std": o.Std(x, o.Axis(1), o.KeepDims()),
		"top_k_values": values, "top_k_indices": indices, "var": o.Var(x, o.Axis(1)),

		"dot": o.Dot(x, o.Transpose(y)), "einsum": o.Einsum("bi,bj->bij", x, y), "outer": o.Outer(x.GetItem(0), y.GetItem(1)),
		"tensordot": o.Tensordot(x, y, []int{0}, []int{0}),

		"broadcast_to": o.BroadcastTo(x.GetItem(0), 3, 4), "flip": o.Flip(x, o.Axis(1)), "hstack": o.Hstack(x, y),
		"moveaxis": o.Moveaxis(o.Reshape(x, -1, 2, 2, 1), 1, -1), "pad_reflect": o.Pad(x, "reflect", [2]int{}, [2]int{1, 2}), "ravel": o.Ravel(x),
		"repeat": o.Repeat(x, 2, o.Axis(1)), "roll": o.Roll(x, 1, o.Axis(1)), "split": o.Split(x, 1, 2)[1], "split_at": o.Split(x, 1, 1, 3)[1],
		"swapaxes": o.Swapaxes(o.Reshape(x, -1, 2, 2), 1, 2), "tile": o.Tile(x, 1, 2), "tril": o.Tril(o.Reshape(x, -1, 2, 2), 0),
		"triu": o.Triu(o.Reshape(x, -1, 2, 2), 1), "unstack": o.Unstack(x, 1)[2], "vstack": o.Vstack(x, y),

		"multi_hot": o.MultiHot(n, 5), "one_hot": o.OneHot(n, 5), "take": o.Take(x, []int{2, 0}, o.Axis(1)), "take_tensor": o.Take(x, n.GetItem(0), o.Axis(0)),
		"take_along_axis": o.TakeAlongAxis(x, o.Minimum(n, 3), o.Axis(1)),

		"gaussian_blur": o.GaussianBlur(o.Reshape(x, -1, 2, 2, 1), []int{3, 1}, []float64{.5, 1.5}), "hsv_to_rgb": o.HSVToRGB(colors),
		"rgb_to_grayscale": o.RGBToGrayscale(o.Reshape(o.Concatenate([]tensor{x, y, u}, 1), -1, 2, 2, 3)), "rgb_to_hsv": o.RGBToHSV(colors),
	}
}

// moreFunctions returns the results, by name, of the cases of MORE in
// benchmarks/peers/ops_reference.py, for the inputs x, y, u and n of that script.
func moreFunctions(x, y, u, n tensor) map[string]tensor {
	images := o.Reshape(x, -1, 2, 2, 1)
	byFirst := x.Div(n.GetItem(o.Full(), o.To(1)).Mul(1.0))
	fftRe, fftIm := o.FFT(x, y)
	re, _ := o.RFFT(x)
	_, im := o.RFFT(x, 6)
	_, odd := o.RFFT(x, 3)
	stftRe, _ := o.STFT(x, 3, 1, 4, "hann", true)
	_, stftIm := o.STFT(o.Concatenate([]tensor{x, y}, 1), 3, 2, 3, "hamming", false)
	return map[string]tensor{
		"affine_transform":        o.AffineTransform(images, o.Concatenate([]tensor{u, u.Mul(.5).Sub(.2)}, 1), "bilinear", "constant", .5),
		"affine_transform_mirror": o.AffineTransform(images, o.Concatenate([]tensor{y, y}, 1), "nearest", "mirror", 0),
		"map_coordinates":         o.MapCoordinates(x, o.Stack([]tensor{u.Mul(2.5).Sub(.4), u.Mul(4.1).Sub(.3)}, 0), 1, "constant", .5),
		"map_coordinates_reflect": o.MapCoordinates(x, o.Stack([]tensor{y, u.Mul(5.3)}, 0), 1, "reflect", 0),
		"map_coordinates_nearest": o.MapCoordinates(x, o.Stack([]tensor{y, u.Mul(5.3)}, 0), 0, "wrap", 0),

		"fft_real": fftRe, "fft_imaginary": fftIm, "rfft_real": re, "rfft_imaginary": im, "rfft_odd": odd, "stft_real": stftRe, "stft_imaginary": stftIm,

		"cbrt": o.Cbrt(x), "deg2rad": o.Deg2rad(x), "rad2deg": o.Rad2deg(x), "erfc": o.Erfc(x), "heaviside": o.Heaviside(x, y).Add(x), "hypot": o.Hypot(x, y),
		"isneginf": o.Isneginf(byFirst), "isposinf": o.Isposinf(byFirst), "logaddexp2": o.Logaddexp2(x, y), "sinc": o.Sinc(x),
		"amax": o.Amax(x, o.Axis(1)), "amin": o.Amin(x, o.Axis(1), o.KeepDims()), "ptp": o.Ptp(x, o.Axis(1)), "nansum": o.Nansum(x, o.Axis(1)), "nanmean": o.Nanmean(x, o.Axis(1), o.KeepDims()),
		"diagonal": o.Diagonal(o.Reshape(x, -1, 2, 2), 1, 1, 2), "trace": o.Trace(x, -1, 0, 1), "inner": o.Inner(x, y), "vdot": o.Vdot(x, y),
		"segment_sum": o.SegmentSum(x, n.GetItem(o.Full(), 0), 4),
	}
}
