package explain

// This file finds the annotations that do not hold in the program that runs.

import (
	"fmt"
	"slices"
	"strings"

	"github.com/gospmd/gospmd/ir"
	"github.com/gospmd/gospmd/layout"
	"github.com/gospmd/gospmd/program"
	"github.com/gospmd/gospmd/sharding"
)

// Annotation is a value that the program annotates.
type Annotation struct {
	Of     *ir.ValueID
	Layout *layout.Sharding
	Name   string // of the value, for people, with its op, place and type
	By     string // what states it: a rule of a layout map, a constraint; empty: the value itself
}

// Annotations returns the annotated values of m, in which r has propagated, in program
// order; parameters, which keep their layouts, are left out.
func Annotations(m *ir.Module, r *sharding.Result) (out []Annotation) {
	eachValue(m, func(v *ir.Value, op *ir.Op) {
		s, id := r.Of(v), v.Origins.Best()
		if op == nil || s == nil || id == nil || v.Type.Size() == 0 {
			return
		}
		if a, by := s.Annotation(); a != nil {
			out = append(out, Annotation{Of: id, Layout: a, Name: s.Name(), By: by})
		}
	})
	return out
}

// Overridden returns the annotations that do not hold in m, the program that each
// device runs: nothing there has the value in that layout.
func Overridden(list []Annotation, m *ir.Module) (out []program.Override) {
	runs := map[*ir.ValueID][]string{}
	held := map[*ir.ValueID]bool{}
	asked := map[*ir.ValueID]*layout.Sharding{}
	for _, a := range list {
		asked[a.Of] = a.Layout
	}
	eachValue(m, func(v *ir.Value, _ *ir.Op) {
		for _, o := range v.Origins {
			a := asked[o.Of]
			if a == nil {
				continue
			}
			held[o.Of] = held[o.Of] || Holds(a, o.Sharding)
			if text := o.Sharding.String(); !slices.Contains(runs[o.Of], text) {
				runs[o.Of] = append(runs[o.Of], text)
			}
		}
	})
	for _, a := range list {
		if len(runs[a.Of]) == 0 || held[a.Of] {
			continue // nothing needs the value, or all is well
		}
		out = append(out, program.Override{
			Value: a.Of.String(), Name: a.Name, By: a.By, Annotated: a.Layout.String(), Runs: strings.Join(runs[a.Of], ", then "),
		})
	}
	return out
}

// Holds reports whether a value that is sharded as s is as the annotation a asks: an
// open dimension may be sharded further.
func Holds(a, s *layout.Sharding) bool {
	if s == nil {
		return true // one device
	}
	if !slices.Equal(a.Unreduced, s.Unreduced) {
		return false
	}
	for d, dim := range a.Dims {
		want, got := a.Mesh.AxisList(dim.Axes), a.Mesh.AxisList(s.Dims[d].Axes)
		if !want.IsPrefixOf(got) || !dim.Open && !got.IsPrefixOf(want) {
			return false
		}
	}
	return true
}

// Override is an annotation of a value that does not hold.
type Override struct {
	Value *Value
	program.Override
}

// Overrides returns the annotations that do not hold, in program order.
func (e *Explanation) Overrides() (out []Override) {
	for _, v := range e.Values {
		if o := v.override(); o != nil {
			out = append(out, Override{v, *o})
		}
	}
	return out
}

// Overridden reports whether the value is annotated, and nothing that runs has it in
// that layout.
func (v *Value) Overridden() bool { return v.override() != nil }

func (v *Value) override() *program.Override {
	p := v.e.trail.Program
	if p == nil || v.Kind == Result || v.e.byName[v.Name] != v {
		return nil
	}
	for i := range p.Overrides {
		if p.Overrides[i].Value == v.Name {
			return &p.Overrides[i]
		}
	}
	return nil
}

// String says which annotation does not hold and what runs instead.
func (o Override) String() string { return fmt.Sprint(o.Override) }
