package trace

// This file defines Error, turns panics into Errors, and finds the source line that an op comes
// from.

import (
	"errors"
	"fmt"
	"runtime"
	"runtime/debug"
	"strconv"
	"strings"
	"sync"

	"github.com/gospmd/gospmd/ir"
)

// Error is an error in the recording of a graph.
type Error struct {
	// the operation: DotGeneral, graph.Reshape, parameter "x"; empty if unknown
	Op  string
	Loc ir.Location // layer path and source line
	Err error       // the cause
	// Stack is the stack of a panic that is a bug and not the user's error; else empty.
	Stack string
}

// Error returns the layer or place, the operation and the cause: "trace: in layer d1 (model.go:12):
// DotGeneral: …". Behind them stands the stack of a panic.
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

// errorf returns an Error of the operation op, with the text in the format, whose location is the
// current layer path and the line in the user's code.
func (r *Recorder) errorf(op, format string, args ...any) *Error {
	return &Error{Op: op, Loc: r.location(), Err: fmt.Errorf(format, args...)}
}

// errorOfPanic turns p, a recovered panic, into an error: an *Error as it is, and anything else as
// the cause of a new one. Runtime errors and our own faults (BUG) get the stack. The deferred
// function must call it itself, while the stack of the panic still exists.
func (r *Recorder) errorOfPanic(p any) error {
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

// ownCode are prefixes of function names. Their frames are between the user's code and the
// recording: GoMLX, this package, and packages that panics pass through.
var ownCode = []string{"github.com/gomlx/", "github.com/gospmd/gospmd/trace.", "runtime.", "reflect.", "sync."}

// site describes the code at a program counter.
type site struct {
	own     bool // the function is in ownCode
	library bool // the function belongs to this module, and is not the user's code
	// the function sets a place, as At does: functions that it calls have that place, not their own
	bounds bool
	fn     string // the function's name with the last element of its package path: graph.Reshape
	file   string
	line   int
}

// sites caches the sites of program counters: looking one up is slow, and a model calls the same
// lines again and again.
var sites = struct {
	sync.RWMutex
	byPC map[uintptr]site
}{byPC: make(map[uintptr]site)}

// location returns the current layer path, with the place of the innermost frame of the user's code
// in the call stack. If the stack passes through At before that frame, the place is that of At.
func (r *Recorder) location() ir.Location {
	if r.again != nil {
		return *r.again
	}
	l := r.userLine()
	l.Path = r.path
	return l
}

func (r *Recorder) userLine() (l ir.Location) {
	if r.line != nil {
		return *r.line
	}
	eachCaller(func(s site) bool {
		switch {
		case s.bounds && r.place.File != "":
			l = r.place
			return false
		case s.own || s.library:
			return true
		}
		l = ir.Location{File: s.file, Line: s.line}
		return false
	})
	return l
}

// Caller returns the place of the innermost frame of the user's code in the call stack; it is empty
// if there is none. The user's code is all code outside of this module and of GoMLX, and the
// examples, commands and tests of this module.
func Caller() ir.Location { return (&Recorder{}).userLine() }

// At runs build. Ops that build records get the place l, unless a line of the user's code inside of
// build records them. It is for layers of a library: they are called when the model is recorded,
// but their ops belong to the line where the user applied the layer.
func (r *Recorder) At(l ir.Location, build func()) {
	outer := r.place
	r.place = ir.Location{File: l.File, Line: l.Line}
	build()
	r.place = outer // not deferred: if build panics, errorOfPanic needs the place
}

// AtOnePlace runs build and gives all its ops the place of the caller. It is for code of this
// module that does not call the user's code: finding the place of each op takes more time than
// recording it.
func (r *Recorder) AtOnePlace(build func()) {
	outer, line := r.line, r.userLine()
	r.line = &line
	build()
	r.line = outer // not deferred, as in At
}

// calledOp returns the name of the ownCode function that the user's code called: messages use it as
// the name of the operation. It returns "" if the user's code itself panicked.
func calledOp() string {
	_, below := callSite()
	if below == "runtime.gopanic" {
		return ""
	}
	return below
}

// callSite returns the innermost frame that is not in ownCode, and the name of the function of
// ownCode that it called. Both are empty if there is no such frame.
func callSite() (user site, called string) {
	eachCaller(func(s site) bool {
		if s.own {
			called = s.fn
			return true
		}
		user = s
		return false
	})
	if user == (site{}) {
		return site{}, ""
	}
	return user, called
}

// eachCaller calls visit for the frames of the call stack, from the innermost on, until visit
// returns false.
func eachCaller(visit func(site) bool) {
	const skip = 2 // the frames of runtime.Callers and eachCaller
	// usually enough; runtime.Callers walks the stack again for each further part
	var pcs [24]uintptr
	for start := skip; ; start += len(pcs) {
		n := runtime.Callers(start, pcs[:])
		for _, pc := range pcs[:n] {
			sites.RLock()
			s, ok := sites.byPC[pc]
			sites.RUnlock()
			if !ok {
				s = lookUp(pc)
			}
			if !visit(s) {
				return
			}
		}
		if n < len(pcs) {
			return
		}
	}
}

func lookUp(pc uintptr) site {
	frame, _ := runtime.CallersFrames([]uintptr{pc}).Next()
	s := site{
		fn:   strings.TrimPrefix(frame.Function[strings.LastIndexByte(frame.Function, '/')+1:], "trace.(*Recorder)."),
		file: shortFile(frame.File),
		line: frame.Line,
	}
	s.library = isLibrary(frame.Function, frame.File)
	switch frame.Function {
	case ownPackage + ".(*Recorder).At", ownPackage + ".(*Recorder).Gradient":
		s.bounds = true
	}
	for _, prefix := range ownCode {
		if strings.HasPrefix(frame.Function, prefix) {
			s.own = true
		}
	}
	sites.Lock()
	sites.byPC[pc] = s
	sites.Unlock()
	return s
}

// ownPackage is the import path of this package, and modulePath that of the module.
const (
	modulePath = "github.com/gospmd/gospmd/"
	ownPackage = modulePath + "trace"
)

// isLibrary reports whether the function with this full name, in this file, belongs to a package of
// this module that is not an example, a benchmark, a command or a test.
func isLibrary(function, file string) bool {
	rest, ok := strings.CutPrefix(function, modulePath)
	return ok && !strings.HasPrefix(rest, "examples/") && !strings.HasPrefix(rest, "benchmarks/") && !strings.HasSuffix(file, "_test.go")
}

// shortFile returns the name of the file with only its last directory: it is the same on every
// machine, and usually enough to find the file.
func shortFile(file string) string {
	if i := strings.LastIndexByte(file, '/'); i >= 0 {
		return file[strings.LastIndexByte(file[:i], '/')+1:]
	}
	return file
}
