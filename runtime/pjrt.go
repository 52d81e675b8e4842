//go:build cgo

package runtime

// This file is the driver of PJRT, XLA's device API, by way of go-xla: opening
// a plugin, transfers, compiling and executing.

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

// pjrtDriver implements driver.
type pjrtDriver struct{ client *pjrtClient }

// loading guards the environment and go-xla's list of plugins.
var loading sync.Mutex

// HasPJRT says that this binary can load plugins.
const HasPJRT = true

// openPJRT returns an engine on a plugin.
func openPJRT(ctx context.Context, o Options) (Engine, error) {
	path, err := plugin.Find(ctx, plugin.Options{Platform: o.Platform, Path: o.Plugin})
	if err != nil {
		return nil, err
	}
	c, err := newPJRTClient(path, o)
	if err != nil {
		return nil, fmt.Errorf("PJRT plugin %s: %w", path, err)
	}
	d := &pjrtDriver{&pjrtClient{c: c}}
	d.client.refs.Store(1)
	return newQueueEngine(d, o.Platform, c.Platform(), c.NumDevices(), o.QueueDepth), nil
}

func newPJRTClient(path string, o Options) (c *pjrt.Client, err error) {
	loading.Lock()
	defer loading.Unlock()
	quietXLA()
	options := pjrt.NamedValuesMap{}
	if o.Platform == "cpu" {
		setXLAFlags()
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

func (d *pjrtDriver) put(device int, t ir.Type, data []byte) (rawBuffer, error) {
	if len(data) == 0 {
		data = make([]byte, 1) // PJRT wants an address even of nothing
	}
	var b *pjrt.Buffer
	err := guard(func() (err error) {
		b, err = d.client.c.BufferFromHost().FromRawData(data, t.DType, t.Dims).ToDeviceNum(device).Done()
		return err
	})
	if err != nil {
		return nil, err
	}
	return d.client.own(b), nil
}

func (d *pjrtDriver) load(p *compile.Program) (rawProgram, error) {
	l := &pjrtProgram{client: d.client}
	d.client.hold()
	err := guard(func() (err error) {
		l.exe, err = d.compileConfig(p).Done()
		return err
	})
	if err != nil {
		d.client.drop()
		return nil, fmt.Errorf("XLA does not compile it: %w", err)
	}
	if got, want := l.exe.NumOutputs, len(p.Outputs); got != want {
		l.free()
		return nil, fmt.Errorf("BUG: its module returns %d values, its Program says %d", got, want)
	}
	return l, nil
}

func (d *pjrtDriver) close() { d.client.drop() }

// compileConfig says how XLA is to read a program: which partitioner, how many
// devices and which.
func (d *pjrtDriver) compileConfig(p *compile.Program) *pjrt.CompileConfig {
	c := d.client.c.Compile().WithStableHLO(p.Text())
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

// pjrtBuffer implements rawBuffer.
type pjrtBuffer struct {
	client *pjrtClient
	b      *pjrt.Buffer
}

func (b *pjrtBuffer) read(dst []byte) error {
	return guard(func() error { return b.b.ToHost(dst) })
}

func (b *pjrtBuffer) free() {
	b.b.Destroy()
	b.client.drop()
}

// pjrtProgram implements rawProgram.
type pjrtProgram struct {
	client *pjrtClient
	exe    *pjrt.LoadedExecutable
}

func (p *pjrtProgram) execute(args []rawBuffer, donated []int) ([]rawBuffer, error) {
	raws := make([]*pjrt.Buffer, len(args))
	for i, a := range args {
		raws[i] = a.(*pjrtBuffer).b
	}
	var outs []*pjrt.Buffer
	err := guard(func() (err error) {
		outs, err = p.exe.Execute(raws...).Donate(donated...).Done()
		return err
	})
	if err != nil {
		return nil, err
	}
	for range donated { // go-xla has destroyed them
		p.client.drop()
	}
	results := make([]rawBuffer, len(outs))
	for i, b := range outs {
		results[i] = p.client.own(b)
	}
	return results, nil
}

func (p *pjrtProgram) memory() (MemoryStats, error) {
	m := p.exe.OnDeviceMemoryUsageStats
	return MemoryStats{
		Inputs: int(m.Inputs), Outputs: int(m.Outputs), Aliases: int(m.Aliases), Temporary: int(m.Temporary), GeneratedCode: int(m.GeneratedCode),
	}, nil
}

func (p *pjrtProgram) free() {
	p.exe.Destroy()
	p.client.drop()
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

// own wraps a buffer, which holds the client until it is freed.
func (c *pjrtClient) own(b *pjrt.Buffer) *pjrtBuffer {
	c.hold()
	return &pjrtBuffer{c, b}
}
