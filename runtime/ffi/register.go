//go:build cgo

package ffi

// This file registers the handlers of custom calls, and runs LAPACK's calls by package lapack.

/*
#cgo CFLAGS: -O3
#cgo LDFLAGS: -ldl
#include <stdlib.h>
#include "handler.h"
*/
import "C"

import (
	"fmt"
	"slices"
	"sync"
	"unsafe"

	"github.com/gospmd/gospmd/internal/lapack"
	"github.com/gospmd/gospmd/target"
)

// Register registers the handlers of LAPACK's calls and of collectives with the plugin in a file,
// which must be loaded, for the CPU. Calls after the first one for a file do nothing. A library
// that is no plugin, or ignores a handler, is an error.
func Register(plugin string) error {
	registered.Lock()
	defer registered.Unlock()
	if slices.Contains(registered.plugins, plugin) {
		return nil
	}
	if n := len(lapack.All()); n > C.SLOTS {
		return fmt.Errorf("BUG: %d routines, handler.c has room for %d", n, C.SLOTS)
	}
	for slot, r := range lapack.All() {
		if err := register(plugin, r.Target, C.handlers[slot]); err != nil {
			return err
		}
	}
	if err := register(plugin, target.CrossingCall, C.Handler(C.handleCollective)); err != nil {
		return err
	}
	if err := register(plugin, target.SharedCall, C.Handler(C.handleShared)); err != nil {
		return err
	}
	registered.plugins = append(registered.plugins, plugin)
	return nil
}

// register registers handler for a target. A plugin that ignores the handler returns no error. But
// it does not ask the handler for its version then, and register returns an error.
func register(plugin, target string, handler C.Handler) error {
	file, name := C.CString(plugin), C.CString(target)
	defer C.free(unsafe.Pointer(file))
	defer C.free(unsafe.Pointer(name))
	before := C.versionQueries()
	if message := C.registerHandler(file, name, handler); message != nil {
		defer C.free(unsafe.Pointer(message))
		return fmt.Errorf("the handler of %s is not registered: %s", target, C.GoString(message))
	}
	if C.versionQueries() == before {
		return fmt.Errorf("the handler of %s is not registered: the plugin did not ask for its version; use the plugin that gospmd installs", target)
	}
	return nil
}

// registered lists the plugins that have the handlers. They keep them until the process ends.
var registered struct {
	sync.Mutex
	plugins []string
}

// gospmdCall runs the LAPACK routine of a slot, a number that Register gave it, on the buffers of
// frame. The handlers call it on XLA's threads. It returns an error message, which the caller
// frees, or nil.
//
//export gospmdCall
func gospmdCall(slot C.int, frame *C.CallFrame) (message *C.char) {
	r := lapack.All()[slot] // Register has numbered the slots so
	defer func() {
		if p := recover(); p != nil {
			message = C.CString(fmt.Sprintf("BUG: %s: %v", r.Target, p))
		}
	}()
	in, out := buffers(&frame.args), buffers(&frame.rets)
	lapack.SetByColumns(in, out)
	if err := r.Run(attributes(&frame.attrs), in, out); err != nil {
		return C.CString(err.Error())
	}
	return nil
}
