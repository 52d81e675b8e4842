package runtime

// This file defines Driver, the seam for engines written elsewhere, and the
// asynchronous Engine that NewEngine builds on a Driver.

import (
	"context"
	"fmt"

	"github.com/gospmd/gospmd/ir"
	"github.com/gospmd/gospmd/program"
)

// Driver runs programs synchronously: its methods return when the work is
// done. NewEngine builds an asynchronous Engine on it, with the queues, the
// futures and the counting of uses that Engine asks for.
//
// Calls of Put come one after the other, as do executions of programs; a Put
// and an execution may overlap, and reads come from any goroutine.
type Driver interface {
	// Put brings data, t's elements in row-major order, to a device. It may
	// keep data, which nobody changes any more.
	Put(device int, t ir.Type, data []byte) (DriverBuffer, error)
	// Load prepares p to be run.
	Load(p *program.Program) (DriverProgram, error)
	// Close is called after the last Put and the last execution. Buffers and
	// programs that are not freed yet must stay usable.
	Close()
}

// DriverBuffer is a tensor on a device of a Driver. At most one goroutine at a
// time reads it.
type DriverBuffer interface {
	// Read copies the elements, in row-major order, to dst, which has the size
	// of the tensor.
	Read(dst []byte) error
	// Free gives the memory back. It is called once, after the last use.
	Free()
}

// DriverProgram is a program loaded by a Driver.
type DriverProgram interface {
	// Execute runs the program. args holds all arguments of the first position
	// of the program's mesh, then of the second, …; the results are ordered
	// alike. Execute frees the arguments whose indices donated lists, unless it
	// returns an error.
	Execute(args []DriverBuffer, donated []int) ([]DriverBuffer, error)
	// Memory returns what a run takes on each device; an error that wraps
	// errors.ErrUnsupported where that is not known.
	Memory() (MemoryStats, error)
	// Free gives the program's memory back. It is called once, after the last
	// execution.
	Free()
}

// DriverOptions describe the engine that NewEngine builds.
type DriverOptions struct {
	Platform   string   // what Engine.Platform returns: "cpu", "cuda", "tpu"
	Kinds      []string // the kind of each device: "cpu", "NVIDIA H100"
	QueueDepth int      // the greatest number of executions in flight; 0 means 4
}

// NewEngine returns the asynchronous engine of a driver. Two queues turn the
// synchronous driver into an asynchronous engine: one for executions, in
// order, and one for transfers to the devices, which so overtake the
// executions that were queued before them.
func NewEngine(d Driver, o DriverOptions) Engine {
	if o.QueueDepth == 0 {
		o.QueueDepth = defaultQueueDepth
	}
	e := &asyncEngine{driver: d, platform: o.Platform, runs: newQueue(o.QueueDepth), puts: newQueue(putDepth)}
	for i, kind := range o.Kinds {
		e.devices = append(e.devices, Device{ID: i, Kind: kind})
	}
	return e
}

const (
	defaultQueueDepth = 4
	// putDepth bounds the transfers in flight. They never wait for an
	// execution, so a full queue empties at the speed of memory.
	putDepth = 64
)

// asyncEngine implements Engine on a Driver.
type asyncEngine struct {
	driver   Driver
	platform string
	devices  []Device
	runs     *queue
	puts     *queue
}

func (e *asyncEngine) Platform() string  { return e.platform }
func (e *asyncEngine) Devices() []Device { return e.devices }

func (e *asyncEngine) Put(device int, t ir.Type, data []byte) (Buffer, error) {
	if device < 0 || device >= len(e.devices) {
		return nil, fmt.Errorf("device %d: the client has devices 0 to %d", device, len(e.devices)-1)
	}
	if len(data) != t.Bytes() {
		return nil, fmt.Errorf("BUG: %d bytes for %s, which takes %d", len(data), t, t.Bytes())
	}
	f := newFuture()
	b := newAsyncBuffer(e, t, f)
	err := e.puts.push(func() {
		raw, err := e.driver.Put(device, t, data)
		if err == nil {
			b.raw = raw
		} else {
			err = fmt.Errorf("transfer of %s to device %d: %w", t, device, err)
		}
		data = nil // the queue's goroutine keeps its last function reachable
		f.complete(err)
		b.drop()
	})
	if err != nil {
		return nil, err
	}
	return b, nil
}

func (e *asyncEngine) Load(ctx context.Context, p *program.Program) (Loaded, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	l := &asyncProgram{engine: e, program: p}
	for pos := range p.Mesh.Size() {
		for i, in := range p.Inputs {
			if in.Donated() {
				l.donated = append(l.donated, pos*len(p.Inputs)+i)
			}
		}
	}
	var err error
	if l.raw, err = e.driver.Load(p); err != nil {
		return nil, err
	}
	l.refs.Store(1)
	return l, nil
}

func (e *asyncEngine) Close() error {
	e.puts.close()
	e.runs.close()
	e.driver.Close()
	return nil
}
