package target

// This file makes the text of the module that a target gets.

import (
	"github.com/gospmd/gospmd/ir"
	"github.com/gospmd/gospmd/program"
)

// Text returns the module of a program for the target, in StableHLO's text form, with locations,
// which engines use for the names in profilers. All devices must be in one process. The text is
// made once for each program and target, and is always the same for the same module. The caller
// must not change it.
func (t *Target) Text(p *program.Program) []byte {
	return p.Keep(t.Name, func() []byte {
		m := p.Module
		if p.Form == program.PerDevice && len(m.Meshes) > 0 && t.Collectives != AsTheyAre {
			if t.Collectives == Separate {
				m = separate(m)
			}
			m, _ = emit(m, nil, 0)
		}
		return text(m)
	})
}

// text prints a module for an engine.
func text(m *ir.Module) []byte { return m.Text(ir.PrintOptions{Locations: true}) }
