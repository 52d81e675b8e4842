package trace

// This file records calls, loops, branches, sorting and barriers.

import (
	"slices"

	"github.com/gomlx/compute"

	"github.com/gospmd/gospmd/ir"
)

// Call records a call of target, a named function of the module, and returns its results. It
// implements compute.Function. A closure, a function that has not returned, and inputs of other
// types than its parameters are errors.
func (f *function) Call(target compute.Function, inputs ...compute.Value) ([]compute.Value, error) {
	e := f.begin("Call")
	values := e.values(inputs)
	callee, ok := target.(*function)
	switch {
	case e.err != nil:
	case !ok || callee.b != f.b:
		e.failf("the function belongs to another graph: create it with graph.NewFunction on this one")
	case callee.def == nil:
		e.failf("a closure cannot be called: give it to While, If or Sort, or use graph.NewFunction")
	case !callee.returned:
		e.failf("function %q is called before it has returned: recursion is not possible", callee.name)
	case !slices.EqualFunc(typesOf(values), typesOf(callee.def.Params()), ir.Type.Equal):
		e.failf("function %q got %v, want %v", callee.name, typesOf(values), typesOf(callee.def.Params()))
	}
	if e.err != nil {
		return nil, e.err
	}
	op := e.b.OpWithTypes(ir.OpCall, ir.Attrs{{Name: "callee", Value: ir.Symbol(callee.name)}}, typesOf(callee.def.Returned()), values...)
	return e.results(op.Results)
}

// closure returns the block of fn, a finished closure of this graph, whose arguments must have the
// types args. If it is not so, e fails with an error in which role names fn, and the block is nil.
// The first op that fn is given to gets the block itself, and each later op a copy.
func (e *emitter) closure(role string, fn compute.Function, args []ir.Type) *ir.Block {
	c, ok := fn.(*function)
	switch {
	case e.err != nil:
	case !ok || c.b != e.f.b || c.def != nil:
		e.failf("%s is not a closure of this graph: create it with graph.NewClosure", role)
	case !c.returned:
		e.failf("%s has not returned yet", role)
	case !slices.EqualFunc(typesOf(c.block.Args), args, ir.Type.Equal):
		e.failf("%s takes %v, but is given %v", role, typesOf(c.block.Args), args)
	}
	if e.err != nil {
		return nil
	}
	if c.block.Parent() != nil {
		return ir.Cloner{}.Block(c.block)
	}
	return c.block
}

// While runs body on the state as long as cond returns true, and returns the last state. cond and
// body are closures that take the state; others are errors. For a body that stands for a scan it
// returns the results of the scan's loop. It implements compute.Function.
func (f *function) While(cond, body compute.Function, initialState ...compute.Value) ([]compute.Value, error) {
	e := f.begin("While")
	state := e.values(initialState)
	if e.err != nil {
		return nil, e.err
	}
	if loop, ok := body.(*function); ok && loop.scan != nil {
		return e.results(loop.scan.take(e, state))
	}
	types := typesOf(state)
	f.b.r.branches = true
	c, b := e.closure("the condition", cond, types), e.closure("the body", body, types)
	return e.results(e.ops(ir.OpWhile, nil, []*ir.Block{c, b}, state...))
}

// If runs trueBranch or falseBranch, closures without parameters, depending on pred, and returns
// the branch's results. Closures with parameters, and branches with other results, are errors. It
// implements compute.Function.
func (f *function) If(pred compute.Value, trueBranch, falseBranch compute.Function) ([]compute.Value, error) {
	e := f.begin("If")
	p := e.value(pred)
	f.b.r.branches = true
	t, o := e.closure("the true branch", trueBranch, nil), e.closure("the false branch", falseBranch, nil)
	return e.results(e.ops(ir.OpIf, nil, []*ir.Block{t, o}, p))
}

// Sort sorts all inputs together along an axis, which may count from the back, and returns them
// sorted, in the order of inputs. For each input the comparator takes the left element, then the
// right one, as in StableHLO and in GoMLX's backends. The comment of compute.Function states
// another order. No inputs, inputs of different shapes, an axis out of range, and a comparator with
// other parameters or results are errors.
func (f *function) Sort(comparator compute.Function, axis int, isStable bool, inputs ...compute.Value) ([]compute.Value, error) {
	e := f.begin("Sort")
	values := e.values(inputs)
	if len(values) == 0 {
		e.failf("got no inputs, want at least one")
	}
	if e.err != nil {
		return nil, e.err
	}
	var args []ir.Type
	for _, v := range values {
		args = append(args, ir.Tensor(v.Type.DType), ir.Tensor(v.Type.DType))
	}
	body := e.closure("the comparator", comparator, args)
	axis = e.axis(axis, values[0].Type.Rank())
	return e.results(e.ops(ir.OpSort, ir.Attrs{
		{Name: "dimension", Value: ir.Int(axis)},
		{Name: "is_stable", Value: ir.Bool(isStable)},
	}, []*ir.Block{body}, values...))
}

// OptimizationBarrier returns the operands behind a barrier, across which the compiler moves no
// work. Without operands it is an error.
func (f *function) OptimizationBarrier(operands ...compute.Value) ([]compute.Value, error) {
	e := f.begin("OptimizationBarrier")
	values := e.values(operands)
	if len(values) == 0 {
		e.failf("got no operands, want at least one")
	}
	return e.results(e.barrier(values))
}

// SchedulingBarrier makes operand wait for the dependencies, and returns it. It records one
// optimization barrier for operand and the dependencies, and returns only the barrier's first
// result. Without dependencies it records nothing. Anything but values of the recording is an
// error.
func (f *function) SchedulingBarrier(operand compute.Value, dependencies ...compute.Value) (compute.Value, error) {
	e := f.begin("SchedulingBarrier")
	values := e.values(append([]compute.Value{operand}, dependencies...))
	if e.err != nil || len(dependencies) == 0 {
		return e.result(values[0])
	}
	return e.result(first(e.barrier(values)))
}

func (e *emitter) barrier(values []*ir.Value) []*ir.Value {
	if e.err != nil {
		return nil
	}
	return e.b.OpWithTypes(ir.OpOptimizationBarrier, nil, typesOf(values), values...).Results
}
