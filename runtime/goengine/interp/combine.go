package interp

// This file combines whole tensors element by element, for the collectives.

import (
	"fmt"

	"github.com/gomlx/compute/dtypes"

	"github.com/gospmd/gospmd/ir"
)

// Combine combines tensors element by element, from the first to the last, by a kind that
// ir.ReductionOf knows. Elements of small types are rounded once, at the end. It panics if elements
// of that type do not have the kind.
func Combine(kind ir.OpKind, parts []*Tensor) *Tensor {
	t, data := parts[0].Type, make([][]byte, len(parts))
	for i, p := range parts {
		data[i] = p.Data
	}
	out := New(t)
	if err := CombineInto(kind, t.DType, out.Data, data...); err != nil {
		panic("BUG: " + err.Error())
	}
	return out
}

// combineBlock is the number of elements that are combined at a time. So few fit into the
// processor's first cache.
const combineBlock = 2048

// CombineInto is Combine on the bytes of tensors with elements of type d. All have the same length
// and are aligned for d. It writes to out, which may be the memory of any of the parts. A kind that
// such elements do not have is an error.
func CombineInto(kind ir.OpKind, d dtypes.DType, out []byte, parts ...[]byte) error {
	wide := wideType(d)
	f := reducers[wide]
	if f == nil || !f.has(kind) {
		return fmt.Errorf("%s does not combine elements of type %s", kind, d)
	}
	if len(parts) == 1 {
		copy(out, parts[0])
		return nil
	}
	elem := ir.ElementBytes(d)
	block := min(combineBlock, len(out)/elem)
	b := blocks{dtype: d, wide: ir.ElementBytes(wide), floats: smallFloats[d]}
	acc := Alloc(block * b.wide)
	if b.floats {
		b.scratch = Alloc(block * b.wide)
	}
	for at := 0; at < len(out); at += block * elem {
		end := min(at+block*elem, len(out))
		sum := acc[:(end-at)/elem*b.wide]
		if b.floats {
			widenFloats(viewBytes[float32](sum), d, parts[0][at:end])
		} else {
			copy(sum, parts[0][at:end])
		}
		for _, p := range parts[1:] {
			f.zip(kind, sum, b.widen(p[at:end]))
		}
		b.narrow(out[at:end], sum)
	}
	return nil
}

// blocks converts blocks of elements to the type of arithmetic and back.
type blocks struct {
	dtype   dtypes.DType
	wide    int  // bytes of an element of the type of arithmetic
	floats  bool // dtype is a small float type
	scratch []byte
}

// widen returns the elements of data in the type of arithmetic. They are valid until the next call.
func (b *blocks) widen(data []byte) []byte {
	if !b.floats {
		return data
	}
	z := b.scratch[:len(data)/ir.ElementBytes(b.dtype)*b.wide]
	widenFloats(viewBytes[float32](z), b.dtype, data)
	return z
}

// narrow rounds or cuts the elements of wide, which have the type of arithmetic, to b.dtype, and
// writes them to out.
func (b *blocks) narrow(out, wide []byte) {
	if b.floats {
		narrowFloats(out, b.dtype, viewBytes[float32](wide))
		return
	}
	copy(out, wide)
	if s := smallInt[b.dtype]; s.bits > 0 {
		s.wrap(&Tensor{Data: out, Type: ir.Tensor(b.dtype, len(out))})
	}
}
