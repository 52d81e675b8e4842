package difftest

// This file says when two results are the same.

import (
	"fmt"
	"math"
	"reflect"
)

// tolerance is how far floats may be apart, relative to the largest one of the
// output: by the bits of their type.
var tolerance = map[int]float64{2: 0.05, 4: 2e-4, 8: 1e-9}

// Compare returns what differs between the outputs of two runs: flat slices in
// the order of the program's results.
//
// Integers and booleans must be equal; so must floats of an exact output, but
// for the sign of zero. Others must be equal up to a tolerance, and NaN and
// infinite in the same places.
func (p *Program) Compare(want, got []any) error {
	for i := range want {
		w, g := reflect.ValueOf(want[i]), reflect.ValueOf(got[i])
		if w.Len() != g.Len() || w.Type() != g.Type() {
			return fmt.Errorf("output %d: got %d elements of %s, want %d of %s", i, g.Len(), g.Type(), w.Len(), w.Type())
		}
		largest := 1.0
		for k := range w.Len() {
			for _, f := range parts(w.Index(k)) {
				if a := math.Abs(f); a > largest && !math.IsInf(f, 0) {
					largest = a
				}
			}
		}
		eps := 0.0
		if !p.Exact[i] {
			eps = largest * tolerance[int(w.Type().Elem().Size())/max(1, len(partsOf(w)))]
		}
		for k := range w.Len() {
			if !same(w.Index(k), g.Index(k), eps) {
				return fmt.Errorf("output %d, element %d: got %v, want %v\ngot  %v\nwant %v", i, k, g.Index(k), w.Index(k), got[i], want[i])
			}
		}
	}
	return nil
}

// partsOf returns the parts of the first element: two of a complex number.
func partsOf(v reflect.Value) []float64 {
	if v.Len() == 0 {
		return nil
	}
	return parts(v.Index(0))
}

// parts returns a float, or the parts of a complex number; nil for integers.
func parts(v reflect.Value) []float64 {
	if f, ok := v.Interface().(interface{ Float32() float32 }); ok {
		return []float64{float64(f.Float32())}
	}
	switch {
	case v.CanFloat():
		return []float64{v.Float()}
	case v.CanComplex():
		return []float64{real(v.Complex()), imag(v.Complex())}
	}
	return nil
}

func same(want, got reflect.Value, eps float64) bool {
	w, g := parts(want), parts(got)
	if w == nil {
		return want.Equal(got)
	}
	for i := range w {
		switch {
		case math.IsNaN(w[i]) && math.IsNaN(g[i]):
		case w[i] == g[i]:
		case math.Abs(w[i]-g[i]) <= eps:
		default:
			return false
		}
	}
	return true
}
