package ir

// This file compares attributes.

import (
	"bytes"
	"reflect"

	"github.com/gospmd/gospmd/layout"
)

// Equal reports whether both dictionaries have the same names with equal values, in any order. A
// list that is nil equals an empty one, and a scalar that is marked as a splat equals one that is
// not: their texts are the same, so a module that is read again must have equal attributes too.
func (a Attrs) Equal(b Attrs) bool {
	if len(a) != len(b) {
		return false
	}
	for i, x := range a {
		y := b[i].Value
		if b[i].Name != x.Name {
			y = b.Get(x.Name)
		}
		if y == nil || !sameAttr(reflect.ValueOf(x.Value), reflect.ValueOf(y)) {
			return false
		}
	}
	return true
}

// Equal reports whether both literals have the same type and the same text. Their bits count: 0.0
// and -0.0 differ.
func (d *Dense) Equal(e *Dense) bool {
	return d.Type.Equal(e.Type) && (d.Splat == e.Splat || d.IsSplat() && e.IsSplat()) && bytes.Equal(d.Data, e.Data)
}

var (
	denseType = reflect.TypeFor[*Dense]()
	dictType  = reflect.TypeFor[Dict]()
	shardType = reflect.TypeFor[*layout.Sharding]()
)

// sameAttr is Equal for any part of an attribute.
func sameAttr(x, y reflect.Value) bool {
	if x.Kind() == reflect.Interface {
		x, y = x.Elem(), y.Elem()
	}
	if x.IsValid() != y.IsValid() || x.IsValid() && x.Type() != y.Type() {
		return false
	}
	switch {
	case !x.IsValid():
		return true
	case x.Type() == denseType && !x.IsNil() && !y.IsNil() && x.CanInterface() && y.CanInterface():
		return x.Interface().(*Dense).Equal(y.Interface().(*Dense))
	case x.Type() == shardType && !x.IsNil() && !y.IsNil() && x.CanInterface() && y.CanInterface():
		return x.Interface().(*layout.Sharding).Equal(y.Interface().(*layout.Sharding))
	case x.Type() == dictType && x.CanInterface() && y.CanInterface():
		return Attrs(x.Interface().(Dict)).Equal(Attrs(y.Interface().(Dict)))
	}
	switch x.Kind() {
	case reflect.Pointer:
		if x.IsNil() || y.IsNil() {
			return x.IsNil() == y.IsNil()
		}
		return x.Pointer() == y.Pointer() || sameAttr(x.Elem(), y.Elem())
	case reflect.Slice:
		if x.Len() != y.Len() {
			return false
		}
		for i := range x.Len() {
			if !sameAttr(x.Index(i), y.Index(i)) {
				return false
			}
		}
		return true
	case reflect.Struct:
		for i := range x.NumField() {
			if !sameAttr(x.Field(i), y.Field(i)) {
				return false
			}
		}
		return true
	}
	return x.Equal(y)
}
