package interp

// This file defines Tensor, a dense tensor in memory, and views of its elements as Go slices. It
// allocates memory, and returns an error for more than the machine has, because Go ends the process
// when memory runs out. It also knows which Go type arithmetic uses for each element type, and
// widens and narrows small types.

import (
	"bytes"
	"fmt"
	"math"
	"os"
	"strings"
	"sync"
	"unsafe"

	"github.com/gomlx/compute/dtypes"
	"github.com/gomlx/compute/dtypes/bfloat16"
	"github.com/gomlx/compute/dtypes/float16"

	"github.com/gospmd/gospmd/internal/half"
	"github.com/gospmd/gospmd/ir"
)

// Tensor is a tensor in memory: elements in row-major order, each as Go stores its type. Booleans
// and integers of less than 8 bits take one byte each (signed ones are sign-extended). A Tensor
// does not change after it is made, so that tensors may share memory.
type Tensor struct {
	Type ir.Type
	Data []byte // aligned for the element type
}

// New returns a tensor of zeros. It panics as Alloc does.
func New(t ir.Type) *Tensor {
	return &Tensor{t, Alloc(t.Size() * ir.ElementBytes(t.DType))}
}

// FromBytes returns a tensor over data. It copies data only if it is not aligned.
func FromBytes(t ir.Type, data []byte) *Tensor {
	if len(data) > 0 && uintptr(unsafe.Pointer(unsafe.SliceData(data)))%8 != 0 {
		align := uintptr(min(ir.ElementBytes(t.DType), 8))
		if uintptr(unsafe.Pointer(unsafe.SliceData(data)))%align != 0 {
			data = append(Alloc(len(data))[:0], data...)
		}
	}
	return &Tensor{t, data}
}

// FromDense returns the tensor of a literal. It expands a splat.
func FromDense(d *ir.Dense) *Tensor {
	t := New(d.Type)
	copy(t.Data, d.Data)
	if d.Splat && len(t.Data) > len(d.Data) {
		fill(t.Data, d.Data)
	}
	if w := smallInt[d.Type.DType]; w.bits > 0 {
		w.wrap(t)
	}
	return t
}

// fill fills dst with copies of element.
func fill(dst, element []byte) {
	if len(element) == 1 {
		copy(dst, bytes.Repeat(element, len(dst)))
		return
	}
	for n := copy(dst, element); n < len(dst); n *= 2 {
		copy(dst[n:], dst[:n])
	}
}

// withType returns the same elements under another type.
func (t *Tensor) withType(typ ir.Type) *Tensor { return &Tensor{typ, t.Data} }

// elem returns the size of an element in bytes.
func (t *Tensor) elem() int { return ir.ElementBytes(t.Type.DType) }

// view returns the elements as a slice of their Go type.
func view[T any](t *Tensor) []T { return viewBytes[T](t.Data) }

func viewBytes[T any](data []byte) []T {
	var zero T
	if len(data) == 0 {
		return nil
	}
	return unsafe.Slice((*T)(unsafe.Pointer(unsafe.SliceData(data))), len(data)/int(unsafe.Sizeof(zero)))
}

// Flat returns the elements of a tensor of f32 or f64 as a slice of floats,
// which shares its memory.
func Flat(t *Tensor) any {
	if t.Type.DType == dtypes.Float64 {
		return view[float64](t)
	}
	return view[float32](t)
}

// MemoryError is the error of a tensor that is larger than the machine's memory. Kernels panic with
// it.
type MemoryError struct{ Want, Have int }

func (e *MemoryError) Error() string {
	return fmt.Sprintf("out of memory: a tensor takes %d bytes, the machine has %d: shard it over more machines, or make it smaller", e.Want, e.Have)
}

// memory is the size of the machine's memory in bytes, or a larger guess if it is not known.
var memory = sync.OnceValue(func() int {
	text, _ := os.ReadFile("/proc/meminfo")
	var kilobytes int
	if _, rest, ok := strings.Cut(string(text), "MemTotal:"); ok {
		if _, err := fmt.Sscan(rest, &kilobytes); err == nil && kilobytes > 0 {
			return kilobytes << 10
		}
	}
	return 1 << 40
})

// Alloc returns n zero bytes aligned for every element type; nil if n is 0. It panics with a
// *MemoryError if the machine has less memory, or if n is negative.
func Alloc(n int) []byte {
	if n == 0 {
		return nil
	}
	if have := memory(); n > have || n < 0 {
		panic(&MemoryError{n, have})
	}
	words := make([]uint64, (n+7)/8)
	return unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(words))), n)
}

type (
	signed   interface{ int8 | int16 | int32 | int64 }
	unsigned interface {
		uint8 | uint16 | uint32 | uint64
	}
	integer interface{ signed | unsigned }
	float   interface{ float32 | float64 }
	complx  interface{ complex64 | complex128 }
	number  interface{ integer | float | complx }
)

// small describes an integer type of less than 8 bits. It is computed in its wide type, and
// wrapped.
type small struct {
	bits int
	wide dtypes.DType
}

var smallInt = map[dtypes.DType]small{
	dtypes.Int2: {2, dtypes.Int8}, dtypes.Int4: {4, dtypes.Int8},
	dtypes.Uint2: {2, dtypes.Uint8}, dtypes.Uint4: {4, dtypes.Uint8},
}

// wrap cuts every element to the bits of the small type, with sign extension.
func (s small) wrap(t *Tensor) {
	unused := 8 - s.bits
	if s.wide == dtypes.Int8 {
		for i, v := range view[int8](t) {
			t.Data[i] = byte(v << unused >> unused)
		}
		return
	}
	for i, v := range t.Data {
		t.Data[i] = v << unused >> unused
	}
}

// smallFloats are the float types that are computed as f32 and rounded after
// each op.
var smallFloats = map[dtypes.DType]bool{
	dtypes.Float16: true, dtypes.BFloat16: true, dtypes.F8E5M2: true, dtypes.F8E4M3FN: true,
	dtypes.F8E4M3B11FNUZ: true, dtypes.F8E5M2FNUZ: true, dtypes.F8E4M3FNUZ: true,
	dtypes.F8E4M3: true, dtypes.F8E3M4: true, dtypes.F8E8M0FNU: true, dtypes.F4E2M1FN: true,
}

// wideType returns the element type of arithmetic on elements of type d, which is d itself unless d
// is a small type.
func wideType(d dtypes.DType) dtypes.DType {
	if smallFloats[d] {
		return dtypes.Float32
	}
	if s := smallInt[d]; s.bits > 0 {
		return s.wide
	}
	return d
}

// widen returns t with elements of the type that arithmetic uses: t itself if they have it. Small
// integers share the memory of t.
func widen(t *Tensor) *Tensor {
	d := t.Type.DType
	if d == dtypes.InvalidDType || wideType(d) == d {
		return t
	}
	typ := t.Type.WithDType(wideType(d))
	if !smallFloats[d] {
		return t.withType(typ)
	}
	out := New(typ)
	widenFloats(view[float32](out), d, t.Data)
	return out
}

// widenFloats writes data, floats of type d, to z as float32. d is bfloat16, float16 or a float
// type of at most 8 bits, each in one byte.
func widenFloats(z []float32, d dtypes.DType, data []byte) {
	switch d {
	case dtypes.BFloat16:
		for i, v := range viewBytes[bfloat16.BFloat16](data) {
			z[i] = v.Float32()
		}
	case dtypes.Float16:
		for i, v := range viewBytes[float16.Float16](data) {
			z[i] = v.Float32()
		}
	default:
		table := float8Values[d]
		for i, v := range data {
			z[i] = table[v]
		}
	}
}

// narrow returns t, whose elements are of the wide type of d, with elements of d: t itself if they
// have that type.
func narrow(t *Tensor, d dtypes.DType) *Tensor {
	if t.Type.DType == d {
		return t
	}
	typ := t.Type.WithDType(d)
	if s := smallInt[d]; s.bits > 0 {
		out := &Tensor{typ, append(Alloc(len(t.Data))[:0], t.Data...)}
		s.wrap(out)
		return out
	}
	out := New(typ)
	narrowFloats(out.Data, d, view[float32](t))
	return out
}

// narrowFloats rounds x to floats of type d, and writes them to out. d is bfloat16, float16 or a
// float type of at most 8 bits, each in one byte.
func narrowFloats(out []byte, d dtypes.DType, x []float32) {
	switch d {
	case dtypes.BFloat16:
		z := viewBytes[bfloat16.BFloat16](out)
		for i, v := range x {
			z[i] = toBFloat16(v)
		}
	case dtypes.Float16:
		z := viewBytes[float16.Float16](out)
		for i, v := range x {
			z[i] = half.FromFloat32(v)
		}
	default:
		for i, v := range x {
			out[i] = toFloat8(d, v)
		}
	}
}

// toBFloat16 rounds to nearest even. A NaN stays NaN, even if only its low bits are set.
func toBFloat16(v float32) bfloat16.BFloat16 {
	if v != v {
		return bfloat16.FromBits(uint16(math.Float32bits(v)>>16) | 0x40)
	}
	return bfloat16.FromFloat32(v)
}

// float8Values has, for each float type of at most 8 bits, the value of every bit pattern. It is
// filled by init.
var float8Values = make(map[dtypes.DType]*[256]float32)

func init() {
	var all [256]byte
	for i := range all {
		all[i] = byte(i)
	}
	for d := range smallFloats {
		if d == dtypes.Float16 || d == dtypes.BFloat16 {
			continue
		}
		table := new([256]float32)
		for i, v := range (&ir.Dense{Type: ir.Tensor(d, 256), Data: all[:]}).Float64s() {
			table[i] = float32(v)
		}
		float8Values[d] = table
	}
}

// toFloat8 returns the bits of v rounded to the float of 8 bits d, to nearest even, as ir does for
// literals.
func toFloat8(d dtypes.DType, v float32) byte { return ir.Scalar(d, float64(v)).Data[0] }

// isSigned reports whether T has negative numbers.
func isSigned[T integer]() bool {
	var zero T
	return zero-1 < zero
}

// bitsOf returns the number of bits of T.
func bitsOf[T integer]() int {
	n := 0
	for v := T(1); v != 0; v <<= 1 {
		n++
	}
	return n
}

// isFloat reports whether elements of type d are floats.
func isFloat(d dtypes.DType) bool {
	return d == dtypes.Float32 || d == dtypes.Float64 || smallFloats[d]
}
