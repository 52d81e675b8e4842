package distribution

// This file manages the client of the process, on which its models run.

import (
	"context"
	"fmt"
	"os"
	"strconv"
	"sync"

	"github.com/gospmd/gospmd/hardware"
	"github.com/gospmd/gospmd/internal/made"
	"github.com/gospmd/gospmd/runtime"
)

// Options describe the devices that the process uses, and the job of several processes that it is
// one of. The zero value is the platform in the environment variable GOSPMD_PLATFORM, or the CPU,
// with the number of virtual devices in GOSPMD_CPU_DEVICES, or one. Devices and the variable count
// the devices of this process only.
type Options = runtime.Options

// DevicesEnv is the environment variable with the number of virtual CPU devices of
// the process, which is used if Options have none.
const DevicesEnv = "GOSPMD_CPU_DEVICES"

var process struct {
	sync.Mutex
	options *Options // options of Initialize, or those that ParseMesh needs
	visible []string // devices of SetVisibleDevices; nil means all
	client  *runtime.Client
	failed  error // the error of opening a client of a job; opening is not tried again

	initialized bool // Initialize or UseClient was called
	// joining is the context of Initialize: it bounds the wait for the other processes. It is nil
	// for one process.
	joining context.Context
}

// Initialize sets the devices of the process, and the job of several processes that it belongs to:
// keras.distribution.initialize. Call it before the first model runs; after that, options that
// differ from those in use are an error. Options that differ from the ones before make all devices
// visible again.
//
// In a job of several processes, Initialize opens the client. So it waits for the other processes,
// until ctx ends or Options.JoinTimeout is over. On the CPU, if the number of devices is not given,
// the client is opened later: by ParseMesh, or by the first call that needs devices. This wait ends
// too when the ctx of Initialize ends.
//
// JobAddresses, NumProcesses and ProcessID are Keras' arguments. JobAddresses has the host:port of
// process 0 or, separated by commas, those of all processes, whose number then is the default of
// NumProcesses. Instead, Options.Endpoints may name a coordinator that already runs. An argument
// that is not given is read from the environment variable KERAS_DISTRIBUTION_JOB_ADDRESSES,
// _NUM_PROCESSES or _PROCESS_ID. If none is given, Initialize looks for a job in the variables that
// schedulers set (coordination.Detect). Without a job, there is one process. Set NumProcesses to 1
// to run one process alone in a cluster.
//
// A program that does not call Initialize is one process.
func Initialize(ctx context.Context, o Options) error {
	if err := made.Context(ctx); err != nil {
		return fmt.Errorf("distribution: Initialize: %w", err)
	}
	o, err := completeJob(o, os.Getenv)
	if err != nil {
		return err
	}
	process.Lock()
	defer process.Unlock()
	if err := set(o); err != nil {
		return err
	}
	process.initialized = true
	if o.NumProcesses <= 1 {
		return nil
	}
	process.joining = ctx
	if process.options.Platform == hardware.CPU && o.Devices == 0 && os.Getenv(DevicesEnv) == "" {
		return nil // ParseMesh will determine the number of devices
	}
	_, err = open(ctx)
	return err
}

// set completes o with the defaults and makes it the options of the process. Options that differ
// from those before make all devices visible. An earlier error of joining a job is forgotten. It
// returns an error if the process runs already with other options. The caller holds the lock of
// process.
func set(o Options) error {
	o, err := complete(o)
	if err != nil {
		return err
	}
	if process.client != nil && o != *process.options {
		return fmt.Errorf("distribution: the process runs on %s already, Initialize asks for %s: call it before anything runs",
			describe(*process.options), describe(o))
	}
	if before, err := options(); err != nil || o != before {
		process.visible = nil
	}
	process.options, process.failed = &o, nil
	shareEntropy(o)
	return nil
}

// UseClient makes c the process' client, in place of a client that is opened with the options of
// Initialize. c may be open already, or have your own engine (runtime.NewClient). The devices are
// named after its platform, and all are visible. Call it before the first model runs: if the
// process has another client already, and if c is nil, it returns an error. Close closes c.
func UseClient(c *runtime.Client) error {
	process.Lock()
	defer process.Unlock()
	if c == nil {
		return fmt.Errorf("distribution: UseClient got no client, want one, such as runtime.Open returns")
	}
	if process.client != nil && process.client != c {
		return fmt.Errorf("distribution: the process runs on %s already, UseClient brings %s: call it before anything runs",
			describe(*process.options), describe(optionsOf(c)))
	}
	o := optionsOf(c)
	process.client, process.options, process.visible, process.failed = c, &o, nil, nil
	process.initialized = true
	shareEntropy(o)
	return nil
}

// optionsOf returns options that open a client like c: its platform, its number of devices on CPUs,
// and its place in a job.
func optionsOf(c *runtime.Client) Options {
	o := Options{Platform: c.Platform()}
	if o.Platform == hardware.CPU {
		o.Devices = len(c.LocalDevices())
	}
	if n := c.ProcessCount(); n > 1 {
		o.NumProcesses, o.ProcessID = n, c.ProcessIndex()
	}
	return o
}

// Client returns the process' client. The first call opens it, unless Initialize has done so.
// Models run on it, unless they are compiled with another client. If a job could not be joined,
// that is not tried again: each call returns the error of the first.
func Client(ctx context.Context) (*runtime.Client, error) {
	if err := made.Context(ctx); err != nil {
		return nil, fmt.Errorf("distribution: %w", err)
	}
	process.Lock()
	defer process.Unlock()
	return open(ctx)
}

// open returns the client of the process, and opens it if necessary. In a job it keeps the error of
// a failed try. process must be locked.
func open(ctx context.Context) (*runtime.Client, error) {
	if process.client != nil {
		return process.client, nil
	}
	if process.failed != nil {
		return nil, process.failed
	}
	o, err := options()
	if err != nil {
		return nil, err
	}
	opened := o
	if process.visible != nil {
		opened.Devices = len(process.visible)
	}
	if joining := process.joining; joining != nil { // Close may clear it before AfterFunc runs
		var cancel context.CancelCauseFunc
		ctx, cancel = context.WithCancelCause(ctx)
		defer cancel(nil)
		defer context.AfterFunc(joining, func() { cancel(context.Cause(joining)) })()
	}
	c, err := runtime.Open(ctx, opened)
	if err != nil {
		if o.NumProcesses > 1 {
			process.failed = err
		}
		return nil, err
	}
	process.client, process.options = c, &o
	return c, nil
}

// Fail tells the other processes of a job that this one ends, and why, so that they end at once
// with an error that says so. Without a job it does nothing. Fit, Evaluate and Predict call it for
// their own errors.
func Fail(err error) {
	process.Lock()
	c := process.client
	process.Unlock()
	if c != nil && err != nil {
		c.Fail(err)
	}
}

// Close closes the process' client, if it is open, and returns its error. It drops the settings of
// Initialize and SetVisibleDevices. In a job of several processes, call it at the end: the others
// report a process that ends without Close as lost.
func Close() error {
	process.Lock()
	defer process.Unlock()
	c := process.client
	process.client, process.options, process.visible, process.failed = nil, nil, nil, nil
	process.initialized, process.joining = false, nil
	shareEntropy(Options{})
	if c == nil {
		return nil
	}
	return c.Close()
}

// options returns the options of Initialize, or the default ones. process must
// be locked.
func options() (Options, error) {
	if process.options != nil {
		return *process.options, nil
	}
	return complete(Options{})
}

// complete returns o with the defaults of platform and number of devices, which the environment may
// give. Numbers that are invalid are errors.
func complete(o Options) (Options, error) {
	if o.Devices < 0 {
		return o, fmt.Errorf("distribution: Options ask for %d devices, want at least 1", o.Devices)
	}
	asked := o.Devices > 0
	o, err := o.Complete()
	if err != nil {
		return o, fmt.Errorf("distribution: %w", err)
	}
	if o.Platform != hardware.CPU || asked {
		return o, nil
	}
	if text := os.Getenv(DevicesEnv); text != "" {
		n, err := strconv.Atoi(text)
		if err != nil || n < 1 {
			return o, fmt.Errorf("distribution: the environment variable %s is %q, want the number of virtual CPU devices, such as 8", DevicesEnv, text)
		}
		o.Devices = n
	}
	return o, nil
}

func describe(o Options) string {
	text := "platform " + o.Platform
	if o.Platform == hardware.CPU {
		text = fmt.Sprintf("%d CPU device(s)", o.Devices)
	}
	if o.NumProcesses > 1 {
		text += fmt.Sprintf(" as process %d of %d", o.ProcessID, o.NumProcesses)
	}
	return text
}
