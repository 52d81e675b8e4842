//go:build cgo

package ffi

// This file defines Run, an execution whose devices meet in collectives, and how to end it if they
// cannot.

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
// (PJRT_ExecuteOptions): handlers find the Run by it. No other execution in progress has it, and it
// is not 0.
func (r Run) LaunchID() int32 { return int32(r.id) }

// End removes the execution, when it has ended on all its devices or was not started.
func (r Run) End() { C.endRun(r.id) }

// Abort ends all waiting calls of the execution, and all later ones, with an error that has the
// text of cause, which must not be nil. Only the first Abort counts. After End it does nothing.
func (r Run) Abort(cause error) {
	why := C.CString(cause.Error())
	defer C.free(unsafe.Pointer(why))
	C.abortRun(r.id, why)
}

// Waiting is a collective that some of its replicas have reached and others have not. Came and
// Missing are the numbers of these replicas, which are positions in the program's mesh.
type Waiting struct {
	Channel       int // the channel in the custom call
	Came, Missing []int
}

// Waiting returns the collectives that have waiting devices, and the time since a device of the
// execution last came to a collective.
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

// OpenPool starts the threads that compute collectives, for a new client that uses them. ClosePool
// ends them when the last such client is closed.
func OpenPool() { C.openPool() }

// ClosePool must be called once for each OpenPool, when the client has no executions in progress.
func ClosePool() { C.closePool() }
