//go:build cgo

package pjrtkv

// This file makes clients that find the other processes.

// #include "kv.h"
import "C"

import (
	"fmt"
	"maps"
	"runtime/cgo"

	"github.com/gomlx/go-xla/pjrt"

	"github.com/gospmd/gospmd/runtime/pjrtapi"
)

// NewClient makes a client of the plugin that is number rank of size processes, which
// exchange what they need through the store: one client of each. The other options are
// those of the platform.
//
// An option of this kind is none of plugins that run in one process only.
func NewClient(p *pjrtapi.Plugin, o pjrt.NamedValuesMap, s Store, rank, size int) (*pjrtapi.Client, error) {
	if rank < 0 || rank >= size {
		return nil, fmt.Errorf("process %d of %d: want a number from 0 to %d", rank, size, size-1)
	}
	all := pjrt.NamedValuesMap{"node_id": int64(rank), "num_nodes": int64(size)}
	maps.Copy(all, o)
	// The handle stays as long as the process: XLA calls back also when a program first
	// runs.
	handle := cgo.NewHandle(&client{s})
	return p.NewPreparedClient(all, pjrtapi.Prepare{Function: C.addCallbacks, User: uintptr(handle)})
}
