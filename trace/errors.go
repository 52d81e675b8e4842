package trace

// This file defines Error, turns panics into it, and finds the source line that
// an op comes from.

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

// Error is what went wrong while a graph was recorded.
type Error struct {
	// the operation: DotGeneral, graph.Reshape, parameter "x"; empty if none is known
	Op  string
	Loc ir.Location // layer path and source line
	Err error       // what is wrong
	// Stack is the stack of a panic that is no error of the user's; else empty.
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

// errorOfPanic turns a recovered panic into an error. It must be called from the
// deferred function, while the stack of the panic is still there.
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

// ownCode are the function name prefixes whose frames are between the user and
// the recording: GoMLX, this package, and what panics run through.
var ownCode = []string{"github.com/gomlx/", "github.com/gospmd/gospmd/trace.", "runtime.", "reflect.", "sync."}

// site is what a program counter stands for.
type site struct {
	own     bool   // in ownCode
	library bool   // of this module: no code of the user's
	bounds  bool   // what it calls has the place that the recorder knows (At, Gradient)
	fn      string // with its package's last element: graph.Reshape
	file    string
	line    int
}

// sites remembers the sites that were looked up: symbol tables are slow, and
// a model calls the same lines again and again.
var sites = struct {
	sync.RWMutex
	byPC map[uintptr]site
}{byPC: make(map[uintptr]site)}

// location returns the current layer path with the first line of the call
// stack that is the user's; or with the place that At has set, where that comes
// first.
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

// Caller returns the first line of the user's code in the call stack: code outside of this module
// and of GoMLX.
func Caller() ir.Location { return (&Recorder{}).userLine() }

// At runs build. An op gets the place l if no line of the user's code records it: a layer of a
// library is called when the model is recorded, but belongs to the line where the user applied it.
func (r *Recorder) At(l ir.Location, build func()) {
	outer := r.place
	r.place = ir.Location{File: l.File, Line: l.Line}
	build()
	r.place = outer // not deferred: recovered wants the place that a panic came from
}

// AtOnePlace runs build and gives all its ops one place, that of the caller. It is for code of this
// module that calls none of the user's: finding the place of each op costs more than recording it.
func (r *Recorder) AtOnePlace(build func()) {
	outer, line := r.line, r.userLine()
	r.line = &line
	build()
	r.line = outer // not deferred, as in At
}

// calledOp returns the function of ownCode that the user called: the name
// that a message should give the operation. It is empty where the user's code
// panicked by itself.
func calledOp() string {
	_, below := callSite()
	if below == "runtime.gopanic" {
		return ""
	}
	return below
}

// callSite returns the innermost frame that is not ownCode, and the name of
// the function it called.
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

// eachCaller visits the frames of the call stack, from the innermost on, until visit
// returns false.
func eachCaller(visit func(site) bool) {
	const skip = 2 // runtime.Callers and eachCaller
	// most stacks have the place among these; each further look begins at the top again
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

// isLibrary reports whether a function is of a package of this module that is no
// example, command or test.
func isLibrary(function, file string) bool {
	rest, ok := strings.CutPrefix(function, modulePath)
	return ok && !strings.HasPrefix(rest, "examples/") && !strings.HasPrefix(rest, "benchmarks/") && !strings.HasSuffix(file, "_test.go")
}

// shortFile returns the file with its directory: the same on every machine and
// still enough to find it.
func shortFile(file string) string {
	if i := strings.LastIndexByte(file, '/'); i >= 0 {
		return file[strings.LastIndexByte(file[:i], '/')+1:]
	}
	return file
}
