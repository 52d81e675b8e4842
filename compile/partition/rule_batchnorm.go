package partition

// This file partitions batch normalization. If only the feature dimension is sharded, the op runs
// on shards. Otherwise its statistics are sums across shards, and it is expanded to simpler ops.
//
// See the StableHLO specification, batch_norm_training and batch_norm_grad.

import (
	"math"

	"github.com/gospmd/gospmd/ir"
	"github.com/gospmd/gospmd/layout"
	"github.com/gospmd/gospmd/mesh"
)

// normalization is the expansion of one op.
type normalization struct {
	*expansion
	op      *ir.Op
	feature int
	full    *layout.Sharding // sharding of tensors like the operand
	vector  *layout.Sharding // sharding of tensors with an element for each feature
}

// batchNorm returns a function that partitions a batch normalization. If a copy of the operand is
// sharded in a dimension other than the feature dimension, it expands the op by build, with that
// sharding; otherwise the op runs on shards of the features. The error is that of an op of the
// expansion.
func batchNorm(build func(n *normalization) []*ir.Value) func(p *partitioner, op *ir.Op) error {
	return func(p *partitioner, op *ir.Op) error {
		x, feature := op.Operands[0], op.Int("feature_index")
		var best *layout.Sharding
		p.eachVisible(p.tensor(x), func(c shardedCopy) {
			for d := range x.Type.Dims {
				if d != feature && len(c.sharding.Dims[d].Axes) > 0 {
					best = p.dropUnreduced(c.sharding)
				}
			}
		})
		if best == nil {
			return p.partitionByFactors(op, pointwise)
		}
		return p.expand(op, func(e *expansion) []*ir.Value {
			return build(&normalization{
				expansion: e, op: op, feature: feature, full: best,
				vector: p.intern([][]mesh.AxisRef{best.Dims[feature].Axes}, nil),
			})
		})
	}
}

// applyElementwise applies an element-wise op to the operands, sets the sharding of the result by
// its shape, and returns it.
func (n *normalization) applyElementwise(kind ir.OpKind, operands ...*ir.Value) *ir.Value {
	v := n.Build(kind, nil, nil, nil, operands...).Result()
	return withSharding(v, n.layoutOf(v))
}

func (n *normalization) layoutOf(v *ir.Value) *layout.Sharding {
	if v.Type.Equal(n.op.Operands[0].Type) && v.Type.Rank() != 1 {
		return n.full
	}
	return n.vector
}

// constantLike returns a constant of v's type whose elements are all number, sharded as v.
func (n *normalization) constantLike(v *ir.Value, number float64) *ir.Value {
	return withSharding(n.Constant(ir.Splat(v.Type, number)), n.layoutOf(v))
}

// spread returns v, which has an element for each feature, broadcast to the operand's shape.
func (n *normalization) spread(v *ir.Value) *ir.Value {
	t := n.op.Operands[0].Type
	return withSharding(n.BroadcastInDim(v, ir.Ints{n.feature}, t), n.full)
}

// sum returns the sum of all elements of each feature of v, which has the operand's shape: a
// vector.
func (n *normalization) sum(v *ir.Value) *ir.Value {
	var dims []int
	for d := range v.Type.Dims {
		if d != n.feature {
			dims = append(dims, d)
		}
	}
	zero := withSharding(n.zero(v.Type.DType), layout.Replicated(n.full.Mesh, 0))
	op := n.Reduce([]*ir.Value{v}, []*ir.Value{zero}, dims, ir.ReductionBody(ir.OpAdd, v.Type.DType))
	return withSharding(op.Result(), n.vector)
}

// count returns the number of elements of each feature.
func (n *normalization) count() float64 {
	t := n.op.Operands[0].Type
	return float64(t.Size()) / math.Max(1, float64(t.Dims[n.feature]))
}

// mean returns the mean of all elements of each feature of v, which has the operand's shape: a
// vector.
func (n *normalization) mean(v *ir.Value) *ir.Value {
	s := n.sum(v)
	return n.applyElementwise(ir.OpDivide, s, n.constantLike(s, n.count()))
}

// inverse returns 1/√(variance + ε).
func (n *normalization) inverse(variance *ir.Value) *ir.Value {
	epsilon := float64(n.op.Attrs.Get("epsilon").(ir.Float))
	return n.applyElementwise(ir.OpRsqrt, n.applyElementwise(ir.OpAdd, variance, n.constantLike(variance, epsilon)))
}

// training expands batch_norm_training, and returns its results: the output, the mean and the
// variance. The variance is the mean of the squares less the square of the mean, so that one
// collective can reduce both sums.
func (n *normalization) training() []*ir.Value {
	x, scale, offset := n.op.Operands[0], n.op.Operands[1], n.op.Operands[2]
	mean, squares := n.mean(x), n.mean(n.applyElementwise(ir.OpMultiply, x, x))
	variance := n.applyElementwise(ir.OpSubtract, squares, n.applyElementwise(ir.OpMultiply, mean, mean))
	centered := n.applyElementwise(ir.OpSubtract, x, n.spread(mean))
	scaled := n.applyElementwise(ir.OpMultiply, centered, n.spread(n.applyElementwise(ir.OpMultiply, scale, n.inverse(variance))))
	return []*ir.Value{n.applyElementwise(ir.OpAdd, scaled, n.spread(offset)), mean, variance}
}

// grad expands batch_norm_grad. With c = x - mean, i = 1/√(variance + ε), g the gradient of the
// output, and avg and sum over the elements of each feature:
//
//	d/dx = scale·i·(g - avg(g) - c·i²·avg(g·c)), d/dscale = i·sum(g·c), d/doffset = sum(g)
func (n *normalization) grad() []*ir.Value {
	x, scale, mean, variance, g := n.op.Operands[0], n.op.Operands[1], n.op.Operands[2], n.op.Operands[3], n.op.Operands[4]
	centered := n.applyElementwise(ir.OpSubtract, x, n.spread(mean))
	inverse := n.inverse(variance)
	sumG, sumGC := n.sum(g), n.sum(n.applyElementwise(ir.OpMultiply, g, centered))
	average := func(v *ir.Value) *ir.Value { return n.applyElementwise(ir.OpDivide, v, n.constantLike(v, n.count())) }
	along := n.applyElementwise(ir.OpMultiply, n.applyElementwise(ir.OpMultiply, inverse, inverse), average(sumGC))
	rest := n.applyElementwise(ir.OpSubtract, n.applyElementwise(ir.OpSubtract, g, n.spread(average(sumG))), n.applyElementwise(ir.OpMultiply, centered, n.spread(along)))
	dx := n.applyElementwise(ir.OpMultiply, rest, n.spread(n.applyElementwise(ir.OpMultiply, scale, inverse)))
	return []*ir.Value{dx, n.applyElementwise(ir.OpMultiply, inverse, sumGC), sumG}
}
