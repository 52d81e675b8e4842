package collective

// This file implements the collectives that combine elements.

import (
	"errors"
	"slices"

	"github.com/gomlx/compute/dtypes"

	"github.com/gospmd/gospmd/ir"
	"github.com/gospmd/gospmd/runtime/goengine/interp"
	"github.com/gospmd/gospmd/runtime/transport"
)

// bucket holds operands of one element type that the same processes combine. Each operand is
// already combined within each process.
type bucket struct {
	ranks []int // processes, ascending
	dtype dtypes.DType
	items []item
	data  []byte
}

// item is an operand of a group.
type item struct {
	group   []int
	operand int
	at, end int // its elements in the bucket
}

// allReduce combines the operands of each group's members within this process, and then over the
// processes, and copies the results to the members in this process. Operands of one type whose
// groups have the same processes are combined together, in one bucket.
func (r *run) allReduce() error {
	buckets := r.buckets()
	for _, b := range buckets {
		b.data = getBuffer(b.size())
		defer putBuffer(b.data)
		for _, it := range b.items {
			if err := r.combineLocal(b.data[it.at:it.end], it); err != nil {
				return err
			}
		}
		if len(b.ranks) == 1 {
			continue
		}
		if err := r.combineAcross(b); err != nil {
			return err
		}
	}
	for _, b := range buckets {
		for _, it := range b.items {
			for _, pos := range it.group {
				if l, ok := r.local[pos]; ok {
					copy(r.out[l][it.operand].Data, b.data[it.at:it.end])
				}
			}
		}
	}
	return nil
}

func (b *bucket) size() int { return b.items[len(b.items)-1].end }

// buckets returns the buckets of this process: the operands of one type that are reduced among the
// same ranks share one. All processes have their buckets in the same order. Empty operands have
// none.
func (r *run) buckets() []*bucket {
	var out []*bucket
	r.eachOperand(func(group []int, k int, x Tensor) {
		if len(x.Data) == 0 {
			return
		}
		ranks := r.ranks(group)
		i := slices.IndexFunc(out, func(b *bucket) bool { return b.dtype == x.DType && slices.Equal(b.ranks, ranks) })
		if i < 0 {
			i = len(out)
			out = append(out, &bucket{ranks: ranks, dtype: x.DType})
		}
		b, at := out[i], 0
		if len(b.items) > 0 {
			at = b.size()
		}
		b.items = append(b.items, item{group, k, at, at + len(x.Data)})
	})
	return out
}

// ranks returns the processes that have members of a group, ascending.
func (r *run) ranks(group []int) []int {
	var out []int
	for _, pos := range group {
		if p := r.process(pos); !slices.Contains(out, p) {
			out = append(out, p)
		}
	}
	slices.Sort(out)
	return out
}

// combineLocal combines one operand, it, over the members of its group that are in this process, by
// the op's reduction, and writes the result to out.
func (r *run) combineLocal(out []byte, it item) error {
	tensors := r.contributions(it.group, it.operand)
	parts := make([][]byte, len(tensors))
	for i, x := range tensors {
		parts[i] = x.Data
	}
	return interp.CombineInto(r.Reduction, tensors[0].DType, out, parts...)
}

// contributions returns operand number operand of each member of the group that is in this process.
// If the members' operands are already combined (Summed), it returns only the first one.
func (r *run) contributions(group []int, operand int) []Tensor {
	var out []Tensor
	for _, pos := range group {
		if l, ok := r.local[pos]; ok {
			out = append(out, r.in[l][operand])
			if r.Summed {
				break
			}
		}
	}
	return out
}

// combineAcross combines the data of bucket b over its processes, in place: by the transport's
// AllReduce if it has one, and otherwise by sending all of it, if it is small, or chunks.
func (r *run) combineAcross(b *bucket) error {
	err := r.t.AllReduce(r.ctx, r.tag, b.ranks, b.data, b.dtype, r.Reduction)
	if !errors.Is(err, errors.ErrUnsupported) {
		return err
	}
	if (len(b.ranks)-1)*len(b.data) <= directLimit {
		return r.combineChunks(b, func(int) []byte { return b.data })
	}
	if err := r.combineChunks(b, b.chunk); err != nil {
		return err
	}
	return r.gatherChunks(b)
}

// directLimit is the largest number of bytes that a process sends in one step instead of two. A
// step takes about as long as sending that many bytes.
const directLimit = 128 << 10

// chunk returns the part of the bucket that process i of its processes combines, as bytes.
func (b *bucket) chunk(i int) []byte {
	elem := ir.ElementBytes(b.dtype)
	n := len(b.data) / elem
	return b.data[i*n/len(b.ranks)*elem : (i+1)*n/len(b.ranks)*elem]
}

// combineChunks receives this process' chunk of bucket b from all processes of the bucket, sends
// them theirs, and combines the chunk in place, in the order of ranks. chunk returns the memory of
// the chunk of process i, of those in b.
func (r *run) combineChunks(b *bucket, chunk func(i int) []byte) error {
	self := slices.Index(b.ranks, r.self)
	mine := chunk(self)
	parts := make([][]byte, len(b.ranks))
	parts[self] = mine
	var sends, recvs []transport.Message
	for i, rank := range b.ranks {
		if i == self {
			continue
		}
		parts[i] = getBuffer(len(mine))
		defer putBuffer(parts[i])
		sends = append(sends, transport.Message{Rank: rank, Data: chunk(i)})
		recvs = append(recvs, transport.Message{Rank: rank, Data: parts[i]})
	}
	if err := r.t.Exchange(r.ctx, r.tag, sends, recvs); err != nil {
		return err
	}
	return interp.CombineInto(r.Reduction, b.dtype, mine, parts...)
}

// gatherChunks sends the combined chunk of each process to all others, which put it into their
// bucket.
func (r *run) gatherChunks(b *bucket) error {
	mine := b.chunk(slices.Index(b.ranks, r.self))
	var sends, recvs []transport.Message
	for i, rank := range b.ranks {
		if rank != r.self {
			sends = append(sends, transport.Message{Rank: rank, Data: mine})
			recvs = append(recvs, transport.Message{Rank: rank, Data: b.chunk(i)})
		}
	}
	return r.t.Exchange(r.ctx, r.tag, sends, recvs)
}
