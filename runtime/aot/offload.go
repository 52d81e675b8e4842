package aot

// This file finds out whether the compiler keeps in the host's memory what a program keeps there,
// and moves there what a program moves.

import (
	"fmt"
	"slices"
	"strings"

	"github.com/gospmd/gospmd/ir"
	"github.com/gospmd/gospmd/program"
)

// OffloadError says that the compiler keeps in the memory of a device inputs or outputs that the
// program keeps in the memory of the host, or values that it moves there.
type OffloadError struct {
	// Names are the names of the inputs, then of the outputs, in the order of the program.
	Names []string
	// Values is the number of values, other than inputs and outputs, that the program moves to the
	// host, and Moved how many values the compiler moves there. Both are 0 if it moves enough.
	Values, Moved int
}

// Error names at most four of the inputs and outputs, tells how many more there are and how many
// values are not moved, and says what to do.
func (e *OffloadError) Error() string {
	const most = 4
	var dropped, fixes []string
	if names := e.Names; len(names) > 0 {
		more := ""
		if len(names) > most {
			names, more = names[:most], fmt.Sprintf(" and %d more", len(names)-most)
		}
		dropped = append(dropped, fmt.Sprintf("it keeps %s%s in the memory of the device, and the program in that of the host", strings.Join(names, ", "), more))
		fixes = append(fixes, "leave out OffloadOptimizer and "+ir.MemoryKindAttr)
	}
	if e.Values > 0 {
		dropped = append(dropped, fmt.Sprintf("it moves %d values to the host, and the program %d", e.Moved, e.Values))
		fixes = append(fixes, "give the layers another memory policy than offload, raise the memory limit")
	}
	return fmt.Sprintf("the compiler has dropped offloads: %s: %s, or allow it (aot.Options.AllowDropped, -allow-dropped)", strings.Join(dropped, "; "), strings.Join(fixes, ", "))
}

// offloadError returns the error of p if m, its optimized module, has arguments or results in the
// memory of the device that p has in the host's, or does not list them, or moves fewer values to the
// host than p; else nil.
func (m *hloModule) offloadError(p *program.Program) error {
	e := &OffloadError{}
	check := func(kind string, t program.TensorInfo, i int, shapes []hloShape) {
		if t.Memory.OnHost() && (i >= len(shapes) || shapes[i].space != hostSpace) {
			e.Names = append(e.Names, fmt.Sprintf("%s %q", kind, t.Name))
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
	if values, moved := valuesMoved(p), m.movedToHost(); moved < values {
		e.Values, e.Moved = values, moved
	}
	if e.Names == nil && e.Values == 0 {
		return nil
	}
	return e
}

// valuesMoved returns the number of values that p moves to the host, and does not return from there.
func valuesMoved(p *program.Program) int {
	seen := map[*ir.Value]bool{}
	for _, f := range p.Module.Funcs {
		f.Walk(func(op *ir.Op) {
			if kind, ok := op.Placement(); ok && kind.OnHost() && !slices.Contains(f.Returned(), op.Result()) && op.Result().HasUses() {
				seen[op.Operands[0]] = true
			}
		})
	}
	return len(seen)
}

// writers are the opcodes of instructions that write into the memory of the host.
var writers = []string{"copy", "copy-start", "dynamic-update-slice", "fusion"}

// movedToHost returns the number of instructions that write values into the memory of the host.
func (m *hloModule) movedToHost() (n int) {
	for _, list := range m.computations {
		for _, i := range list {
			to := i.shape
			if i.opcode == "copy-start" && len(to.tuple) > 0 {
				to = to.tuple[0] // the source follows
			}
			if slices.Contains(writers, i.opcode) && to.space == hostSpace {
				n++
			}
		}
	}
	return n
}
