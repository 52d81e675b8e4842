package keras

// This file runs steps over the batches of a dataset: how many at a time, as one program or one by
// one.

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"slices"

	"github.com/gospmd/gospmd/keras/data"
	"github.com/gospmd/gospmd/keras/variable"
	"github.com/gospmd/gospmd/runtime"
)

// errStop is onBatch's error to end the loop of run; run then returns no error.
var errStop = errors.New("a callback stops the training")

// errNoBatch is the error of run for a dataset without a batch.
var errNoBatch = errors.New("the dataset yielded no batch: want at least one")

// stepLoop describes the steps over the batches of one epoch: their kind, the data, and the
// functions that are called before and after them.
type stepLoop struct {
	kind      stepKind
	data      *dataIterator
	done      int  // number of batches that were done before the training was resumed
	automatic bool // it may run several steps as one program without being asked

	// onOutputs gets the results of every predict step. The others may be nil:
	// onBegin gets the number of the first batch of every execution before it is queued,
	// onBatch gets the number of the last batch of every execution and the logs of its
	// step, nil for predict steps, and onEnd is called after the last step.
	onOutputs func(outputs []*runtime.Array) error
	onBegin   func(batch int) error
	onBatch   func(batch int, logs *BatchLogs) error
	onEnd     func() error
}

// run runs the steps of a loop and returns the logs after the last one, nil for predict steps and
// if all batches were done before. A dataset without a batch is an error.
//
// It does not wait for a step: while the step runs, the next batch is made and transferred to the
// devices. The runtime bounds how many steps are queued.
func (m *Model) run(ctx context.Context, client *runtime.Client, l stepLoop) (Logs, error) {
	batch := l.done
	var last *BatchLogs
	for bs, err := range grouped(m.checked(ctx, client, l), func() int { return m.atOnce(l) }) {
		if err != nil {
			return nil, err
		}
		if l.onBegin != nil {
			if err := l.onBegin(batch); err != nil {
				return nil, err
			}
		}
		results, err := m.execute(ctx, client, l, batch, bs)
		if err != nil {
			return nil, err
		}
		if results != nil {
			last.release()
			last = results
		}
		batch += len(bs)
		if l.kind == trainStep {
			c := m.compiled
			c.loop.done += len(bs)
			if m.training != nil {
				m.training.lastBatches = bs
			}
			if l.automatic && c.loop.size == 0 && c.loop.done >= loadLoopAfter && m.usual(bs[0]) {
				m.chooseLoop(ctx, client, l, bs[0])
			}
		}
		if l.onBatch == nil {
			continue
		}
		if err := l.onBatch(batch-1, last); err == errStop {
			break
		} else if err != nil {
			return nil, err
		}
	}
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	if batch == 0 {
		return nil, errNoBatch
	}
	if job := m.jobOn(client); job != nil {
		if err := job.Barrier(ctx, fmt.Sprintf("the end of its data, after %d batches of %s", batch, l.kind)); err != nil {
			return nil, err
		}
	}
	if l.onEnd != nil {
		if err := l.onEnd(); err != nil {
			return nil, err
		}
	}
	defer last.release() // not after an error: an interrupted training is saved with its logs
	return last.Get(ctx)
}

// grouped yields the batches in groups. It calls size before each group for the number of batches
// in it. The last group, and one before an error, may be smaller. It yields the first error of
// batches without a group, and ends.
func grouped(batches iter.Seq2[data.Batch, error], size func() int) iter.Seq2[[]data.Batch, error] {
	return func(yield func([]data.Batch, error) bool) {
		var group []data.Batch
		n := 0
		for b, err := range batches {
			if len(group) == 0 {
				n = size()
			}
			if err == nil {
				group = append(group, b)
			}
			if len(group) == n || err != nil && len(group) > 0 {
				if !yield(group, nil) {
					return
				}
				group = nil
			}
			if err != nil {
				yield(nil, err)
				return
			}
		}
		if len(group) > 0 {
			yield(group, nil)
		}
	}
}

// atOnce returns the number of steps that the next execution runs as one program:
// StepsPerExecution, if that is set; else what chooseLoop has chosen, after the first loopAfter
// steps of an automatic loop; else 1. It waits for the program that chooseLoop began to load. If
// that failed, the number is 1 from then on.
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

// execute queues the steps of an execution on the batches bs, as one program or one by one; first
// is the number of the first batch. It returns the logs of the last step. For predict steps it
// returns nil, and calls l.onOutputs with the results of each step. It calls no other function of
// l.
func (m *Model) execute(ctx context.Context, client *runtime.Client, l stepLoop, first int, bs []data.Batch) (last *BatchLogs, err error) {
	perProgram := 1
	if looped, err := m.runsAsLoop(client, l, bs); err != nil {
		return nil, err
	} else if looped {
		perProgram = len(bs)
	}
	for i := 0; i < len(bs); i += perProgram {
		of := bs[i : i+perProgram]
		step, err := m.program(ctx, client, l.kind, of...)
		if err != nil {
			return nil, err
		}
		if m.compiled.broadcast && first+i == l.done && m.jobOn(client) != nil {
			if err := variable.Broadcast(ctx, client, step.read); err != nil {
				return nil, err
			}
		}
		args, err := step.place(client, m.compiled.feed, of)
		if err != nil {
			return nil, fmt.Errorf("batch %d: %w", first+i, err)
		}
		results, err := step.run(args)
		if err != nil {
			return nil, fmt.Errorf("batch %d: %w", first+i, err)
		}
		if l.kind != predictStep {
			last.release()
			last = &BatchLogs{names: step.logs, arrays: results}
			continue
		}
		for outputs := range slices.Chunk(results, len(m.outputs)) {
			if err := l.onOutputs(outputs); err != nil {
				return nil, err
			}
		}
	}
	return last, nil
}

// run queues one execution on batches that place has transferred, and releases them. It sets the
// new values of assigned variables, and returns the other results. It waits for none of them.
func (p *stepProgram) run(batch []*runtime.Array) ([]*runtime.Array, error) {
	args := batch
	for _, v := range p.read {
		args = append(args, v.Array())
	}
	results, err := p.exe.Run(args...)
	for _, a := range batch {
		a.Release()
	}
	if err != nil {
		return nil, err
	}
	for i, v := range p.assigned {
		v.SetArray(results[i])
	}
	return results[len(p.assigned):], nil
}

// runsAsLoop reports whether the steps of an execution become one program. They do if there are as
// many batches as an execution should have, at least two, all of one shape, and no step has an op
// that is slow in a loop (slowInLoop).
func (m *Model) runsAsLoop(c *runtime.Client, l stepLoop, bs []data.Batch) (bool, error) {
	if len(bs) == 1 || len(bs) < m.atOnce(l) || !alike(bs) {
		return false, nil
	}
	s, err := m.oneStep(l.kind, bs[0])
	return err == nil && !m.slowInLoop(c, s.ops), err
}

// alike reports whether all batches have the same shapes and types, so that one program takes them.
func alike(bs []data.Batch) bool {
	key := programKey("", bs[:1])
	return !slices.ContainsFunc(bs, func(b data.Batch) bool { return programKey("", []data.Batch{b}) != key })
}
