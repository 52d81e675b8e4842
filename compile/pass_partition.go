package compile

// This file implements partition, which makes the per-device program.

import (
	"slices"
	"strings"

	"github.com/gospmd/gospmd/compile/partition"
	"github.com/gospmd/gospmd/ir"
)

// splitProgram replaces the module by what each device runs; see package partition.
// What only a framework reads of a module, its parameters and results, goes.
func splitProgram(u *unit) error {
	m, err := partition.Module(u.m, u.mesh)
	if err != nil {
		return err
	}
	m.Attrs = slices.DeleteFunc(slices.Clone(m.Attrs), func(na ir.NamedAttr) bool {
		return !strings.HasPrefix(na.Name, "stablehlo.") || isPartitionCount(na.Name)
	})
	f := m.Main()
	for i := range f.ArgAttrs {
		f.ArgAttrs[i] = kept(f.ArgAttrs[i])
	}
	for i := range f.Results {
		f.Results[i].Attrs = kept(f.Results[i].Attrs)
	}
	u.m = m
	return nil
}
