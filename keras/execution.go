package keras

// This file makes several steps one program: a loop over their batches, which carries the variables
// that a step assigns. A training on CPUs does so without being asked, where it takes as long to
// start a short step as to compute it. What it decides does not depend on the clock, so that a
// training is the same each time.

import (
	"cmp"
	"context"
	"slices"

	"github.com/gomlx/gomlx/core/graph"

	"github.com/gospmd/gospmd/compile/cost"
	"github.com/gospmd/gospmd/hardware"
	"github.com/gospmd/gospmd/ir"
	"github.com/gospmd/gospmd/keras/data"
	"github.com/gospmd/gospmd/keras/variable"
	"github.com/gospmd/gospmd/runtime"
	"github.com/gospmd/gospmd/target"
	"github.com/gospmd/gospmd/trace"
)

// The program of several steps begins to be loaded after loadLoopAfter training steps, and
// runs after loopAfter, so that a short training does not wait for its compilation.
const (
	loadLoopAfter = 128
	loopAfter     = 256
)

// Limits of the loop of steps that a training chooses, which is how many steps an execution has.
const (
	mostSteps      = 16
	mostOperations = 1 << 27 // of one step on one device: a few ms of a core
	// of one step on several devices, which take longer to begin it together
	mostOnDevices = 4 * mostOperations
	mostBytes     = 64 << 20 // of a stack of one tensor of the batches; of all that one step reads
)

// loop is the execution of several steps that a training has chosen by itself.
type loop struct {
	done int    // training steps
	size int    // steps of an execution, from loopAfter on; 0 before it is chosen
	key  string // of the program
}

// observed reports whether a callback of the training looks at batches: its ObservesBatches returns
// true, or it has no such method.
func (t *Training) observed() bool {
	return slices.ContainsFunc(t.callbacks, func(cb Callback) bool {
		o, ok := cb.(BatchObserver)
		return !ok || o.ObservesBatches()
	})
}

// automatic reports whether Fit may choose itself to run several steps as one program: on CPUs, in
// a single process, without StepsPerExecution, MicroBatches above 1, Memory, a step of the user's
// own, and callbacks that look at batches.
func (t *Training) automatic() bool {
	m := t.model
	o := m.compilerOptions(trainStep)
	return m.compiled.perExecution == 0 && o.MicroBatches <= 1 && o.MemoryLimit == 0 && m.ownStep(trainStep) == nil && t.client.Platform() == hardware.CPU && t.Job() == nil && !t.observed()
}

// chooseLoop sets in m.compiled.loop how many steps like that of b the next executions have, and
// begins to load their program. If it cannot begin, an execution has one step.
func (m *Model) chooseLoop(ctx context.Context, client *runtime.Client, l stepLoop, b data.Batch) {
	c := m.compiled
	c.loop.size = m.loopSize(client, l, b)
	bs := slices.Repeat([]data.Batch{b}, c.loop.size)
	c.loop.key = programKey(trainStep, bs)
	if c.loop.size > 1 && !m.loadAhead(ctx, client, trainStep, bs) {
		c.loop.size = 1
	}
}

// usual reports whether b has the shape of the first batch that was trained on; false before that.
// The last batch of an epoch may be smaller.
func (m *Model) usual(b data.Batch) bool {
	for _, key := range m.compiled.order {
		if m.compiled.programs[key].kind == trainStep {
			return key == programKey(trainStep, []data.Batch{b})
		}
	}
	return false
}

// loopSize returns how many steps like that of b become one program: up to mostSteps, as far as the
// stack of each tensor of the batches has at most mostBytes. It is 1 if the step is not short,
// reads more than mostBytes, or has loops, which may be long, or ops that are slow in a loop. An
// epoch is divided into executions of one size, as far as that is possible. The program of a single
// step must be compiled.
func (m *Model) loopSize(c *runtime.Client, l stepLoop, b data.Batch) int {
	step := m.compiled.programs[programKey(trainStep, []data.Batch{b})].compiled
	f, devices := step.Module.Main(), max(1, step.Mesh.Size())
	most := mostOperations
	if devices > 1 {
		most = mostOnDevices
	}
	ops := kindsIn(f)
	slow := cost.Host().Ops(step.Mesh, f)*devices > most || ops[ir.OpWhile] || m.slowInLoop(c, ops)
	bytes := 0
	for _, in := range step.Inputs {
		bytes += in.Type.Bytes()
	}
	if slow || bytes > mostBytes {
		return 1
	}
	n := mostSteps
	for _, t := range b.Tensors() {
		n = min(n, max(1, mostBytes/max(1, int(t.ByteSize()))))
	}
	if epoch := l.data.size(); epoch > 0 {
		n = epoch / ((epoch + n - 1) / n)
	}
	return n
}

// slowInLoop reports whether the compiler that gets the model's steps computes ops of these kinds
// slowly in a loop. It is the compiler for c's devices, unless the option Compiler names a
// platform.
func (m *Model) slowInLoop(c *runtime.Client, ops map[ir.OpKind]bool) bool {
	of := target.Of(cmp.Or(m.compiled.compiler.Platform, c.Platform()))
	return ops[ir.OpConvolution] && of.Has(target.SlowLoopedConvolutions)
}

// kindsIn returns the kinds of the ops in f.
func kindsIn(f *ir.Func) map[ir.OpKind]bool {
	out := map[ir.OpKind]bool{}
	f.Walk(func(op *ir.Op) { out[op.Kind] = true })
	return out
}

// oneStep is the trace of a single step. It tells which variables a loop of such steps reads and
// assigns, and which kinds of ops the step has.
type oneStep struct {
	model          *Model
	read, assigned []*variable.Variable
	ops            map[ir.OpKind]bool
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
	s := &oneStep{model: m, read: r.scope.Read(), assigned: r.assigned, ops: kindsIn(r.module.Main())}
	m.compiled.oneSteps[key] = s
	return s, nil
}

// recordLoop records several steps as one loop in the recorder of out, which computes what several
// calls of Model.record compute. kind is that of the steps and bs are their batches, which are
// stacked: each iteration slices its batch from the stacks. It returns the outputs of the loop: the
// variables that the steps assign, and the logs of each step.
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

// tensors returns the nodes of the batch: inputs, labels and sample weights, in this order.
func (s *tracedStep) tensors() []*graph.Node { return slices.Concat(s.xs, s.ys, s.sampleWeight) }

// with returns a copy of the step whose variables are in another scope, and whose batch is other
// nodes: inputs, labels, sample weights, in this order.
func (s tracedStep) with(scope *variable.StatelessScope, batch []*graph.Node) *tracedStep {
	s.scope = scope
	x, y := len(s.xs), len(s.xs)+len(s.ys)
	s.xs, s.ys, s.sampleWeight = batch[:x], batch[x:y], batch[y:]
	return &s
}
