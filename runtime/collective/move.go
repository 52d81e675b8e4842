package collective

// This file implements the collectives that only move data: each process sends
// each block of elements once to each process that needs it.

import (
	"slices"

	"github.com/gospmd/gospmd/internal/rowmajor"
	"github.com/gospmd/gospmd/ir"
)

// block is a box of elements that a collective copies from an operand of one position to places in
// the results of others.
type block struct {
	operand int
	from    int      // position
	src     []int    // the first element of the box in the operand; nil means 0
	box     []int    // the dimensions of the box
	bytes   int      // the size of the box in bytes
	to      []target // in order
}

// target is a place in the result of a position.
type target struct {
	pos   int
	start []int // nil means 0
}

// gatherBlocks returns the blocks to copy for an all_gather: the whole shard of each member, for
// all members of its group.
func (r *run) gatherBlocks() []block {
	var out []block
	r.eachOperand(func(group []int, operand int, x Tensor) {
		dims := x.Dims
		for i, from := range group {
			start := make([]int, len(dims))
			start[r.Join] = i * dims[r.Join]
			b := block{operand: operand, from: from, box: dims}
			for _, to := range group {
				b.to = append(b.to, target{to, start})
			}
			out = append(out, b)
		}
	})
	return out
}

// exchangeBlocks returns the blocks to copy for an all_to_all: part k of every member's operand,
// for member k.
func (r *run) exchangeBlocks() []block {
	var out []block
	r.eachOperand(func(group []int, operand int, x Tensor) {
		dims, box := x.Dims, slices.Clone(x.Dims)
		box[r.Cut] /= len(group)
		for i, from := range group {
			start := make([]int, len(dims))
			start[r.Join] = i * box[r.Join]
			for k, to := range group {
				src := make([]int, len(dims))
				src[r.Cut] = k * box[r.Cut]
				out = append(out, block{operand: operand, from: from, src: src, box: box, to: []target{{to, start}}})
			}
		}
	})
	return out
}

// eachOperand calls visit for each operand of each group that has members in this process: with the
// group, the operand's number, and the operand of the first device of this process, which has the
// type of all.
func (r *run) eachOperand(visit func(group []int, operand int, x Tensor)) {
	for _, group := range r.Groups {
		if len(r.members(group, r.self)) == 0 {
			continue
		}
		for k, x := range r.in[0] {
			visit(group, k, x)
		}
	}
}

// permuteBlocks returns the blocks to copy for a permutation: the whole operand of each source, for
// its target. It fills results of positions that are no target with zeros.
func (r *run) permuteBlocks() []block {
	if len(r.in) == 0 {
		return nil
	}
	bySource := make(map[int][]target, len(r.Pairs))
	var sources []int
	isTarget := make(map[int]bool, len(r.Pairs))
	for _, pair := range r.Pairs {
		if bySource[pair[0]] == nil {
			sources = append(sources, pair[0])
		}
		bySource[pair[0]] = append(bySource[pair[0]], target{pos: pair[1]})
		isTarget[pair[1]] = true
	}
	for pos, l := range r.local {
		if !isTarget[pos] {
			for _, z := range r.out[l] {
				clear(z.Data)
			}
		}
	}
	var out []block
	for k, x := range r.in[0] {
		for _, from := range sources {
			out = append(out, block{operand: k, from: from, box: x.Dims, to: bySource[from]})
		}
	}
	return out
}

// move copies blocks to their targets in this process, sends blocks that other processes need, and
// receives blocks that this process needs. It sets the bytes of each block; those of no bytes are
// left out.
func (r *run) move(blocks []block) error {
	var sends, recvs parcels
	for i := range blocks {
		b := &blocks[i]
		b.bytes = r.in[0][b.operand].bytes(b.box)
		if b.bytes == 0 {
			continue
		}
		from := r.process(b.from)
		for k, t := range b.to {
			to := r.process(t.pos)
			first := !slices.ContainsFunc(b.to[:k], func(t target) bool { return r.process(t.pos) == to })
			switch {
			case from == r.self && to == r.self:
				x := r.in[r.local[b.from]][b.operand]
				r.deliver(b, t, x.Data, x.Dims, b.src)
			case from == r.self && first:
				sends.add(to, b)
			case to == r.self && first:
				recvs.add(from, b)
			}
		}
	}
	defer recvs.free()
	defer sends.free()
	if done, err := r.runTogether(sends, recvs); done || err != nil {
		return err
	}
	for _, p := range sends {
		r.pack(p)
	}
	for _, p := range recvs {
		p.data = r.destination(p)
	}
	if len(sends) > 0 || len(recvs) > 0 {
		if err := r.t.Exchange(r.ctx, r.tag, sends.messages(), recvs.messages()); err != nil {
			return err
		}
	}
	for _, p := range recvs {
		r.unpack(p)
	}
	return nil
}

// pack sets the data of a parcel for sending: a single contiguous block in place, otherwise a copy
// of all blocks.
func (r *run) pack(p *parcel) {
	if b := p.blocks[0]; len(p.blocks) == 1 {
		x := r.in[r.local[b.from]][b.operand]
		if data, ok := x.run(b.src, b.box); ok {
			p.data = data
			return
		}
	}
	p.data = p.allocate()
	r.packInto(p.data, p)
}

// packInto copies the blocks of the parcel p to data, one after the other.
func (r *run) packInto(data []byte, p *parcel) {
	at := 0
	for _, b := range p.blocks {
		x := r.in[r.local[b.from]][b.operand]
		rowmajor.CopyBox(data[at:], b.box, nil, x.Data, x.Dims, b.src, b.box, ir.ElementBytes(x.DType))
		at += b.bytes
	}
}

// destination returns the memory in which to receive the parcel: the target itself, and then it
// sets p.placed, if the parcel has one block whose only target in this process is contiguous;
// otherwise new memory.
func (r *run) destination(p *parcel) []byte {
	if b := p.blocks[0]; len(p.blocks) == 1 {
		var here []target
		for _, t := range b.to {
			if r.process(t.pos) == r.self {
				here = append(here, t)
			}
		}
		z := r.out[r.local[here[0].pos]][b.operand]
		if data, ok := z.run(here[0].start, b.box); ok && len(here) == 1 {
			p.placed = true
			return data
		}
	}
	return p.allocate()
}

// unpack copies the blocks of a parcel to their targets in this process, unless it was received
// there (p.placed).
func (r *run) unpack(p *parcel) {
	if p.placed {
		return
	}
	at := 0
	for _, b := range p.blocks {
		for _, t := range b.to {
			if r.process(t.pos) == r.self {
				r.deliver(b, t, p.data[at:], b.box, nil)
			}
		}
		at += b.bytes
	}
}

// deliver copies block b to its target t in a result of this process. data is a tensor with the
// sizes dims, in which the block begins at index src.
func (r *run) deliver(b *block, t target, data []byte, dims, src []int) {
	z := r.out[r.local[t.pos]][b.operand]
	rowmajor.CopyBox(z.Data, z.Dims, t.start, data, dims, src, b.box, ir.ElementBytes(z.DType))
}
