package aot

// This file defines Executable, the result of a compilation.

import (
	"math"
	"path/filepath"
	"strings"

	"github.com/gospmd/gospmd/hardware"
	"github.com/gospmd/gospmd/program"
)

// Executable is a program that was compiled for a target.
type Executable struct {
	Target hardware.Target `json:"target"`
	Name   string          `json:"name"` // name of the program
	Memory Memory          `json:"memory"`
	// MemoryLimit is the part of a device's memory that the compiler lets a program use, in bytes.
	MemoryLimit int `json:"memory_limit"`
	// Flops and BytesAccessed are one device's share, by the compiler's analysis; 0 if it has none.
	Flops         float64 `json:"flops"`
	BytesAccessed float64 `json:"bytes_accessed"`
	// EstimatedSeconds is how long the compiler expects a run to take at best; 0 if it has no
	// estimate. libtpu's estimate leaves out the time that collectives wait, and
	// OpsWithoutEstimate.
	EstimatedSeconds float64 `json:"estimated_seconds"`
	// OpsWithoutEstimate is the number of ops whose time the compiler does not know.
	OpsWithoutEstimate int `json:"ops_without_estimate"`
	// Machine is the machine that our compiler has optimized for; "" if it is not known.
	// PredictedSeconds is the time of a run that package cost predicts, on the machine PredictedOn
	// or, if that is "", on Machine; 0 if it is not known. The caller of Compile sets all three.
	Machine          string       `json:"machine,omitempty"`
	PredictedSeconds float64      `json:"predicted_seconds,omitempty"`
	PredictedOn      string       `json:"predicted_on,omitempty"`
	Collectives      []Collective `json:"collectives"` // in the order in which they run
	// HLO is the optimized module, an HloModuleProto.
	HLO []byte `json:"-"`
	// Serialized is the executable in the plugin's format. Only a plugin of the same version can
	// load it.
	Serialized []byte `json:"-"`
	// Compiler names the plugin and its version.
	Compiler       string  `json:"compiler"`
	CompileSeconds float64 `json:"compile_seconds"`
}

// Memory is the memory of a run on one device, in bytes.
type Memory struct {
	Arguments int `json:"arguments"`
	Outputs   int `json:"outputs"`
	Aliases   int `json:"aliases"` // the part of the outputs that reuses memory of arguments
	Temporary int `json:"temporary"`
	Code      int `json:"code"` // 0 if it is not known
	// Peak is the largest memory of a device in use at one time. On TPUs it includes memory on the
	// chip (VMEM), where many temporary tensors are the whole time: it is the sum of arguments,
	// results and the temporary memory of one kind, the device's own or that on the chip, whichever
	// is larger. Arguments and results in the memory of the host are left out.
	Peak int `json:"peak"`
	// Host is the memory of the host that a device needs there: for arguments, for outputs that are
	// not in their memory, and for temporary values that the program moves. Arguments, Outputs,
	// Aliases and Temporary leave it out.
	Host int `json:"host,omitempty"`
}

// Required returns the memory that a device must have, in bytes: arguments, outputs that are not in
// their memory, temporary values and code.
func (m Memory) Required() int {
	return m.Arguments + m.Outputs - m.Aliases + m.Temporary + m.Code
}

// estimate returns how many seconds a run takes at best, and the number of ops without an estimate,
// from sum, the compiler's figure. libtpu adds -1 second to it for each such op. estimate assumes
// that the real sum is less than a second.
func estimate(sum float64) (seconds float64, without int) {
	if sum >= 0 {
		return sum, 0
	}
	whole := math.Floor(sum)
	return sum - whole, int(-whole)
}

// newExecutable makes the Executable of program p on t from the answer of the compiling process,
// and returns the optimized module too. file is the plugin's.
func newExecutable(a answer, p *program.Program, t hardware.Target, file string) (*Executable, *hloModule, error) {
	seconds, without := estimate(a.Cost["optimal_seconds"])
	e := &Executable{
		Target: t, Name: p.Name, Memory: a.Memory, MemoryLimit: int(a.Attributes[memoryLimit]),
		Flops: a.Cost["flops"], BytesAccessed: a.Cost["bytes accessed"],
		EstimatedSeconds: seconds, OpsWithoutEstimate: without,
		HLO: a.HLO, Serialized: a.Serialized, Compiler: a.compiler(file), CompileSeconds: a.Seconds,
	}
	if a.Format == "hlo_with_config" {
		var err error
		if e.HLO, err = withoutConfig(a.HLO); err != nil {
			return nil, nil, err
		}
	}
	m, err := parseHLO(e.HLO)
	if err != nil {
		return nil, nil, err
	}
	e.Collectives = m.collectives(p.Mesh.Size())
	return e, m, nil
}

// compiler returns the name of the plugin's file, its version and that of PJRT's interface, on one
// line.
func (a answer) compiler(file string) string {
	return filepath.Base(file) + ", " + strings.Join(strings.Fields(a.Version), " ") + ", PJRT " + a.API
}
