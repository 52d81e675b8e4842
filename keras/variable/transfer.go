package variable

// This file moves values from and to files, part by part.

import (
	"context"
	"fmt"
	"iter"

	"github.com/gomlx/compute/dtypes"

	"github.com/gospmd/gospmd/layout"
	"github.com/gospmd/gospmd/runtime"
)

// Visit calls visit with the parts of the value, which together are all of it,
// each element once: the shards on the devices, or before Allocate what it
// would make. data holds the elements row-major and is visit's to keep.
func (v *Variable) Visit(ctx context.Context, visit func(ranges []layout.Range, data []byte) error) error {
	v.mu.Lock()
	a := v.array
	v.mu.Unlock()
	if a == nil {
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
	if err := a.Visit(ctx, visit); err != nil {
		return fmt.Errorf("variable %s: %w", v.path, err)
	}
	return nil
}

// blockSize is the number of bytes that Visit computes at a time.
const blockSize = 64 << 20

// blocks yields ranges that cover the tensor, split along dimension 0.
func (v *Variable) blocks() iter.Seq[[]layout.Range] {
	return func(yield func([]layout.Range) bool) {
		whole := make([]layout.Range, v.typ.Rank())
		for i, d := range v.typ.Dims {
			whole[i] = layout.Range{Start: 0, Limit: d}
		}
		bytes := v.typ.Bytes()
		if bytes == 0 {
			return
		}
		if v.typ.Rank() == 0 || bytes <= blockSize {
			yield(whole)
			return
		}
		rows := v.typ.Dims[0]
		step := max(1, rows*blockSize/bytes)
		for from := 0; from < rows; from += step {
			part := append([]layout.Range{{Start: from, Limit: min(rows, from+step)}}, whole[1:]...)
			if !yield(part) {
				return
			}
		}
	}
}

// Restore replaces the value by what f makes, on c's devices and in the
// variable's layout. Each device gets its shard only, as with Allocate; a
// value that cannot be made leaves the old one.
func (v *Variable) Restore(c *runtime.Client, f Filler) error {
	v.mu.Lock()
	defer v.mu.Unlock()
	sharding := v.sharding
	if v.array != nil {
		sharding = v.array.Sharding()
	}
	a, err := c.PutShards(v.typ, sharding, func(ranges []layout.Range, dst any) error {
		return f.Fill(dst, v.typ.DType, v.typ.Dims, ranges)
	})
	if err != nil {
		return fmt.Errorf("variable %s: %w", v.path, err)
	}
	if v.array != nil {
		v.array.Release()
	}
	v.array = a
	return nil
}
