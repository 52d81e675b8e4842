package variable

// This file defines Variable and its value on the devices.

import (
	"context"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"sync"

	"github.com/gomlx/compute/dtypes"

	"github.com/gospmd/gospmd/ir"
	"github.com/gospmd/gospmd/layout"
	"github.com/gospmd/gospmd/runtime"
)

// Filler makes the first value of a variable, any part of it alone.
// Initializers are Fillers.
type Filler interface {
	// Fill writes the elements of a tensor of shape global that lie in ranges,
	// row-major, into dst, a slice of the Go type of dtype with exactly that
	// many elements.
	Fill(dst any, dtype dtypes.DType, global []int, ranges []layout.Range) error
}

// Variable is a named tensor that outlives a step.
type Variable struct {
	path      string
	typ       ir.Type
	trainable bool
	role      ir.Role
	init      Filler

	mu       sync.Mutex
	sharding *layout.Sharding
	array    *runtime.Array
}

// Option changes what New makes.
type Option func(*Variable)

// NonTrainable marks a variable that the optimizer leaves alone.
func NonTrainable() Option { return func(v *Variable) { v.trainable = false } }

// As says what the variable is for, by default ir.RoleParameter.
func As(role ir.Role) Option { return func(v *Variable) { v.role = role } }

// New returns a variable without a value; Allocate makes it. path is Keras'
// path, such as d1/kernel.
func New(path string, shape []int, dtype dtypes.DType, init Filler, opts ...Option) *Variable {
	v := &Variable{path: path, typ: ir.Tensor(dtype, slices.Clone(shape)...), init: init, trainable: true, role: ir.RoleParameter}
	for _, o := range opts {
		o(v)
	}
	return v
}

// Path returns the full name, such as d1/kernel.
func (v *Variable) Path() string { return v.path }

// Name returns the last part of the path, such as kernel.
func (v *Variable) Name() string { return v.path[strings.LastIndexByte(v.path, '/')+1:] }

// Type returns dtype and global shape.
func (v *Variable) Type() ir.Type { return v.typ }

// Shape returns the global shape. The caller must not change it.
func (v *Variable) Shape() []int { return v.typ.Dims }

// DType returns the element type.
func (v *Variable) DType() dtypes.DType { return v.typ.DType }

// Trainable reports whether the optimizer may change the variable.
func (v *Variable) Trainable() bool { return v.trainable }

// SetTrainable says whether the optimizer may change the variable, from the
// next Compile on.
func (v *Variable) SetTrainable(t bool) { v.trainable = t }

// Sharding returns the layout, nil for one device.
func (v *Variable) Sharding() *layout.Sharding {
	v.mu.Lock()
	defer v.mu.Unlock()
	return v.sharding
}

// SetSharding sets the layout. It is an error once the variable has a value.
func (v *Variable) SetSharding(s *layout.Sharding) error {
	v.mu.Lock()
	defer v.mu.Unlock()
	if v.array != nil {
		return fmt.Errorf("variable %s: its layout cannot change from %s to %s once it has a value: set the distribution before the model is used",
			v.path, v.sharding, s)
	}
	v.sharding = s
	return nil
}

// Relayout gives the variable another layout. A value on the devices leaves them
// and stays the same; Allocate brings it back, laid out anew.
func (v *Variable) Relayout(ctx context.Context, s *layout.Sharding) error {
	v.mu.Lock()
	defer v.mu.Unlock()
	if v.array != nil {
		flat, err := v.array.Get(ctx)
		if err != nil {
			return fmt.Errorf("variable %s: %w", v.path, err)
		}
		v.init = hostValue{dtypes.UnsafeByteSliceFromAny(flat)}
		v.array.Release()
		v.array = nil
	}
	v.sharding = s
	return nil
}

// Allocate makes the first value on c's devices, shard by shard, unless the
// variable has a value already.
func (v *Variable) Allocate(c *runtime.Client) error {
	v.mu.Lock()
	defer v.mu.Unlock()
	if v.array != nil {
		return nil
	}
	return v.fill(c)
}

// Reset gives the variable its first value anew.
func (v *Variable) Reset(c *runtime.Client) error {
	v.mu.Lock()
	defer v.mu.Unlock()
	if v.array != nil {
		v.array.Release()
		v.array = nil
	}
	return v.fill(c)
}

func (v *Variable) fill(c *runtime.Client) error {
	a, err := c.PutShards(v.typ, v.sharding, func(ranges []layout.Range, dst any) error {
		return v.init.Fill(dst, v.typ.DType, v.typ.Dims, ranges)
	})
	if err != nil {
		return fmt.Errorf("variable %s: %w", v.path, err)
	}
	v.array = a
	return nil
}

// Array returns the value on the devices, nil before Allocate.
func (v *Variable) Array() *runtime.Array {
	v.mu.Lock()
	defer v.mu.Unlock()
	return v.array
}

// SetArray replaces the value by the result of a step that consumed the old
// one.
func (v *Variable) SetArray(a *runtime.Array) {
	v.mu.Lock()
	defer v.mu.Unlock()
	v.array = a
}

// Value returns the whole value as a flat slice of the Go type of the dtype,
// row-major. Before Allocate it is computed on the host.
func (v *Variable) Value(ctx context.Context) (any, error) {
	v.mu.Lock()
	a := v.array
	v.mu.Unlock()
	if a != nil {
		flat, err := a.Get(ctx)
		if err != nil {
			return nil, fmt.Errorf("variable %s: %w", v.path, err)
		}
		return flat, nil
	}
	flat := dtypes.MakeAnySlice(v.typ.DType, v.typ.Size())
	ranges := make([]layout.Range, v.typ.Rank())
	for i, d := range v.typ.Dims {
		ranges[i] = layout.Range{Start: 0, Limit: d}
	}
	if err := v.init.Fill(flat, v.typ.DType, v.typ.Dims, ranges); err != nil {
		return nil, fmt.Errorf("variable %s: %w", v.path, err)
	}
	return flat, nil
}

// Assign replaces the value by flat, the whole tensor row-major in the Go type
// of the dtype. Before Allocate it replaces the value that Allocate will make,
// and c may be nil.
func (v *Variable) Assign(c *runtime.Client, flat any) error {
	want := dtypes.MakeAnySlice(v.typ.DType, 0)
	if reflect.TypeOf(flat) != reflect.TypeOf(want) || reflect.ValueOf(flat).Len() != v.typ.Size() {
		return fmt.Errorf("variable %s of type %s cannot be assigned %T with %d elements: want %T with %d",
			v.path, v.typ, flat, length(flat), want, v.typ.Size())
	}
	v.mu.Lock()
	defer v.mu.Unlock()
	if v.array == nil {
		v.init = hostValue{slices.Clone(dtypes.UnsafeByteSliceFromAny(flat))}
		return nil
	}
	a, err := c.Put(v.typ, v.array.Sharding(), flat)
	if err != nil {
		return fmt.Errorf("variable %s: %w", v.path, err)
	}
	v.array.Release()
	v.array = a
	return nil
}

func length(flat any) int {
	if v := reflect.ValueOf(flat); v.Kind() == reflect.Slice {
		return v.Len()
	}
	return 1
}

// String returns path, type and layout for messages.
func (v *Variable) String() string {
	if s := v.Sharding(); s != nil {
		return fmt.Sprintf("%s %s %s", v.path, v.typ, s)
	}
	return fmt.Sprintf("%s %s on one device", v.path, v.typ)
}
