package interp

// This file implements convolution, as one matrix product for each group: the
// windows of the input as rows, the kernel as columns. GoMLX's Go backend, whose
// convolution is loops, takes 2.7 times as long (package goengine's
// BenchmarkConvolution).

import (
	"github.com/gospmd/gospmd/internal/rowmajor"
	"github.com/gospmd/gospmd/ir"
)

func runConvolution(c *call) error {
	d, out := c.op.Convolution().DimensionNumbers(), c.new(0)
	lhs, err := convertTo(c.in[0], out.Type.DType)
	if err != nil {
		return err
	}
	rhs, err := convertTo(c.in[1], out.Type.DType)
	if err != nil {
		return err
	}
	multiply := multipliers[out.Type.DType]
	if multiply == nil {
		return c.unsupported(out.Type.DType)
	}
	// Input as batch, spatial…, feature; kernel as output feature, spatial…,
	// input feature; output as batch, spatial…, feature.
	lhs = transposed(lhs, around(d.InputBatch, d.InputSpatial, d.InputFeature))
	rhs = transposed(rhs, around(d.KernelOutputFeature, d.KernelSpatial, d.KernelInputFeature))
	rank := lhs.Type.Rank()
	g := &convGroups{batches: c.op.Int("batch_group_count"), features: c.op.Int("feature_group_count")}
	w := &window{lhs.Type.Dims[1 : rank-1], rhs.Type.Dims[1 : rank-1], c.op.Ints("window_strides"), c.op.Ints("lhs_dilation"),
		c.op.Ints("rhs_dilation"), lows(c.op.Matrix("padding"))}
	if r, ok := c.op.Attrs.Get("window_reversal").(ir.Bools); ok {
		rhs = reversed(rhs, r)
	}
	outDims := make([]int, rank)
	permutation := around(d.OutputBatch, d.OutputSpatial, d.OutputFeature)
	for i, p := range permutation {
		outDims[i] = out.Type.Dims[p]
	}
	result := New(out.Type.WithDims(outDims))
	if len(result.Data) > 0 {
		g.convolve(lhs, rhs, result, w, multiply)
	}
	back := make([]int, rank)
	for i, p := range permutation {
		back[p] = i
	}
	c.set(0, transposed(result, back))
	return nil
}

func around(first int, middle []int, last int) []int {
	return append(append([]int{first}, middle...), last)
}

// reversed flips the spatial dimensions of a kernel where the list says so.
func reversed(t *Tensor, flip []bool) *Tensor {
	from, at, elem := rowmajor.Strides(t.Type.Dims, t.elem()), 0, t.elem()
	flips := false
	for i, f := range flip {
		if f {
			flips = true
			at += (t.Type.Dims[i+1] - 1) * from[i+1]
			from[i+1] = -from[i+1]
		}
	}
	if !flips || len(t.Data) == 0 {
		return t
	}
	out := New(t.Type)
	rowmajor.CopyStrided(out.Data, 0, rowmajor.Strides(t.Type.Dims, elem), t.Data, at, from, t.Type.Dims, elem)
	return out
}

// convGroups says in how many groups batch or features fall; one of the two
// is 1.
type convGroups struct{ batches, features int }

// convolve fills out group by group. A group reads its part of the input's
// batch or features, and makes its part of the output's features.
func (g *convGroups) convolve(lhs, rhs, out *Tensor, w *window, multiply func(x, y, z *Tensor, n, k, m int)) {
	elem, last := lhs.elem(), lhs.Type.Rank()-1
	groups := g.batches * g.features
	batch := lhs.Type.Dims[0] / g.batches
	inFeatures := lhs.Type.Dims[last] / g.features
	outFeatures := rhs.Type.Dims[0] / groups
	places := out.Type.Dims[1:last]
	count := 1
	for _, p := range places {
		count *= p
	}
	taps := 1
	for _, s := range w.sizes {
		taps *= s
	}
	own := rowmajor.Strides(lhs.Type.Dims, elem)
	k := taps * inFeatures
	for group := range groups {
		firstBatch, firstFeature := 0, 0
		if g.batches > 1 {
			firstBatch = group * batch
		} else {
			firstFeature = group * inFeatures
		}
		kernel := &Tensor{rhs.Type, rhs.Data[group*outFeatures*k*elem:][:outFeatures*k*elem]}
		for b := range batch {
			rows := New(ir.Tensor(lhs.Type.DType, count, k))
			base, row := (firstBatch+b)*own[0]+firstFeature*elem, 0
			rowmajor.Each(places, func(place []int) {
				w.taps(place, func(tap int, at []int) {
					src := base + rowmajor.Offset(at, own[1:last])
					copy(rows.Data[(row*k+tap*inFeatures)*elem:][:inFeatures*elem], lhs.Data[src:])
				})
				row++
			})
			part := New(ir.Tensor(out.Type.DType, count, outFeatures))
			multiply(rows, kernel, part, count, k, outFeatures)
			width := out.Type.Dims[last] * elem
			for p := range count {
				copy(out.Data[(b*count+p)*width+group*outFeatures*elem:], part.Data[p*outFeatures*elem:][:outFeatures*elem])
			}
		}
	}
}
