//go:build cgo

package pjrtapi

// This file starts executions, since go-xla waits for the end of each that it makes.

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

// Execution is one that was started and goes on.
type Execution struct {
	started *C.Started
	launch  int32
}

// failures holds, by launch id, what is called when a device of an execution fails.
var failures sync.Map

// Launch describes an execution.
type Launch struct {
	// ID is its number, which is not 0 and which no other execution in progress in this process
	// has.
	ID int32
	// Tell gives the plugin ID as the launch id. XLA on CPUs tells it to handlers of custom calls
	// as the run id. Plugins of accelerators compare launch ids between processes.
	Tell bool
	// Failed is called for each device that fails, by its index, as soon as it has failed, on any
	// thread, until Wait returns. It must not wait for anything.
	Failed func(device int, err error)
}

// Start makes the plugin start an execution, and returns its results, which are pending: the
// plugin waits for arguments that are. Its Wait is to be called once.
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
	if err != nil { // go-xla failed after the plugin had started
		return nil, Execution{}, errors.Join(err, e.Wait())
	}
	return results, e, nil
}

// gospmdDeviceFailed is called by the plugin, by way of wrap.c.
//
//export gospmdDeviceFailed
func gospmdDeviceFailed(launch, device C.int, message *C.char) {
	if failed, ok := failures.Load(int32(launch)); ok {
		failed.(func(int, error))(int(device), errors.New(C.GoString(message)))
	}
}

// Ended reports whether all devices have ended.
func (e Execution) Ended() bool { return bool(C.haveEnded(e.started)) }

// Wait returns when all devices have ended, with the error of one that failed.
func (e Execution) Wait() error {
	defer failures.Delete(e.launch)
	return takeMessage(C.awaitStarted(e.started))
}
