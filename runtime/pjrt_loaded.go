//go:build cgo

package runtime

// This file implements Loaded on PJRT: queueing and executing runs.

import (
	"context"
	"fmt"
	"sync/atomic"

	"github.com/gomlx/go-xla/pjrt"

	"github.com/gospmd/gospmd/compile"
)

// pjrtLoaded is freed when it is closed and its last queued run is done.
type pjrtLoaded struct {
	engine      *pjrtEngine
	program     *compile.Program
	exe         *pjrt.LoadedExecutable
	donated     []int // inputs
	flatDonated []int // the same, in the list of all devices' inputs
	refs        atomic.Int32
}

// pjrtRun is one queued execution.
type pjrtRun struct {
	*pjrtLoaded
	flight  *flight
	args    []*pjrtBuffer // all of the first device, then of the second, …
	results []*pjrtBuffer // alike
}

func (l *pjrtLoaded) Run(args [][]Buffer) ([][]Buffer, error) {
	n, outputs := len(l.program.Inputs), l.program.Outputs
	r := &pjrtRun{pjrtLoaded: l, flight: newFlight()}
	r.args = make([]*pjrtBuffer, 0, len(args)*n)
	release := func() {
		for _, b := range r.args {
			b.drop()
		}
	}
	for pos, row := range args {
		for i, arg := range row {
			b, ok := arg.(*pjrtBuffer)
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
	r.results = make([]*pjrtBuffer, 0, len(args)*len(outputs))
	for pos := range results {
		results[pos] = make([]Buffer, len(outputs))
		for i, out := range outputs {
			b := newPJRTBuffer(l.engine, out.Local, r.flight)
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
func (r *pjrtRun) do() {
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
func (r *pjrtRun) await() error {
	for i, b := range r.args {
		if err := b.flight.wait(context.Background()); err != nil {
			return poisonedBy(r.program.Name, r.program.Inputs[i%len(r.program.Inputs)].Name, err)
		}
	}
	return nil
}

func (r *pjrtRun) execute() error {
	raws := make([]*pjrt.Buffer, len(r.args))
	for _, i := range r.flatDonated {
		r.args[i].mu.Lock() // after the reads in progress
		defer r.args[i].mu.Unlock()
	}
	for i, b := range r.args {
		raws[i] = b.raw
	}
	var outs []*pjrt.Buffer
	err := guard(func() (err error) {
		outs, err = r.exe.Execute(raws...).Donate(r.flatDonated...).Done()
		return err
	})
	if err != nil {
		return err
	}
	for _, i := range r.flatDonated { // go-xla has destroyed them
		r.args[i].raw, r.args[i].taker = nil, r.program.Name
		r.engine.client.drop()
	}
	for i, out := range outs {
		r.results[i].set(out)
	}
	return nil
}

// drop ends a use of the executable.
func (l *pjrtLoaded) drop() {
	if l.refs.Add(-1) == 0 {
		l.exe.Destroy()
		l.engine.client.drop()
	}
}

func (l *pjrtLoaded) Close() error {
	l.drop()
	return nil
}
