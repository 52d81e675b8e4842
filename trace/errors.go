package trace

// This file defines Error and turns panics into it.

import (
	"errors"
	"fmt"
	"runtime"
	"runtime/debug"
	"strconv"
	"strings"

	"github.com/gospmd/gospmd/ir"
)

// Error is what went wrong while a graph was recorded.
type Error struct {
	Op  string      // the operation: DotGeneral, graph.Reshape, parameter "x"; empty if none is known
	Loc ir.Location // layer path and source line
	Err error       // what is wrong
	// Stack is where a fault that is no user error came from; else empty.
	Stack string
}

// Error returns "trace: in layer d1 (model.go:12): DotGeneral: …".
func (e *Error) Error() string {
	var b strings.Builder
	b.WriteString("trace: ")
	switch {
	case e.Loc.Path != "":
		b.WriteString("in layer " + e.Loc.String() + ": ")
	case !e.Loc.IsZero():
		b.WriteString("at " + e.Loc.String() + ": ")
	}
	if e.Op != "" {
		b.WriteString(e.Op + ": ")
	}
	b.WriteString(e.Err.Error())
	if e.Stack != "" {
		b.WriteString("\n" + e.Stack)
	}
	return b.String()
}

// Unwrap returns the cause.
func (e *Error) Unwrap() error { return e.Err }

// errorf returns an Error at the caller's place in the user's code.
func (r *Recorder) errorf(op, format string, args ...any) *Error {
	return &Error{Op: op, Loc: r.location(), Err: fmt.Errorf(format, args...)}
}

// recovered turns a recovered panic into an error. It must be called from the
// deferred function, while the stack of the panic is still there.
func (r *Recorder) recovered(p any) error {
	err, ok := p.(error)
	if !ok {
		err = fmt.Errorf("panic: %v", p)
	}
	var located *Error
	if errors.As(err, &located) {
		return err
	}
	e := &Error{Err: err, Loc: r.location(), Op: calledOp()}
	var fault runtime.Error
	if errors.As(err, &fault) || strings.Contains(err.Error(), "BUG:") {
		e.Stack = string(debug.Stack())
	}
	return e
}

func quote(s string) string { return strconv.Quote(s) }
