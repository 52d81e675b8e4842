package randprog

// This file makes the ops that combine elements: reductions, window reductions,
// select_and_scatter and scatter, by every kind of body and from any initial
// value.

import (
	"slices"

	"github.com/gomlx/compute/dtypes"

	"github.com/gospmd/gospmd/ir"
)

// body describes how the elements of one or more tensors are combined.
type body struct {
	block *ir.Block
	kinds []ir.OpKind // the op of each result; nil: the body is not a single op per result
}

// simpleKinds returns the ops that combine two numbers of type d in random bodies. One that is to
// be drawn more often is listed twice.
func simpleKinds(d dtypes.DType) []ir.OpKind {
	switch {
	case d.IsComplex():
		return []ir.OpKind{ir.OpAdd, ir.OpMultiply}
	case d == dtypes.Bool || d.IsInt():
		return []ir.OpKind{ir.OpAdd, ir.OpMultiply, ir.OpMaximum, ir.OpMinimum, ir.OpAnd, ir.OpOr, ir.OpXor}
	}
	return []ir.OpKind{ir.OpAdd, ir.OpAdd, ir.OpMaximum, ir.OpMinimum, ir.OpMultiply}
}

// bound returns the largest result of combining n integers up to x and an initial value up to init.
func (b body) bound(x, init float64, n int) float64 {
	if b.kinds == nil || slices.Contains(b.kinds, ir.OpAdd) {
		return x*float64(n) + init
	}
	if slices.Contains(b.kinds, ir.OpMultiply) {
		return inexact
	}
	return max(x, init)
}

// product reports whether the body multiplies elements of type d that are no integers or booleans.
// A product of many floats may overflow, and then the order decides whether it is NaN.
func (b body) product(d dtypes.DType) bool {
	return slices.Contains(b.kinds, ir.OpMultiply) && !d.IsInt() && d != dtypes.Bool
}

// bodyOf returns a body for elements of a type. Most bodies are one op. Others are two or more ops,
// and some return one of their arguments.
func (g *generator) bodyOf(d dtypes.DType) body {
	if g.rng.IntN(5) > 0 {
		kinds := simpleKinds(d)
		if g.loose != nil && d != dtypes.Bool {
			kinds = append(kinds, ir.OpSubtract) // no order of combining is right but one: it does not run
		}
		kind := pick(g, kinds)
		return body{ir.ReductionBody(kind, d), []ir.OpKind{kind}}
	}
	b, do := newBody(d, d)
	x, y := b.Args[0], b.Args[1]
	var out *ir.Value
	which := g.rng.IntN(6)
	if g.anyOrder && (which == 0 || which == 5) {
		return g.bodyOf(d)
	}
	switch which {
	case 0: // the sum of the magnitudes: right only in the given order
		if d.IsUnsigned() || d == dtypes.Bool || d.IsComplex() {
			out = do(ir.OpAdd, nil, y, do(ir.OpAdd, nil, x, y))
			break
		}
		out = do(ir.OpAdd, nil, x, do(ir.OpAbs, nil, y))
	case 1: // the first element that is not zero
		zero := do(ir.OpConstant, ir.Attrs{{Name: "value", Value: ir.Splat(ir.Tensor(d), 0)}})
		out = do(ir.OpSelect, nil, compared(do, "NE", x, zero), x, y)
	case 2:
		out = x
	case 3:
		out = y
	case 4: // one op, with its arguments swapped
		out = do(ir.OpAdd, nil, y, x)
		out.Block().Append(ir.NewOp(ir.OpReturn, []*ir.Value{out}, nil, nil))
		return body{b, []ir.OpKind{ir.OpAdd}}
	default:
		if d.IsComplex() {
			return g.bodyOf(d)
		}
		out = do(ir.OpSelect, nil, compared(do, pick(g, []string{"GE", "GT", "LT"}), x, y), x, y)
	}
	b.Append(ir.NewOp(ir.OpReturn, []*ir.Value{out}, nil, nil))
	return body{block: b}
}

// newBody returns a block whose arguments are scalars of these types, and a function that appends
// an op to the block and returns the op's result.
func newBody(args ...dtypes.DType) (*ir.Block, func(kind ir.OpKind, attrs ir.Attrs, operands ...*ir.Value) *ir.Value) {
	b := &ir.Block{}
	for _, d := range args {
		b.AddArg(ir.Tensor(d))
	}
	builder := ir.NewBuilder(b)
	return b, func(kind ir.OpKind, attrs ir.Attrs, operands ...*ir.Value) *ir.Value {
		op, err := builder.Op(kind, attrs, operands...)
		if err != nil {
			panic("BUG: " + err.Error())
		}
		return op.Result()
	}
}

// compared appends, by the function do, a comparison of x and y in the given direction, such as
// "LT", and returns its result.
func compared(do func(kind ir.OpKind, attrs ir.Attrs, operands ...*ir.Value) *ir.Value, direction string, x, y *ir.Value) *ir.Value {
	return do(ir.OpCompare, ir.Attrs{{Name: "comparison_direction", Value: ir.Enum(direction)}}, x, y)
}

// init returns the initial value of result i of a reduction, a scalar of type d: the neutral
// element of the op kinds[i], another literal, or an input of the program. kinds may be shorter.
func (g *generator) init(kinds []ir.OpKind, i int, d dtypes.DType) *ir.Value {
	switch g.rng.IntN(3) {
	case 0:
		if i < len(kinds) {
			if neutral, ok := ir.ReductionInit(kinds[i], d); ok {
				return g.constant(neutral)
			}
		}
	case 1:
		return g.constant(ir.Splat(ir.Tensor(d), float64(g.rng.IntN(5))))
	}
	return g.exactTensor(ir.Tensor(d))
}

func makeReduce(g *generator) *ir.Op {
	x := g.any(allTypes, 1, 4)
	d := x.Type.DType
	dims := ir.Ints(g.rng.Perm(x.Type.Rank())[:1+g.rng.IntN(x.Type.Rank())])
	slices.Sort(dims)
	n := 1
	for _, k := range dims {
		n *= x.Type.Dims[k]
	}
	attrs := ir.Attrs{{Name: "dimensions", Value: dims}}
	switch g.rng.IntN(6) {
	case 0:
		if slices.Contains(numbers, d) {
			return g.argReduce(ir.OpReduce, attrs, g.exactTensor(x.Type), dims[0])
		}
	case 1:
		return g.reducePair(attrs, x, n)
	}
	b := g.bodyOf(d)
	if b.kinds == nil && !g.exact(x) || b.product(d) && n > 4 {
		return nil
	}
	init := g.init(b.kinds, 0, d)
	return g.tryRegions(ir.OpReduce, attrs, b.bound(g.bound[x], g.bound[init], n), []*ir.Block{b.block}, x, init)
}

// reducePair builds one op that reduces x and another tensor of its dimensions, each by its own
// kind. It returns nil if one of them would be a product that it may not build.
func (g *generator) reducePair(attrs ir.Attrs, x *ir.Value, n int) *ir.Op {
	y := g.tensor(x.Type.WithDType(pick(g, allTypes)))
	d, e := x.Type.DType, y.Type.DType
	kinds := []ir.OpKind{pick(g, simpleKinds(d)), pick(g, simpleKinds(e))}
	if (body{kinds: kinds[:1]}).product(d) || (body{kinds: kinds[1:]}).product(e) {
		return nil
	}
	b, do := newBody(d, e, d, e)
	p, q := do(kinds[0], nil, b.Args[0], b.Args[2]), do(kinds[1], nil, b.Args[1], b.Args[3])
	b.Append(ir.NewOp(ir.OpReturn, []*ir.Value{p, q}, nil, nil))
	v, w := g.init(kinds, 0, d), g.init(kinds, 1, e)
	bound := body{kinds: kinds}.bound(g.largest(x, y), g.largest(v, w), n)
	return g.tryRegions(ir.OpReduce, attrs, bound, []*ir.Block{b}, x, y, v, w)
}

// argReduce makes an argmax or argmin as JAX writes it, the largest value and the least index that
// has it, from any initial value. Sometimes it takes the greatest index. The numbers are not NaN,
// because NaN is neither larger nor smaller, and the result would depend on the order.
func (g *generator) argReduce(kind ir.OpKind, attrs ir.Attrs, x *ir.Value, along int) *ir.Op {
	x = g.finite(x)
	d := x.Type.DType
	index := g.typed(ir.OpIota, ir.Attrs{{Name: "iota_dimension", Value: ir.Int(along)}}, 16, []ir.Type{x.Type.WithDType(dtypes.Int32)}).Result()
	better, tie, best := "GT", "LT", ir.OpMaximum
	if g.rng.IntN(2) == 0 {
		better, best = "LT", ir.OpMinimum
	}
	if g.rng.IntN(4) == 0 {
		tie = "GT"
	}
	b, do := newBody(d, dtypes.Int32, d, dtypes.Int32)
	v, i, w, j := b.Args[0], b.Args[1], b.Args[2], b.Args[3]
	first := do(ir.OpOr, nil, compared(do, better, v, w), do(ir.OpAnd, nil, compared(do, "EQ", v, w), compared(do, tie, i, j)))
	b.Append(ir.NewOp(ir.OpReturn, []*ir.Value{do(ir.OpSelect, nil, first, v, w), do(ir.OpSelect, nil, first, i, j)}, nil, nil))
	return g.tryRegions(kind, attrs, max(16, g.bound[x]), []*ir.Block{b}, x, index,
		g.finite(g.init([]ir.OpKind{best}, 0, d)), g.init([]ir.OpKind{ir.OpAdd}, 0, dtypes.Int32))
}

// windows returns random attributes of windows over dimensions of these sizes: the windows' sizes,
// strides, base and window dilations, and the padding before and after. With probability 1/2 a
// dimension has a window of size one. Dilations are 1 unless dilate is true.
func (g *generator) windows(dims []int, dilate bool) (size, stride, base, window ir.Ints, padding [][]int) {
	for _, n := range dims {
		w, s, b, k, pad := 1, 1, 1, 1, []int{0, 0}
		if n > 0 && g.rng.IntN(2) == 0 {
			w, s = 1+g.rng.IntN(3), 1+g.rng.IntN(2)
			pad = []int{g.rng.IntN(3), g.rng.IntN(3)}
			if dilate && g.rng.IntN(3) == 0 {
				b, k = 1+g.rng.IntN(2), 1+g.rng.IntN(2)
			}
		}
		size, stride, base, window, padding = append(size, w), append(stride, s), append(base, b), append(window, k), append(padding, pad)
	}
	return
}

func makeReduceWindow(g *generator) *ir.Op {
	x := g.any(allTypes, 1, 4)
	d := x.Type.DType
	size, stride, base, window, padding := g.windows(x.Type.Dims, true)
	n := 1
	for _, s := range size {
		n *= s
	}
	attrs := ir.Attrs{
		{Name: "window_dimensions", Value: size}, {Name: "window_strides", Value: stride},
		{Name: "base_dilations", Value: base}, {Name: "window_dilations", Value: window},
		{Name: "padding", Value: ir.IntMatrix(padding, 2)},
	}
	if g.rng.IntN(6) == 0 && slices.Contains(numbers, d) {
		return g.argReduce(ir.OpReduceWindow, attrs, g.exactTensor(x.Type), g.rng.IntN(x.Type.Rank()))
	}
	b := g.bodyOf(d)
	if b.kinds == nil && !g.exact(x) || b.product(d) && n > 4 {
		return nil
	}
	init := g.init(b.kinds, 0, d)
	return g.tryRegions(ir.OpReduceWindow, attrs, b.bound(g.bound[x], g.bound[init], n), []*ir.Block{b.block}, x, init)
}

// ranked returns a tensor of two or three dimensions and a random type of at least 32 bits, whose
// elements are distinct numbers.
func (g *generator) ranked() *ir.Value {
	wide := []dtypes.DType{dtypes.Float32, dtypes.Float64, dtypes.Int32, dtypes.Int64, dtypes.Uint32, dtypes.Uint64}
	x := g.finite(g.param(ir.Tensor(g.dtype(wide), g.dims(2, 3)...)))
	n := x.Type.Size()
	d, err := ir.DenseFromFlat(ir.Tensor(dtypes.Int64, x.Type.Dims...), g.rng.Perm(n))
	if err != nil {
		panic("BUG: " + err.Error())
	}
	rank := g.typed(ir.OpConvert, nil, float64(n), []ir.Type{x.Type}, g.constant(d)).Result()
	scaled := g.try(ir.OpMultiply, nil, float64(8*n), x, g.constant(ir.Splat(x.Type, float64(n)))).Result()
	return g.try(ir.OpAdd, nil, float64(9*n), scaled, rank).Result()
}

// makeSelectAndScatter makes a select_and_scatter with random windows. Its operand has distinct
// numbers if windows have several dimensions, because XLA selects any of several equal elements.
func makeSelectAndScatter(g *generator) *ir.Op {
	var x *ir.Value
	if g.rng.IntN(3) == 0 {
		x = g.exactAny(numbers, 1, 1)
	} else {
		x = g.ranked()
	}
	size, stride, _, _, padding := g.windows(x.Type.Dims, false)
	dims := make([]int, x.Type.Rank())
	for d, n := range x.Type.Dims {
		if n+padding[d][0]+padding[d][1] < size[d] {
			return nil
		}
		padding[d][0], padding[d][1] = min(padding[d][0], size[d]-1), min(padding[d][1], size[d]-1)
		dims[d] = (n+padding[d][0]+padding[d][1]-size[d])/stride[d] + 1
	}
	source := g.exactTensor(x.Type.WithDims(dims))
	dtype := x.Type.DType
	choose, do := newBody(dtype, dtype)
	better := compared(do, pick(g, []string{"GE", "GE", "GT", "LE"}), choose.Args[0], choose.Args[1])
	choose.Append(ir.NewOp(ir.OpReturn, []*ir.Value{better}, nil, nil))
	kind := pick(g, []ir.OpKind{ir.OpAdd, ir.OpAdd, ir.OpMaximum, ir.OpMinimum})
	init := g.init([]ir.OpKind{kind}, 0, dtype)
	return g.tryRegions(ir.OpSelectAndScatter, ir.Attrs{
		{Name: "window_dimensions", Value: size}, {Name: "window_strides", Value: stride}, {Name: "padding", Value: ir.IntMatrix(padding, 2)},
	}, 9*g.largest(x, source)+g.bound[init], []*ir.Block{choose, ir.ReductionBody(kind, dtype)}, x, source, init)
}

// makeScatter makes a scatter with random windows and a random body. A body of several ops gets
// exact numbers only, so that rounding does not depend on the order of updates. It returns nil if
// no operands fit.
func makeScatter(g *generator) *ir.Op {
	x := g.any(allTypes, 1, 3)
	d := x.Type.DType
	ix := g.indexing(x)
	if ix == nil || ir.Tensor(dtypes.Bool, ix.slices...).Size() > 4000 {
		return nil
	}
	t := x.Type.WithDims(ix.slices)
	updates := g.tensor(t)
	b := g.bodyOf(d)
	if b.kinds == nil && !(g.exact(x) && g.exact(updates)) || b.product(d) && t.Size() > 4 {
		return nil
	}
	return g.tryRegions(ir.OpScatter, ir.Attrs{
		{Name: "scatter_dimension_numbers", Value: &ir.ScatterDims{
			UpdateWindowDims: ix.window, InsertedWindowDims: ix.dropped, InputBatchingDims: ix.batch, ScatterIndicesBatchDims: ix.indexBatch,
			ScatterDimsToOperandDims: ix.mapped, IndexVectorDim: ix.vectorDim,
		}},
	}, b.bound(g.bound[updates], g.bound[x], t.Size()), []*ir.Block{b.block}, x, ix.indices, updates)
}
