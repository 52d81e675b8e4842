//go:build cgo

package pjrtapi

// This file says what a plugin tells of itself.

/*
#include "pjrt.h"
*/
import "C"

import (
	"strconv"

	"github.com/gomlx/go-xla/pjrt"
)

// extensions are the names of the values of PJRT_Extension_Type.
var extensions = []string{
	"Gpu_Custom_Call", "Profiler", "Custom_Partitioner", "Stream", "Layouts", "FFI", "MemoryDescriptions", "Triton", "RawBuffer",
	"PhaseCompile", "Example", "Unknown", "CrossHostTransfers", "ExecutableMetadata", "Callback", "HostAllocator", "TpuTopology",
	"TpuExecutable", "Megascale", "Shardings", "AbiVersion", "Collectives", "MultiSlice", "HostMemoryAllocator",
}

// Extensions returns the names of the extensions of PJRT that the plugin has, in its order;
// the number of one that is newer than the list of names.
func (p *Plugin) Extensions() (names []string) {
	for e := (*C.Extension)(p.table.extension_start); e != nil; e = e.next {
		name := strconv.Itoa(int(e._type))
		if int(e._type) < len(extensions) {
			name = extensions[e._type]
		}
		names = append(names, name)
	}
	return names
}

// Attributes returns what the plugin says of its versions.
func (p *Plugin) Attributes() pjrt.NamedValuesMap { return p.xla.Attributes() }
