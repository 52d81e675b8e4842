package variable

// This file moves values part by part: to and from files, and from values that
// the user gave.

import (
	"context"
	"fmt"
	"iter"

	"github.com/gomlx/compute/dtypes"

	"github.com/gospmd/gospmd/layout"
	"github.com/gospmd/gospmd/runtime"
)

// VisitOwned calls visit with the parts of the value that this process must save. Every element is
// in one part of one process. The parts are the shards on the devices. Before Allocate they are
// blocks of the first value, and each process visits all of them. data holds the elements in
// row-major order; visit may keep it. An error of visit ends the visit, and is returned.
func (v *Variable) VisitOwned(ctx context.Context, visit func(ranges []layout.Range, data []byte) error) error {
	return v.VisitOwnedInto(ctx, newRoom, visit)
}

// newRoom returns new memory of size bytes.
func newRoom(size int) []byte { return make([]byte, size) }

// VisitOwnedInto is VisitOwned for callers that use memory again: it copies the elements of a shard
// on the devices into the memory that room returns, which must have that size in bytes. Before
// Allocate it does not call room.
func (v *Variable) VisitOwnedInto(ctx context.Context, room func(size int) []byte, visit func(ranges []layout.Range, data []byte) error) error {
	v.mu.Lock()
	a := v.array
	v.mu.Unlock()
	if a == nil {
		return v.visitBlocks(visit)
	}
	if err := a.VisitOwnedInto(ctx, room, visit); err != nil {
		return fmt.Errorf("variable %s: %w", v.path, err)
	}
	return nil
}

// Visit calls visit with the parts of the value; every element is in one part. In a job of several
// processes all must call it at the same time, and each gets all elements. If some elements are in
// other processes only, there is one part with all.
func (v *Variable) Visit(ctx context.Context, visit func(ranges []layout.Range, data []byte) error) error {
	v.mu.Lock()
	a := v.array
	v.mu.Unlock()
	switch {
	case a == nil:
		return v.visitBlocks(visit)
	case a.IsFullyAddressable():
		if err := a.Visit(ctx, visit); err != nil {
			return fmt.Errorf("variable %s: %w", v.path, err)
		}
		return nil
	}
	flat, err := a.Gather(ctx)
	if err != nil {
		return fmt.Errorf("variable %s: %w", v.path, err)
	}
	if v.typ.Size() == 0 {
		return nil
	}
	return visit(v.fullRanges(), dtypes.UnsafeByteSliceFromAny(flat))
}

// visitBlocks calls visit with blocks of the first value, which it computes on the host, that
// together cover the tensor.
func (v *Variable) visitBlocks(visit func(ranges []layout.Range, data []byte) error) error {
	for ranges := range v.blocks() {
		size := 1
		for _, r := range ranges {
			size *= r.Len()
		}
		flat := dtypes.MakeAnySlice(v.typ.DType, size)
		if err := v.init.Fill(flat, v.typ.DType, v.typ.Dims, ranges); err != nil {
			return fmt.Errorf("variable %s: %w", v.path, err)
		}
		if err := visit(ranges, dtypes.UnsafeByteSliceFromAny(flat)); err != nil {
			return err
		}
	}
	return nil
}

// blockSize is the size of a block of visitBlocks, in bytes.
const blockSize = 64 << 20

// blocks yields ranges that together cover the tensor, in order. They divide dimension 0 into
// blocks of about blockSize bytes. A tensor without elements has none.
func (v *Variable) blocks() iter.Seq[[]layout.Range] {
	return func(yield func([]layout.Range) bool) {
		full := v.fullRanges()
		bytes := v.typ.Bytes()
		if bytes == 0 {
			return
		}
		if v.typ.Rank() == 0 || bytes <= blockSize {
			yield(full)
			return
		}
		rows := v.typ.Dims[0]
		step := max(1, rows*blockSize/bytes)
		for from := 0; from < rows; from += step {
			block := append([]layout.Range{{Start: from, Limit: min(rows, from+step)}}, full[1:]...)
			if !yield(block) {
				return
			}
		}
	}
}

// fullRanges returns the ranges of all elements of the variable, one for each dimension.
func (v *Variable) fullRanges() []layout.Range {
	ranges := make([]layout.Range, v.typ.Rank())
	for i, d := range v.typ.Dims {
		ranges[i] = layout.Range{Start: 0, Limit: d}
	}
	return ranges
}

// Restore replaces the value by the value of f, on c's devices and with the variable's sharding. As
// in Allocate, each device gets only its shard. If f fails, the variable keeps its old value.
func (v *Variable) Restore(c *runtime.Client, f Filler) error {
	v.mu.Lock()
	defer v.mu.Unlock()
	sharding := v.sharding
	if v.array != nil {
		sharding = v.array.Sharding()
	}
	a, err := v.put(c, sharding, f)
	if err != nil {
		return err
	}
	if v.array != nil {
		v.array.Release()
	}
	v.array = a
	return nil
}

// Broadcast gives the variables the same values in all processes of a job. All processes must call
// it at the same time. A shard gets the value of the first process that holds it, mostly process 0.
// All variables must have values on devices.
func Broadcast(ctx context.Context, c *runtime.Client, vs []*Variable) error {
	arrays := make([]*runtime.Array, len(vs))
	for i, v := range vs {
		arrays[i] = v.Array()
	}
	same, err := c.Broadcast(ctx, arrays)
	if err != nil {
		return fmt.Errorf("giving all processes the same variables: %w", err)
	}
	for i, v := range vs {
		if same[i] != arrays[i] {
			v.SetArray(same[i])
			arrays[i].Release()
		}
	}
	return nil
}

// hostValue is the Filler of a value that the user gave: the bytes of the full
// tensor, row-major.
type hostValue struct{ bytes []byte }

// Fill copies the elements that ranges select of the value, of shape global, to dst.
func (h hostValue) Fill(dst any, dtype dtypes.DType, global []int, ranges []layout.Range) error {
	out := dtypes.UnsafeByteSliceFromAny(dst)
	size := dtype.Size()
	var copyDim func(dim, offset int)
	copyDim = func(dim, offset int) {
		if dim == len(global) {
			n := copy(out, h.bytes[offset*size:(offset+1)*size])
			out = out[n:]
			return
		}
		r := ranges[dim]
		if dim == len(global)-1 {
			start := offset*global[dim] + r.Start
			n := copy(out, h.bytes[start*size:(start+r.Len())*size])
			out = out[n:]
			return
		}
		for i := r.Start; i < r.Limit; i++ {
			copyDim(dim+1, offset*global[dim]+i)
		}
	}
	copyDim(0, 0)
	return nil
}
