package runtime

// This file defines Engine, the interface of what runs programs, and chooses
// one for Open.

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"sync"

	"github.com/gospmd/gospmd/ir"
	"github.com/gospmd/gospmd/program"
)

// ErrNoEngine is the error of opening the PJRT engine in a binary that was built
// without it.
var ErrNoEngine = errors.New("this binary has no PJRT engine")

// Engine runs Programs on a fixed set of devices. This package has two, PJRT
// (XLA, through a plugin) and one written in Go. For another one implement
// Driver and pass NewEngine's result to NewClient.
//
// Engines are asynchronous: Put and Run return buffers that may still be
// pending. Runs execute in the order of the calls; a Put does not wait for the
// runs queued before it. An error surfaces where a buffer is waited for or
// read. All methods may be called from several goroutines.
type Engine interface {
	// Platform returns the name of the platform: "cpu", "cuda", "tpu".
	Platform() string
	// Devices returns the devices; a device's id is its index.
	Devices() []Device
	// Put brings data, t's elements in row-major order, to a device. Nobody may
	// change data any more, because the engine keeps it. Several Puts may share
	// the same data.
	Put(device int, t ir.Type, data []byte) (Buffer, error)
	// Load compiles the program for the devices that its mesh names.
	Load(ctx context.Context, p *program.Program) (Loaded, error)
	// Close waits for all queued work; later calls fail. Buffers that are not
	// released yet can still be read.
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
	// Wait returns when the buffer is ready, with the error of what made it.
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
	// Memory returns what a run takes on each device; an error that wraps
	// errors.ErrUnsupported where the engine does not know.
	Memory() (MemoryStats, error)
	// Close frees the executable once all queued runs are done.
	Close() error
}

// MemoryStats is the memory that a run takes on each device, in bytes, as the
// engine reports it: PJRT's CompiledMemoryStats.
type MemoryStats struct {
	Inputs, Outputs int
	Aliases         int // of the outputs, those in the memory of donated inputs
	Temporary       int
	GeneratedCode   int // machine code, which is no memory of tensors
}

// Required returns the memory of the program's tensors.
func (s MemoryStats) Required() int { return s.Inputs + s.Outputs - s.Aliases + s.Temporary }

// The engines that Options.Engine and the environment variable GOSPMD_ENGINE
// may name.
const (
	EnginePJRT = "pjrt" // XLA, through a plugin
	EngineGo   = "go"   // written in Go; slower, and always there
)

const engineVar = "GOSPMD_ENGINE"

// openEngine opens the engine that the caller or the environment names, or else
// PJRT and, where there is none for the CPU, the one written in Go, with a
// warning.
func openEngine(ctx context.Context, o Options) (Engine, error) {
	name, from := o.Engine, "Options.Engine"
	if name == "" {
		name, from = os.Getenv(engineVar), engineVar
	}
	switch name {
	case EnginePJRT:
		return openPJRT(ctx, o)
	case EngineGo:
		return openGo(o)
	case "":
	default:
		return nil, fmt.Errorf("%s is %q: want %q, %q, or nothing for the first that is available", from, name, EnginePJRT, EngineGo)
	}
	e, err := openPJRT(ctx, o)
	if err == nil || o.Platform != "cpu" || o.Plugin != "" || ctx.Err() != nil {
		return e, err
	}
	why := err.Error()
	if errors.Is(err, ErrNoEngine) {
		why = "this binary was built without cgo"
	}
	warn(o.Warnings, fmt.Sprintf("gospmd: programs run on the engine written in Go, which is slower than XLA, for %s (%s=%s says so without this line)", why, engineVar, EngineGo))
	return openGo(o)
}

// warned holds the warnings that the process has shown.
var warned sync.Map

// warn writes a line, to the standard error stream at most once in a process.
func warn(w io.Writer, line string) {
	if w == nil {
		w = os.Stderr
	}
	if _, known := warned.LoadOrStore(line, true); !known || w != os.Stderr {
		fmt.Fprintln(w, line)
	}
}
