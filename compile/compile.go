package compile

// This file runs the pass list.

import "github.com/gospmd/gospmd/ir"

// Compile turns a module with pinned layouts into a Program. The module is
// not changed.
func Compile(m *ir.Module, o Options) (*Program, error) { panic("BUG: not written yet") }
