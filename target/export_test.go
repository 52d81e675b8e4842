package target

// This file lets the external tests see modules before they are printed.

import (
	"github.com/gospmd/gospmd/ir"
	"github.com/gospmd/gospmd/program"
)

// Emit returns the module that an engine gets in one process of the placement at, and its
// crossings; a nil at stands for one process, without crossings. number identifies the program in
// custom calls.
func Emit(m *ir.Module, at *program.Placement, number int) (*ir.Module, []Crossing) {
	return emit(m, at, number)
}
