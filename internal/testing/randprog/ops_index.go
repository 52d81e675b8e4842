package randprog

// This file makes ops that look up and update by index, and control flow, whose regions compute on
// their arguments and on captured values. Indices are inputs from -4 to 4, so that some are out of
// range.

import (
	"slices"

	"github.com/gomlx/compute/dtypes"
	"github.com/gospmd/gospmd/ir"
)

// window returns a random window size from 0 to size: often size or 1.
func (g *generator) window(size int) int {
	switch g.rng.IntN(3) {
	case 0:
		return size
	case 1:
		return min(1, size)
	}
	return g.rng.IntN(size + 1)
}

func (g *generator) starts(n int) []*ir.Value {
	first := g.index()
	out := []*ir.Value{first}
	for len(out) < n {
		if g.rng.IntN(3) == 0 {
			out = append(out, g.constantIndex(first.Type))
			continue
		}
		out = append(out, g.exactTensor(first.Type))
	}
	return out
}

func (g *generator) constantIndex(t ir.Type) *ir.Value {
	return g.constant(ir.Splat(t, float64(g.rng.IntN(9)-2)))
}

func makeDynamicSlice(g *generator) *ir.Op {
	x := g.any(allTypes, 1, 3)
	sizes := make(ir.Ints, x.Type.Rank())
	for d, size := range x.Type.Dims {
		sizes[d] = g.window(size)
	}
	return g.try(ir.OpDynamicSlice, ir.Attrs{{Name: "slice_sizes", Value: sizes}}, g.bound[x], append([]*ir.Value{x}, g.starts(x.Type.Rank())...)...)
}

func makeDynamicUpdateSlice(g *generator) *ir.Op {
	x := g.any(allTypes, 1, 3)
	dims := make([]int, x.Type.Rank())
	for d, size := range x.Type.Dims {
		dims[d] = g.window(size)
	}
	update := g.tensor(x.Type.WithDims(dims))
	return g.try(ir.OpDynamicUpdateSlice, nil, g.largest(x, update), append([]*ir.Value{x, update}, g.starts(x.Type.Rank())...)...)
}

// indexing is a random way to address windows of an operand. batch and indexBatch are paired batch
// dimensions of operand and indices. vectorDim is the dimension of indices that holds the index
// vectors.
type indexing struct {
	sizes             []int // sizes of the window, one for each dimension of the operand
	dropped           []int // dimensions of size 1 that the windows leave out
	batch, indexBatch []int
	mapped            []int // the dimensions that the index vector addresses
	indices           *ir.Value
	vectorDim         int
	window            []int // the windows' dimensions in slices
	slices            []int // the shape of the tensor of all windows
}

func (g *generator) indexing(x *ir.Value) *indexing {
	rank := x.Type.Rank()
	ix := &indexing{sizes: make([]int, rank)}
	var free []int
	for d, size := range x.Type.Dims {
		if len(ix.batch) == 0 && rank > 1 && g.rng.IntN(5) == 0 {
			ix.batch, ix.sizes[d] = append(ix.batch, d), 1
			continue
		}
		ix.sizes[d] = g.window(size)
		free = append(free, d)
		if ix.sizes[d] == 1 && g.rng.IntN(3) > 0 {
			ix.dropped = append(ix.dropped, d)
		}
	}
	g.rng.Shuffle(len(free), func(i, j int) { free[i], free[j] = free[j], free[i] })
	if len(free) == 0 {
		return nil
	}
	ix.mapped = free[:1+g.rng.IntN(len(free))] // at least one dimension: XLA drops scatters with empty index vectors

	batch := g.dims(0, 2)
	if len(ix.batch) > 0 {
		ix.indexBatch = []int{g.rng.IntN(len(batch) + 1)}
		batch = slices.Insert(batch, ix.indexBatch[0], x.Type.Dims[ix.batch[0]])
	}
	dims := slices.Clone(batch)
	ix.vectorDim = len(dims)
	if len(ix.mapped) != 1 || g.rng.IntN(2) == 0 {
		ix.vectorDim = g.rng.IntN(len(dims) + 1)
		dims = slices.Insert(dims, ix.vectorDim, len(ix.mapped))
		for i, d := range ix.indexBatch {
			if d >= ix.vectorDim {
				ix.indexBatch[i]++
			}
		}
	}
	ix.indices = g.exactTensor(ir.Tensor(pick(g, []dtypes.DType{dtypes.Int32, dtypes.Int32, dtypes.Int64, dtypes.Int8, dtypes.Uint8, dtypes.Uint32}), dims...))

	var windows []int
	for d := range rank {
		if !slices.Contains(ix.dropped, d) && !slices.Contains(ix.batch, d) {
			windows = append(windows, ix.sizes[d])
		}
	}
	n := len(batch) + len(windows)
	ix.window = g.rng.Perm(n)[:len(windows)]
	slices.Sort(ix.window)
	for i := range n {
		if k := slices.Index(ix.window, i); k >= 0 {
			ix.slices = append(ix.slices, windows[k])
		} else {
			ix.slices, batch = append(ix.slices, batch[0]), batch[1:]
		}
	}
	return ix
}

func makeGather(g *generator) *ir.Op {
	x := g.any(allTypes, 1, 3)
	ix := g.indexing(x)
	if ix == nil || ir.Tensor(dtypes.Bool, ix.slices...).Size() > 4000 {
		return nil
	}
	return g.try(ir.OpGather, ir.Attrs{
		{Name: "dimension_numbers", Value: &ir.GatherDims{
			OffsetDims: ix.window, CollapsedSliceDims: ix.dropped, OperandBatchingDims: ix.batch, IndicesBatchingDims: ix.indexBatch,
			StartIndexMap: ix.mapped, IndexVectorDim: ix.vectorDim,
		}},
		{Name: "slice_sizes", Value: ir.Ints(ix.sizes)},
	}, g.bound[x], x, ix.indices)
}

// region returns a new block with arguments of these types. body builds its ops with g.b, and the
// block returns what body returns for the arguments. The builder of the enclosing block is
// restored.
func (g *generator) region(args []ir.Type, body func(args []*ir.Value) []*ir.Value) *ir.Block {
	b := &ir.Block{}
	var values []*ir.Value
	for _, t := range args {
		v := b.AddArg(t)
		g.bound[v] = 8
		values = append(values, v)
	}
	outer := g.b
	g.b = ir.NewBuilder(b)
	g.inside++
	out := body(values)
	g.b.OpWithTypes(ir.OpReturn, nil, nil, out...)
	g.inside--
	g.b = outer
	return b
}

// mix returns a random one of the sum, difference, maximum and minimum of x and y, tensors of one
// type.
func (g *generator) mix(x, y *ir.Value) *ir.Value {
	kind := pick(g, []ir.OpKind{ir.OpAdd, ir.OpSubtract, ir.OpMaximum, ir.OpMinimum})
	return g.try(kind, nil, g.largest(x)+g.largest(y), x, y).Result()
}

func makeIf(g *generator) *ir.Op {
	x := g.any(numbers, 0, 3)
	y := g.tensor(x.Type)
	pred := g.exactTensor(ir.Tensor(dtypes.Bool))
	branch := func() *ir.Block {
		return g.region(nil, func([]*ir.Value) []*ir.Value { return []*ir.Value{g.mix(x, y), x} })
	}
	return g.tryRegions(ir.OpIf, nil, g.largest(x)+g.largest(y), []*ir.Block{branch(), branch()}, pred)
}

func makeCase(g *generator) *ir.Op {
	x := g.any(numbers, 0, 3)
	y := g.tensor(x.Type)
	var regions []*ir.Block
	for range 1 + g.rng.IntN(3) {
		regions = append(regions, g.region(nil, func([]*ir.Value) []*ir.Value { return []*ir.Value{g.mix(x, y)} }))
	}
	return g.tryRegions(ir.OpCase, nil, g.largest(x)+g.largest(y), regions, g.exactTensor(ir.Tensor(dtypes.Int32)))
}

func makeBarrier(g *generator) *ir.Op {
	x, y := g.any(allTypes, 0, 3), g.any(allTypes, 0, 3)
	return g.try(ir.OpOptimizationBarrier, nil, g.largest(x, y), x, y)
}
