//go:build cgo

package pjrtapi

// This file starts executions: go-xla waits for the end of those that it makes.

/*
#include "pjrt.h"
*/
import "C"

import (
	"errors"
	"runtime"

	"github.com/gomlx/go-xla/pjrt"
)

// Execution is one that was started and goes on.
type Execution struct{ started *C.Started }

// Start has the plugin start an execution, and returns its results, which are pending: the
// plugin waits for arguments that are. Its Wait is to be called once.
func Start(config *pjrt.ExecutionConfig) ([]*pjrt.Buffer, Execution, error) {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	C.setStarting(1)
	defer C.setStarting(0)
	results, err := config.Done()
	e := Execution{C.started()}
	if err != nil && e.started != nil { // go-xla failed after the plugin had started
		return nil, Execution{}, errors.Join(err, e.Wait())
	}
	return results, e, err
}

// Ended reports whether all devices have ended.
func (e Execution) Ended() bool { return bool(C.haveEnded(e.started)) }

// Wait returns when all devices have ended, with the error of one that failed.
func (e Execution) Wait() error { return taken(C.awaitStarted(e.started)) }
