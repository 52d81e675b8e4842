package difftest

// This file makes arguments.

import (
	"math/rand/v2"
	"reflect"

	"github.com/gomlx/compute/dtypes/bfloat16"
	"github.com/gomlx/compute/dtypes/float16"

	"github.com/gospmd/gospmd/ir"
)

// Inputs returns flat slices for the parameters of the program, always the
// same. Numbers are integers from -4 to 4, of unsigned types from 0 to 8, so
// that indices among them are partly out of range.
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
	for i := range t.Size() {
		n := int64(rng.IntN(9)) - 4
		e := out.Index(i)
		switch v := e.Addr().Interface().(type) {
		case *bool:
			*v = n > 0
		case *bfloat16.BFloat16:
			*v = bfloat16.FromFloat32(float32(n))
		case *float16.Float16:
			*v = float16.FromFloat32(float32(n))
		default:
			switch {
			case e.CanFloat():
				e.SetFloat(float64(n))
			case e.CanInt():
				e.SetInt(n)
			case e.CanComplex():
				e.SetComplex(complex(float64(n), float64(rng.IntN(5)-2)))
			default:
				e.SetUint(uint64(n + 4))
			}
		}
	}
	return out.Interface()
}
