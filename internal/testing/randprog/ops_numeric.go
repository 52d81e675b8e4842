package randprog

// This file makes contractions, sorting, random numbers and linear algebra.

import (
	"math"
	"slices"

	"github.com/gomlx/compute/dtypes"

	"github.com/gospmd/gospmd/ir"
)

// products are the element types of contractions, and inexacts those of linear algebra.
var (
	products = slices.Concat(floats, complexes, []dtypes.DType{dtypes.Int32, dtypes.Int8, dtypes.Uint32})
	inexacts = []dtypes.DType{dtypes.Float32, dtypes.Float32, dtypes.Float64, dtypes.Complex64, dtypes.Complex128}
)

func makeDotGeneral(g *generator) *ir.Op {
	x := g.factor(g.any(products, 1, 4))
	order := g.rng.Perm(x.Type.Rank())
	nb := g.rng.IntN(min(2, len(order)) + 1)
	nc := g.rng.IntN(min(2, len(order)-nb) + 1)
	d := &ir.DotDims{LHSBatch: order[:nb:nb], LHSContracting: order[nb : nb+nc : nb+nc]}
	free := g.dims(0, 2)
	rank := nb + nc + len(free)
	places := g.rng.Perm(rank)
	dims := make([]int, rank)
	n := 1
	for i, l := range d.LHSBatch {
		d.RHSBatch = append(d.RHSBatch, places[i])
		dims[places[i]] = x.Type.Dims[l]
	}
	for i, l := range d.LHSContracting {
		d.RHSContracting = append(d.RHSContracting, places[nb+i])
		dims[places[nb+i]] = x.Type.Dims[l]
		n *= x.Type.Dims[l]
	}
	for i, size := range free {
		dims[places[nb+nc+i]] = size
	}
	t := x.Type.WithDims(dims)
	if t.Size()/max(1, n)*x.Type.Size() > 1<<16 || t.Size() > 4000 {
		return nil
	}
	y := g.factor(g.tensor(t))
	op := g.try(ir.OpDotGeneral, ir.Attrs{{Name: "dot_dimension_numbers", Value: d}}, 2*g.largest(x)*g.largest(y)*float64(n), x, y)
	return op
}

func makeDot(g *generator) *ir.Op {
	x := g.factor(g.any(products, 1, 2))
	n := x.Type.Dims[x.Type.Rank()-1]
	dims := []int{n}
	if g.rng.IntN(2) == 0 {
		dims = append(dims, g.size())
	}
	y := g.factor(g.tensor(x.Type.WithDims(dims)))
	return g.try(ir.OpDot, nil, 2*g.largest(x)*g.largest(y)*float64(n), x, y)
}

// groups are pairs of numbers of feature groups and batch groups. A random convolution has one of
// the pairs.
var groups = [][2]int{{1, 1}, {1, 1}, {1, 1}, {2, 1}, {4, 1}, {1, 2}}

func makeConvolution(g *generator) *ir.Op {
	spatial := 1 + g.rng.IntN(2)
	rank := spatial + 2
	count := pick(g, groups)
	in, kernel, out := g.rng.Perm(rank), g.rng.Perm(rank), g.rng.Perm(rank)
	c := &ir.ConvDims{
		InputBatch: in[0], InputFeature: in[1], InputSpatial: in[2:],
		KernelInputFeature: kernel[0], KernelOutputFeature: kernel[1], KernelSpatial: kernel[2:],
		OutputBatch: out[0], OutputFeature: out[1], OutputSpatial: out[2:],
	}
	// Finite, because engines differ in whether a window multiplies its padding.
	x := g.finite(g.any(products, rank, rank))
	dims := x.Type.Dims
	if dims[c.InputBatch]%count[1] != 0 || dims[c.InputFeature]%count[0] != 0 {
		return nil
	}
	kdims := make([]int, rank)
	kdims[c.KernelInputFeature] = dims[c.InputFeature] / count[0]
	kdims[c.KernelOutputFeature] = count[0] * count[1] * (1 + g.rng.IntN(4))
	var stride, base, window ir.Ints
	var padding [][]int
	n := kdims[c.KernelInputFeature]
	for i, d := range c.InputSpatial {
		k := 1 + g.rng.IntN(3)
		if g.rng.IntN(4) == 0 {
			k = max(1, dims[d]-g.rng.IntN(2)) // as in the gradient with respect to the kernel
		}
		kdims[c.KernelSpatial[i]] = k
		n *= k
		stride, base, window = append(stride, 1+g.rng.IntN(2)), append(base, 1+g.rng.IntN(2)*g.rng.IntN(2)), append(window, 1+g.rng.IntN(2)*g.rng.IntN(2))
		padding = append(padding, []int{g.rng.IntN(4) - 1, g.rng.IntN(4) - 1})
	}
	reversal := make(ir.Bools, spatial)
	for i := range reversal {
		reversal[i] = g.rng.IntN(4) == 0
	}
	y := g.finite(g.tensor(x.Type.WithDims(kdims)))
	if y.Type.Size() > 4000 {
		return nil
	}
	op := g.try(ir.OpConvolution, ir.Attrs{
		{Name: "window_strides", Value: stride}, {Name: "padding", Value: ir.IntMatrix(padding, 2)},
		{Name: "lhs_dilation", Value: base}, {Name: "rhs_dilation", Value: window}, {Name: "window_reversal", Value: reversal},
		{Name: "dimension_numbers", Value: c}, {Name: "feature_group_count", Value: ir.Int(count[0])}, {Name: "batch_group_count", Value: ir.Int(count[1])},
	}, g.largest(x)*g.largest(y)*float64(n), x, y)
	return op
}

func makeSort(g *generator) *ir.Op {
	x := g.exactAny(append([]dtypes.DType{dtypes.Bool}, numbers...), 1, 3)
	d := g.rng.IntN(x.Type.Rank())
	operands := []*ir.Value{x}
	if g.rng.IntN(2) == 0 {
		operands = append(operands, g.typed(ir.OpIota, ir.Attrs{{Name: "iota_dimension", Value: ir.Int(d)}}, 16, []ir.Type{x.Type.WithDType(dtypes.Int32)}).Result())
	}
	less := &ir.Block{}
	for _, v := range operands {
		less.AddArg(ir.Tensor(v.Type.DType))
		less.AddArg(ir.Tensor(v.Type.DType))
	}
	b := ir.NewBuilder(less)
	op, err := b.Op(ir.OpCompare, ir.Attrs{{Name: "comparison_direction", Value: ir.Enum(pick(g, []string{"LT", "GT"}))}}, less.Args[0], less.Args[1])
	if err != nil {
		return nil
	}
	b.OpWithTypes(ir.OpReturn, nil, nil, op.Result())
	return g.tryRegions(ir.OpSort, ir.Attrs{{Name: "dimension", Value: ir.Int(d)}, {Name: "is_stable", Value: ir.Bool(true)}},
		max(16, g.bound[x]), []*ir.Block{less}, operands...)
}

func makeTopK(g *generator) *ir.Op {
	x := g.exactAny(append([]dtypes.DType{dtypes.Bool}, numbers...), 1, 3)
	n := x.Type.Dims[x.Type.Rank()-1]
	if slices.Contains(floats, x.Type.DType) && g.bound[x] > 8 {
		x = g.withoutNaN(x)
	}
	return g.try(ir.OpTopK, ir.Attrs{{Name: "k", Value: ir.Int(1 + g.rng.IntN(max(1, n)))}}, max(16, g.bound[x]), x)
}

// withoutNaN returns x plus 1 with 2 in the place of NaN. top_k sorts by the signs of zeros and NaN,
// which depend on the order of sums.
func (g *generator) withoutNaN(x *ir.Value) *ir.Value {
	number := func(n float64) *ir.Value { return g.constant(ir.Splat(x.Type, n)) }
	isNumber := g.try(ir.OpCompare, ir.Attrs{{Name: "comparison_direction", Value: ir.Enum("EQ")}}, 1, x, x).Result()
	y := g.try(ir.OpAdd, nil, g.largest(x)+1, x, number(1)).Result()
	return g.try(ir.OpSelect, nil, g.largest(y), isNumber, y, number(2)).Result()
}

// makeRngBitGenerator makes an rng_bit_generator with a random algorithm and state. Sometimes the
// state is a literal whose counter overflows.
func makeRngBitGenerator(g *generator) *ir.Op {
	out := ir.Tensor(pick(g, []dtypes.DType{
		dtypes.Uint32, dtypes.Uint32, dtypes.Uint64, dtypes.Uint8, dtypes.Uint16, dtypes.Int32, dtypes.Int64,
	}), g.dims(0, 3)...)
	algorithm := pick(g, []string{"DEFAULT", "THREE_FRY", "PHILOX"})
	words := 2
	if algorithm != "THREE_FRY" {
		words += g.rng.IntN(2)
	}
	state := g.exactTensor(ir.Tensor(dtypes.Uint64, words))
	if g.rng.IntN(3) == 0 {
		d, err := ir.DenseFromFlat(state.Type, []uint64{g.rng.Uint64(), math.MaxUint64 - g.rng.Uint64N(8), g.rng.Uint64()}[:words])
		if err != nil {
			panic("BUG: " + err.Error())
		}
		state = g.constant(d)
	}
	return g.typed(ir.OpRngBitGenerator, ir.Attrs{{Name: "rng_algorithm", Value: ir.Enum(algorithm)}}, inexact, []ir.Type{state.Type, out}, state)
}

// factor returns x as an operand of a matrix product. If it is complex, it is made finite, because
// XLA multiplies complex infinities differently if a matrix has a single column.
func (g *generator) factor(x *ir.Value) *ir.Value {
	if !x.Type.DType.IsComplex() {
		return x
	}
	return g.finite(x)
}

// finite returns x with 1 in place of infinities and NaN: x itself for integers and booleans, and
// in programs that are only propagated.
func (g *generator) finite(x *ir.Value) *ir.Value {
	size := x
	if d := x.Type.DType; d.IsInt() || d == dtypes.Bool || g.loose != nil {
		return x
	}
	if x.Type.DType.IsComplex() {
		size = g.try(ir.OpAbs, nil, inexact, x).Result()
	}
	ok := g.try(ir.OpIsFinite, nil, 1, size).Result()
	return g.typed(ir.OpSelect, nil, g.bound[x], []ir.Type{x.Type}, ok, x, g.constant(ir.Splat(x.Type, 1))).Result()
}

// spd returns a batch of symmetric positive definite matrices: 60 times the unit matrix plus small
// numbers; nil if it would be too large. In programs for propagation it is any batch of square
// matrices. Matrices and right-hand sides are finite, because XLA chooses the order of a solver's
// steps by the size of the batch, and that order determines which elements become NaN.
func (g *generator) spd() *ir.Value {
	n := g.rng.IntN(5)
	if g.loose != nil {
		n = g.size()
	}
	t := ir.Tensor(g.dtype(inexacts), append(g.dims(0, 2), n, n)...)
	if t.Size() > 1500 {
		return nil
	}
	if g.loose != nil {
		return g.tensor(t)
	}
	x := g.finite(g.exactTensor(t))
	rank := t.Rank()
	perm := make(ir.Ints, rank)
	for i := range perm {
		perm[i] = i
	}
	perm[rank-1], perm[rank-2] = perm[rank-2], perm[rank-1]
	other := g.try(ir.OpTranspose, ir.Attrs{{Name: "permutation", Value: perm}}, 8, x).Result()
	if t.DType.IsComplex() {
		re, im := g.try(ir.OpReal, nil, 8, other).Result(), g.try(ir.OpImag, nil, 8, other).Result()
		// Shardy does not know chlo.conj
		other = g.try(ir.OpComplex, nil, 8, re, g.try(ir.OpNegate, nil, 8, im).Result()).Result()
	}
	both := g.try(ir.OpAdd, nil, 16, x, other).Result()
	row := g.typed(ir.OpIota, ir.Attrs{{Name: "iota_dimension", Value: ir.Int(rank - 2)}}, 16, []ir.Type{t.WithDType(dtypes.Int32)}).Result()
	col := g.typed(ir.OpIota, ir.Attrs{{Name: "iota_dimension", Value: ir.Int(rank - 1)}}, 16, []ir.Type{t.WithDType(dtypes.Int32)}).Result()
	diagonal := g.try(ir.OpCompare, ir.Attrs{{Name: "comparison_direction", Value: ir.Enum("EQ")}}, 1, row, col).Result()
	large := g.constant(ir.Splat(t, 60))
	return g.try(ir.OpSelect, nil, 60, diagonal, large, both).Result()
}

func makeCholesky(g *generator) *ir.Op {
	x := g.spd()
	if x == nil {
		return nil
	}
	return g.try(ir.OpCholesky, ir.Attrs{{Name: "lower", Value: ir.Bool(g.rng.IntN(2) == 0)}}, inexact, x)
}

func makeTriangularSolve(g *generator) *ir.Op {
	a := g.spd()
	if a == nil {
		return nil
	}
	rank := a.Type.Rank()
	left := g.rng.IntN(2) == 0
	dims := slices.Clone(a.Type.Dims)
	if left {
		dims[rank-1] = g.size()
	} else {
		dims[rank-2] = g.size()
	}
	b := g.finite(g.tensor(a.Type.WithDims(dims)))
	return g.try(ir.OpTriangularSolve, ir.Attrs{
		{Name: "left_side", Value: ir.Bool(left)}, {Name: "lower", Value: ir.Bool(g.rng.IntN(2) == 0)}, {Name: "unit_diagonal", Value: ir.Bool(false)},
		{Name: "transpose_a", Value: ir.Enum(pick(g, []string{"NO_TRANSPOSE", "TRANSPOSE", "ADJOINT"}))},
	}, inexact, a, b)
}

func makeFFT(g *generator) *ir.Op {
	kind := pick(g, []string{"FFT", "IFFT", "RFFT", "IRFFT"})
	types := complexes
	if kind == "RFFT" {
		types = []dtypes.DType{dtypes.Float32, dtypes.Float64}
	}
	x := g.any(types, 1, 4)
	n := 1 + g.rng.IntN(min(3, x.Type.Rank()))
	length := ir.Ints(slices.Clone(x.Type.Dims[x.Type.Rank()-n:]))
	if kind == "IRFFT" { // transforms of both 2n-2 and 2n-1 elements have n elements
		length[n-1] = max(0, 2*length[n-1]-1-g.rng.IntN(2))
	}
	return g.try(ir.OpFFT, ir.Attrs{{Name: "fft_type", Value: ir.Enum(kind)}, {Name: "fft_length", Value: length}}, inexact, x)
}

// batchNorm returns random operands of a batch normalization: the tensor x, the attributes (epsilon
// and the feature dimension), and the type of a vector with one element for each feature.
func (g *generator) batchNorm() (x *ir.Value, attrs ir.Attrs, feature ir.Type) {
	x = g.finite(g.exactAny([]dtypes.DType{dtypes.Float32, dtypes.Float32, dtypes.Float64}, 2, 4))
	d := g.rng.IntN(x.Type.Rank())
	return x, ir.Attrs{{Name: "epsilon", Value: ir.Float(0.5)}, {Name: "feature_index", Value: ir.Int(d)}}, x.Type.WithDims([]int{x.Type.Dims[d]})
}

// statistic returns a random tensor of type t, such as a mean, for a normalization. It has no
// infinities and NaN, because a difference that is 0 except for rounding must not be multiplied
// with infinity.
func (g *generator) statistic(t ir.Type) *ir.Value { return g.finite(g.tensor(t)) }

// variance returns a tensor of non-negative numbers.
func (g *generator) variance(t ir.Type) *ir.Value {
	return g.try(ir.OpAbs, nil, 8, g.finite(g.exactTensor(t))).Result()
}

func makeBatchNormInference(g *generator) *ir.Op {
	x, attrs, f := g.batchNorm()
	return g.try(ir.OpBatchNormInference, attrs, inexact, x, g.statistic(f), g.statistic(f), g.statistic(f), g.variance(f))
}

func makeBatchNormTraining(g *generator) *ir.Op {
	x, attrs, f := g.batchNorm()
	return g.try(ir.OpBatchNormTraining, attrs, inexact, x, g.statistic(f), g.statistic(f))
}

func makeBatchNormGrad(g *generator) *ir.Op {
	x, attrs, f := g.batchNorm()
	return g.try(ir.OpBatchNormGrad, attrs, inexact, x, g.statistic(f), g.statistic(f), g.variance(f), g.statistic(x.Type))
}
