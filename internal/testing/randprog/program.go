package randprog

// This file defines Program and how to make one, makes its arguments, and compares results.

import (
	"cmp"
	"fmt"
	"math"
	"math/rand/v2"
	"reflect"

	"github.com/gomlx/compute/dtypes/bfloat16"
	"github.com/gomlx/compute/dtypes/float16"
	"github.com/gospmd/gospmd/ir"
	"github.com/gospmd/gospmd/mesh"
)

// Program is a random program on a mesh, with layouts on some of its values. Exact says for each
// output whether two runs must have equal numbers, or else numbers within a tolerance; Seed is the
// number that New was given.
type Program struct {
	Module *ir.Module
	Mesh   *mesh.DeviceMesh
	Exact  []bool // for each output: whether both runs must agree bit for bit
	// Signs says that exact outputs must also agree in the sign of zeros. XLA replaces x + 0.0 by
	// x, which loses the sign.
	Signs bool
	Seed  uint64
}

// New returns the program of a seed. Equal seeds and options give equal
// programs.
func New(seed uint64, o Options) *Program {
	g := &generator{rng: rand.New(rand.NewPCG(seed, 0x5eed)), bound: map[*ir.Value]float64{}, kinds: o.Kinds, anyOrder: o.AnyOrder, loose: o.Propagation}
	if g.loose == nil {
		g.start(cmp.Or(o.Devices, 8), Kinds)
		for range 1 + g.rng.IntN(cmp.Or(o.Ops, 4)) {
			g.step()
		}
	} else {
		g.start(cmp.Or(o.Devices, 1728), Wide)
		g.addMeshes()
		g.addFuncs()
		for g.f.Body.Len() < cmp.Or(o.Ops, 4) {
			g.step()
		}
	}
	p := g.finish(seed)
	if !o.OwnRules {
		g.rng = rand.New(rand.NewPCG(seed, 0x41e5)) // a second generator, so that rules change nothing else
		g.stateRules()
	}
	return p
}

// Single returns a copy of the program for one device: without mesh, layouts and sharding
// constraints.
func (p *Program) Single() *ir.Module {
	m := p.Module.Clone()
	m.Meshes = nil
	f := m.Main()
	for _, p := range f.Params() {
		p.Sharding = nil
	}
	f.Walk(strip)
	for i := range f.Results {
		f.Results[i].Sharding = nil
	}
	return m
}

// strip removes the layouts from the results of op and from the arguments of its regions. If op is
// a sharding constraint, its operand replaces it.
func strip(op *ir.Op) {
	for _, r := range op.Results {
		r.Sharding = nil
	}
	for _, b := range op.Regions {
		for _, a := range b.Args {
			a.Sharding = nil
		}
	}
	if op.Kind == ir.OpShardingConstraint {
		op.ReplaceWith(op.Operands[0])
	}
}

// Inputs returns flat slices for the parameters of the program. They depend only on the program.
// Numbers are integers from -4 to 4, or from 0 to 8 in unsigned types, so that some indices are out
// of range. Zeros of floats have either sign, and one of four tensors of floats or complex numbers
// has infinities and NaN.
func (p *Program) Inputs() []any {
	rng := rand.New(rand.NewPCG(p.Seed, 0xda7a))
	var out []any
	for _, param := range p.Module.Main().Params() {
		out = append(out, random(param.Type, rng))
	}
	return out
}

func random(t ir.Type, rng *rand.Rand) any {
	out := reflect.MakeSlice(reflect.SliceOf(t.DType.GoType()), t.Size(), t.Size())
	rare := 0 // one of that many numbers is not finite; 0: none
	if rng.IntN(4) == 0 {
		rare = 2 + rng.IntN(16)
	}
	for i := range t.Size() {
		n := int64(rng.IntN(9)) - 4
		e := out.Index(i)
		switch v := e.Addr().Interface().(type) {
		case *bool:
			*v = n > 0
		case *bfloat16.BFloat16:
			*v = bfloat16.FromFloat32(float32(special(float64(n), rare, rng)))
		case *float16.Float16:
			*v = float16.FromFloat32(float32(special(float64(n), rare, rng)))
		default:
			switch {
			case e.CanFloat():
				e.SetFloat(special(float64(n), rare, rng))
			case e.CanInt():
				e.SetInt(n)
			case e.CanComplex():
				e.SetComplex(complex(special(float64(n), rare, rng), special(float64(rng.IntN(5)-2), rare, rng)))
			default:
				e.SetUint(uint64(n + 4))
			}
		}
	}
	return out.Interface()
}

// special returns v, but a 0 gets a random sign, and one number of rare becomes infinite or NaN;
// none if rare is 0.
func special(v float64, rare int, rng *rand.Rand) float64 {
	switch {
	case rare > 0 && rng.IntN(rare) == 0:
		return []float64{math.Inf(1), math.Inf(-1), math.NaN()}[rng.IntN(3)]
	case v == 0 && rng.IntN(2) == 0:
		return math.Copysign(0, -1)
	}
	return v
}

// tolerance is the largest difference of floats, relative to the largest one of the output, by the
// number of bits of their type.
var tolerance = map[int]float64{2: 0.1, 4: 2e-4, 8: 1e-9}

// Compare returns an error that says where the outputs of two runs differ. Outputs are flat slices,
// in the order of the program's results.
//
// Integers and booleans must be equal; so must floats of an exact output, with the sign of zeros if
// p.Signs says so. Other floats must be equal within a tolerance, and be NaN or infinite in the
// same places.
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
			if !same(w.Index(k), g.Index(k), eps) || p.Signs && p.Exact[i] && !sameSigns(w.Index(k), g.Index(k)) {
				return fmt.Errorf("output %d, element %d: got %v, want %v\ngot  %v\nwant %v", i, k, g.Index(k), w.Index(k), got[i], want[i])
			}
		}
	}
	return nil
}

// partsOf returns the parts of the first element of v, a slice: one for a float, two for a complex
// number. It returns nil if v is empty or holds integers.
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

// sameSigns reports whether got has the sign of want where want is zero; for complex numbers, in
// both parts.
func sameSigns(want, got reflect.Value) bool {
	w, g := parts(want), parts(got)
	for i := range w {
		if w[i] == 0 && math.Signbit(w[i]) != math.Signbit(g[i]) {
			return false
		}
	}
	return true
}
