package runtime

// This file defines Array, a tensor sharded over devices, and reads it back.
// It computes which elements each device holds, and views host tensors as
// bytes.

import (
	"context"
	"fmt"
	"reflect"
	"slices"
	"strings"

	"github.com/gomlx/compute/dtypes"
	"github.com/gomlx/compute/dtypes/gotype"
	"github.com/gospmd/gospmd/internal/rowmajor"
	"github.com/gospmd/gospmd/ir"
	"github.com/gospmd/gospmd/layout"
)

// Array is a global tensor: shards on devices, and the sharding that says what
// each holds. It may be pending. All methods may be called from several
// goroutines.
type Array struct {
	client   *Client
	typ      ir.Type
	sharding *layout.Sharding
	buffers  []Buffer // by mesh position

	// Guarded by client.mu:
	invalid error // why the buffers cannot be used any more; nil while they can
	readers int   // Gets in progress, which a donation waits for
}

// Type returns the global type.
func (a *Array) Type() ir.Type { return a.typ }

// Sharding returns the sharding; nil for an array put on one device without one.
func (a *Array) Sharding() *layout.Sharding { return a.sharding }

// String returns type and sharding, for messages.
func (a *Array) String() string {
	if a.sharding == nil {
		return a.typ.String() + " on device 0"
	}
	return fmt.Sprintf("%s %s on mesh %s", a.typ, a.sharding, a.sharding.Mesh)
}

// Shard is what one device holds of an Array.
type Shard struct {
	Device int            // device id
	Ranges []layout.Range // global indices of its elements, without padding
	Local  ir.Type        // the padded local type
	Buffer Buffer         // belongs to the array: not to be released
}

// Shards returns the shards in the mesh's device order. Their buffers are
// valid as long as the array is.
func (a *Array) Shards() []Shard {
	ids := deviceIDs(a.sharding)
	out := make([]Shard, len(ids))
	for pos, p := range meshShards(a.typ, a.sharding) {
		b := a.buffers[pos]
		out[pos] = Shard{Device: ids[pos], Ranges: p.ranges, Local: b.Type(), Buffer: b}
	}
	return out
}

// Wait returns when the array is ready, with the error of what made it.
func (a *Array) Wait(ctx context.Context) error {
	if err := a.startReading(); err != nil {
		return err
	}
	defer a.stopReading()
	for _, b := range a.buffers {
		if err := b.Wait(ctx); err != nil {
			return fmt.Errorf("runtime: array %s: %w", a.typ, err)
		}
	}
	return nil
}

// Get waits and returns the full tensor as a flat slice of the Go type of its
// dtype, row-major. See Values for the typed form.
func (a *Array) Get(ctx context.Context) (any, error) {
	if err := checkHostType(a.typ); err != nil {
		return nil, fmt.Errorf("runtime: Get: %w", err)
	}
	if err := a.startReading(); err != nil {
		return nil, err
	}
	defer a.stopReading()
	if a.sharding != nil && len(a.sharding.Unreduced) > 0 {
		return nil, fmt.Errorf("runtime: Get: array %s still holds partial sums over %s: reduce it in a program first",
			a, layout.AxesText(a.sharding.Unreduced))
	}
	flat, global := makeFlat(a.typ)
	for pos, p := range meshShards(a.typ, a.sharding) {
		if p.first != pos {
			continue
		}
		if err := a.read(ctx, a.buffers[pos], p.ranges, global); err != nil {
			return nil, fmt.Errorf("runtime: array %s: %w", a.typ, err)
		}
	}
	return flat, nil
}

// read copies the elements of the ranges, which b holds, to their place in
// global.
func (a *Array) read(ctx context.Context, b Buffer, ranges []layout.Range, global []byte) error {
	box, local, elem := lens(ranges), b.Type(), a.typ.DType.Size()
	shard := a.typ.WithDims(box)
	if shard.Size() == 0 {
		return b.Wait(ctx)
	}
	if offset, ok := contiguous(a.typ.Dims, ranges); ok && shard.Equal(local) {
		return b.Read(ctx, global[offset*elem:][:shard.Bytes()])
	}
	data := make([]byte, local.Bytes())
	if err := b.Read(ctx, data); err != nil {
		return err
	}
	rowmajor.CopyBox(global, a.typ.Dims, starts(ranges), data, local.Dims, nil, box, elem)
	return nil
}

// Visit waits and calls visit once for each different shard that is not empty,
// with the global index ranges that the shard covers, without padding, and its
// elements in row-major order, which visit may keep. It is the reverse of
// Client.PutShards: the full tensor is never held in one place.
func (a *Array) Visit(ctx context.Context, visit func(ranges []layout.Range, data []byte) error) error {
	if err := a.startReading(); err != nil {
		return err
	}
	defer a.stopReading()
	if a.sharding != nil && len(a.sharding.Unreduced) > 0 {
		return fmt.Errorf("runtime: Visit: array %s still holds partial sums over %s: reduce it in a program first",
			a, layout.AxesText(a.sharding.Unreduced))
	}
	for pos, p := range meshShards(a.typ, a.sharding) {
		if p.first != pos {
			continue
		}
		box := lens(p.ranges)
		shard := a.typ.WithDims(box)
		if shard.Size() == 0 {
			continue
		}
		b := a.buffers[pos]
		local := b.Type()
		data := make([]byte, local.Bytes())
		if err := b.Read(ctx, data); err != nil {
			return fmt.Errorf("runtime: array %s: %w", a.typ, err)
		}
		if !shard.Equal(local) {
			padded := data
			data = make([]byte, shard.Bytes())
			rowmajor.CopyBox(data, box, nil, padded, local.Dims, nil, box, a.typ.DType.Size())
		}
		if err := visit(p.ranges, data); err != nil {
			return err
		}
	}
	return nil
}

// Values is Get for a known element type.
func Values[T gotype.Supported](ctx context.Context, a *Array) ([]T, error) {
	if want := dtypes.FromGenericsType[T](); want != a.typ.DType {
		var zero T
		return nil, fmt.Errorf("runtime: Values[%T]: the array is %s, whose elements are %s: ask for those, or convert on the device",
			zero, a.typ, a.typ.DType.GoStr())
	}
	flat, err := a.Get(ctx)
	if err != nil {
		return nil, err
	}
	return flat.([]T), nil
}

// Release frees the array's buffers once all runs queued before have used
// them. Releasing an array twice, or one that was donated, does nothing.
func (a *Array) Release() {
	a.client.mu.Lock()
	valid := a.invalid == nil
	if valid {
		a.invalid = fmt.Errorf("the array %s was released: use it before Release", a.typ)
	}
	a.client.mu.Unlock()
	if valid {
		releaseAll(a.buffers)
	}
}

func (a *Array) startReading() error {
	a.client.mu.Lock()
	defer a.client.mu.Unlock()
	if a.invalid != nil {
		return fmt.Errorf("runtime: %w", a.invalid)
	}
	a.readers++
	return nil
}

func (a *Array) stopReading() {
	a.client.mu.Lock()
	defer a.client.mu.Unlock()
	if a.readers--; a.readers == 0 {
		a.client.idle.Broadcast()
	}
}

func releaseAll(bs []Buffer) {
	for _, b := range bs {
		b.Release()
	}
}

func sliceOf(flat any) (reflect.Value, bool) {
	v := reflect.ValueOf(flat)
	return v, v.IsValid() && v.Kind() == reflect.Slice
}

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
