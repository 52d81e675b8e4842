//go:build cgo

package ffi

// This file defines Run, an execution whose devices meet in collectives, and how it is ended
// when they cannot.

/*
#include <stdlib.h>
#include "shared.h"
*/
import "C"

import (
	"time"
	"unsafe"
)

// Run is one execution of a program in this process, from before it is started until it has ended
// on all its devices. Its methods may be called from several goroutines.
type Run struct{ id C.int64_t }

// BeginRun returns a new execution. Its End must be called.
func BeginRun() Run { return Run{C.beginRun()} }

// LaunchID returns what the plugin must be given as the execution's launch id
// (PJRT_ExecuteOptions): handlers find the execution by it. No other execution in progress has it,
// and it is not 0.
func (r Run) LaunchID() int32 { return int32(r.id) }

// End forgets the execution. It has ended on all devices, or was not started.
func (r Run) End() { C.endRun(r.id) }

// Abort ends the calls of the execution in which devices wait for others, and all later ones, with
// an error. The first Abort counts; after End it does nothing.
func (r Run) Abort(cause error) {
	why := C.CString(cause.Error())
	defer C.free(unsafe.Pointer(why))
	C.abortRun(r.id, why)
}

// Waiting is a collective that some of its replicas have reached, and others have not.
type Waiting struct {
	Channel       int // as the custom call names it
	Came, Missing []int
}

// Waiting returns the collectives in which devices wait, and for how long no device of the
// execution has come to one.
func (r Run) Waiting() (at []Waiting, idle time.Duration) {
	var size, nanos C.int64_t
	list := C.waitingOf(r.id, &size, &nanos)
	defer C.free(unsafe.Pointer(list))
	for numbers := unsafe.Slice(list, size); len(numbers) > 0; {
		w, members := Waiting{Channel: int(numbers[0])}, int(numbers[1])
		for i := range members {
			replica, came := int(numbers[2+2*i]), numbers[3+2*i] != 0
			if came {
				w.Came = append(w.Came, replica)
			} else {
				w.Missing = append(w.Missing, replica)
			}
		}
		at, numbers = append(at, w), numbers[2+2*members:]
	}
	return at, time.Duration(nanos)
}

// OpenPool starts the threads that compute collectives, for a client that makes them. ClosePool
// ends them when the last such client is closed and has no executions in progress.
func OpenPool() { C.openPool() }

// ClosePool undoes one OpenPool.
func ClosePool() { C.closePool() }
