//go:build cgo

package pjrtapi

// This file opens libraries before a plugin opens them by name.

/*
#cgo LDFLAGS: -ldl
#include <dlfcn.h>
#include <stdlib.h>
*/
import "C"

import "unsafe"

// Preload opens these libraries, so that a plugin finds them by their names wherever they are. It
// ignores libraries that cannot be opened: the plugin's own error says what it lacks.
func Preload(files []string) {
	for _, file := range files {
		path := C.CString(file)
		C.dlopen(path, C.RTLD_NOW|C.RTLD_LOCAL)
		C.free(unsafe.Pointer(path))
	}
}
