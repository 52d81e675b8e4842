//go:build cgo

package ffi

// This file registers the handlers and turns a call of XLA's into one of
// package lapack.

/*
#cgo LDFLAGS: -ldl
#include <stdlib.h>
#include "handler.h"
*/
import "C"

import (
	"fmt"
	"slices"
	"sync"
	"unsafe"

	"github.com/gomlx/compute/dtypes"

	"github.com/gospmd/gospmd/internal/lapack"
)

// Register gives the plugin in a file, which is loaded, the handlers of LAPACK's
// calls on the CPU. Calls after the first one for a file do nothing.
func Register(plugin string) error {
	registered.Lock()
	defer registered.Unlock()
	if slices.Contains(registered.plugins, plugin) {
		return nil
	}
	if n := len(lapack.All()); n > C.SLOTS {
		return fmt.Errorf("BUG: %d routines, handler.c has room for %d", n, C.SLOTS)
	}
	file := C.CString(plugin)
	defer C.free(unsafe.Pointer(file))
	for slot, r := range lapack.All() {
		target := C.CString(r.Target)
		message := C.registerHandler(file, target, C.int(slot))
		C.free(unsafe.Pointer(target))
		if message != nil {
			defer C.free(unsafe.Pointer(message))
			return fmt.Errorf("the handler of %s is not registered: %s", r.Target, C.GoString(message))
		}
	}
	registered.plugins = append(registered.plugins, plugin)
	return nil
}

// registered lists the plugins that have the handlers: they keep them to the end
// of the process.
var registered struct {
	sync.Mutex
	plugins []string
}

// gospmdCall is called by the handlers, on threads of XLA's. It returns a message
// that the caller frees, or nil.
//
//export gospmdCall
func gospmdCall(slot C.int, frame *C.CallFrame) (message *C.char) {
	r := lapack.All()[slot] // as Register numbered them
	defer func() {
		if p := recover(); p != nil {
			message = C.CString(fmt.Sprintf("BUG: %s: %v", r.Target, p))
		}
	}()
	in, out := buffers(&frame.args), buffers(&frame.rets)
	lapack.ByColumns(in, out)
	if err := r.Run(attributes(&frame.attrs), in, out); err != nil {
		return C.CString(err.Error())
	}
	return nil
}

// types are XLA's numbers of the element types that LAPACK has.
var types = map[C.int]dtypes.DType{
	4: dtypes.Int32, 11: dtypes.Float32, 12: dtypes.Float64, 15: dtypes.Complex64, 18: dtypes.Complex128,
}

// buffers returns operands or results.
func buffers(bs *C.Buffers) []lapack.Buffer {
	out := make([]lapack.Buffer, bs.size)
	for i, b := range unsafe.Slice(bs.values, bs.size) {
		dims, size := make([]int, b.rank), 1
		for k, d := range unsafe.Slice(b.dims, b.rank) {
			dims[k] = int(d)
			size *= int(d)
		}
		t, ok := types[b.dtype]
		if !ok {
			panic(fmt.Sprintf("operand or result %d has elements of XLA's type %d", i, b.dtype))
		}
		out[i] = lapack.Buffer{DType: t, Dims: dims, Data: unsafe.Slice((*byte)(b.data), size*t.Size())}
	}
	return out
}

// attributes returns the numbers and truths among the attributes.
func attributes(as *C.Attributes) map[string]int64 {
	out := make(map[string]int64, as.size)
	names, kinds, values := unsafe.Slice(as.names, as.size), unsafe.Slice(as.types, as.size), unsafe.Slice(as.values, as.size)
	for i, name := range names {
		if kinds[i] != C.ATTRIBUTE_SCALAR {
			continue
		}
		s := (*C.Scalar)(values[i])
		out[C.GoStringN(name.ptr, C.int(name.len))] = integer(int(s.dtype), s.value)
	}
	return out
}

// integer returns a number of one of XLA's types.
func integer(dtype int, p unsafe.Pointer) int64 {
	switch dtype {
	case 1, 6: // pred, u8
		return int64(*(*uint8)(p))
	case 2:
		return int64(*(*int8)(p))
	case 4:
		return int64(*(*int32)(p))
	case 5:
		return *(*int64)(p)
	}
	return 0
}
