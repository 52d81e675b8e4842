package interp

// This file compiles blocks into Code: steps that read and write numbered slots.

import (
	"errors"
	"fmt"
	"maps"
	"slices"

	"github.com/gospmd/gospmd/ir"
)

// Code is a block that is compiled to steps. Each value of a function, also in its regions, has a
// numbered slot in a Frame.
type Code struct {
	Args    []int // slots of the block's arguments
	Steps   []Step
	Returns []int // slots of what the block returns

	slots     int // number of slots of the whole function; set for functions and bodies
	constants []constant
}

// Step is an op of a Code.
type Step struct {
	Op      *ir.Op
	In, Out []int   // slots
	Regions []*Code // code of the op's regions; it shares the frame, except bodies that compute on scalars
	Callee  *Code   // the code of a called function; it has its own frame
	Free    []int   // slots that no later step reads

	// Run computes the results of the step in a frame. It is nil for a
	// collective, which the caller runs on the frames of all devices.
	Run func(f *Frame, s *Step) error
}

type constant struct {
	slot   int
	tensor *Tensor
}

// Frame holds the values of one call of a function.
type Frame struct {
	Values []*Tensor // by slot
	state  *State
}

// State is shared by all frames of one run, on all devices of this process.
type State struct {
	Number int // the number of the run, from 0; stablehlo.rng depends on it
}

// NewFrame returns a frame for a call of the function whose code c is, with args as its arguments.
// state is the State of the run.
func (c *Code) NewFrame(state *State, args []*Tensor) *Frame {
	f := &Frame{make([]*Tensor, c.slots), state}
	for _, k := range c.constants {
		f.Values[k.slot] = k.tensor
	}
	for i, slot := range c.Args {
		f.Values[slot] = args[i]
	}
	return f
}

// Results returns the values that the code has returned in f.
func (c *Code) Results(f *Frame) []*Tensor { return f.pick(c.Returns) }

func (f *Frame) pick(slots []int) []*Tensor {
	out := make([]*Tensor, len(slots))
	for i, s := range slots {
		out[i] = f.Values[s]
	}
	return out
}

func (f *Frame) put(slots []int, values []*Tensor) {
	for i, s := range slots {
		f.Values[s] = values[i]
	}
}

// Exec runs all steps in f. There must be no collective among them.
func (c *Code) Exec(f *Frame) error { return Exec(c.Steps, f) }

// Exec runs steps in a frame, in order, up to the first error.
func Exec(steps []Step, f *Frame) error {
	for i := range steps {
		if err := steps[i].Exec(f); err != nil {
			return err
		}
	}
	return nil
}

// Exec runs one step and releases the values that nothing reads after it.
func (s *Step) Exec(f *Frame) error {
	err := s.Compute(f)
	if err == nil {
		s.Release(f)
	}
	return err
}

// Compute runs one step, and drops no values. Its error is an *Error, which has the innermost op
// that failed.
func (s *Step) Compute(f *Frame) error {
	if err := s.Run(f, s); err != nil {
		var located *Error
		if errors.As(err, &located) {
			return err
		}
		return &Error{s.Op, err}
	}
	return nil
}

// Release drops the values that no step after s reads.
func (s *Step) Release(f *Frame) {
	for _, slot := range s.Free {
		f.Values[slot] = nil
	}
}

// Error is the failure of the op Op. Err is its cause.
type Error struct {
	Op  *ir.Op
	Err error
}

func (e *Error) Error() string { return fmt.Sprintf("%s: %v", e.Op.Place(), e.Err) }

func (e *Error) Unwrap() error { return e.Err }

// Compile returns the code of the module's function main. Its error names all ops that have no
// kernel, and all calls of functions that the module does not have. A module without main is an
// error.
func Compile(m *ir.Module) (*Code, error) {
	main := m.Main()
	if main == nil {
		return nil, errors.New("the module has no function main")
	}
	l := &linker{module: m, functions: make(map[*ir.Func]*Code)}
	code := l.function(main)
	return code, errors.Join(l.errs...)
}

// linker compiles each function of a module once, and collects the errors.
type linker struct {
	module    *ir.Module
	functions map[*ir.Func]*Code
	errs      []error
}

// compiler assigns slots to the values of one function.
type compiler struct {
	*linker
	slot map[*ir.Value]int
	code *Code // of the function
}

func (l *linker) function(f *ir.Func) *Code {
	if c, ok := l.functions[f]; ok {
		return c
	}
	l.functions[f] = nil // the verifier forbids recursion
	c := l.compileIsolated(f.Body)
	l.functions[f] = c
	return c
}

// compileIsolated compiles a block that sees no values from outside.
func (l *linker) compileIsolated(b *ir.Block) *Code {
	c := &compiler{linker: l, slot: make(map[*ir.Value]int), code: &Code{}}
	c.fill(c.code, b)
	c.code.slots = len(c.slot)
	return c.code
}

// slotOf returns the slot of v. A new value gets a new slot.
func (c *compiler) slotOf(v *ir.Value) int {
	s, ok := c.slot[v]
	if !ok {
		s = len(c.slot)
		c.slot[v] = s
	}
	return s
}

func (c *compiler) slotsOf(vs []*ir.Value) []int {
	out := make([]int, len(vs))
	for i, v := range vs {
		out[i] = c.slotOf(v)
	}
	return out
}

func (c *compiler) fill(code *Code, b *ir.Block) {
	code.Args = c.slotsOf(b.Args)
	for op := range b.Ops() {
		info := op.Info()
		switch {
		case info.Is(ir.Terminator):
			code.Returns = c.slotsOf(op.Operands)
			continue
		case op.Kind == ir.OpConstant || op.Kind == ir.OpSdyConstant:
			c.code.constants = append(c.code.constants, constant{c.slotOf(op.Result()), FromDense(op.Literal())})
			continue
		}
		code.Steps = append(code.Steps, c.step(op))
	}
	c.liveness(code, b)
}

func (c *compiler) step(op *ir.Op) Step {
	s := Step{Op: op, In: c.slotsOf(op.Operands)}
	for _, r := range op.Regions {
		if op.Info().Is(ir.ScalarBody) || op.Info().Is(ir.Isolated) {
			s.Regions = append(s.Regions, c.compileIsolated(r))
		} else {
			region := &Code{}
			c.fill(region, r)
			s.Regions = append(s.Regions, region)
		}
	}
	s.Out = c.slotsOf(op.Results)
	if name, ok := callee(op); ok {
		if f := c.module.Func(name); f != nil {
			s.Callee = c.function(f)
		} else {
			c.errs = append(c.errs, &Error{op, fmt.Errorf("the module has no function %q", name)})
		}
	}
	if op.Info().Is(ir.Collective) || op.Info().Is(ir.OnMesh) || deviceOps[op.Kind] {
		return s
	}
	k, err := kernelOf(op)
	if err != nil {
		c.errs = append(c.errs, &Error{op, err})
		return s
	}
	s.Run = k.step
	return s
}

// deviceOps are the ops whose result depends on the device that runs them.
var deviceOps = map[ir.OpKind]bool{ir.OpReplicaID: true, ir.OpPartitionID: true}

// callee returns the name of the function that op calls; false if op is no call.
func callee(op *ir.Op) (string, bool) {
	for _, name := range []string{"callee", "decomposition"} {
		if f, ok := op.Attrs.Get(name).(ir.Symbol); ok {
			return string(f), true
		}
	}
	return "", false
}

// liveness finds the last step that reads each value of the block, and adds the value's slot to its
// Free. A result that nothing reads is freed by the step that makes it; constants, and what the
// block returns, are not freed.
func (c *compiler) liveness(code *Code, b *ir.Block) {
	last := make(map[int]int) // by slot
	for i, s := range code.Steps {
		for _, slot := range s.Out {
			last[slot] = i
		}
		s.Op.Walk(func(op *ir.Op) {
			for _, v := range op.Operands {
				if slot, ok := c.slot[v]; ok && v.Block() == b {
					last[slot] = i
				}
			}
		})
	}
	keep := slices.Clone(code.Returns)
	for _, k := range c.code.constants {
		keep = append(keep, k.slot)
	}
	for _, slot := range keep {
		delete(last, slot)
	}
	for _, slot := range slices.Sorted(maps.Keys(last)) {
		s := &code.Steps[last[slot]]
		s.Free = append(s.Free, slot)
	}
}
