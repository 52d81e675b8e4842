package cost

// This file finds out for how long the devices of a TPU wait for collectives, as libtpu schedules
// them. A permute runs beside kernels of any kind. An all_gather runs beside contractions alone:
// libtpu cuts it into parts, gives one to each contraction that it continues beside, and the device
// waits for the rest. The device waits for all of any other collective.

import (
	"slices"

	"github.com/gospmd/gospmd/hardware"
	"github.com/gospmd/gospmd/ir"
)

// hiding says for how long the kernels of a block can still run beside collectives.
type hiding struct {
	kernels []kernel
	free    []float64 // by kernel, in seconds; 0 of collectives
	users   [][]int   // by kernel, the kernels that need it
}

// newHiding returns the hiding of kernels, whose times are given. It is nil for machines that are no
// TPU, or that cannot compute while they send.
func (p *predictor) newHiding(kernels []kernel, times []Prediction) *hiding {
	if p.m.Platform != hardware.TPU || !p.m.Overlap {
		return nil
	}
	h := &hiding{kernels, make([]float64, len(kernels)), make([][]int, len(kernels))}
	for i, k := range kernels {
		if k.computes() {
			h.free[i] = times[i].Seconds
		}
		for _, n := range k.needs {
			h.users[n] = append(h.users[n], i)
		}
	}
	return h
}

// exposed returns for how long the device waits for collective c, the number of a kernel, which
// takes the given time. It takes what c hides from h.free: kernels run beside one collective at a
// time. They are those that neither need c nor are needed for it, the earliest first.
func (h *hiding) exposed(c int, seconds float64) float64 {
	beside := h.beside(h.kernels[c].op)
	if beside == nil {
		return seconds
	}
	bound := make([]bool, len(h.kernels))
	mark(bound, c, func(k int) []int { return h.kernels[k].needs })
	mark(bound, c, func(k int) []int { return h.users[k] })
	for i, k := range h.kernels {
		if !bound[i] && h.free[i] > 0 && beside(k) {
			hidden := min(h.free[i], seconds)
			h.free[i] -= hidden
			seconds -= hidden
		}
	}
	return seconds
}

// beside returns which kernels op, a collective, can run beside; nil if there are none.
func (h *hiding) beside(op *ir.Op) func(kernel) bool {
	switch ir.CollectiveOf(op.Kind).Becomes.Kind {
	case ir.OpCollectivePermute:
		return kernel.computes
	case ir.OpAllGather:
		return kernel.contracts
	}
	return nil
}

// contracts reports whether k has a product or a convolution.
func (k kernel) contracts() bool { return slices.ContainsFunc(k.ops, isContraction) }

// mark sets marked of k, and of all that next leads to from there.
func mark(marked []bool, k int, next func(k int) []int) {
	marked[k] = true
	for todo := []int{k}; len(todo) > 0; {
		last := len(todo) - 1
		k, todo = todo[last], todo[:last]
		for _, n := range next(k) {
			if !marked[n] {
				marked[n] = true
				todo = append(todo, n)
			}
		}
	}
}
