package aot

// This file defines what a compiler says of a program.

import (
	"errors"

	"github.com/gospmd/gospmd/hardware"
)

// Executable is a program as it was compiled for a target.
type Executable struct {
	Target hardware.Target
	Name   string // of the program
	Memory Memory
	// Flops and BytesAccessed are one device's share, by the compiler's analysis; 0
	// where it has none.
	Flops, BytesAccessed float64
	// EstimatedSeconds is how long the compiler expects a run to take; 0 where it
	// does not say.
	EstimatedSeconds float64
	Collectives      []Collective // in program order
	// HLO is the optimized module, an HloModuleProto.
	HLO []byte
	// Compiler names the plugin and its version.
	Compiler       string
	CompileSeconds float64
}

// Memory is what a device holds, in bytes.
type Memory struct {
	Arguments, Outputs int
	Aliases            int // of the outputs: those that take over an argument's memory
	Temporary          int
	Code               int
	Peak               int // at the fullest moment
}

// Collective is a collective operation of the optimized module. The two ends of an
// asynchronous one are one Collective.
type Collective struct {
	Kind              string // "all-reduce", "all-gather", …
	Bytes             int    // of its results on a device
	DType             string // of its first result, as HLO names it: "f32"
	Async             bool
	Groups, GroupSize int
	Channel           int
	OpName            string // the layer and operation that it comes from
}

// Tensor is a buffer that an OutOfMemoryError names.
type Tensor struct {
	Bytes int
	Shape string // with its element type: "f32[8192,8192]"
	Layer string // the layer and operation that it comes from; may be empty
}

// OutOfMemoryError says that a program does not fit a device of its target.
type OutOfMemoryError struct {
	Target          hardware.Target
	Limit, Required int // bytes per device
	Largest         []Tensor
}

func (e *OutOfMemoryError) Error() string { return "aot: the program needs more memory than there is" }

// Save writes the figures and the serialized executable into a file that is either
// whole or not there.
func (e *Executable) Save(path string) error { return errors.New("aot: not built yet") }

// Open reads what Save wrote.
func Open(path string) (*Executable, error) { return nil, errors.New("aot: not built yet") }
