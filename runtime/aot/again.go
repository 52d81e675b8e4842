package aot

// This file finds out whether the compiler has kept what a program computes again to save memory.

import (
	"fmt"
	"slices"
	"strings"

	"github.com/gospmd/gospmd/compile/cost"
	"github.com/gospmd/gospmd/internal/layerpath"
	"github.com/gospmd/gospmd/ir"
	"github.com/gospmd/gospmd/program"
)

// DroppedError says that the compiler has merged ops that compute values again, to save memory,
// with the ops that computed them before. These values then stay in memory.
type DroppedError struct {
	// Paths are the paths of the ops of each place of the program whose values the compiler keeps,
	// in the order of the program.
	Paths []string
	Again int // the number of places where the program computes values again
}

// Error tells how many of the places have no op left, names at most four of them, and says what to
// do.
func (e *DroppedError) Error() string {
	const most = 4
	names := make([]string, 0, most+1)
	for i, path := range e.Paths {
		if i == most {
			names = append(names, "…")
			break
		}
		names = append(names, fmt.Sprintf("%q", path))
	}
	return fmt.Sprintf("the compiler has dropped recomputations, and keeps the values in memory: of %d places where the program computes values again, %d have no op in the optimized module (%s): raise the memory limit, or allow it (aot.Options.AllowDropped, -allow-dropped)",
		e.Again, len(e.Paths), strings.Join(names, ", "))
}

// droppedError returns the error of p if m, its optimized module, has none of the ops of a place
// where p computes values again; nil if each place has one left. Ops that only move data do not
// count: a compiler may turn them into layouts of other values. Nor do ops on constants, such as
// those of a causal mask: all places may share their results, which need no memory where they are
// computed as they are read.
func (m *hloModule) droppedError(p *program.Program) error {
	var wanted []string
	for _, f := range p.Module.Funcs {
		constant := map[*ir.Value]bool{}
		f.Walk(func(op *ir.Op) {
			if !op.Info().Is(ir.Collective) && len(op.Regions) == 0 && !slices.ContainsFunc(op.Operands, func(v *ir.Value) bool { return !constant[v] }) {
				for _, v := range op.Results {
					constant[v] = true
				}
				return
			}
			if part, ok := layerpath.AgainPart(op.Loc.Path); ok && cost.OpFlops(op) > 0 && !slices.Contains(wanted, part) {
				wanted = append(wanted, part)
			}
		})
	}
	if len(wanted) == 0 {
		return nil
	}
	left := slices.Clone(wanted)
	for _, list := range m.computations {
		for _, i := range list {
			if part, ok := layerpath.AgainPart(i.opName); ok {
				left = slices.DeleteFunc(left, func(w string) bool { return strings.HasSuffix(part, w) })
			}
		}
	}
	if len(left) == 0 {
		return nil
	}
	return &DroppedError{Paths: left, Again: len(wanted)}
}
