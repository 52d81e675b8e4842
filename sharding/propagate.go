package sharding

import "github.com/gospmd/gospmd/ir"

// Options control Propagate. The zero value is the default.
type Options struct{}

// Result tells what propagation did.
type Result struct{}

// Propagate gives every value of m's functions a sharding, starting from
// those that are set. It changes Value.Sharding and FuncResult.Sharding only.
func Propagate(m *ir.Module, o Options) (*Result, error) { panic("BUG: not written yet") }
