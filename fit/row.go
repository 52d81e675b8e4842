package fit

// This file estimates what a program costs on a mesh.

import (
	"github.com/gospmd/gospmd/compile/cost"
	"github.com/gospmd/gospmd/compile/report"
	"github.com/gospmd/gospmd/program"
)

// Row is what a run of the program costs each device of one mesh.
type Row struct {
	Mesh    string `json:"mesh"`
	Devices int    `json:"devices"`
	// Fits says that the program's memory is at most the limit. If the target's compiler was asked,
	// it is the compiler's answer, and otherwise our estimate.
	Fits bool `json:"fits"`
	// Error says why the program could not be compiled for the mesh. The figures are then missing.
	Error string `json:"error,omitempty"`

	Memory report.Memory `json:"memory"`
	Limit  int           `json:"memory_limit"` // 0: not known
	Bytes  int           `json:"bytes"`        // bytes that a device sends
	Flops  int           `json:"flops"`
	// Prediction has the time, what bounds it, and the bytes by axes and link. It is nil if the
	// machine has no scale of time.
	Prediction *cost.Prediction `json:"prediction,omitempty"`
	// RelativeTime is the time as a multiple of the least of all rows, if the machine has no scale of
	// time; else 0.
	RelativeTime float64 `json:"relative_time,omitempty"`

	// Compiler has the figures of the target's compiler; nil if it was not asked.
	Compiler *Compiler `json:"compiler,omitempty"`

	predicted *cost.Prediction // Prediction, or that of a machine without a scale
}

// estimate sets the figures of r that we predict for program p on a machine: time, memory, FLOPs,
// bytes sent, and from these whether it fits.
func (r *Row) estimate(p *program.Program, m *cost.Machine) {
	rep := report.NewFor(p, m)
	r.Memory, r.Bytes, r.Flops = rep.Memory, rep.Bytes, rep.Flops
	r.Limit = m.Memory
	r.predicted = m.Predict(p.Mesh, p.Module.Main())
	if m.HasScale() {
		r.Prediction = r.predicted
	}
	r.decide()
}

// decide sets r.Fits: to the answer of the target's compiler if it was asked, and otherwise by
// whether the predicted peak is within the limit. Without a limit (0) every program fits.
func (r *Row) decide() {
	switch {
	case r.Compiler != nil:
		r.Fits = r.Compiler.Fits
	default:
		r.Fits = r.Limit == 0 || r.Memory.Peak <= r.Limit
	}
}
