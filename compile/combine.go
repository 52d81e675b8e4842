package compile

// This file implements the passes combine_reduces and combine_gathers, which combine collectives:
// several values are sent at once.

import (
	"fmt"
	"slices"

	"github.com/gomlx/compute/dtypes"

	"github.com/gospmd/gospmd/compile/cost"
	"github.com/gospmd/gospmd/ir"
	"github.com/gospmd/gospmd/program"
	"github.com/gospmd/gospmd/target"
)

// combineReduces merges independent all_reduces into one variadic all_reduce, if they have the same
// axes, in any order, the same reduction and the same element type. It merges reduce_scatters
// likewise, if their axes have the same order and they have the same dimension:
//
//	%2 = spmd.all_reduce %0 axes={"x"}
//	%3 = spmd.all_reduce %1 axes={"x"}   =>   %2:2 = spmd.all_reduce %0, %1 axes={"x"}
//
// The bytes stay the same; the latency is paid once. The operands are not concatenated: XLA's CPU
// backend would compute the operands again inside the concatenation.
//
// The combined op is at the place of the last op of the set. Ops that use an earlier op of the set
// move behind it. Combining never makes a cycle: a set grows by one op at a time, and only if no
// path leads from the set to that op or back.
//
// For the target CPU, collectives with the same axes but other dimensions or element types move
// next to each other, because target.Share makes one call of such neighbours. An all_gather of
// several values is not among them: package target writes it with ops before and behind it, so it
// has a call of its own.
func combineReduces(c *compilation) error {
	c.combine(c.main(), func(op *ir.Op) (k combination, ok bool) {
		t, ok := elementType(op)
		switch {
		case !ok:
			return k, false
		case op.Kind == ir.OpSPMDReduceScatter:
			scatter := op.SPMDReduceScatter()
			k = combination{fmt.Sprint("scatter", scatter.Axes(), scatter.Reduction()), fmt.Sprint(scatter.Dim(), t)}
		case op.Kind == ir.OpSPMDAllReduce:
			reduce := op.SPMDAllReduce()
			axes := slices.Clone(reduce.Axes())
			slices.SortFunc(axes, c.mesh.CompareRefs) // the order of axes does not matter for a sum
			k = combination{fmt.Sprint(axes, reduce.Reduction()), fmt.Sprint(t)}
		default:
			return k, false
		}
		return k, true
	})
	return nil
}

// combineGathers merges independent all_gathers into one variadic all_gather, if they have the same
// axes, dimension and element type:
//
//	%2 = spmd.all_gather %0 dim=0 axes={"x"}
//	%3 = spmd.all_gather %1 dim=0 axes={"x"}   =>   %2:2 = spmd.all_gather %0, %1 dim=0 axes={"x"}
//
// A value that is gathered early stays in memory until it is used. For each gather that is saved,
// the peak of memory may grow by the bytes that a launch costs (cost.Machine.LaunchBytes). If it
// grows by more, the same is tried with only the gathers that send at most as many bytes as a
// launch costs; if the peak still grows by more, none are combined. If the device computes while it
// sends, larger gathers are never combined: an op that needs the first gather would wait for the
// last one. For the target CPU, gathers of other dimensions and types move next to each other, as
// in combineReduces.
func combineGathers(c *compilation) error {
	f := c.main()
	machine, before := c.machine(), -1
	launch := func(op *ir.Op) int { return machine.LaunchBytes(op.SPMDAllGather().Axes()) }
	// first all gathers, then only those that send at most as many bytes as a launch costs
	for _, large := range []bool{true, false} {
		if large && machine.Overlap {
			continue
		}
		combined := f.Clone()
		saved := c.combine(combined, func(op *ir.Op) (k combination, ok bool) {
			t, ok := elementType(op)
			if op.Kind != ir.OpSPMDAllGather || !ok || !large && cost.SentBytes(c.mesh, op) > launch(op) {
				return k, false
			}
			gather := op.SPMDAllGather()
			return combination{fmt.Sprint(gather.Axes()), fmt.Sprint(gather.Dim(), t)}, true
		})
		if len(saved) == 0 {
			return nil
		}
		if before < 0 {
			before = peakMemory(f, c.inputs)
		}
		worth := 0
		for _, op := range saved {
			worth += launch(op)
		}
		if peakMemory(combined, c.inputs)-before <= worth {
			c.setMain(f, combined)
			return nil
		}
	}
	return nil
}

// peakMemory returns the peak of memory, in bytes, of a run of f, a per-device function, in the
// order of its ops. inputs describe the parameters of f, and say which of them are donated.
func peakMemory(f *ir.Func, inputs []program.Input) int {
	return cost.MemoryInOrder(f, donors(f, inputs)).Peak()
}

// elementType returns the element type of op's operands; ok is false if they have several. Without
// operands it is InvalidDType.
func elementType(op *ir.Op) (t dtypes.DType, ok bool) {
	for i, v := range op.Operands {
		if i > 0 && v.Type.DType != t {
			return t, false
		}
		t = v.Type.DType
	}
	return t, true
}

// combination is the key of a collective. Collectives with equal keys become one op. For the target
// CPU, collectives with equal beside, but other op, move next to each other.
type combination struct{ beside, op string }

// combine replaces independent collectives of f that have equal keys by one op, block by block. For
// the target CPU it then moves those with equal beside next to each other. key returns false for an
// op that stays. combine returns the collectives that are saved, as ops or as calls: all of each
// set except the first.
func (c *compilation) combine(f *ir.Func, key func(*ir.Op) (combination, bool)) (saved []*ir.Op) {
	var block func(b *ir.Block)
	block = func(b *ir.Block) {
		for op := range b.Ops() {
			if !op.Info().Is(ir.ScalarBody) {
				for _, r := range op.Regions {
					block(r)
				}
			}
		}
		saved = append(saved, newCombiner(b, func(op *ir.Op) (string, bool) {
			k, ok := key(op)
			return k.beside + " " + k.op, ok
		}).run(merge)...)
		if c.options.target().Collectives != target.Called {
			return
		}
		saved = append(saved, newCombiner(b, func(op *ir.Op) (string, bool) {
			k, ok := key(op)
			return k.beside, ok
		}).run(moveToEnd)...)
	}
	block(f.Body)
	return saved
}
