package compile

// This file defines Program, what compilation ends in and a runtime runs.

import (
	"bytes"
	"sync"

	"github.com/gospmd/gospmd/ir"
	"github.com/gospmd/gospmd/layout"
	"github.com/gospmd/gospmd/mesh"
)

// Form says how the module of a Program is to be read.
type Form int

const (
	// Annotated: one module of global shapes with a sharding on every value,
	// which XLA's own partitioner splits.
	Annotated Form = iota
	// PerDevice: one module of local shapes with explicit collectives, which
	// every device runs as it stands.
	PerDevice
)

// Program is a compiled function: the module that an engine runs, and what a
// caller must know to feed it. A Program is immutable and names no device
// handles; the same one runs on any engine. Use it by pointer.
//
// What an engine must do: compile Text for Mesh.Size() devices, as partitions
// (num_replicas 1) in Form Annotated and as replicas in Form PerDevice, and
// assign number i of them to the device Mesh.Devices()[i]. The module never
// says which device is which: the order of the mesh is the engine's business
// alone. A program for one device says nothing of meshes and is the same in
// both forms; it, too, runs on Mesh.Devices()[0].
//
// Input i of the device at position p of the mesh is the shard that
// Inputs[i].Sharding.ShardRanges(Inputs[i].Type.Dims, p) names, of the type
// Inputs[i].Local; outputs alike.
type Program struct {
	Name    string
	Form    Form
	Mesh    *mesh.DeviceMesh // never nil; one device has the mesh without axes, unless the module names another
	Module  *ir.Module
	Inputs  []Input
	Outputs []Output
	Notices []Notice // what the compiler wants the user to know

	whole int // flops of one device alone; 0 if not known

	once sync.Once // guards text
	text []byte
}

// Text returns the module for the engine, in StableHLO's text form with
// locations (engines turn layer paths into the names that profilers show).
// It is made once and always the same for the same module and options. The
// caller must not change it.
func (p *Program) Text() []byte {
	p.once.Do(func() {
		var b bytes.Buffer
		m := p.Module
		if p.Form == PerDevice {
			m = expand(m)
		}
		if err := ir.Print(&b, m, ir.PrintOptions{Locations: true}); err != nil {
			panic("BUG: writing to memory failed: " + err.Error())
		}
		p.text = b.Bytes()
	})
	return p.text
}

// Port describes one input or output.
type Port struct {
	Name     string
	Type     ir.Type          // the global shape
	Sharding *layout.Sharding // on Program.Mesh, all dimensions closed; never nil
	Local    ir.Type          // the padded shape of one device's shard
}

// Input is a parameter of a Program.
type Input struct {
	Port
	// Alias is the output that takes over this input's buffers, or -1. An
	// input with Alias >= 0 is donated: its array is invalid after the run.
	Alias int
	Role  ir.Role
}

// Donated reports whether running the program consumes the input.
func (i Input) Donated() bool { return i.Alias >= 0 }

// Output is a result of a Program.
type Output struct{ Port }

// Notice is a remark of the compiler that is no error: where a layout could
// not be used as pinned, for example.
type Notice struct {
	Subject string // the value or rule it is about: "x", "d1/kernel"
	Text    string
}

// String returns "subject: text".
func (n Notice) String() string { return n.Subject + ": " + n.Text }

// Partitioner splits a module that has a sharding on every value.
type Partitioner int

const (
	// SPMD splits by package partition (Form PerDevice): the default.
	SPMD Partitioner = iota
	// XLA leaves the splitting to XLA's own partitioner (Form Annotated): the
	// cross-check.
	XLA
)

// Options control Compile. The zero value is the default.
type Options struct {
	Partitioner Partitioner
	// DumpDir, unless empty, receives the module after each pass, in numbered
	// files.
	DumpDir string
	// ShardedUpdate splits the optimizer's slots and its work over the axes
	// that split the data: each device updates a part of the weights, which are
	// then gathered. It sends what summing the gradients would, and the slots
	// take less memory.
	ShardedUpdate bool
	// AsPropagated leaves every value where propagation lays it out, at whatever
	// cost; see pass balance.
	AsPropagated bool
	// Budget bounds what the program may cost; it needs the partitioner SPMD.
	Budget Budget
}
