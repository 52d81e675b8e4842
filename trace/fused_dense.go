package trace

// This file records FusedDense, its activations, FusedGelu, and FusedAttentionQKVProjection.

import (
	"math"
	"slices"

	"github.com/gomlx/compute"

	"github.com/gospmd/gospmd/ir"
)

// activations has, for each activation of package compute, the function that emits it.
var activations = map[compute.ActivationType]func(e *emitter, x *ir.Value) *ir.Value{
	compute.ActivationNone: func(_ *emitter, x *ir.Value) *ir.Value { return x },
	compute.ActivationGelu: (*emitter).gelu,
	compute.ActivationRelu: func(e *emitter, x *ir.Value) *ir.Value {
		return e.binary(ir.OpMaximum, x, e.zero(x.Type.DType))
	},
	compute.ActivationSilu: func(e *emitter, x *ir.Value) *ir.Value {
		return e.binary(ir.OpMultiply, x, e.op(ir.OpLogistic, nil, x))
	},
	compute.ActivationHardSwish: func(e *emitter, x *ir.Value) *ir.Value {
		d := x.Type.DType
		gate := e.binary(ir.OpAdd, e.scaled(x, 1.0/6), e.scalar(d, 0.5))
		return e.binary(ir.OpMultiply, x, e.op(ir.OpClamp, nil, e.zero(d), gate, e.one(d)))
	},
	compute.ActivationTanh: func(e *emitter, x *ir.Value) *ir.Value { return e.op(ir.OpTanh, nil, x) },
}

// scaled emits x times the number by, and returns the product; nil if e has failed.
func (e *emitter) scaled(x *ir.Value, by float64) *ir.Value {
	if e.err != nil {
		return nil
	}
	return e.binary(ir.OpMultiply, x, e.scalar(x.Type.DType, by))
}

// gelu emits the exact GELU of x: x times the normal distribution's cumulative probability of x. It
// returns it.
func (e *emitter) gelu(x *ir.Value) *ir.Value {
	d := x.Type.DType
	probability := e.scaled(e.binary(ir.OpAdd, e.op(ir.OpErf, nil, e.scaled(x, 1/math.Sqrt2)), e.one(d)), 0.5)
	return e.binary(ir.OpMultiply, x, probability)
}

// approximateGelu emits GELU's approximation with tanh of x, and returns it.
func (e *emitter) approximateGelu(x *ir.Value) *ir.Value {
	d := x.Type.DType
	cube := e.binary(ir.OpMultiply, x, e.binary(ir.OpMultiply, x, x))
	inner := e.scaled(e.binary(ir.OpAdd, x, e.scaled(cube, 0.044715)), math.Sqrt(2/math.Pi))
	probability := e.scaled(e.binary(ir.OpAdd, e.one(d), e.op(ir.OpTanh, nil, inner)), 0.5)
	return e.binary(ir.OpMultiply, x, probability)
}

// FusedGelu implements compute.FusedOps: it records GELU of x, exactly if exact is true, and
// otherwise approximated by tanh. An x without real floats is an error.
func (s fused) FusedGelu(x compute.Value, exact bool) (compute.Value, error) {
	e := s.f.begin("FusedGelu")
	v := e.value(x)
	e.demand(realFloat, v)
	switch {
	case e.err != nil:
		return nil, e.err
	case exact:
		return e.result(e.gelu(v))
	}
	return e.result(e.approximateGelu(v))
}

// FusedDense implements compute.FusedOps: it records x times weight, plus bias unless that is nil,
// and the activation of the options. Operands that do not fit together, and an unknown weight
// layout or activation, are errors. If the parts have just been recorded, it returns
// compute.ErrNotImplemented (refuseRepeated).
func (s fused) FusedDense(x, weight, bias compute.Value, options compute.DenseConfig) (compute.Value, error) {
	e := s.f.begin("FusedDense")
	v, w, b := e.value(x), e.value(weight), e.optional(bias)
	e.refuseRepeated(ir.OpDotGeneral, v, w)
	if e.err != nil {
		return nil, e.err
	}
	if v.Type.Rank() < 1 || w.Type.Rank() < 2 {
		e.failf("x is %s and weight is %s, want at least ranks 1 and 2", v.Type, w.Type)
		return nil, e.err
	}
	input := 0
	switch options.WeightLayout {
	case compute.DenseLayoutInputOutputs:
	case compute.DenseLayoutOutputsInput:
		input = w.Type.Rank() - 1
	default:
		e.failf("got weight layout %d, want %s or %s", options.WeightLayout, compute.DenseLayoutInputOutputs, compute.DenseLayoutOutputsInput)
	}
	return e.result(e.dense(v, w, input, b, options.Activation))
}

// dense emits an activation of the product of x's last axis with the axis input of w, plus the
// bias, which is nil or has the output axes of w, and returns it. It fails for an unknown
// activation, and for operands that do not fit.
func (e *emitter) dense(x, w *ir.Value, input int, bias *ir.Value, activation compute.ActivationType) *ir.Value {
	activate := activations[activation]
	if activate == nil {
		e.failf("got activation %d, which package compute does not name", activation)
	}
	e.requireSameDType(x, w)
	if e.err != nil {
		return nil
	}
	y := e.dot(x, []int{x.Type.Rank() - 1}, nil, w, []int{input}, nil)
	if e.err == nil && bias != nil {
		e.requireRank("bias", bias, w.Type.Rank()-1)
		y = e.binary(ir.OpAdd, y, e.expandLeft(bias, y.Type.Rank()))
	}
	if e.err != nil {
		return nil
	}
	return activate(e, y)
}

// FusedAttentionQKVProjection implements compute.FusedOps: it records x times wQKV, cut into query,
// key and value of queryDim, keyValueDim and keyValueDim columns, each plus its bias unless that is
// nil. x may have any number of batch axes. wQKV must be a matrix of queryDim + 2 keyValueDim
// columns, a bias a vector, and x and wQKV must have one element type; all else is an error.
func (s fused) FusedAttentionQKVProjection(x, wQKV, biasQ, biasK, biasV compute.Value, queryDim, keyValueDim int) (
	query, key, value compute.Value, err error) {
	e := s.f.begin("FusedAttentionQKVProjection")
	v, w := e.value(x), e.value(wQKV)
	biases := []*ir.Value{e.optional(biasQ), e.optional(biasK), e.optional(biasV)}
	e.requireRank("wQKV", w, 2)
	e.requireSameDType(v, w)
	if e.err != nil {
		return nil, nil, nil, e.err
	}
	if n := queryDim + 2*keyValueDim; v.Type.Rank() < 1 || w.Type.Dims[1] != n {
		e.failf("x is %s and wQKV is %s, want at least rank 1 and %d columns: queryDim + 2*keyValueDim", v.Type, w.Type, n)
		return nil, nil, nil, e.err
	}
	last := v.Type.Rank() - 1
	batch, features := v.Type.Dims[:last:last], v.Type.Dims[last]
	rows := v
	if last > 1 {
		rows = e.reshape(v, v.Type.Size()/max(1, features), features)
	}
	all := e.dot(rows, []int{rows.Type.Rank() - 1}, nil, w, []int{0}, nil)
	if e.err != nil {
		return nil, nil, nil, e.err
	}
	// part by part, in the order in which GoMLX records them
	out := make([]*ir.Value, 3)
	sizes, start := []int{queryDim, keyValueDim, keyValueDim}, 0
	for i, n := range sizes {
		starts, limits := make([]int, all.Type.Rank()), slices.Clone(all.Type.Dims)
		starts[len(starts)-1], limits[len(limits)-1] = start, start+n
		out[i], start = e.slice(all, starts, limits, orFill[int](nil, len(starts), 1)), start+n
	}
	for i, n := range sizes {
		out[i] = e.reshape(out[i], append(batch, n)...)
	}
	for i, bias := range biases {
		if bias != nil && e.err == nil {
			e.requireRank("a bias", bias, 1)
			out[i] = e.binary(ir.OpAdd, out[i], e.expandLeft(bias, last+1))
		}
	}
	if e.err != nil {
		return nil, nil, nil, e.err
	}
	return out[0], out[1], out[2], nil
}
