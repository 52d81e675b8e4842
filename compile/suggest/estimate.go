package suggest

// This file estimates the cost of a program without compiling it. It propagates shardings, and an
// evaluator of package partition computes the cost of the function. The passes before propagation
// run once for all candidates.

import (
	"context"
	"math"

	"github.com/gospmd/gospmd/compile/autoshard"
	"github.com/gospmd/gospmd/compile/cost"
	"github.com/gospmd/gospmd/compile/partition"
	"github.com/gospmd/gospmd/ir"
	"github.com/gospmd/gospmd/ir/roles"
	"github.com/gospmd/gospmd/layout"
	"github.com/gospmd/gospmd/mesh"
	"github.com/gospmd/gospmd/sharding"
)

// estimator estimates the cost of programs that differ only in their annotations.
type estimator struct {
	m       *ir.Module // prepared (compile.Prepare), not propagated
	mesh    *mesh.DeviceMesh
	machine *cost.Machine
	run     *partition.Evaluator // evaluator of the last module that was estimated
	slots   [][]int
	memory  int // memory of all values except inputs and outputs
	// exact says that the function must be partitioned to get its cost: it has ops that an
	// evaluator does not count.
	exact bool
}

// newEstimator returns the estimator of the costs of m, a module ready for propagation, with other
// shardings, on the machine.
func newEstimator(m *ir.Module, machine *cost.Machine) *estimator {
	f := m.Main()
	return &estimator{m: m, mesh: m.Meshes[0].Mesh, machine: machine, slots: roles.SlotsOf(f, roles.Of(f)), exact: hasUncounted(f)}
}

// hasUncounted reports whether f has ops that an evaluator does not count: branches and manual
// computations.
func hasUncounted(f *ir.Func) (found bool) {
	f.Walk(func(op *ir.Op) {
		found = found || len(op.Regions) > 0 && op.Kind != ir.OpWhile && !op.Info().Is(ir.ScalarBody)
	})
	return found
}

// propagate gives all values of m shardings, as the compiler does, and each result that a parameter
// is donated to the sharding of the parameter. It returns what the propagation found, and its
// error, if annotations contradict each other.
func (e *estimator) propagate(m *ir.Module) (*sharding.Result, error) {
	r, err := sharding.Propagate(m, sharding.Options{})
	if err != nil {
		return nil, err
	}
	if err := sharding.Complete(m); err != nil {
		return nil, err
	}
	f := m.Main()
	for i, p := range f.Params() {
		if out := roles.Donee(f, i); out >= 0 {
			f.Results[out].Sharding = p.Sharding
		}
	}
	return r, nil
}

// moduleWith returns a copy of the module with the edits, after propagation, and the error of
// propagation.
func (e *estimator) moduleWith(edits []edit) (*ir.Module, error) {
	m := e.m.Clone()
	for _, x := range edits {
		for _, t := range x.members {
			e.annotate(m.Main(), t, x.to)
		}
	}
	_, err := e.propagate(m)
	return m, err
}

// annotate gives the tensor t the annotation s in f. If t is a variable, it also does so for its
// new value, and for the optimizer's slots that are sharded as t is.
func (e *estimator) annotate(f *ir.Func, t *tensor, s *layout.Sharding) {
	switch t.role {
	case "":
		f.Results[t.index].Sharding = s
		return
	case ofLayer:
		if s == nil {
			s = layout.OpenSharding(e.mesh, t.typ.Rank())
		}
		for _, op := range sharding.LayerOutputs(f)[t.index].Constraints {
			sharding.SetConstraint(op, s)
		}
		return
	}
	set := func(i int) {
		f.Params()[i].Sharding = s
		if out := roles.Donee(f, i); out >= 0 {
			f.Results[out].Sharding = s
		}
	}
	for _, i := range e.slots[t.index] {
		if areSame(e.m.Main().Params()[i].Sharding, t.sharding) {
			set(i)
		}
	}
	set(t.index)
}

// cost estimates the cost of a propagated module. If refine is true, it first searches for better
// shardings of values without an annotation, which it changes in m. As to memory, it computes only
// that of inputs and outputs. It returns the errors of partitioning m.
func (e *estimator) cost(m *ir.Module, refine bool) (Cost, error) {
	inputs := inputBytes(m.Main())
	c := Cost{Memory: e.memory + inputs, inputs: inputs}
	if refine || !e.exact {
		e.evaluate(m)
		if refine {
			autoshard.Refine(context.Background(), m.Main(), e.run, nil)
		}
		if !e.exact {
			c.Ops, _ = e.run.DryRun(math.MaxInt)
			return c, nil
		}
	}
	if e.run == nil {
		e.evaluate(m)
	}
	local, err := e.run.Module(m)
	if err != nil {
		return c, err
	}
	c.Ops = e.machine.Ops(e.mesh, local.Main())
	return c, nil
}

// evaluate makes e.run the evaluator of m. The new evaluator reuses the results of the earlier
// ones.
func (e *estimator) evaluate(m *ir.Module) {
	if e.run == nil {
		e.run = partition.NewEvaluator(m, e.mesh, e.machine)
	} else {
		e.run = e.run.For(m)
	}
}

// inputBytes returns the memory on a device of the inputs of f, and of the outputs that do not take
// over an input's buffers.
func inputBytes(f *ir.Func) (n int) {
	donated := make([]bool, len(f.Results))
	for i, p := range f.Params() {
		n += localBytes(p.Type, p.Sharding)
		if out := roles.Donee(f, i); out >= 0 {
			donated[out] = true
		}
	}
	for i, r := range f.Results {
		if !donated[i] {
			n += localBytes(r.Type, r.Sharding)
		}
	}
	return n
}

func localBytes(t ir.Type, s *layout.Sharding) int {
	if t.IsToken() {
		return 0
	}
	return t.WithDims(s.LocalShape(t.Dims)).MemoryBytes()
}
