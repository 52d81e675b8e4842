package memory

// This file keeps values in fewer bits:
//
//	%h = tanh %x                         %h = tanh %x
//	%y = … %h …                          %n = convert %h : bf16
//	…                              =>    %y = … %h …
//	%d = multiply %g, %h                 %b, %a = optimization_barrier %n, %g
//	                                     %h1 = convert %b : f32
//	                                     %d = multiply %g, %h1
//
// A compiler that removes barriers would convert %h only where it is read, and keep %h until then.
// For such a compiler a loop converts it, which runs once. The compiler does not see that, because
// the number of iterations is a one that is computed from %h (hold.go):
//
//	%i, %n = while(0, zeros) … less than (one, computed from %h) do { return (add %i, 1), (convert %h) }

import (
	"slices"

	"github.com/gomlx/compute/dtypes"

	"github.com/gospmd/gospmd/compile/cost"
	"github.com/gospmd/gospmd/ir"
)

// compressed is the element type of compressed values.
const compressed = dtypes.BFloat16

// canCompress reports whether the results of op are tensors of float32 with elements.
func canCompress(op *ir.Op) bool {
	return !slices.ContainsFunc(op.Results, func(v *ir.Value) bool {
		return v.Type.IsToken() || v.Type.DType != dtypes.Float32 || v.Type.Size() == 0
	})
}

// compressSeconds returns the predicted time on m of converting the results of op, of so many bytes
// together, and back.
func compressSeconds(m *cost.Machine, op *ir.Op, bytes int) float64 {
	return float64(m.LocalCost(op, 0, 3*bytes)) / m.FlopsPerSecond
}

// compress inserts an op that converts v, a value of the clone, behind the op that makes it, and
// returns the result.
func (r *rewriter) compress(v *ir.Value) *ir.Value {
	b := &ir.Builder{}
	b.AfterValue(v).Loc = v.Def().Loc
	short := v.Type.WithDType(compressed)
	if r.barrier {
		return b.Convert(v, short)
	}
	index := ir.Tensor(dtypes.Int32)
	number := func(b *ir.Builder, n float64) *ir.Value { return b.Constant(ir.Scalar(dtypes.Int32, n)) }
	once := b.Convert((&holder{b: b, anchor: v}).computeOne(), index)
	zeros := b.BroadcastInDim(b.Constant(ir.Scalar(compressed, 0)), nil, short)
	block := func(build func(b *ir.Builder, i *ir.Value) []*ir.Value) *ir.Block {
		out := ir.NewBlock()
		i := out.AddArg(index)
		out.AddArg(short)
		out.Append(ir.NewOp(ir.OpReturn, build(ir.NewBuilder(out), i), nil, nil))
		return out
	}
	loop := ir.NewOp(ir.OpWhile, []*ir.Value{number(b, 0), zeros}, nil, []ir.Type{index, short},
		block(func(b *ir.Builder, i *ir.Value) []*ir.Value { return []*ir.Value{b.Compare(i, once, "LT")} }),
		block(func(b *ir.Builder, i *ir.Value) []*ir.Value {
			return []*ir.Value{b.Add(i, number(b, 1)), b.Convert(v, short)}
		}))
	return b.Insert(loop).Results[1]
}

// decompress inserts the op that converts n, a compressed value, to type t again before the place,
// and returns its result.
func (r *rewriter) decompress(n *ir.Value, t ir.Type) *ir.Value {
	if h := (&holder{b: &r.b, barrier: r.barrier, anchor: r.anchor()}); h.anchor != nil {
		n = h.hold([]*ir.Value{n})[0]
	}
	return r.b.Convert(n, t)
}
