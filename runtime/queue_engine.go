package runtime

// This file implements Engine on a driver: two lanes make what a driver does
// while one waits into what happens behind.

import (
	"context"
	"fmt"

	"github.com/gospmd/gospmd/compile"
	"github.com/gospmd/gospmd/ir"
)

// driver does the work of an engine, and returns when it is done. Calls of put
// come one after the other, as do executions; reads come from anywhere.
type driver interface {
	put(device int, t ir.Type, data []byte) (rawBuffer, error)
	load(p *compile.Program) (rawProgram, error)
	close() // what is not freed yet stays usable
}

// rawBuffer is a tensor on a device of a driver. It is read by one goroutine at
// a time.
type rawBuffer interface {
	read(dst []byte) error
	free()
}

// rawProgram is a loaded program of a driver.
type rawProgram interface {
	// execute runs it. args holds all inputs of the first position of the mesh,
	// then of the second, …; the results come alike. The args whose indices
	// donated lists are freed, unless execute fails.
	execute(args []rawBuffer, donated []int) ([]rawBuffer, error)
	memory() (MemoryStats, error)
	free()
}

// queueEngine has two lanes: executions, in order, and transfers to the
// devices, which so overtake the executions queued before them.
type queueEngine struct {
	driver   driver
	platform string
	devices  []Device
	runs     *lane
	puts     *lane
}

// putDepth bounds the transfers in flight. They never wait for an execution,
// so a full lane empties at the speed of memory.
const putDepth = 64

// newQueueEngine returns an engine of n devices.
func newQueueEngine(d driver, platform, kind string, n, depth int) *queueEngine {
	e := &queueEngine{driver: d, platform: platform, runs: newLane(depth), puts: newLane(putDepth)}
	for i := range n {
		e.devices = append(e.devices, Device{ID: i, Kind: kind})
	}
	return e
}

func (e *queueEngine) Platform() string  { return e.platform }
func (e *queueEngine) Devices() []Device { return e.devices }

func (e *queueEngine) Put(device int, t ir.Type, data []byte) (Buffer, error) {
	if device < 0 || device >= len(e.devices) {
		return nil, fmt.Errorf("device %d: the client has devices 0 to %d", device, len(e.devices)-1)
	}
	if len(data) != t.Bytes() {
		return nil, fmt.Errorf("BUG: %d bytes for %s, which takes %d", len(data), t, t.Bytes())
	}
	f := newFlight()
	b := newQueueBuffer(e, t, f)
	err := e.puts.push(func() {
		raw, err := e.driver.put(device, t, data)
		if err != nil {
			err = fmt.Errorf("transfer of %s to device %d: %w", t, device, err)
		}
		data = nil // the lane remembers its last task
		b.raw = raw
		f.land(err)
		b.drop()
	})
	if err != nil {
		return nil, err
	}
	return b, nil
}

func (e *queueEngine) Load(ctx context.Context, p *compile.Program) (Loaded, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	l := &queueLoaded{engine: e, program: p}
	for i, in := range p.Inputs {
		if in.Donated() {
			l.donated = append(l.donated, i)
		}
	}
	l.flatDonated = flatIndices(l.donated, len(p.Inputs), p.Mesh.Size())
	var err error
	if l.raw, err = e.driver.load(p); err != nil {
		return nil, err
	}
	l.refs.Store(1)
	return l, nil
}

// flatIndices returns the indices of inputs in the list of all devices' inputs
// one after the other.
func flatIndices(inputs []int, n, devices int) []int {
	var out []int
	for d := range devices {
		for _, i := range inputs {
			out = append(out, d*n+i)
		}
	}
	return out
}

func (e *queueEngine) Close() error {
	e.puts.close()
	e.runs.close()
	e.driver.close()
	return nil
}
