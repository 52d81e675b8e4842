package interp

// This file implements the batch normalization ops, in double precision.

import (
	"math"

	"github.com/gomlx/compute/dtypes"

	"github.com/gospmd/gospmd/ir"
)

// features is a tensor seen by features: element i belongs to feature of(i).
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

func (f features) of(i int) int { return i / f.inner % f.count }

// sums adds up what value says of every element, by feature.
func (f features) sums(value func(i int) float64) []float64 {
	out := make([]float64, f.count)
	for i := range f.size {
		out[f.of(i)] += value(i)
	}
	return out
}

// per returns how many elements each feature has.
func (f features) per() float64 { return float64(f.size) / float64(f.count) }

func (c *call) epsilon() float64 { return float64(c.op.Attrs.Get("epsilon").(ir.Float)) }

// doubles returns the operands as float64.
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

// setDoubles makes result i.
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
	return c.setDoubles(0, c.normalized(x, scale, offset, mean, variance))
}

func (c *call) normalized(x, scale, offset, mean, variance []float64) []float64 {
	f, out := featuresOf(c), make([]float64, len(x))
	for i, v := range x {
		k := f.of(i)
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
	variance := f.sums(func(i int) float64 { d := x[i] - mean[f.of(i)]; return d * d })
	for k := range variance {
		variance[k] /= f.per()
	}
	for i, v := range [][]float64{c.normalized(x, in[1], in[2], mean, variance), mean, variance} {
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
	inverse := make([]float64, f.count) // of the standard deviation
	for k := range inverse {
		inverse[k] = 1 / math.Sqrt(variance[k]+c.epsilon())
	}
	gradOffset := f.sums(func(i int) float64 { return grad[i] })
	centered := f.sums(func(i int) float64 { return grad[i] * (x[i] - mean[f.of(i)]) })
	gradScale := make([]float64, f.count)
	for k := range gradScale {
		gradScale[k] = centered[k] * inverse[k]
	}
	gradOperand := make([]float64, len(x))
	for i := range gradOperand {
		k := f.of(i)
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
