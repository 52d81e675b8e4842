package interp

// This file defines Tensor, a dense tensor in memory, how its elements are seen
// as a Go slice, and the allocation of memory, which refuses what the machine
// does not have: Go ends the process where memory runs out.

import (
	"bytes"
	"fmt"
	"os"
	"strings"
	"sync"
	"unsafe"

	"github.com/gomlx/compute/dtypes"

	"github.com/gospmd/gospmd/ir"
)

// Tensor is a tensor in memory: elements in row-major order, as Go lays out
// the type of the dtype, booleans and integers of less than 8 bits one byte
// each (signed ones with their sign). It is never changed once it is made, so
// that tensors may share memory.
type Tensor struct {
	Type ir.Type
	Data []byte // aligned for the element type
}

// New returns a tensor of zeros.
func New(t ir.Type) *Tensor {
	return &Tensor{t, Alloc(t.Size() * ir.ElementBytes(t.DType))}
}

// FromBytes returns a tensor over data, which is copied only where it is not
// aligned.
func FromBytes(t ir.Type, data []byte) *Tensor {
	if len(data) > 0 && uintptr(unsafe.Pointer(unsafe.SliceData(data)))%8 != 0 {
		align := uintptr(min(ir.ElementBytes(t.DType), 8))
		if uintptr(unsafe.Pointer(unsafe.SliceData(data)))%align != 0 {
			data = append(Alloc(len(data))[:0], data...)
		}
	}
	return &Tensor{t, data}
}

// FromDense returns a literal, a splat written out.
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

// fill repeats element over the whole of dst.
func fill(dst, element []byte) {
	if len(element) == 1 {
		copy(dst, bytes.Repeat(element, len(dst)))
		return
	}
	for n := copy(dst, element); n < len(dst); n *= 2 {
		copy(dst[n:], dst[:n])
	}
}

// with returns the same elements under another type.
func (t *Tensor) with(typ ir.Type) *Tensor { return &Tensor{typ, t.Data} }

// elem returns the bytes that an element takes.
func (t *Tensor) elem() int { return ir.ElementBytes(t.Type.DType) }

// view returns the elements as a slice of their Go type.
func view[T any](t *Tensor) []T {
	var zero T
	if len(t.Data) == 0 {
		return nil
	}
	return unsafe.Slice((*T)(unsafe.Pointer(unsafe.SliceData(t.Data))), len(t.Data)/int(unsafe.Sizeof(zero)))
}

// Flat returns the elements of a tensor of f32 or f64 as a slice of floats,
// which shares its memory.
func Flat(t *Tensor) any {
	if t.Type.DType == dtypes.Float64 {
		return view[float64](t)
	}
	return view[float32](t)
}

// MemoryError says that a tensor is larger than the machine's memory. Kernels
// panic with it.
type MemoryError struct{ Want, Have int }

func (e *MemoryError) Error() string {
	return fmt.Sprintf("out of memory: a tensor takes %d bytes, the machine has %d: shard it over more machines, or make it smaller", e.Want, e.Have)
}

// memory is the size of the machine's memory, or a guess above it where it is
// not known.
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

// Alloc returns n zero bytes aligned for every element type.
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
