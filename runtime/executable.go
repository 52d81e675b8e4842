package runtime

// This file defines Executable, and checks programs when they are loaded and
// arguments before a run is queued.

import (
	"fmt"

	"github.com/gospmd/gospmd/ir"
	"github.com/gospmd/gospmd/layout"
	"github.com/gospmd/gospmd/program"
)

// Executable is a Program loaded on a Client.
type Executable struct {
	client    *Client
	program   *program.Program
	positions []int // positions of the program's mesh whose devices are in this process
	loaded    Loaded
	donates   bool
	closed    bool // guarded by client.mu
}

func newExecutable(c *Client, p *program.Program, l Loaded) *Executable {
	e := &Executable{client: c, program: p, positions: c.localPositions(p.Mesh), loaded: l}
	for _, in := range p.Inputs {
		e.donates = e.donates || in.Donated()
	}
	return e
}

// Program returns the program.
func (e *Executable) Program() *program.Program { return e.program }

// Run queues one execution. args must have the types and the shardings of the
// program's inputs. The results are pending: errors of the execution surface at
// their Wait or Get. Donated arguments are invalid afterwards, unless Run
// returns an error.
//
// Executions happen in the order of the calls. Run waits only while the client's queue is full,
// while another goroutine reads a donated argument, and for memory (Options.MemoryLimit).
func (e *Executable) Run(args ...*Array) ([]*Array, error) {
	if err := e.client.admit(); err != nil {
		return nil, fmt.Errorf("runtime: program %q: %w", e.program.Name, err)
	}
	e.client.submit.Lock()
	defer e.client.submit.Unlock()
	results, err := e.run(args)
	if err != nil {
		return nil, fmt.Errorf("runtime: program %q: %w", e.program.Name, err)
	}
	return results, nil
}

func (e *Executable) run(args []*Array) ([]*Array, error) {
	inputs, outputs := e.program.Inputs, e.program.Outputs
	if len(args) != len(inputs) {
		return nil, fmt.Errorf("got %d arguments, the program has %d inputs: %s", len(args), len(inputs), portNames(inputs))
	}
	buffers := make([][]Buffer, len(e.positions))
	flat := make([]Buffer, len(buffers)*len(args))
	for row := range buffers {
		buffers[row] = flat[row*len(args):][:len(args):len(args)]
	}
	for i, a := range args {
		order, err := e.accept(inputs[i], a)
		if err != nil {
			return nil, fmt.Errorf("input %d %q: %w", i, inputs[i].Name, err)
		}
		for row, pos := range e.positions {
			if order != nil {
				pos = order[pos]
			}
			buffers[row][i] = a.buffers[pos]
		}
	}
	undo, err := e.donate(args)
	if err != nil {
		return nil, err
	}
	made, err := e.loaded.Run(buffers)
	if err != nil {
		undo()
		return nil, err
	}
	results := make([]*Array, len(outputs))
	for i, out := range outputs {
		a := &Array{client: e.client, typ: out.Type, sharding: out.Sharding, buffers: make([]Buffer, e.program.Mesh.Size())}
		for row, pos := range e.positions {
			a.buffers[pos] = made[row][i]
		}
		results[i] = a
	}
	return results, nil
}

// accept checks one argument against its input. It returns the order in which to take the shards of
// the argument (see match). Another type, a sharding that puts the elements elsewhere, an array of
// another client, and nil are errors.
func (e *Executable) accept(in program.Input, a *Array) (order []int, err error) {
	if a == nil {
		return nil, fmt.Errorf("got a nil array, want %s", in.Type)
	}
	if a.client != e.client {
		return nil, fmt.Errorf("the array is on the devices of another client: put it on the client that loaded the program")
	}
	if !a.typ.Equal(in.Type) {
		return nil, fmt.Errorf("got an array of type %s, want %s", a.typ, in.Type)
	}
	order, ok := match(in.Type, a.sharding, in.Sharding)
	if !ok {
		want := &Array{typ: in.Type, sharding: in.Sharding}
		return nil, fmt.Errorf("got an array sharded as %s, want %s: put it with the sharding of Program().Inputs", a, want)
	}
	return order, nil
}

// donate marks the donated arguments as consumed, after the Gets in progress have ended. undo makes
// them valid again. An argument that is not valid any more, a donated one that is passed twice, and
// a closed executable or client are errors.
func (e *Executable) donate(args []*Array) (undo func(), err error) {
	c := e.client
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.closed {
		return nil, fmt.Errorf("the client is closed: open a new one")
	}
	if e.closed {
		return nil, fmt.Errorf("the executable is closed: load the program again")
	}
	if err := e.check(args); err != nil || !e.donates {
		return func() {}, err
	}
	for i, in := range e.program.Inputs {
		if !in.Donated() {
			continue
		}
		for args[i].readers > 0 {
			c.idle.Wait() // unlocks c.mu meanwhile: check again
			if err := e.check(args); err != nil {
				return nil, err
			}
		}
	}
	for i, in := range e.program.Inputs {
		if in.Donated() {
			args[i].invalid = &donatedError{e.program, i}
		}
	}
	return func() {
		c.mu.Lock()
		defer c.mu.Unlock()
		for i, in := range e.program.Inputs {
			if in.Donated() {
				args[i].invalid = nil
			}
		}
	}, nil
}

// donatedError says why an argument of a run cannot be used any more. Each run makes one for each
// donated argument. Its text is formatted only when it is needed.
type donatedError struct {
	program *program.Program
	input   int
}

func (d *donatedError) Error() string {
	in := d.program.Inputs[d.input]
	return fmt.Sprintf("the array %s was donated to program %q as input %q: use its result %q instead",
		in.Type, d.program.Name, in.Name, d.program.Outputs[in.Alias].Name)
}

// check returns an error if an argument is not valid any more, or a donated one is passed twice.
func (e *Executable) check(args []*Array) error {
	inputs := e.program.Inputs
	for i, a := range args {
		if a.invalid != nil {
			return fmt.Errorf("input %d %q: %w", i, inputs[i].Name, a.invalid)
		}
		if !inputs[i].Donated() {
			continue
		}
		for j, b := range args {
			if a == b && i != j {
				return fmt.Errorf("input %d %q is donated, and its array is also passed as input %d %q: pass two arrays",
					i, inputs[i].Name, j, inputs[j].Name)
			}
		}
	}
	return nil
}

// Memory returns the memory of a run on each device, as the engine reports it. The Go engine does
// not: the error is errors.ErrUnsupported. report.New (package compile/report) predicts it for any
// engine.
func (e *Executable) Memory() (MemoryStats, error) {
	s, err := e.loaded.Memory()
	if err != nil {
		return s, fmt.Errorf("runtime: program %q: memory: %w", e.program.Name, err)
	}
	return s, nil
}

// FromCache reports whether the program was not compiled, but loaded from the compilation
// cache (Options.CompilationCache).
func (e *Executable) FromCache() bool { return fromCache(e.loaded) }

// fromCache reports whether a Loaded or a DriverProgram was loaded from a compilation cache. It is
// false for values without a method FromCache.
func fromCache(loaded any) bool {
	l, ok := loaded.(interface{ FromCache() bool })
	return ok && l.FromCache()
}

// Close frees the executable once all queued runs are done. Later runs are errors, and more calls
// of Close do nothing.
func (e *Executable) Close() error {
	e.client.submit.Lock()
	defer e.client.submit.Unlock()
	e.client.mu.Lock()
	closed := e.closed
	e.closed = true
	e.client.mu.Unlock()
	if closed {
		return nil
	}
	return e.loaded.Close()
}

// checkProgram returns an error if this client cannot run p: devices that it lacks, no outputs,
// tensors that it cannot hold, or a module that the inputs and outputs contradict.
func (c *Client) checkProgram(p *program.Program) error {
	if p.Mesh == nil || p.Module == nil {
		return fmt.Errorf("BUG: it has no mesh or no module")
	}
	if len(p.Outputs) == 0 {
		return fmt.Errorf("it has no outputs: a program that returns nothing computes nothing, return at least one value")
	}
	for i, in := range p.Inputs {
		if err := c.checkTensor(p, in.TensorInfo); err != nil {
			return fmt.Errorf("input %d %q: %w", i, in.Name, err)
		}
		if in.Alias >= len(p.Outputs) {
			return fmt.Errorf("BUG: input %d %q is donated to output %d of %d", i, in.Name, in.Alias, len(p.Outputs))
		}
	}
	for i, out := range p.Outputs {
		if err := c.checkTensor(p, out.TensorInfo); err != nil {
			return fmt.Errorf("output %d %q: %w", i, out.Name, err)
		}
	}
	if err := checkModule(p); err != nil {
		return err
	}
	return c.checkDevices(p.Mesh.Devices())
}

// checkModule compares the types of inputs and outputs with those of the module. XLA would find the
// difference only in a run, and hang in the next run on several devices. A difference is an error.
func checkModule(p *program.Program) error {
	main := p.Module.Main()
	if main == nil || len(main.Params()) != len(p.Inputs) || len(main.Results) != len(p.Outputs) {
		return fmt.Errorf("BUG: its module has no function main with %d parameters and %d results", len(p.Inputs), len(p.Outputs))
	}
	typeOf := func(info program.TensorInfo) ir.Type {
		if p.Form == program.PerDevice {
			return info.Local
		}
		return info.Type
	}
	for i, v := range main.Params() {
		if want := typeOf(p.Inputs[i].TensorInfo); !v.Type.Equal(want) {
			return fmt.Errorf("BUG: parameter %d of its module is %s, input %q says %s", i, v.Type, p.Inputs[i].Name, want)
		}
	}
	for i, r := range main.Results {
		if want := typeOf(p.Outputs[i].TensorInfo); !r.Type.Equal(want) {
			return fmt.Errorf("BUG: result %d of its module is %s, output %q says %s", i, r.Type, p.Outputs[i].Name, want)
		}
	}
	return nil
}

func (c *Client) checkTensor(p *program.Program, info program.TensorInfo) error {
	if info.Sharding == nil || !info.Sharding.Mesh.Equal(p.Mesh) {
		return fmt.Errorf("BUG: its sharding is not on the program's mesh %s", p.Mesh)
	}
	return c.checkSharding(info.Type, info.Sharding)
}

// checkSharding returns an error if a tensor of type t cannot be sharded as s on this client's
// devices. nil stands for one device, and is possible for every type whose size is.
func (c *Client) checkSharding(t ir.Type, s *layout.Sharding) error {
	if err := t.CheckSize(); err != nil {
		return err
	}
	if s == nil {
		return nil
	}
	if s.Mesh == nil {
		return fmt.Errorf("the sharding of %s has no mesh: set Sharding.Mesh", t)
	}
	if err := s.Validate(t.Rank()); err != nil {
		return fmt.Errorf("the sharding of %s: %w", t, err)
	}
	if len(s.Unreduced) > 0 {
		return fmt.Errorf("the sharding %s of %s is unreduced over %s: arguments and results of programs must be reduced",
			s, t, layout.AxesText(s.Unreduced))
	}
	return c.checkDevices(s.Mesh.Devices())
}

func (c *Client) checkDevices(ids []int) error {
	for _, id := range ids {
		if id >= len(c.devices) {
			return fmt.Errorf("the mesh names device %d, the client has %d devices (0 to %d): open it with more, or use a smaller mesh",
				id, len(c.devices), len(c.devices)-1)
		}
	}
	return nil
}

func portNames(inputs []program.Input) string {
	names := make([]string, len(inputs))
	for i, in := range inputs {
		names[i] = in.Name
	}
	return fmt.Sprintf("%q", names)
}
