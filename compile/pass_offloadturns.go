package compile

// This file lets the slots of an optimizer in the memory of the host take turns on the device: pass
// host_memory then lowers the peak by what it moves.

import (
	"slices"

	"github.com/gospmd/gospmd/ir"
)

// slotsOnDevice is the number of slots that are on a device at a time: one is updated while another
// one is moved.
const slotsOnDevice = 2

// slot is an input in the host's memory that is fetched, and its output, which is stored.
type slot struct{ fetch, store *ir.Op }

// takeTurns lets each fetch wait for the gradient, and for the store of the slot before the last:
//
//	%d = annotate_device_placement %m "device"     %a, %h, %t = optimization_barrier %m, %g, %s
//	%e = multiply %d, %beta                        %d = annotate_device_placement %a "device"
//	%n = add %e, %g                          =>    %e = multiply %d, %beta
//	%o = annotate_device_placement %n "pinned…"    %n = add %e, %h
//	return %s, %o                                  %o = annotate_device_placement %n "pinned…"
//	                                               return %t, %o
//
// The compilers would fetch all slots when the program starts, and store them at its end: they know
// no reason against that where the device has memory left.
func takeTurns(f *ir.Func, slots []slot) {
	slices.SortFunc(slots, func(a, b slot) int {
		switch {
		case a.fetch.IsBefore(b.fetch):
			return -1
		case b.fetch.IsBefore(a.fetch):
			return 1
		}
		return 0
	})
	for i, s := range slots {
		var waits []*ir.Value
		if join, g := joinOf(s.fetch); join != nil {
			waits = append(waits, g)
		}
		if i >= slotsOnDevice && slots[i-slotsOnDevice].store.IsBefore(s.fetch) {
			waits = append(waits, slots[i-slotsOnDevice].store.Result())
		}
		if len(waits) == 0 {
			continue
		}
		b := &ir.Builder{}
		b.Before(s.fetch).Loc = s.fetch.Loc
		barrier := b.OptimizationBarrier(append([]*ir.Value{s.fetch.Operands[0]}, waits...))
		for k, v := range waits {
			v.ReplaceUsesIf(barrier.Results[k+1], func(u ir.Use) bool { return u.Op != barrier && barrier.IsBefore(u.Op.In(f.Body)) })
		}
		s.fetch.SetOperand(0, barrier.Results[0])
	}
}

// joinOf returns the op that combines what was fetched with a value g that the program computes,
// such as a gradient. If g is computed later than the fetch, it moves the fetch, and the ops behind
// it that need nothing else, to that op. It returns nil if there is no such op, or if something
// else reads what would move.
func joinOf(fetch *ir.Op) (join *ir.Op, g *ir.Value) {
	own := map[*ir.Value]bool{fetch.Result(): true}
	chain := []*ir.Op{fetch}
	for op := fetch.Next(); op != nil && join == nil; op = op.Next() {
		if !slices.ContainsFunc(op.Operands, func(v *ir.Value) bool { return own[v] }) {
			continue
		}
		for _, v := range op.Operands {
			if !own[v] && v.Def() != nil && v.Def().Kind != ir.OpConstant && v.Type.Size() == fetch.Result().Type.Size() && !isFilled(v) {
				join, g = op, v
			}
		}
		if join == nil {
			chain = append(chain, op)
			for _, r := range op.Results {
				own[r] = true
			}
		}
	}
	if join == nil || g.Def().IsBefore(fetch) {
		return join, g
	}
	for v := range own {
		for u := range v.Uses() {
			if at := u.Op.In(fetch.Block()); at.IsBefore(join) && !slices.Contains(chain, at) {
				return nil, nil
			}
		}
	}
	for _, op := range chain {
		op.MoveBefore(join)
	}
	return join, g
}

// isFilled reports whether v is a constant that was broadcast.
func isFilled(v *ir.Value) bool {
	op := v.Def()
	return op.Kind == ir.OpBroadcastInDim && op.Operands[0].Def() != nil && op.Operands[0].Def().Kind == ir.OpConstant
}
