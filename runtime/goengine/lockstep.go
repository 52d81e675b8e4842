package goengine

// This file runs the same code on all devices: steps that concern one device
// only run side by side, at those that communicate all devices meet. So no
// device ever waits for another one that does not come.

import (
	"fmt"
	"runtime"
	"runtime/debug"
	"sync"
	"sync/atomic"

	"github.com/gospmd/gospmd/ir"
	"github.com/gospmd/gospmd/runtime/goengine/interp"
)

// span is a run of steps [from, to) that a device can take alone, or one step
// that all devices take together.
type span struct {
	from, to int
	together bool
}

// plan divides code, and the code inside it, into spans.
func (e *Executable) plan(code *interp.Code) error {
	if _, ok := e.spans[code]; ok {
		return nil
	}
	var spans []span
	for i := range code.Steps {
		s := &code.Steps[i]
		for _, inner := range inside(s) {
			if err := e.plan(inner); err != nil {
				return err
			}
		}
		switch {
		case e.together(s):
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

// inside returns the code that a step may run.
func inside(s *interp.Step) []*interp.Code {
	out := s.Regions
	if s.Callee != nil {
		out = append(out[:len(out):len(out)], s.Callee)
	}
	return out
}

// together reports whether a step, or one inside it, communicates. The code
// inside must be planned.
func (e *Executable) together(s *interp.Step) bool {
	if s.Run == nil {
		return true
	}
	for _, inner := range inside(s) {
		for _, sp := range e.spans[inner] {
			if sp.together {
				return true
			}
		}
	}
	return false
}

// meetings holds how the devices take a step together.
var meetings map[ir.OpKind]func(t *team, s *interp.Step) error

func init() {
	meetings = map[ir.OpKind]func(t *team, s *interp.Step) error{
		ir.OpWhile:            (*team).while,
		ir.OpIf:               (*team).branch,
		ir.OpCase:             (*team).branch,
		ir.OpCall:             (*team).call,
		ir.OpComposite:        (*team).call,
		ir.OpNamedComputation: (*team).call,
	}
	for kind := range collectives {
		meetings[kind] = (*team).communicate
	}
}

// check reports what cannot be run of a step that is taken together.
func (e *Executable) check(s *interp.Step) error {
	if meetings[s.Op.Kind] == nil {
		return fmt.Errorf("the Go engine does not run it: compile the program with Options.Partitioner compile.SPMD, which leaves no such op")
	}
	if c, ok := collectives[s.Op.Kind]; ok {
		return e.prepare(s.Op, c)
	}
	return nil
}

// team is all devices in one run, each with a frame of the code that runs.
type team struct {
	*Executable
	frames []*interp.Frame
	state  *interp.State
}

func (t *team) run(code *interp.Code) error {
	for _, sp := range t.spans[code] {
		if sp.together {
			s := &code.Steps[sp.from]
			if err := meetings[s.Op.Kind](t, s); err != nil {
				return located(s, err)
			}
			for _, f := range t.frames {
				s.Release(f)
			}
			continue
		}
		steps := code.Steps[sp.from:sp.to]
		if err := t.each(func(pos int) error { return interp.Exec(steps, t.frames[pos]) }); err != nil {
			return err
		}
	}
	return nil
}

// each calls do for every position, as many at once as there are processors.
// The error is that of the first position.
func (t *team) each(do func(pos int) error) error {
	n := len(t.frames)
	if n == 1 {
		return do(0)
	}
	errs := make([]error, n)
	var next atomic.Int64
	var wait sync.WaitGroup
	for range min(n, runtime.GOMAXPROCS(0)) {
		wait.Go(func() {
			for pos := int(next.Add(1)) - 1; pos < n; pos = int(next.Add(1)) - 1 {
				errs[pos] = safely(func() error { return do(pos) })
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

// safely turns a panic, which no one could catch on another goroutine, into an
// error.
func safely(do func() error) (err error) {
	defer func() {
		if r := recover(); r != nil {
			err = panicked(r)
		}
	}()
	return do()
}

// panicked returns the error for what a kernel panicked with.
func panicked(r any) error {
	if err, ok := r.(*interp.MemoryError); ok {
		return err
	}
	return fmt.Errorf("BUG: the Go engine panicked: %v\n%s", r, debug.Stack())
}

func located(s *interp.Step, err error) error {
	if _, ok := err.(*interp.Error); ok {
		return err
	}
	return &interp.Error{Op: s.Op, Err: err}
}

// pass copies values from slots to slots on every device.
func (t *team) pass(from, to []int) {
	for _, f := range t.frames {
		values := make([]*interp.Tensor, len(from))
		for i, slot := range from {
			values[i] = f.Values[slot]
		}
		for i, slot := range to {
			f.Values[slot] = values[i]
		}
	}
}

// agree returns the number that all devices have.
func (t *team) agree(what string, number func(f *interp.Frame) int) (int, error) {
	first := number(t.frames[0])
	for pos, f := range t.frames {
		if n := number(f); n != first {
			return 0, fmt.Errorf("the devices at positions 0 and %d of the mesh have different values of %s, %d and %d, where collectives inside need all of them to go the same way", pos, what, first, n)
		}
	}
	return first, nil
}

func (t *team) while(s *interp.Step) error {
	cond, body := s.Regions[0], s.Regions[1]
	from := s.In
	for {
		t.pass(from, cond.Args)
		carried := make([][]*interp.Tensor, len(t.frames))
		for pos, f := range t.frames {
			carried[pos] = pick(f, cond.Args)
		}
		if err := t.run(cond); err != nil {
			return err
		}
		on, err := t.agree("the loop's condition", func(f *interp.Frame) int {
			if interp.Truth(f.Values[cond.Returns[0]]) {
				return 1
			}
			return 0
		})
		if err != nil {
			return err
		}
		to := body.Args
		if on == 0 {
			to = s.Out
		}
		for pos, f := range t.frames {
			for i, slot := range to {
				f.Values[slot] = carried[pos][i]
			}
		}
		if on == 0 {
			return nil
		}
		if err := t.run(body); err != nil {
			return err
		}
		from = body.Returns
	}
}

func (t *team) branch(s *interp.Step) error {
	which, err := t.agree("the branch's index", func(f *interp.Frame) int {
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
	if err := t.run(code); err != nil {
		return err
	}
	t.pass(code.Returns, s.Out)
	return nil
}

// call runs a function in frames of its own.
func (t *team) call(s *interp.Step) error {
	code := s.Callee
	if code == nil {
		code = s.Regions[0]
	}
	inner := &team{Executable: t.Executable, frames: make([]*interp.Frame, len(t.frames)), state: t.state}
	for pos, f := range t.frames {
		inner.frames[pos] = code.NewFrame(t.state, pick(f, s.In))
	}
	if err := inner.run(code); err != nil {
		return err
	}
	for pos, f := range t.frames {
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
