package autoshard

// This file defines what the search asks of a partitioner.

import (
	"github.com/gospmd/gospmd/compile/cost"
	"github.com/gospmd/gospmd/ir"
	"github.com/gospmd/gospmd/layout"
	"github.com/gospmd/gospmd/mesh"
	"github.com/gospmd/gospmd/sharding/factor"
)

// Evaluator tells the cost of one function under the shardings of its values, and the costs of
// other choices for an op. It knows the ops of the function's body and of loops, but not those of
// other regions. A value that a loop carries stands for three values of one sharding: an argument
// of the body, an argument of the condition, and a result. The loop and the end of its body read it
// in the sharding of the body's argument.
//
// Shardings are interned: those that an evaluator returns are equal only if they are the same
// pointer, and it takes no others. No sharding has unreduced axes, except those of results in a
// Strategy.
type Evaluator interface {
	// Mesh returns the mesh of all shardings.
	Mesh() *mesh.DeviceMesh
	// Machine returns the machine whose costs are counted.
	Machine() *cost.Machine
	// Intern returns the sharding whose dimension d is sharded by axes[d].
	Intern(axes [][]mesh.AxisRef) *layout.Sharding

	// Rule returns the sharding rule whose factors partition op. It returns nil for other ops;
	// their operands and results must keep their shardings.
	Rule(op *ir.Op) *factor.Rule
	// Demand returns the sharding in which op reads an operand, for ops that have no rule and only
	// pass the operand on: the end of the function or of a region of a loop, or a sharding
	// constraint. It returns nil for other ops.
	Demand(op *ir.Op, operand int) *layout.Sharding
	// Runs returns how often a block runs in one run of the function: its body, or a region of a
	// loop. A value is moved as often as the block that makes it runs.
	Runs(b *ir.Block) int
	// Rematerializes reports whether v is computed in any sharding that is asked
	// for, without communication, as a constant is.
	Rematerializes(v *ir.Value) bool

	// Sharding returns the sharding that v has.
	Sharding(v *ir.Value) *layout.Sharding
	// SetSharding changes the sharding of v.
	SetSharding(v *ir.Value, s *layout.Sharding)
	// DryRun returns the estimated cost of partitioning the function; ok is
	// false if it reaches limit. Call Commit or Rollback afterwards.
	DryRun(limit int) (total int, ok bool)
	// Commit keeps all changes since the last Commit or Rollback.
	Commit()
	// Rollback undoes these changes: the shardings that were set, and the results of dry runs.
	Rollback()

	// OpCost returns the cost of op in the last dry run, for all its runs, and the part of it that
	// is a device's own work. op must have a rule. The cost includes moving its operands and
	// results.
	OpCost(op *ir.Op) (total, local int)
	// Strategies returns ways to partition op, which must have a rule. They differ from its way in
	// the last dry run only in the use of axis: it shards no factor, or one of them. Ops may share
	// a list if their operands and results have the same types and are rematerialized alike, and if
	// they read a value twice at the same operands.
	Strategies(op *ir.Op, axis mesh.AxisRef) []Strategy
	// MoveCost returns what it costs to move a tensor of type t once from one sharding
	// to another.
	MoveCost(t ir.Type, from, to *layout.Sharding) int
}

// Strategy is a way to partition an op.
type Strategy struct {
	Operands []*layout.Sharding // that it reads
	Results  []*layout.Sharding // that it makes; they may be unreduced
	Cost     int                // of one run of the op itself: arithmetic, and what it sends
}
