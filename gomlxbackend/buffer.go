package gomlxbackend

// This file defines Buffer, a tensor on the host or on the devices.

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"sync"

	"github.com/gomlx/compute"
	"github.com/gomlx/compute/dtypes"
	"github.com/gomlx/compute/shapes"

	"github.com/gospmd/gospmd/ir"
	"github.com/gospmd/gospmd/layout"
	"github.com/gospmd/gospmd/runtime"
)

// Buffer implements compute.Buffer. It holds a tensor on the host until a graph takes it. Then it
// holds it on the devices, once for each sharding that a graph has taken it in.
type Buffer struct {
	backend *Backend
	typ     ir.Type
	device  compute.DeviceNum // 0 stands for the mesh

	mu     sync.Mutex
	host   any              // a flat slice; nil when the tensor is on the devices
	arrays []*runtime.Array // arrays with the same elements, each with another sharding
	shard  shard            // the shard of an array that GoMLX has distributed
	ended  error            // the reason why the buffer cannot be used any more; nil while it can
}

var _ compute.Buffer = (*Buffer)(nil)

func newBuffer(b *Backend, t ir.Type) *Buffer { return &Buffer{backend: b, typ: t} }

// Backend implements compute.Buffer: it returns the backend that made the buffer.
func (b *Buffer) Backend() compute.Backend { return b.backend }

// Shape implements compute.Buffer: it returns the shape that GoMLX sees, and never an error.
func (b *Buffer) Shape() (shapes.Shape, error) { return shapes.Make(b.typ.DType, b.typ.Dims...), nil }

// DeviceNum returns the device; 0 if it stands for the whole mesh.
func (b *Buffer) DeviceNum() (compute.DeviceNum, error) { return b.device, nil }

var errFinalized = errors.New("gospmd: the buffer was finalized: use it before Finalize")

// Finalize makes the buffer unusable, and frees its memory on the devices when the graphs that were
// started have used it. It implements compute.Buffer and returns nil.
func (b *Buffer) Finalize() error {
	b.end(errFinalized)
	return nil
}

// end releases the arrays of the buffer, and makes it unusable: later uses return why. Only the
// first call has an effect.
func (b *Buffer) end(why error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.ended != nil {
		return
	}
	b.ended = why
	for _, a := range b.arrays {
		a.Release()
	}
	b.shard.drop()
	b.host, b.arrays, b.shard = nil, nil, shard{}
}

// ToFlatData waits until the elements are there, and copies them to flat, a slice of their Go type
// and number. In a job, all processes must call it. A wrong slice, a finalized buffer and the error
// of the run that made the elements are errors.
func (b *Buffer) ToFlatData(flat any) error {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.ended != nil {
		return b.ended
	}
	from, err := b.fetch()
	if err != nil {
		return err
	}
	if err := checkFlat(b.typ, flat); err != nil {
		return fmt.Errorf("gospmd: ToFlatData: %w", err)
	}
	if b.typ.Size() > 0 {
		reflect.Copy(reflect.ValueOf(flat), reflect.ValueOf(from))
	}
	return nil
}

// fetch waits for the elements and returns them as a flat slice on the host, which the caller must
// not change. It counts the fetches from devices. The caller must hold b.mu, and the buffer must
// not have ended.
func (b *Buffer) fetch() (flat any, err error) {
	if b.host != nil {
		return b.host, nil
	}
	b.backend.fetched.Add(1)
	if len(b.arrays) > 0 {
		return b.arrays[0].Gather(context.Background())
	}
	return b.shard.of.array.GetShard(context.Background(), b.shard.position)
}

// Data returns an error: see Backend.HasSharedBuffers.
func (b *Buffer) Data() (any, error) {
	return nil, fmt.Errorf("gospmd: Data: a buffer is sharded over devices and has no memory in common with the host: use ToFlatData")
}

// CopyToDevice returns a copy of the buffer on the device, which the caller owns. The tensor is
// copied on the devices if it is there already. With devices=N it always goes through the host. A
// finalized buffer and an unknown device are errors.
func (b *Buffer) CopyToDevice(device compute.DeviceNum) (compute.Buffer, error) {
	if err := b.backend.check(device); err != nil {
		return nil, err
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.ended != nil {
		return nil, b.ended
	}
	out := newBuffer(b.backend, b.typ)
	out.device = device
	if b.host != nil || b.backend.config.explicit > 0 {
		flat, err := b.fetch()
		if err != nil {
			return nil, err
		}
		out.host, err = cloneFlat(b.typ, flat)
		return out, err
	}
	a, err := b.backend.move(b.arrays[0], b.arrays[0].Sharding())
	out.arrays = []*runtime.Array{a}
	return out, err
}

// asArray returns the tensor as an array with sharding s on the devices; without a mesh s may be
// nil, for the one device. The buffer keeps the array, so that the next call with s returns the
// same one. A finalized buffer is an error.
func (b *Buffer) asArray(s *layout.Sharding) (a *runtime.Array, err error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.ended != nil {
		return nil, b.ended
	}
	for _, a := range b.arrays {
		if have := a.Sharding(); have == s || b.backend.config.mesh == nil || have.SameLayout(s) {
			return a, nil
		}
	}
	if b.host != nil || len(b.arrays) == 0 {
		var flat any
		if flat, err = b.fetch(); err != nil {
			return nil, err
		}
		b.backend.put.Add(1)
		a, err = b.backend.client.Put(b.typ, s, flat)
	} else {
		a, err = b.backend.move(b.arrays[0], s)
	}
	if err != nil {
		return nil, err
	}
	b.arrays, b.host = append(b.arrays, a), nil
	return a, nil
}

// cloneFlat returns a copy of flat, the elements of a tensor of type t. It is an error if they are
// not.
func cloneFlat(t ir.Type, flat any) (any, error) {
	if err := checkFlat(t, flat); err != nil {
		return nil, fmt.Errorf("gospmd: BufferFromFlatData: %w", err)
	}
	out := dtypes.MakeAnySlice(t.DType, t.Size())
	if t.Size() > 0 {
		reflect.Copy(reflect.ValueOf(out), reflect.ValueOf(flat))
	}
	return out, nil
}

// checkFlat returns an error if flat is not a slice with the elements of a tensor. For a tensor
// without elements it may be nil.
func checkFlat(t ir.Type, flat any) error {
	v := reflect.ValueOf(flat)
	n := 0
	switch {
	case !v.IsValid() && t.Size() == 0:
		return nil
	case v.IsValid() && v.Kind() == reflect.Slice:
		n = v.Len()
		if v.Type().Elem() == t.DType.GoType() && n == t.Size() {
			return nil
		}
	}
	return fmt.Errorf("got %T of %d elements, want []%s of the %d elements of %s", flat, n, t.DType.GoType(), t.Size(), t)
}
