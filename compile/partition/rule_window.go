package partition

// This file partitions window reductions and convolutions. If windows slide along a sharded
// dimension, devices get elements beyond the borders of their shards from neighbours. Convolutions
// are sharded over the batch, the features, groups of features, the windows, and the positions
// within a window, as for the gradient of a kernel.

import (
	"slices"

	"github.com/gospmd/gospmd/ir"
	"github.com/gospmd/gospmd/sharding/factor"
)

// sliding says how the windows of an op slide along one dimension.
type sliding struct {
	in, out      int // sizes of operand and result
	size         int // number of elements in a window
	stride       int
	base, window int // dilations: distance between elements of the operand, and of a window
	low, high    int // padding
}

// isTrivial reports whether each window is one element, without padding and dilation.
func (s sliding) isTrivial() bool {
	return s.size == 1 && s.stride == 1 && s.base == 1 && s.window == 1 && s.low == 0 && s.high == 0
}

// span returns the distance from the first to the last element of a window.
func (s sliding) span() int { return (s.size - 1) * s.window }

// part is the work of a device in one dimension: the elements that it reads, and their padding.
type part struct {
	fetch     window
	low, high int
}

// part returns the elements that each of n devices must read, if device i reads size positions of
// the dilated operand from start + i·step on. ok is false if the devices would not all read in the
// same way.
func (s sliding) part(n, start, step, size int) (out part, ok bool) {
	first := ceilDiv(start, s.base)
	out.low = first*s.base - start
	if step%s.base != 0 || size <= out.low {
		return part{}, false
	}
	count := (size-1-out.low)/s.base + 1
	out.high = size - 1 - (count-1)*s.base - out.low
	out.fetch = window{n: n, part: (s.in + n - 1) / n, base: first, step: step / s.base, size: count}
	return out, true
}

// windows returns the elements of the operand that each device needs if the windows are sharded
// over n devices. ok is false if the operand or the result is empty, or if the devices would not
// all read in the same way because of the operand's dilation.
func (s sliding) windows(n int) (part, bool) {
	local := (s.out + n - 1) / n
	if local == 0 || s.in == 0 {
		return part{}, false
	}
	return s.part(n, -s.low, local*s.stride, (local-1)*s.stride+s.span()+1)
}

// positions returns the elements of the operand that each of n devices needs if the positions
// within a window are sharded. ok is false if n does not divide their number, if the operand or the
// result is empty, or if the devices would not all read in the same way because of the operand's
// dilation. reversed says that the windows are reversed.
func (s sliding) positions(n int, reversed bool) (part, bool) {
	local := s.size / n
	if s.size%n != 0 || s.out == 0 || s.in == 0 || local == 0 {
		return part{}, false
	}
	size := (local-1)*s.window + (s.out-1)*s.stride + 1
	if reversed {
		return s.part(n, (s.size-local)*s.window-s.low, -local*s.window, size)
	}
	return s.part(n, -s.low, local*s.window, size)
}

// slidings returns, for each dimension, how the windows of the reduce_window op slide.
func slidings(op *ir.Op) []sliding {
	o := op.ReduceWindow()
	padding := o.Padding()
	out := make([]sliding, op.Operands[0].Type.Rank())
	for d := range out {
		out[d] = sliding{
			in: op.Operands[0].Type.Dims[d], out: op.Results[0].Type.Dims[d], size: o.WindowDimensions()[d],
			stride: o.WindowStrides()[d], base: o.BaseDilations()[d], window: o.WindowDilations()[d],
			low: padding[d][0], high: padding[d][1],
		}
	}
	return out
}

// windowed partitions a reduce_window. It puts neutral elements beyond the borders of the operand.
// A body without neutral elements is lifted.
var windowed = &factorRule{
	factors: func(op *ir.Op) *factor.Rule {
		list := slidings(op)
		r := resizeRule(op.Operands, op.Results, func(d int) bool { return !list[d].isTrivial() })
		for i := len(op.Operands) / 2; i < len(op.Operands); i++ {
			r.Operands[i] = factor.TensorMapping{}
		}
		return r
	},
	kinds: moving,
	may: func(op *ir.Op, r *factor.Rule, f, n int) bool {
		s := slidings(op)[f]
		_, ok := s.windows(n)
		return s.isTrivial() || ok
	},
	traffic: func(p *partitioner, c *strategy) (total traffic) {
		for d, s := range slidings(c.op) {
			if n := c.operands[0].DimShards(d); n > 1 && !s.isTrivial() {
				w, _ := s.windows(n)
				for i := range len(c.op.Operands) / 2 {
					total.add(p.traffic(w.fetch, c.operands[0].Dims[d].Axes, rowBytes(c.op.Operands[i].Type, c.operands[i], d)))
				}
			}
		}
		return total
	},
	build: func(p *partitioner, c *strategy, operands []*ir.Value) []*ir.Value {
		n := len(operands) / 2
		inputs, inits := slices.Clone(operands[:n]), operands[n:]
		fills := startsNeutral(c.op)
		var flags *ir.Value // mask of the elements that exist; nil: the others are neutral
		padding := slices.Clone(c.op.ReduceWindow().Padding())
		for d, s := range slidings(c.op) {
			axes := c.operands[0].Dims[d].Axes
			if len(axes) == 0 || s.isTrivial() {
				continue
			}
			w, _ := s.windows(p.mesh.RefsSize(axes))
			padding[d] = []int{w.low, w.high}
			if fills == nil && flags == nil {
				flags = p.flags(inputs[0].Type.Dims)
			}
			for i, v := range inputs {
				if fills == nil {
					inputs[i] = p.fetch(v, d, axes, w.fetch)
				} else {
					inputs[i] = p.fetchFilled(v, d, axes, w.fetch, s.in, p.Constant(fills[i]))
				}
			}
			if flags != nil {
				flags = p.fetchFilled(flags, d, axes, w.fetch, s.in, p.zero(flags.Type.DType))
			}
		}
		attrs := c.op.Attrs.With("padding", ir.IntMatrix(padding, 2))
		if flags == nil {
			return p.buildLocalWith(c, attrs, append(inputs, inits...))
		}
		results, _ := p.combineFlagged(c.op, attrs, inputs, flags, inits, true, p.localType(c.op.Results[0].Type, c.results[0]).Dims)
		return results
	},
}

// convFactors are the kinds of factors of a convolution that may be sharded.
var convFactors = []factor.Kind{factor.Reduction, factor.Permutation}

// convSlidings returns how the windows of a convolution slide along each spatial dimension.
func convSlidings(op *ir.Op) []sliding {
	o := op.Convolution()
	c, padding := o.DimensionNumbers(), o.Padding()
	out := make([]sliding, len(c.InputSpatial))
	for i := range out {
		out[i] = sliding{
			in: op.Operands[0].Type.Dims[c.InputSpatial[i]], out: op.Result().Type.Dims[c.OutputSpatial[i]],
			size:   op.Operands[1].Type.Dims[c.KernelSpatial[i]],
			stride: o.WindowStrides()[i], base: o.LHSDilation()[i], window: o.RHSDilation()[i],
			low: padding[i][0], high: padding[i][1],
		}
	}
	return out
}

// reversals returns, for each spatial dimension, whether the windows of op, a convolution, are
// reversed: false where op does not say so.
func reversals(op *ir.Op) []bool {
	if b, ok := op.Attrs.Get("window_reversal").(ir.Bools); ok {
		return b
	}
	return make([]bool, len(op.Convolution().DimensionNumbers().InputSpatial))
}

// shardsPositions reports whether the positions within a window are sharded instead of the windows.
// There are two such cases. First, the elements that all windows have at one position do not
// overlap those at the next position, as in the gradient of a kernel of patches. Second, windows
// overlap, and a window has more positions than there are windows, as in the gradients of other
// kernels.
func (s sliding) shardsPositions() bool {
	if s.size <= 1 {
		return false
	}
	return s.window > (s.out-1)*s.stride || s.size > s.out && s.stride <= s.span()
}

// convRule returns the sharding rule of a convolution. Along a spatial dimension a factor is either
// the windows, which the input has, or the positions within a window.
func convRule(op *ir.Op) *factor.Rule {
	c := op.Convolution().DimensionNumbers()
	in, kernel, out := op.Operands[0].Type.Dims, op.Operands[1].Type.Dims, op.Result().Type.Dims
	r := &factor.Rule{
		Operands: []factor.TensorMapping{make(factor.TensorMapping, len(in)), make(factor.TensorMapping, len(kernel))},
		Results:  []factor.TensorMapping{make(factor.TensorMapping, len(out))},
	}
	// add appends a factor to a dimension of each tensor, as the most minor part; -1 stands for
	// none.
	add := func(size int, kind factor.Kind, i, k, o int) {
		f := len(r.Factors)
		r.Factors = append(r.Factors, factor.Factor{Size: size, Kind: kind})
		for _, t := range []struct {
			m factor.TensorMapping
			d int
		}{{r.Operands[0], i}, {r.Operands[1], k}, {r.Results[0], o}} {
			if t.d >= 0 {
				t.m[t.d] = append(t.m[t.d], f)
			}
		}
	}
	groups, batches := op.Convolution().FeatureGroupCount(), op.Convolution().BatchGroupCount()
	if groups > 1 {
		add(groups, factor.PassThrough, c.InputFeature, c.KernelOutputFeature, c.OutputFeature)
	}
	if batches > 1 {
		add(batches, factor.PassThrough, c.InputBatch, c.KernelOutputFeature, c.OutputFeature)
	}
	add(out[c.OutputBatch], factor.PassThrough, c.InputBatch, -1, c.OutputBatch)
	add(out[c.OutputFeature]/(groups*batches), factor.PassThrough, -1, c.KernelOutputFeature, c.OutputFeature)
	add(kernel[c.KernelInputFeature], factor.Reduction, c.InputFeature, c.KernelInputFeature, -1)
	for i, s := range convSlidings(op) {
		d, k, o := c.InputSpatial[i], c.KernelSpatial[i], c.OutputSpatial[i]
		if s.shardsPositions() {
			add(kernel[k], factor.Reduction, d, k, -1)
			add(out[o], factor.NeedReplication, -1, -1, o)
			continue
		}
		add(out[o], factor.Permutation, d, -1, o)
		add(kernel[k], factor.NeedReplication, -1, k, -1)
	}
	return r
}

// spatialDim returns the spatial dimension of factor f, and whether f is the positions within a
// window. i is -1 for other factors.
func spatialDim(op *ir.Op, r *factor.Rule, f int) (i int, positions bool) {
	c := op.Convolution().DimensionNumbers()
	for i, d := range c.InputSpatial {
		if slices.Contains(r.Operands[0][d], f) {
			return i, r.Factors[f].Kind == factor.Reduction
		}
	}
	return -1, false
}

// convPart returns which input elements each device needs in spatial dimension i of a convolution,
// for strategy c: what positions returns if c shards the kernel there, and otherwise what windows
// returns. ok is false where theirs is, and if c does not shard the dimension.
func convPart(p *partitioner, c *strategy, i int) (out part, ok bool) {
	d := c.op.Convolution().DimensionNumbers().InputSpatial[i]
	axes := c.operands[0].Dims[d].Axes
	if len(axes) == 0 {
		return part{}, false
	}
	n, s := p.mesh.RefsSize(axes), convSlidings(c.op)[i]
	if len(c.operands[1].Dims[c.op.Convolution().DimensionNumbers().KernelSpatial[i]].Axes) > 0 {
		return s.positions(n, reversals(c.op)[i])
	}
	return s.windows(n)
}

var convolution = &factorRule{
	factors: convRule,
	kinds:   convFactors,
	reduce:  func(*ir.Op) ir.OpKind { return ir.OpAdd },
	may: func(op *ir.Op, r *factor.Rule, f, n int) bool {
		i, positions := spatialDim(op, r, f)
		if i < 0 {
			return true
		}
		s := convSlidings(op)[i]
		ok := false
		if positions {
			_, ok = s.positions(n, reversals(op)[i])
		} else {
			_, ok = s.windows(n)
		}
		return ok
	},
	traffic: func(p *partitioner, c *strategy) (total traffic) {
		for i, d := range c.op.Convolution().DimensionNumbers().InputSpatial {
			if w, ok := convPart(p, c, i); ok {
				total.add(p.traffic(w.fetch, c.operands[0].Dims[d].Axes, rowBytes(c.op.Operands[0].Type, c.operands[0], d)))
			}
		}
		return total
	},
	build: func(p *partitioner, c *strategy, operands []*ir.Value) []*ir.Value {
		dims := c.op.Convolution().DimensionNumbers()
		v, kernel := operands[0], operands[1]
		zero := func() *ir.Value { return p.zero(v.Type.DType) }
		if len(c.operands[1].Dims[dims.KernelInputFeature].Axes) > 0 {
			v = p.mask(v, c.operands[0], c.op.Operands[0].Type.Dims, []int{dims.InputFeature}, zero)
			kernel = p.mask(kernel, c.operands[1], c.op.Operands[1].Type.Dims, []int{dims.KernelInputFeature}, zero)
		}
		padding := slices.Clone(c.op.Convolution().Padding())
		for i, d := range dims.InputSpatial {
			if w, ok := convPart(p, c, i); ok {
				v = p.fetchFilled(v, d, c.operands[0].Dims[d].Axes, w.fetch, c.op.Operands[0].Type.Dims[d], zero())
				padding[i] = []int{w.low, w.high}
			}
		}
		attrs := c.op.Attrs.With("padding", ir.IntMatrix(padding, 2))
		for _, name := range []string{"feature_group_count", "batch_group_count"} {
			if n := c.op.Int(name); n > 1 { // groups of either kind are factor 0
				attrs = attrs.With(name, ir.Int(n/c.axes[0].Size()))
			}
		}
		return p.buildLocalWith(c, attrs, []*ir.Value{v, kernel})
	},
}
