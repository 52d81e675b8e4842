package runtime

// This file defines the seam between the runtime and what runs programs.

import (
	"context"
	"errors"

	"github.com/gospmd/gospmd/compile"
	"github.com/gospmd/gospmd/ir"
)

// ErrNoEngine says that this binary does not hold the engine that was asked for.
var ErrNoEngine = errors.New("there is no")

// Engine runs Programs on a fixed set of devices. There are two: PJRT (XLA,
// through a plugin) and one written in Go.
//
// Engines are asynchronous: Put and Run return buffers that may still be
// pending; runs execute in the order of the calls, a Put does not wait for the
// runs queued before it. What goes wrong surfaces where a buffer is waited for
// or read. All methods may be called from several goroutines.
type Engine interface {
	// Platform returns the name of the platform: "cpu", "cuda", "tpu".
	Platform() string
	// Devices returns the devices; a device's id is its index.
	Devices() []Device
	// Put brings data, t's elements in row-major order, to a device. The
	// engine keeps data until the buffer is ready: nobody may change it any
	// more. Several Puts may share the same data.
	Put(device int, t ir.Type, data []byte) (Buffer, error)
	// Load compiles the program for the devices that its mesh names.
	Load(ctx context.Context, p *compile.Program) (Loaded, error)
	// Close waits for what is in flight and refuses what comes later. Buffers
	// that are not released yet can still be read.
	Close() error
}

// Device describes one device.
type Device struct {
	ID   int    // index in Engine.Devices
	Kind string // "cpu", "NVIDIA H100", …
}

// Buffer is a tensor on one device, possibly still being computed.
type Buffer interface {
	// Type returns the local type.
	Type() ir.Type
	// Wait returns when the buffer is there, with the error of what made it.
	Wait(ctx context.Context) error
	// Read waits and copies the elements, in row-major order, to dst, which
	// must have the size of the type.
	Read(ctx context.Context, dst []byte) error
	// Release frees the buffer once all runs queued before have used it.
	Release()
}

// Loaded is a Program ready to run on an Engine.
type Loaded interface {
	// Run queues one execution and returns at once, unless the engine's
	// bounded queue is full. args[d][i] is input i on the d-th device of the
	// program's mesh; results are indexed alike. Donated inputs are consumed
	// unless Run returns an error.
	Run(args [][]Buffer) (results [][]Buffer, err error)
	// Memory returns what the engine says that a run takes on each device;
	// errors.ErrUnsupported where it does not say.
	Memory() (MemoryStats, error)
	// Close frees the executable once all queued runs are done.
	Close() error
}

// MemoryStats is what an engine says that a run takes on each device, in bytes:
// PJRT's CompiledMemoryStats.
type MemoryStats struct {
	Inputs, Outputs int
	Aliases         int // of the outputs, those that lie in the memory of donated inputs
	Temporary       int
	GeneratedCode   int // machine code; no memory of the program's tensors
}

// Required returns the memory of the program's tensors.
func (s MemoryStats) Required() int { return s.Inputs + s.Outputs - s.Aliases + s.Temporary }
