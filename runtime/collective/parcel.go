package collective

// This file defines parcels: what a process sends to, or receives from, another
// process in one step, and the memory for it.

import (
	"math/bits"
	"sync"

	"github.com/gospmd/gospmd/ir"
	"github.com/gospmd/gospmd/runtime/goengine/interp"
	"github.com/gospmd/gospmd/runtime/transport"
)

// parcel is one message: blocks, one after another.
type parcel struct {
	rank   int // the other process
	blocks []*block
	bytes  int
	data   []byte
	pooled []byte // the memory to give back
	placed bool   // data is where it belongs
}

// parcels are in the order in which their processes were first added.
type parcels []*parcel

// add appends a block to the parcel of a process.
func (ps *parcels) add(rank int, b *block) {
	for _, p := range *ps {
		if p.rank == rank {
			p.blocks, p.bytes = append(p.blocks, b), p.bytes+b.bytes
			return
		}
	}
	*ps = append(*ps, &parcel{rank: rank, blocks: []*block{b}, bytes: b.bytes})
}

// allocate returns memory for the parcel.
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

// run returns the memory of a box of t if it is in one piece.
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

// buffers holds memory that is reused, by the logarithm of its size.
var buffers [bits.UintSize]sync.Pool

// getBuffer returns n bytes, aligned for every element type, of any content.
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

// putBuffer gives back what getBuffer returned.
func putBuffer(b []byte) {
	if b = b[:cap(b)]; len(b) > 0 {
		buffers[bits.Len(uint(len(b)-1))].Put(&b)
	}
}
