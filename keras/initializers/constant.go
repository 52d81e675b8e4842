package initializers

// This file defines the initializers that compute no random numbers.

import (
	"fmt"
	"reflect"

	"github.com/gomlx/compute/dtypes"
	"github.com/gomlx/compute/shapes"

	"github.com/gospmd/gospmd/layout"
)

type constant struct {
	base
	value  float64
	config map[string]any
}

// Zeros fills with 0.
func Zeros() Initializer { return &constant{newBase("Zeros", options{}, nil), 0, map[string]any{}} }

// Ones fills with 1.
func Ones() Initializer { return &constant{newBase("Ones", options{}, nil), 1, map[string]any{}} }

// Constant fills with value, converted to the dtype.
func Constant(value float64) Initializer {
	return &constant{newBase("Constant", options{}, nil), value, map[string]any{"value": value}}
}

// Config returns the value of Constant; Zeros and Ones have no options.
func (c *constant) Config() map[string]any { return c.config }

// Fill writes the value.
func (c *constant) Fill(dst any, dtype dtypes.DType, global []int, ranges []layout.Range) error {
	if err := c.check(dst, dtype, global, ranges); err != nil {
		return err
	}
	repeat(reflect.ValueOf(dst), c.value, dtype)
	return nil
}

// repeat sets all elements of a slice, by doubling the part that is set.
func repeat(dst reflect.Value, value float64, dtype dtypes.DType) {
	if dst.Len() == 0 {
		return
	}
	dst.Index(0).Set(scalar(value, dtype))
	for n := 1; n < dst.Len(); n *= 2 {
		reflect.Copy(dst.Slice(n, dst.Len()), dst.Slice(0, n))
	}
}

func scalar(value float64, dtype dtypes.DType) reflect.Value {
	return reflect.ValueOf(shapes.CastAsDType(value, dtype))
}

type identity struct{ base }

// Identity makes a matrix with the gain on its diagonal and 0 elsewhere. The
// tensor must have two dimensions. Options: Gain (1 by default).
func Identity(opts ...Option) Initializer {
	return &identity{newBase("Identity", options{gain: 1}, opts, "Gain")}
}

// Config returns the gain.
func (d *identity) Config() map[string]any { return d.config(false, "gain", d.o.gain) }

// Fill writes the part of the matrix in ranges.
func (d *identity) Fill(dst any, dtype dtypes.DType, global []int, ranges []layout.Range) error {
	if err := d.check(dst, dtype, global, ranges); err != nil {
		return err
	}
	if len(global) != 2 {
		return fmt.Errorf("initializers: Identity: got shape %v: want two dimensions", global)
	}
	out := reflect.ValueOf(dst)
	repeat(out, 0, dtype)
	rows, columns := ranges[0], ranges[1]
	for i := max(rows.Start, columns.Start); i < min(rows.Limit, columns.Limit); i++ {
		out.Index((i-rows.Start)*columns.Len() + i - columns.Start).Set(scalar(d.o.gain, dtype))
	}
	return nil
}
