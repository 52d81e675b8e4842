package sharding

// This file records where each axis came from, and explains it.

import (
	"fmt"
	"slices"
	"strings"

	"github.com/gospmd/gospmd/ir"
	"github.com/gospmd/gospmd/mesh"
)

// hop says that axes came onto a dimension of a tensor.
type hop struct {
	dim  int
	axes []mesh.AxisRef
	via  *ir.Op  // the op they travelled through; nil: a function's result, a group or a pin
	from *tensor // where they came from; nil: they were pinned here
	at   int     // the dimension there
}

// wholeTensor marks a hop that brought all dimensions, as a sharding group does.
const wholeTensor = -1

// pin records the shardings that the program gave t.
func (t *tensor) pin() {
	for d, dim := range t.sharding.Dims {
		if len(dim.Axes) > 0 {
			t.hops = append(t.hops, hop{dim: d, axes: dim.Axes})
		}
	}
}

// axesOfAll returns the axes of every factor in every tensor before a step, to
// tell afterwards who had them first.
func (p *projection) axesOfAll() [][]axis {
	n := len(p.rule.Factors)
	out := make([][]axis, len(p.tensors)*n)
	for t := range p.tensors {
		for f := range n {
			out[t*n+f] = p.tensors[t].factors[f].axes
		}
	}
	return out
}

// note records what the step has added to tensor i, and from which slot.
func (t *tensor) note(p *projection, i int, before [][]axis, slots []*slot, s *step) {
	n := len(p.rule.Factors)
	for d, factors := range p.mapping(i) {
		for _, f := range factors {
			now, old := p.tensors[i].factors[f].axes, before[i*n+f]
			if len(now) == 0 || slices.Equal(now, old) {
				continue
			}
			for j := range slots {
				if had := before[j*n+f]; j == i || !p.tensors[j].factors[f].present || !isPrefix(now, had) {
					continue
				}
				t.hops = append(t.hops, hop{
					dim: d, axes: toRefs(p.mesh, added(old, now)),
					via: s.op, from: slots[j].tensor, at: dimOfFactor(p.mapping(j), f),
				})
				break
			}
		}
	}
}

// added returns what now has beyond old, a strict prefix of it.
func added(old, now []axis) []axis {
	i := 0
	for i < len(old) && old[i] == now[i] {
		i++
	}
	out := slices.Clone(now[i:])
	if i < len(old) { // the last axis has grown
		out[0] = axis{now[i].dim, old[i].next(), now[i].size / old[i].size}
	}
	return out
}

func dimOfFactor(m TensorMapping, f int) int {
	return slices.IndexFunc(m, func(factors []int) bool { return slices.Contains(factors, f) })
}

// Result tells what propagation did and why.
type Result struct {
	// Steps is the number of times that a rule was applied.
	Steps int

	graph *graph
}

// Explain says, for each dimension of v that is split, where each of its axes
// came from: the chain of ops back to the value that the program pinned.
func (r *Result) Explain(v *ir.Value) string {
	t := r.graph.tensorOf(v)
	if t == nil {
		return "not a value that propagation lays out\n"
	}
	return explain(t)
}

// ExplainResult is Explain for result i of function f.
func (r *Result) ExplainResult(f *ir.Func, i int) string {
	for _, t := range r.graph.tensors {
		if t.result == &f.Results[i] {
			return explain(t)
		}
	}
	return "not a value that propagation lays out\n"
}

func explain(t *tensor) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s: %s\n", t.describe(), t.sharding)
	if t.sharding == nil {
		return b.String()
	}
	for d, dim := range t.sharding.Dims {
		for _, a := range dim.Axes {
			fmt.Fprintf(&b, "  dim %d, axis %s:", d, a)
			for _, line := range t.chain(d, a) {
				b.WriteString("\n    " + line)
			}
			b.WriteByte('\n')
		}
	}
	return b.String()
}

// chain follows axis a on dimension d of t back to where it was pinned.
func (t *tensor) chain(d int, a mesh.AxisRef) []string {
	var lines []string
	seen := make(map[*tensor]bool)
	for !seen[t] {
		seen[t] = true
		h := t.hopOf(d, a)
		if h == nil {
			return append(lines, "origin not recorded")
		}
		if h.from == nil {
			return append(lines, "pinned on "+t.describe())
		}
		via := "the function's result"
		switch {
		case h.dim == wholeTensor:
			via = "the sharding group"
		case h.via != nil:
			via = describeOp(h.via)
		}
		if h.dim != wholeTensor {
			d = h.at
		}
		t = h.from
		lines = append(lines, fmt.Sprintf("through %s from dim %d of %s", via, d, t.describe()))
	}
	return lines
}

// hopOf returns the first hop that brought a part of a to dimension d.
func (t *tensor) hopOf(d int, a mesh.AxisRef) *hop {
	for i := range t.hops {
		h := &t.hops[i]
		if h.dim == wholeTensor || h.dim == d && slices.ContainsFunc(h.axes, func(b mesh.AxisRef) bool { return b.Name == a.Name }) {
			return h
		}
	}
	return nil
}

// describe names t for people.
func (t *tensor) describe() string {
	switch {
	case t.result != nil && t.result.Name != "":
		return "result " + t.result.Name
	case t.result != nil:
		return "a result of " + t.fn.Name
	case t.value.IsArg() && t.value.Name != "":
		return "parameter " + t.value.Name
	case t.value.IsArg():
		return fmt.Sprintf("argument %d", t.value.Index())
	}
	v := t.value
	if v.Def().Kind == ir.OpDataFlowEdge {
		if v = v.Def().Operands[0]; v.IsArg() {
			return fmt.Sprintf("argument %d in %s", v.Index(), describeOp(v.Block().Parent()))
		}
	}
	name := describeOp(v.Def()) + " " + t.typ.String()
	if len(v.Def().Results) > 1 {
		return fmt.Sprintf("result %d of %s", v.Index(), name)
	}
	return name
}

// describeOp names an op for people; an edge is named as what it belongs to.
func describeOp(op *ir.Op) string {
	if op.Kind == ir.OpDataFlowEdge {
		if owner := op.Operands[0]; owner.IsArg() {
			op = owner.Block().Parent()
		} else {
			op = owner.Def()
		}
	}
	if op.Loc.IsZero() {
		return op.FullName()
	}
	return op.FullName() + " at " + op.Loc.String()
}
