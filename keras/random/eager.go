package random

// This file defines the functions of keras.random, which make full tensors on
// the host without an engine.

import (
	"fmt"

	"github.com/gomlx/compute/dtypes"
	"github.com/gomlx/compute/shapes"
	"github.com/gomlx/gomlx/core/tensors"

	"github.com/gospmd/gospmd/internal/option"
	"github.com/gospmd/gospmd/layout"
)

// Option configures a function, which takes the options that its comment names.
type Option = option.Option[options]

type options struct {
	dtype         dtypes.DType
	mean, stddev  float64
	minval, limit float64
}

// DType sets the element type: float32 by default, int32 for RandInt.
func DType(d dtypes.DType) Option { return option.New("DType", func(o *options) { o.dtype = d }) }

// Mean sets the mean, 0 by default.
func Mean(m float64) Option { return option.New("Mean", func(o *options) { o.mean = m }) }

// Stddev sets the standard deviation, 1 by default; for TruncatedNormal, the one
// before truncation.
func Stddev(s float64) Option { return option.New("Stddev", func(o *options) { o.stddev = s }) }

// Range sets the interval [minval, maxval), [0, 1) by default.
func Range(minval, maxval float64) Option {
	return option.New("Range", func(o *options) { o.minval, o.limit = minval, maxval })
}

// Normal returns normal numbers: keras.random.normal. Options: DType, Mean,
// Stddev.
func Normal(shape []int, seed Source, opts ...Option) (*tensors.Tensor, error) {
	return eager("Normal", shape, seed, opts, []string{"DType", "Mean", "Stddev"}, dtypes.Float32,
		func(k Key, dst any, all []layout.Range, o options) error {
			return k.FillNormal(dst, shape, all, o.mean, o.stddev)
		})
}

// TruncatedNormal returns normal numbers no farther than two standard
// deviations from the mean: keras.random.truncated_normal. Options: DType,
// Mean, Stddev.
func TruncatedNormal(shape []int, seed Source, opts ...Option) (*tensors.Tensor, error) {
	return eager("TruncatedNormal", shape, seed, opts, []string{"DType", "Mean", "Stddev"}, dtypes.Float32,
		func(k Key, dst any, all []layout.Range, o options) error {
			return k.FillTruncatedNormal(dst, shape, all, o.mean, o.stddev)
		})
}

// Uniform returns uniform numbers: keras.random.uniform. Options: DType, Range.
func Uniform(shape []int, seed Source, opts ...Option) (*tensors.Tensor, error) {
	return eager("Uniform", shape, seed, opts, []string{"DType", "Range"}, dtypes.Float32,
		func(k Key, dst any, all []layout.Range, o options) error {
			return k.FillUniform(dst, shape, all, o.minval, o.limit)
		})
}

// RandInt returns integers uniform in [minval, maxval): keras.random.randint.
// Options: DType.
func RandInt(shape []int, minval, maxval int64, seed Source, opts ...Option) (*tensors.Tensor, error) {
	return eager("RandInt", shape, seed, opts, []string{"DType"}, dtypes.Int32,
		func(k Key, dst any, all []layout.Range, o options) error {
			return k.FillRandInt(dst, shape, all, minval, maxval)
		})
}

// eager applies the options of a function and fills a tensor.
func eager(op string, shape []int, seed Source, opts []Option, accepts []string, dtype dtypes.DType,
	fill func(k Key, dst any, all []layout.Range, o options) error) (*tensors.Tensor, error) {
	o := options{dtype: dtype, stddev: 1, limit: 1}
	if err := option.Apply(op, &o, opts, accepts...); err != nil {
		return nil, fmt.Errorf("random: %w", err)
	}
	all := make([]layout.Range, len(shape))
	for i, d := range shape {
		if d < 0 {
			return nil, fmt.Errorf("random: %s: got shape %v: want no negative dimension", op, shape)
		}
		all[i] = layout.Range{Start: 0, Limit: d}
	}
	if dtype.IsFloat() != o.dtype.IsFloat() || o.dtype == dtypes.InvalidDType {
		return nil, fmt.Errorf("random: %s: cannot make numbers of dtype %s: want one like %s", op, o.dtype, dtype)
	}
	key, err := keyOf(seed)
	if err != nil {
		return nil, err
	}
	t := tensors.FromShape(shapes.Make(o.dtype, shape...))
	var fillErr error
	if err := t.MutableFlatData(func(flat any) { fillErr = fill(key, flat, all, o) }); err != nil {
		return nil, fmt.Errorf("random: %s: %w", op, err)
	}
	return t, fillErr
}
