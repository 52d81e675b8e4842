package saving

// This file converts between element types, and makes variables of datasets.

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/gomlx/compute/dtypes"
	"github.com/gomlx/compute/dtypes/float16"

	"github.com/gospmd/gospmd/internal/hdf5"
	"github.com/gospmd/gospmd/layout"
)

// fileTypes gives the type of elements in files. bfloat16 stands there as two
// bytes without a meaning, and an attribute says so.
var fileTypes = map[dtypes.DType]hdf5.Type{
	dtypes.Bool:     hdf5.Boolean,
	dtypes.Int8:     hdf5.Int8,
	dtypes.Int16:    hdf5.Int16,
	dtypes.Int32:    hdf5.Int32,
	dtypes.Int64:    hdf5.Int64,
	dtypes.Uint8:    hdf5.Uint8,
	dtypes.Uint16:   hdf5.Uint16,
	dtypes.Uint32:   hdf5.Uint32,
	dtypes.Uint64:   hdf5.Uint64,
	dtypes.Float16:  hdf5.Float16,
	dtypes.BFloat16: {Kind: hdf5.Opaque, Size: 2},
	dtypes.Float32:  hdf5.Float32,
	dtypes.Float64:  hdf5.Float64,
}

// dtypeText returns Keras' name of an element type, such as float32.
func dtypeText(d dtypes.DType) string { return strings.ToLower(d.String()) }

// The attribute that tells a dataset of bfloat16.
const (
	dtypeAttr = "dtype"
	bfloat16  = "bfloat16"
)

// source is a dataset as the value of a variable: a variable.Filler.
type source struct {
	d *hdf5.Dataset
}

// Fill reads the elements that lie in ranges; numbers of another type are
// converted, as Keras does.
func (s source) Fill(dst any, dtype dtypes.DType, _ []int, ranges []layout.Range) error {
	start, count, n := make([]int, len(ranges)), make([]int, len(ranges)), 1
	for i, r := range ranges {
		start[i], count[i] = r.Start, r.Len()
		n *= r.Len()
	}
	if n == 0 {
		return nil
	}
	out := dtypes.UnsafeByteSliceFromAny(dst)
	if s.d.Type() == fileTypes[dtype] {
		return s.d.Slab(start, count, out)
	}
	data := make([]byte, n*s.d.Type().Size)
	if err := s.d.Slab(start, count, data); err != nil {
		return err
	}
	return convert(out, fileTypes[dtype], s.d.Type(), data)
}

// check says whether the dataset can be the value of a variable of that type
// and shape.
func (s source) check(dtype dtypes.DType, shape []int) error {
	t := s.d.Type()
	if !slices.Equal(s.d.Shape(), shape) {
		return fmt.Errorf("the file has the shape %v, want %v", s.d.Shape(), shape)
	}
	want, ok := fileTypes[dtype]
	if !ok {
		return fmt.Errorf("elements of type %s have no place in Keras' files", dtype)
	}
	if dtype == dtypes.BFloat16 || t.Kind == hdf5.Opaque {
		if name, _ := s.d.Attr(dtypeAttr); t != want || name != any(bfloat16) {
			return fmt.Errorf("the file has elements of type %s, want %s", t, dtype)
		}
		return nil
	}
	sameFamily := t.Kind == hdf5.Float && want.Kind == hdf5.Float || isInteger(t) && isInteger(want)
	if t != want && !sameFamily {
		return fmt.Errorf("the file has elements of type %s, want %s", t, dtype)
	}
	return nil
}

func isInteger(t hdf5.Type) bool { return t.Kind == hdf5.Int || t.Kind == hdf5.Uint }

// convert converts floats to floats and integers to integers. An integer that
// its new type cannot hold is an error.
func convert(dst []byte, to, from hdf5.Type, src []byte) error {
	for i := 0; len(src) > 0; i++ {
		in, out := src[:from.Size], dst[:to.Size]
		src, dst = src[from.Size:], dst[to.Size:]
		if to.Kind == hdf5.Float {
			putFloat(out, getFloat(in))
			continue
		}
		v := getInt(in, from.Kind)
		putBits(out, uint64(v))
		if getInt(out, to.Kind) != v || v < 0 && from.Kind != to.Kind {
			return fmt.Errorf("element %d, the %s %d, does not fit into %s", i, from, v, to)
		}
	}
	return nil
}

func getBits(b []byte) (v uint64) {
	for i := range b {
		v |= uint64(b[i]) << (8 * i)
	}
	return v
}

func putBits(b []byte, v uint64) {
	for i := range b {
		b[i] = byte(v >> (8 * i))
	}
}

func getInt(b []byte, kind hdf5.Kind) int64 {
	v := getBits(b)
	if shift := 64 - 8*len(b); kind == hdf5.Int {
		return int64(v<<shift) >> shift
	}
	return int64(v)
}

func getFloat(b []byte) float64 {
	switch v := getBits(b); len(b) {
	case 2:
		return float64(float16.FromBits(uint16(v)).Float32())
	case 4:
		return float64(math.Float32frombits(uint32(v)))
	default:
		return math.Float64frombits(v)
	}
}

func putFloat(b []byte, x float64) {
	switch len(b) {
	case 2:
		putBits(b, uint64(float16.FromFloat32(float32(x)).Bits()))
	case 4:
		putBits(b, uint64(math.Float32bits(float32(x))))
	default:
		putBits(b, math.Float64bits(x))
	}
}
