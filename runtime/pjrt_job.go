//go:build cgo

package runtime

// This file loads programs whose mesh spans processes on PJRT: XLA runs the module
// of this process' devices, and calls back for the collectives that cross
// processes.

import (
	"fmt"
	"time"

	"github.com/gospmd/gospmd/hardware"
	"github.com/gospmd/gospmd/internal/xlaflag"
	"github.com/gospmd/gospmd/program"
	"github.com/gospmd/gospmd/runtime/collective"
	"github.com/gospmd/gospmd/runtime/ffi"
	"github.com/gospmd/gospmd/runtime/pjrtapi"
	"github.com/gospmd/gospmd/runtime/pjrtkv"
	"github.com/gospmd/gospmd/target"
)

// loadAcross implements processDriver: it loads p, whose mesh spans processes. On CPUs each process
// compiles its part, with calls of x where devices communicate; on other platforms XLA
// communicates. A program that XLA would have to partition is an error.
func (d *pjrtDriver) loadAcross(p *program.Program, x *crossings) (DriverProgram, error) {
	if p.Form != program.PerDevice {
		return nil, fmt.Errorf("its mesh %s spans processes, and XLA's partitioner takes the devices of one: compile it with Options.Partitioner compile.SPMD", p.Mesh)
	}
	devices := d.localDevices(p.Mesh)
	if d.client.c.Platform() != hardware.CPU {
		return d.loadGlobal(p, devices)
	}
	calls := ffi.NewCollectives(devices, x.call)
	text, list := target.LocalText(p, x.at, calls.Number())
	for _, c := range list {
		if err := x.add(c.Op, p.Module.Meshes[0].Mesh, c.Summed); err != nil {
			calls.Close()
			return nil, err
		}
	}
	l, err := d.load(p, d.client.c.Compile().WithStableHLO(text).WithSPMD(len(devices)).WithDeviceAssignment(devices), nil)
	if err != nil {
		calls.Close()
		return nil, err
	}
	l.failed = x.endJobSoon
	closed := make(chan struct{})
	l.free = func() {
		close(closed)
		calls.Close()
	}
	go func() {
		select {
		case <-x.job.failed:
			calls.Abort(x.abandon)
		case <-closed:
		}
	}()
	return l, nil
}

// loadGlobal loads a program whose mesh spans processes, where XLA's own runtime runs the
// collectives. devices are the indices of this process' devices, in the order of the mesh. It has
// not been tried on hardware: XLA's plugin for CPUs has no such runtime.
func (d *pjrtDriver) loadGlobal(p *program.Program, devices []int) (DriverProgram, error) {
	l, err := d.loadWithin(p, func(flags ...xlaflag.Flag) (*pjrtProgram, error) {
		config := d.client.c.Compile().WithStableHLO(target.Of(d.client.c.Platform()).Text(p)).WithSPMD(len(devices)).WithDeviceAssignment(d.numbers(devices))
		return d.load(p, config, func(c *pjrtapi.Compilation) { c.SetOptions(pjrtkv.Assign(c.Options(), p.Mesh.Devices())) }, flags...)
	})
	if err != nil {
		return nil, err
	}
	return l, nil
}

// call runs the collective that XLA calls. An error ends the job soon.
func (c *crossings) call(call *ffi.Call) error {
	err := c.run(call.Channel, callTensors(call.In), callTensors(call.Out))
	if err != nil {
		c.endJobSoon(err)
	}
	return err
}

// endJobSoon ends the job after a collective or a device has failed: devices of this process and of
// others may wait forever. It gives the run time to end by itself first. If the cause is a lost
// process, whose connections break before its loss is reported, the job ends with that loss.
func (c *crossings) endJobSoon(err error) {
	time.AfterFunc(abandonTime, func() { c.job.end(c.job.cause(err)) })
}

// abandon returns the error for a collective that is not called any more, because the job has
// failed. It makes the collective the one that place names.
func (c *crossings) abandon(channel int) error {
	c.current.CompareAndSwap(nil, c.list[channel].op)
	return c.job.failure()
}

// callTensors converts the buffers that XLA passes to tensors of package collective. It drops the
// last operand and the last result: they only order the calls.
func callTensors(rows [][]ffi.Buffer) [][]collective.Tensor {
	out := make([][]collective.Tensor, len(rows))
	for i, row := range rows {
		out[i] = make([]collective.Tensor, len(row)-1)
		for k, b := range row[:len(row)-1] {
			out[i][k] = collective.Tensor{DType: b.DType, Dims: b.Dims, Data: b.Data}
		}
	}
	return out
}
