//go:build cgo

package pjrtapi

// This file sets variables for a plugin that has no option for them.

/*
#include <stdlib.h>
#include <string.h>
*/
import "C"

import (
	"strings"
	"unsafe"
)

// WithEnvironment calls do while variables, each of the form NAME=VALUE, are in the
// environment of C, where a plugin looks for them. They are as before when it returns. Go's
// environment, which children inherit, does not change.
//
// Code in C that reads the environment on another thread meanwhile is in a race, as with any
// setenv: call it only where there is no other way, once for each plugin.
func WithEnvironment(variables []string, do func() error) error {
	for _, v := range variables {
		name, value, _ := strings.Cut(v, "=")
		defer setVariable(name, value)()
	}
	return do()
}

// setVariable sets a variable. The function that it returns undoes that.
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
