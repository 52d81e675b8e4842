package shardypasses

// This file runs passes.

import (
	"fmt"
	"slices"

	"github.com/gospmd/gospmd/ir"
	"github.com/gospmd/gospmd/sharding"
)

// Run verifies m and runs the passes on it, one after the other, verifying what
// each has made.
func Run(m *ir.Module, passes []Pass) error {
	if err := verify(m); err != nil {
		return err
	}
	for _, p := range passes {
		if err := p.Run(m); err != nil {
			return fmt.Errorf("pass %s: %w", p.Name, err)
		}
		if err := verify(m); err != nil {
			return fmt.Errorf("what pass %s has made is not valid: %w", p.Name, err)
		}
	}
	return nil
}

// verify verifies what MLIR does. It lets an op have attributes that the op
// does not know and shardings name a mesh that is written in them.
func verify(m *ir.Module) error {
	violations, _ := ir.Verify(m).(ir.Violations)
	violations = slices.DeleteFunc(violations, func(f ir.Violation) bool { return f.Rule == ir.RuleForm || f.Rule == ir.RuleListed })
	if len(violations) > 0 {
		return violations
	}
	for _, nm := range m.Meshes {
		ids := slices.Sorted(slices.Values(nm.Mesh.Devices()))
		if n := len(ids); !nm.Mesh.IsMaximal() && n > 0 && (ids[0] != 0 || ids[n-1] != n-1) {
			return fmt.Errorf("sdy.mesh @%s has the devices %v: want each of 0 to %d once, in any order", nm.Name, nm.Mesh.Devices(), n-1)
		}
	}
	return sharding.CheckRules(m)
}
