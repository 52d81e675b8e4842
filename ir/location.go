package ir

// This file defines Location: where an op came from.

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
