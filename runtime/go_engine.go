package runtime

// This file is the driver of the engine written in Go.

import (
	"errors"
	"fmt"

	"github.com/gospmd/gospmd/compile"
	"github.com/gospmd/gospmd/ir"
	"github.com/gospmd/gospmd/runtime/goengine"
	"github.com/gospmd/gospmd/runtime/goengine/interp"
)

// openGo returns an engine of virtual devices.
func openGo(o Options) (Engine, error) {
	if o.Platform != "cpu" {
		return nil, fmt.Errorf("platform %q is not known to the engine written in Go, which runs on the cpu: leave Options.Engine empty", o.Platform)
	}
	if o.Plugin != "" {
		return nil, fmt.Errorf("Options.Plugin names the PJRT plugin %s, which the engine written in Go does not use: leave one of Engine and Plugin empty", o.Plugin)
	}
	return newQueueEngine(goDriver{}, o.Platform, "go", o.Devices, o.QueueDepth), nil
}

// goDriver implements driver. Its buffers are ordinary memory.
type goDriver struct{}

type goBuffer struct{ t *interp.Tensor }

func (b goBuffer) read(dst []byte) error {
	copy(dst, b.t.Data)
	return nil
}

func (goBuffer) free() {}

// put keeps data as it is: nobody changes it any more.
func (goDriver) put(_ int, t ir.Type, data []byte) (rawBuffer, error) {
	return goBuffer{interp.FromBytes(t, data)}, nil
}

func (goDriver) load(p *compile.Program) (rawProgram, error) {
	e, err := goengine.Load(p, goengine.Options{})
	if err != nil {
		return nil, err
	}
	return &goProgram{e}, nil
}

func (goDriver) close() {}

type goProgram struct{ exe *goengine.Executable }

func (p *goProgram) execute(args []rawBuffer, _ []int) ([]rawBuffer, error) {
	program := p.exe.Program()
	n, inputs := program.Mesh.Size(), len(program.Inputs)
	in := make([][]*interp.Tensor, n)
	for pos := range in {
		in[pos] = make([]*interp.Tensor, inputs)
		for i := range in[pos] {
			in[pos][i] = args[pos*inputs+i].(goBuffer).t
		}
	}
	out, err := p.exe.Run(in)
	if err != nil {
		return nil, err
	}
	results := make([]rawBuffer, 0, n*len(program.Outputs))
	for _, row := range out {
		for _, t := range row {
			results = append(results, goBuffer{t})
		}
	}
	return results, nil
}

func (*goProgram) memory() (MemoryStats, error) {
	return MemoryStats{}, fmt.Errorf("%w: the Go engine holds tensors by garbage collection", errors.ErrUnsupported)
}

func (*goProgram) free() {}
