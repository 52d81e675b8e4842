package collective

// This file runs all_gather and all_to_all by the transport's own collectives, if it has them and
// all processes of a group have equally many members. If not, Run exchanges messages.

import (
	"errors"
	"slices"

	"github.com/gospmd/gospmd/ir"
	"github.com/gospmd/gospmd/runtime/transport"
)

// runTogether does an all-gather or an all-to-all by a single call of the transport, if that has
// such a call and the data have the form for it. done is false, before anything is sent, if it does
// not.
func (r *run) runTogether(sends, recvs parcels) (done bool, err error) {
	c, ok := r.t.(transport.Collectives)
	if !ok || len(sends) == 0 || r.Kind != ir.OpSPMDAllGather && r.Kind != ir.OpSPMDAllToAll {
		return false, nil
	}
	ranks := r.equalRanks()
	if ranks == nil {
		return false, nil
	}
	n := sends[0].bytes
	part := func(data []byte, rank int) []byte {
		i := slices.Index(ranks, rank)
		return data[i*n : (i+1)*n]
	}
	out, in, inPlace := r.tensors(ranks)
	if !inPlace {
		in = getBuffer(n * len(ranks))
		defer putBuffer(in)
	}
	if r.Kind == ir.OpSPMDAllGather {
		if !inPlace {
			r.packInto(part(in, r.self), sends[0]) // all processes get the same data
		}
		err = c.AllGather(r.ctx, r.tag, ranks, in)
	} else {
		if !inPlace {
			out = getBuffer(n * len(ranks))
			defer putBuffer(out)
			for _, p := range sends {
				r.packInto(part(out, p.rank), p)
			}
		}
		err = c.AllToAll(r.ctx, r.tag, ranks, out, in)
	}
	if err != nil || inPlace {
		return !errors.Is(err, errors.ErrUnsupported), ignoreUnsupported(err)
	}
	for _, p := range recvs {
		p.data = part(in, p.rank)
		r.unpack(p)
	}
	return true, nil
}

func ignoreUnsupported(err error) error {
	if errors.Is(err, errors.ErrUnsupported) {
		return nil
	}
	return err
}

// tensors returns the memory of the operand and of the result. ok is false if this process has
// several devices or operands, or if the parts of the ranks are not contiguous and in order in that
// memory.
func (r *run) tensors(ranks []int) (operand, result []byte, ok bool) {
	if len(r.out) != 1 || len(r.out[0]) != 1 {
		return nil, nil, false
	}
	for _, group := range r.Groups {
		if own := r.ranks(group); slices.Contains(own, r.self) {
			for i, pos := range group {
				if len(group) != len(ranks) || r.process(pos) != ranks[i] {
					return nil, nil, false
				}
			}
		}
	}
	x, z := r.in[0][0], r.out[0][0]
	cut := r.Cut
	if r.Kind == ir.OpSPMDAllGather {
		cut = r.Join
	}
	areOnes := func(dims []int) bool { return !slices.ContainsFunc(dims, func(n int) bool { return n != 1 }) }
	return x.Data, z.Data, areOnes(x.Dims[:cut]) && areOnes(z.Dims[:r.Join])
}

// equalRanks returns the processes of the groups that have members in this process. It returns nil
// unless they are the same for all of these groups, and have equally many members in each. All of
// these processes get the same answer.
func (r *run) equalRanks() []int {
	var ranks []int
	for _, group := range r.Groups {
		if own := r.ranks(group); slices.Contains(own, r.self) {
			ranks = own
			break
		}
	}
	for _, group := range r.Groups {
		own := r.ranks(group)
		if !slices.ContainsFunc(own, func(rank int) bool { return slices.Contains(ranks, rank) }) {
			continue
		}
		if !slices.Equal(own, ranks) {
			return nil
		}
		for _, rank := range ranks {
			if len(r.members(group, rank))*len(ranks) != len(group) {
				return nil
			}
		}
	}
	return ranks
}
