package runtime

// This file defines lane and flight, of which an engine builds its queues and
// its futures.

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"sync"
)

// lane runs functions one after the other on a goroutine of its own.
type lane struct {
	tasks   chan func()
	stopped chan struct{}
	mu      sync.RWMutex // pushers hold it for reading
	closed  bool
}

var errLaneClosed = errors.New("the client is closed: open a new one")

// newLane starts a lane that holds at most depth functions, the running one
// included.
func newLane(depth int) *lane {
	l := &lane{tasks: make(chan func(), max(depth, 1)-1), stopped: make(chan struct{})}
	go func() {
		defer close(l.stopped)
		for task := range l.tasks {
			task()
		}
	}()
	return l
}

// push queues a function and waits while the lane is full.
func (l *lane) push(task func()) error {
	l.mu.RLock()
	defer l.mu.RUnlock()
	if l.closed {
		return errLaneClosed
	}
	l.tasks <- task
	return nil
}

// close waits for all that was pushed; later pushes fail.
func (l *lane) close() {
	l.mu.Lock()
	if !l.closed {
		l.closed = true
		close(l.tasks)
	}
	l.mu.Unlock()
	<-l.stopped
}

// flight is the outcome, to come, of what makes one or more buffers.
type flight struct {
	landed chan struct{}
	err    error // set before landed is closed
}

func newFlight() *flight { return &flight{landed: make(chan struct{})} }

func (f *flight) land(err error) {
	f.err = err
	close(f.landed)
}

func (f *flight) wait(ctx context.Context) error {
	select {
	case <-f.landed:
		return f.err
	default:
	}
	select {
	case <-f.landed:
		return f.err
	case <-ctx.Done():
		return ctx.Err()
	}
}

// runError says why an execution yielded nothing. Runs that depend on it hand
// the root on, so that the message names the run that failed first however
// long the chain is.
type runError struct {
	program string
	input   string    // the input that a failed run should have made; empty for the root
	cause   error     // the root's own cause
	root    *runError // nil for the root
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

// poisonedBy returns the error of a run whose input ended in err.
func poisonedBy(program, input string, err error) error {
	var failed *runError
	if !errors.As(err, &failed) {
		return &runError{program: program, cause: fmt.Errorf("its input %q did not arrive: %w", input, err)}
	}
	if failed.root != nil {
		failed = failed.root
	}
	return &runError{program: program, input: input, root: failed}
}
