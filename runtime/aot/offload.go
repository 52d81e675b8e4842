package aot

// This file finds out whether the compiler keeps in the host's memory what a program keeps there.

import (
	"fmt"
	"strings"

	"github.com/gospmd/gospmd/ir"
	"github.com/gospmd/gospmd/program"
)

// OffloadError says that the compiler keeps inputs or outputs in the memory of a device that the
// program keeps in the memory of the host.
type OffloadError struct {
	// Names are those of the inputs, then those of the outputs, in the order of the program.
	Names []string
}

// Error names at most four of the inputs and outputs, tells how many more there are, and says what
// to do.
func (e *OffloadError) Error() string {
	const most = 4
	names := e.Names
	more := ""
	if len(names) > most {
		names, more = names[:most], fmt.Sprintf(" and %d more", len(names)-most)
	}
	return fmt.Sprintf("the compiler has dropped offloads: it keeps %s%s in the memory of the device, and the program in that of the host: leave out OffloadOptimizer and %s, or allow it (aot.Options.AllowDropped, -allow-dropped)",
		strings.Join(names, ", "), more, ir.MemoryKindAttr)
}

// offloadError returns the error of p if m, its optimized module, has arguments or results in the
// memory of the device that p has in the host's, or does not list them; else nil.
func (m *hloModule) offloadError(p *program.Program) error {
	var names []string
	check := func(kind string, t program.TensorInfo, i int, shapes []hloShape) {
		if t.Memory.OnHost() && (i >= len(shapes) || shapes[i].space != hostSpace) {
			names = append(names, fmt.Sprintf("%s %q", kind, t.Name))
		}
	}
	for i, in := range p.Inputs {
		check("input", in.TensorInfo, i, m.parameters)
	}
	results := m.result.tuple
	if len(p.Outputs) == 1 && len(results) == 0 {
		results = []hloShape{m.result}
	}
	for i, out := range p.Outputs {
		check("output", out.TensorInfo, i, results)
	}
	if names == nil {
		return nil
	}
	return &OffloadError{names}
}
