package compile

// This file implements the passes that call other packages: dce, unit_axes,
// propagate, autoshard and partition.

import (
	"math"
	"slices"
	"strings"

	"github.com/gospmd/gospmd/compile/autoshard"
	"github.com/gospmd/gospmd/compile/cost"
	"github.com/gospmd/gospmd/compile/explain"
	"github.com/gospmd/gospmd/compile/partition"
	"github.com/gospmd/gospmd/ir"
	"github.com/gospmd/gospmd/ir/roles"
	"github.com/gospmd/gospmd/ir/transform"
	"github.com/gospmd/gospmd/sharding"
)

// dce removes ops without effects that no result of the function depends on, and values that loops
// carry for nothing. A sharding_constraint without uses stays if its operand has other uses,
// because it states the sharding of the operand.
func dce(f *ir.Func) {
	transform.EliminateDeadOps(f, transform.DeadOps{KeepConstraints: true, Carries: true})
}

// unitAxes removes axes of size 1 from all annotated shardings:
//
//	mesh data=8,model=1: %w [{}, {"model"}]    =>    %w [{}, {}]
//
// The mesh itself keeps them.
func unitAxes(f *ir.Func) {
	for _, a := range annotationsOf(f) {
		a.set(transform.WithoutUnitAxes(a.sharding))
	}
}

// propagate gives every value a closed sharding, by package sharding:
//
//	%0 = abs %x  (%x is [{"data"}, {}])    =>    %0 = abs %x {[{"data"}, {}]}
//
// It records the annotated values, and in the trail what propagation found. On one device it does
// nothing.
func propagate(c *compilation) error {
	if c.hasOneDevice() {
		return nil
	}
	r, err := sharding.Propagate(c.module, sharding.Options{})
	if err != nil {
		return err
	}
	c.annotations = explain.Annotations(c.module, r)
	if c.trail != nil {
		c.trail.Mesh = c.mesh
		c.trail.Propagate(c.module, r)
	}
	return sharding.Complete(c.module)
}

// refineShardings shards values that propagation leaves replicated, or replicates sharded ones, if
// that costs less: see package autoshard. For example, between a sum over an axis and the next op
// that needs the whole sum,
//
//	%1 = dot %x, %w  [{}, {}]              %1 = dot %x, %w  [{"model"}, {}]
//	%2 = tanh %1     [{}, {}]          =>  %2 = tanh %1     [{"model"}, {}]
//
// the sum becomes a reduce_scatter, each device computes its part of the ops that follow, and a
// gather is inserted before that next op. Options.KeepLayouts turns the pass off. The evaluator of
// the last search stays in c.evaluator, for pass partition.
func refineShardings(c *compilation) error {
	if c.options.KeepLayouts || c.hasOneDevice() {
		return nil
	}
	left := c.strategy.searches
	if c.searches != nil && c.trail == nil {
		left = c.reuseSearches()
	}
	for i, m := range left {
		c.evaluator = c.evaluatorFor(m)
		if err := autoshard.Refine(c.ctx, c.main(), c.evaluator, c.recordSearch(c.evaluator)); err != nil {
			return err
		}
		if c.searches != nil {
			c.noteSearches(len(left) - i - 1)
		}
	}
	if len(left) == 0 && len(c.strategy.searches) > 0 {
		c.evaluator = c.evaluatorFor(c.machine())
	}
	return nil
}

// evaluatorFor returns an evaluator that computes the costs of the program on machine m. It reuses
// what evaluators for copies of the program have computed.
func (c *compilation) evaluatorFor(m *cost.Machine) *partition.Evaluator {
	e, ok := c.evaluators[m]
	if ok {
		return e.For(c.module)
	}
	e = partition.NewEvaluator(c.module, c.mesh, m)
	if c.evaluators != nil {
		c.evaluators[m] = e
	}
	return e
}

// recordSearch returns a function that records in the trail each change that a search by e keeps,
// and what the change saves. It returns nil if nothing is recorded.
func (c *compilation) recordSearch(e *partition.Evaluator) func(autoshard.Change) {
	if c.trail == nil {
		return nil
	}
	e.DryRun(math.MaxInt)
	e.Commit()
	before := e.Spent()
	return func(change autoshard.Change) {
		after := e.Spent()
		c.trail.Keep(explain.Step{
			Axis: change.Axis, Values: change.Values, Bytes: before.Bytes - after.Bytes, Flops: before.Flops - after.Flops,
			Seconds: float64(before.Cost-after.Cost) / e.Machine().FlopsPerSecond,
		})
		before = after
	}
}

// partitionModule replaces the module by the program that each device runs (package partition).
// With micro-batches, it is that of the mesh with their axis. It removes the attributes that only
// frameworks read, and c.evaluator.
func partitionModule(c *compilation) error {
	run := func(m *ir.Module) (*ir.Module, error) { return partition.Module(m, c.mesh, c.machine()) }
	if c.batch != nil {
		run = func(m *ir.Module) (*ir.Module, error) {
			return partition.Module(m, c.batch.Mesh, c.batch.Machine(c.machine()))
		}
	} else if c.evaluator != nil {
		run = c.evaluator.Module
	}
	c.evaluator = nil // its memory is free for later passes
	m, err := run(c.module)
	if err != nil {
		return err
	}
	dropFrameworkAttrs(m)
	c.module = m
	return nil
}

// dropFrameworkAttrs removes the attributes of m, of main's parameters and of its results that no
// engine reads.
func dropFrameworkAttrs(m *ir.Module) {
	m.Attrs = slices.DeleteFunc(slices.Clone(m.Attrs), func(na ir.NamedAttr) bool {
		return !strings.HasPrefix(na.Name, "stablehlo.") || strings.HasSuffix(na.Name, ".num_partitions") || strings.HasSuffix(na.Name, ".num_replicas")
	})
	f := m.Main()
	for i := range f.ArgAttrs {
		f.ArgAttrs[i] = engineAttrs(f.ArgAttrs[i])
	}
	for i := range f.Results {
		f.Results[i].Attrs = engineAttrs(f.Results[i].Attrs)
	}
}

// engineAttrs returns those attributes of a parameter or result that an engine reads: the donation
// of its buffers.
func engineAttrs(attrs ir.Attrs) ir.Attrs {
	var out ir.Attrs
	for _, na := range attrs {
		if na.Name == roles.AliasAttr {
			out = append(out, na)
		}
	}
	return out
}
