package cost

// This file holds the assumptions of predictions about compilers, as a table.

import (
	"github.com/gospmd/gospmd/compile/cost/buffers"
	"github.com/gospmd/gospmd/hardware"
)

// compiler is what predictions assume about the compiler of a platform. The zero value is that of
// platforms without a row.
type compiler struct {
	memory buffers.Model // the zero value is the model of CPUs
	// libtpu says that libtpu's rules hold: which kernels it makes, what these and collectives
	// access in memory (tpu.go), and which collectives run beside kernels (async.go).
	libtpu bool
	// bandwidth is the part of the memory's bandwidth that the compiler's estimates assume; 0: all.
	bandwidth float64
}

// compilers has the rows, by platform.
var compilers = map[string]compiler{
	hardware.TPU:  {memory: buffers.TPU, libtpu: true, bandwidth: .9},
	hardware.CUDA: {memory: buffers.GPU},
}

// compiler returns the row of the machine's platform.
func (m *Machine) compiler() compiler { return compilers[m.Platform] }
