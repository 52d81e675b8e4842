package runtime

// This file implements Driver on package goengine, the engine written in Go.

import (
	"errors"
	"fmt"

	"github.com/gospmd/gospmd/ir"
	"github.com/gospmd/gospmd/program"
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
	return NewEngine(goDriver{}, o.driverOptions("go", o.Devices)), nil
}

// goDriver implements Driver. Its buffers are ordinary memory.
type goDriver struct{}

type goBuffer struct{ t *interp.Tensor }

func (b goBuffer) Read(dst []byte) error {
	copy(dst, b.t.Data)
	return nil
}

func (goBuffer) Free() {}

// Put makes data the buffer itself: nobody changes it any more.
func (goDriver) Put(_ int, t ir.Type, data []byte) (DriverBuffer, error) {
	return goBuffer{interp.FromBytes(t, data)}, nil
}

func (goDriver) Load(p *program.Program) (DriverProgram, error) {
	e, err := goengine.Load(p, goengine.Options{})
	if err != nil {
		return nil, err
	}
	return &goProgram{e}, nil
}

func (goDriver) Close() {}

type goProgram struct{ exe *goengine.Executable }

func (p *goProgram) Execute(args []DriverBuffer, _ []int) ([]DriverBuffer, error) {
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
	results := make([]DriverBuffer, 0, n*len(program.Outputs))
	for _, row := range out {
		for _, t := range row {
			results = append(results, goBuffer{t})
		}
	}
	return results, nil
}

func (*goProgram) Memory() (MemoryStats, error) {
	return MemoryStats{}, fmt.Errorf("%w: the Go engine holds tensors by garbage collection", errors.ErrUnsupported)
}

func (*goProgram) Free() {}
