package runtime

// This file implements Loaded on a driver: queueing and executing runs.

import (
	"context"
	"fmt"
	"sync/atomic"

	"github.com/gospmd/gospmd/compile"
)

// queueLoaded is freed when it is closed and its last queued run is done.
type queueLoaded struct {
	engine      *queueEngine
	program     *compile.Program
	raw         rawProgram
	donated     []int // inputs
	flatDonated []int // the same, in the list of all devices' inputs
	refs        atomic.Int32
}

// queueRun is one queued execution.
type queueRun struct {
	*queueLoaded
	flight  *flight
	args    []*queueBuffer // all of the first device, then of the second, …
	results []*queueBuffer // alike
}

func (l *queueLoaded) Run(args [][]Buffer) ([][]Buffer, error) {
	n, outputs := len(l.program.Inputs), l.program.Outputs
	r := &queueRun{queueLoaded: l, flight: newFlight()}
	r.args = make([]*queueBuffer, 0, len(args)*n)
	release := func() {
		for _, b := range r.args {
			b.drop()
		}
	}
	for pos, row := range args {
		for i, arg := range row {
			b, ok := arg.(*queueBuffer)
			if !ok || b.engine != l.engine {
				release()
				return nil, fmt.Errorf("BUG: input %d at position %d is not a buffer of this engine", i, pos)
			}
			if err := b.use(); err != nil {
				release()
				return nil, fmt.Errorf("input %q at position %d: %w", l.program.Inputs[i].Name, pos, err)
			}
			r.args = append(r.args, b)
		}
	}
	results := make([][]Buffer, len(args))
	r.results = make([]*queueBuffer, 0, len(args)*len(outputs))
	for pos := range results {
		results[pos] = make([]Buffer, len(outputs))
		for i, out := range outputs {
			b := newQueueBuffer(l.engine, out.Local, r.flight)
			results[pos][i] = b
			r.results = append(r.results, b)
		}
	}
	l.refs.Add(1)
	if err := l.engine.runs.push(r.do); err != nil {
		l.refs.Add(-1)
		release()
		return nil, err
	}
	return results, nil
}

// do executes the run when its turn has come.
func (r *queueRun) do() {
	err := r.await()
	if err == nil {
		if err = r.execute(); err != nil {
			err = &runError{program: r.program.Name, cause: err}
		}
	}
	r.flight.land(err)
	for _, i := range r.flatDonated {
		r.args[i].drop() // the owner's use
	}
	for _, b := range r.args {
		b.drop()
	}
	for _, b := range r.results {
		b.drop()
	}
	r.args, r.results = nil, nil // the lane remembers its last task
	r.drop()
}

// await waits for the arguments: those of earlier runs are there, transfers
// may still be on their way.
func (r *queueRun) await() error {
	for i, b := range r.args {
		if err := b.flight.wait(context.Background()); err != nil {
			return poisonedBy(r.program.Name, r.program.Inputs[i%len(r.program.Inputs)].Name, err)
		}
	}
	return nil
}

func (r *queueRun) execute() error {
	raws := make([]rawBuffer, len(r.args))
	for _, i := range r.flatDonated {
		r.args[i].mu.Lock() // after the reads in progress
		defer r.args[i].mu.Unlock()
	}
	for i, b := range r.args {
		raws[i] = b.raw
	}
	outs, err := r.raw.execute(raws, r.flatDonated)
	if err != nil {
		return err
	}
	for _, i := range r.flatDonated { // the driver has freed them
		r.args[i].raw, r.args[i].taker = nil, r.program.Name
	}
	for i, out := range outs {
		r.results[i].raw = out // nobody reads it before the flight has landed
	}
	return nil
}

// drop ends a use of the executable.
func (l *queueLoaded) drop() {
	if l.refs.Add(-1) == 0 {
		l.raw.free()
	}
}

func (l *queueLoaded) Memory() (MemoryStats, error) { return l.raw.memory() }

func (l *queueLoaded) Close() error {
	l.drop()
	return nil
}
