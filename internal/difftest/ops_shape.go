package difftest

// This file makes ops that make and move data.

import (
	"slices"

	"github.com/gomlx/compute/dtypes"

	"github.com/gospmd/gospmd/ir"
)

func makeConstant(g *generator) *ir.Op {
	t := ir.Tensor(pick(g, numbers), g.dims(0, 3)...)
	if g.rng.IntN(2) == 0 {
		return g.typed(ir.OpConstant, ir.Attrs{{Name: "value", Value: ir.Splat(t, float64(g.rng.IntN(5)))}}, 8, []ir.Type{t})
	}
	d, err := ir.DenseFromFlat(t, random(t, g.rng))
	if err != nil {
		return nil
	}
	return g.typed(ir.OpConstant, ir.Attrs{{Name: "value", Value: d}}, 8, []ir.Type{t})
}

func makeIota(g *generator) *ir.Op {
	t := ir.Tensor(pick(g, append([]dtypes.DType{dtypes.Complex64}, numbers...)), g.dims(1, 3)...)
	return g.typed(ir.OpIota, ir.Attrs{{Name: "iota_dimension", Value: ir.Int(g.rng.IntN(t.Rank()))}}, 16, []ir.Type{t})
}

func makeBroadcast(g *generator) *ir.Op {
	x := g.any(allTypes, 0, 2)
	dims := g.dims(x.Type.Rank(), x.Type.Rank()+2)
	at := g.rng.Perm(len(dims))[:x.Type.Rank()]
	for i, d := range at {
		if x.Type.Dims[i] != 1 || g.rng.IntN(2) == 0 {
			dims[d] = x.Type.Dims[i]
		}
	}
	t := x.Type.WithDims(dims)
	if t.Size() > 4000 {
		return nil
	}
	return g.typed(ir.OpBroadcastInDim, ir.Attrs{{Name: "broadcast_dimensions", Value: ir.Ints(at)}}, g.bound[x], []ir.Type{t}, x)
}

func makeReshape(g *generator) *ir.Op {
	x := g.any(allTypes, 0, 4)
	var dims []int
	switch rest := x.Type.Size(); {
	case rest == 0 || g.rng.IntN(2) == 0 && x.Type.Rank() > 1: // join two neighbours
		if x.Type.Rank() < 2 {
			return nil
		}
		i := g.rng.IntN(x.Type.Rank() - 1)
		dims = slices.Concat(x.Type.Dims[:i], []int{x.Type.Dims[i] * x.Type.Dims[i+1]}, x.Type.Dims[i+2:])
	default: // split at random
		for rest > 1 && len(dims) < 3 {
			var divisors []int
			for d := 1; d <= rest; d++ {
				if rest%d == 0 {
					divisors = append(divisors, d)
				}
			}
			d := pick(g, divisors)
			dims, rest = append(dims, d), rest/d
		}
		dims = append(dims, rest)
	}
	return g.typed(ir.OpReshape, nil, g.bound[x], []ir.Type{x.Type.WithDims(dims)}, x)
}

func makeTranspose(g *generator) *ir.Op {
	x := g.any(allTypes, 1, 4)
	return g.try(ir.OpTranspose, ir.Attrs{{Name: "permutation", Value: ir.Ints(g.rng.Perm(x.Type.Rank()))}}, g.bound[x], x)
}

func makeBitcast(g *generator) *ir.Op {
	x := g.exactAny([]dtypes.DType{dtypes.Float32, dtypes.Int32, dtypes.Uint8, dtypes.Float64}, 0, 3)
	var t ir.Type
	switch x.Type.DType {
	case dtypes.Float32:
		t = x.Type.WithDType(dtypes.Int32)
	case dtypes.Int32:
		t = x.Type.WithDType(dtypes.Uint8).WithDims(append(slices.Clone(x.Type.Dims), 4))
	case dtypes.Float64:
		t = x.Type.WithDType(dtypes.Uint32).WithDims(append(slices.Clone(x.Type.Dims), 2))
	default:
		if n := x.Type.Rank(); n == 0 || x.Type.Dims[n-1] != 2 {
			return nil
		}
		t = x.Type.WithDType(dtypes.Uint16).WithDims(x.Type.Dims[:x.Type.Rank()-1])
	}
	return g.typed(ir.OpBitcastConvert, nil, inexact, []ir.Type{t}, x)
}

func makeSlice(g *generator) *ir.Op {
	x := g.any(allTypes, 1, 4)
	rank := x.Type.Rank()
	start, limit, stride := make(ir.Ints, rank), make(ir.Ints, rank), make(ir.Ints, rank)
	for d, size := range x.Type.Dims {
		stride[d], limit[d] = 1, size
		if g.rng.IntN(3) > 0 {
			start[d] = g.rng.IntN(size + 1)
			limit[d] = start[d] + g.rng.IntN(size-start[d]+1)
			stride[d] = 1 + g.rng.IntN(3)*g.rng.IntN(2)
			if size > 0 && g.rng.IntN(4) == 0 { // one index
				start[d] = g.rng.IntN(size)
				limit[d] = start[d] + 1
			}
		}
	}
	return g.try(ir.OpSlice, ir.Attrs{{Name: "start_indices", Value: start}, {Name: "limit_indices", Value: limit}, {Name: "strides", Value: stride}}, g.bound[x], x)
}

func makePad(g *generator) *ir.Op {
	x := g.any(allTypes, 1, 3)
	value := g.tensor(ir.Tensor(x.Type.DType))
	rank := x.Type.Rank()
	low, high, interior := make(ir.Ints, rank), make(ir.Ints, rank), make(ir.Ints, rank)
	for d := range rank {
		if g.rng.IntN(3) > 0 {
			low[d], high[d], interior[d] = g.rng.IntN(6)-2, g.rng.IntN(6)-2, g.rng.IntN(2)*g.rng.IntN(3)
		}
	}
	op := g.try(ir.OpPad, ir.Attrs{{Name: "edge_padding_low", Value: low}, {Name: "edge_padding_high", Value: high}, {Name: "interior_padding", Value: interior}}, g.largest(x, value), x, value)
	return op
}

func makeConcatenate(g *generator) *ir.Op {
	x := g.any(allTypes, 1, 3)
	d := g.rng.IntN(x.Type.Rank())
	operands := []*ir.Value{x}
	for range 1 + g.rng.IntN(2) {
		dims := slices.Clone(x.Type.Dims)
		dims[d] = g.size()
		operands = append(operands, g.tensor(x.Type.WithDims(dims)))
	}
	return g.try(ir.OpConcatenate, ir.Attrs{{Name: "dimension", Value: ir.Int(d)}}, g.largest(operands...), operands...)
}

func makeReverse(g *generator) *ir.Op {
	x := g.any(allTypes, 1, 3)
	dims := ir.Ints(g.rng.Perm(x.Type.Rank())[:1+g.rng.IntN(x.Type.Rank())])
	return g.try(ir.OpReverse, ir.Attrs{{Name: "dimensions", Value: dims}}, g.bound[x], x)
}
