package trace

// This file records FusedSoftmax and FusedLayerNorm.

import (
	"slices"

	"github.com/gomlx/compute"

	"github.com/gospmd/gospmd/ir"
)

// FusedSoftmax implements compute.FusedOps: it records the softmax of x, real floats, along axis,
// which counts from the front. An axis out of range is an error.
func (s fused) FusedSoftmax(x compute.Value, axis int) (compute.Value, error) {
	e := s.f.begin("FusedSoftmax")
	v := e.value(x)
	e.demand(realFloat, v)
	if e.err == nil && (axis < 0 || axis >= v.Type.Rank()) {
		e.failf("axis %d is out of range for %s: it counts from the front", axis, v.Type)
	}
	return e.result(e.softmax(v, nil, axis))
}

// softmax emits the softmax of x along axis, counted from the front, and returns it; nil after an
// error. mask has the shape of x, or is nil: where it is false, x counts as lowest, and the result
// is 0, even if all of a row is masked.
func (e *emitter) softmax(x, mask *ir.Value, axis int) *ir.Value {
	if e.err != nil {
		return nil
	}
	d := x.Type.DType
	if mask == nil {
		shifted := e.binary(ir.OpSubtract, x, e.reduceAndKeep(reduceMax, x, axis))
		exp := e.op(ir.OpExp, nil, shifted)
		return e.binary(ir.OpDivide, exp, e.reduceAndKeep(reduceSum, exp, axis))
	}
	zero := e.zero(d)
	highest := e.reduceAndKeep(reduceMax, e.where(mask, x, e.lowestValue(d)), axis)
	shifted := e.where(mask, e.binary(ir.OpSubtract, x, highest), zero)
	exp := e.where(mask, e.op(ir.OpExp, nil, shifted), zero)
	return e.where(mask, e.binary(ir.OpDivide, exp, e.reduceAndKeep(reduceSum, exp, axis)), zero)
}

// reduceAndKeep emits a reduction of x over axes, which stay, with size 1, and returns it. Without
// axes it reduces all.
func (e *emitter) reduceAndKeep(by reducer, x *ir.Value, axes ...int) *ir.Value {
	return e.keepAxes(e.reduce(by, x, axes), x, axes)
}

// keepAxes returns v, which was reduced from x over axes, with these axes again, with size 1.
func (e *emitter) keepAxes(v, x *ir.Value, axes []int) *ir.Value {
	if e.err != nil {
		return nil
	}
	dims := slices.Clone(x.Type.Dims)
	for _, axis := range e.reduceDims(axes, x.Type.Rank()) {
		dims[axis] = 1
	}
	return e.reshape(v, dims...)
}

// FusedLayerNorm implements compute.FusedOps: it records (x - mean)/√(variance + epsilon)·gamma +
// beta, with the mean and the variance over axes, or over all if there are none. gamma and beta,
// which may be nil, have the rank of x or the sizes of the last axes. If axes are not the last
// ones, only the rank of x is allowed, because GoMLX's backends do not agree on what others mean.
// Other forms, and an x without real floats, are errors.
func (s fused) FusedLayerNorm(x compute.Value, axes []int, epsilon float64, gamma, beta compute.Value) (compute.Value, error) {
	e := s.f.begin("FusedLayerNorm")
	v, scale, offset := e.value(x), e.optional(gamma), e.optional(beta)
	e.demand(realFloat, v)
	if e.err != nil {
		return nil, e.err
	}
	rank := v.Type.Rank()
	dims := e.reduceDims(axes, rank)
	for i, axis := range dims {
		for _, p := range []*ir.Value{scale, offset} {
			if p != nil && p.Type.Rank() < rank && axis != rank-len(dims)+i {
				e.failf("%w: gamma and beta of axes %v, which are not the last ones, are %v, want rank %d: reshape them", compute.ErrNotImplemented, axes, p.Type, rank)
			}
		}
	}
	centered := e.binary(ir.OpSubtract, v, e.mean(v, dims...))
	variance := e.mean(e.binary(ir.OpMultiply, centered, centered), dims...)
	out := e.binary(ir.OpDivide, centered, e.op(ir.OpSqrt, nil, e.binary(ir.OpAdd, variance, e.scalar(v.Type.DType, epsilon))))
	if scale != nil {
		out = e.binary(ir.OpMultiply, out, e.expandLeft(scale, rank))
	}
	if offset != nil {
		out = e.binary(ir.OpAdd, out, e.expandLeft(offset, rank))
	}
	return e.result(out)
}

// mean emits the mean of x over the axes, which count from the front and stay, with size 1, and
// returns it.
func (e *emitter) mean(x *ir.Value, axes ...int) *ir.Value {
	sum := e.reduce(reduceSum, x, axes)
	if e.err != nil {
		return nil
	}
	n := 1
	for _, axis := range axes {
		n *= x.Type.Dims[axis]
	}
	return e.keepAxes(e.scaled(sum, 1/float64(n)), x, axes)
}
