package goengine

// This file defines Executable: loading a Program, running it once on all
// devices, and counting the bytes that its collectives send.

import (
	"fmt"
	"slices"
	"sync"

	"github.com/gospmd/gospmd/ir"
	"github.com/gospmd/gospmd/mesh"
	"github.com/gospmd/gospmd/program"
	"github.com/gospmd/gospmd/runtime/goengine/interp"
)

// Executable is a loaded Program. Its runs must not overlap. spans divide each code into what a
// device runs alone and what the devices run together. runs is the number of runs so far.
type Executable struct {
	program *program.Program
	mesh    *mesh.DeviceMesh
	code    *interp.Code
	spans   map[*interp.Code][]span
	runs    int
	options Options
	local   []int // the positions of the mesh that are in this process

	segments int // number of segments of the backend

	observing sync.Mutex // held while Observe is called

	mu      sync.Mutex // guards traffic
	traffic map[*ir.Op]*Traffic
	order   []*ir.Op // the collectives, in the order of the program
}

// Options control Load. The zero value is the default.
type Options struct {
	// Interpret runs all ops on the interpreter. That is slower. It is the reference for the
	// segments on gobackend.
	Interpret bool
	// At has the process of each position of the mesh. nil means that all positions are in this
	// process.
	At *program.Placement
	// Cross computes a collective that crosses processes. in[i] are the operands of the i-th
	// position in this process. The results are indexed in the same way.
	Cross func(op *ir.Op, in [][]*interp.Tensor) ([][]*interp.Tensor, error)
	// Observe is called with the results of each op on each device, one call after the other. It is
	// not told of constants, and of ops inside of loops, branches, calls and bodies without
	// collectives. All ops are interpreted then.
	Observe func(position int, op *ir.Op, results []*interp.Tensor)
}

// Load compiles p to steps. It returns an error that names all ops that the engine does not
// support, or the first collective that it cannot run. A program of global shapes for several
// devices is an error too.
func Load(p *program.Program, o Options) (e *Executable, err error) {
	defer func() {
		if r := recover(); r != nil {
			err = errorOfPanic(r)
		}
	}()
	if p.Form == program.Annotated && p.Mesh.Size() > 1 {
		return nil, fmt.Errorf("it is a program of global shapes for %d devices, which only XLA can partition: compile it with Options.Partitioner compile.SPMD, or open the PJRT engine", p.Mesh.Size())
	}
	code, err := interp.Compile(p.Module)
	if err != nil {
		return nil, fmt.Errorf("the Go engine cannot run it: %w", err)
	}
	e = &Executable{program: p, mesh: p.Mesh, code: code, options: o, spans: make(map[*interp.Code][]span), traffic: make(map[*ir.Op]*Traffic)}
	if len(p.Module.Meshes) > 0 {
		e.mesh = p.Module.Meshes[0].Mesh // the mesh of the axes in ops
	}
	e.local = localPositions(e.mesh, o.At)
	if !o.Interpret && o.Observe == nil {
		if e.segments, err = segment(code); err != nil {
			return nil, err
		}
	}
	if err := e.plan(code); err != nil {
		return nil, err
	}
	return e, nil
}

func localPositions(m *mesh.DeviceMesh, at *program.Placement) []int {
	if at != nil {
		return at.Local()
	}
	out := make([]int, m.Size())
	for pos := range out {
		out[pos] = pos
	}
	return out
}

// Local returns the number of the mesh's positions that are in this process.
func (e *Executable) Local() int { return len(e.local) }

// Program returns the program.
func (e *Executable) Program() *program.Program { return e.program }

// Run executes the program once. args[p][i] is input i at the p-th position of the mesh that is in
// this process; results are indexed alike. An error names the op and its layer; a panic of the
// engine is an error that begins with BUG. The run counts for Traffic.
func (e *Executable) Run(args [][]*interp.Tensor) (results [][]*interp.Tensor, err error) {
	defer func() {
		if r := recover(); r != nil {
			err = errorOfPanic(r)
		}
	}()
	t := &deviceGroup{Executable: e, frames: make([]*interp.Frame, len(args))}
	t.state = &interp.State{Number: e.runs}
	e.runs++
	for pos := range t.frames {
		t.frames[pos] = e.code.NewFrame(t.state, args[pos])
	}
	if err := t.run(e.code); err != nil {
		return nil, err
	}
	results = make([][]*interp.Tensor, len(args))
	for pos, f := range t.frames {
		results[pos] = e.code.Results(f)
	}
	return results, nil
}

// Traffic is the traffic of one collective of the program, in all runs so far.
type Traffic struct {
	Op   *ir.Op
	Runs int   // number of executions
	Sent []int // bytes by position of the mesh; not counted for collectives that cross processes
}

// Most returns the largest number of bytes that a device has sent.
func (t Traffic) Most() int { return slices.Max(t.Sent) }

// Traffic returns the traffic of each collective so far, in the order of the program. It must not
// be called during a run.
func (e *Executable) Traffic() []Traffic {
	e.mu.Lock()
	defer e.mu.Unlock()
	out := make([]Traffic, len(e.order))
	for i, op := range e.order {
		out[i] = *e.traffic[op]
		out[i].Sent = slices.Clone(out[i].Sent)
	}
	return out
}

func (e *Executable) count(x *exchange) {
	e.mu.Lock()
	defer e.mu.Unlock()
	t := e.traffic[x.op]
	if t == nil {
		return // such a collective sends nothing
	}
	t.Runs++
	for row, n := range x.sent {
		t.Sent[x.positions[row]] += n
	}
}
