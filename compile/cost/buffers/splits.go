package buffers

// This file models products that XLA for GPUs divides along their contracted dimension (split-k),
// because their result has too few tiles for all processors. Each part makes a result, and the
// results are summed. The numbers are those of XLA of jax-cuda13-pjrt 0.12, by what it did with 250
// products of float32 and bfloat16 for an H100. It divides some products of fewer than 32 columns
// less often.

import (
	"math"
	"slices"

	"github.com/gomlx/compute/dtypes"

	"github.com/gospmd/gospmd/ir"
)

const (
	splitRows, splitColumns = 64, 128 // of a tile
	busyTiles               = 256     // the parts have about this many tiles together, or fewer
	partBytes               = 16      // a part of the contracted dimension is a multiple of these
	minSplit                = 1 << 19 // the least number of multiplications of a product that is divided
	minContracted           = 64      // the least contracted dimension of such a product
)

// splits returns the number of parts, a power of two, that the contracted dimension of op is
// divided into: 1 if it is not, and for convolutions. It grows with the contracted dimension per
// tile of the result, as its square root.
func splits(op *ir.Op) int {
	if op.Kind != ir.OpDotGeneral {
		return 1
	}
	d := op.DotGeneral().DotDimensionNumbers()
	x, y := op.Operands[0].Type, op.Operands[1].Type
	_, rows := freeDims(x, d.LHSBatch, d.LHSContracting)
	_, columns := freeDims(y, d.RHSBatch, d.RHSContracting)
	k := contractedSize(x, d.LHSContracting)
	if k < minContracted || op.Results[0].Type.Size()*k < minSplit {
		return 1
	}
	tiles := (rows + splitRows - 1) / splitRows * ((columns + splitColumns - 1) / splitColumns)
	for _, i := range d.LHSBatch {
		tiles *= x.Dims[i]
	}
	tiles = max(tiles, 2)
	most := 1
	if tiles < busyTiles {
		most = 1 << int(math.Round(math.Log2(busyTiles/float64(tiles))))
	}
	s := 1
	switch depth := float64(k) / float64(tiles); {
	case depth >= 16:
		s = 1 << int(math.Log2(depth)/2)
	case depth > 12:
		s = 2
	}
	return min(s, most)
}

// contractedSize returns the product of the sizes of the contracted dimensions.
func contractedSize(t ir.Type, contracted []int) int {
	k := 1
	for _, i := range contracted {
		k *= t.Dims[i]
	}
	return k
}

// split lowers op, a product of the operands, in s parts, and returns the node of their sum. If s
// parts of whole blocks are longer than the contracted dimension, it reads padded operands.
func (l *lowering) split(op *ir.Op, operands []*node, s int) *node {
	k := contractedSize(op.Operands[0].Type, op.DotGeneral().DotDimensionNumbers().LHSContracting)
	for i, o := range operands[:2] { // the others are vectors (computedInside)
		x := o.typ()
		block := max(1, partBytes/ir.ElementBytes(x.DType))
		if padded := roundUp((k+s-1)/s, block) * s; padded != k {
			operands[i] = l.move(pad, op, x.WithDims([]int{x.Size() / k, padded}), o, nil)
		}
	}
	t := op.Results[0].Type
	parts := l.g.addOne(kernel, op, sumType(t).WithDims(slices.Concat([]int{s}, t.Dims)), operands...)
	return l.g.addOne(reduce, op, t, parts)
}

// sumType returns the type in which the sums of the parts of a product with result type t are kept:
// float32 for float16 and bfloat16, else t's own.
func sumType(t ir.Type) ir.Type {
	if short[t.DType] {
		return t.WithDType(dtypes.Float32)
	}
	return t
}

// freeDims returns the dimensions of a dot operand that are neither batch nor contracting, and the
// product of their sizes.
func freeDims(t ir.Type, batch, contracted []int) (dims []int, n int) {
	n = 1
	for i, d := range t.Dims {
		if !slices.Contains(batch, i) && !slices.Contains(contracted, i) {
			dims, n = append(dims, i), n*d
		}
	}
	return dims, n
}
