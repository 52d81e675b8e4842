package runtime

// This file holds the executions that a Starter has started, until it is seen that they have
// ended.

import (
	"sync"
	"time"
)

// startedRuns holds executions in the order in which they were started. An execution is retired
// by whichever comes first: a goroutine that waits for it, the next start, or the sweep timer. No
// goroutine waits for each execution: it would have to be woken while the devices go on with the
// next one.
type startedRuns struct {
	limit   int           // the greatest number of runs
	timeout time.Duration // how long devices may wait for each other; 0 for ever

	mu       sync.Mutex
	runs     []*asyncRun
	sweeping bool

	settling chan struct{} // has an element while a goroutine looks for executions that have ended
	room     chan struct{} // has an element after an execution was retired
}

// defaultCollectiveTimeout is the default of torch.distributed with NCCL.
const defaultCollectiveTimeout = 10 * time.Minute

func newStartedRuns(limit int, timeout time.Duration) startedRuns {
	if timeout == 0 {
		timeout = defaultCollectiveTimeout
	}
	return startedRuns{limit: limit, timeout: max(timeout, 0), settling: make(chan struct{}, 1), room: make(chan struct{}, 1)}
}

// sweepTime is how long an execution that has ended may keep its arguments if no goroutine
// waits for it.
const sweepTime = 20 * time.Millisecond

// add adds an execution that was started, and starts the sweep timer if it does not run.
func (s *startedRuns) add(r *asyncRun) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.runs = append(s.runs, r)
	if !s.sweeping {
		s.sweeping = true
		time.AfterFunc(sweepTime, s.sweep)
	}
}

// sweep retires executions that have ended, and ends executions that are stuck. It runs again after
// sweepTime while there are executions.
func (s *startedRuns) sweep() {
	s.poll()
	s.endStuck()
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.sweeping = len(s.runs) > 0; s.sweeping {
		time.AfterFunc(sweepTime, s.sweep)
	}
}

// endStuck ends executions whose devices wait for each other for too long. It does not take the
// token settling: the goroutine that has it may wait for just such an execution.
func (s *startedRuns) endStuck() {
	if s.timeout == 0 {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, r := range s.runs {
		if w, ok := r.execution.(Watched); ok {
			if stuck := w.Stuck(s.timeout); stuck != nil {
				go w.Abort(stuck)
			}
		}
	}
}

// isFull reports whether the limit of executions in progress is reached.
func (s *startedRuns) isFull() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return len(s.runs) >= s.limit
}

// makeRoom waits until another execution may be started. Only one goroutine at a time calls it.
func (s *startedRuns) makeRoom() {
	for s.isFull() {
		select {
		case <-s.room:
		case s.settling <- struct{}{}:
			if s.isFull() {
				s.settleFirst(s.first())
			}
			s.release()
		}
	}
}

// try takes the token settling and returns true, unless another goroutine has it, which then looks
// for executions that have ended. The caller looks for them, and gives the token back.
func (s *startedRuns) try() bool {
	select {
	case s.settling <- struct{}{}:
		return true
	default:
		return false
	}
}

func (s *startedRuns) release() { <-s.settling }

// poll retires the executions that have ended, unless another goroutine looks for them already.
func (s *startedRuns) poll() {
	if !s.try() {
		return
	}
	defer s.release()
	for r := s.first(); r != nil && r.execution.Ended(); r = s.first() {
		s.settleFirst(r)
	}
}

// settle waits until the execution last, and all that were started before it, have ended.
func (s *startedRuns) settle(last *asyncRun) {
	select {
	case s.settling <- struct{}{}:
	case <-last.future.done: // another goroutine has seen it, and may wait for a later one
		return
	}
	defer s.release()
	for !last.future.isDone() {
		s.settleFirst(s.first())
	}
}

// settleOldest waits for the execution that was started first, and retires it. It does nothing if
// another goroutine looks for ends already.
func (s *startedRuns) settleOldest() {
	if !s.try() {
		return
	}
	defer s.release()
	if r := s.first(); r != nil {
		s.settleFirst(r)
	}
}

// settleAll waits until all executions have ended. No execution is started meanwhile.
func (s *startedRuns) settleAll() {
	s.settling <- struct{}{}
	defer s.release()
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

// settleFirst waits for the end of r, the first of the started executions, and retires it. The
// caller holds the token settling.
func (s *startedRuns) settleFirst(r *asyncRun) {
	r.finish(r.execution.Wait())
	s.mu.Lock()
	n := copy(s.runs, s.runs[1:])
	s.runs[n] = nil
	s.runs = s.runs[:n]
	s.mu.Unlock()
	select {
	case s.room <- struct{}{}:
	default:
	}
}
