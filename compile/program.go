package compile

// This file defines Program, what compilation ends in and a runtime runs.

import (
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
// handles; the same one runs on any engine.
type Program struct {
	Name    string
	Form    Form
	Mesh    *mesh.DeviceMesh // never nil; one device has the mesh without axes
	Module  *ir.Module
	Inputs  []Input
	Outputs []Output
	Notices []Notice // what the compiler wants the user to know
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
	// XLA leaves the splitting to XLA's own partitioner (Form Annotated).
	XLA Partitioner = iota
)

// Options control Compile. The zero value is the default.
type Options struct {
	Partitioner Partitioner
	// DumpDir, unless empty, receives the module after each pass, in numbered
	// files.
	DumpDir string
}
