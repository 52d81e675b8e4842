package initializers

// This file defines the initializers that draw from one distribution whatever
// the shape.

import (
	"github.com/gomlx/compute/dtypes"

	"github.com/gospmd/gospmd/keras/random"
	"github.com/gospmd/gospmd/layout"
)

// drawn fills with numbers of one distribution.
type drawn struct {
	base
	pairs []any // for Config
	fill  func(k random.Key, dst any, global []int, ranges []layout.Range) error
}

// RandomNormal draws normal numbers. Options: Seed, Mean (0 by default), Stddev
// (0.05).
func RandomNormal(opts ...Option) Initializer {
	d := &drawn{base: newBase("RandomNormal", options{stddev: 0.05}, opts, "Seed", "Mean", "Stddev")}
	d.pairs = []any{"mean", d.o.mean, "stddev", d.o.stddev}
	d.fill = func(k random.Key, dst any, global []int, ranges []layout.Range) error {
		return k.FillNormal(dst, global, ranges, d.o.mean, d.o.stddev)
	}
	return d
}

// TruncatedNormal draws normal numbers no farther than two standard deviations
// from the mean. Options: Seed, Mean (0 by default), Stddev (0.05).
func TruncatedNormal(opts ...Option) Initializer {
	d := &drawn{base: newBase("TruncatedNormal", options{stddev: 0.05}, opts, "Seed", "Mean", "Stddev")}
	d.pairs = []any{"mean", d.o.mean, "stddev", d.o.stddev}
	d.fill = func(k random.Key, dst any, global []int, ranges []layout.Range) error {
		return k.FillTruncatedNormal(dst, global, ranges, d.o.mean, d.o.stddev)
	}
	return d
}

// RandomUniform draws uniform numbers. Options: Seed, Range ([-0.05, 0.05) by
// default).
func RandomUniform(opts ...Option) Initializer {
	d := &drawn{base: newBase("RandomUniform", options{minval: -0.05, maxval: 0.05}, opts, "Seed", "Range")}
	d.pairs = []any{"minval", d.o.minval, "maxval", d.o.maxval}
	d.fill = func(k random.Key, dst any, global []int, ranges []layout.Range) error {
		return k.FillUniform(dst, global, ranges, d.o.minval, d.o.maxval)
	}
	return d
}

// Config returns the seed and the parameters of the distribution.
func (d *drawn) Config() map[string]any { return d.config(true, d.pairs...) }

// Fill draws the numbers in the ranges.
func (d *drawn) Fill(dst any, dtype dtypes.DType, global []int, ranges []layout.Range) error {
	if err := d.check(dst, dtype, global, ranges); err != nil {
		return err
	}
	return d.wrap(d.fill(d.key, dst, global, ranges))
}
