//go:build cgo

package pjrtapi

// This file starts executions without waiting for their end, as go-xla does.

/*
#include "pjrt.h"
*/
import "C"

import (
	"errors"
	"runtime"
	"sync"

	"github.com/gomlx/go-xla/pjrt"
)

// Execution is an execution that was started.
type Execution struct {
	started *C.Started
	launch  int32
}

// failures has, by the launch id of an execution, its Launch's function Failed.
var failures sync.Map

// Launch describes an execution.
type Launch struct {
	// ID is the launch id. It is not 0, and no other execution in progress in this process has it.
	ID int32
	// Tell makes the plugin get ID as the launch id. XLA on CPUs passes it to handlers of custom
	// calls as the run id. Plugins of accelerators compare launch ids between processes.
	Tell bool
	// Failed is called for each device that fails, with its index, as soon as it fails, on any
	// thread. It is not called after Wait has returned. It must not wait for anything.
	Failed func(device int, err error)
}

// Start makes the plugin start the execution of config, and returns its results, which are pending.
// Arguments may be pending too: the plugin waits for them. l tells how devices that fail are
// reported. The caller must call the execution's Wait once, unless Start returns an error.
func Start(config *pjrt.ExecutionConfig, l Launch) ([]*pjrt.Buffer, Execution, error) {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	failures.Store(l.ID, l.Failed)
	C.setStarting(C.int(l.ID), C.bool(l.Tell))
	defer C.setStarting(0, false)
	results, err := config.Done()
	e := Execution{C.started(), l.ID}
	if e.started == nil {
		failures.Delete(l.ID)
		return nil, e, err
	}
	if err != nil { // go-xla has failed after the plugin had started the execution
		return nil, Execution{}, errors.Join(err, e.Wait())
	}
	return results, e, nil
}

// gospmdDeviceFailed passes the error of a device to the Failed function of the device's launch.
// wrap.c calls it when the plugin reports that an execution has failed on the device. It does
// nothing if the launch has ended.
//
//export gospmdDeviceFailed
func gospmdDeviceFailed(launch, device C.int, message *C.char) {
	if failed, ok := failures.Load(int32(launch)); ok {
		failed.(func(int, error))(int(device), errors.New(C.GoString(message)))
	}
}

// Ended reports whether all devices have ended.
func (e Execution) Ended() bool { return bool(C.haveEnded(e.started)) }

// Wait waits until all devices have ended. It returns the error of a device that has failed, if
// any.
func (e Execution) Wait() error {
	defer failures.Delete(e.launch)
	return takeMessage(C.awaitStarted(e.started))
}
