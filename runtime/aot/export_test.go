package aot

// This file exports the functions that read compilers' output to tests.

import (
	"github.com/gospmd/gospmd/hardware"
	"github.com/gospmd/gospmd/program"
)

var (
	BinaryBytes = binaryBytes
	GPUConfig   = gpuConfig
	Describe    = tpuTopology
)

// Option is an option that Describe returns.
type Option = option

// CollectivesOf returns the collectives of an HloModuleProto for 8 devices.
func CollectivesOf(module []byte) ([]Collective, error) {
	m, err := parseHLO(module)
	if err != nil {
		return nil, err
	}
	return m.collectives(8), nil
}

// ProductsInLoops returns how many products, convolutions and calls of libraries are in the loops of
// an HloModuleProto, each once.
func ProductsInLoops(module []byte) (n int, err error) {
	m, err := parseHLO(module)
	if err != nil {
		return 0, err
	}
	visited := map[int]bool{}
	var count func(computation int)
	count = func(computation int) {
		if visited[computation] {
			return
		}
		visited[computation] = true
		for _, i := range m.computations[computation] {
			if i.opcode == "dot" || i.opcode == "convolution" || i.opcode == "custom-call" {
				n++
			}
			for _, called := range i.called {
				count(called)
			}
		}
	}
	for _, instructions := range m.computations {
		for _, i := range instructions {
			if i.opcode == "while" {
				for _, called := range i.called {
					count(called)
				}
			}
		}
	}
	return n, nil
}

// Dropped returns the *DroppedError if module, p's optimized module, lacks ops of p that compute
// values again; otherwise nil.
func Dropped(p *program.Program, module []byte) error {
	m, err := parseHLO(module)
	if err != nil {
		return err
	}
	return m.droppedError(p)
}

// DroppedOffload returns the *OffloadError if module, p's optimized module, keeps in the memory of the
// device what p keeps in the host's; otherwise nil.
func DroppedOffload(p *program.Program, module []byte) error {
	m, err := parseHLO(module)
	if err != nil {
		return err
	}
	return m.offloadError(p)
}

// OutOfMemory returns the error of a program p that a compiler for t, with this limit of memory,
// refused with the message; nil if the message says something else.
func OutOfMemory(message string, p *program.Program, t hardware.Target, limit float64) *OutOfMemoryError {
	return refusalError(answer{Failed: &failure{Message: message}, Attributes: map[string]float64{"device_memory_bytes_limit": limit}}, p, t)
}

// TooLargeError returns the error for p if it needs more memory than a device has; otherwise nil. e
// was compiled from p.
func (e *Executable) TooLargeError(p *program.Program) *OutOfMemoryError { return e.tooLargeError(p) }
