package runtime

// This file holds the parts of asynchronous work: its queue, the future of its result, and the
// error of a run that depends on a failed one.

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"sync"
	"sync/atomic"
)

// queue runs functions one after the other on a goroutine of its own.
type queue struct {
	tasks   chan func()
	stopped chan struct{}
	mu      sync.RWMutex // pushers hold it for reading
	closed  bool
	waiting atomic.Int64 // functions that were pushed and have not ended
}

var errClosed = errors.New("the client is closed: open a new one")

// newQueue starts a queue that holds at most depth functions, the running one
// included.
func newQueue(depth int) *queue {
	q := &queue{tasks: make(chan func(), max(depth, 1)-1), stopped: make(chan struct{})}
	go func() {
		defer close(q.stopped)
		for task := range q.tasks {
			task()
			q.waiting.Add(-1)
		}
	}()
	return q
}

// push adds a task to the queue; it waits while the queue is full. A closed queue returns errClosed
// and does not run it.
func (q *queue) push(task func()) error {
	q.mu.RLock()
	defer q.mu.RUnlock()
	if q.closed {
		return errClosed
	}
	q.waiting.Add(1)
	q.tasks <- task
	return nil
}

// isIdle reports whether all functions that were pushed have ended.
func (q *queue) isIdle() bool { return q.waiting.Load() == 0 }

// run calls task in the calling goroutine, not after the functions of the queue. It returns an
// error, and does not call task, if the queue is closed.
func (q *queue) run(task func()) error {
	q.mu.RLock()
	defer q.mu.RUnlock()
	if q.closed {
		return errClosed
	}
	task()
	return nil
}

// close waits until all functions have run; later pushes fail.
func (q *queue) close() {
	q.mu.Lock()
	if !q.closed {
		q.closed = true
		close(q.tasks)
	}
	q.mu.Unlock()
	<-q.stopped
}

// future is completed when the work that makes one or more buffers has ended. It holds the error of
// that work.
type future struct {
	done chan struct{}
	err  error // set before done is closed
	// run is the execution whose end the method wait must wait for; nil if a goroutine completes the
	// future.
	run *asyncRun
}

func newFuture() *future { return &future{done: make(chan struct{})} }

func (f *future) complete(err error) {
	f.err = err
	close(f.done)
}

// isDone reports whether the work has ended.
func (f *future) isDone() bool {
	select {
	case <-f.done:
		return true
	default:
		return false
	}
}

// wait waits for the end of the work and returns its error. If ctx ends first, it returns ctx's
// error.
func (f *future) wait(ctx context.Context) error {
	if f.run != nil {
		f.run.engine.started.poll()
	}
	switch {
	case f.isDone():
		return f.err
	case f.run == nil:
	case ctx.Done() == nil:
		f.run.engine.started.settle(f.run)
	default:
		go f.run.engine.started.settle(f.run)
	}
	select {
	case <-f.done:
		return f.err
	case <-ctx.Done():
		return ctx.Err()
	}
}

// runError says why an execution has no results. The error of a dependent run wraps the error of
// the run that failed first, and not those between: the message stays short however long the chain
// of runs is.
type runError struct {
	program string
	// input is the input whose run failed; empty in the error of the run that failed first.
	input string
	cause error     // what went wrong, in the run that failed first
	root  *runError // the run that failed first; nil in its own error
}

func (e *runError) Error() string {
	if e.root == nil {
		return "program " + strconv.Quote(e.program) + " failed: " + e.cause.Error()
	}
	return "program " + strconv.Quote(e.program) + " did not run, for its input " + strconv.Quote(e.input) + " comes from a run that failed: " + e.root.Error()
}

func (e *runError) Unwrap() error {
	if e.root == nil {
		return e.cause
	}
	return e.root
}

// dependencyError returns the error of a run of the program that did not begin, because making the
// given input failed with err.
func dependencyError(program, input string, err error) error {
	var failed *runError
	if !errors.As(err, &failed) {
		return &runError{program: program, cause: fmt.Errorf("its input %q did not arrive: %w", input, err)}
	}
	if failed.root != nil {
		failed = failed.root
	}
	return &runError{program: program, input: input, root: failed}
}
