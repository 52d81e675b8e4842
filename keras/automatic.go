package keras

// This file decides whether a training runs several steps as one program without being
// asked: on CPUs, where it takes as long to start a short step as to compute it. What it
// decides does not depend on the clock, so that a training is the same each time.

import (
	"context"
	"slices"

	"github.com/gospmd/gospmd/compile/cost"
	"github.com/gospmd/gospmd/hardware"
	"github.com/gospmd/gospmd/ir"
	"github.com/gospmd/gospmd/keras/data"
	"github.com/gospmd/gospmd/runtime"
)

// The program of several steps begins to be loaded after loadLoopAfter training steps, and
// runs after loopAfter, so that a short training does not wait for its compilation.
const (
	loadLoopAfter = 128
	loopAfter     = 256
)

// Limits of a loop of steps.
const (
	mostSteps      = 16
	mostOperations = 1 << 27 // of one step on one device: a few ms of a core
	// of one step on several devices, which take longer to begin it together
	mostOnDevices = 4 * mostOperations
	mostBytes     = 64 << 20 // of all batches; of all that one step reads
)

// loop is what a training has chosen.
type loop struct {
	done int    // training steps
	size int    // steps of an execution, from loopAfter on; 0 before it is chosen
	key  string // of the program
}

// observed reports whether a callback of the training looks at batches.
func (t *Training) observed() bool {
	return slices.ContainsFunc(t.callbacks, func(cb Callback) bool {
		o, ok := cb.(BatchObserver)
		return !ok || o.ObservesBatches()
	})
}

// automatic reports whether the training may run several steps as one program.
func (t *Training) automatic() bool {
	m := t.model
	return m.compiled.perExecution == 0 && m.ownStep(trainStep) == nil && t.client.Platform() == hardware.CPU && t.Job() == nil && !t.observed()
}

// atOnce returns how many steps the next execution is to have.
func (m *Model) atOnce(l stepLoop) int {
	c := m.compiled
	switch {
	case c.perExecution > 0:
		return c.perExecution
	case !l.automatic || c.loop.done < loopAfter || c.loop.size == 0:
		return 1
	}
	if p := m.pendingAs(c.loop.key); p != nil && p.wait() != nil { // such as for lack of memory
		c.loop.size = 1
	}
	return c.loop.size
}

// noteTrained counts the training steps of batches, and chooses when there were enough.
func (m *Model) noteTrained(ctx context.Context, client *runtime.Client, l stepLoop, bs []data.Batch) {
	c := m.compiled
	if m.training != nil {
		m.training.keepBatches(bs)
	}
	c.loop.done += len(bs)
	if !l.automatic || c.loop.size > 0 || c.loop.done < loadLoopAfter || !m.usual(bs[0]) {
		return
	}
	c.loop.size = m.loopSize(l, bs[0])
	bs = slices.Repeat(bs[:1], c.loop.size)
	c.loop.key = programKey(trainStep, bs)
	if c.loop.size > 1 && !m.loadAhead(ctx, client, trainStep, bs) {
		c.loop.size = 1
	}
}

// usual reports whether a batch has the shape of the first one that was trained on: the last
// one of an epoch may not.
func (m *Model) usual(b data.Batch) bool {
	for _, key := range m.compiled.order {
		if m.compiled.programs[key].kind == trainStep {
			return key == programKey(trainStep, []data.Batch{b})
		}
	}
	return false
}

// loopSize returns how many steps like that of b become one program: 1 if the step is not
// short, or has loops, which may be long, or convolutions, which XLA computes slower in loops.
// An epoch is divided into executions of one size, as far as that is possible.
func (m *Model) loopSize(l stepLoop, b data.Batch) int {
	step := m.compiled.programs[programKey(trainStep, []data.Batch{b})].compiled
	f, devices := step.Module.Main(), max(1, step.Mesh.Size())
	most := mostOperations
	if devices > 1 {
		most = mostOnDevices
	}
	slow := cost.Host().Ops(step.Mesh, f)*devices > most
	f.Walk(func(op *ir.Op) { slow = slow || op.Kind == ir.OpWhile || op.Kind == ir.OpConvolution })
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
