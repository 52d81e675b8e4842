package program

// This file defines Program, its inputs and outputs, its diagnostics and its overrides.

import (
	"sync"

	"github.com/gospmd/gospmd/ir"
	"github.com/gospmd/gospmd/layout"
	"github.com/gospmd/gospmd/mesh"
)

// Form says how an engine reads the module of a Program.
type Form int

const (
	// Annotated is one module of global shapes with a sharding on every value. XLA's own
	// partitioner partitions it.
	Annotated Form = iota
	// PerDevice is one module of local shapes with explicit collectives. Every device runs it as it
	// is.
	PerDevice
)

// String returns "annotated" or "per-device".
func (f Form) String() string {
	if f == Annotated {
		return "annotated"
	}
	return "per-device"
}

// Program is a compiled function: the module that an engine runs, and the facts that a caller needs
// to give it arguments. A Program is immutable and holds no device handles, so the same one runs on
// any engine. Use it by pointer.
//
// An engine compiles the text that package target makes from Module, for Mesh.Size() devices: as
// partitions (num_replicas 1) in Form Annotated, and as replicas in Form PerDevice. It assigns
// partition or replica i to the device Mesh.Devices()[i]. The module does not name devices, so only
// the engine needs the order of the mesh. A program for one device has no meshes in its module and
// is the same in both forms; it, too, runs on Mesh.Devices()[0].
//
// Input i of the device at position p of the mesh is the shard that
// Inputs[i].Sharding.ShardRanges(Inputs[i].Type.Dims, p) names, of the type Inputs[i].Local. The
// same holds for outputs.
type Program struct {
	Name string
	Form Form
	// never nil; for one device it is the mesh without axes, unless the module names another one
	Mesh        *mesh.DeviceMesh
	Module      *ir.Module
	Inputs      []Input
	Outputs     []Output
	Diagnostics []Diagnostic // warnings of the compiler
	// Overrides are the annotations that the compiler changed because another layout costs less, in
	// program order.
	Overrides []Override

	// Target names the target whose passes have run, a row of package target such as "cpu"; it is
	// "" if that is not known.
	Target string

	// Machine names the machine that the compiler decided for; it is "" if that is not known.
	Machine string

	// Fitting says how the program was made to fit into memory; nil without a limit, memory policies
	// and micro-batches.
	Fitting *Fitting

	// OneDeviceFlops is the number of FLOPs of the same function on a single device, or 0 if it is
	// not known.
	OneDeviceFlops int

	mu   sync.Mutex // guards kept
	kept map[string][]byte
}

// Keep returns the bytes that belong to key. At the first call with a key it gets them from build,
// and keeps them: package target keeps the texts for compilers with a program in this way. It may
// be called from several goroutines. The caller must not change the result.
func (p *Program) Keep(key string, build func() []byte) []byte {
	p.mu.Lock()
	defer p.mu.Unlock()
	if _, ok := p.kept[key]; !ok {
		if p.kept == nil {
			p.kept = map[string][]byte{}
		}
		p.kept[key] = build()
	}
	return p.kept[key]
}

// TensorInfo describes an input or output of a Program.
type TensorInfo struct {
	Name     string
	Type     ir.Type          // the global shape
	Sharding *layout.Sharding // on Program.Mesh, all dimensions closed; never nil
	Local    ir.Type          // the padded shape of one device's shard
	Memory   ir.MemoryKind    // the memory that the shards are in
}

// Input is an argument of a Program.
type Input struct {
	TensorInfo
	// Alias is the index of the output that takes over this input's buffers, or -1. An input with
	// Alias >= 0 is donated: its array is invalid after the run.
	Alias int
	Role  ir.Role
}

// Donated reports whether running the program consumes the input.
func (i Input) Donated() bool { return i.Alias >= 0 }

// Output is a result of a Program.
type Output struct{ TensorInfo }

// Diagnostic is a warning of the compiler: for example, that a sharding could
// not be used as the user annotated it.
type Diagnostic struct {
	Subject string // the value or rule it is about: "x", "d1/kernel"
	Text    string
}

// String returns "subject: text".
func (d Diagnostic) String() string { return d.Subject + ": " + d.Text }

// Override is a value that the user annotated and that the program has only in other layouts.
type Override struct {
	Value     string `json:"value"`        // the name of the value in the module that was compiled, such as %12
	Name      string `json:"name"`         // the name with the value's op, location and type
	By        string `json:"by,omitempty"` // what annotated the value: a rule of a layout map or a constraint; empty: an annotation on the value itself
	Annotated string `json:"annotated"`
	Runs      string `json:"runs_as"`
}

// String names the value, the sharding that was annotated, the origin of the annotation, and the
// sharding that runs instead.
func (o Override) String() string {
	by := ""
	if o.By != "" {
		by = " by " + o.By
	}
	return o.Name + " is annotated " + o.Annotated + by + " and runs as " + o.Runs
}
