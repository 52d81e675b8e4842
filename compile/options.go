package compile

// This file defines the options of Compile.

import (
	"fmt"

	"github.com/gospmd/gospmd/compile/report"
	"github.com/gospmd/gospmd/program"
)

// Partitioner splits a module that has a sharding on every value.
type Partitioner int

const (
	// SPMD partitions by package partition (Form PerDevice): the default.
	SPMD Partitioner = iota
	// XLA leaves the partitioning to XLA (Form Annotated): the cross-check.
	XLA
)

// Options control Compile. The zero value is the default.
type Options struct {
	Partitioner Partitioner
	// DumpDir, unless empty, receives the module after each pass, in numbered
	// files.
	DumpDir string
	// ShardedUpdate shards the optimizer's slots and its work over the axes
	// that shard the data: each device updates a part of the weights, which are
	// then gathered. It sends what summing the gradients would, and the slots
	// take less memory.
	ShardedUpdate bool
	// AsPropagated keeps the shardings that propagation found, at whatever
	// cost; see pass balance.
	AsPropagated bool
	// Budget bounds what the program may cost; Compile returns an error that
	// names what costs too much. It needs the partitioner SPMD.
	Budget report.Budget
}

// checkBudget returns what is wrong with o.Budget.
func (o Options) checkBudget() error {
	if err := o.Budget.Validate(); err != nil {
		return fmt.Errorf("compile: Options.Budget %w", err)
	}
	if !o.Budget.IsZero() && o.Partitioner != SPMD {
		return fmt.Errorf("compile: Options.Budget is set, but what XLA's partitioner makes is not known when it is compiled: use compile.SPMD")
	}
	return nil
}

// form returns the form of what p makes.
func (p Partitioner) form() program.Form {
	if p == XLA {
		return program.Annotated
	}
	return program.PerDevice
}
