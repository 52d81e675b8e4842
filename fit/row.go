package fit

// This file says what a program costs on a mesh, by our own estimate.

import (
	"github.com/gospmd/gospmd/compile/cost"
	"github.com/gospmd/gospmd/compile/report"
	"github.com/gospmd/gospmd/program"
)

// Row is what a run of the program costs each device of a mesh.
type Row struct {
	Mesh    string `json:"mesh"`
	Devices int    `json:"devices"`
	// Fits says that the program's memory is at most the limit: by the compiler, where
	// it was asked, else by our estimate.
	Fits bool `json:"fits"`
	// Error is why there is no program on the mesh; the figures are missing then.
	Error string `json:"error,omitempty"`

	Memory report.Memory `json:"memory"`
	Limit  int           `json:"memory_limit"` // 0: not known
	Bytes  int           `json:"bytes"`        // sent
	Flops  int           `json:"flops"`
	// Prediction has the time, its bound and the bytes by axes and link.
	Prediction *cost.Prediction `json:"prediction,omitempty"`

	// Compiler has the figures of the target's compiler; nil where it was not asked.
	Compiler *Compiler `json:"compiler,omitempty"`
}

// estimate fills r with our figures.
func (r *Row) estimate(p *program.Program, m *cost.Machine) {
	rep := report.NewFor(p, m)
	r.Memory, r.Bytes, r.Flops = rep.Memory, rep.Bytes, rep.Flops
	r.Limit = m.Memory
	r.Prediction = m.Predict(p.Mesh, p.Module.Main())
	r.decide()
}

// decide sets Fits.
func (r *Row) decide() {
	switch {
	case r.Compiler != nil:
		r.Fits = r.Compiler.Fits
	default:
		r.Fits = r.Limit == 0 || r.Memory.Peak <= r.Limit
	}
}
