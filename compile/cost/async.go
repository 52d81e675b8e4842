package cost

// This file finds out for how long the devices of a TPU wait for collectives, as libtpu schedules
// them. A permute runs beside kernels. An all_gather does so if there is a contraction that it can
// start beside: libtpu gives it a part of the gather, and other kernels may follow until the gather
// is complete. During other collectives the device waits.

import (
	"slices"

	"github.com/gospmd/gospmd/ir"
)

// hiding says for how long the kernels of a block can still run beside collectives.
type hiding struct {
	kernels []kernel
	free    []float64 // by kernel, in seconds; 0 of collectives
	starts  []bool    // by kernel, whether a gather has started beside it
	users   [][]int   // by kernel, the kernels that need it
}

// newHiding returns the hiding of kernels, whose times are given. It is nil for machines that are no
// TPU, or that cannot compute while they send.
func (p *predictor) newHiding(kernels []kernel, times []Prediction) *hiding {
	if !p.m.compiler().libtpu || !p.m.Overlap {
		return nil
	}
	n := len(kernels)
	h := &hiding{kernels, make([]float64, n), make([]bool, n), make([][]int, n)}
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
// time. They are those that neither need c nor are needed for it, the earliest first. One
// contraction is the start of at most one gather.
func (h *hiding) exposed(c int, seconds float64) float64 {
	becomes := ir.CollectiveOf(h.kernels[c].op.Kind).Becomes.Kind
	if becomes != ir.OpAllGather && becomes != ir.OpCollectivePermute {
		return seconds
	}
	bound := make([]bool, len(h.kernels))
	mark(bound, c, func(k int) []int { return h.kernels[k].needs })
	mark(bound, c, func(k int) []int { return h.users[k] })
	if becomes == ir.OpAllGather && !h.start(bound) {
		return seconds
	}
	for i := range h.kernels {
		if !bound[i] {
			hidden := min(h.free[i], seconds)
			h.free[i] -= hidden
			seconds -= hidden
		}
	}
	return seconds
}

// start lets a gather start beside the earliest contraction that is not bound to it. It returns
// false if there is none.
func (h *hiding) start(bound []bool) bool {
	for i, k := range h.kernels {
		if !bound[i] && !h.starts[i] && k.contracts() {
			h.starts[i] = true
			return true
		}
	}
	return false
}

// contracts reports whether k has a product or a convolution.
func (k kernel) contracts() bool { return slices.ContainsFunc(k.ops, (*ir.Op).IsContraction) }

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
