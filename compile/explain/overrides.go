package explain

// This file finds the annotations that the final program does not keep.

import (
	"fmt"
	"slices"
	"strings"

	"github.com/gospmd/gospmd/ir"
	"github.com/gospmd/gospmd/layout"
	"github.com/gospmd/gospmd/program"
	"github.com/gospmd/gospmd/sharding"
)

// Annotation is an annotated value.
type Annotation struct {
	Of     *ir.ValueID
	Layout *layout.Sharding
	Name   string // name of the value for messages, with its op, location and type
	By     string // what annotated it: a rule of a layout map or a constraint; empty: the value itself
}

// Annotations returns the annotated values of m in program order. r is the result of propagation in
// m. It leaves out parameters, because they keep their layouts, and values without elements.
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

// Overridden returns the annotations that are not kept in m, the program that each device runs: no
// value of m holds the annotated value in that layout. It leaves out annotated values that m does
// not hold at all.
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
			continue // the value has no uses, or has its layout
		}
		out = append(out, program.Override{
			Value: a.Of.String(), Name: a.Name, By: a.By, Annotated: a.Layout.String(), Runs: strings.Join(runs[a.Of], ", then "),
		})
	}
	return out
}

// Holds reports whether the sharding s meets the annotation a. An open dimension of a may be
// sharded by more axes in s. A nil s, of a program for one device, meets every annotation.
func Holds(a, s *layout.Sharding) bool {
	if s == nil {
		return true // the program is for one device
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

// Override is an annotation that is not kept.
type Override struct {
	Value *Value
	program.Override
}

// Overrides returns the annotations that are not kept, in program order.
func (e *Explanation) Overrides() (out []Override) {
	for _, v := range e.Values {
		if o := v.override(); o != nil {
			out = append(out, Override{v, *o})
		}
	}
	return out
}

// Overridden reports whether the value is annotated and no value of the final program holds it in
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

// String says what was annotated and what runs instead.
func (o Override) String() string { return fmt.Sprint(o.Override) }
