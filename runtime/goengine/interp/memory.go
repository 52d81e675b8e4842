package interp

// This file allocates memory, and refuses what the machine does not have: Go
// ends the process where memory runs out.

import (
	"fmt"
	"os"
	"strings"
	"sync"
	"unsafe"
)

// MemoryError says that a tensor is larger than the machine's memory. Kernels
// panic with it.
type MemoryError struct{ Want, Have int }

func (e *MemoryError) Error() string {
	return fmt.Sprintf("out of memory: a tensor takes %d bytes, the machine has %d: split it over more machines, or make it smaller", e.Want, e.Have)
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
