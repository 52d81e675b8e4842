package sharding

// This file follows an axis back to its annotation, and says so in few lines: ops
// that only hand shardings on become one line, as do layers that are alike.

import (
	"fmt"
	"strings"

	"github.com/gospmd/gospmd/internal/sdy"
	"github.com/gospmd/gospmd/ir"
	"github.com/gospmd/gospmd/mesh"
)

// pathStep is one step of the way that an axis took, backwards: from a dimension
// of a tensor to that of another.
type pathStep struct {
	edge  *propagationEdge
	to    *tensor // where it came from
	dim   int     // there
	count int     // of steps that it stands for
	layer string  // of the op, without numbers: alike in layers that are alike
}

// maxChain bounds the lines of a chain.
const maxChain = 9

// shortPath is the number of steps that need not be put together.
const shortPath = 5

// chain follows axis a on dimension d of t back to its annotation.
func (r *Result) chain(t *tensor, d int, a mesh.AxisRef) []string {
	steps, origin := r.path(t, d, a)
	if len(steps) > shortPath {
		steps = collapseTrivial(steps)
	}
	return append(r.lines(steps), origin)
}

// path returns the steps to the annotation, and what that is.
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

// withoutNumbers returns the path with # in place of each number.
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

// isTrivial reports whether the step went through an op that computes nothing
// across a dimension.
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

// collapseTrivial makes one step of neighbours that are all trivial.
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

// isLike reports whether s goes through the same op of a layer that is alike.
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

// lines says the steps in words.
func (r *Result) lines(steps []pathStep) (out []string) {
	for i := 0; i < len(steps); {
		period, times := 1, 1
		if len(steps) > shortPath {
			period, times = repeats(steps[i:])
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

// repeats returns how many steps at the start are repeated how often: the most
// that this makes shorter; 1, 1 where nothing is.
func repeats(steps []pathStep) (period, times int) {
	period, times = 1, 1
	for p := 1; 2*p <= len(steps); p++ {
		n := 1
		for (n+1)*p <= len(steps) && alike(steps[:p], steps[n*p:(n+1)*p]) {
			n++
		}
		if n > 1 && (n-1)*p-1 > (times-1)*period-1 {
			period, times = p, n
		}
	}
	if (times-1)*period < 2 {
		return 1, 1 // the line that says it is no shorter
	}
	return period, times
}

func alike(a, b []pathStep) bool {
	for i := range a {
		if !a[i].isLike(b[i]) {
			return false
		}
	}
	return true
}

// line says one step in words.
func (r *Result) line(s pathStep) string {
	through := s.edge.through()
	if s.count > 1 {
		through = fmt.Sprintf("%s and %d more that pass it on", through, s.count-1)
	}
	return fmt.Sprintf("through %s from dim %d of %s", through, s.dim, r.describe(s.to))
}
