package runtime

// This file defines Array, a tensor that is sharded over devices, and the methods that read it back
// to the host. It also converts between host slices and bytes.

import (
	"context"
	"fmt"
	"reflect"
	"slices"
	"strings"

	"github.com/gomlx/compute/dtypes"
	"github.com/gomlx/compute/dtypes/gotype"

	"github.com/gospmd/gospmd/internal/made"
	"github.com/gospmd/gospmd/internal/rowmajor"
	"github.com/gospmd/gospmd/ir"
	"github.com/gospmd/gospmd/layout"
)

// Array is a global tensor: shards on devices, and the sharding, which says what each device holds.
// It may be pending: the run or transfer that makes it has not ended. All methods may be called
// from several goroutines.
type Array struct {
	client   *Client
	typ      ir.Type
	sharding *layout.Sharding
	buffers  []Buffer // by mesh position; nil where the device is in another process

	// Guarded by client.mu:
	invalid error // why the buffers cannot be used any more; nil while they can
	readers int   // the number of Gets in progress; a donation waits until it is 0
}

// Type returns the global type.
func (a *Array) Type() ir.Type { return a.typ }

// Sharding returns the sharding. It is nil for an array that Put placed on one device without a
// sharding.
func (a *Array) Sharding() *layout.Sharding { return a.sharding }

// String returns the type, the sharding and the mesh, for messages. An array without a sharding is
// "on device 0".
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

// Shards returns the shards on this process' devices, in the mesh's device order.
// Their buffers are valid as long as the array is.
func (a *Array) Shards() []Shard {
	ids := a.client.globalDevices(a.sharding)
	var out []Shard
	for pos, p := range a.meshShards() {
		if b := a.buffers[pos]; b != nil {
			out = append(out, Shard{Device: ids[pos], Ranges: p.ranges, Local: b.Type(), Buffer: b})
		}
	}
	return out
}

func (a *Array) meshShards() []meshShard {
	return meshShards(a.typ, a.sharding, a.client.localDevices(a.sharding))
}

// IsFullyAddressable reports whether all devices of the array's mesh are in this
// process: jax.Array.is_fully_addressable.
func (a *Array) IsFullyAddressable() bool { return !slices.Contains(a.buffers, nil) }

// Wait returns when the array is ready. Its error is that of the run or transfer that made the
// array, or of ctx. A released or donated array is an error.
func (a *Array) Wait(ctx context.Context) error {
	if err := made.Context(ctx); err != nil {
		return fmt.Errorf("runtime: array %s: %w", a.typ, err)
	}
	if err := a.startReading(); err != nil {
		return err
	}
	defer a.stopReading()
	for _, b := range a.buffers {
		if b == nil {
			continue
		}
		if err := b.Wait(ctx); err != nil {
			return fmt.Errorf("runtime: array %s: %w", a.typ, err)
		}
	}
	return nil
}

// Get waits and returns the full tensor as a flat slice of the Go type of its dtype, row-major. See
// Values for the typed form. A shard that only other processes hold is an error: call Gather in all
// of them. So is an array that is released, donated or holds partial sums, and a dtype without a Go
// type.
func (a *Array) Get(ctx context.Context) (any, error) {
	if err := made.Context(ctx); err != nil {
		return nil, fmt.Errorf("runtime: Get: %w", err)
	}
	flat, global, stop, err := a.startGet("Get")
	if err != nil {
		return nil, err
	}
	defer stop()
	if missing := a.missingShards(); missing != nil {
		return nil, fmt.Errorf("runtime: Get: array %s has shards in other processes only, such as %s: call Gather, in all processes",
			a, rangesText(missing[0].ranges))
	}
	if err := a.readLocal(ctx, global); err != nil {
		return nil, err
	}
	return flat, nil
}

// GetShard waits and returns the elements of the shard at a position of the mesh, as Get does,
// without padding. A position whose shard is not in this process is an error, and so is an array
// that Get refuses.
func (a *Array) GetShard(ctx context.Context, position int) (any, error) {
	if err := made.Context(ctx); err != nil {
		return nil, fmt.Errorf("runtime: GetShard: %w", err)
	}
	if position < 0 || position >= len(a.buffers) || a.buffers[position] == nil {
		return nil, fmt.Errorf("runtime: GetShard: array %s has no shard at position %d in this process, and %d in all", a, position, len(a.buffers))
	}
	if err := checkHostType(a.typ); err != nil {
		return nil, fmt.Errorf("runtime: GetShard: %w", err)
	}
	if err := a.checkReduced("GetShard"); err != nil {
		return nil, err
	}
	if err := a.startReading(); err != nil {
		return nil, err
	}
	defer a.stopReading()
	ranges := a.meshShards()[position].ranges
	flat, data := makeFlat(a.typ.WithDims(lens(ranges)))
	shard, err := a.shardData(ctx, a.buffers[position], ranges, newRoom)
	if err != nil {
		return nil, err
	}
	copy(data, shard)
	return flat, nil
}

// startGet checks that the array can be read, and allocates memory for the full tensor: flat is the
// slice, and global the same memory as bytes. The caller must call stop when it has read the array,
// because a donation waits for that. A type that Go does not have, and an array that is unreduced,
// released or donated, are errors. what names the caller in errors.
func (a *Array) startGet(what string) (flat any, global []byte, stop func(), err error) {
	if err := checkHostType(a.typ); err != nil {
		return nil, nil, nil, fmt.Errorf("runtime: %s: %w", what, err)
	}
	if err := a.checkReduced(what); err != nil {
		return nil, nil, nil, err
	}
	if err := a.startReading(); err != nil {
		return nil, nil, nil, err
	}
	flat, global = makeFlat(a.typ)
	return flat, global, a.stopReading, nil
}

// readLocal copies the shards that this process has to their places in global.
func (a *Array) readLocal(ctx context.Context, global []byte) error {
	for pos, p := range a.meshShards() {
		if p.local != pos {
			continue
		}
		if err := a.read(ctx, a.buffers[pos], p.ranges, global); err != nil {
			return fmt.Errorf("runtime: array %s: %w", a.typ, err)
		}
	}
	return nil
}

func (a *Array) checkReduced(what string) error {
	if a.sharding != nil && len(a.sharding.Unreduced) > 0 {
		return fmt.Errorf("runtime: %s: array %s still holds partial sums over %s: reduce it in a program first",
			what, a, layout.AxesText(a.sharding.Unreduced))
	}
	return nil
}

// read copies the elements of the global ranges from b, which holds them, to their places in
// global.
func (a *Array) read(ctx context.Context, b Buffer, ranges []layout.Range, global []byte) error {
	box, local, elem := lens(ranges), b.Type(), a.typ.DType.Size()
	shard := a.typ.WithDims(box)
	if shard.Size() == 0 {
		return b.Wait(ctx)
	}
	if offset, ok := contiguousOffset(a.typ.Dims, ranges); ok && shard.Equal(local) {
		return b.Read(ctx, global[offset*elem:][:shard.Bytes()])
	}
	data := make([]byte, local.Bytes())
	if err := b.Read(ctx, data); err != nil {
		return err
	}
	rowmajor.CopyBox(global, a.typ.Dims, starts(ranges), data, local.Dims, nil, box, elem)
	return nil
}

// Visit waits and calls the function visit once for each different shard that is not empty. visit
// gets the global index ranges that the shard covers, without padding, and its elements as bytes,
// in row-major order, which it may keep. The first error of visit ends Visit and is returned. Visit
// is the reverse of Client.PutShards: it never holds the full tensor in one place. An array that is
// released, donated or holds partial sums is an error. So is a shard that only other processes
// hold: VisitOwned divides the shards among them.
func (a *Array) Visit(ctx context.Context, visit func(ranges []layout.Range, data []byte) error) error {
	if err := made.Context(ctx); err != nil {
		return fmt.Errorf("runtime: Visit: %w", err)
	}
	if missing := a.missingShards(); missing != nil {
		return fmt.Errorf("runtime: Visit: array %s has shards in other processes only, such as %s: call VisitOwned, in all processes",
			a, rangesText(missing[0].ranges))
	}
	return a.visit(ctx, "Visit", func(pos int, p meshShard) bool { return p.local == pos }, newRoom, visit)
}

// newRoom returns new memory for the elements of a shard.
func newRoom(size int) []byte { return make([]byte, size) }

// visit calls the function visit with the global ranges and the elements of each shard on this
// process' devices whose position chosen accepts. Shards without elements are left out. It copies
// the elements into memory that room returns. what names the caller in errors. The first error of
// visit ends it and is returned.
func (a *Array) visit(ctx context.Context, what string, chosen func(pos int, p meshShard) bool, room func(size int) []byte,
	visit func(ranges []layout.Range, data []byte) error) error {
	if err := a.checkReduced(what); err != nil {
		return err
	}
	if err := a.startReading(); err != nil {
		return err
	}
	defer a.stopReading()
	for pos, p := range a.meshShards() {
		if !chosen(pos, p) || a.typ.WithDims(lens(p.ranges)).Size() == 0 {
			continue
		}
		data, err := a.shardData(ctx, a.buffers[pos], p.ranges, room)
		if err != nil {
			return err
		}
		if err := visit(p.ranges, data); err != nil {
			return err
		}
	}
	return nil
}

// shardData reads the shard in buffer b and returns the elements of ranges, global indices that b
// holds, row by row, without padding. They are in memory that room returns for their size in bytes.
func (a *Array) shardData(ctx context.Context, b Buffer, ranges []layout.Range, room func(size int) []byte) ([]byte, error) {
	box, local := lens(ranges), b.Type()
	shard := a.typ.WithDims(box)
	data := room(shard.Bytes())
	padded := data // or with the padding
	if !shard.Equal(local) {
		padded = make([]byte, local.Bytes())
	}
	if err := b.Read(ctx, padded); err != nil {
		return nil, fmt.Errorf("runtime: array %s: %w", a.typ, err)
	}
	if !shard.Equal(local) {
		rowmajor.CopyBox(data, box, nil, padded, local.Dims, nil, box, a.typ.DType.Size())
	}
	return data, nil
}

// Values returns the elements of a, as Array.Get does, as a slice of T. T must be the type of a's
// elements. Another T is an error, and so is what is one for Get.
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
		if b != nil {
			b.Release()
		}
	}
}

func sliceOf(flat any) (reflect.Value, bool) {
	v := reflect.ValueOf(flat)
	return v, v.IsValid() && v.Kind() == reflect.Slice
}

// hostDTypes are the element types that have a Go type. Put and Get accept only these.
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

// hostBytes returns the memory of flat as bytes. It returns an error if flat is not a slice of t's
// Go type with as many elements as t.
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

// makeFlat allocates a tensor of type t. It returns the flat slice, and the same memory as bytes.
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
