package randprog

// This file defines Options, and which kinds of ops programs of either sort have.

import "github.com/gospmd/gospmd/ir"

// Options bound the random programs that New makes.
type Options struct {
	// Devices is the largest number of devices; 0 means 8, and 1728 for propagation.
	Devices int
	// Ops is the largest number of ops, 4 if it is zero; for propagation the smallest one.
	Ops int
	// Kinds are the kinds to choose the ops from; a kind that is listed twice is chosen more often.
	// Empty means Kinds(), and Wide() for propagation.
	Kinds []ir.OpKind
	// AnyOrder leaves out reductions whose result depends on the order in which
	// elements are combined: StableHLO leaves that to the engine, and XLA's differs
	// from program to program.
	AnyOrder bool
	// OwnRules leaves each op the sharding rule of its kind: none but custom calls states another.
	OwnRules bool
	// Propagation, unless it is nil, makes a program that is only propagated, not run, and says what
	// else the program has; a pointer to the zero value adds nothing.
	Propagation *Propagation
}

// Propagation says what a program that is only propagated, and never run, may have besides what all
// programs have.
type Propagation struct {
	Priorities bool // dimensions with priorities
	Calls      bool // calls of functions, and no named computations
	Meshes     bool // several meshes, some of them without axes
	Unreduced  bool // unreduced axes
}

// Kinds returns the kinds of ops in programs that run.
func Kinds() []ir.OpKind {
	var out []ir.OpKind
	for k := range makers {
		if makers[k].make != nil {
			out = append(out, ir.OpKind(k))
		}
	}
	return out
}

// Reason returns why programs that run have no ops of a kind; "" if they do.
func Reason(kind ir.OpKind) string { return makers[kind].none }

// Plain returns kinds of ops that move shardings in the usual ways, for programs that are
// propagated. A kind that moves more is listed several times.
func Plain() []ir.OpKind {
	return []ir.OpKind{
		ir.OpTanh, ir.OpAdd, ir.OpAdd, ir.OpAdd, ir.OpMultiply, ir.OpShardingConstraint, ir.OpTranspose, ir.OpReshape, ir.OpReshape,
		ir.OpBroadcastInDim, ir.OpDotGeneral, ir.OpDotGeneral, ir.OpDotGeneral, ir.OpSlice, ir.OpConcatenate, ir.OpReverse,
	}
}

// Wide returns the kinds of Plain, and ops with indices, windows, blocks, constants and rules, and
// ops that steer propagation.
func Wide() []ir.OpKind {
	return append(Plain(),
		ir.OpConvolution, ir.OpGather, ir.OpScatter, ir.OpDynamicSlice, ir.OpDynamicUpdateSlice, ir.OpPad, ir.OpReduce, ir.OpReduceWindow,
		ir.OpSelect, ir.OpIota, ir.OpConstant, ir.OpSort, ir.OpCholesky, ir.OpCustomCall, ir.OpShardingGroup, ir.OpPropagationBarrier,
		ir.OpOptimizationBarrier, ir.OpWhile, ir.OpCase, ir.OpManualComputation, ir.OpNamedComputation, ir.OpCall, ir.OpReshard,
	)
}
