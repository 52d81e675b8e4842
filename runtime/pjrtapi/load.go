//go:build cgo

package pjrtapi

// This file loads plugins and makes clients of them.

/*
#cgo LDFLAGS: -ldl
#include <stdlib.h>
#include "pjrt.h"
*/
import "C"

import (
	"errors"
	"fmt"
	"runtime"
	"sync"
	"unsafe"

	"github.com/gomlx/go-xla/pjrt"
)

// Plugin is a loaded plugin: go-xla's type, with the additions of this package. It stays loaded
// until the process ends.
type Plugin struct {
	path  string
	xla   *pjrt.Plugin
	table *C.Api
}

// loaded lists the plugins of this process. The index of a plugin is its slot in wrap.c.
var loaded struct {
	sync.Mutex
	plugins []*Plugin
}

// Load returns the plugin in the file path. The first call for a file loads it. A file that is no
// plugin is an error, and so is one more file than the C.SLOTS that a process can load.
func Load(path string) (*Plugin, error) {
	loaded.Lock()
	defer loaded.Unlock()
	for _, p := range loaded.plugins {
		if p.path == path {
			return p, nil
		}
	}
	slot := len(loaded.plugins)
	if slot == C.SLOTS {
		return nil, fmt.Errorf("this process has loaded %d plugins, the most there can be: start another process", slot)
	}
	file := C.CString(path)
	defer C.free(unsafe.Pointer(file))
	var table *C.Api
	if message := C.wrap(file, C.int(slot), &table); message != nil {
		defer C.free(unsafe.Pointer(message))
		return nil, errors.New(C.GoString(message))
	}
	if err := pjrt.RegisterPreloadedPlugin(path, uintptr(unsafe.Pointer(table))); err != nil {
		return nil, err
	}
	xla, err := pjrt.GetPlugin(path)
	if err != nil {
		return nil, fmt.Errorf("BUG: the plugin that was registered is not there: %w", err)
	}
	p := &Plugin{path: path, xla: xla, table: table}
	loaded.plugins = append(loaded.plugins, p)
	return p, nil
}

// Path returns the plugin's file.
func (p *Plugin) Path() string { return p.path }

// Version returns the version of PJRT's interface.
func (p *Plugin) Version() (major, minor int) { return p.xla.Version() }

// NewClient makes a client of the plugin with the options o.
func (p *Plugin) NewClient(o pjrt.NamedValuesMap) (*Client, error) {
	return p.NewPreparedClient(o, Prepare{})
}

// Prepare changes the arguments of a new client. Function is a C function,
// void(PJRT_Client_Create_Args*, uintptr_t). It is called with User as the second argument.
type Prepare struct {
	Function unsafe.Pointer
	User     uintptr
}

// NewPreparedClient makes a client of the plugin with the options o, and with arguments that go-xla
// does not set, which prepare sets.
func (p *Plugin) NewPreparedClient(o pjrt.NamedValuesMap, prepare Prepare) (*Client, error) {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	C.setPrepare(C.Prepare(prepare.Function), C.uintptr_t(prepare.User))
	defer C.setPrepare(nil, 0)
	c, err := p.xla.NewClient(o)
	if err != nil {
		return nil, err
	}
	devices, err := p.devices(C.madeClient())
	if err != nil {
		return nil, errors.Join(err, c.Destroy())
	}
	return &Client{Client: c, Devices: devices}, nil
}
