//go:build cgo

package runtime

// This file keeps programs within the memory that they were made for, on GPUs.

import (
	"github.com/gospmd/gospmd/hardware"
	"github.com/gospmd/gospmd/internal/xlaflag"
	"github.com/gospmd/gospmd/program"
	"github.com/gospmd/gospmd/target"
)

// memoryBound returns the bytes of a device that XLA should plan to use for p; 0 if it is not told
// any: only XLA for GPUs is.
func (d *pjrtDriver) memoryBound(p *program.Program) int {
	if d.client.c.Platform() != hardware.CUDA {
		return 0
	}
	return target.GPU.MemoryBound(p)
}

// loadWithin loads p by load, within its bound of memory if XLA can do that (xlaflag.Within).
func (d *pjrtDriver) loadWithin(p *program.Program, load func(flags ...xlaflag.Flag) (*pjrtProgram, error)) (*pjrtProgram, error) {
	return xlaflag.Within(d.memoryBound(p), load, (*pjrtProgram).required, (*pjrtProgram).Free)
}

// required returns the bytes of a device that a run needs.
func (p *pjrtProgram) required() int {
	m, _ := p.Memory() // it has no error
	return m.Required()
}
