package keras

// This file loads programs before they are needed. For example, it loads the test step of a
// validation while the first epoch trains.

import (
	"context"

	"github.com/gospmd/gospmd/keras/data"
	"github.com/gospmd/gospmd/runtime"
)

// pendingProgram is a program that an engine is loading. The first use of the program waits until
// it is loaded, and returns the error of loading.
type pendingProgram struct {
	key    string
	step   *stepProgram
	err    error
	loaded chan struct{} // is closed when step.exe or err is there
	cancel context.CancelFunc
}

// loadPending starts to load the program of a step in the background, and returns it.
func loadPending(ctx context.Context, c *runtime.Client, key string, step *stepProgram) *pendingProgram {
	ctx, cancel := context.WithCancel(ctx)
	p := &pendingProgram{key: key, step: step, loaded: make(chan struct{}), cancel: cancel}
	go func() {
		defer close(p.loaded)
		step.exe, p.err = c.Load(ctx, step.compiled)
	}()
	return p
}

// wait waits until the program is loaded. It returns the error of loading.
func (p *pendingProgram) wait() error {
	<-p.loaded
	p.cancel()
	return p.err
}

// preparedOr returns the step of the pending program p, which may still be loading. If p is nil,
// it prepares the step for the batches instead.
func (m *Model) preparedOr(ctx context.Context, p *pendingProgram, kind stepKind, bs []data.Batch) (*stepProgram, error) {
	if p == nil {
		return m.prepare(ctx, kind, bs)
	}
	return p.step, nil
}

// pendingAs returns the pending program with this key, or nil if none is pending.
func (m *Model) pendingAs(key string) *pendingProgram {
	for _, p := range m.compiled.pending {
		if p.key == key {
			return p
		}
	}
	return nil
}

// dropPending cancels the loading of all pending programs, and closes those that are loaded: no
// step has used them.
func (m *Model) dropPending() {
	if m.compiled == nil {
		return
	}
	for _, p := range m.compiled.pending {
		p.cancel()
		if p.wait() == nil {
			p.step.exe.Close()
		}
	}
	m.compiled.pending = nil
}

// loadTestStep starts to load the program of the validation at the end of this epoch, if the
// validation data are tensors: reading a batch early has no side effects. It ignores an error in
// the program: the validation reports it. It does nothing in a job of several processes, which must
// all load programs in the same order.
func (t *Training) loadTestStep(ctx context.Context) error {
	if t.ahead || !t.validates() {
		return nil
	}
	t.ahead = true
	m, c := t.model, t.config
	at, ok := c.validation.(data.Positioned)
	if !ok || !c.validationTensors || m.compiled.perExecution > 1 || m.ownStep(testStep) != nil || t.Job() != nil {
		return nil
	}
	start := at.Position()
	for b, err := range c.validation.Batches(ctx) {
		if err == nil {
			m.loadTest(ctx, t.client, b)
		}
		break
	}
	return at.Seek(start)
}

// loadTest begins to load the test step for batches like b.
func (m *Model) loadTest(ctx context.Context, c *runtime.Client, b data.Batch) {
	b, err := m.conforming(b)
	if err == nil && m.checkBatch(b, testStep) == nil {
		m.loadAhead(ctx, c, testStep, []data.Batch{b})
	}
}

// loadAhead starts to load the program that runs a step on each of the batches, unless it is loaded
// or pending. It returns false if the step cannot be prepared.
func (m *Model) loadAhead(ctx context.Context, c *runtime.Client, kind stepKind, bs []data.Batch) bool {
	key := programKey(kind, bs)
	if m.compiled.programs[key] != nil {
		return true
	}
	step, err := m.prepare(ctx, kind, bs)
	if err != nil {
		return false
	}
	m.compiled.pending = append(m.compiled.pending, loadPending(ctx, c, key, step))
	return true
}
