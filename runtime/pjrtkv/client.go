//go:build cgo

package pjrtkv

// This file makes PJRT clients that find the other processes.

// #include "kv.h"
import "C"

import (
	"fmt"
	"maps"
	"runtime/cgo"

	"github.com/gomlx/go-xla/pjrt"

	"github.com/gospmd/gospmd/runtime/pjrtapi"
)

// NewClient makes a client of the plugin for process rank of size processes. Each process makes one
// client. The clients exchange values through the store. The other options are the options of the
// platform. A rank that is not below size, and options that the plugin refuses, are errors.
//
// Plugins that run in one process only do not accept the options that NewClient adds.
func NewClient(p *pjrtapi.Plugin, o pjrt.NamedValuesMap, s Store, rank, size int) (*pjrtapi.Client, error) {
	if rank < 0 || rank >= size {
		return nil, fmt.Errorf("process %d of %d: want a number from 0 to %d", rank, size, size-1)
	}
	all := pjrt.NamedValuesMap{"node_id": int64(rank), "num_nodes": int64(size)}
	maps.Copy(all, o)
	// The handle is never deleted: XLA also calls back when a program first runs.
	handle := cgo.NewHandle(&client{s})
	return p.NewPreparedClient(all, pjrtapi.Prepare{Function: C.addCallbacks, User: uintptr(handle)})
}
