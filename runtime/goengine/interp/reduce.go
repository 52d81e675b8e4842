package interp

// This file implements reduce, reduce_window and select_and_scatter. It also implements batch
// normalization, which is computed in double precision for every element type.

import (
	"math"

	"github.com/gomlx/compute/dtypes"

	"github.com/gospmd/gospmd/internal/rowmajor"
	"github.com/gospmd/gospmd/ir"
)

// runReduce computes the op reduce: it combines the initial values with the elements along the
// dimensions, in row-major order. Simple reductions have a fast form; other bodies are interpreted.
func runReduce(c *call) error {
	n := len(c.out)
	reduced := make([]bool, c.in[0].Type.Rank())
	for _, d := range c.op.Reduce().Dimensions() {
		reduced[d] = true
	}
	kind, simple := ir.ReductionOf(c.op)
	if simple && n == 1 {
		x, init := widen(c.in[0]), widen(c.in[1])
		if f := reducers[x.Type.DType]; f != nil && f.has(kind) && x.Type.DType == wideType(c.op.Results[0].Type.DType) {
			out := c.newResult(0)
			f.reduce(kind, x, init, out, reduced)
			c.set(0, narrow(out, c.op.Results[0].Type.DType))
			return nil
		}
	}
	in, err := c.promotedOperands(2 * n)
	if err != nil {
		return err
	}
	for i := range n {
		out := c.newRaw(i)
		fill(out.Data, in[n+i].Data)
	}
	w := newWalk(c.in[0].Type.Dims, reduced)
	body, args := c.body(0), make([]*Tensor, 2*n)
	w.rows(func(o, i int) {
		for k := 0; k < w.n && err == nil; k++ {
			at := o + k*w.step
			for r := range n {
				args[r], args[n+r] = element(c.out[r], at), element(in[r], i+k)
			}
			err = c.update(body, args, at)
		}
	})
	return err
}

// update runs the body on args, and writes its results to element at of the op's results, whose
// values may be among args.
func (c *call) update(body func(args ...*Tensor) ([]*Tensor, error), args []*Tensor, at int) error {
	results, err := body(args...)
	if err != nil {
		return err
	}
	// a result may be an argument, and share its memory with another result
	copies := make([][]byte, len(results))
	for i, r := range results {
		copies[i] = append([]byte(nil), r.Data...)
	}
	for i, data := range copies {
		setElement(c.out[i], at, &Tensor{c.out[i].Type, data})
	}
	return nil
}

// promotedOperands returns the first n operands with the element types of the results,
// which may be wider: operand i has the type of result i modulo their number.
func (c *call) promotedOperands(n int) ([]*Tensor, error) {
	out := make([]*Tensor, n)
	for i := range out {
		var err error
		if out[i], err = convertTo(c.in[i], c.op.Results[i%len(c.out)].Type.DType); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// window iterates over the places of a window in a padded and dilated operand.
type window struct {
	dims                                 []int // of the operand
	sizes, strides, base, dilation, lows []int
}

// each calls visit for the operand's elements in the window at a place, in row-major order, with
// their offsets in the operand.
func (w *window) each(place []int, visit func(at int)) {
	own := rowmajor.Strides(w.dims, 1)
	w.taps(place, func(_ int, at []int) { visit(rowmajor.Offset(at, own)) })
}

// taps is each, except that visit gets the number of the element in the window, and its index in
// the operand. The index is the same slice in every call.
func (w *window) taps(place []int, visit func(tap int, at []int)) {
	at, tap := make([]int, len(w.dims)), -1
	rowmajor.Each(w.sizes, func(index []int) {
		tap++
		for d, k := range index {
			x := place[d]*w.strides[d] + k*w.dilation[d] - w.lows[d]
			if x < 0 || x%w.base[d] != 0 || x/w.base[d] >= w.dims[d] {
				return
			}
			at[d] = x / w.base[d]
		}
		visit(tap, at)
	})
}

func lows(padding [][]int) []int {
	out := make([]int, len(padding))
	for i, row := range padding {
		out[i] = row[0]
	}
	return out
}

func ones(n int) []int {
	out := make([]int, n)
	for i := range out {
		out[i] = 1
	}
	return out
}

func runReduceWindow(c *call) error {
	n := len(c.out)
	op := c.op.ReduceWindow()
	w := &window{dims: c.in[0].Type.Dims, sizes: op.WindowDimensions(), strides: op.WindowStrides(),
		base: op.BaseDilations(), dilation: op.WindowDilations(), lows: lows(op.Padding())}
	in, err := c.promotedOperands(2 * n)
	if err != nil {
		return err
	}
	kind, simple := ir.ReductionOf(c.op)
	if simple && n == 1 {
		x, init := widen(in[0]), widen(in[1])
		if combine := combiner(kind, x.Type.DType); combine != nil {
			out := c.newResult(0)
			fill(out.Data, init.Data)
			add, o := combine(out, x), 0
			rowmajor.Each(out.Type.Dims, func(place []int) {
				w.each(place, func(i int) { add(o, i) })
				o++
			})
			c.set(0, narrow(out, c.op.Results[0].Type.DType))
			return nil
		}
	}
	for i := range n {
		out := c.newRaw(i)
		fill(out.Data, in[n+i].Data)
	}
	body, args, o := c.body(0), make([]*Tensor, 2*n), 0
	rowmajor.Each(c.out[0].Type.Dims, func(place []int) {
		w.each(place, func(i int) {
			if err != nil {
				return
			}
			for r := range n {
				args[r], args[n+r] = element(c.out[r], o), element(in[r], i)
			}
			err = c.update(body, args, o)
		})
		o++
	})
	return err
}

// runSelectAndScatter selects an element of each window by the first region. It combines the
// source's element into the result at that place by the second region.
func runSelectAndScatter(c *call) error {
	x, source := c.in[0], c.in[1]
	rank := x.Type.Rank()
	op := c.op.SelectAndScatter()
	w := &window{dims: x.Type.Dims, sizes: op.WindowDimensions(), strides: op.WindowStrides(),
		base: ones(rank), dilation: ones(rank), lows: lows(op.Padding())}
	d := c.op.Results[0].Type.DType
	source, err := convertTo(source, d)
	if err != nil {
		return err
	}
	init, err := convertTo(c.in[2], d)
	if err != nil {
		return err
	}
	out := c.newRaw(0)
	fill(out.Data, init.Data)
	choose, combine, o := c.body(0), c.body(1), 0
	rowmajor.Each(source.Type.Dims, func(place []int) {
		chosen := -1
		w.each(place, func(i int) {
			if err != nil {
				return
			}
			if chosen < 0 {
				chosen = i
				return
			}
			var keep []*Tensor
			if keep, err = choose(element(x, chosen), element(x, i)); err == nil && !Truth(keep[0]) {
				chosen = i
			}
		})
		if chosen >= 0 && err == nil {
			err = c.update(combine, []*Tensor{element(out, chosen), element(source, o)}, chosen)
		}
		o++
	})
	return err
}

// features assigns the elements of a tensor to features, as batch normalization does: element i
// belongs to feature indexOf(i).
type features struct {
	count, inner, size int
}

func featuresOf(c *call) features {
	dims, f := c.in[0].Type.Dims, c.op.Int("feature_index")
	inner := 1
	for _, d := range dims[f+1:] {
		inner *= d
	}
	return features{dims[f], inner, c.in[0].Type.Size()}
}

func (f features) indexOf(i int) int { return i / f.inner % f.count }

// sums returns, for each feature, the sum of value over its elements.
func (f features) sums(value func(i int) float64) []float64 {
	out := make([]float64, f.count)
	for i := range f.size {
		out[f.indexOf(i)] += value(i)
	}
	return out
}

// per returns the number of elements of each feature.
func (f features) per() float64 { return float64(f.size) / float64(f.count) }

func (c *call) epsilon() float64 { return float64(c.op.Attrs.Get("epsilon").(ir.Float)) }

// doubles returns the elements of the operands as float64, one slice for each.
func (c *call) doubles() ([][]float64, error) {
	out := make([][]float64, len(c.in))
	for i, t := range c.in {
		wide, err := convertTo(t, dtypes.Float64)
		if err != nil {
			return nil, err
		}
		out[i] = view[float64](wide)
	}
	return out, nil
}

// setDoubles makes result i with the elements x, in the type that arithmetic uses. That type may be
// larger than the type of the op's result: so only wide kernels, whose results are narrowed
// afterwards, may call it. A type that float64 cannot be converted to is an error.
func (c *call) setDoubles(i int, x []float64) error {
	t := c.op.Results[i].Type
	wide := New(t.WithDType(dtypes.Float64))
	copy(view[float64](wide), x)
	out, err := convertTo(wide, wideType(t.DType))
	c.set(i, out)
	return err
}

func runBatchNormInference(c *call) error {
	in, err := c.doubles()
	if err != nil {
		return err
	}
	x, scale, offset, mean, variance := in[0], in[1], in[2], in[3], in[4]
	return c.setDoubles(0, c.normalize(x, scale, offset, mean, variance))
}

func (c *call) normalize(x, scale, offset, mean, variance []float64) []float64 {
	f, out := featuresOf(c), make([]float64, len(x))
	for i, v := range x {
		k := f.indexOf(i)
		out[i] = (v-mean[k])/math.Sqrt(variance[k]+c.epsilon())*scale[k] + offset[k]
	}
	return out
}

func runBatchNormTraining(c *call) error {
	in, err := c.doubles()
	if err != nil {
		return err
	}
	x, f := in[0], featuresOf(c)
	mean := f.sums(func(i int) float64 { return x[i] })
	for k := range mean {
		mean[k] /= f.per()
	}
	variance := f.sums(func(i int) float64 { d := x[i] - mean[f.indexOf(i)]; return d * d })
	for k := range variance {
		variance[k] /= f.per()
	}
	for i, v := range [][]float64{c.normalize(x, in[1], in[2], mean, variance), mean, variance} {
		if err := c.setDoubles(i, v); err != nil {
			return err
		}
	}
	return nil
}

func runBatchNormGrad(c *call) error {
	in, err := c.doubles()
	if err != nil {
		return err
	}
	x, scale, mean, variance, grad := in[0], in[1], in[2], in[3], in[4]
	f := featuresOf(c)
	n := f.per()
	inverse := make([]float64, f.count) // 1 / the standard deviation of each feature
	for k := range inverse {
		inverse[k] = 1 / math.Sqrt(variance[k]+c.epsilon())
	}
	gradOffset := f.sums(func(i int) float64 { return grad[i] })
	centered := f.sums(func(i int) float64 { return grad[i] * (x[i] - mean[f.indexOf(i)]) })
	gradScale := make([]float64, f.count)
	for k := range gradScale {
		gradScale[k] = centered[k] * inverse[k]
	}
	gradOperand := make([]float64, len(x))
	for i := range gradOperand {
		k := f.indexOf(i)
		gradOperand[i] = scale[k] * inverse[k] / n *
			(n*grad[i] - gradOffset[k] - (x[i]-mean[k])*inverse[k]*inverse[k]*centered[k])
	}
	for i, v := range [][]float64{gradOperand, gradScale, gradOffset} {
		if err := c.setDoubles(i, v); err != nil {
			return err
		}
	}
	return nil
}
