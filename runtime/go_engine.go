package runtime

// This file implements Driver on package goengine, the engine written in Go.

import (
	"errors"
	"fmt"
	"slices"

	"github.com/gospmd/gospmd/hardware"
	"github.com/gospmd/gospmd/ir"
	"github.com/gospmd/gospmd/program"
	"github.com/gospmd/gospmd/runtime/collective"
	"github.com/gospmd/gospmd/runtime/goengine"
	"github.com/gospmd/gospmd/runtime/goengine/interp"
)

// openGo returns an engine, written in Go, of as many virtual devices as o says, in the job j,
// which may be nil. It returns an error for options that only PJRT has.
func openGo(o Options, j *job) (Engine, error) {
	if o.Platform != hardware.CPU {
		return nil, fmt.Errorf("platform %q is not known to the engine written in Go, which runs on the cpu: leave Options.Engine (and $%s) empty, or choose the platform \"cpu\"", o.Platform, engineVar)
	}
	if o.Plugin != "" {
		return nil, fmt.Errorf("Options.Plugin names the PJRT plugin %s, which the engine written in Go does not use: leave one of Engine and Plugin empty", o.Plugin)
	}
	return NewEngine(goDriver{o.observer()}, o.driverOptions(slices.Repeat([]string{"go"}, o.Devices), nil, j)), nil
}

// goDriver implements Driver by the engine written in Go. Its buffers are ordinary memory.
type goDriver struct {
	observe func(device int, op *ir.Op, results []*interp.Tensor) // nil for none
}

type goBuffer struct{ t *interp.Tensor }

func (b goBuffer) Read(dst []byte) error {
	copy(dst, b.t.Data)
	return nil
}

func (goBuffer) Free() {}

// Put makes data itself the buffer. The caller does not change data afterwards.
func (goDriver) Put(_ int, t ir.Type, data []byte) (DriverBuffer, error) {
	return goBuffer{interp.FromBytes(t, data)}, nil
}

func (d goDriver) Load(p *program.Program) (DriverProgram, error) {
	e, err := goengine.Load(p, goengine.Options{Observe: d.observe})
	if err != nil {
		return nil, err
	}
	return &goProgram{e}, nil
}

// loadAcross adds the collectives of the program to x, in the order of the program, and loads it.
// It runs collectives that cross processes by x. A collective that is none of the spmd dialect is
// an error.
func (d goDriver) loadAcross(p *program.Program, x *crossings) (DriverProgram, error) {
	channels := make(map[*ir.Op]int)
	var faults error
	if len(p.Module.Meshes) > 0 {
		m := p.Module.Meshes[0].Mesh
		for _, f := range p.Module.Funcs {
			f.Walk(func(op *ir.Op) {
				if op.Info().Is(ir.OnMesh) && op.Info().Is(ir.Collective) {
					channels[op] = len(x.list)
					faults = errors.Join(faults, x.add(op, m, false))
				}
			})
		}
	}
	if faults != nil {
		return nil, faults
	}
	e, err := goengine.Load(p, goengine.Options{At: x.at, Observe: d.observe, Cross: func(op *ir.Op, in [][]*interp.Tensor) ([][]*interp.Tensor, error) {
		channel, ok := channels[op]
		if !ok {
			return nil, fmt.Errorf("%s across processes: compile the program with Options.Partitioner compile.SPMD, which leaves none", op.FullName())
		}
		out := make([][]*interp.Tensor, len(in))
		for i := range out {
			for _, r := range op.Results {
				out[i] = append(out[i], interp.New(r.Type))
			}
		}
		return out, x.run(channel, hostTensors(in), hostTensors(out))
	}})
	if err != nil {
		return nil, err
	}
	return &goProgram{e}, nil
}

// hostTensors returns the interpreter's tensors as tensors of package collective, which share their
// memory.
func hostTensors(rows [][]*interp.Tensor) [][]collective.Tensor {
	out := make([][]collective.Tensor, len(rows))
	for i, row := range rows {
		for _, t := range row {
			out[i] = append(out[i], collective.Tensor{DType: t.Type.DType, Dims: t.Type.Dims, Data: t.Data})
		}
	}
	return out
}

func (goDriver) Close() {}

type goProgram struct{ exe *goengine.Executable }

func (p *goProgram) Execute(args []DriverBuffer, _ []int) ([]DriverBuffer, error) {
	program := p.exe.Program()
	inputs := len(program.Inputs)
	in := make([][]*interp.Tensor, p.exe.Local())
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
	results := make([]DriverBuffer, 0, len(in)*len(program.Outputs))
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
