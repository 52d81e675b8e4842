//go:build cgo

package pjrtapi

// This file reads a plugin's properties, and those of the devices of its clients.

/*
#include "pjrt.h"
*/
import "C"

import (
	"strconv"
	"unsafe"

	"github.com/gomlx/go-xla/pjrt"
)

// Client is go-xla's client, with its devices.
type Client struct {
	*pjrt.Client
	Devices []Device // of this process
}

// Device is one device of a client.
type Device struct {
	Kind   string // "cpu", "NVIDIA H100 80GB HBM3"
	Memory int    // bytes that programs may take; 0 where the plugin does not say
	// PinnedHost says that the device can read pinned memory of the host.
	PinnedHost bool
}

// pinnedHost is the kind of the pinned memory of the host.
var pinnedHost = C.CString("pinned_host")

// devices returns the kind and the memory of each device of a client in this process, and whether
// it can read pinned memory of the host.
func (p *Plugin) devices(client unsafe.Pointer) ([]Device, error) {
	args := C.DevicesArgs{client: client}
	if err := takeMessage(C.devicesOf(p.table, &args)); err != nil {
		return nil, err
	}
	list := make([]Device, args.num_devices)
	for i, device := range unsafe.Slice(args.devices, len(list)) {
		var out C.KindArgs
		if err := takeMessage(C.kindOf(p.table, device, &out)); err != nil {
			return nil, err
		}
		list[i] = Device{
			Kind: string(bytesOf(out.kind, out.kind_size)), Memory: int(C.memoryOf(p.table, device)), PinnedHost: bool(C.hasMemory(p.table, device, pinnedHost)),
		}
	}
	return list, nil
}

// extensions has the names of the values of PJRT_Extension_Type, by the value.
var extensions = []string{
	"Gpu_Custom_Call", "Profiler", "Custom_Partitioner", "Stream", "Layouts", "FFI", "MemoryDescriptions", "Triton", "RawBuffer",
	"PhaseCompile", "Example", "Unknown", "CrossHostTransfers", "ExecutableMetadata", "Callback", "HostAllocator", "TpuTopology",
	"TpuExecutable", "Megascale", "Shardings", "AbiVersion", "Collectives", "MultiSlice", "HostMemoryAllocator",
}

// Extensions returns the names of the extensions of PJRT that the plugin has, in its order. An
// extension that is newer than the list of names is given by its number.
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

// Attributes returns the plugin's attributes by name, such as the versions of StableHLO and XLA:
// texts, numbers or lists of numbers.
func (p *Plugin) Attributes() pjrt.NamedValuesMap { return p.xla.Attributes() }
