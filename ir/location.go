package ir

// This file defines Location, where an op came from, and Position, where its
// text stands.

import (
	"fmt"
	"strings"
)

// Location says where an op came from. Path is the layer path: d1, or grad(d1)
// in the backward pass. File and Line are the Go source line that made it, or
// what a parsed #loc says.
type Location struct {
	Path string
	File string
	Line int
}

// Position is a place in the text that a module was parsed from. The zero value
// says that there is none. It is never printed with the module.
type Position struct {
	File      string // empty: the text was in no file
	Line, Col int    // from 1 on
}

// String returns file:line:col, or nothing.
func (p Position) String() string {
	switch {
	case p.Line == 0:
		return ""
	case p.File == "":
		return fmt.Sprintf("%d:%d", p.Line, p.Col)
	}
	return fmt.Sprintf("%s:%d:%d", p.File, p.Line, p.Col)
}

// LocateByText gives each op whose location names no file the line of the text
// that it was parsed from, as compilers do: messages and reports can name it
// then. Text that was in no file is called text.
func (m *Module) LocateByText() {
	for _, f := range m.Funcs {
		f.Walk(func(op *Op) {
			if op.Loc.File != "" || op.Pos.Line == 0 {
				return
			}
			op.Loc.File, op.Loc.Line = op.Pos.File, op.Pos.Line
			if op.Loc.File == "" {
				op.Loc.File = "text"
			}
		})
	}
}

// IsZero reports whether nothing is known.
func (l Location) IsZero() bool { return l == Location{} }

// String returns a short form for messages: d1 (model.go:12).
func (l Location) String() string {
	file := l.File[strings.LastIndexByte(l.File, '/')+1:]
	switch {
	case l.IsZero():
		return "unknown location"
	case l.File == "":
		return l.Path
	case l.Path == "":
		return fmt.Sprintf("%s:%d", file, l.Line)
	default:
		return fmt.Sprintf("%s (%s:%d)", l.Path, file, l.Line)
	}
}
