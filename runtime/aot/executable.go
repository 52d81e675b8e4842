package aot

// This file defines what a compiler says of a program.

import (
	"errors"
	"strings"

	"github.com/gospmd/gospmd/hardware"
	"github.com/gospmd/gospmd/program"
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

	serialized []byte
}

// Memory is what a device holds, in bytes.
type Memory struct {
	Arguments, Outputs int
	Aliases            int // of the outputs: those that take over an argument's memory
	Temporary          int
	Code               int
	Peak               int // at the fullest moment
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

// executable returns what the plugin answered of p.
func executable(a answer, p *program.Program, t hardware.Target) (*Executable, error) {
	e := &Executable{
		Target: t, Name: p.Name, Memory: a.Memory,
		Flops: a.Cost["flops"], BytesAccessed: a.Cost["bytes accessed"], EstimatedSeconds: a.Cost["optimal_seconds"],
		HLO: a.HLO, Compiler: a.compiler(), CompileSeconds: a.Seconds, serialized: a.Serialized,
	}
	if a.Format == "hlo_with_config" {
		var err error
		if e.HLO, err = withoutConfig(a.HLO); err != nil {
			return nil, err
		}
	}
	m, err := parseHLO(e.HLO)
	if err != nil {
		return nil, err
	}
	e.Collectives = m.collectives(p.Mesh.Size())
	return e, nil
}

// compiler names the plugin and its version on one line.
func (a answer) compiler() string {
	return strings.Join(strings.Fields(a.Version), " ") + ", PJRT " + a.API
}
