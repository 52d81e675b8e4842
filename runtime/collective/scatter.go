package collective

// This file implements reduce_scatter. For each other process, a process combines the parts that
// the devices of that process keep, over its own devices, and sends it the result.

import (
	"cmp"
	"slices"

	"github.com/gospmd/gospmd/internal/rowmajor"
	"github.com/gospmd/gospmd/ir"
	"github.com/gospmd/gospmd/runtime/goengine/interp"
	"github.com/gospmd/gospmd/runtime/transport"
)

// share is the part of an operand that one member of a group keeps.
type share struct {
	group   []int
	member  int // index in group
	operand int
	ranks   []int // the processes of the group
	bytes   int
	parts   [][]byte // the part of each process, in the order of ranks
}

func (r *run) reduceScatter() error {
	shares := r.shares()
	var sends, recvs []transport.Message
	for _, rank := range r.peers(shares) {
		toSend, toReceive := 0, 0
		for _, s := range shares {
			switch {
			case !slices.Contains(s.ranks, rank):
			case r.owner(s) == rank:
				toSend += s.bytes
			case r.owner(s) == r.self:
				toReceive += s.bytes
			}
		}
		out, in := getBuffer(toSend), getBuffer(toReceive)
		defer putBuffer(out)
		defer putBuffer(in)
		if err := r.fill(shares, rank, out, in); err != nil {
			return err
		}
		if toSend > 0 {
			sends = append(sends, transport.Message{Rank: rank, Data: out})
		}
		if toReceive > 0 {
			recvs = append(recvs, transport.Message{Rank: rank, Data: in})
		}
	}
	if len(sends) > 0 || len(recvs) > 0 {
		if err := r.t.Exchange(r.ctx, r.tag, sends, recvs); err != nil {
			return err
		}
	}
	return r.keep(shares)
}

// shares returns the part of each operand that each member of the groups keeps, for the groups that
// have members in this process. Shares with large elements come first, so that all are aligned in a
// message.
func (r *run) shares() []*share {
	var out []*share
	r.eachOperand(func(group []int, k int, x Tensor) {
		if len(x.Data) == 0 {
			return
		}
		ranks := r.ranks(group)
		for i := range group {
			out = append(out, &share{group: group, member: i, operand: k, ranks: ranks,
				bytes: len(x.Data) / len(group), parts: make([][]byte, len(ranks))})
		}
	})
	size := func(s *share) int { return ir.ElementBytes(r.in[0][s.operand].DType) }
	slices.SortStableFunc(out, func(a, b *share) int { return cmp.Compare(size(b), size(a)) })
	return out
}

// owner returns the process of the member that keeps the share s.
func (r *run) owner(s *share) int { return r.process(s.group[s.member]) }

// peers returns the other processes of the groups of shares, in ascending order.
func (r *run) peers(shares []*share) []int {
	var out []int
	for _, s := range shares {
		for _, rank := range s.ranks {
			if rank != r.self && !slices.Contains(out, rank) {
				out = append(out, rank)
			}
		}
	}
	slices.Sort(out)
	return out
}

// fill prepares the exchange with process rank. It writes this process' contributions to the
// other's shares to out. It makes the parts of this process' shares point into in, where the
// other's contributions will arrive.
func (r *run) fill(shares []*share, rank int, out, in []byte) error {
	for _, s := range shares {
		switch i := slices.Index(s.ranks, rank); {
		case i < 0:
		case r.owner(s) == rank:
			if err := r.contribute(s, out[:s.bytes]); err != nil {
				return err
			}
			out = out[s.bytes:]
		case r.owner(s) == r.self:
			s.parts[i], in = in[:s.bytes], in[s.bytes:]
		}
	}
	return nil
}

// contribute combines the part of the operand that share s is, over the members of its group in
// this process, and writes it to out.
func (r *run) contribute(s *share, out []byte) error {
	tensors := r.contributions(s.group, s.operand)
	dims := tensors[0].Dims
	box, start := slices.Clone(dims), make([]int, len(dims))
	box[r.Cut] /= len(s.group)
	start[r.Cut] = s.member * box[r.Cut]
	parts := make([][]byte, len(tensors))
	for i, x := range tensors {
		data, ok := x.run(start, box)
		if !ok {
			data = getBuffer(s.bytes)
			defer putBuffer(data)
			rowmajor.CopyBox(data, box, nil, x.Data, dims, start, box, ir.ElementBytes(x.DType))
		}
		parts[i] = data
	}
	return interp.CombineInto(r.Reduction, tensors[0].DType, out, parts...)
}

// keep finishes a reduce_scatter, after the exchange has brought the parts of other processes. For
// each share that a device of this process keeps, it combines these parts with this process' own
// part, by r.Reduction, and writes the outcome to the result. It skips all other shares.
func (r *run) keep(shares []*share) error {
	for _, s := range shares {
		if r.owner(s) != r.self {
			continue
		}
		z := r.out[r.local[s.group[s.member]]][s.operand]
		if err := r.contribute(s, z.Data); err != nil {
			return err
		}
		s.parts[slices.Index(s.ranks, r.self)] = z.Data
		if err := interp.CombineInto(r.Reduction, z.DType, z.Data, s.parts...); err != nil {
			return err
		}
	}
	return nil
}
