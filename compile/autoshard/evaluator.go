package autoshard

// This file defines Evaluator: what the search needs from a partitioner.

import (
	"github.com/gospmd/gospmd/compile/cost"
	"github.com/gospmd/gospmd/ir"
	"github.com/gospmd/gospmd/layout"
	"github.com/gospmd/gospmd/mesh"
	"github.com/gospmd/gospmd/sharding/factor"
)

// Evaluator estimates the cost of partitioning one function, given a sharding for each value, and
// the costs of alternative strategies for one op. It includes the ops of the function's body and of
// the bodies and conditions of loops. It leaves out the ops of other regions, such as the branches
// of an if.
//
// For each value that a loop carries there are three values: an argument of the body, an argument
// of the condition, and a result of the loop. All three have one sharding. The initial value, and
// the value that the body returns, are moved to that sharding.
//
// Shardings are interned: the evaluator returns equal shardings as one pointer, and takes only
// shardings that it has returned. Only the results in a Strategy may have unreduced axes.
type Evaluator interface {
	// Mesh returns the mesh of all shardings.
	Mesh() *mesh.DeviceMesh
	// Machine returns the machine whose costs are used.
	Machine() *cost.Machine
	// Intern returns the sharding whose dimension d is sharded by axes[d].
	Intern(axes [][]mesh.AxisRef) *layout.Sharding

	// Rule returns the sharding rule that op is partitioned by. It returns nil for ops without one;
	// the operands and results of these must keep their shardings.
	Rule(op *ir.Op) *factor.Rule
	// Demand returns the sharding that op demands of an operand. Only ops without a rule that
	// merely pass the operand on demand one: the end of the function or of a region of a loop, or a
	// sharding constraint. It returns nil for other ops.
	Demand(op *ir.Op, operand int) *layout.Sharding
	// Runs returns how often a block runs in one run of the function. The block is the function's
	// body, or a region of a loop. A value is moved as often as the block that makes it runs.
	Runs(b *ir.Block) int
	// Rematerializes reports whether v, such as a constant, can be computed in any sharding without
	// communication.
	Rematerializes(v *ir.Value) bool

	// Sharding returns the sharding that v has.
	Sharding(v *ir.Value) *layout.Sharding
	// SetSharding changes the sharding of v.
	SetSharding(v *ir.Value, s *layout.Sharding)
	// DryRun returns the estimated cost of partitioning the function. ok is false if the cost
	// reaches limit. Call Commit or Rollback afterwards.
	DryRun(limit int) (total int, ok bool)
	// Commit keeps all changes since the last Commit or Rollback.
	Commit()
	// Rollback undoes all changes since the last Commit or Rollback: shardings that were set, and
	// results of dry runs.
	Rollback()

	// OpCost returns the cost of all runs of op in the last dry run, and the part of it that is the
	// device's own work. op must have a rule. The cost includes moving op's operands and results.
	OpCost(op *ir.Op) (total, local int)
	// Strategies returns ways to partition op, which must have a rule. They differ from the way of
	// the last dry run only in the use of axis: axis shards no factor, or one of them. Ops may
	// share a list of strategies if three things are equal: the types of operands and results,
	// which of them can be rematerialized, and which operands are the same value.
	Strategies(op *ir.Op, axis mesh.AxisRef) []Strategy
	// MoveCost returns the cost of moving a tensor of type t once from one sharding to another.
	MoveCost(t ir.Type, from, to *layout.Sharding) int
}

// Strategy is a way to partition an op.
type Strategy struct {
	Operands []*layout.Sharding // shardings of the operands
	Results  []*layout.Sharding // shardings of the results; they may be unreduced
	Cost     int                // cost of one run of the op itself: its arithmetic, and what it sends
}
