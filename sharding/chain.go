package sharding

// This file follows an axis back to its annotation, and describes the path in few lines. Ops that
// only pass shardings on are put together in one line, and so are similar layers.

import (
	"fmt"
	"strings"

	"github.com/gospmd/gospmd/internal/sdy"
	"github.com/gospmd/gospmd/ir"
	"github.com/gospmd/gospmd/mesh"
)

// pathStep is a step back along the path on which an axis came to a value: from a dimension of one
// tensor to the dimension of the tensor that it got the axis from.
type pathStep struct {
	edge  *propagationEdge
	to    *tensor // the tensor that the axis came from
	dim   int     // the dimension of that tensor
	count int     // the number of steps along the path that were put together to this one
	layer string  // layer path of the op with # for numbers: equal in similar layers
}

// maxChain is the largest number of lines of a chain.
const maxChain = 9

// shortPath is the largest number of steps that are not put together.
const shortPath = 5

// chain describes the path of axis a on dimension d of t back to its annotation: in few lines the
// steps (lines), and in the last line where the annotation is.
func (r *Result) chain(t *tensor, d int, a mesh.AxisRef) []string {
	steps, origin := r.path(t, d, a)
	if len(steps) > shortPath {
		steps = collapseTrivial(steps)
	}
	return append(r.lines(steps), origin)
}

// path returns the steps from dimension d of t, which axis a shards, back to the annotation that
// the axis comes from, and a text that says where that annotation is. If that was not recorded, or
// sharding groups form a cycle, the text says so.
func (r *Result) path(t *tensor, d int, a mesh.AxisRef) (steps []pathStep, origin string) {
	seen := make(map[*tensor]bool)
	for !seen[t] {
		seen[t] = true
		e := t.firstEdge(d, a)
		switch {
		case e == nil:
			return steps, "origin not recorded"
		case e.from == nil && t.annotatedBy != "":
			return steps, "annotated on " + r.describe(t) + " by " + t.annotatedBy
		case e.from == nil:
			return steps, "annotated on " + r.describe(t)
		}
		if e.dim != allDims {
			d = e.at
		}
		t = e.from
		layer := ""
		if e.via != nil {
			layer = withoutNumbers(e.via.Loc.Path)
		}
		steps = append(steps, pathStep{edge: e, to: t, dim: d, count: 1, layer: layer})
	}
	return steps, "a cycle of sharding groups"
}

// withoutNumbers returns the path with # in place of each run of digits: block#/d# for block12/d1.
func withoutNumbers(path string) string {
	var b strings.Builder
	number := false
	for _, c := range path {
		if digit := c >= '0' && c <= '9'; !digit {
			b.WriteRune(c)
			number = false
		} else if !number {
			b.WriteByte('#')
			number = true
		}
	}
	return b.String()
}

// isTrivial reports whether the op of the step only passes the sharding on: an element-wise op, a
// reshape, a transpose, a broadcast, a barrier of either kind, a constraint, or a reshard. It is
// false for a sharding group, and for a function's result.
func (s pathStep) isTrivial() bool {
	op := s.edge.via
	if s.edge.dim == allDims || op == nil {
		return false
	}
	switch op.Kind {
	case ir.OpReshape, ir.OpTranspose, ir.OpBroadcastInDim, ir.OpOptimizationBarrier,
		ir.OpShardingConstraint, ir.OpReshard, ir.OpPropagationBarrier:
		return true
	}
	return sdy.IsElementwise(op)
}

// collapseTrivial returns the steps with each run of neighbouring trivial ones put together to one
// step.
func collapseTrivial(steps []pathStep) (out []pathStep) {
	for _, s := range steps {
		if n := len(out); n > 0 && s.isTrivial() && out[n-1].isTrivial() {
			out[n-1].count++
			out[n-1].to, out[n-1].dim = s.to, s.dim
			continue
		}
		out = append(out, s)
	}
	return out
}

// isLike reports whether s and o go through the same op of similar layers.
func (s pathStep) isLike(o pathStep) bool {
	x, y := s.edge.via, o.edge.via
	switch {
	case x == nil || y == nil:
		return x == y && s.edge.dim == o.edge.dim
	case s.isTrivial() && o.isTrivial():
		return s.layer == o.layer
	}
	return x.Kind == y.Kind && s.dim == o.dim && s.layer == o.layer
}

// lines returns the steps in words, one line each. Steps of a long path that repeat share a line,
// and if there would be maxChain lines or more, one line stands for those in the middle.
func (r *Result) lines(steps []pathStep) (out []string) {
	for i := 0; i < len(steps); {
		period, times := 1, 1
		if len(steps) > shortPath {
			period, times = findRepeats(steps[i:])
		}
		for _, s := range steps[i : i+period] {
			out = append(out, r.line(s))
		}
		i += period * times
		if times > 1 {
			last := steps[i-1]
			out = append(out, fmt.Sprintf("… and so through %d more like %s, to dim %d of %s",
				times-1, map[bool]string{true: "this", false: fmt.Sprintf("these %d", period)}[period == 1], last.dim, r.describe(last.to)))
		}
	}
	if n := len(out); n >= maxChain {
		left := out[maxChain/2 : n-maxChain/2+1]
		out = append(append(out[:maxChain/2:maxChain/2], fmt.Sprintf("… through %d more", len(left))), out[n-maxChain/2+1:]...)
	}
	return out
}

// findRepeats looks for a repetition at the start of steps: the first period steps occur times
// times in a row. It returns the repetition that saves most lines, or 1, 1 if none does.
func findRepeats(steps []pathStep) (period, times int) {
	period, times = 1, 1
	for p := 1; 2*p <= len(steps); p++ {
		n := 1
		for (n+1)*p <= len(steps) && areAlike(steps[:p], steps[n*p:(n+1)*p]) {
			n++
		}
		if n > 1 && (n-1)*p-1 > (times-1)*period-1 {
			period, times = p, n
		}
	}
	if (times-1)*period < 2 {
		return 1, 1 // describing the repetition takes as many lines
	}
	return period, times
}

func areAlike(a, b []pathStep) bool {
	for i := range a {
		if !a[i].isLike(b[i]) {
			return false
		}
	}
	return true
}

// line describes the step s of a path in words: "through OP from dim D of TENSOR", with the number
// of steps that were put together.
func (r *Result) line(s pathStep) string {
	through := s.edge.pathText()
	if s.count > 1 {
		through = fmt.Sprintf("%s and %d more that pass it on", through, s.count-1)
	}
	return fmt.Sprintf("through %s from dim %d of %s", through, s.dim, r.describe(s.to))
}
