package partition

// This file partitions gather and scatter.

import (
	"slices"

	"github.com/gospmd/gospmd/ir"
	"github.com/gospmd/gospmd/layout"
	"github.com/gospmd/gospmd/sharding/factor"
)

// indexed is a gather or a scatter, described by its dimensions.
type indexed struct{ *ir.Indexing }

func indexedOf(op *ir.Op) indexed { return indexed{op.Indexing()} }

// ruleOf returns a sharding rule without tensors, and the mappings of the operand, the indices and
// the slices. sliced is the kind of factors for operand dimensions that windows cover only in part.
// free is the kind of factors for batch dimensions that the operand does not have.
func (ix indexed) ruleOf(sliced, free factor.Kind) (r *factor.Rule, operand, indices, slice factor.TensorMapping) {
	r = &factor.Rule{}
	operand = make(factor.TensorMapping, len(ix.Operand))
	indices = make(factor.TensorMapping, len(ix.Indices))
	slice = make(factor.TensorMapping, len(ix.Slices))
	add := func(size int, kind factor.Kind) []int {
		r.Factors = append(r.Factors, factor.Factor{Size: size, Kind: kind})
		return []int{len(r.Factors) - 1}
	}
	ix.EachBatch(func(o, i, s int) {
		kind := free
		if o >= 0 {
			kind = factor.PassThrough
		}
		f := add(ix.Slices[s], kind)
		indices[i], slice[s] = f, f
		if o >= 0 {
			operand[o] = f
		}
	})
	ix.EachWindow(func(d, s int) {
		if !ix.IsCut(d) {
			f := add(ix.Operand[d], factor.PassThrough)
			operand[d], slice[s] = f, f
			return
		}
		operand[d] = add(ix.Operand[d], sliced)
		slice[s] = add(ix.Slices[s], factor.NeedReplication)
	})
	for d := range operand {
		if operand[d] == nil {
			kind := sliced
			if !ix.IsCut(d) {
				kind = factor.NeedReplication // the dimension has size 1
			}
			operand[d] = add(ix.Operand[d], kind)
		}
	}
	if ix.VectorDim < len(ix.Indices) {
		indices[ix.VectorDim] = add(ix.Indices[ix.VectorDim], factor.NeedReplication)
	}
	return r, operand, indices, slice
}

// columns splits the indices of ix into one tensor for each mapped dimension, in the order of
// ix.Mapped. In each of these the dimension of the index vector has size 1. If the indices have no
// such dimension, they are the only column.
func (p *partitioner) columns(ix indexed, indices *ir.Value) []*ir.Value {
	if ix.VectorDim == len(ix.Indices) {
		return []*ir.Value{indices}
	}
	out := make([]*ir.Value, len(ix.Mapped))
	for i := range ix.Mapped {
		out[i] = p.slice(indices, ix.VectorDim, i, i+1)
	}
	return out
}

// vectors returns the indices of ix put together from columns, one for each component: the inverse
// of the method columns.
func (p *partitioner) vectors(ix indexed, columns []*ir.Value) *ir.Value {
	if ix.VectorDim == len(ix.Indices) {
		return columns[0]
	}
	return p.concatenate(ix.VectorDim, columns...)
}

// gathered partitions a gather. It shards batch dimensions, and dimensions of the operand that
// windows cover in full. If windows cover a sharded dimension only in part, every device looks up
// the elements in its shard, and the results are reduced.
var gathered = &factorRule{
	factors: func(op *ir.Op) *factor.Rule {
		sliced := factor.Reduction
		if !reducible[op.Result().Type.DType] {
			sliced = factor.NeedReplication
		}
		r, operand, indices, slice := indexedOf(op).ruleOf(sliced, factor.PassThrough)
		r.Operands, r.Results = []factor.TensorMapping{operand, indices}, []factor.TensorMapping{slice}
		return r
	},
	kinds:  lookup,
	reduce: reduceLookups,
	build: func(p *partitioner, c *strategy, operands []*ir.Value) []*ir.Value {
		ix, s := indexedOf(c.op), c.operands[0]
		v, indices := operands[0], operands[1]
		sizes := ir.Ints(slices.Clone(ix.Sizes))
		for d := range sizes {
			if len(s.Dims[d].Axes) > 0 && !ix.IsCut(d) && !slices.Contains(ix.Batch, d) {
				sizes[d] = v.Type.Dims[d]
			}
		}
		// a mask: the shard has the element in each sharded dimension that windows have size 1 in;
		// nil: there is no such dimension
		var all *ir.Value
		if lookups := ix.lookups(s); len(lookups) > 0 {
			columns := p.columns(ix, indices)
			for i, d := range ix.Mapped {
				if !slices.Contains(lookups, d) {
					columns[i] = p.bound(columns[i], ix.Operand[d]-ix.Sizes[d])
					continue
				}
				if ix.Sizes[d] == 1 {
					place, has := p.singleElement(columns[i], s, d, ix.Operand[d])
					columns[i], all = place, p.conjunction(all, has)
					continue
				}
				columns[i] = p.start(columns[i], s, d, ix.Operand[d], ix.Sizes[d])
				v = p.addBorder(v, d, ix.Sizes[d])
			}
			indices = p.vectors(ix, columns)
		}
		attrs := c.op.Attrs.With("slice_sizes", sizes)
		if len(ix.lookups(s)) > 0 {
			attrs = attrs.Without("indices_are_sorted")
		}
		out := p.buildLocalWith(c, attrs, []*ir.Value{v, indices})
		if all != nil {
			return []*ir.Value{p.Select(p.repeatOverSlices(ix, all, out[0].Type.Dims), out[0], p.broadcast(p.neutralScalar(v.Type.DType), out[0].Type.Dims))}
		}
		return out
	},
	may: func(op *ir.Op, r *factor.Rule, f, _ int) bool { return indexedOf(op).mayLook(r.Operands[0], f) },
}

// repeatOverSlices returns column, which has an element for each index vector of ix, repeated over
// all elements of the windows: a tensor of slices with the dimensions dims.
func (p *partitioner) repeatOverSlices(ix indexed, column *ir.Value, dims []int) *ir.Value {
	var batch ir.Ints
	var sizes []int
	ix.EachBatch(func(_, _, slice int) {
		batch, sizes = append(batch, slice), append(sizes, dims[slice])
	})
	column = p.reshape(column, sizes)
	return p.BroadcastInDim(column, batch, column.Type.WithDims(dims))
}

// lookups returns the dimensions of the operand that its sharding s shards and that windows cover
// only in part, in ascending order.
func (ix indexed) lookups(s *layout.Sharding) []int {
	var out []int
	for d := range ix.Operand {
		if ix.IsCut(d) && len(s.Dims[d].Axes) > 0 {
			out = append(out, d)
		}
	}
	return out
}

// mayLook reports whether factor f may be sharded. It may not if it is the factor of an operand
// dimension that windows cover only in part, and that no index addresses.
func (ix indexed) mayLook(operand factor.TensorMapping, f int) bool {
	for d, factors := range operand {
		if slices.Contains(factors, f) && ix.IsCut(d) && !slices.Contains(ix.Mapped, d) {
			return false
		}
	}
	return true
}

// scattered partitions a scatter: every device updates its shard. If updates are sharded along a
// batch dimension, each device has a partial result, and the op of the body reduces these. Only one
// device then starts from the operand, and the others from the neutral element.
var scattered = &factorRule{
	factors: func(op *ir.Op) *factor.Rule {
		free := factor.NeedReplication
		if len(op.Results) == 1 && reductionOf(op) != ir.OpUnregistered {
			free = factor.Reduction
		}
		r, operand, indices, slice := indexedOf(op).ruleOf(factor.PassThrough, free)
		n := len(op.Results)
		r.Results = slices.Repeat([]factor.TensorMapping{operand}, n)
		r.Operands = append(append(slices.Clone(r.Results), indices), slices.Repeat([]factor.TensorMapping{slice}, n)...)
		return r
	},
	kinds: lookup,
	reduce: func(op *ir.Op) ir.OpKind {
		if len(op.Results) != 1 {
			return ir.OpUnregistered
		}
		return reductionOf(op)
	},
	may: func(op *ir.Op, r *factor.Rule, f, n int) bool {
		ix := indexedOf(op)
		if len(ix.Mapped) == 0 && r.Factors[f].Kind == factor.Reduction && r.Factors[f].Size%n != 0 {
			return false // there are no indices that could mark padding of the updates
		}
		return ix.mayLook(r.Operands[0], f)
	},
	build: func(p *partitioner, c *strategy, operands []*ir.Value) []*ir.Value {
		ix, n := indexedOf(c.op), len(c.op.Results)
		s, at := c.operands[0], c.operands[n]
		operands = slices.Clone(operands)
		if axes := p.reducedAxes(c); len(axes) > 0 {
			operands[0] = p.keepOnFirst(reductionOf(c.op), operands[0], axes)
		}
		lookups := ix.lookups(s)
		uneven := slices.ContainsFunc(ix.batchDims(), func(d int) bool { return isUneven(at, d, ix.Indices[d]) })
		attrs := c.op.Attrs
		if (len(lookups) > 0 || uneven) && len(ix.Mapped) > 0 {
			operands[n] = p.shiftIndices(c, ix, operands[n], lookups, uneven)
			attrs = attrs.Without("indices_are_sorted")
		}
		// Updates of one element that are out of range are dropped, so they need no border.
		bordered := slices.DeleteFunc(slices.Clone(lookups), func(d int) bool { return ix.Sizes[d] == 1 })
		for i := range n {
			for _, d := range bordered {
				operands[i] = p.pad(operands[i], d, ix.Sizes[d], ix.Sizes[d], p.zero(operands[i].Type.DType))
			}
		}
		out := ir.NewOp(c.op.Kind, operands, attrs, nil)
		for i := range n {
			out.AddResult(operands[i].Type.WithDType(c.op.Results[i].Type.DType))
		}
		out.AddRegion(ir.Cloner{}.Block(c.op.Regions[0]))
		results := slices.Clone(p.Insert(out).Results)
		for i := range results {
			for _, d := range bordered {
				results[i] = p.slice(results[i], d, ix.Sizes[d], results[i].Type.Dims[d]-ix.Sizes[d])
			}
		}
		return results
	},
}

// batchDims returns the dimensions of the indices except the dimension of the index vectors.
func (ix indexed) batchDims() []int {
	var out []int
	for d := range ix.Indices {
		if d != ix.VectorDim {
			out = append(out, d)
		}
	}
	return out
}

// shiftIndices returns indices, those of the scatter ix with strategy c, as i32 indices into the
// shard of the operand. lookups are its sharded dimensions in which windows are cut; the shard has
// a border there if windows have more than one element. If an update is out of range of the global
// operand, its index becomes -1; with uneven also if the update is padding.
func (p *partitioner) shiftIndices(c *strategy, ix indexed, indices *ir.Value, lookups []int, uneven bool) *ir.Value {
	s, at := c.operands[0], c.operands[len(c.op.Results)]
	columns := p.columns(ix, indices)
	for i, d := range ix.Mapped {
		column := columns[i]
		high := ix.Operand[d] - ix.Sizes[d]
		if limit, ok := largest[column.Type.DType]; ok {
			high = min(high, limit)
		}
		// Indices are compared before they are converted, because a large index could become a
		// small one.
		valid := p.And(
			p.Compare(column, p.Constant(ir.Splat(column.Type, 0)), "GE"),
			p.Compare(column, p.Constant(ir.Splat(column.Type, float64(high))), "LE"))
		if uneven {
			for _, b := range ix.batchDims() {
				if isUneven(at, b, ix.Indices[b]) {
					valid = p.And(valid, p.compareTo("LT", p.globalIndex(column.Type.Dims, at, b), ix.Indices[b]))
				}
			}
		}
		moved := p.bound(column, high)
		if slices.Contains(lookups, d) {
			local := localSize(s, d, ix.Operand[d])
			first := p.times(p.SPMDAxisIndex(s.Dims[d].Axes), local)
			if ix.Sizes[d] > 1 {
				first = p.plus(first, -ix.Sizes[d])
			}
			moved = p.Subtract(moved, p.broadcast(first, moved.Type.Dims))
		}
		columns[i] = p.Select(valid, moved, p.Constant(ir.Splat(moved.Type, -1)))
	}
	return p.vectors(ix, columns)
}
