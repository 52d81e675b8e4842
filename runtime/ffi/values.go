//go:build cgo

package ffi

// This file converts the arguments of a call to Go values.

/*
#include "handler.h"
*/
import "C"

import (
	"fmt"
	"unsafe"

	"github.com/gomlx/compute/dtypes"

	"github.com/gospmd/gospmd/internal/lapack"
)

// Buffer is an operand or a result in XLA's memory. It is valid until the call ends.
type Buffer = lapack.Buffer

// types has our element types by the numbers of XLA's FFI.
var types = map[C.int]dtypes.DType{
	1: dtypes.Bool, 2: dtypes.Int8, 3: dtypes.Int16, 4: dtypes.Int32, 5: dtypes.Int64,
	6: dtypes.Uint8, 7: dtypes.Uint16, 8: dtypes.Uint32, 9: dtypes.Uint64,
	10: dtypes.Float16, 11: dtypes.Float32, 12: dtypes.Float64, 16: dtypes.BFloat16,
	15: dtypes.Complex64, 18: dtypes.Complex128,
	19: dtypes.F8E5M2, 20: dtypes.F8E4M3FN, 23: dtypes.F8E4M3B11FNUZ, 24: dtypes.F8E5M2FNUZ, 25: dtypes.F8E4M3FNUZ,
	28: dtypes.F8E4M3, 29: dtypes.F8E3M4, 33: dtypes.F8E8M0FNU,
}

// buffers converts bs, the operands or results of a call from XLA, to Go's form. It copies no
// elements. It panics for an element type that types does not have.
func buffers(bs *C.Buffers) []Buffer {
	out := make([]Buffer, bs.size)
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
		out[i] = Buffer{DType: t, Dims: dims, Data: unsafe.Slice((*byte)(b.data), size*t.Size())}
	}
	return out
}

// attributes returns the numeric and boolean attributes of a call from XLA, by name; others are
// left out.
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

// integer returns the number at p, which has XLA's type with the number dtype: a boolean as 0 or 1,
// or an integer of the types i8, u8, i32 and i64. It returns 0 for other types.
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
