package sharding

// This file explains shardings: the path of every axis back to its annotation, and the axes that
// did not reach a value, with the reasons.

import (
	"fmt"
	"slices"
	"strings"

	"github.com/gospmd/gospmd/internal/sdy"
	"github.com/gospmd/gospmd/ir"
	"github.com/gospmd/gospmd/layout"
	"github.com/gospmd/gospmd/mesh"
	"github.com/gospmd/gospmd/sharding/factor"
)

// Result says what propagation did and why.
type Result struct {
	// Steps is the number of times that propagation applied a rule.
	Steps int

	graph *graph
	names map[*ir.Value]string // names of values in the text of their function; made at the first use
}

// Explanation says why a value has its sharding.
type Explanation struct {
	Name     string // describes the value for messages
	Type     ir.Type
	Sharding *layout.Sharding // the sharding after propagation; nil: none reached the value
	Axes     []Origin         // one for each axis of each dimension
	Lost     []Loss           // axes of neighbours that did not reach the value
}

// Origin is the path of one axis of a value, back to its annotation.
type Origin struct {
	Dim   int
	Axis  mesh.AxisRef
	Chain []string // lines of a chain of ops, from the op of the value back to the annotation
}

// Loss is a list of axes that shard a neighbour of a value along a common dimension, but do not
// shard the value along it. They may shard another dimension of the value.
type Loss struct {
	Dim  int
	Axes []mesh.AxisRef
	From string // names the neighbour and the op between the two
	Came string // how the axes came to the neighbour
	Why  string // why they did not reach the value

	// the value with the annotation that the first of the axes comes from; nil: a function's result
	// has it
	Source *ir.Value
}

// Subject is a value or a function's result, whose sharding can be explained.
type Subject struct {
	r *Result
	t *tensor
}

// Of returns the Subject for v, or nil for a value that cannot have a sharding, such as a token. A
// value that no sharding reached has a Subject.
func (r *Result) Of(v *ir.Value) *Subject {
	if t := r.graph.tensorOf(v); t != nil {
		return &Subject{r, t}
	}
	return nil
}

// OfResult returns the Subject for result i of function f, or nil if it has none: a result that
// cannot have a sharding, such as a token, or one of a function whose results propagation does not
// shard, such as a private one.
func (r *Result) OfResult(f *ir.Func, i int) *Subject {
	for _, s := range r.graph.returns {
		if t := s.slots[1].tensor; t.result == &f.Results[i] {
			return &Subject{r, t}
		}
	}
	return nil
}

// Name returns the name of the subject with its op, location and type, for messages. For a
// function's result it is the result's name, or its number and the function.
func (s *Subject) Name() string { return s.r.describe(s.t) }

// Sharding returns the sharding after propagation, or nil if none reached the subject.
func (s *Subject) Sharding() *layout.Sharding { return s.t.sharding }

// Annotation returns the sharding that the program annotates the subject with, or nil. by says what
// the annotation comes from, if the program states it: a rule of a layout map, or a constraint.
func (s *Subject) Annotation() (a *layout.Sharding, by string) { return s.t.origin, s.t.annotatedBy }

// Origins returns the path back to the annotation, for each axis of each dimension, in their order;
// nil if no sharding reached the subject.
func (s *Subject) Origins() (out []Origin) {
	if s.t.sharding == nil {
		return nil
	}
	for d, dim := range s.t.sharding.Dims {
		for _, a := range dim.Axes {
			out = append(out, Origin{d, a, s.r.chain(s.t, d, a)})
		}
	}
	return out
}

// Losses returns the axes that shard a neighbour of the subject along a common dimension, but do
// not shard the subject along it. They may shard another dimension of the subject. Each Loss says
// why. The order is that of the subject's dimensions.
func (s *Subject) Losses() []Loss { return s.r.losses(s.t) }

// Explanation returns all that is known about the subject's sharding, as data.
func (s *Subject) Explanation() *Explanation {
	return &Explanation{Name: s.Name(), Type: s.t.typ, Sharding: s.t.sharding, Axes: s.Origins(), Lost: s.Losses()}
}

// Explain returns a text about v. For each sharded dimension it says where each of its axes came
// from, and it lists axes of neighbours that did not reach v. For a value that has no sharding, a
// token for example, it says only that.
func (r *Result) Explain(v *ir.Value) string { return r.Of(v).String() }

// Explanation returns what Explain says, as data. It is nil for a value that cannot have a
// sharding, such as a token; for one that no sharding reached, the field Sharding is nil.
func (r *Result) Explanation(v *ir.Value) *Explanation {
	if s := r.Of(v); s != nil {
		return s.Explanation()
	}
	return nil
}

// ExplainResult returns the same text as Explain, for result i of function f.
func (r *Result) ExplainResult(f *ir.Func, i int) string { return r.OfResult(f, i).String() }

// String returns the explanation as indented lines. For a nil s it says that propagation does not
// shard the value.
func (s *Subject) String() string {
	if s == nil {
		return "not a value that propagation shards\n"
	}
	return s.Explanation().String()
}

// String returns the explanation as indented lines.
func (e *Explanation) String() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s: %s\n", e.Name, e.Sharding)
	for _, o := range e.Axes {
		fmt.Fprintf(&b, "  dim %d, axis %s:\n    %s\n", o.Dim, o.Axis, strings.Join(o.Chain, "\n    "))
	}
	for _, l := range e.Lost {
		fmt.Fprintf(&b, "  dim %d is not sharded by %s as %s:\n    there: %s\n    here: %s\n", l.Dim, layout.AxesText(l.Axes), l.From, l.Came, l.Why)
	}
	return b.String()
}

// pathText names what the axes came through: the op, "the sharding group", or "the function's
// result".
func (e *propagationEdge) pathText() string {
	switch {
	case e.dim == allDims:
		return "the sharding group"
	case e.via != nil:
		return sdy.Describe(e.via)
	}
	return "the function's result"
}

// losses returns the axes that a neighbour of t has along a common factor but t does not, in the
// order of t's dimensions. It names the same axes of a dimension once, for the first such
// neighbour.
func (r *Result) losses(t *tensor) []Loss {
	var out []Loss
	for _, s := range r.stepsOf(t) {
		slots := s.slots
		shardings := make([]*layout.Sharding, len(slots))
		for i, sl := range slots {
			shardings[i] = sl.get()
		}
		dm := sdy.CommonMesh(shardings)
		if dm == nil {
			continue
		}
		p := factor.Project(s.rule, dm, shardings)
		for i, sl := range slots {
			p.Tensors[i].Excluded = append(p.Tensors[i].Excluded, dm.AxisList(sl.excludedAxes())...)
		}
		for i, sl := range slots {
			if sl.tensor != t {
				continue
			}
			for f := range s.rule.Factors {
				for j := range slots {
					if l, ok := r.loss(p, s, slots, i, j, f); ok && !slices.ContainsFunc(out, l.isSame) {
						out = append(out, l)
					}
				}
			}
		}
	}
	slices.SortStableFunc(out, func(a, b Loss) int { return a.Dim - b.Dim })
	return out
}

func (l Loss) isSame(o Loss) bool { return l.Dim == o.Dim && slices.Equal(l.Axes, o.Axes) }

// stepsOf returns the steps that have t as an operand or a result, except those of dead ops.
func (r *Result) stepsOf(t *tensor) []*step {
	var out []*step
	for _, s := range t.steps {
		if !r.graph.gone[s.place] && !slices.Contains(out, s) {
			out = append(out, s)
		}
	}
	for _, s := range r.graph.returns {
		if s.slots[0].tensor == t || s.slots[1].tensor == t {
			out = append(out, s)
		}
	}
	return out
}

// loss compares tensors i and j of step s, whose tensors are slots and whose projection is p, along
// factor f. If j has axes there that i does not have, it returns the Loss of i, with these axes and
// the reason, and true. Otherwise it returns false, and also if both are one tensor, or if one does
// not have f.
func (r *Result) loss(p *factor.Projection, s *step, slots []*slot, i, j, f int) (Loss, bool) {
	mine, theirs := &p.Tensors[i].Factors[f], &p.Tensors[j].Factors[f]
	if i == j || !mine.Present || !theirs.Present || slots[i].tensor == slots[j].tensor {
		return Loss{}, false
	}
	n := len(mine.Axes.CommonPrefix(theirs.Axes))
	if n >= len(theirs.Axes) || theirs.Axes.IsPrefixOf(mine.Axes) {
		return Loss{}, false
	}
	l := Loss{
		Dim: p.Rule.Mapping(i).DimOf(f), Axes: p.Mesh.Refs(theirs.Axes[n:]),
		From: r.describe(slots[j].tensor) + " is, beyond " + stepText(s),
	}
	steps, origin := r.path(slots[j].tensor, p.Rule.Mapping(j).DimOf(f), l.Axes[0])
	source := slots[j].tensor
	if len(steps) > 0 {
		source = steps[len(steps)-1].to
	}
	l.Came, l.Source = origin, source.value
	l.Why = r.why(p, s, slots, i, j, f, theirs.Axes[n])
	return l, true
}

func stepText(s *step) string {
	if s.op == nil {
		return "the function's result"
	}
	return sdy.Describe(s.op)
}

// why returns a text that says why axis a, which shards factor f of tensor j of step s, does not
// shard tensor i. slots are the tensors of s, and p is their projection.
func (r *Result) why(p *factor.Projection, s *step, slots []*slot, i, j, f int, a mesh.SubAxis) string {
	mine := &p.Tensors[i].Factors[f]
	ref := p.Mesh.Ref(a)
	if p.Tensors[i].Excluded.Overlaps(a) {
		return fmt.Sprintf("axis %s is kept off this value: it is replicated, unreduced or manual here", ref)
	}
	for g := range p.Rule.Factors {
		other := &p.Tensors[i].Factors[g]
		if g == f || !other.Present || !other.Axes.Overlaps(a) && !other.Overflow.Overlaps(a) {
			continue
		}
		d := p.Rule.Mapping(i).DimOf(g)
		return fmt.Sprintf("axis %s shards dim %d already%s", ref, d, r.winner(slots[i].tensor, d, slots[j].tensor, p.Rule.Mapping(j).DimOf(f), ref))
	}
	d := p.Rule.Mapping(i).DimOf(f)
	if !mine.Axes.IsPrefixOf(p.Tensors[j].Factors[f].Axes) {
		has := p.Mesh.Refs(mine.Axes)
		return fmt.Sprintf("the dimension is sharded by %s instead%s", layout.AxesText(has),
			r.winner(slots[i].tensor, d, slots[j].tensor, p.Rule.Mapping(j).DimOf(f), has[0]))
	}
	switch {
	case mine.Closed || len(mine.Overflow) > 0:
		return "the dimension is closed: its annotation allows no more axes"
	case s.rule.Factors[f].Blocked:
		return "the op passes no shardings along this dimension: it needs the dimension replicated"
	case s.allowed != both:
		return "the propagation barrier lets nothing pass in this direction"
	case !mine.MinorMost && p.Rule.Factors[f].Size%max(1, a.Size) != 0:
		return fmt.Sprintf("%d parts do not divide the %d elements of this part of a dimension", a.Size, p.Rule.Factors[f].Size)
	}
	return "the values of the op disagree along this dimension: no axis went on"
}

// winner returns the end of a sentence of why: for axis a, which shards dimension d of t, where it
// came from there and why it came before the axes of dimension otherDim of other. It returns "" if
// that is not known.
func (r *Result) winner(t *tensor, d int, other *tensor, otherDim int, a mesh.AxisRef) string {
	w, l := t.firstEdge(d, a), other.lastEdge(otherDim)
	if w == nil {
		return ""
	}
	chain := r.chain(t, d, a)
	text := ", " + chain[len(chain)-1]
	switch {
	case w.from == nil:
		return text + ": annotations are kept"
	case l == nil:
		return text
	case l.from == nil && other.origin.Dims[otherDim].Priority > w.round.user:
		return fmt.Sprintf("%s: it has priority p%d, the other p%d", text, w.round.user, other.origin.Dims[otherDim].Priority)
	case l.from != nil && w.round.user != l.round.user:
		return fmt.Sprintf("%s: it has priority p%d, the other p%d", text, w.round.user, l.round.user)
	case l.from == nil && w.from.typ.Size() == other.typ.Size():
		return text + ": of values of one size the earlier operand's sharding goes first"
	case l.from == nil && w.from.typ.Size() > other.typ.Size():
		return text + ": the larger value's sharding goes first"
	case l.from == nil:
		return text + ": it was there first"
	case w.round.op < l.round.op:
		return text + ": " + roundTexts[w.round.op] + " go first"
	case w.step < l.step:
		return fmt.Sprintf("%s: it was there first, after %d steps, the other after %d", text, w.step, l.step)
	}
	return text + ": its op was visited first"
}

// roundTexts say, for each round of opPriorities, which ops it propagates through.
var roundTexts = [...]string{
	"element-wise ops, reshapes and transposes of values with one use",
	"element-wise ops, reshapes and transposes",
	"dimensions that pass through an op unchanged",
	"all ops but broadcasts",
	"all ops",
}

// name returns the name of v for messages, such as %3. If v has an origin in the module that
// ir.MarkOrigins marked, it is the name in that module's text; if not, it is the name in the text
// of its function.
func (r *Result) name(f *ir.Func, v *ir.Value) string {
	if id := v.Origins.Best(); id != nil {
		return id.String()
	}
	if r.names == nil {
		r.names = make(map[*ir.Value]string)
		for _, f := range r.graph.module.Funcs {
			for v, name := range f.Names() {
				r.names[v] = name
			}
		}
	}
	return r.names[v]
}

// describe returns the name of t for messages: "parameter x", "result y", or the name of a value
// with its op, location and type.
func (r *Result) describe(t *tensor) string {
	if t.result != nil {
		if t.result.Name != "" {
			return "result " + t.result.Name
		}
		for i := range t.fn.Results {
			if t.result == &t.fn.Results[i] {
				return fmt.Sprintf("result %d of %s", i, t.fn.Name)
			}
		}
	}
	v := t.value
	if d := v.Def(); d != nil && d.Kind == ir.OpDataFlowEdge {
		v = d.Operands[0]
	}
	name := r.name(t.fn, v)
	switch {
	case v.IsArg() && v.Name != "":
		return "parameter " + v.Name
	case v.IsArg() && v.Block().Parent() == nil:
		return "parameter " + name
	case v.IsArg():
		return fmt.Sprintf("%s, argument %d in %s", name, v.Index(), sdy.Describe(v.Block().Parent()))
	}
	return strings.TrimSpace(name + " " + sdy.Describe(v.Def()) + " " + t.typ.String())
}
