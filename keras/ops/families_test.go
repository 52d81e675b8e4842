package ops_test

// This file holds the other families of cases of benchmarks/peers/ops_reference.py in Go.

import (
	"github.com/gospmd/gospmd/keras/layers"
	o "github.com/gospmd/gospmd/keras/ops"
)

// two returns both results of a function, a and b, as an array.
func two(a, b tensor) [2]tensor { return [2]tensor{a, b} }

func matrices(u tensor) tensor { return o.Reshape(u, -1, 2, 2).Add(o.Identity(2).Mul(2)) }

func symmetric(x tensor) tensor {
	a := o.Reshape(o.Concatenate([]tensor{x, x.Mul(x), o.OnesLike(x).GetItem(o.Full(), o.To(1))}, 1), -1, 3, 3)
	return a.Add(o.Transpose(a, 0, 2, 1)).Mul(.2).Add(o.Diag(o.Array([]float32{1, 3, 6}), 0))
}

func numpyFunctions(x, y, u, n tensor) map[string]tensor {
	row := func(t tensor, i int, items ...any) tensor { return t.GetItem(append([]any{i}, items...)...) }
	first := func(t tensor, k int) tensor { return t.GetItem(o.To(k), o.Full()) }
	counts, edges := o.Histogram(x.GetItem(o.Full(), 0), 4)
	mean, variance := o.Moments(x, []int{0})
	grid := o.Meshgrid("xy", row(x, 0), row(y, 0, o.To(2)))
	gaps, axis := x.Add(o.StopGradient(o.Log(x.Add(1)).Mul(0))), o.Axis(1)
	return map[string]tensor{
		"append": o.Append(x, y, axis), "argpartition": o.Sort(o.Argpartition(x, 1, axis).GetItem(o.Full(), o.To(1)), axis), "array_copy": o.Copy(x),
		"array_split": o.ArraySplit(x, 3, 1)[0], "bincount": o.Bincount(n, nil, 5), "bitwise_and": o.BitwiseAnd(n, 6), "bitwise_not": o.BitwiseNot(n),
		"bitwise_or": o.BitwiseOr(n, 2), "bitwise_xor": o.BitwiseXor(n, 3), "bitwise_left_shift": o.BitwiseLeftShift(n, 2), "bitwise_right_shift": o.BitwiseRightShift(n.Sub(3), 1),
		"gcd": o.Gcd(n.Mul(6).Sub(3), 15), "lcm": o.Lcm(n, 6), "ldexp": o.Ldexp(x, n.GetItem(o.Full(), o.To(1))), "nextafter": o.Nextafter(o.StopGradient(x), o.StopGradient(y)),
		"signbit": o.Signbit(x), "view": o.View(x, "int32"), "corrcoef": o.Corrcoef(x),
		"correlate": o.Correlate(row(x, 0), row(y, 0, o.To(3)), "full"), "correlate_same": o.Correlate(row(x, 0, o.To(2)), row(y, 0), "same"),
		"correlate_valid": o.Correlate(row(x, 0), row(y, 0, o.To(2)), "valid"),
		"cross":           o.Cross(x.GetItem(o.Full(), o.To(3)), y.GetItem(o.Full(), o.From(1))), "cross_plane": o.Cross(x.GetItem(o.Full(), o.To(2)), y.GetItem(o.Full(), o.From(2))),
		"diag": o.Diag(row(x, 0), 1), "diag_of": o.Diag(x, -1), "diagflat": o.Diagflat(first(x, 2), -1), "digitize": o.Digitize(x, []float64{-.5, .1, .9}),
		"divide_no_nan": o.DivideNoNan(x, n.GetItem(o.Full(), o.To(1)).Mul(1.0)), "dsplit": o.Dsplit(o.Reshape(x, -1, 1, 4), 2)[1], "dstack": o.Dstack(x, y),
		"empty_like": o.ZerosLike(x).Mul(o.Shape(o.EmptyLike(y))[1]), "fabs": o.Fabs(x), "fliplr": o.Fliplr(x), "flipud": o.Flipud(x),
		"fmax": o.Fmax(gaps, y), "fmin": o.Fmin(gaps, y), "fmod": o.Fmod(x, y.Add(.0137)), "hsplit": o.Hsplit(x, 2)[1], "vsplit": o.Vsplit(x, 2)[1], "i0": o.I0(x.Mul(6)),
		"isin": o.IsIn(n, []float64{1, 4}), "isclose": o.Isclose(x, x.Add(o.Cast(o.Greater(x, 0), "float32").Mul(1e-5)), o.Tolerance(1e-6, 1e-7)),
		"kron": o.Kron(first(x, 2), y.GetItem(o.To(1), o.To(3))), "linspace": o.Linspace(x, y, 3, o.Axis(-1)), "logspace": o.Logspace(x, y, 3, o.Endpoint(false), o.Base(2)),
		"geomspace": o.Geomspace(u, u.Mul(3), 4), "meshgrid": grid[0].Add(grid[1]), "rot90": o.Rot90(o.Reshape(x, -1, 2, 2), 3, 1, 2), "saturate_cast": o.SaturateCast(x.Mul(200), "uint8"),
		"select": o.Select([]tensor{o.Greater(x, .5), o.Greater(x, 0)}, []any{x, y}, .25), "trapezoid": o.Trapezoid(x, .5, axis), "unravel_index": o.UnravelIndex(n, 3, 4)[1],
		"vander": o.Vander(row(x, 0), 3, false), "matmul_vectors": o.Matmul(x, row(y, 0)),

		"median": o.Median(x, axis), "median_all": o.Median(x), "quantile": o.Quantile(x, []float64{.2, .7}, axis, o.KeepDims()), "quantile_nearest": o.Quantile(x, .3, axis, o.Method("nearest")),
		"percentile": o.Percentile(x, 35.0, o.Axis(0), o.Method("midpoint")), "nanmedian": o.Nanmedian(gaps, axis), "nanquantile": o.Nanquantile(gaps, .6, axis),
		"nanpercentile": o.Nanpercentile(gaps, 25.0, axis, o.Method("lower")), "nanmax": o.Nanmax(gaps, axis), "nanmin": o.Nanmin(gaps, axis, o.KeepDims()), "nanprod": o.Nanprod(gaps, axis),
		"nanstd": o.Nanstd(gaps, axis), "nanvar": o.Nanvar(gaps, axis, o.KeepDims()), "nanargmax": o.Nanargmax(gaps, axis), "nanargmin": o.Nanargmin(gaps, axis),
		"nancumsum": o.Nancumsum(gaps, axis), "nancumprod": o.Nancumprod(gaps, axis), "moments": mean.Add(variance),
		"searchsorted": o.SearchSorted(o.Array([]float32{-1, -.2, .3, 1}), x, "right"), "histogram": counts, "histogram_edges": edges,

		"angle": o.Angle(x), "imag": o.Imag(o.Conjugate(o.ViewAsComplex(o.Stack([]tensor{x, y}, -1)))), "real": o.Real(o.Polar(u, y)), "view_as_real": o.ViewAsReal(o.Polar(u, y)),
	}
}

func nnFunctions(x, y, u, n tensor) map[string]tensor {
	first := func(t tensor, k int) tensor { return t.GetItem(o.To(k), o.Full()) }
	kernel := func(t tensor, shape ...int) tensor {
		size := 1
		for _, d := range shape {
			size *= d
		}
		return o.Reshape(first(t, max(1, size/4)), shape...)
	}
	all := o.Concatenate([]tensor{x, y, u}, 1)
	images, sequences := o.Reshape(all, -1, 4, 3, 1), o.Reshape(all, -1, 4, 3)
	others := o.Reshape(o.Concatenate([]tensor{u, x, y}, 1), -1, 4, 3, 1)
	row := func(t tensor, i int) tensor { return t.GetItem(i) }
	column := func(t tensor, i int) tensor { return t.GetItem(o.Full(), i) }
	at := o.Array([][]int32{{0}, {2}, {0}})
	three := o.Minimum(column(n, 0), 3)
	spectrum := func(t tensor) tensor {
		return o.Reshape(o.Concatenate([]tensor{t, u}, 1).GetItem(o.Full(), o.To(6)), -1, 2, 3)
	}
	labels, _ := o.CTCDecode(sequences, o.Minimum(column(n, 0), 1).Add(3), true, 0)
	return map[string]tensor{
		"conv": o.Conv(images, kernel(y, 2, 2, 1, 2), o.Strides(2), o.Padding("same")), "conv_transpose": o.ConvTranspose(images, kernel(y, 2, 2, 2, 1), o.Strides(2)),
		"depthwise_conv": o.DepthwiseConv(images, kernel(y, 2, 2, 1, 2)), "separable_conv": o.SeparableConv(images, kernel(y, 2, 2, 1, 2), kernel(x, 1, 1, 2, 2)),
		"max_pool": o.MaxPool(images, []int{2}, o.Strides(1)), "average_pool": o.AveragePool(images, []int{2, 1}, o.Padding("same")),
		"adaptive_average_pool": o.AdaptiveAveragePool(images, 3, 2), "adaptive_max_pool": o.AdaptiveMaxPool(images, 3, 2),
		"batch_normalization": o.BatchNormalization(x, row(y, 0), row(u, 0), -1, row(y, 1), row(u, 1)), "layer_normalization": o.LayerNormalization(x, row(y, 0), row(y, 1), o.Epsilon(1e-3)),
		"rms_normalization": o.RMSNormalization(x, row(y, 0)), "binary_crossentropy": o.BinaryCrossentropy(o.Sigmoid(y), u), "binary_crossentropy_logits": o.BinaryCrossentropy(u, y, o.FromLogits()),
		"categorical_crossentropy": o.CategoricalCrossentropy(o.Softmax(y), u), "sparse_categorical_crossentropy": o.SparseCategoricalCrossentropy(three, x, o.FromLogits()),
		"ctc_loss":                   o.CTCLoss(o.Minimum(n.GetItem(o.Full(), o.To(2)), 1).Add(1), sequences, o.Minimum(column(n, 2), 1).Add(1), o.Minimum(column(n, 0), 1).Add(3), 0),
		"ctc_decode":                 labels,
		"dot_product_attention":      o.DotProductAttention(o.Reshape(x, -1, 2, 1, 2), o.Reshape(y, -1, 2, 1, 2), o.Reshape(u, -1, 2, 1, 2), o.Causal()),
		"dot_product_attention_mask": o.DotProductAttention(o.Reshape(x, -1, 2, 2, 1), o.Reshape(y, -1, 2, 2, 1), o.Reshape(u, -1, 2, 2, 1), o.Mask(o.Reshape(o.Greater(n.GetItem(o.Full(), o.To(2)), 1), -1, 1, 1, 2)), o.Scale(.7)),
		"depth_to_space":             o.DepthToSpace(o.Reshape(x, -1, 1, 1, 4), 2), "space_to_depth": o.SpaceToDepth(o.Reshape(x, -1, 2, 2, 1), 2),
		"unfold":       o.Unfold(o.Reshape(x, -1, 1, 2, 2), o.Blocks{Size: [2]int{2, 1}, Padding: [2]int{1, 1}, Stride: [2]int{1, 2}}),
		"fold":         o.Fold(o.Reshape(x, -1, 4, 1), [2]int{2, 2}, o.Blocks{Size: [2]int{2, 2}, Stride: [2]int{2, 2}}),
		"fold_dilated": o.Fold(o.Reshape(o.Concatenate([]tensor{x, y}, 1), -1, 4, 2), [2]int{4, 3}, o.Blocks{Size: [2]int{2, 2}, Dilation: [2]int{2, 2}}),
		"psnr":         o.PSNR(x, y, 2), "sparse_sigmoid": o.SparseSigmoid(x),

		"cdist": o.CDist(x, y), "extract_sequences": o.ExtractSequences(x, 2, 1), "fft2": two(o.FFT2(o.Reshape(x, -1, 2, 2), o.Reshape(y, -1, 2, 2)))[1],
		"ifft2": two(o.IFFT2(x, y))[0], "irfft": o.IRFFT(x, y, 5), "istft": o.ISTFT(spectrum(x), spectrum(y), 4, 2, 4, "hann", false),
		"in_top_k": o.InTopK(three, x, 2), "segment_max": o.Maximum(o.SegmentMax(x, column(n, 0), 4), -9.0), "segment_min": o.Minimum(o.SegmentMin(x, column(n, 0), 4), 9.0),
		"segment_prod": o.SegmentProd(o.StopGradient(x), column(n, 0), 4),

		"scatter": o.Scatter(o.Minimum(n.GetItem(o.Full(), o.To(2)), 3), column(x, 0), 5, 4), "scatter_update": o.ScatterUpdate(x, o.Array([][]int32{{0, 1}, {2, 3}}), y.GetItem(0, o.To(2)), ""),
		"scatter_update_add": o.ScatterUpdate(x, at, first(y, 3), "add"), "scatter_update_max": o.ScatterUpdate(x, at, first(y, 3), "max"),
		"slice": o.Slice(x, []int{1, 2}, 3, 2), "slice_update": o.SliceUpdate(x, []int{1, 2}, y.GetItem(o.To(2), o.To(2))),

		"crop_images":     o.CropImages(images, o.Borders{Top: 1, Bottom: 1, Left: 1, Width: 2, Right: layers.None, Height: layers.None}),
		"pad_images":      o.PadImages(images, o.Borders{Top: 1, Bottom: 0, Left: 1, Width: 5, Right: layers.None, Height: layers.None}),
		"extract_patches": o.ExtractPatches(images, []int{2, 2}, o.Strides(1), o.Padding("same")), "extract_patches_3d": o.ExtractPatches3D(o.Reshape(o.Concatenate([]tensor{x, y}, 1), -1, 2, 2, 2, 1), []int{2, 1, 2}),
		"resize": o.Resize(images, 3, 5, "bilinear"), "resize_crop": o.Resize(images, 3, 3, "bicubic", o.Antialias(true), o.CropToAspectRatio()),
		"scale_and_translate": o.ScaleAndTranslate(images, []int{6, 5, 4, 1}, o.Array([]float32{1.2, .8}), o.Array([]float32{.3, -.4}), []int{1, 2}, "linear"),
		"sobel_edges":         o.SobelEdges(images), "ssim": o.SSIM(images, others, 1, o.FilterSize(3)),
	}
}

func linalgFunctions(x, y, u, n tensor) map[string]tensor {
	square := func(t tensor) tensor { return o.Reshape(t, -1, 2, 2) }
	turned := o.Flip(symmetric(x), o.Axis(1))
	lu := two(o.LuFactor(turned))
	qr := two(o.Qr(x, "reduced"))
	complete, _ := o.Qr(x, "complete")
	eigen := two(o.Eigh(symmetric(x)))
	su, _, sv := o.SVD(x, false)
	_, _, wide := o.SVD(x.GetItem(o.To(2), o.Full()), false)
	narrow := x.GetItem(o.Full(), o.To(2))
	return map[string]tensor{
		"numbers":  o.Cast(n, "float32"),
		"cholesky": o.Cholesky(symmetric(x), false), "cholesky_upper": o.Cholesky(symmetric(x), true), "cholesky_inverse": o.CholeskyInverse(matrices(u).GetItem(0), false),
		"det": o.Det(matrices(u)), "inv": o.Inv(matrices(x.Mul(.3))), "logdet": o.Logdet(matrices(u)), "slogdet_sign": two(o.Slogdet(matrices(x.Mul(3)).Sub(2)))[0],
		"solve": o.Solve(matrices(x.Mul(.3)), square(y)), "solve_pivots": o.Solve(turned, o.Reshape(o.Concatenate([]tensor{y, x}, 1).GetItem(o.Full(), o.To(6)), -1, 3, 2)),
		"solve_triangular": o.SolveTriangular(matrices(u), square(y), true), "solve_triangular_upper": o.SolveTriangular(matrices(u), square(y), false),
		"lu_factor": lu[0], "lu_factor_pivots": lu[1], "qr_q": qr[0], "qr_r": qr[1], "qr_complete": o.StopGradient(complete.GetItem(o.Full(), o.To(4))),
		"eigh_values": eigen[0], "eigh_vectors": o.Square(eigen[1]), "svd_values": o.SingularValues(x),
		"svd_vectors": o.Square(su).Add(o.Sum(o.Square(sv).Mul(y.GetItem(o.To(4), o.Full()))).Mul(.5)), "svd_wide": o.Square(wide),
		"pinv": o.Pinv(x), "lstsq": o.Lstsq(x, y.GetItem(o.Full(), 0)), "matrix_rank": o.MatrixRank(o.Concatenate([]tensor{narrow, narrow}, 1)),
		"norm_nuclear": o.Norm(x, "nuc", o.Axis(0, 1)), "norm_spectral": o.Norm(x, 2, o.Axis(0, 1)), "norm_matrix_1": o.Norm(x, 1, o.Axis(0, 1)),
	}
}

func coreFunctions(x, y, u, n tensor) map[string]tensor {
	step := func(c, v tensor) (tensor, tensor) { return c.Mul(.5).Add(o.Tanh(v)), c.Mul(v) }
	carry, _ := o.Scan(step, y.GetItem(0), x)
	_, results := o.Scan(step, y.GetItem(0), x, o.Reverse())
	size := func(v tensor) tensor { return o.Sum(o.Absolute(v)) }
	times := o.CustomGradient(func(xs ...tensor) (tensor, func(tensor) []tensor) {
		return xs[0].Mul(xs[1]), func(v tensor) []tensor { return []tensor{v.Mul(2), v.Mul(xs[1])} }
	})
	_, tangent := o.JVP(func(xs ...tensor) tensor { return o.Sin(xs[0]).Mul(xs[0]) }, []tensor{x}, []tensor{y})
	all := o.Concatenate([]tensor{x, y, u}, 1)
	return map[string]tensor{
		"norm_matrix_inf": o.Norm(x, "inf", o.Axis(0, 1)), "scan_carry": carry, "scan_results": results,
		"map": o.Map(func(v ...tensor) tensor { return o.Sum(v[0].Mul(v[0])) }, x), "vectorized_map": o.VectorizedMap(func(v ...tensor) tensor { return o.Cumsum(v[0]) }, x),
		"fori_loop":                o.ForiLoop(1, 4, func(i, v tensor) tensor { return o.Sin(v).Add(o.Cast(i, "float32")) }, x),
		"while_loop":               o.StopGradient(o.WhileLoop(func(v ...tensor) tensor { return o.Less(size(v[0]), 50) }, func(v ...tensor) []tensor { return []tensor{v[0].Mul(1.5)} }, []tensor{o.StopGradient(x)})[0]),
		"while_loop_limit":         o.StopGradient(o.WhileLoop(func(v ...tensor) tensor { return o.Greater(size(v[0]), 0) }, func(v ...tensor) []tensor { return []tensor{v[0].Mul(1.5)} }, []tensor{o.StopGradient(x)}, o.MaximumIterations(3))[0]),
		"cond":                     o.Cond(o.Greater(x.GetItem(0, 0), 0), func() tensor { return x.Mul(y) }, func() tensor { return x.Sub(y) }),
		"switch":                   o.Switch(n.GetItem(0, 0), []func(...tensor) tensor{func(v ...tensor) tensor { return v[0] }, func(v ...tensor) tensor { return v[0].Mul(v[1]) }, func(v ...tensor) tensor { return v[1] }}, x, y),
		"associative_scan":         o.AssociativeScan(func(a, b tensor) tensor { return a.Mul(b).Add(a).Add(b) }, u, o.Axis(1)),
		"associative_scan_reverse": o.AssociativeScan(func(a, b tensor) tensor { return a.Mul(b) }, u, o.Axis(1), o.Reverse()),
		"custom_gradient":          times(x, y), "jvp": o.Sum(tangent, o.Axis(1)),
		"scatter_update_mul": o.ScatterUpdate(o.StopGradient(x), o.Array([][]int32{{0}, {2}, {0}}), o.StopGradient(y.GetItem(o.To(3), o.Full())), "mul"),
		"trapezoid_uneven":   o.Trapezoid(x, 2, o.Axis(0)), "arange": x.Add(o.Arange(4)), "arange_step": x.Mul(o.Arange(.5, 2.5, .5)), "eye": x.MatMul(o.Eye(4, 3, -1)), "tri": x.MatMul(o.Tri(4, 5, 1)),
		"full": x.Add(o.Filled([]int{4}, 1.5)), "identity": x.Add(o.Identity(4).GetItem(1)), "linspace_numbers": x.Mul(o.Linspace(0, 3, 4)), "logspace_numbers": x.Mul(o.Logspace(0, 1, 4)),
		"geomspace_numbers": x.Mul(o.Geomspace(1, 8, 4)), "hamming": x.Mul(o.Hamming(4)), "hanning": x.Mul(o.Hanning(4)), "blackman": x.Mul(o.Blackman(4)), "bartlett": x.Mul(o.Bartlett(4)),
		"kaiser": x.Mul(o.Kaiser(4, 3)), "rearrange": o.Rearrange(x, "b (h w) -> b w h", map[string]int{"h": 2}), "elastic_transform": o.ElasticTransform(o.Reshape(all, -1, 4, 3, 1), 3, .7, 7),
	}
}
