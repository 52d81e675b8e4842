package memory

// This file moves the stacks of loops (stacks.go) to the memory of the host. Each iteration stores
// its value there, and the later loop fetches one value in each iteration:
//
//	%t = dynamic_update_slice %s, %v, %k, 0, 0     =>     %o = annotate_device_placement %v "pinned_host"
//	                                                      %t = dynamic_update_slice %s, %o, %k, 0, 0
//	…
//	%v1 = dynamic_slice %r#2, %j, 0, 0             =>     %o1 = dynamic_slice %r#2, %j, 0, 0
//	                                                      %v1 = annotate_device_placement %o1 "device"
//
// XLA then allocates the stack on the host. JAX writes this form for values that a scan offloads.

import (
	"math"

	"github.com/gospmd/gospmd/ir"
)

// movingSeconds returns the predicted time of moving the values of a stack to the host and back, of
// n iterations; infinite if they may not be moved. It leaves out that devices may compute
// meanwhile.
func (o Options) movingSeconds(x stack, n int) float64 {
	if !o.movesByLimit() || x.value.Type.DType.IsPacked() || x.value.Type.MemoryBytes() < LeastOffload {
		return math.Inf(1)
	}
	return 2 * float64(n) * moveSeconds(o.Machine, x.value.Type)
}

// moveAway moves stack i to the host, if only later loops read it place by place.
func (s *scan) moveAway(i int) {
	x := s.stacks[i]
	reads := slicesOf(s.op.Results[x.carry])
	if reads == nil {
		return
	}
	var b ir.Builder
	update := s.body().Terminator().Operands[x.carry].Def()
	b.Before(update).Loc = update.Loc
	update.SetOperand(1, b.Place(update.Operands[1], ir.PinnedHost))
	for _, op := range reads {
		b.After(op).Loc = op.Loc
		fetched := b.Place(op.Result(), ir.DeviceMemory)
		op.Result().ReplaceUsesIf(fetched, func(u ir.Use) bool { return u.Op != fetched.Def() })
	}
}
