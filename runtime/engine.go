package runtime

// This file defines Engine, the interface of an implementation that runs programs, and chooses the
// engine for Open. It also defines Driver, the interface for engines of other packages. NewEngine
// builds an asynchronous Engine on a Driver.

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"sync"
	"sync/atomic"
	"time"

	"github.com/gospmd/gospmd/hardware"
	"github.com/gospmd/gospmd/ir"
	"github.com/gospmd/gospmd/program"
	"github.com/gospmd/gospmd/runtime/plugin"
)

// ErrNoEngine is the error of opening the PJRT engine in a binary that was built
// without it.
var ErrNoEngine = errors.New("this binary has no PJRT engine")

// Engine runs Programs on a fixed set of devices. This package has two, PJRT (XLA, through a
// plugin) and one written in Go. For another one implement Driver and pass NewEngine's result to
// NewClient.
//
// Engines are asynchronous: Put and Run return buffers that may still be pending. Runs execute in
// the order of the calls; a Put does not wait for the runs queued before it. Wait and Read of a
// buffer return the error of the work that makes it. All methods may be called from several
// goroutines.
type Engine interface {
	// Platform returns the name of the platform: "cpu", "cuda", "tpu".
	Platform() string
	// Devices returns the devices of this process; a device's id is its index.
	Devices() []Device
	// Put brings data, t's elements in row-major order, to a device. The caller must not change
	// data afterwards, because the engine keeps it. Several Puts may share the same data.
	Put(device int, t ir.Type, data []byte) (Buffer, error)
	// Load compiles the program for the devices that its mesh names.
	Load(ctx context.Context, p *program.Program) (Loaded, error)
	// Close waits for all queued work; later calls fail. Buffers that are not
	// released yet can still be read.
	Close() error
}

// borrower is an Engine that can put data which its caller changes afterwards.
type borrower interface {
	// putBorrowed is Put for such data. It returns nil if the transfer would not end at once: then
	// the caller passes a copy to Put.
	putBorrowed(device int, t ir.Type, data []byte) Buffer
	// putShared puts the same data on several devices, in memory that they share. It returns nil if
	// they cannot share memory.
	putShared(devices []int, t ir.Type, data []byte) []Buffer
}

// sharer is a Driver whose devices can share the memory of a tensor. PutShared copies data before
// it returns.
type sharer interface {
	PutShared(devices []int, t ir.Type, data []byte) ([]DriverBuffer, error)
}

// Device describes one device.
type Device struct {
	ID      int    // index in Client.Devices; for an engine, in Engine.Devices
	Kind    string // "cpu", "NVIDIA H100", …
	Process int    // the process that it belongs to
	// Memory is the bytes that programs may take. It is 0 if that is not known, as on CPUs and for
	// devices of other processes.
	Memory int
}

// Buffer is a tensor on one device, possibly still being computed.
type Buffer interface {
	// Type returns the local type, that of one device's shard.
	Type() ir.Type
	// Wait returns when the buffer is ready, or when ctx ends. Its error is that of the run or
	// transfer that made the buffer, or ctx's.
	Wait(ctx context.Context) error
	// Read waits and copies the elements, in row-major order, to dst, which
	// must have the size of the type.
	Read(ctx context.Context, dst []byte) error
	// Release frees the buffer once all runs queued before have used it.
	Release()
}

// Loaded is a Program ready to run on an Engine.
type Loaded interface {
	// Run starts or queues one execution and returns at once, unless the engine's bounded queue is
	// full. Its calls come one after the other. args[d][i] is input i on the d-th device of the
	// program's mesh that is in this process; results are indexed alike. Donated inputs are
	// consumed unless Run returns an error.
	Run(args [][]Buffer) (results [][]Buffer, err error)
	// Memory returns the memory of a run on each device. The error wraps errors.ErrUnsupported if
	// the engine does not know it.
	Memory() (MemoryStats, error)
	// Close frees the executable once all queued runs are done.
	Close() error
}

// MemoryStats is the memory of a run on each device, in bytes, as the engine reports it: PJRT's
// CompiledMemoryStats.
type MemoryStats struct {
	Inputs, Outputs int
	Aliases         int // bytes of the outputs that are in the memory of donated inputs
	Temporary       int
	GeneratedCode   int // machine code, which is no memory of tensors
}

// Required returns the memory of the program's tensors. It is in bytes of a device; machine code is
// left out.
func (s MemoryStats) Required() int { return s.Inputs + s.Outputs - s.Aliases + s.Temporary }

// The engines that Options.Engine and the environment variable GOSPMD_ENGINE
// may name.
const (
	EnginePJRT = "pjrt" // XLA, through a plugin
	EngineGo   = "go"   // written in Go; slower, and always there
)

const engineVar = "GOSPMD_ENGINE"

// openEngine opens the engine that the caller or the environment names. If they name none, it opens
// PJRT. If that fails on the CPU, and neither the caller nor the environment names a plugin, it
// opens the engine written in Go, with a warning. A binary without PJRT ignores a plugin that only
// the environment names. Another name, and Options.Observer without the name of the engine written
// in Go, are errors. kept is nil for no compilation cache, and j for one process.
func openEngine(ctx context.Context, o Options, kept *compilationCache, j *job) (Engine, error) {
	name, from := o.Engine, "Options.Engine"
	if name == "" {
		name, from = os.Getenv(engineVar), engineVar
	}
	if o.Observer != nil && name != EngineGo {
		return nil, fmt.Errorf("Options.Observer is of the engine written in Go: set Options.Engine to %q", EngineGo)
	}
	switch name {
	case EnginePJRT:
		return openPJRT(ctx, o, kept, j)
	case EngineGo:
		return openGo(o, j)
	case "":
	default:
		return nil, fmt.Errorf("%s is %q: want %q, %q, or nothing for the first that is available", from, name, EnginePJRT, EngineGo)
	}
	e, err := openPJRT(ctx, o, kept, j)
	if err == nil || o.Platform != hardware.CPU || o.Plugin != "" || ctx.Err() != nil {
		return e, err
	}
	if (plugin.Options{Platform: o.Platform}).NamesPlugin() && !errors.Is(err, ErrNoEngine) {
		return nil, err // the user wants that plugin, not the engine written in Go
	}
	why := err.Error()
	if errors.Is(err, ErrNoEngine) {
		why = "this binary was built without cgo"
	}
	warn(o.Logger, fmt.Sprintf("gospmd: programs run on the engine written in Go, which is slower than XLA (%s=%s chooses it without this line), because: %s", engineVar, EngineGo, why))
	return openGo(o, j)
}

// warned holds the warnings that were logged to slog.Default, so that each is logged once.
var warned sync.Map

// warn logs a warning to l. If l is nil, it logs it to slog.Default, each text once in a process.
func warn(l *slog.Logger, text string) {
	if l != nil {
		l.Warn(text)
	} else if _, known := warned.LoadOrStore(text, true); !known {
		slog.Warn(text)
	}
}

// Driver runs programs synchronously: its methods return when the work is
// done. NewEngine builds an asynchronous Engine on it, with the queues, the
// futures and the counting of uses that Engine asks for.
//
// Calls of Put come one after the other, from any goroutine, as do calls of Execute and
// Start; executions that a Starter has started may go on meanwhile. A Put and an execution
// may overlap, and reads come from any goroutine.
type Driver interface {
	// Put brings data, t's elements in row-major order, to a device. The caller does not change
	// data afterwards, so that the driver may keep it. If DriverOptions.CopiesData is set, the
	// caller may change data when Put has returned.
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

// DriverProgram is a program that a Driver has loaded.
type DriverProgram interface {
	// Execute runs the program. args holds all arguments of the first position of the program's
	// mesh whose device is in this process, then of the second, …; the results are ordered alike.
	// Execute frees the arguments whose indices donated lists, unless it returns an error.
	Execute(args []DriverBuffer, donated []int) ([]DriverBuffer, error)
	// Memory returns the memory of a run on each device. The error wraps errors.ErrUnsupported if
	// it is not known.
	Memory() (MemoryStats, error)
	// Free gives the program's memory back. It is called once, after the last
	// execution.
	Free()
}

// Starter is a DriverProgram that can start an execution without waiting for its end. So the
// devices go from one execution to the next without a pause.
type Starter interface {
	// Start starts what Execute does, and returns at once. The results are pending: they are not
	// read before the execution has ended, but they may be arguments of another Start.
	Start(args []DriverBuffer, donated []int) (results []DriverBuffer, e Execution, err error)
}

// Execution is an execution that was started.
type Execution interface {
	// Ended reports whether the execution has ended, so that Wait would return at once.
	Ended() bool
	// Wait returns when the execution has ended, with its error. It is called once, after
	// the last Ended.
	Wait() error
}

// Watched is an Execution whose devices wait for each other.
type Watched interface {
	Execution
	// Stuck returns an error if some devices wait for others and no device has moved for limit. The
	// error names the devices. Otherwise Stuck returns nil. It is not called after Wait has
	// returned.
	Stuck(limit time.Duration) error
	// Abort makes all devices end with an error as soon as they can. Wait returns that error.
	Abort(cause error)
}

// DriverOptions describe the engine that NewEngine builds.
type DriverOptions struct {
	Platform   string   // what Engine.Platform returns: "cpu", "cuda", "tpu"
	Kinds      []string // the kind of each device: "cpu", "NVIDIA H100"
	Memory     []int    // the bytes of each device's memory; nil where that is not known
	QueueDepth int      // the greatest number of executions in flight; 0 means 4
	// MaxStarted is the greatest number of executions of Starters in progress; 0 means QueueDepth.
	MaxStarted int
	CopiesData bool // whether the driver's Put has copied its data when it returns

	// CollectiveTimeout is how long the devices of a Watched execution may wait for each other
	// without any of them moving; 0 means 10 minutes, less than 0 for ever.
	CollectiveTimeout time.Duration

	version string // the version of what compiles and runs programs; empty if the engine has no such part
	job     *job   // nil for one process
}

// NewEngine returns the asynchronous engine of a driver. Two queues turn the synchronous driver
// into an asynchronous engine: one for executions, and one for transfers to the devices. So a
// transfer overtakes the executions that were queued before it. The calling goroutine does work
// that is cheaper than a hand-off itself: small transfers on CPUs, and the start of an execution by
// a Starter if nothing is queued before it.
func NewEngine(d Driver, o DriverOptions) Engine {
	if o.QueueDepth <= 0 {
		o.QueueDepth = defaultQueueDepth
	}
	if o.MaxStarted <= 0 {
		o.MaxStarted = o.QueueDepth
	}
	e := &asyncEngine{driver: d, platform: o.Platform, version: o.version, copies: o.CopiesData, job: o.job,
		slots: make(chan struct{}, o.QueueDepth), runs: newQueue(o.QueueDepth), started: newStartedRuns(o.MaxStarted, o.CollectiveTimeout), puts: newQueue(putDepth)}
	for i, kind := range o.Kinds {
		d := Device{ID: i, Kind: kind}
		if i < len(o.Memory) {
			d.Memory = o.Memory[i]
		}
		e.devices = append(e.devices, d)
	}
	return e
}

const (
	defaultQueueDepth = 4
	// putDepth bounds the transfers in flight. On CPUs they never wait for an
	// execution, so a full queue empties at the speed of memory.
	putDepth = 64
	// smallPut is the largest transfer that ends before Put returns, on CPUs and while no other
	// transfer is in progress. Up to 100 KB such a transfer takes no longer than a hand-off to
	// another goroutine. Above that it takes no longer than the copy that a hand-off needs, since
	// the caller may change the data.
	smallPut = 1 << 20
)

// asyncEngine implements Engine: it runs the programs of a Driver, whose methods wait, in queues.
type asyncEngine struct {
	driver   Driver
	platform string
	version  string
	copies   bool // DriverOptions.CopiesData
	devices  []Device
	job      *job         // nil for one process
	numbers  atomic.Int64 // the number of loaded programs that span processes
	loads    loads
	slots    chan struct{} // holds an element for each execution in flight
	runs     *queue        // calls do of the runs that Run does not start itself
	started  startedRuns   // the runs that were started and whose end was not noticed yet
	puts     *queue
	putting  sync.Mutex // held by a transfer
}

func (e *asyncEngine) Platform() string  { return e.platform }
func (e *asyncEngine) Devices() []Device { return e.devices }

func (e *asyncEngine) Put(device int, t ir.Type, data []byte) (Buffer, error) {
	if err := e.checkPut(device, t, data); err != nil {
		return nil, err
	}
	if b := e.putNow(device, t, data); b != nil {
		return b, nil
	}
	b := newAsyncBuffer(e, t, newFuture())
	err := e.puts.push(func() {
		e.putting.Lock()
		defer e.putting.Unlock()
		e.transfer(b, device, data)
		data = nil // the queue's goroutine keeps its last function reachable
	})
	if err != nil {
		return nil, err
	}
	return b, nil
}

func (e *asyncEngine) putBorrowed(device int, t ir.Type, data []byte) Buffer {
	if !e.copies || e.checkPut(device, t, data) != nil {
		return nil
	}
	if b := e.putNow(device, t, data); b != nil {
		return b
	}
	return nil
}

func (e *asyncEngine) putShared(devices []int, t ir.Type, data []byte) []Buffer {
	driver, ok := e.driver.(sharer)
	if !ok || e.platform != hardware.CPU || len(data) == 0 {
		return nil
	}
	for _, device := range devices {
		if e.checkPut(device, t, data) != nil {
			return nil
		}
	}
	out := make([]Buffer, len(devices))
	failed := e.puts.run(func() {
		e.putting.Lock()
		defer e.putting.Unlock()
		raws, err := driver.PutShared(devices, t, data)
		if err != nil {
			out = nil
			return
		}
		for i, raw := range raws {
			b := newAsyncBuffer(e, t, newFuture())
			b.raw = raw
			b.future.complete(nil)
			b.drop()
			out[i] = b
		}
	})
	if failed != nil {
		return nil // the engine is closed: Put returns the error
	}
	return out
}

func (e *asyncEngine) checkPut(device int, t ir.Type, data []byte) error {
	if device < 0 || device >= len(e.devices) {
		return fmt.Errorf("device %d: the client has devices 0 to %d", device, len(e.devices)-1)
	}
	if len(data) != t.Bytes() {
		return fmt.Errorf("BUG: %d bytes for %s, which takes %d", len(data), t, t.Bytes())
	}
	return nil
}

// putNow transfers a small tensor to a device of the CPU, and returns when the transfer is over. It
// returns nil if the tensor is large, the platform is another one, another transfer is in progress,
// or the engine is closed.
func (e *asyncEngine) putNow(device int, t ir.Type, data []byte) *asyncBuffer {
	if e.platform != hardware.CPU || len(data) > smallPut || !e.putting.TryLock() {
		return nil
	}
	defer e.putting.Unlock()
	b := newAsyncBuffer(e, t, newFuture())
	if e.puts.run(func() { e.transfer(b, device, data) }) != nil {
		return nil // the engine is closed: Put returns the error
	}
	return b
}

// transfer puts data on a device, as the content of b. It completes b's future, with an error if
// the transfer fails, and ends the use of b by the work that makes it.
func (e *asyncEngine) transfer(b *asyncBuffer, device int, data []byte) {
	raw, err := e.driver.Put(device, b.typ, data)
	if err == nil {
		b.raw = raw
	} else {
		err = fmt.Errorf("transfer of %s to device %d: %w", b.typ, device, err)
	}
	b.future.complete(err)
	b.drop()
}

func (e *asyncEngine) Load(ctx context.Context, p *program.Program) (Loaded, error) {
	return e.load(ctx, p, e.driver.Load)
}

// load loads a program by prepare. If its mesh spans processes, load first compares it with the
// programs of the other processes, and loads it by loadAcross instead.
func (e *asyncEngine) load(ctx context.Context, p *program.Program, prepare func(*program.Program) (DriverProgram, error)) (Loaded, error) {
	if err := context.Cause(ctx); err != nil {
		return nil, err
	}
	l := &asyncProgram{engine: e, program: p}
	size := p.Mesh.Size()
	at := e.job.placement(p.Mesh)
	if at != nil {
		size = len(at.Local())
		l.ranks = at.Processes()
	}
	if len(l.ranks) > 1 {
		l.load = int(e.numbers.Add(1))
		if err := e.job.agree(ctx, p, l.ranks); err != nil {
			return nil, err
		}
		l.common = e.job.commonShards(p, at)
	}
	for pos := range size {
		for i, in := range p.Inputs {
			if in.Donated() {
				l.donated = append(l.donated, pos*len(p.Inputs)+i)
			}
		}
	}
	if len(l.ranks) > 1 {
		l.crossings = &crossings{job: e.job, at: at, number: l.load, timeout: e.started.timeout}
		prepare = func(p *program.Program) (DriverProgram, error) { return e.loadAcross(p, l.crossings) }
	}
	var err error
	if l.raw, err = e.loads.await(ctx, func() (DriverProgram, error) { return prepare(p) }); err != nil {
		return nil, err
	}
	l.refs.Store(1)
	e.loads.add(l)
	return l, nil
}

func (e *asyncEngine) loadAcross(p *program.Program, x *crossings) (DriverProgram, error) {
	d, ok := e.driver.(processDriver)
	if !ok {
		return nil, fmt.Errorf("its mesh %s spans processes, and the engine runs one process: open the client with the engine %q or %q", p.Mesh, EnginePJRT, EngineGo)
	}
	return d.loadAcross(p, x)
}

// takeSlot waits until one more execution may be in flight. If all slots are taken, it waits for
// the oldest execution, unless another goroutine does that already.
func (e *asyncEngine) takeSlot() {
	e.started.poll()
	select {
	case e.slots <- struct{}{}:
	default:
		e.started.settleOldest()
		e.slots <- struct{}{}
	}
}

func (e *asyncEngine) Close() error {
	e.puts.close()
	e.runs.close()
	e.started.settleAll()
	e.loads.close()
	e.loads.callWhenIdle(e.driver.Close)
	return nil
}
