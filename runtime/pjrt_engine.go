//go:build cgo

package runtime

// This file implements Engine on PJRT, XLA's device API, by way of go-xla:
// opening a plugin, transfers to the devices and compiling.

import (
	"context"
	"fmt"
	"sync"
	"sync/atomic"

	"github.com/gomlx/go-xla/pjrt"

	"github.com/gospmd/gospmd/compile"
	"github.com/gospmd/gospmd/ir"
	"github.com/gospmd/gospmd/runtime/plugin"
)

// pjrtEngine has two lanes: executions, in order, and transfers to the
// devices, which so overtake the executions queued before them.
type pjrtEngine struct {
	client   *pjrtClient
	platform string
	devices  []Device
	runs     *lane
	puts     *lane
}

// putDepth bounds the transfers in flight. They never wait for an execution,
// so a full lane empties at the speed of memory.
const putDepth = 64

// loading guards the environment and go-xla's list of plugins.
var loading sync.Mutex

func openEngine(ctx context.Context, o Options) (Engine, error) {
	path, err := plugin.Find(ctx, plugin.Options{Platform: o.Platform, Path: o.Plugin})
	if err != nil {
		return nil, err
	}
	c, err := newPJRTClient(path, o)
	if err != nil {
		return nil, fmt.Errorf("PJRT plugin %s: %w", path, err)
	}
	e := &pjrtEngine{
		client:   &pjrtClient{c: c},
		platform: o.Platform,
		runs:     newLane(o.QueueDepth),
		puts:     newLane(putDepth),
	}
	e.client.refs.Store(1)
	for i := range c.NumDevices() {
		e.devices = append(e.devices, Device{ID: i, Kind: c.Platform()})
	}
	return e, nil
}

func newPJRTClient(path string, o Options) (c *pjrt.Client, err error) {
	loading.Lock()
	defer loading.Unlock()
	quietXLA()
	options := pjrt.NamedValuesMap{}
	if o.Platform == "cpu" {
		disableXNNPACK()
		options["cpu_device_count"] = int64(o.Devices)
	}
	err = guard(func() error {
		p, err := pjrt.GetPlugin(path)
		if err != nil {
			return err
		}
		c, err = p.NewClient(options)
		return err
	})
	if err != nil {
		return nil, err
	}
	if o.Platform == "cpu" && c.NumDevices() != o.Devices {
		return nil, fmt.Errorf("it made %d devices where %d were asked for: its version does not know the option cpu_device_count, take the one that gospmd installs",
			c.NumDevices(), o.Devices)
	}
	return c, nil
}

// guard turns a panic of go-xla into an error.
func guard(f func() error) (err error) {
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("go-xla panicked: %v", r)
		}
	}()
	return f()
}

func (e *pjrtEngine) Platform() string  { return e.platform }
func (e *pjrtEngine) Devices() []Device { return e.devices }

func (e *pjrtEngine) Put(device int, t ir.Type, data []byte) (Buffer, error) {
	if device < 0 || device >= len(e.devices) {
		return nil, fmt.Errorf("device %d: the client has devices 0 to %d", device, len(e.devices)-1)
	}
	if len(data) != t.Bytes() {
		return nil, fmt.Errorf("BUG: %d bytes for %s, which takes %d", len(data), t, t.Bytes())
	}
	if len(data) == 0 {
		data = make([]byte, 1) // PJRT wants an address even of nothing
	}
	f := newFlight()
	b := newPJRTBuffer(e, t, f)
	err := e.puts.push(func() {
		var raw *pjrt.Buffer
		err := guard(func() (err error) {
			raw, err = e.client.c.BufferFromHost().FromRawData(data, t.DType, t.Dims).ToDeviceNum(device).Done()
			return err
		})
		if err != nil {
			err = fmt.Errorf("transfer of %s to device %d: %w", t, device, err)
		}
		data = nil // the lane remembers its last task
		b.set(raw)
		f.land(err)
		b.drop()
	})
	if err != nil {
		return nil, err
	}
	return b, nil
}

func (e *pjrtEngine) Load(ctx context.Context, p *compile.Program) (Loaded, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	l := &pjrtLoaded{engine: e, program: p}
	for i, in := range p.Inputs {
		if in.Donated() {
			l.donated = append(l.donated, i)
		}
	}
	l.flatDonated = flatIndices(l.donated, len(p.Inputs), p.Mesh.Size())
	e.client.hold()
	err := guard(func() (err error) {
		l.exe, err = e.compileConfig(p).Done()
		return err
	})
	if err != nil {
		e.client.drop()
		return nil, fmt.Errorf("XLA does not compile it: %w", err)
	}
	l.refs.Store(1)
	if got, want := l.exe.NumOutputs, len(p.Outputs); got != want {
		l.drop()
		return nil, fmt.Errorf("BUG: its module returns %d values, its Program says %d", got, want)
	}
	return l, nil
}

// compileConfig says how XLA is to read a program: which partitioner, how many
// devices and which.
func (e *pjrtEngine) compileConfig(p *compile.Program) *pjrt.CompileConfig {
	c := e.client.c.Compile().WithStableHLO(p.Text())
	n := p.Mesh.Size()
	switch {
	case p.Form == compile.Annotated && len(p.Module.Meshes) > 0:
		return c.WithShardy(n).WithDeviceAssignment(p.Mesh.Devices())
	case n > 1 || p.Mesh.Devices()[0] != 0:
		return c.WithSPMD(n).WithDeviceAssignment(p.Mesh.Devices())
	default:
		return c
	}
}

// flatIndices returns the indices of inputs in the list of all devices' inputs
// one after the other, as go-xla counts them.
func flatIndices(inputs []int, n, devices int) []int {
	var out []int
	for d := range devices {
		for _, i := range inputs {
			out = append(out, d*n+i)
		}
	}
	return out
}

func (e *pjrtEngine) Close() error {
	e.puts.close()
	e.runs.close()
	e.client.drop()
	return nil
}

// pjrtClient is destroyed when the engine is closed and no buffer and no
// executable needs it any more.
type pjrtClient struct {
	c    *pjrt.Client
	refs atomic.Int64
}

func (c *pjrtClient) hold() { c.refs.Add(1) }

func (c *pjrtClient) drop() {
	if c.refs.Add(-1) == 0 {
		c.c.Destroy()
	}
}
