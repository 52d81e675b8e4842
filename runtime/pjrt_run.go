//go:build cgo

package runtime

// This file executes programs on PJRT. Each execution has a number of its own in this process.
// Its devices find each other in collectives by that number. An execution that fails on one
// device ends on all.

import (
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/gomlx/go-xla/pjrt"

	"github.com/gospmd/gospmd/hardware"
	"github.com/gospmd/gospmd/runtime/ffi"
	"github.com/gospmd/gospmd/runtime/pjrtapi"
	"github.com/gospmd/gospmd/target"
)

// maxStarted is the greatest number of executions in progress. XLA for CPUs admits 32 for each
// device. Further executions block threads of the pool that the earlier ones need, and all
// hang.
const maxStarted = 16

func (p *pjrtProgram) Execute(args []DriverBuffer, donated []int) ([]DriverBuffer, error) {
	results, execution, err := startedProgram{p}.Start(args, donated)
	if err != nil {
		return nil, err
	}
	if err := execution.Wait(); err != nil {
		for _, r := range results {
			r.Free()
		}
		return nil, err
	}
	return results, nil
}

// withSharing sets the names of the program's collectives, and returns the program, whose module is
// shared, as one whose executions are only started. If threads may wait for other devices, it is
// one that is waited for: executions in progress side by side must not wait for each other's
// threads.
func (p *pjrtProgram) withSharing(shared target.Shared) DriverProgram {
	p.collectives = shared.Collectives
	if shared.Waits {
		return p
	}
	return startedProgram{p}
}

// startedProgram is a pjrtProgram that implements Starter: its executions may go on after the
// start.
type startedProgram struct{ *pjrtProgram }

func (p startedProgram) Start(args []DriverBuffer, donated []int) (results []DriverBuffer, e Execution, err error) {
	if broken := p.client.broken.Load(); broken != nil {
		return nil, nil, *broken
	}
	args, end, err := p.inHostMemory(args)
	if err != nil {
		return nil, nil, err
	}
	defer func() { end(donated, err == nil) }()
	raws := make([]*pjrt.Buffer, len(args))
	for i, a := range args {
		raws[i] = a.(*pjrtBuffer).b
	}
	isShared := func(i int) bool { return args[i].(*pjrtBuffer).shared }
	given := slices.DeleteFunc(slices.Clone(donated), isShared) // XLA copies the others
	var outs []*pjrt.Buffer
	execution := &pjrtExecution{program: p.pjrtProgram, run: ffi.BeginRun()}
	launch := pjrtapi.Launch{ID: execution.run.LaunchID(), Tell: p.client.c.Platform() == hardware.CPU, Failed: execution.failDevice}
	err = guard(func() (err error) {
		outs, execution.Execution, err = pjrtapi.Start(p.exe.Execute(raws...).Donate(given...), launch)
		return err
	})
	if err != nil {
		p.endRefused(execution.run, err)
		return nil, nil, err
	}
	for _, i := range donated {
		args[i].(*pjrtBuffer).give()
	}
	results = make([]DriverBuffer, len(outs))
	for i, b := range outs {
		out := p.outputs[i%len(p.outputs)]
		bytes := out.Local.MemoryBytes()
		if out.Memory.OnHost() {
			bytes = 0 // of the memory of devices
		}
		result := p.client.own(b, bytes)
		result.onHost = out.Memory.OnHost()
		results[i] = result
	}
	return results, execution, nil
}

// endRefused ends an execution that the plugin has refused. Some of several devices may have begun:
// they are ended, and the plugin will start nothing after it on several devices, because it
// waits for the others.
func (p *pjrtProgram) endRefused(run ffi.Run, err error) {
	if p.mesh.Size() == 1 {
		run.End()
		return
	}
	run.Abort(fmt.Errorf("it was not started on all devices: %w", err))
	broken := fmt.Errorf("the client cannot execute any more, because XLA did not start an earlier execution on all of its devices (%w): open a new client", err)
	p.client.broken.CompareAndSwap(nil, &broken)
}

// pjrtExecution is an execution that a PJRT plugin has started. It implements Execution and
// Watched.
type pjrtExecution struct {
	pjrtapi.Execution
	program *pjrtProgram
	run     ffi.Run

	mu    sync.Mutex
	cause error // the error that Abort was called with
}

// Wait implements Execution: it waits for all devices of this process, and returns the first
// failure, or the cause of Abort. Other devices fail because of the first one.
func (e *pjrtExecution) Wait() error {
	err := e.Execution.Wait()
	e.run.End()
	e.mu.Lock()
	defer e.mu.Unlock()
	if err != nil && e.cause != nil {
		return e.cause
	}
	return err
}

// failDevice ends the execution on all devices when the one at a position of this process has
// failed.
func (e *pjrtExecution) failDevice(position int, err error) {
	if devices := e.program.mesh.Devices(); len(devices) > 1 && position < len(devices) {
		err = fmt.Errorf("on device %d: %w", devices[position], err)
	}
	e.Abort(err)
	if e.program.failed != nil {
		e.program.failed(err)
	}
}

// Abort implements Watched: it ends the execution on all devices, with cause, which Wait then
// returns if the execution fails. Only the first cause counts.
func (e *pjrtExecution) Abort(cause error) {
	e.mu.Lock()
	first := e.cause == nil
	if first {
		e.cause = cause
	}
	e.mu.Unlock()
	if first {
		e.run.Abort(cause)
	}
}

// Stuck implements Watched: if devices wait for others in a collective, and none has come to one
// for limit, it returns an error that names the collectives and the devices on both sides.
// Otherwise it returns nil.
func (e *pjrtExecution) Stuck(limit time.Duration) error {
	waiting, idle := e.run.Waiting()
	if len(waiting) == 0 || idle < limit {
		return nil
	}
	var text []string
	for _, w := range waiting {
		name := fmt.Sprint("collective ", w.Channel)
		if w.Channel < len(e.program.collectives) {
			name = e.program.collectives[w.Channel]
		}
		text = append(text, fmt.Sprintf("in %s device%s for device%s", name, e.devices(w.Came, "s %v wait", " %v waits"), e.devices(w.Missing, "s %v", " %v")))
	}
	return fmt.Errorf("no device has come to a collective for %s: %s", idle.Round(time.Millisecond), strings.Join(text, "; "))
}

// devices returns a text with the numbers of the devices of replicas, formatted by one if it is a
// single device, or else by many. Both have %s for the numbers, which commas separate.
func (e *pjrtExecution) devices(replicas []int, many, one string) string {
	ids := make([]string, len(replicas))
	for i, r := range replicas {
		ids[i] = fmt.Sprint(e.program.mesh.Devices()[r])
	}
	form := many
	if len(ids) == 1 {
		form = one
	}
	return fmt.Sprintf(form, strings.Join(ids, ", "))
}
