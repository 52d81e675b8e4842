package hdf5

// This file holds the attributes that are to be written.

import (
	"fmt"
	"math"
	"slices"
)

// attributeWriter is the part of groups and datasets that takes attributes.
type attributeWriter struct {
	attrs []newAttr
}

// newAttr is an attribute to be written. Variable strings get their place in
// the heap when the structure is written; all else stands in data.
type newAttr struct {
	name  string
	typ   Type
	shape []int
	data  []byte
	texts []string // of a VarString
}

// splitLimit is the size above which Keras splits a list: an object header's
// message has at most 64 KiB, a little of which the attribute itself needs.
const splitLimit = 64512

// SetAttr sets an attribute, replacing one of that name, as h5py does for a
// Python value: a string or []string (of variable length), bool, int, int64,
// float64, []int64 or []float64.
func (a *attributeWriter) SetAttr(name string, value any) error {
	n := newAttr{name: name}
	numbers := func(t Type, shape []int) {
		n.typ, n.shape = t, shape
	}
	switch v := value.(type) {
	case string:
		n.typ, n.texts = Type{VarString, varStringSize}, []string{v}
	case []string:
		if len(v) == 0 { // as h5py: an empty list has float64 elements
			numbers(Float64, []int{0})
			break
		}
		n.typ, n.texts, n.shape = Type{VarString, varStringSize}, v, []int{len(v)}
	case bool:
		numbers(Boolean, nil)
		n.data = []byte{0}
		if v {
			n.data[0] = 1
		}
	case int:
		return a.SetAttr(name, int64(v))
	case int64:
		numbers(Int64, nil)
		n.data = le.AppendUint64(nil, uint64(v))
	case float64:
		numbers(Float64, nil)
		n.data = le.AppendUint64(nil, math.Float64bits(v))
	case []int64:
		numbers(Int64, []int{len(v)})
		for _, x := range v {
			n.data = le.AppendUint64(n.data, uint64(x))
		}
	case []float64:
		numbers(Float64, []int{len(v)})
		for _, x := range v {
			n.data = le.AppendUint64(n.data, math.Float64bits(x))
		}
	default:
		return fmt.Errorf("hdf5: attribute %q: got a %T, want a string, bool, int, int64, float64 or a slice of those", name, value)
	}
	return a.set(n)
}

// SetTexts sets an attribute that is a list of strings of fixed length, as the
// older files of Keras have them. A list too large for one attribute is split
// into name0, name1, …, as Keras does.
func (a *attributeWriter) SetTexts(name string, texts []string) error {
	if len(texts) == 0 {
		return a.SetAttr(name, texts)
	}
	size := 1
	for _, s := range texts {
		size = max(size, len(s))
	}
	if size > splitLimit {
		return fmt.Errorf("hdf5: attribute %q: one of its strings has %d bytes, want at most %d", name, size, splitLimit)
	}
	parts := 1
	for (len(texts)+parts-1)/parts*size > splitLimit {
		parts++
	}
	for i := range parts {
		// The first len%parts parts have one element more.
		from := i*(len(texts)/parts) + min(i, len(texts)%parts)
		to := (i+1)*(len(texts)/parts) + min(i+1, len(texts)%parts)
		part := newAttr{name: name, typ: Type{String, size}, shape: []int{to - from}}
		if parts > 1 {
			part.name = fmt.Sprint(name, i)
		}
		for _, s := range texts[from:to] {
			part.data = append(part.data, s...)
			part.data = append(part.data, make([]byte, size-len(s))...)
		}
		if err := a.set(part); err != nil {
			return err
		}
	}
	return nil
}

func (a *attributeWriter) set(n newAttr) error {
	if n.name == "" {
		return fmt.Errorf("hdf5: an attribute has no name")
	}
	if size, err := byteSize(n.shape, n.typ.Size); err != nil || size > splitLimit {
		return fmt.Errorf("hdf5: attribute %q has %d bytes, want at most %d: a list of strings can be split by SetTexts, anything else belongs into a dataset",
			n.name, size, splitLimit)
	}
	if i := slices.IndexFunc(a.attrs, func(o newAttr) bool { return o.name == n.name }); i >= 0 {
		a.attrs[i] = n
		return nil
	}
	a.attrs = append(a.attrs, n)
	return nil
}
