package runtime

// This file holds the executions that a Starter has started, until somebody sees that they
// have ended.

import (
	"sync"
	"time"
)

// startedRuns holds executions in the order in which they were started. Who waits for one sees its
// end, who starts another one, or sweep: no goroutine waits for each, which would have to be
// woken while the devices go on with the next one.
type startedRuns struct {
	mu       sync.Mutex
	runs     []*asyncRun
	sweeping bool

	settling chan struct{} // has an element while a goroutine looks for ends
}

func newStartedRuns() startedRuns { return startedRuns{settling: make(chan struct{}, 1)} }

// sweepTime is how long an execution that has ended may keep what it was given if nobody
// looks.
const sweepTime = 20 * time.Millisecond

// add adds an execution that was started.
func (s *startedRuns) add(r *asyncRun) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.runs = append(s.runs, r)
	if !s.sweeping {
		s.sweeping = true
		time.AfterFunc(sweepTime, s.sweep)
	}
}

// sweep ends the executions that have ended, and comes again while there are others.
func (s *startedRuns) sweep() {
	s.poll()
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.sweeping = len(s.runs) > 0; s.sweeping {
		time.AfterFunc(sweepTime, s.sweep)
	}
}

// try reports whether nobody else looks for ends; the caller does then, until done.
func (s *startedRuns) try() bool {
	select {
	case s.settling <- struct{}{}:
		return true
	default:
		return false
	}
}

func (s *startedRuns) done() { <-s.settling }

// poll ends the executions that have ended, unless another goroutine is about it.
func (s *startedRuns) poll() {
	if !s.try() {
		return
	}
	defer s.done()
	for r := s.first(); r != nil && r.execution.Ended(); r = s.first() {
		s.settleFirst(r)
	}
}

// settle waits until an execution has ended, after those that were started before it.
func (s *startedRuns) settle(last *asyncRun) {
	select {
	case s.settling <- struct{}{}:
	case <-last.future.done: // another goroutine has seen it, and may wait for a later one
		return
	}
	defer s.done()
	for !last.future.isDone() {
		s.settleFirst(s.first())
	}
}

// settleOldest waits for the end of the execution that was started first, unless another
// goroutine is about it.
func (s *startedRuns) settleOldest() {
	if !s.try() {
		return
	}
	defer s.done()
	if r := s.first(); r != nil {
		s.settleFirst(r)
	}
}

// settleAll waits until all have ended. None is started meanwhile.
func (s *startedRuns) settleAll() {
	s.settling <- struct{}{}
	defer s.done()
	for r := s.first(); r != nil; r = s.first() {
		s.settleFirst(r)
	}
}

func (s *startedRuns) first() *asyncRun {
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.runs) == 0 {
		return nil
	}
	return s.runs[0]
}

// settleFirst ends the first execution. The caller has put an element into settling.
func (s *startedRuns) settleFirst(r *asyncRun) {
	r.finish(r.execution.Wait())
	s.mu.Lock()
	defer s.mu.Unlock()
	n := copy(s.runs, s.runs[1:])
	s.runs[n] = nil
	s.runs = s.runs[:n]
}
