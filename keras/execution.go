package keras

// This file records several steps as one program: a loop over their batches. The loop carries the
// variables that a step assigns.

import (
	"slices"

	"github.com/gomlx/gomlx/core/graph"

	"github.com/gospmd/gospmd/hardware"
	"github.com/gospmd/gospmd/ir"
	"github.com/gospmd/gospmd/keras/data"
	"github.com/gospmd/gospmd/keras/variable"
	"github.com/gospmd/gospmd/runtime"
	"github.com/gospmd/gospmd/trace"
)

// oneStep is the trace of a single step. It tells which variables a loop of such steps reads and
// assigns, and whether the step has convolutions.
type oneStep struct {
	model          *Model
	read, assigned []*variable.Variable
	convolutions   bool
}

// oneStep returns the trace of a step for batches of b's shape. The first call traces it, later
// calls return the same trace.
func (m *Model) oneStep(kind stepKind, b data.Batch) (*oneStep, error) {
	key := programKey(kind, []data.Batch{b})
	if s, ok := m.compiled.oneSteps[key]; ok {
		return s, nil
	}
	r, err := m.record(kind, b)
	if err != nil {
		return nil, err
	}
	s := &oneStep{model: m, read: r.scope.Read(), assigned: r.assigned}
	r.module.Main().Walk(func(op *ir.Op) { s.convolutions = s.convolutions || op.Kind == ir.OpConvolution })
	m.compiled.oneSteps[key] = s
	return s, nil
}

// runsAsLoop reports whether the steps of an execution become one program. They do if there are as
// many batches as an execution should have, at least two, all of one shape. Steps with convolutions
// do not on CPUs: XLA runs convolutions in loops much more slowly there.
func (m *Model) runsAsLoop(c *runtime.Client, l stepLoop, bs []data.Batch) (bool, error) {
	if len(bs) == 1 || len(bs) < m.atOnce(l) || !alike(bs) {
		return false, nil
	}
	s, err := m.oneStep(l.kind, bs[0])
	return err == nil && !(s.convolutions && c.Platform() == hardware.CPU), err
}

// alike reports whether batches have the same shapes, so that one program takes them.
func alike(bs []data.Batch) bool {
	key := programKey("", bs[:1])
	return !slices.ContainsFunc(bs, func(b data.Batch) bool { return programKey("", []data.Batch{b}) != key })
}

// recordLoop does the same as Model.record, for several steps. It records one loop in the current
// recorder. The batches are stacked: each iteration slices its batch from the stacks.
func (one *oneStep) recordLoop(out *recording, kind stepKind, bs []data.Batch) ([]trace.Output, error) {
	stacks, err := one.model.newTracedStep(out.scope, kind, bs)
	if err != nil {
		return nil, err
	}
	for _, v := range one.read {
		out.scope.Value(v) // becomes a parameter
	}
	init := make([]*graph.Node, len(one.assigned))
	for i, v := range one.assigned {
		init[i] = out.scope.Value(v)
	}
	var logs []string
	body := func(carry, xs []*graph.Node) (next, results []*graph.Node) {
		s := stacks.with(out.scope.Within(one.assigned, carry), xs)
		results, err := s.record()
		if err != nil {
			panic(err)
		}
		for _, v := range one.assigned {
			next = append(next, s.r.Constrain(s.scope.Value(v), v.Sharding()))
		}
		logs = s.logs
		return next, results
	}
	carry, ys := trace.Scan(body, init, stacks.tensors(), trace.ScanOptions{Length: len(bs), NoGradient: true})
	for i, v := range one.assigned {
		out.scope.Assign(v, carry[i])
	}
	results := make([][]*graph.Node, len(bs))
	for i := range results {
		for _, y := range ys {
			at := graph.SliceAxis(y, 0, graph.AxisElem(i))
			results[i] = append(results[i], graph.Reshape(at, y.Shape().Dimensions[1:]...))
		}
	}
	stacks.logs = logs
	return out.outputs(stacks, results)
}

// tensors returns the nodes of the batch: inputs, labels and sample weights.
func (s *tracedStep) tensors() []*graph.Node { return slices.Concat(s.xs, s.ys, s.sampleWeight) }

// with returns a copy of the step that uses another scope and another batch.
func (s tracedStep) with(scope *variable.StatelessScope, batch []*graph.Node) *tracedStep {
	s.scope = scope
	x, y := len(s.xs), len(s.xs)+len(s.ys)
	s.xs, s.ys, s.sampleWeight = batch[:x], batch[x:y], batch[y:]
	return &s
}
