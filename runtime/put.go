package runtime

// This file brings tensors of the host to devices: whole ones, shard by shard, or several
// stacked in one array.

import (
	"fmt"
	"iter"
	"slices"

	"github.com/gospmd/gospmd/internal/rowmajor"
	"github.com/gospmd/gospmd/ir"
	"github.com/gospmd/gospmd/layout"
)

// Put makes a global array from host elements: flat is a slice of the Go type of t.DType in
// row-major order and holds the full tensor. Each device gets its shard only. A nil sharding puts
// the array on device 0. Elements of another type or number, a sharding that does not suit t or the
// devices, a full memory (Options.MemoryLimit) and a closed client are errors.
//
// The elements are copied before Put returns. The transfer goes on in the
// background and does not wait for queued runs.
func (c *Client) Put(t ir.Type, s *layout.Sharding, flat any) (*Array, error) {
	return c.putHost("Put", t, s, hostTensor{global: t, typ: t}, flat)
}

// PutStack makes a global array of tensors that are stacked along a new first dimension. t and s
// are the type and the sharding of the stack, whose first dimension must not be sharded. elements
// yields the elements of the stack, in the form that Put takes, or an error. PutStack calls
// elements once for each different shard, so that it never holds the full stack in one place; in a
// job, once more to compare the values. Another number of elements than t says is an error.
func (c *Client) PutStack(t ir.Type, s *layout.Sharding, elements iter.Seq2[any, error]) (*Array, error) {
	element, _, err := elementOf("PutStack", t, s)
	if err != nil {
		return nil, err
	}
	return c.putStack("PutStack", t, s, hostTensor{global: element, typ: element}, elements)
}

// PutShards makes a global array shard by shard, so that the full tensor is never held in one
// place. PutShards calls fill once for each different shard that does not consist of padding only.
// fill gets the global index ranges that the shard covers, without padding, and a flat slice of as
// many zeros to fill. The first error of fill is returned, with the shard.
func (c *Client) PutShards(t ir.Type, s *layout.Sharding, fill func(ranges []layout.Range, dst any) error) (*Array, error) {
	if err := checkHostType(t); err != nil {
		return nil, fmt.Errorf("runtime: PutShards: %w", err)
	}
	return c.put("PutShards", t, s, shardSource{local: func(p meshShard, local ir.Type) ([]byte, error) {
		box := lens(p.ranges)
		shard := t.WithDims(box)
		if shard.Size() == 0 {
			return make([]byte, local.Bytes()), nil
		}
		flat, data := makeFlat(shard)
		if err := fill(p.ranges, flat); err != nil {
			return nil, fmt.Errorf("filling the shard %s of %s: %w", rangesText(p.ranges), t, err)
		}
		if shard.Equal(local) {
			return data, nil
		}
		padded := make([]byte, local.Bytes())
		rowmajor.CopyBox(padded, local.Dims, nil, data, box, nil, box, t.DType.Size())
		return padded, nil
	}})
}

// elementOf returns the type and the sharding of the elements of a stack of type t, sharded as s.
// It returns an error if t has no dimensions, s has another number of them, or the first dimension,
// which counts the elements, is sharded. what names the caller in errors.
func elementOf(what string, t ir.Type, s *layout.Sharding) (ir.Type, *layout.Sharding, error) {
	if t.Rank() == 0 || s != nil && (len(s.Dims) != t.Rank() || len(s.Dims[0].Axes) > 0) {
		return t, s, fmt.Errorf("runtime: %s: got a stack %s, sharded as %s: want a first dimension, which is not sharded", what, t, s)
	}
	element := t.WithDims(t.Dims[1:])
	if s == nil {
		return element, nil, nil
	}
	return element, &layout.Sharding{Mesh: s.Mesh, Dims: s.Dims[1:]}, nil
}

// hostTensor describes the part of a global tensor that the host gives: all of it, or some rows.
type hostTensor struct {
	global ir.Type // the type of the global tensor
	typ    ir.Type // the type of the part that the host gives
	first  int     // the first row of the part, as a row of the global tensor
}

// putHost makes a global array of type t, sharded as s, from flat, which holds the part that h
// describes. what names the caller in errors.
func (c *Client) putHost(what string, t ir.Type, s *layout.Sharding, h hostTensor, flat any) (*Array, error) {
	data, err := h.bytes(flat)
	if err != nil {
		return nil, fmt.Errorf("runtime: %s: %w", what, err)
	}
	from := shardSource{
		view: func(p meshShard, local ir.Type) []byte { return h.view(local, data, p.ranges) },
		local: func(p meshShard, local ir.Type) ([]byte, error) {
			shard := make([]byte, local.Bytes())
			h.copyShard(shard, local.Dims, data, p.ranges)
			return shard, nil
		},
	}
	if h.isWhole() {
		from.print = func() (uint64, error) { return printOf(t, data), nil }
	}
	return c.put(what, t, s, from)
}

// putStack makes a global array of type t, sharded as s, by stacking elements along its first
// dimension, which must have as many. h describes each element. what is the caller's name, for
// errors.
func (c *Client) putStack(what string, t ir.Type, s *layout.Sharding, h hostTensor, elements iter.Seq2[any, error]) (*Array, error) {
	from := shardSource{local: func(p meshShard, local ir.Type) ([]byte, error) {
		shard, element := make([]byte, local.Bytes()), local.WithDims(local.Dims[1:])
		n, size := 0, element.Bytes()
		for flat, err := range elements {
			if n == t.Dims[0] {
				return nil, fmt.Errorf("got more than the %d elements of the stack %s", n, t)
			}
			var data []byte
			if err == nil {
				data, err = h.bytes(flat)
			}
			if err != nil {
				return nil, fmt.Errorf("element %d: %w", n, err)
			}
			h.copyShard(shard[n*size:][:size], element.Dims, data, p.ranges[1:])
			n++
		}
		if n < t.Dims[0] {
			return nil, fmt.Errorf("got %d elements of the stack %s, want %d", n, t, t.Dims[0])
		}
		return shard, nil
	}}
	if h.isWhole() {
		from.print = func() (uint64, error) { return h.printOfStack(elements) }
	}
	return c.put(what, t, s, from)
}

// isWhole reports whether the host gives the whole global tensor, not some rows.
func (h hostTensor) isWhole() bool { return h.typ.Equal(h.global) }

// printOfStack returns the fingerprint, never 0, of a stack of the whole tensors that elements
// yields. An error that it yields, and an element that does not fit h.typ, are returned.
func (h hostTensor) printOfStack(elements iter.Seq2[any, error]) (sum uint64, err error) {
	for flat, err := range elements {
		var data []byte
		if err == nil {
			data, err = h.bytes(flat)
		}
		if err != nil {
			return 0, err
		}
		sum = 31*sum + printOf(h.typ, data)
	}
	return ensureNonZero(sum), nil
}

// bytes returns the memory of flat as bytes. It returns an error if flat is not a slice of the Go
// type of h.typ's elements, with as many as h.typ has.
func (h hostTensor) bytes(flat any) ([]byte, error) {
	data, err := hostBytes(h.typ, flat)
	if err != nil && !h.isWhole() {
		err = fmt.Errorf("rows %d to %d of %s are this process': %w", h.first, h.first+h.typ.Dims[0], h.global, err)
	}
	return data, err
}

// copyShard copies the elements of the global ranges from data, which holds the host's part, to
// shard, which has dimensions dims.
func (h hostTensor) copyShard(shard []byte, dims []int, data []byte, ranges []layout.Range) {
	ranges = h.localRanges(ranges)
	rowmajor.CopyBox(shard, dims, nil, data, h.typ.Dims, starts(ranges), lens(ranges), h.typ.DType.Size())
}

// view returns the part of data that is the shard of the global ranges, without copying. It returns
// nil if the elements are not contiguous in data, or if the shard is padded.
func (h hostTensor) view(local ir.Type, data []byte, ranges []layout.Range) []byte {
	ranges = h.localRanges(ranges)
	offset, ok := contiguousOffset(h.typ.Dims, ranges)
	if !ok || !slices.Equal(lens(ranges), local.Dims) {
		return nil
	}
	return data[offset*h.typ.DType.Size():][:local.Bytes()]
}

// localRanges converts ranges of the global tensor to ranges of the part that the host gives.
func (h hostTensor) localRanges(ranges []layout.Range) []layout.Range {
	if len(ranges) == 0 || h.first == 0 {
		return ranges
	}
	ranges = slices.Clone(ranges)
	ranges[0].Start -= h.first
	ranges[0].Limit -= h.first
	return ranges
}

// shardSource has the functions that return the data of one array's shards, while the array is put
// on the devices.
type shardSource struct {
	// view, which may be nil, returns a shard in the caller's memory, or nil if the shard is not
	// there in one piece. It is for engines that do not keep the data.
	view func(meshShard, ir.Type) []byte
	// local returns a shard that the engine may keep.
	local func(meshShard, ir.Type) ([]byte, error)
	// print returns the fingerprint of the whole tensor. It is nil where the host gives
	// shards only.
	print func() (uint64, error)
}

// put makes an array of type t, sharded as s: it takes each different shard that devices of this
// process hold from the source. what names the caller in errors.
func (c *Client) put(what string, t ir.Type, s *layout.Sharding, from shardSource) (*Array, error) {
	if err := c.checkOpen(); err != nil {
		return nil, err
	}
	if err := c.checkSharding(t, s); err != nil {
		return nil, fmt.Errorf("runtime: %s: %w", what, err)
	}
	if err := c.admit(); err != nil {
		return nil, fmt.Errorf("runtime: %s: %w", what, err)
	}
	prints := c.newPrinter(t, s)
	if prints != nil && from.print != nil {
		var err error
		if prints.whole, err = from.print(); err != nil {
			return nil, fmt.Errorf("runtime: %s: %w", what, err)
		}
	}
	devices, localType := c.localDevices(s), t.WithDims(s.LocalShape(t.Dims))
	a := &Array{client: c, typ: t, sharding: s, buffers: make([]Buffer, len(devices))}
	shards := meshShards(t, s, devices)
	// the positions of this process that hold the same shard, by the first of them
	holders := make([][]int, len(shards))
	for pos, p := range shards {
		if devices[pos] >= 0 {
			holders[p.local] = append(holders[p.local], pos)
		}
	}
	for first, positions := range holders {
		if len(positions) == 0 {
			continue
		}
		if err := c.putShard(a, shards[first], localType, devices, positions, from, prints); err != nil {
			releaseAll(a.buffers)
			return nil, fmt.Errorf("runtime: %s: %w", what, err)
		}
	}
	prints.sign(a)
	return a, nil
}

// putShard puts the shard p, of type t, on the devices of positions, and stores the buffers in a.
// positions are the positions of a's mesh that hold the shard, in this process; devices has the
// device of each position of the mesh, as localDevices returns them. It takes the data from from,
// without a copy if the engine can borrow them, and adds their fingerprint to prints. After an
// error, a may have some of the buffers.
func (c *Client) putShard(a *Array, p meshShard, t ir.Type, devices, positions []int, from shardSource, prints *printer) (err error) {
	engine, borrows := c.engine.(borrower)
	var data []byte
	if borrows && from.view != nil {
		data = from.view(p, t)
	}
	lent := data != nil
	if !lent {
		if data, err = from.local(p, t); err != nil {
			return err
		}
	}
	prints.add(p, data)
	if borrows && len(positions) > 1 {
		numbers := make([]int, len(positions))
		for i, pos := range positions {
			numbers[i] = devices[pos]
		}
		if shared := engine.putShared(numbers, t, data); shared != nil {
			for i, pos := range positions {
				a.buffers[pos] = shared[i]
			}
			return nil
		}
	}
	for _, pos := range positions {
		if lent {
			if a.buffers[pos] = engine.putBorrowed(devices[pos], t, data); a.buffers[pos] != nil {
				continue
			}
			if data, err = from.local(p, t); err != nil {
				return err
			}
			lent = false
		}
		if a.buffers[pos], err = c.engine.Put(devices[pos], t, data); err != nil {
			return err
		}
	}
	return nil
}
