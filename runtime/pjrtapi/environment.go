//go:build cgo

package pjrtapi

// This file sets environment variables for plugins, which read settings that they have no options
// for.

/*
#include <stdlib.h>
#include <string.h>
*/
import "C"

import (
	"strings"
	"unsafe"
)

// WithEnvironment calls do while variables, each of the form NAME=VALUE, are set in the environment
// of C, where a plugin reads them. Afterwards it restores the old values. Go's environment, which
// children inherit, does not change.
//
// C code that reads the environment on another thread at the same time has a race, as with any
// setenv. So call it only if there is no other way, once for each plugin.
func WithEnvironment(variables []string, do func() error) error {
	for _, v := range variables {
		name, value, _ := strings.Cut(v, "=")
		defer setVariable(name, value)()
	}
	return do()
}

// setVariable sets an environment variable of the C library, and returns a function that restores
// its old value or unsets it.
func setVariable(name, value string) (undo func()) {
	n, v := C.CString(name), C.CString(value)
	defer C.free(unsafe.Pointer(v))
	var before *C.char
	if old := C.getenv(n); old != nil {
		before = C.strdup(old)
	}
	C.setenv(n, v, 1)
	return func() {
		defer C.free(unsafe.Pointer(n))
		if before == nil {
			C.unsetenv(n)
			return
		}
		C.setenv(n, before, 1)
		C.free(unsafe.Pointer(before))
	}
}
