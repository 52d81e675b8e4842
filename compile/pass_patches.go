package compile

// This file implements conv_patches, which writes convolutions of patches of images as products.

import (
	"slices"

	"github.com/gospmd/gospmd/ir"
)

// convPatches replaces a convolution whose windows are patches beside each other, and the gradient of
// its kernel, by products, if there is a limit of memory:
//
//	%1 = convolution(%0, %k) window = {stride = [16, 16]}      %p = reshape %0 : [b, 14, 16, 14, 16, 3]
//	         (%0: [b, 224, 224, 3], %k: [16, 16, 3, o])    =>  %1 = dot_general %p, %k : [b, 14, 14, o]
//
// A vision transformer begins so. libtpu may store the operand of a convolution with its channels
// along the columns of tiles: three channels then take the memory of 128. It does so for micro-batches
// of a single image, with all images of the batch. Products take more time on some TPUs: by libtpu's
// estimates for vit of benchmarks/aot -11 % on v5e and +5 % on v5p.
func convPatches(c *compilation) error {
	if c.options.MemoryLimit == 0 {
		return nil
	}
	c.main().Walk(func(op *ir.Op) {
		if op.Kind != ir.OpConvolution {
			return
		}
		if p, ok := patchesOf(op); ok {
			op.ReplaceWith(p.product(op))
		}
	})
	return nil
}

// maxPatchChannels is the largest number of channels of images that convPatches takes: the rows of a
// tile.
const maxPatchChannels = 8

// patches describe a convolution over patches beside each other. A spatial dimension of the operand
// is divided into two, patches and places in a patch.
type patches struct {
	sizes  []int // of a patch, by spatial dimension
	places bool  // the result has the places of a patch: it is the gradient of the kernel
}

// patchesOf returns the patches of op; ok is false if it is another convolution, or if its images
// have many channels.
func patchesOf(op *ir.Op) (p patches, ok bool) {
	conv := op.Convolution()
	numbers, x, kernel := conv.DimensionNumbers(), op.Operands[0].Type.Dims, op.Operands[1].Type.Dims
	if conv.FeatureGroupCount() > 1 || conv.BatchGroupCount() > 1 || op.Result().Type.Size() == 0 {
		return p, false
	}
	p.places = slices.ContainsFunc(conv.RHSDilation(), func(n int) bool { return n > 1 })
	for i, d := range numbers.InputSpatial {
		window, stride, dilation := kernel[numbers.KernelSpatial[i]], conv.WindowStrides()[i], conv.RHSDilation()[i]
		if window == 0 {
			return p, false
		}
		size, number := window, x[d]/window
		if p.places {
			size, number = number, size
		}
		if size*number != x[d] || conv.LHSDilation()[i] > 1 || conv.WindowReversal()[i] || conv.Padding()[i][0] != 0 || conv.Padding()[i][1] != 0 ||
			p.places && (stride > 1 || dilation != size) || !p.places && stride != size {
			return p, false
		}
		p.sizes = append(p.sizes, size)
	}
	channels := x[numbers.InputFeature]
	if p.places {
		channels = x[numbers.InputBatch]
	}
	return p, len(p.sizes) > 0 && slices.Max(p.sizes) > 1 && channels <= maxPatchChannels
}

// product returns the result of op, a convolution over p, computed before it by a product.
func (p patches) product(op *ir.Op) *ir.Value {
	numbers, x, kernel, t := op.Convolution().DimensionNumbers(), op.Operands[0], op.Operands[1], op.Result().Type
	var dims, from []int // of the operand with patches: sizes, and the dimensions of the result; -1 is contracted
	at := make([]int, x.Type.Rank())
	for d, n := range x.Type.Dims {
		at[d] = len(dims)
		i := slices.Index(numbers.InputSpatial, d)
		switch {
		case i >= 0 && p.places:
			dims, from = append(dims, n/p.sizes[i], p.sizes[i]), append(from, -1, numbers.OutputSpatial[i])
		case i >= 0:
			dims, from = append(dims, n/p.sizes[i], p.sizes[i]), append(from, numbers.OutputSpatial[i], -1)
		case d == numbers.InputBatch:
			dims, from = append(dims, n), append(from, numbers.OutputBatch)
		default:
			dims, from = append(dims, n), append(from, -1)
		}
	}
	contracted := ir.DotDims{LHSContracting: []int{at[numbers.InputFeature]}, RHSContracting: []int{numbers.KernelInputFeature}}
	for i, d := range numbers.InputSpatial {
		part := at[d]
		if !p.places {
			part++
		}
		contracted.LHSContracting, contracted.RHSContracting = append(contracted.LHSContracting, part), append(contracted.RHSContracting, numbers.KernelSpatial[i])
	}
	order := append(slices.DeleteFunc(from, func(d int) bool { return d < 0 }), numbers.OutputFeature) // the result's dimensions, as the product has them
	made := make([]int, len(order))
	permutation := make([]int, len(order))
	for i, d := range order {
		made[i], permutation[d] = t.Dims[d], i
	}
	b := (&ir.Builder{Loc: op.Loc}).Before(op)
	attrs := ir.Attrs{{Name: "dot_dimension_numbers", Value: &contracted}}
	if precision := op.Attrs.Get("precision_config"); precision != nil {
		attrs = attrs.With("precision_config", precision)
	}
	out := b.Insert(ir.NewOp(ir.OpDotGeneral, []*ir.Value{b.Reshape(x, x.Type.WithDims(dims)), kernel}, attrs, []ir.Type{t.WithDims(made)})).Result()
	if slices.IsSorted(permutation) {
		return out
	}
	return b.Transpose(out, permutation)
}
