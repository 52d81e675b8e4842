package pass

// This file runs pipelines.

import (
	"fmt"
	"runtime/debug"
	"slices"

	"github.com/gospmd/gospmd/ir"
)

// Pass is one step of a pipeline on a context of type C: a module, or a struct
// with the module and what else passes share.
type Pass[C any] struct {
	Name string
	Why  string // why it runs, and why at this place; may be empty
	// Required says that later passes do not work without it: Debug cannot
	// switch it off.
	Required bool
	// Run changes the module. An error it returns is the user's fault.
	Run func(C) error
}

// Pipeline is a list of passes, which run in this order.
type Pipeline[C any] struct {
	Passes []Pass[C]
	// Module returns the module that the passes change.
	Module func(C) *ir.Module
	// Verify checks the module after each pass; nil stands for ir.Verify.
	Verify func(*ir.Module) error
	Debug  Debug
}

// Run runs the passes on c. After each it verifies the module. It stops at the
// first error, which is an *Error.
func (p Pipeline[C]) Run(c C) error {
	d := dumper{Debug: p.Debug}
	if err := d.dump(p.Module(c), Input); err != nil {
		return &Error{Pass: Input, Err: err}
	}
	for _, s := range p.Passes {
		if slices.Contains(p.Debug.Off, s.Name) {
			if s.Required {
				return &Error{Pass: s.Name, Err: fmt.Errorf("pass %s cannot be switched off: later passes need what it does", s.Name)}
			}
			continue
		}
		if err := p.runOne(s, c); err != nil {
			return err
		}
		if err := d.dump(p.Module(c), s.Name); err != nil {
			return &Error{Pass: s.Name, Err: err}
		}
	}
	return nil
}

// runOne runs one pass and verifies what it leaves.
func (p Pipeline[C]) runOne(s Pass[C], c C) (err error) {
	bug := func(format string, args ...any) error {
		what := fmt.Sprintf(format, args...)
		return &Error{Pass: s.Name, Bug: true, Err: fmt.Errorf("BUG: pass %s %s\nthe module:\n%s", s.Name, what, textOf(p.Module(c)))}
	}
	defer func() {
		if r := recover(); r != nil {
			err = bug("panicked: %v\n%s", r, debug.Stack())
		}
	}()
	if err := s.Run(c); err != nil {
		return &Error{Pass: s.Name, Err: err}
	}
	verify := p.Verify
	if verify == nil {
		verify = ir.Verify
	}
	if err := verify(p.Module(c)); err != nil {
		return bug("left an invalid module: %v", err)
	}
	return nil
}

// textOf returns the text of m, however broken it is.
func textOf(m *ir.Module) (text string) {
	defer func() {
		if r := recover(); r != nil {
			text = fmt.Sprintf("(cannot be printed: %v)", r)
		}
	}()
	return m.String()
}

// Error is the error of one pass.
type Error struct {
	Pass string // its name; Input where no pass has run
	Bug  bool   // the pass is wrong; else its input is
	Err  error
}

// Error returns the text of Err. That of a bug names the pass and holds the
// module.
func (e *Error) Error() string { return e.Err.Error() }

// Unwrap returns Err.
func (e *Error) Unwrap() error { return e.Err }
