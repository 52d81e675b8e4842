//go:build cgo

package pjrtkv

// This file registers a plugin with go-xla whose clients find the other processes.

/*
#cgo LDFLAGS: -ldl
#include <stdlib.h>
#include "pjrt.h"
*/
import "C"

import (
	"errors"
	"fmt"
	"sync"
	"unsafe"

	"github.com/gomlx/go-xla/pjrt"
)

var registered struct {
	sync.Mutex
	store   Store
	clients int // of the store
	plugin  *pjrt.Plugin
}

// Register returns the plugin in the file path. The clients that it makes from now
// on exchange what they need through the store: process k of a job must make its
// n-th client while the others make theirs.
func Register(path string, s Store) (*pjrt.Plugin, error) {
	registered.Lock()
	defer registered.Unlock()
	file := C.CString(path)
	defer C.free(unsafe.Pointer(file))
	var table *C.Api
	if message := C.wrapPlugin(file, &table); message != nil {
		defer C.free(unsafe.Pointer(message))
		return nil, errors.New(C.GoString(message))
	}
	if registered.plugin == nil {
		name := "gospmd:" + path
		if err := pjrt.RegisterPreloadedPlugin(name, uintptr(unsafe.Pointer(table))); err != nil {
			return nil, err
		}
		plugin, err := pjrt.GetPlugin(name)
		if err != nil {
			return nil, fmt.Errorf("BUG: the plugin that was registered is not there: %w", err)
		}
		registered.plugin = plugin
	}
	registered.store, registered.clients = s, 0
	return registered.plugin, nil
}

// Options are the options of a client by which it is one of several processes. An
// option of this kind is none of plugins that run in one process only.
func Options(rank, size int) pjrt.NamedValuesMap {
	return pjrt.NamedValuesMap{"node_id": int64(rank), "num_nodes": int64(size)}
}
