package goengine

// This file implements the SPMD execution of code. Between two collectives, each device runs its
// steps by itself. The device group runs collectives together, and also control flow that contains
// collectives. So no device can wait for a device that never reaches the collective.

import (
	"fmt"
	"runtime"
	"runtime/debug"
	"sync"
	"sync/atomic"

	"github.com/gospmd/gospmd/ir"
	"github.com/gospmd/gospmd/runtime/goengine/interp"
)

// span is a sequence of steps [from, to) that each device runs alone, or one step
// that the device group runs together.
type span struct {
	from, to int
	together bool
}

// plan divides the steps of code, and of all code inside its steps, into spans, and stores them in
// e.spans. A span is one collective, or consecutive steps without communication. A collective that
// the engine cannot run is an error.
func (e *Executable) plan(code *interp.Code) error {
	if _, ok := e.spans[code]; ok {
		return nil
	}
	var spans []span
	for i := range code.Steps {
		s := &code.Steps[i]
		for _, inner := range innerCode(s) {
			if err := e.plan(inner); err != nil {
				return err
			}
		}
		switch {
		case e.communicates(s):
			if err := e.check(s); err != nil {
				return &interp.Error{Op: s.Op, Err: err}
			}
			spans = append(spans, span{i, i + 1, true})
		case len(spans) > 0 && !spans[len(spans)-1].together:
			spans[len(spans)-1].to = i + 1
		default:
			spans = append(spans, span{i, i + 1, false})
		}
	}
	e.spans[code] = spans
	return nil
}

// innerCode returns the code that a step may run: of its regions, in order, and then of the
// function that it calls; none for other steps.
func innerCode(s *interp.Step) []*interp.Code {
	out := s.Regions
	if s.Callee != nil {
		out = append(out[:len(out):len(out)], s.Callee)
	}
	return out
}

// communicates reports whether a step is a collective, or runs code that contains one: its regions
// or its callee. plan must have divided that code into spans before.
func (e *Executable) communicates(s *interp.Step) bool {
	if s.Run == nil {
		return true
	}
	for _, inner := range innerCode(s) {
		for _, sp := range e.spans[inner] {
			if sp.together {
				return true
			}
		}
	}
	return false
}

// rendezvous has, for the kinds of steps that the devices run together, the function that runs such
// a step on the whole device group. It is filled by init.
var rendezvous map[ir.OpKind]func(g *deviceGroup, s *interp.Step) error

func init() {
	rendezvous = map[ir.OpKind]func(g *deviceGroup, s *interp.Step) error{
		ir.OpWhile:            (*deviceGroup).while,
		ir.OpIf:               (*deviceGroup).branch,
		ir.OpCase:             (*deviceGroup).branch,
		ir.OpCall:             (*deviceGroup).call,
		ir.OpComposite:        (*deviceGroup).call,
		ir.OpNamedComputation: (*deviceGroup).call,
	}
	for kind := range collectives {
		rendezvous[kind] = (*deviceGroup).communicate
	}
}

// check returns an error if the device group cannot run a step. Otherwise it registers a collective
// for Traffic.
func (e *Executable) check(s *interp.Step) error {
	if rendezvous[s.Op.Kind] == nil {
		return fmt.Errorf("the Go engine does not run it: compile the program with Options.Partitioner compile.SPMD, which leaves no such op")
	}
	if collectives[s.Op.Kind] != nil {
		return e.prepare(s.Op)
	}
	return nil
}

// deviceGroup holds one frame for each device, of the code that all devices run.
type deviceGroup struct {
	*Executable
	frames []*interp.Frame
	state  *interp.State
}

func (g *deviceGroup) run(code *interp.Code) error {
	for _, sp := range g.spans[code] {
		if sp.together {
			s := &code.Steps[sp.from]
			if err := rendezvous[s.Op.Kind](g, s); err != nil {
				return locateError(s, err)
			}
			for pos, f := range g.frames {
				g.tell(s, pos)
				s.Release(f)
			}
			continue
		}
		steps := code.Steps[sp.from:sp.to]
		if err := g.each(func(pos int) error { return g.exec(steps, pos) }); err != nil {
			return err
		}
	}
	return nil
}

// exec runs steps on the device at position pos, up to the first error, and tells Options.Observe
// of each step. There is no collective among them.
func (g *deviceGroup) exec(steps []interp.Step, pos int) error {
	if g.options.Observe == nil {
		return interp.Exec(steps, g.frames[pos])
	}
	for i := range steps {
		s := &steps[i]
		if err := s.Compute(g.frames[pos]); err != nil {
			return err
		}
		g.tell(s, pos)
		s.Release(g.frames[pos])
	}
	return nil
}

// tell calls Options.Observe, if it is set, with the results of step s on the device of frame pos,
// one call at a time. Observe gets the device's position in the mesh.
func (g *deviceGroup) tell(s *interp.Step, pos int) {
	if g.options.Observe == nil {
		return
	}
	g.observing.Lock()
	defer g.observing.Unlock()
	g.options.Observe(g.local[pos], s.Op, pick(g.frames[pos], s.Out))
}

// each calls do for every position. It runs as many calls at the same time as there are processors.
// It returns the error of the first position that has one.
func (g *deviceGroup) each(do func(pos int) error) error {
	n := len(g.frames)
	if n == 1 {
		return do(0)
	}
	errs := make([]error, n)
	var next atomic.Int64
	var wait sync.WaitGroup
	for range min(n, runtime.GOMAXPROCS(0)) {
		wait.Go(func() {
			for pos := int(next.Add(1)) - 1; pos < n; pos = int(next.Add(1)) - 1 {
				errs[pos] = catchPanic(func() error { return do(pos) })
			}
		})
	}
	wait.Wait()
	for _, err := range errs {
		if err != nil {
			return err
		}
	}
	return nil
}

// catchPanic returns the error of do, or an error for a panic of do, so that the caller can handle
// it on its own goroutine.
func catchPanic(do func() error) (err error) {
	defer func() {
		if r := recover(); r != nil {
			err = errorOfPanic(r)
		}
	}()
	return do()
}

// errorOfPanic returns the error for the value r of a panic: r itself if it is an
// interp.MemoryError, or else an error that begins with BUG and has the stack.
func errorOfPanic(r any) error {
	if err, ok := r.(*interp.MemoryError); ok {
		return err
	}
	return fmt.Errorf("BUG: the Go engine panicked: %v\n%s", r, debug.Stack())
}

func locateError(s *interp.Step, err error) error {
	if _, ok := err.(*interp.Error); ok {
		return err
	}
	return &interp.Error{Op: s.Op, Err: err}
}

// pass copies, in the frame of each device, the values in the slots from to the slots to.
func (g *deviceGroup) pass(from, to []int) {
	for _, f := range g.frames {
		values := make([]*interp.Tensor, len(from))
		for i, slot := range from {
			values[i] = f.Values[slot]
		}
		for i, slot := range to {
			f.Values[slot] = values[i]
		}
	}
}

// agree returns the number that the function number gives for each device's frame, or an error that
// names what if the devices differ.
func (g *deviceGroup) agree(what string, number func(f *interp.Frame) int) (int, error) {
	first := number(g.frames[0])
	for pos, f := range g.frames {
		if n := number(f); n != first {
			return 0, fmt.Errorf("the devices at positions 0 and %d of the mesh have different values of %s, %d and %d: collectives inside need all devices to take the same path", pos, what, first, n)
		}
	}
	return first, nil
}

func (g *deviceGroup) while(s *interp.Step) error {
	cond, body := s.Regions[0], s.Regions[1]
	from := s.In
	for {
		g.pass(from, cond.Args)
		carried := make([][]*interp.Tensor, len(g.frames))
		for pos, f := range g.frames {
			carried[pos] = pick(f, cond.Args)
		}
		if err := g.run(cond); err != nil {
			return err
		}
		more, err := g.agree("the loop's condition", func(f *interp.Frame) int {
			if interp.Truth(f.Values[cond.Returns[0]]) {
				return 1
			}
			return 0
		})
		if err != nil {
			return err
		}
		to := body.Args
		if more == 0 {
			to = s.Out
		}
		for pos, f := range g.frames {
			for i, slot := range to {
				f.Values[slot] = carried[pos][i]
			}
		}
		if more == 0 {
			return nil
		}
		if err := g.run(body); err != nil {
			return err
		}
		from = body.Returns
	}
}

func (g *deviceGroup) branch(s *interp.Step) error {
	which, err := g.agree("the branch's index", func(f *interp.Frame) int {
		index := f.Values[s.In[0]]
		if s.Op.Kind == ir.OpCase {
			return interp.Branch(index, len(s.Regions))
		}
		if interp.Truth(index) {
			return 0
		}
		return 1
	})
	if err != nil {
		return err
	}
	code := s.Regions[which]
	if err := g.run(code); err != nil {
		return err
	}
	g.pass(code.Returns, s.Out)
	return nil
}

// call runs the function or the region of the step s in new frames on all devices, and sets the
// results of s in theirs.
func (g *deviceGroup) call(s *interp.Step) error {
	code := s.Callee
	if code == nil {
		code = s.Regions[0]
	}
	inner := &deviceGroup{Executable: g.Executable, frames: make([]*interp.Frame, len(g.frames)), state: g.state}
	for pos, f := range g.frames {
		inner.frames[pos] = code.NewFrame(g.state, pick(f, s.In))
	}
	if err := inner.run(code); err != nil {
		return err
	}
	for pos, f := range g.frames {
		for i, v := range code.Results(inner.frames[pos]) {
			f.Values[s.Out[i]] = v
		}
	}
	return nil
}

func pick(f *interp.Frame, slots []int) []*interp.Tensor {
	out := make([]*interp.Tensor, len(slots))
	for i, slot := range slots {
		out[i] = f.Values[slot]
	}
	return out
}
