package runtime

// This file defines Client: opening an engine, loading programs on it, and closing it.

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"sync"
	"time"

	"github.com/gospmd/gospmd/internal/made"
	"github.com/gospmd/gospmd/program"
)

// Options say which engine Open starts. The zero value is the CPU with one
// device, unless the environment says otherwise.
type Options struct {
	// Platform is "cpu", "cuda" (NVIDIA GPUs) or "tpu". If it is empty, the environment variable
	// GOSPMD_PLATFORM names it. If that is empty too, it is the platform in the file name of the
	// plugin that the options or the environment name. Otherwise it is the CPU.
	Platform string
	// Engine is "pjrt" (XLA, through a plugin) or "go" (no plugin, no cgo). If it is empty, the
	// environment variable GOSPMD_ENGINE names it; if that is empty too, Open takes PJRT if it can,
	// and otherwise Go, with a warning.
	Engine string
	// Logger receives warnings: why Open took the engine written in Go by itself, and why compiled
	// programs are not cached or are compiled again. nil is slog.Default, which gets each warning
	// once in a process.
	Logger *slog.Logger
	// Devices is the number of devices. On the CPU they are virtual, and 0 means 1. Of GPUs the
	// first Devices ones are used, and 0 means all. TPUs are all used. If there are fewer, Open
	// returns a *DevicesError.
	Devices int
	// Plugin is the path of a PJRT plugin. If it is empty, Open finds or installs one.
	Plugin string
	// JobAddresses is the host:port of the coordinator of a job of several processes: process 0, if
	// the program imports runtime/coordination/embedded, and otherwise `gospmd coordinator`.
	// Addresses after the first comma are ignored.
	JobAddresses string
	// Endpoints are the host:port of a coordinator that already runs, or of the members of an etcd
	// cluster, separated by commas. JobAddresses is then ignored. If both are empty, the
	// environment variable GOSPMD_COORDINATOR has them.
	Endpoints string
	// JobName is a name of the job. Jobs that share a coordinator or an etcd cluster need different
	// names. If it is empty, the environment variable GOSPMD_JOB_NAME has it.
	JobName string
	// NumProcesses is the number of processes of the job. Each opens a client with the same
	// program. 0 and 1 mean this process alone. ProcessID is the number of this process, from 0.
	NumProcesses, ProcessID int
	// Lease is how long a process may be silent before the others take it for
	// lost; 0 means 3 seconds. JoinTimeout is how long Open waits for the others; 0
	// means 5 minutes.
	Lease, JoinTimeout time.Duration
	// CertFile, KeyFile and CAFile are PEM files with the credentials of TLS between the
	// processes. If these and JobSecret are empty, the environment variables GOSPMD_JOB_CERT,
	// GOSPMD_JOB_KEY and GOSPMD_JOB_CA name them.
	CertFile, KeyFile, CAFile string
	// JobSecret is a secret of at least 32 random characters that all processes of the job share.
	// TLS between them is derived from it. If it and the files are empty, the environment variable
	// GOSPMD_JOB_SECRET has it. A job without files and secret is open to everybody who can reach
	// its addresses.
	JobSecret string
	// Transport is what moves the data of collectives between processes: "gloo" or "tcp". If it is
	// empty, the environment variable GOSPMD_TRANSPORT names it. If that is empty too, it is Gloo
	// for PJRT on CPUs, if all processes have Gloo and none has TLS, and otherwise tcp. It is an
	// error if processes name different transports.
	Transport string
	// Link is how fast processes send to each other, as the compiler assumes. If it is zero, the
	// environment variable GOSPMD_LINK sets it, as ParseLink reads it. A link that some processes
	// set is that of all; it is an error if they set different ones. If none sets it, it is
	// LocalLink if all processes are on one machine, or else NetworkLink. It is never measured,
	// because the same job compiles the same program at each start.
	Link Link
	// CompilationCache is the directory of the compilation cache. It keeps the programs that
	// package compile makes (see Client.CompilationCache) and XLA's executables for later starts.
	// "off" means no cache. "memory" means a cache that the clients of this process share. If it is
	// empty, the environment variable GOSPMD_COMPILATION_CACHE names it; if that is empty too, it
	// is gospmd/executables in the user's cache directory. The environment variable
	// GOSPMD_COMPILATION_CACHE_LIMIT limits the size of all files together, such as 500MB. The
	// default is 1 GiB.
	CompilationCache string
	// MemoryLimit bounds the bytes on this process' devices that arrays of the client take, with
	// the PJRT engine. At the limit, Put and Run wait until executions in flight have ended and the
	// garbage collector has freed arrays that nothing refers to; if that is not enough, they return
	// an error. 0 means no limit: Put and Run wait only while the memory of unreleased arrays grows
	// faster than the collector frees it.
	MemoryLimit int
	// QueueDepth bounds the executions in flight, the running one included;
	// Run waits while there are that many. 0 means 4.
	QueueDepth int
	// CollectiveTimeout is how long devices may wait in a collective for devices that do not come.
	// The time counts while no device of this process moves on. It also bounds the wait for other
	// processes. Afterwards the execution ends on all devices with an error. The error names the
	// collective, the devices that wait and the missing ones. 0 means 10 minutes; a negative value
	// means forever.
	CollectiveTimeout time.Duration
	// Observer is told each value that the engine written in Go computes, op by op and one call
	// after the other, to debug. Then the engine interprets all ops. It needs the engine "go" by
	// name, in Engine or in GOSPMD_ENGINE; otherwise Open returns an error.
	Observer Observer
}

// driverOptions returns the options for NewEngine: those of o, for one device of each of kinds,
// with the bytes of memory at its index. memory is nil if they are not known, and j for one
// process.
func (o Options) driverOptions(kinds []string, memory []int, j *job) DriverOptions {
	return DriverOptions{Platform: o.Platform, Kinds: kinds, Memory: memory, QueueDepth: o.QueueDepth,
		CollectiveTimeout: o.CollectiveTimeout, job: j}
}

// Client owns the devices of one engine, and knows those of the other processes
// of its job. Several clients, also with different numbers of devices, may be open
// at once. All methods may be called from
// several goroutines.
type Client struct {
	engine  Engine
	devices []Device          // the devices of all processes
	job     *job              // nil if there is one process
	kept    *compilationCache // nil if there is no compilation cache

	submit sync.Mutex // held from the checks of a Run until it is queued or started
	mu     sync.Mutex // guards the following fields and the states of all arrays
	idle   *sync.Cond // signalled when an array loses its last reader
	closed bool
}

// Open finds an engine and starts it. For GPUs it reads JAX's environment variables about their
// memory: XLA_PYTHON_CLIENT_PREALLOCATE, XLA_PYTHON_CLIENT_MEM_FRACTION,
// XLA_PYTHON_CLIENT_ALLOCATOR and the like, and JAX_CUDA_VISIBLE_DEVICES. Options that contradict
// each other, a plugin that is missing or does not start, and a platform with too few devices
// (*DevicesError) are errors. In a job, all processes return from it together.
func Open(ctx context.Context, o Options) (*Client, error) {
	if err := made.Context(ctx); err != nil {
		return nil, fmt.Errorf("runtime: %w", err)
	}
	if o.Devices < 0 || o.QueueDepth < 0 || o.MemoryLimit < 0 {
		return nil, fmt.Errorf("runtime: Options ask for %d devices, a queue depth of %d and a memory limit of %d: want positive numbers, or 0 for the defaults",
			o.Devices, o.QueueDepth, o.MemoryLimit)
	}
	if o.NumProcesses < 0 || o.ProcessID < 0 {
		return nil, fmt.Errorf("runtime: Options say process %d of %d: want a process from 0", o.ProcessID, o.NumProcesses)
	}
	o, err := o.Complete()
	if err != nil {
		return nil, fmt.Errorf("runtime: %w", err)
	}
	j, o, err := joinJob(ctx, o)
	if err != nil {
		return nil, fmt.Errorf("runtime: %w", err)
	}
	c, err := o.open(ctx, j)
	if err != nil {
		if j != nil {
			j.end(err)
		}
		return nil, fmt.Errorf("runtime: %w", err)
	}
	return c, nil
}

// open opens the compilation cache, starts the engine and, in a job, exchanges devices with the
// other processes. j is nil for one process. If the exchange fails, the engine is closed.
func (o Options) open(ctx context.Context, j *job) (*Client, error) {
	kept, err := o.openCompilationCache()
	if err != nil {
		return nil, err
	}
	e, err := openEngine(ctx, o, kept, j)
	if err != nil {
		return nil, err
	}
	c := NewClient(e)
	c.kept = kept
	if c.job = j; j == nil {
		return c, nil
	}
	c.devices, err = j.announce(ctx, e)
	if err != nil {
		return nil, errors.Join(err, e.Close())
	}
	return c, nil
}

// NewClient returns a client of an engine of the caller's own, which NewEngine
// builds on a Driver.
func NewClient(e Engine) *Client {
	c := &Client{engine: e, devices: e.Devices()}
	c.idle = sync.NewCond(&c.mu)
	return c
}

// Engine returns the engine, for callers that wrap it in one of their own.
func (c *Client) Engine() Engine { return c.engine }

// Platform returns the name of the platform: "cpu", "cuda", "tpu".
func (c *Client) Platform() string { return c.engine.Platform() }

// Devices returns the devices of all processes; a device's id is its index. The
// caller must not change the slice.
func (c *Client) Devices() []Device { return c.devices }

// Close waits for all queued work and frees the client. Arrays that are not released yet can still
// be read; all other calls fail. With several processes, the first waits for the others to close
// theirs. A second Close does nothing and returns nil.
func (c *Client) Close() error {
	c.mu.Lock()
	closed := c.closed
	c.closed = true
	c.mu.Unlock()
	if closed {
		return nil
	}
	return errors.Join(c.engine.Close(), c.job.leave())
}

// admitter is implemented by the drivers that bound the memory of arrays: admit waits until new
// work may begin, and calls settle to wait for executions in flight.
type admitter interface{ admit(settle func()) error }

// admit waits until new arrays may be made. Only the PJRT engine makes it wait; if arrays then
// still take more than Options.MemoryLimit, that is an error. The caller holds no locks.
func (c *Client) admit() error {
	e, ok := c.engine.(*asyncEngine)
	if !ok {
		return nil
	}
	d, ok := e.driver.(admitter)
	if !ok {
		return nil
	}
	return d.admit(func() {
		for range cap(e.slots) {
			e.started.settleOldest()
		}
	})
}

func (c *Client) checkOpen() error {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.closed {
		return fmt.Errorf("runtime: the client is closed: open a new one")
	}
	return nil
}

// Load compiles p for this client's devices. When ctx ends, Load returns its cause at once. The
// compilation cannot be interrupted: it ends in the background, and its result is freed. A program
// for more devices than there are, without outputs, or that the engine does not compile is an error
// with its name.
func (c *Client) Load(ctx context.Context, p *program.Program) (*Executable, error) {
	if err := made.Context(ctx); err != nil {
		return nil, fmt.Errorf("runtime: Load: %w", err)
	}
	if err := c.checkOpen(); err != nil {
		return nil, err
	}
	if err := c.checkProgram(p); err != nil {
		return nil, fmt.Errorf("runtime: program %q: %w", p.Name, err)
	}
	l, err := c.engine.Load(ctx, p)
	if err != nil {
		return nil, fmt.Errorf("runtime: program %q: %w", p.Name, err)
	}
	return newExecutable(c, p, l), nil
}
