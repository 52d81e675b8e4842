package sharding

// This file orders propagation: by the kinds of ops, so that ops which pass shardings on unchanged
// go first, and by the priorities that users give to dimensions.

import (
	"slices"

	"github.com/gospmd/gospmd/internal/sdy"
	"github.com/gospmd/gospmd/ir"
	"github.com/gospmd/gospmd/layout"
	"github.com/gospmd/gospmd/sharding/factor"
)

// opPriorities are the rounds of op-priority propagation, highest priority first. A round returns
// the directions in which a step may propagate along a factor. A step may also use the directions
// that the earlier rounds allow.
var opPriorities = []func(g *graph, s *step, factor int) direction{
	// Ops that pass all dimensions on unchanged, if their operands have no other uses.
	func(g *graph, s *step, _ int) direction {
		if g.hasSharedOperand(s) {
			return stay
		}
		return passThroughDirections(s.op)
	},
	// The same ops, even if their operands have other uses.
	func(_ *graph, s *step, _ int) direction { return passThroughDirections(s.op) },
	// PassThrough factors of all ops. Broadcasts only backward, because it is cheap to
	// rematerialize a broadcast in any sharding.
	func(_ *graph, s *step, f int) direction {
		if s.rule.Factors[f].Kind != factor.PassThrough {
			return stay
		}
		return broadcastBackward(s.op)
	},
	// Factors of all kinds; broadcasts still only backward.
	func(_ *graph, s *step, _ int) direction { return broadcastBackward(s.op) },
	// All factors in both directions.
	func(*graph, *step, int) direction { return both },
}

// passThroughDirections returns the directions in which op passes shardings on unchanged: both for
// element-wise ops, reshapes, transposes, moves between memories and data-flow edges, and for nil;
// forward for dynamic_slice and dynamic_update_slice; stay for all others.
func passThroughDirections(op *ir.Op) direction {
	switch {
	case op == nil:
		return both
	case sdy.IsElementwise(op):
		return both
	}
	switch op.Kind {
	case ir.OpReshape, ir.OpTranspose, ir.OpDataFlowEdge, ir.OpFuncDataFlowEdge:
		return both
	case ir.OpDynamicSlice, ir.OpDynamicUpdateSlice:
		return forward
	case ir.OpCustomCall:
		if t := callTarget(op); t == "MoveToDevice" || t == "MoveToHost" {
			return both
		}
	}
	return stay
}

func broadcastBackward(op *ir.Op) direction {
	if op != nil && op.Kind == ir.OpBroadcastInDim {
		return backward
	}
	return both
}

// hasSharedOperand reports whether an operand of the op of s, other than a scalar, has more than
// one use. It is false for the step of a function's result, which has no op.
func (g *graph) hasSharedOperand(s *step) bool {
	return s.op != nil && slices.ContainsFunc(s.op.Operands, func(v *ir.Value) bool {
		return v.Type.Rank() > 0 && g.uses[v] > 1
	})
}

// runByOp runs the rounds of opPriorities, and sets g.round.op to the number of each. In each round
// it runs the given kinds of steps one after the other.
func (g *graph) runByOp(kinds []stepKind) {
	for last := range opPriorities {
		g.round.op = last
		for _, by := range kinds {
			g.run(by, func(s *step, f int) direction {
				d := stay
				for i := last; i >= 0 && d != both; i-- { // each round allows what the earlier ones do
					d |= opPriorities[i](g, s, f)
				}
				return d
			})
		}
	}
}

// runByUser calls round for priority 0 and then for each other priority that an annotation has, in
// ascending order, and sets g.round.user to it. Until the round of its priority, a dimension counts
// as unsharded and closed, and its axes count as used, so that no dimension of a higher priority
// takes them. It removes the marks P0 from the tensors' shardings.
func (g *graph) runByUser(round func()) {
	type annotated struct {
		t      *tensor
		origin *layout.Sharding
	}
	var hidden []annotated
	var priorities []int
	for _, t := range g.tensors {
		if t.sharding != nil && slices.ContainsFunc(t.sharding.Dims, func(d layout.DimSharding) bool { return d.P0 }) {
			t.sharding = t.sharding.Clone()
			for d := range t.sharding.Dims {
				t.sharding.Dims[d].P0 = false
			}
		}
		if t.sharding == nil || !slices.ContainsFunc(t.sharding.Dims, func(d layout.DimSharding) bool { return d.Priority > 0 }) {
			continue
		}
		hidden = append(hidden, annotated{t, t.sharding})
		for _, d := range t.sharding.Dims {
			priorities = append(priorities, d.Priority)
		}
		t.sharding = hideWeaker(t.sharding)
	}
	slices.Sort(priorities)
	priorities = slices.Compact(priorities)
	if len(priorities) == 0 || priorities[0] > 0 {
		round()
	}
	for _, p := range priorities {
		g.round.user = p
		for _, a := range hidden {
			if p > 0 {
				a.t.sharding = reveal(a.t.sharding, a.origin, p)
				g.tick(a.t)
			}
		}
		round()
	}
}

// hideWeaker returns a copy of s in which the dimensions with a priority greater than 0 are
// unsharded and closed. Their axes are replicated axes there, so that nothing else takes them.
func hideWeaker(s *layout.Sharding) *layout.Sharding {
	s = s.Clone()
	for d := range s.Dims {
		if dim := &s.Dims[d]; dim.Priority > 0 {
			s.Replicated = append(s.Replicated, dim.Axes...)
			*dim = layout.DimSharding{}
		}
	}
	s.Replicated = s.Mesh.SortedRefs(s.Replicated)
	return s
}

// reveal returns a copy of s, which hideWeaker made from origin, with the dimensions of priority p
// as they are in origin.
func reveal(s, origin *layout.Sharding, p int) *layout.Sharding {
	s = s.Clone()
	hidden := origin.Replicated
	for d, dim := range origin.Dims {
		switch {
		case dim.Priority == p:
			s.Dims[d] = layout.DimSharding{Axes: slices.Clone(dim.Axes), Open: dim.Open}
		case dim.Priority > p:
			hidden = append(slices.Clone(hidden), dim.Axes...)
		}
	}
	s.Replicated = s.Mesh.SortedRefs(hidden)
	return s
}
