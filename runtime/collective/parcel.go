package collective

// This file defines parcels: the data that one process sends to another in one step, and its
// memory.

import (
	"math/bits"
	"sync"

	"github.com/gospmd/gospmd/ir"
	"github.com/gospmd/gospmd/runtime/goengine/interp"
	"github.com/gospmd/gospmd/runtime/transport"
)

// parcel is one message: blocks, one after the other.
type parcel struct {
	rank   int // the other process
	blocks []*block
	bytes  int
	data   []byte
	pooled []byte // memory of getBuffer, to be given back; may be nil
	placed bool   // data is already in the result
}

// parcels holds one parcel for each process, in the order in which the processes were first added.
type parcels []*parcel

// add appends block b to the parcel for process rank, and makes the parcel if there is none.
func (ps *parcels) add(rank int, b *block) {
	for _, p := range *ps {
		if p.rank == rank {
			p.blocks, p.bytes = append(p.blocks, b), p.bytes+b.bytes
			return
		}
	}
	*ps = append(*ps, &parcel{rank: rank, blocks: []*block{b}, bytes: b.bytes})
}

// allocate returns memory for the parcel from the pool, and keeps it in p.pooled, from where free
// puts it back.
func (p *parcel) allocate() []byte {
	p.pooled = getBuffer(p.bytes)
	return p.pooled
}

func (ps parcels) free() {
	for _, p := range ps {
		putBuffer(p.pooled)
	}
}

func (ps parcels) messages() []transport.Message {
	out := make([]transport.Message, len(ps))
	for i, p := range ps {
		out[i] = transport.Message{Rank: p.rank, Data: p.data}
	}
	return out
}

// run returns the memory of the box of t that begins at index start, nil for the origin, as bytes,
// without copying. It returns false if that memory is not contiguous.
func (t Tensor) run(start, box []int) ([]byte, bool) {
	at, unit, whole := 0, ir.ElementBytes(t.DType), true
	size := unit
	for d := len(box) - 1; d >= 0; d-- {
		if !whole && box[d] != 1 {
			return nil, false
		}
		whole = whole && box[d] == t.Dims[d]
		if start != nil {
			at += start[d] * unit
		}
		unit *= t.Dims[d]
		size *= box[d]
	}
	return t.Data[at : at+size], true
}

// buffers holds memory for reuse, by the logarithm of its size.
var buffers [bits.UintSize]sync.Pool

// getBuffer returns n bytes of arbitrary content from the pool, or new ones, aligned for every
// element type; nil for none.
func getBuffer(n int) []byte {
	if n == 0 {
		return nil
	}
	class := bits.Len(uint(n - 1))
	if b, ok := buffers[class].Get().(*[]byte); ok {
		return (*b)[:n]
	}
	return interp.Alloc(1 << class)[:n]
}

// putBuffer takes back memory that getBuffer has returned.
func putBuffer(b []byte) {
	if b = b[:cap(b)]; len(b) > 0 {
		buffers[bits.Len(uint(len(b)-1))].Put(&b)
	}
}
