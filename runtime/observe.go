package runtime

// This file defines Observer, and what it is told.

import (
	"slices"

	"github.com/gospmd/gospmd/ir"
	"github.com/gospmd/gospmd/runtime/goengine/interp"
)

// Observer is told the values that programs compute: see Options.
type Observer interface {
	Observe(v Observed)
}

// Observed is a value that the engine written in Go has computed on a device: a result of an op. It
// is valid until Observe returns.
type Observed struct {
	Op     *ir.Op // op of the program that each device runs; its Loc names the layer
	Result int    // which result of Op
	Device int    // the position in the program's mesh
	Type   ir.Type

	data []byte
}

// Numbers returns the elements row by row, of complex numbers the real parts.
func (w Observed) Numbers() []float64 {
	return (&ir.Dense{Type: w.Type, Data: w.data}).Float64s()
}

// observer returns the function that the engine calls with the results of an op; nil for none. It
// passes each result to o.Observer, but not a nil one, and one that an op returns twice only once.
func (o Options) observer() func(device int, op *ir.Op, results []*interp.Tensor) {
	if o.Observer == nil {
		return nil
	}
	return func(device int, op *ir.Op, results []*interp.Tensor) {
		for i, r := range results {
			if r != nil && !slices.Contains(results[:i], r) {
				o.Observer.Observe(Observed{Op: op, Result: i, Device: device, Type: r.Type, data: r.Data})
			}
		}
	}
}
