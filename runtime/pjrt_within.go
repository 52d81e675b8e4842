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

// loadWithin loads p by load. If the executable needs more memory than p's bound, it loads p again
// with xlaflag.InOrder, and takes what needs less. Package runtime/aot does the same.
func (d *pjrtDriver) loadWithin(p *program.Program, load func(flags ...xlaflag.Flag) (*pjrtProgram, error)) (*pjrtProgram, error) {
	l, err := load()
	bound := d.memoryBound(p)
	if err != nil || bound == 0 || l.required() <= bound {
		return l, err
	}
	ordered, err := load(xlaflag.InOrder)
	if err != nil || ordered.required() >= l.required() {
		if err == nil {
			ordered.Free()
		}
		return l, nil
	}
	l.Free()
	return ordered, nil
}

// required returns the bytes of a device that a run needs.
func (p *pjrtProgram) required() int {
	m, err := p.Memory()
	if err != nil {
		return 0
	}
	return m.Required()
}
