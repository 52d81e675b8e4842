package runtime

// This file computes which elements each device holds, and views host tensors
// as bytes.

import (
	"fmt"
	"slices"
	"strings"

	"github.com/gomlx/compute/dtypes"

	"github.com/gospmd/gospmd/ir"
	"github.com/gospmd/gospmd/layout"
)

// meshShard is what one position of a mesh holds of a tensor.
type meshShard struct {
	ranges []layout.Range // global indices, without padding
	first  int            // the first position that holds the same shard
}

// meshShards returns the shard of every mesh position; a nil sharding has one.
func meshShards(t ir.Type, s *layout.Sharding) []meshShard {
	if s == nil {
		return []meshShard{{ranges: s.ShardRanges(t.Dims, 0)}}
	}
	out := make([]meshShard, s.Mesh.Size())
	firsts := make([]int, s.ShardCount()) // by shard, position + 1
	for pos := range out {
		shard := 0
		for i, d := range s.Dims {
			shard = shard*s.DimShards(i) + s.Mesh.RefsCoordinate(pos, d.Axes)
		}
		if firsts[shard] == 0 {
			firsts[shard] = pos + 1
			out[pos] = meshShard{s.ShardRanges(t.Dims, pos), pos}
		} else {
			first := firsts[shard] - 1
			out[pos] = meshShard{out[first].ranges, first}
		}
	}
	return out
}

// deviceIDs returns the device of every mesh position.
func deviceIDs(s *layout.Sharding) []int {
	if s == nil {
		return []int{0}
	}
	return s.Mesh.Devices()
}

// match returns how to pass an array sharded as have where one sharded as want
// is expected: position pos of want's mesh takes the shard at position
// order[pos] of have's; a nil order means the same position. ok is false when
// data would have to move.
func match(t ir.Type, have, want *layout.Sharding) (order []int, ok bool) {
	if have == want || have != nil && want != nil && have.SameLayout(want) {
		return nil, true
	}
	if have != nil && len(have.Unreduced) > 0 || want != nil && len(want.Unreduced) > 0 {
		return nil, false
	}
	from, to := deviceIDs(have), deviceIDs(want)
	if len(from) != len(to) || !slices.Equal(have.LocalShape(t.Dims), want.LocalShape(t.Dims)) {
		return nil, false
	}
	order = make([]int, len(to))
	for pos, id := range to {
		order[pos] = slices.Index(from, id)
		if order[pos] < 0 || !slices.Equal(have.ShardRanges(t.Dims, order[pos]), want.ShardRanges(t.Dims, pos)) {
			return nil, false
		}
	}
	return order, true
}

// contiguous reports whether the ranges are one run of elements in a row-major
// tensor of these dims, and at which element the run begins.
func contiguous(dims []int, ranges []layout.Range) (offset int, ok bool) {
	ok = true
	full := true // the ranges cover all dimensions after this one
	step := 1
	for i := len(dims) - 1; i >= 0; i-- {
		offset += ranges[i].Start * step
		step *= dims[i]
		ok = ok && (full || ranges[i].Len() == 1)
		full = full && ranges[i].Len() == dims[i]
	}
	return offset, ok
}

// hostDTypes are the element types with a Go type of their own, which Put and
// Get accept.
var hostDTypes = []dtypes.DType{
	dtypes.Bool,
	dtypes.Int8, dtypes.Int16, dtypes.Int32, dtypes.Int64,
	dtypes.Uint8, dtypes.Uint16, dtypes.Uint32, dtypes.Uint64,
	dtypes.Float16, dtypes.BFloat16, dtypes.Float32, dtypes.Float64,
	dtypes.Complex64, dtypes.Complex128,
}

func checkHostType(t ir.Type) error {
	if !slices.Contains(hostDTypes, t.DType) {
		return fmt.Errorf("%s has no Go type: want elements of a type with a Go counterpart, such as i8 or f32, and convert on the device", t)
	}
	for i, d := range t.Dims {
		if d < 0 {
			return fmt.Errorf("dimension %d of %s is %d: a size must be at least 0", i, t, d)
		}
	}
	return nil
}

// hostBytes returns the memory of flat, which must be a slice of t's elements.
func hostBytes(t ir.Type, flat any) ([]byte, error) {
	if err := checkHostType(t); err != nil {
		return nil, err
	}
	got, n := dtypes.InvalidDType, 0
	if v, ok := sliceOf(flat); ok {
		got, n = dtypes.FromGoType(v.Type().Elem()), v.Len()
	}
	if got != t.DType {
		return nil, fmt.Errorf("got %T as the elements of %s, want []%s: convert them first", flat, t, t.DType.GoType())
	}
	if n != t.Size() {
		return nil, fmt.Errorf("got %d elements for %s, want %d (the product of its dimensions): pass the full tensor", n, t, t.Size())
	}
	if n == 0 {
		return nil, nil
	}
	return dtypes.UnsafeByteSliceFromAny(flat), nil
}

// makeFlat returns a new flat slice of t's elements and its memory.
func makeFlat(t ir.Type) (flat any, data []byte) {
	flat = dtypes.MakeAnySlice(t.DType, t.Size())
	if t.Size() == 0 {
		return flat, nil
	}
	return flat, dtypes.UnsafeByteSliceFromAny(flat)
}

func starts(rs []layout.Range) []int {
	out := make([]int, len(rs))
	for i, r := range rs {
		out[i] = r.Start
	}
	return out
}

func lens(rs []layout.Range) []int {
	out := make([]int, len(rs))
	for i, r := range rs {
		out[i] = r.Len()
	}
	return out
}

// rangesText returns ranges as [0:4, 2:3].
func rangesText(rs []layout.Range) string {
	texts := make([]string, len(rs))
	for i, r := range rs {
		texts[i] = fmt.Sprintf("%d:%d", r.Start, r.Limit)
	}
	return "[" + strings.Join(texts, ", ") + "]"
}
