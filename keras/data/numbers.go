package data

// This file reads the numbers in tensors of any type.

import (
	"fmt"

	"github.com/gomlx/compute/dtypes"
	"github.com/gomlx/compute/dtypes/bfloat16"
	"github.com/gomlx/compute/dtypes/float16"
	"github.com/gomlx/gomlx/core/tensors"
)

// Numbers calls visit with the place and the value of each element, row-major,
// until it returns false. A boolean counts 0 or 1.
func Numbers(t *tensors.Tensor, visit func(i int, v float64) bool) error {
	known := true
	err := t.ConstFlatData(func(flat any) {
		switch flat := flat.(type) {
		case []float32:
			each(flat, visit)
		case []float64:
			each(flat, visit)
		case []int8:
			each(flat, visit)
		case []int16:
			each(flat, visit)
		case []int32:
			each(flat, visit)
		case []int64:
			each(flat, visit)
		case []uint8:
			each(flat, visit)
		case []uint16:
			each(flat, visit)
		case []uint32:
			each(flat, visit)
		case []uint64:
			each(flat, visit)
		case []float16.Float16:
			eachAs(flat, visit, func(x float16.Float16) float64 { return float64(x.Float32()) })
		case []bfloat16.BFloat16:
			eachAs(flat, visit, func(x bfloat16.BFloat16) float64 { return float64(x.Float32()) })
		case []bool:
			eachAs(flat, visit, func(x bool) float64 {
				if x {
					return 1
				}
				return 0
			})
		default:
			known = false
		}
	})
	if err == nil && !known {
		err = fmt.Errorf("got numbers of type %s, want real ones of whole bytes", t.DType())
	}
	return err
}

func each[T float32 | float64 | int8 | int16 | int32 | int64 | uint8 | uint16 | uint32 | uint64](flat []T, visit func(int, float64) bool) {
	eachAs(flat, visit, func(x T) float64 { return float64(x) })
}

func eachAs[T any](flat []T, visit func(int, float64) bool, number func(T) float64) {
	for i, x := range flat {
		if !visit(i, number(x)) {
			return
		}
	}
}

// Floats returns a copy of a tensor's numbers as float32. Booleans are none.
func Floats(t *tensors.Tensor) ([]float32, error) {
	if t.DType() == dtypes.Bool {
		return nil, fmt.Errorf("got numbers of type %s, want floats or integers", t.DType())
	}
	out := make([]float32, t.Size())
	err := Numbers(t, func(i int, v float64) bool {
		out[i] = float32(v)
		return true
	})
	return out, err
}
