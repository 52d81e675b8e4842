package compile

// This file implements combine_gathers, which gathers several values at once.

import (
	"fmt"
	"math"
	"slices"

	"github.com/gospmd/gospmd/compile/cost"
	"github.com/gospmd/gospmd/ir"
	"github.com/gospmd/gospmd/program"
)

// combineGathers makes one variadic all_gather of those along the same axes and
// dimension, of the same element type, of which none needs another:
//
//	%2 = spmd.all_gather %0 dim=0 axes={"x"}
//	%3 = spmd.all_gather %1 dim=0 axes={"x"}   =>   %2:2 = spmd.all_gather %0, %1 dim=0 axes={"x"}
//
// What is gathered early is held until it is used. For each gather that is
// saved, that may cost as many bytes of memory as a launch costs
// (cost.Machine.LaunchBytes); where the peak of memory grows by more, only gathers
// that send less than that are combined.
//
// Only all_reduce and all_gather have several operands in StableHLO:
// a reduce_scatter stays alone.
func combineGathers(u *unit) error {
	f := u.main()
	before, launch := -1, cost.Default().LaunchBytes(nil)
	for _, most := range []int{math.MaxInt, launch} {
		together := f.Clone()
		saved := combine(together, func(op *ir.Op) (key string, ok bool) {
			t, ok := elementType(op)
			if op.Kind != ir.OpSPMDAllGather || !ok || cost.Sent(u.mesh, op) > most {
				return "", false
			}
			return fmt.Sprint(op.Axes("axes"), op.Int("dim"), t), true
		})
		if saved == 0 {
			return nil
		}
		if before < 0 {
			before = u.peak(f)
		}
		if u.peak(together)-before <= saved*launch {
			u.m.Funcs[slices.Index(u.m.Funcs, f)] = together
			return nil
		}
	}
	return nil
}

// peak returns the memory that a run of the per-device function f takes.
func (u *unit) peak(f *ir.Func) int {
	donors := make([]int, len(f.Results))
	for i := range donors {
		donors[i] = slices.IndexFunc(u.inputs, func(in program.Input) bool { return in.Alias == i })
	}
	return cost.Memory(f, func(result int) int { return donors[result] }).Peak()
}
