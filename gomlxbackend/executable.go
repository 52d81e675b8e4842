package gomlxbackend

// This file defines Executable: a compiled graph, with a program for each set of donated inputs.

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"sync"

	"github.com/gomlx/compute"
	"github.com/gomlx/compute/shapes"

	"github.com/gospmd/gospmd/compile"
	"github.com/gospmd/gospmd/ir"
	"github.com/gospmd/gospmd/ir/roles"
	"github.com/gospmd/gospmd/mesh"
	"github.com/gospmd/gospmd/runtime"
	"github.com/gospmd/gospmd/target"
)

// Executable implements compute.Executable: it is a graph that is compiled when it is first
// executed with a set of donated inputs.
type Executable struct {
	backend *Backend
	module  *ir.Module // its parameters have their shardings

	devices     []compute.DeviceNum // assigned devices; nil: the device that Execute names
	distributed *distributed        // nil if GoMLX does not distribute it

	mu sync.Mutex
	// loaded programs, by the results that reuse the inputs' memory, and by device
	programs map[string]*loaded
	donated  map[string]*loaded // the same programs, by the donated inputs
	ended    bool
}

var _ compute.Executable = (*Executable)(nil)

// loaded is a program on the devices, or the error of loading it.
type loaded struct {
	results []int // the result that reuses the memory of each input, or -1

	once sync.Once // guards exe and err
	exe  *runtime.Executable
	err  error
}

// Inputs implements compute.Executable: it returns the names and the shapes of the parameters, in
// their order.
func (e *Executable) Inputs() (names []string, inputShapes []shapes.Shape) {
	var types []ir.Type
	for _, p := range e.module.Main().Params() {
		names, types = append(names, p.Name), append(types, e.distributed.typeInGraph(p.Type))
	}
	return names, shapesOf(types)
}

// Outputs implements compute.Executable: it returns the shapes of the outputs as in GoMLX's graph,
// in order.
func (e *Executable) Outputs() []shapes.Shape {
	var types []ir.Type
	for _, v := range e.module.Main().Returned() {
		types = append(types, e.distributed.typeInGraph(v.Type))
	}
	return shapesOf(types)
}

// Finalize frees the programs, when the runs that were started have ended. Later runs are errors.
func (e *Executable) Finalize() {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.ended = true
	for _, l := range e.programs {
		if l.exe != nil {
			_ = l.exe.Close() // errors of runs are returned where their results are read
		}
	}
	e.programs, e.donated = nil, nil
}

var errDonated = errors.New("gospmd: the buffer was donated to a graph: use what the graph returns")

// Execute starts one run of the graph on the inputs; donate says which of them it may overwrite,
// none if it is nil. device counts only for a graph without assigned devices that GoMLX does not
// distribute. The results are pending: ToFlatData waits for them, and returns the run's error.
// Inputs of another number, type or device, and programs that do not compile, are errors here.
func (e *Executable) Execute(inputs []compute.Buffer, donate []bool, device compute.DeviceNum) (results []compute.Buffer, err error) {
	if len(e.devices) > 0 {
		device = e.devices[0]
	}
	if donate == nil {
		donate = make([]bool, len(inputs))
	}
	if e.distributed != nil {
		results, err = e.executeOnEach(inputs, donate)
	} else {
		results, err = e.execute(inputs, donate, device)
	}
	if err != nil {
		return nil, fmt.Errorf("gospmd: graph %q: %w", e.module.Name, err)
	}
	return results, nil
}

// execute starts a run of the graph on one device, or on the mesh that stands for one, and returns
// the buffers of its results. Donated inputs are unusable afterwards.
func (e *Executable) execute(inputs []compute.Buffer, donate []bool, device compute.DeviceNum) ([]compute.Buffer, error) {
	if err := e.backend.check(device); err != nil {
		return nil, err
	}
	params := e.module.Main().Params()
	if err := checkCounts(inputs, donate, len(params)); err != nil {
		return nil, err
	}
	buffers := make([]*Buffer, len(inputs))
	for i, in := range inputs {
		var err error
		if buffers[i], err = e.backend.buffer(in, params[i].Type, device); err != nil {
			return nil, fmt.Errorf("input %q: %w", params[i].Name, err)
		}
	}
	exe, err := e.program(donate, device)
	if err != nil {
		return nil, err
	}
	args := make([]*runtime.Array, len(buffers))
	for i, b := range buffers {
		if args[i], err = b.asArray(exe.Program().Inputs[i].Sharding); err != nil {
			return nil, fmt.Errorf("input %q: %w", exe.Program().Inputs[i].Name, err)
		}
	}
	results, err := exe.Run(args...)
	if err != nil {
		return nil, err
	}
	for i, b := range buffers {
		if donate[i] {
			b.end(errDonated)
		}
	}
	out := make([]compute.Buffer, len(results))
	for i, a := range results {
		b := newBuffer(e.backend, a.Type())
		b.device, b.arrays = device, []*runtime.Array{a}
		out[i] = b
	}
	return out, nil
}

// checkCounts returns an error if the number of inputs, or of the flags that say which are donated,
// is not want.
func checkCounts(inputs []compute.Buffer, donate []bool, want int) error {
	if len(inputs) != want || len(donate) != want {
		return fmt.Errorf("got %d inputs and %d flags that say which are donated, want %d", len(inputs), len(donate), want)
	}
	return nil
}

// buffer returns in as a buffer of this backend, with the type t, for the device, or an error if it
// is none.
func (b *Backend) buffer(in compute.Buffer, t ir.Type, device compute.DeviceNum) (*Buffer, error) {
	out, ok := in.(*Buffer)
	switch {
	case !ok || out == nil || out.backend != b:
		return nil, fmt.Errorf("it is a %T of another backend: want a buffer of this one", in)
	case !out.typ.Equal(t):
		return nil, fmt.Errorf("got %s, want %s", out.typ, t)
	case out.device != device:
		return nil, fmt.Errorf("it is on device %d, want device %d: use CopyToDevice", out.device, device)
	}
	return out, nil
}

// program returns the program for a set of donated inputs and a device. Two sets share one program
// if the same results reuse the memory of the same inputs. A program is compiled at the first call
// for it; its error, too, is kept.
func (e *Executable) program(donate []bool, device compute.DeviceNum) (*runtime.Executable, error) {
	l, err := e.loadFor(donate, device)
	if err != nil {
		return nil, err
	}
	l.once.Do(func() { l.exe, l.err = e.load(l.results, device) })
	return l.exe, l.err
}

func (e *Executable) loadFor(donate []bool, device compute.DeviceNum) (*loaded, error) {
	set := make([]byte, len(donate), len(donate)+8)
	for i, d := range donate {
		if d {
			set[i] = 1
		}
	}
	set = strconv.AppendInt(set, int64(device), 10)
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.ended {
		return nil, errors.New("the executable is finalized: compile the graph again")
	}
	if l := e.donated[string(set)]; l != nil {
		return l, nil
	}
	results := takeOver(e.module.Main(), donate)
	key := fmt.Sprint(results, device)
	if e.programs[key] == nil {
		e.programs[key] = &loaded{results: results}
	}
	e.donated[string(set)] = e.programs[key]
	return e.programs[key], nil
}

// load returns the program, compiled and loaded for the device. results has for each parameter the
// number of the result that takes its memory, -1 for none. A training step whose layouts do not
// suit is an error.
func (e *Executable) load(results []int, device compute.DeviceNum) (*runtime.Executable, error) {
	m := e.module.Clone()
	if len(m.Meshes) == 0 && device > 0 {
		one, err := mesh.Maximal(int(device))
		if err != nil {
			return nil, err
		}
		m.AddMesh("device", one)
	}
	trains := false
	for i, p := range m.Main().Params() {
		if results[i] >= 0 {
			m.Main().ArgAttrs[i] = m.Main().ArgAttrs[i].With(roles.AliasAttr, ir.Int32(results[i]))
			trains = trains || isVariable(p.Name) && p.Type.Rank() > 0 && p.Type.DType.IsFloat()
		}
	}
	if e.distributed != nil {
		if err := e.distributed.finish(m.Main(), results); err != nil {
			return nil, err
		}
	}
	if trains {
		if err := e.backend.layouts.checkTraining(m.Main()); err != nil {
			return nil, err
		}
	}
	return e.backend.load(m)
}

// load compiles a module, passes the program to the functions of OnCompile, and loads it on the
// client. It counts the loaded programs, and those that came from the cache.
func (b *Backend) load(m *ir.Module) (*runtime.Executable, error) {
	p, err := compile.Compile(context.Background(), m, compile.Options{Partitioner: b.config.partitioner, Platform: target.NameOf(b.client.Platform()), Cache: b.client.CompilationCache()})
	if err != nil {
		return nil, err
	}
	if err := tell(m, p); err != nil {
		return nil, err
	}
	exe, err := b.client.Load(context.Background(), p)
	if err != nil {
		return nil, err
	}
	b.loaded.Add(1)
	if exe.FromCache() {
		b.cached.Add(1)
	}
	return exe, nil
}
