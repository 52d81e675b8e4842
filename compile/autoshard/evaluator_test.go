package autoshard_test

// This file tests the search with a very simple evaluator.

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/gospmd/gospmd/compile/autoshard"
	"github.com/gospmd/gospmd/compile/cost"
	"github.com/gospmd/gospmd/ir"
	"github.com/gospmd/gospmd/layout"
	"github.com/gospmd/gospmd/mesh"
	"github.com/gospmd/gospmd/sharding/factor"
)

// vectors is an Evaluator for functions of element-wise ops on vectors, on a mesh with one axis. A
// value is sharded or replicated.
type vectors struct {
	dm                  *mesh.DeviceMesh
	replicated, sharded *layout.Sharding
	f                   *ir.Func
	work, gather        int // the cost of an op on a full vector, and of an all_gather

	shardings map[*ir.Value]*layout.Sharding
	undo      []change
	kept      int // the number of commits
}

// change holds a sharding that was replaced.
type change struct {
	value *ir.Value
	was   *layout.Sharding
}

func newVectors(f *ir.Func, dm *mesh.DeviceMesh, work, gather int) *vectors {
	e := &vectors{dm: dm, replicated: layout.Replicated(dm, 1), f: f, work: work, gather: gather, shardings: map[*ir.Value]*layout.Sharding{}}
	e.sharded = e.replicated.Clone()
	e.sharded.Dims[0].Axes = mesh.FullAxes("x")
	return e
}

func (e *vectors) Mesh() *mesh.DeviceMesh { return e.dm }

// Machine returns a machine whose launches cost nothing, so that every group is tried.
func (e *vectors) Machine() *cost.Machine {
	return &cost.Machine{FlopsPerSecond: 1, Link: cost.Link{Bandwidth: 1}}
}

func (e *vectors) Intern(axes [][]mesh.AxisRef) *layout.Sharding {
	if len(axes[0]) > 0 {
		return e.sharded
	}
	return e.replicated
}

// Rule returns a rule with one factor for all operands and results; the return has no rule.
func (e *vectors) Rule(op *ir.Op) *factor.Rule {
	if len(op.Results) == 0 {
		return nil
	}
	r := &factor.Rule{Factors: []factor.Factor{{Size: op.Result().Type.Dims[0]}}, Results: []factor.TensorMapping{{{0}}}}
	for range op.Operands {
		r.Operands = append(r.Operands, factor.TensorMapping{{0}})
	}
	return r
}

// Demand demands that results are replicated.
func (e *vectors) Demand(*ir.Op, int) *layout.Sharding { return e.replicated }

func (e *vectors) Runs(*ir.Block) int { return 1 }

func (e *vectors) Rematerializes(*ir.Value) bool { return false }

func (e *vectors) Sharding(v *ir.Value) *layout.Sharding {
	if s := e.shardings[v]; s != nil {
		return s
	}
	return e.replicated
}

func (e *vectors) SetSharding(v *ir.Value, s *layout.Sharding) {
	e.undo = append(e.undo, change{v, e.Sharding(v)})
	e.shardings[v] = s
}

// DryRun returns the sum of the costs of all ops, each partitioned by the sharding of its result.
// ok is false if the sum reaches limit.
func (e *vectors) DryRun(limit int) (total int, ok bool) {
	for op := range e.f.Body.Ops() {
		total += e.cost(op)
	}
	return total, total < limit
}

func (e *vectors) Commit() {
	e.undo = nil
	e.kept++
}

func (e *vectors) Rollback() {
	for _, c := range e.undo {
		e.shardings[c.value] = c.was
	}
	e.undo = nil
}

func (e *vectors) OpCost(op *ir.Op) (total, local int) { return e.cost(op), e.workOf(op) }

// cost returns the cost of op: its own work, plus that of moving its operands to the sharding in
// which op reads them.
func (e *vectors) cost(op *ir.Op) int {
	total := e.workOf(op)
	for _, v := range op.Operands {
		total += e.MoveCost(v.Type, e.Sharding(v), e.read(op))
	}
	return total
}

// read returns the sharding in which op reads all of its operands: that of its result, and
// replicated for the function's return.
func (e *vectors) read(op *ir.Op) *layout.Sharding {
	if len(op.Results) == 0 {
		return e.replicated
	}
	return e.Sharding(op.Result())
}

func (e *vectors) workOf(op *ir.Op) int {
	if len(op.Results) == 0 {
		return 0
	}
	return e.work / e.Sharding(op.Result()).ShardCount()
}

// Strategies returns two: all values are replicated, or all are sharded, which costs a device its
// share of the work.
func (e *vectors) Strategies(op *ir.Op, _ mesh.AxisRef) (out []autoshard.Strategy) {
	for _, s := range []*layout.Sharding{e.replicated, e.sharded} {
		strategy := autoshard.Strategy{Results: []*layout.Sharding{s}, Cost: e.work / s.ShardCount()}
		for range op.Operands {
			strategy.Operands = append(strategy.Operands, s)
		}
		out = append(out, strategy)
	}
	return out
}

// MoveCost counts only gathers, from sharded to replicated: if a value is replicated, a device
// already has its shard, and moving it costs nothing.
func (e *vectors) MoveCost(_ ir.Type, from, to *layout.Sharding) int {
	if from == e.sharded && to == e.replicated {
		return e.gather
	}
	return 0
}

// Two ops on a replicated vector, whose result must be replicated, are sharded if half of the work
// costs more than the gather after them.
func TestRefineByAnEvaluator(t *testing.T) {
	for _, tc := range []struct {
		name          string
		work, gather  int
		sharded       bool
		before, after int // cost of the function
	}{
		{"gathering is cheap", 100, 60, true, 200, 160},
		{"as cheap as the work that is saved", 100, 100, false, 200, 200},
		{"gathering is expensive", 100, 150, false, 200, 200},
		{"not for one op alone, but for both", 100, 70, true, 200, 170},
	} {
		t.Run(tc.name, func(t *testing.T) {
			f := ir.MustParse(`func.func @main(%x: tensor<8xf32>) -> tensor<8xf32> {
  %0 = stablehlo.tanh %x : tensor<8xf32>
  %1 = stablehlo.negate %0 : tensor<8xf32>
  return %1 : tensor<8xf32>
}`).Main()
			e := newVectors(f, mesh.MustParse("x=2"), tc.work, tc.gather)
			before, _ := e.DryRun(1000)
			require.Equal(t, tc.before, before)
			autoshard.Refine(context.Background(), f, e, nil)
			after, _ := e.DryRun(1000)
			require.Equal(t, tc.after, after)
			require.Empty(t, e.undo, "each change was kept or undone")
			require.Equal(t, tc.sharded, e.kept > 1, "the first commit is that of the first dry run")
			require.Equal(t, e.replicated, e.Sharding(f.Params()[0]), "parameters stay as they are")
			for op := range f.Body.Ops() {
				if len(op.Results) > 0 {
					require.Equal(t, tc.sharded, e.Sharding(op.Result()) == e.sharded, op.Kind)
				}
			}
		})
	}
}
