//go:build cgo

package runtime

// This file implements Driver on PJRT, XLA's device API, through go-xla: opening
// a plugin, transfers, compiling and executing.

import (
	"context"
	"errors"
	"fmt"
	"os"
	"runtime"
	"slices"
	"strings"
	"sync/atomic"

	"github.com/gomlx/go-xla/pjrt"

	"github.com/gospmd/gospmd/hardware"
	"github.com/gospmd/gospmd/internal/customcall"
	"github.com/gospmd/gospmd/internal/xlaflag"
	"github.com/gospmd/gospmd/ir"
	"github.com/gospmd/gospmd/mesh"
	"github.com/gospmd/gospmd/program"
	"github.com/gospmd/gospmd/runtime/ffi"
	"github.com/gospmd/gospmd/runtime/pjrtapi"
	"github.com/gospmd/gospmd/runtime/pjrtkv"
	"github.com/gospmd/gospmd/runtime/plugin"
	"github.com/gospmd/gospmd/target"
)

// pjrtDriver implements Driver for a PJRT plugin. job is nil for one process.
type pjrtDriver struct {
	client *pjrtClient
	job    *job
	cache  *executableCache
	flags  []xlaflag.Flag // the flags of each compilation
}

// HasPJRT says whether this binary can load PJRT plugins.
const HasPJRT = true

// openPJRT returns an engine on the plugin that o says or that is found, in the job j, which may be
// nil. kept, unless it is nil, keeps what XLA compiles.
func openPJRT(ctx context.Context, o Options, kept *compilationCache, j *job) (Engine, error) {
	path, err := plugin.Find(ctx, plugin.Options{Platform: o.Platform, Path: o.Plugin, Logger: o.Logger})
	if err != nil {
		return nil, err
	}
	p, c, err := newPJRTClient(path, o, j)
	if err != nil {
		return nil, fmt.Errorf("PJRT plugin %s: %w", path, err)
	}
	var cache *executableCache
	if !xlaSpans(o, j) { // then the processes compile together: a process that loads from the cache would be waited for
		cache = newExecutableCache(kept, p, c)
	}
	flags, warnings := compilerFlags(o.Platform, os.Getenv(xlaFlagsVar), plugin.CUDAData)
	for _, w := range warnings {
		warn(o.Logger, "gospmd: "+w)
	}
	d := &pjrtDriver{newPJRTUsers(c, o.MemoryLimit), j, cache, flags}
	options := o.driverOptions(deviceKinds(c), deviceBytes(c), j)
	major, minor := p.Version()
	options.version = fmt.Sprintf("PJRT %d.%d, %s", major, minor, strings.Join(strings.Fields(c.PlatformVersion()), " "))
	options.CopiesData = true // go-xla waits until the plugin is done with it
	options.MaxStarted = maxStarted
	return NewEngine(d, options), nil
}

// hasMadeClient lists the paths of plugins that have made a client. The mutex loading guards it.
var hasMadeClient = map[string]bool{}

func newPJRTClient(path string, o Options, j *job) (p *pjrtapi.Plugin, c *pjrtapi.Client, err error) {
	loading.Lock()
	defer loading.Unlock()
	options, err := clientOptions(o, os.Getenv)
	if err != nil {
		return nil, nil, err
	}
	if o.Platform == hardware.CUDA {
		pjrtapi.Preload(plugin.Libraries(path))
	}
	compilerEnvironment()
	var variables []string
	if !hasMadeClient[path] { // later clients see the variables that the plugin has read
		variables = pluginEnvironment(o, len(plugin.Devices(hardware.TPU)) > 0, os.Getenv)
	}
	err = pjrtapi.WithEnvironment(variables, withGuard(func() (err error) {
		p, err = pjrtapi.Load(path)
		if err == nil && o.Platform == hardware.CPU {
			err = ffi.Register(path)
		}
		switch {
		case err != nil:
		case xlaSpans(o, j):
			c, err = pjrtkv.NewClient(p, options, j.service, j.rank, j.size)
		default:
			c, err = p.NewClient(options)
		}
		return err
	}))
	if err != nil {
		return nil, nil, explain(o.Platform, path, err)
	}
	hasMadeClient[path] = true
	if have := c.NumDevices(); o.Devices > 0 && have != o.Devices {
		return nil, nil, errors.Join(&DevicesError{o.Platform, have, o.Devices}, c.Destroy())
	}
	return p, c, nil
}

// deviceKinds and deviceBytes return, in the order of a client's devices, their kinds, and the
// bytes of memory that programs may take on each; 0 where the plugin does not say.
func deviceKinds(c *pjrtapi.Client) (kinds []string) {
	for _, d := range c.Devices {
		kinds = append(kinds, d.Kind)
	}
	return kinds
}

func deviceBytes(c *pjrtapi.Client) (bytes []int) {
	for _, d := range c.Devices {
		bytes = append(bytes, d.Memory)
	}
	return bytes
}

// xlaSpans reports whether XLA's own runtime connects the devices of several processes: on GPUs it
// does, by NCCL. On CPUs XLA knows one process, and package collective runs the collectives that
// cross processes.
func xlaSpans(o Options, j *job) bool { return j != nil && o.Platform != hardware.CPU }

// withGuard returns a function that calls f by guard.
func withGuard(f func() error) func() error { return func() error { return guard(f) } }

// guard calls f and returns its error, or an error for a panic of go-xla in f.
func guard(f func() error) (err error) {
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("go-xla panicked: %v", r)
		}
	}()
	return f()
}

func (d *pjrtDriver) Put(device int, t ir.Type, data []byte) (DriverBuffer, error) {
	if len(data) == 0 {
		data = make([]byte, 1) // PJRT wants an address even for no bytes
	}
	var b *pjrt.Buffer
	err := guard(func() (err error) {
		config := d.client.c.BufferFromHost().FromRawData(data, t.DType, t.Dims).ToDeviceNum(device)
		if d.client.c.Platform() == hardware.CPU {
			b, err = pjrtapi.PutNow(config)
		} else {
			b, err = config.Done()
		}
		return err
	})
	if err != nil {
		return nil, err
	}
	return d.client.own(b, t.MemoryBytes()), nil
}

// PutShared implements sharer: it makes one buffer on each of the devices. All of them read data
// without a copy if the plugin can do that.
func (d *pjrtDriver) PutShared(devices []int, t ir.Type, data []byte) ([]DriverBuffer, error) {
	var made []*pjrt.Buffer
	err := guard(func() (err error) {
		made, err = pjrtapi.PutShared(d.client.c, devices, data, t.DType, t.Dims)
		return err
	})
	if err != nil {
		return nil, err
	}
	out := make([]DriverBuffer, len(made))
	for i, raw := range made {
		b := d.client.own(raw, t.MemoryBytes())
		b.shared = true
		out[i] = b
	}
	return out, nil
}

func (d *pjrtDriver) Load(p *program.Program) (DriverProgram, error) {
	var shared target.Shared
	l, err := d.loadWithin(p, func(flags ...xlaflag.Flag) (*pjrtProgram, error) {
		var config *pjrt.CompileConfig
		config, shared = d.compileConfig(p)
		return d.load(p, config, nil, flags...)
	})
	if err != nil {
		return nil, err
	}
	return l.withSharing(shared), nil
}

// load compiles the module in config, which is p's, with the flags before those of the options.
// prepare, if it is not nil, sets the options of the compilation.
func (d *pjrtDriver) load(p *program.Program, config *pjrt.CompileConfig, prepare func(*pjrtapi.Compilation), flags ...xlaflag.Flag) (*pjrtProgram, error) {
	return d.loadBy(p, config, func(call *pjrtapi.Compilation) (cached bool) {
		if prepare != nil {
			prepare(call)
		}
		return d.cache.compile(call)
	}, flags...)
}

// checkTarget returns an error if p was partitioned for another compiler than the plugin's: passes
// that work around what the plugin compiles wrongly have not run. A program for no particular target
// runs everywhere.
func (d *pjrtDriver) checkTarget(p *program.Program) error {
	platform := target.NameOf(d.client.c.Platform())
	own := target.Of(platform).Name
	if p.Target == "" || p.Target == target.Any.Name || p.Target == own {
		return nil
	}
	return fmt.Errorf("it was partitioned for the target %s, and these devices need %s: partition its module with compile.Options.Platform %q", p.Target, own, platform)
}

// loadBy makes the executable of p with the config and the flags. how compiles it, or loads it from
// the cache and returns true. Errors of XLA name the op. A failed or freed executable drops its
// hold on the client.
func (d *pjrtDriver) loadBy(p *program.Program, config *pjrt.CompileConfig, how func(*pjrtapi.Compilation) (cached bool), flags ...xlaflag.Flag) (*pjrtProgram, error) {
	if err := d.checkTarget(p); err != nil {
		return nil, err
	}
	if err := d.client.checkMemories(p); err != nil {
		return nil, err
	}
	l := &pjrtProgram{ownedProgram: &ownedProgram{client: d.client}, inputs: p.Inputs, outputs: p.Outputs, mesh: p.Mesh}
	l.hostInputs = slices.ContainsFunc(p.Inputs, func(in program.Input) bool { return in.Memory.OnHost() })
	d.client.hold()
	err := guard(func() (err error) {
		l.exe, err = pjrtapi.Compile(config, func(call *pjrtapi.Compilation) {
			options := xlaflag.Append(call.Options(), slices.Concat(flags, d.flags))
			if bound := d.memoryBound(p); bound > 0 {
				options = xlaflag.AppendMemory(options, bound)
			}
			call.SetOptions(options)
			l.cached = how(call)
		})
		return err
	})
	if err != nil {
		d.client.drop()
		return nil, compileError(p.Module, err)
	}
	l.cleanup = runtime.AddCleanup(l, (*ownedProgram).destroy, l.ownedProgram)
	if got, want := l.exe.NumOutputs, len(p.Outputs); got != want {
		l.Free()
		return nil, fmt.Errorf("BUG: its module returns %d values, its Program says %d", got, want)
	}
	return l, nil
}

// compileError returns the error of a program that XLA does not compile. Where XLA
// names the target of a custom call, it lacks a handler: the error then says
// where the call stands, once for each place, in place of XLA's text.
func compileError(m *ir.Module, err error) error {
	var lacking []error
	for _, f := range m.Funcs {
		f.Walk(func(op *ir.Op) {
			if op.Kind != ir.OpCustomCall || !strings.Contains(err.Error(), op.CustomCall().CallTargetName()) {
				return
			}
			refused := fmt.Errorf("%s: %w", op.Place(), customcall.Refuse(op, "the plugin"))
			if !slices.ContainsFunc(lacking, func(other error) bool { return other.Error() == refused.Error() }) {
				lacking = append(lacking, refused)
			}
		})
	}
	if lacking != nil {
		return errors.Join(lacking...)
	}
	return fmt.Errorf("XLA does not compile it: %w", err)
}

func (d *pjrtDriver) Close() { d.client.drop() }

// compileConfig returns the configuration of XLA's compilation of p: the module, the partitioner
// and the devices. shared is the result of module.
func (d *pjrtDriver) compileConfig(p *program.Program) (c *pjrt.CompileConfig, shared target.Shared) {
	shared = d.module(p)
	c = d.client.c.Compile().WithStableHLO(shared.Text)
	n := p.Mesh.Size()
	switch local := d.localDevices(p.Mesh); {
	case p.Form == program.Annotated && len(p.Module.Meshes) > 0:
		c.WithShardy(n).WithDeviceAssignment(d.numbers(local))
	case n > 1 || local[0] != 0:
		c.WithSPMD(n).WithDeviceAssignment(d.numbers(local))
	}
	return c, shared
}

// module returns the module of a program whose devices are all in this process. On CPUs executions
// overlap unless the collectives are XLA's own (target.Share). On accelerators they overlap on one
// GPU only: several GPUs and TPUs were not tried.
func (d *pjrtDriver) module(p *program.Program) target.Shared {
	platform := d.client.c.Platform()
	if platform == hardware.CPU {
		return target.Share(p)
	}
	return target.Shared{Text: target.Of(platform).Text(p), Waits: platform != hardware.CUDA || p.Mesh.Size() > 1}
}

// localDevices returns the devices of m that are in this process, as indices into this process'
// devices, in the order of the mesh.
func (d *pjrtDriver) localDevices(m *mesh.DeviceMesh) []int {
	ids := slices.Clone(m.Devices())
	if d.job == nil || isDefaultDevice(m) {
		return ids
	}
	local := d.job.placement(m).Local()
	for i, pos := range local {
		local[i] = ids[pos] - d.job.first
	}
	return local
}

// numbers returns XLA's numbers of local, which are indices into this process' devices. On CPUs
// they are the same, because XLA knows no other processes there; on other platforms they are the
// numbers of the devices in the job.
func (d *pjrtDriver) numbers(local []int) []int {
	if d.job == nil || d.client.c.Platform() == hardware.CPU {
		return local
	}
	out := slices.Clone(local)
	for i := range out {
		out[i] += d.job.first
	}
	return out
}

// pjrtProgram implements DriverProgram by an executable of a PJRT plugin. Execute waits for the end
// of the execution.
type pjrtProgram struct {
	*ownedProgram
	cleanup     runtime.Cleanup
	mesh        *mesh.DeviceMesh
	inputs      []program.Input  // the inputs on each device
	hostInputs  bool             // some of them are in the memory of the host
	outputs     []program.Output // the outputs on each device
	collectives []string         // names of the collectives that are custom calls, by channel
	cached      bool             // loaded from the compilation cache
	failed      func(error)      // called when a device fails; may be nil
}

// ownedProgram holds what is freed with a program: by Free, or by the garbage collector.
type ownedProgram struct {
	client *pjrtClient
	exe    *pjrt.LoadedExecutable
	free   func() // called when the program is freed; may be nil
}

// FromCache reports whether the program was loaded from the compilation cache.
func (p *pjrtProgram) FromCache() bool { return p.cached }

func (p *pjrtProgram) Memory() (MemoryStats, error) {
	m := p.exe.OnDeviceMemoryUsageStats
	return MemoryStats{
		Inputs: int(m.Inputs), Outputs: int(m.Outputs), Aliases: int(m.Aliases), Temporary: int(m.Temporary), GeneratedCode: int(m.GeneratedCode),
	}, nil
}

func (p *pjrtProgram) Free() {
	p.cleanup.Stop()
	p.destroy()
}

func (p *ownedProgram) destroy() {
	p.exe.Destroy()
	if p.free != nil {
		p.free()
	}
	p.client.drop()
}

// pjrtClient counts the users of a PJRT client: the driver until it is closed, buffers, and
// programs. When the last user ends, the client is destroyed.
type pjrtClient struct {
	c      *pjrt.Client
	refs   atomic.Int64
	memory deviceMemory
	broken atomic.Pointer[error] // why its devices can start nothing more

	pinnedHost bool // all devices of this process can read pinned memory of the host
}

// newPJRTUsers returns a client with one user, and on CPUs opens the pool of package ffi for it.
// limit bounds the bytes of its arrays; 0 means the default.
func newPJRTUsers(c *pjrtapi.Client, limit int) *pjrtClient {
	out := &pjrtClient{c: c.Client, pinnedHost: !slices.ContainsFunc(c.Devices, func(d pjrtapi.Device) bool { return !d.PinnedHost })}
	out.memory.explicit = int64(limit)
	out.refs.Store(1)
	if c.Platform() == hardware.CPU {
		ffi.OpenPool()
	}
	return out
}

func (c *pjrtClient) hold() { c.refs.Add(1) }

func (c *pjrtClient) drop() {
	if c.refs.Add(-1) > 0 {
		return
	}
	onCPU := c.c.Platform() == hardware.CPU
	c.c.Destroy()
	if onCPU {
		ffi.ClosePool()
	}
}
