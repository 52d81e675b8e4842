package data

// This file holds texts in host tensors, as NumPy's dtype S: the last dimension holds the bytes of
// each text.

import (
	"fmt"
	"reflect"
	"slices"
	"strings"

	"github.com/gomlx/compute/dtypes"
	"github.com/gomlx/compute/shapes"
	"github.com/gomlx/gomlx/core/tensors"
)

// bytesAxis is the name of the last dimension of texts in host tensors. Other tensors have no
// names.
const bytesAxis = "bytes"

// FromTexts returns a host tensor of texts, row by row; without a shape it has one dimension. A
// *tensors.Tensor cannot hold texts, so it holds their bytes in one more dimension. Its size is
// that of the longest text; shorter texts end in zeros, and a text that itself ends in a zero byte
// is an error. So texts pass through pipelines like numbers. A model takes them at inputs of dtype
// layers.String. One size may be -1: it is computed from the others.
func FromTexts(values []string, shape ...int) (*tensors.Tensor, error) {
	if len(shape) == 0 {
		shape = []int{len(values)}
	}
	dims, err := fit(shape, len(values))
	if err != nil {
		return nil, err
	}
	width := 1
	for i, s := range values {
		if strings.HasSuffix(s, "\x00") {
			return nil, fmt.Errorf("text %d ends with a zero byte, which shorter texts are filled up with: cut it off", i)
		}
		width = max(width, len(s))
	}
	t := tensors.FromShape(textShape(append(slices.Clone(dims), width)))
	err = t.MutableBytes(func(to []byte) {
		for i, s := range values {
			copy(to[i*width:], s)
		}
	})
	return t, err
}

// Texts returns the texts in a tensor, row by row, without the zero bytes that pad them. A tensor
// of another type is an error.
func Texts(t *tensors.Tensor) (out []string, err error) {
	if !IsText(t) {
		return nil, fmt.Errorf("got a tensor %s, want texts", t.Shape())
	}
	width := t.Shape().Dimensions[t.Rank()-1]
	err = t.ConstBytes(func(from []byte) {
		for at := 0; at < len(from); at += width {
			out = append(out, strings.TrimRight(string(from[at:at+width]), "\x00"))
		}
	})
	return out, err
}

// IsText reports whether a tensor holds texts, as FromTexts makes them.
func IsText(t *tensors.Tensor) bool { return isText(t.Shape()) }

func isText(s shapes.Shape) bool {
	n := len(s.AxisNames)
	return n > 0 && s.AxisNames[n-1] == bytesAxis
}

// Dims returns a copy of the sizes of a tensor. For texts it leaves out the dimension of the bytes.
func Dims(t *tensors.Tensor) []int {
	dims := t.Shape().Dimensions
	if IsText(t) {
		dims = dims[:len(dims)-1]
	}
	return slices.Clone(dims)
}

// textShape returns the shape of a tensor of texts with the sizes dims; the last size counts bytes.
func textShape(dims []int) shapes.Shape {
	s := shapes.Make(dtypes.Uint8, dims...)
	s.AxisNames = make([]string, len(dims))
	s.AxisNames[len(dims)-1] = bytesAxis
	return s
}

// withDims returns a shape with the element type of s, or of texts if s is of texts, and the sizes
// dims.
func withDims(s shapes.Shape, dims ...int) shapes.Shape {
	if isText(s) {
		return textShape(dims)
	}
	return shapes.Make(s.DType, dims...)
}

// alike reports whether elements of the shapes can be in one batch: texts may have different
// lengths.
func alike(a, b shapes.Shape) bool {
	last := len(a.Dimensions) - 1
	if isText(a) && isText(b) && len(b.Dimensions) == last+1 {
		return slices.Equal(a.Dimensions[:last], b.Dimensions[:last])
	}
	return a.Equal(b)
}

// widest returns the shape of the longest texts in a slot of items. For numbers it is the shape of
// all.
func widest(items []item, slot int) shapes.Shape {
	s := items[0].shape(slot)
	if !isText(s) {
		return s
	}
	dims := slices.Clone(s.Dimensions)
	for _, it := range items[1:] {
		one := it.shape(slot).Dimensions
		dims[len(dims)-1] = max(dims[len(dims)-1], one[len(one)-1])
	}
	return textShape(dims)
}

// copyElement copies the bytes of an element of fromShape to one of toShape. If texts become
// longer, it copies text by text.
func copyElement(to, from []byte, toShape, fromShape shapes.Shape) {
	if len(to) == len(from) {
		copy(to, from)
		return
	}
	long, short := toShape.Dim(-1), fromShape.Dim(-1)
	for i := 0; i*short < len(from); i++ {
		copy(to[i*long:(i+1)*long], from[i*short:(i+1)*short])
	}
}

// textsOf returns a text, or texts in slices of slices of equal lengths, as a tensor; ok is
// false for anything else.
func textsOf(v any) (t *tensors.Tensor, ok bool, err error) {
	var flat []string
	var dims []int
	kind := reflect.TypeOf(v)
	for kind != nil && kind.Kind() == reflect.Slice {
		kind, dims = kind.Elem(), append(dims, -1)
	}
	if kind == nil || kind.Kind() != reflect.String {
		return nil, false, nil
	}
	if err := flatten(reflect.ValueOf(v), dims, 0, &flat); err != nil {
		return nil, true, err
	}
	for i, d := range dims {
		dims[i] = max(d, 0)
	}
	if len(dims) > 0 {
		t, err = FromTexts(flat, dims...)
		return t, true, err
	}
	if t, err = FromTexts(flat); err == nil { // a single text
		t, err = filled(t, t.Shape().Dimensions[1:], func(to, from []byte) { copy(to, from) })
	}
	return t, true, err
}

// flatten appends the texts in the nested slices v to out, and stores the lengths of the slices in
// dims, from dimension depth on. A length in dims that is not known yet is -1. Slices of different
// lengths are an error.
func flatten(v reflect.Value, dims []int, depth int, out *[]string) error {
	if depth == len(dims) {
		*out = append(*out, v.String())
		return nil
	}
	if dims[depth] >= 0 && dims[depth] != v.Len() {
		return fmt.Errorf("got slices of texts of lengths %d and %d: want equal lengths", dims[depth], v.Len())
	}
	dims[depth] = v.Len()
	for i := range v.Len() {
		if err := flatten(v.Index(i), dims, depth+1, out); err != nil {
			return err
		}
	}
	return nil
}
