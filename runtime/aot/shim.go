//go:build cgo

package aot

// This file calls a plugin's compiler, in the process that has loaded the plugin.

/*
#cgo LDFLAGS: -ldl
#include <stdlib.h>
#include "pjrt.h"
*/
import "C"

import (
	"fmt"
	"unsafe"
)

// hasCgo says whether this binary can load plugins.
const hasCgo = true

// compileHere loads the plugin into this process, and compiles. The answer's Failed has an error of
// the plugin. The plugin is never unloaded, and the memory that C has allocated is not freed.
func compileHere(q question) answer {
	options := make([]C.NamedValue, len(q.Options)+1)
	for i, o := range q.Options {
		if o.List != nil {
			list := C.CBytes(unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(o.List))), 8*len(o.List)))
			C.setList(&options[i], C.CString(o.Name), (*C.int64_t)(list), C.size_t(len(o.List)))
		} else {
			C.setText(&options[i], C.CString(o.Name), C.CString(o.Text), C.size_t(len(o.Text)))
		}
	}
	size := C.size_t(len(options)) * C.size_t(unsafe.Sizeof(options[0]))
	cOptions := (*C.NamedValue)(C.malloc(size))
	copy(unsafe.Slice(cOptions, len(options)), options)
	cq := C.Question{
		plugin: C.CString(q.Plugin), topology: C.CString(q.Topology),
		topology_options: cOptions, num_topology_options: C.size_t(len(q.Options)),
		code: (*C.char)(C.CBytes(q.Code)), code_size: C.size_t(len(q.Code)),
		options: (*C.char)(C.CBytes(q.CompileOptions)), options_size: C.size_t(len(q.CompileOptions)),
	}
	ca := (*C.Answer)(C.calloc(1, C.size_t(unsafe.Sizeof(C.Answer{}))))
	C.aotCompile(&cq, ca)
	return read(ca)
}

// read returns the plugin's answer, copied to Go. If the compilation failed, it has the failure,
// and neither memory, cost, HLO nor executable.
func read(ca *C.Answer) answer {
	a := answer{
		API:        fmt.Sprintf("%d.%d", ca.major_version, ca.minor_version),
		Version:    C.GoStringN(ca.version.text, C.int(ca.version.size)),
		Devices:    int(ca.devices.num_devices),
		Kind:       C.GoStringN(ca.kind.kind, C.int(ca.kind.size)),
		Attributes: numbers(ca.attributes.attributes, ca.attributes.num_attributes),
		Seconds:    float64(ca.seconds),
	}
	if ca.failed != nil {
		a.Failed = &failure{C.GoString(ca.failed), int(ca.code), C.GoString(ca.message)}
		return a
	}
	m := ca.memory
	a.Memory = Memory{
		Arguments: int(m.arguments), Outputs: int(m.outputs), Aliases: int(m.aliases),
		Temporary: int(m.temporary), Code: int(m.code),
		// XLA's peak counts arguments and results wherever they are (ComputePeakMemory)
		Peak: int(m.peak - (m.host_arguments + m.host_outputs - m.host_aliases)),
		Host: int(m.host_arguments + m.host_outputs - m.host_aliases + m.host_temporary),
	}
	if ca.has_cost != 0 {
		a.Cost = numbers(ca.cost.properties, ca.cost.num_properties)
	}
	a.HLO = C.GoBytes(unsafe.Pointer(ca.optimized.code), C.int(ca.optimized.code_size))
	a.Format = C.GoStringN(ca.optimized.format, C.int(ca.optimized.format_size))
	a.Serialized = C.GoBytes(unsafe.Pointer(ca.serialized.bytes), C.int(ca.serialized.size))
	return a
}

// numbers returns the n attributes at values, which are numbers, by name.
func numbers(values *C.NamedValue, n C.size_t) map[string]float64 {
	out := map[string]float64{}
	for i := range unsafe.Slice(values, n) {
		v := &unsafe.Slice(values, n)[i]
		out[C.GoStringN(v.name, C.int(v.name_size))] = float64(C.numberOf(v))
	}
	return out
}
