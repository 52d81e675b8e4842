package runtime

// This file holds the executions that a Starter has started, until somebody sees that they
// have ended.

import (
	"sync"
	"time"
)

// flight holds executions in the order in which they were started. Who waits for one sees its
// end, who starts another one, or sweep: no goroutine waits for each, which would have to be
// woken while the devices go on with the next one.
type flight struct {
	mu       sync.Mutex
	runs     []*asyncRun
	sweeping bool

	settling sync.Mutex // held while ends are looked for
}

// sweepTime is how long an execution that has ended may keep what it was given if nobody
// looks.
const sweepTime = 20 * time.Millisecond

// add adds an execution that was started.
func (f *flight) add(r *asyncRun) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.runs = append(f.runs, r)
	if !f.sweeping {
		f.sweeping = true
		time.AfterFunc(sweepTime, f.sweep)
	}
}

// sweep ends the executions that have ended, and comes again while there are others.
func (f *flight) sweep() {
	f.poll()
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.sweeping = len(f.runs) > 0; f.sweeping {
		time.AfterFunc(sweepTime, f.sweep)
	}
}

// poll ends the executions that have ended, unless another goroutine is about it.
func (f *flight) poll() {
	if !f.settling.TryLock() {
		return
	}
	defer f.settling.Unlock()
	for r := f.first(); r != nil && r.execution.Ended(); r = f.first() {
		f.settleFirst(r)
	}
}

// settle waits until an execution has ended, after those that were started before it.
func (f *flight) settle(last *asyncRun) {
	f.settling.Lock()
	defer f.settling.Unlock()
	for !last.future.isDone() {
		f.settleFirst(f.first())
	}
}

// settleOldest waits for the end of the execution that was started first, unless another
// goroutine is about it.
func (f *flight) settleOldest() {
	if !f.settling.TryLock() {
		return
	}
	defer f.settling.Unlock()
	if r := f.first(); r != nil {
		f.settleFirst(r)
	}
}

// settleAll waits until all have ended. None is started meanwhile.
func (f *flight) settleAll() {
	f.settling.Lock()
	defer f.settling.Unlock()
	for r := f.first(); r != nil; r = f.first() {
		f.settleFirst(r)
	}
}

func (f *flight) first() *asyncRun {
	f.mu.Lock()
	defer f.mu.Unlock()
	if len(f.runs) == 0 {
		return nil
	}
	return f.runs[0]
}

// settleFirst ends the first execution. The caller holds settling.
func (f *flight) settleFirst(r *asyncRun) {
	r.finish(r.execution.Wait())
	f.mu.Lock()
	defer f.mu.Unlock()
	n := copy(f.runs, f.runs[1:])
	f.runs[n] = nil
	f.runs = f.runs[:n]
}
