package checkpoint

// This file saves behind a training. The caller waits for a copy to the host's memory; the file is
// written from there while the devices continue.
//
// In a job the write behind exchanges values with the other processes. It takes part in exchanges
// only, never in a collective of the devices or a barrier, which have one order in all processes.
// Exchanges are matched by their name and how often the name was used. A store has names of its
// own, and one save at a time: so its exchanges have one order everywhere, whatever the training
// and other stores do meanwhile. A process whose copy fails still takes part in the first exchange,
// to tell the others.

import (
	"context"
	"fmt"
	"sync"

	"github.com/gospmd/gospmd/internal/made"
)

// Async saves behind its caller, one save at a time. It holds host memory for one copy of the
// shards that this process saves. The next save uses this memory again; Close gives it back. The
// zero Async is ready for use, by several goroutines too. It must not be copied.
//
// It is for files of one process. Store.SaveAsync saves checkpoints, also of a job.
type Async struct {
	mu      sync.Mutex
	writing chan struct{} // closed when the last save has ended; nil if there is none
	err     error         // the error of the last save, until a method has returned it
	memory  hostMemory
}

// Save copies the tensors to the host's memory, and calls write with the copies behind its caller.
// It returns when the copies are made: the tensors may change or be donated then. write has a
// context that does not end with ctx. It must not keep the copies: the next save overwrites them.
// The next Save, Wait or Close returns write's error.
//
// Before that, Save waits for the save before. If that one has failed, Save returns its error and
// saves nothing: call it again.
func (a *Async) Save(ctx context.Context, tensors []Tensor, write func(ctx context.Context, copies []Tensor) error) error {
	if err := made.Context(ctx); err != nil {
		return fmt.Errorf("checkpoint: %w", err)
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	if err := a.wait(); err != nil {
		return err
	}
	copies, err := a.memory.copy(ctx, tensors)
	if err != nil {
		return fmt.Errorf("checkpoint: %w", err)
	}
	a.start(func() error { return write(context.WithoutCancel(ctx), copies) })
	return nil
}

// Wait waits for the save that is being written. It returns the error of the last save, once. A nil
// Async has none.
func (a *Async) Wait() error {
	if a == nil {
		return nil
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.wait()
}

// Close waits as Wait does, and gives the memory of the copies back. The Async may be used again.
func (a *Async) Close() error {
	if a == nil {
		return nil
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	err := a.wait()
	a.memory = hostMemory{}
	return err
}

// start calls write in a new goroutine, which stores write's error in a.err. The caller must hold
// a.mu, and no other save may be running.
func (a *Async) start(write func() error) {
	done := make(chan struct{})
	a.writing = done
	go func() {
		defer close(done)
		a.err = write()
	}()
}

// settle waits until no save is being written. The save's error stays in a.err, for the next method
// that returns it. The caller must hold a.mu.
func (a *Async) settle() {
	if a.writing != nil {
		<-a.writing
		a.writing = nil
	}
}

// wait waits for the write that runs, as Wait does, and returns and clears the error of the last
// write. a.mu must be locked.
func (a *Async) wait() error {
	a.settle()
	err := a.err
	a.err = nil
	return err
}

// SaveAsync is Save behind its caller: it returns when the tensors are copied to the host's memory
// (Async). Then it writes the checkpoint, and removes older ones. metadata must not change until
// then. One save at a time is written. SaveAsync waits for the one before; if that has failed, it
// returns its error and saves nothing: call it again. Wait and Close tell the error of the last
// save. The methods that read the store wait for a save that is being written.
//
// In a job all processes must call it, in the same order as other saves to this store. Each copies
// the shards that it saves. An error of one process in writing is told in all.
func (s *Store) SaveAsync(ctx context.Context, step int, tensors []Tensor, metadata []byte) error {
	if err := made.Context(ctx); err != nil {
		return fmt.Errorf("checkpoint: %w", err)
	}
	a := &s.async
	a.mu.Lock()
	defer a.mu.Unlock()
	if err := a.wait(); err != nil {
		return err
	}
	err := checkStep(step)
	if err == nil {
		err = check(tensors)
	}
	var copies []Tensor
	if err == nil {
		copies, err = a.memory.copy(ctx, tensors)
	}
	behind := context.WithoutCancel(ctx)
	if err != nil {
		return s.write(behind, step, nil, nil, err)
	}
	a.start(func() error { return s.write(behind, step, copies, metadata, nil) })
	return nil
}

// Wait waits for a checkpoint of SaveAsync that is being written. It returns the error of the last
// one, once. A nil Store has none.
func (s *Store) Wait() error {
	if s == nil {
		return nil
	}
	return s.async.Wait()
}

// Close waits as Wait does, and gives the host memory of SaveAsync back. The Store may be used
// again.
func (s *Store) Close() error {
	if s == nil {
		return nil
	}
	return s.async.Close()
}

// settle waits for a checkpoint that is being written. The error of that save stays, for the next
// method that returns it.
func (s *Store) settle() {
	s.async.mu.Lock()
	defer s.async.mu.Unlock()
	s.async.settle()
}
