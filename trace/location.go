package trace

// This file finds the source line that an op comes from.

import (
	"runtime"
	"strings"
	"sync"

	"github.com/gospmd/gospmd/ir"
)

// ownCode are the function name prefixes whose frames are between the user and
// the recording: GoMLX, this package, and what panics run through.
var ownCode = []string{"github.com/gomlx/", "github.com/gospmd/gospmd/trace.", "runtime.", "reflect.", "sync."}

// site is what a program counter stands for.
type site struct {
	own  bool   // in ownCode
	fn   string // with its package's last element: graph.Reshape
	file string
	line int
}

// sites remembers the sites that were looked up: symbol tables are slow, and
// a model calls the same lines again and again.
var sites = struct {
	sync.RWMutex
	byPC map[uintptr]site
}{byPC: make(map[uintptr]site)}

// location returns the current layer path with the first line of the call
// stack that is the user's.
func (r *Recorder) location() ir.Location {
	s, _ := callSite()
	return ir.Location{Path: r.path, File: s.file, Line: s.line}
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
	const skip = 2 // runtime.Callers and callSite
	var pcs [16]uintptr
	for start := skip; ; start += len(pcs) {
		n := runtime.Callers(start, pcs[:])
		sites.RLock()
		for _, pc := range pcs[:n] {
			s, ok := sites.byPC[pc]
			if !ok {
				sites.RUnlock()
				s = lookUp(pc)
				sites.RLock()
			}
			if !s.own {
				sites.RUnlock()
				return s, called
			}
			called = s.fn
		}
		sites.RUnlock()
		if n < len(pcs) {
			return site{}, ""
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

// shortFile returns the file with its folder: the same on every machine and
// still enough to find it.
func shortFile(file string) string {
	if i := strings.LastIndexByte(file, '/'); i >= 0 {
		return file[strings.LastIndexByte(file[:i], '/')+1:]
	}
	return file
}
