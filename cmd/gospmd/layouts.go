package main

// This file replaces the mesh and the layouts that a module states.

import (
	"errors"
	"fmt"
	"strings"

	"github.com/gospmd/gospmd/ir"
	"github.com/gospmd/gospmd/layout"
	"github.com/gospmd/gospmd/mesh"
)

// ontoMesh makes dm the mesh of m. Layouts keep their axes, which dm must
// have.
func ontoMesh(m *ir.Module, dm *mesh.DeviceMesh) error {
	name := "mesh"
	if len(m.Meshes) > 0 {
		name = m.Meshes[0].Name
	}
	m.Meshes = []ir.NamedMesh{{Name: name, Mesh: dm}}
	move := mover{to: dm}
	for _, f := range m.Funcs {
		for i, p := range f.Params() {
			p.Sharding = move.sharding(fmt.Sprintf("input %q", portName(p.Name, "arg", i)), p.Sharding, p.Type.Rank())
		}
		for i := range f.Results {
			r := &f.Results[i]
			r.Sharding = move.sharding(fmt.Sprintf("output %q", portName(r.Name, "result", i)), r.Sharding, r.Type.Rank())
		}
		f.Walk(move.op)
	}
	return errors.Join(move.errs...)
}

// mover gives layouts another mesh and collects what does not fit.
type mover struct {
	to   *mesh.DeviceMesh
	errs []error
}

func (m *mover) sharding(subject string, s *layout.Sharding, rank int) *layout.Sharding {
	if s == nil {
		return nil
	}
	s = s.Clone()
	s.Mesh = m.to
	if err := s.Validate(rank); err != nil {
		m.errs = append(m.errs, fmt.Errorf("%s has a layout that the mesh does not fit: %w; name the file's axes in -mesh", subject, err))
	}
	return s
}

func (m *mover) op(op *ir.Op) {
	subject := fmt.Sprintf("%s at %s", op.FullName(), op.Loc)
	for _, r := range op.Results {
		r.Sharding = m.sharding(subject, r.Sharding, r.Type.Rank())
	}
	for _, na := range op.Attrs {
		switch s := na.Value.(type) {
		case ir.ShardingAttr:
			if s.Sharding != nil {
				op.Attrs = op.Attrs.With(na.Name, ir.ShardingAttr{Sharding: m.sharding(subject, s.Sharding, len(s.Dims))})
			}
		case ir.ShardingsAttr:
			moved := make(ir.ShardingsAttr, len(s))
			for i := range s {
				if s[i] != nil {
					moved[i] = m.sharding(subject, s[i], len(s[i].Dims))
				}
			}
			op.Attrs = op.Attrs.With(na.Name, moved)
		}
	}
	for _, r := range op.Regions {
		for _, a := range r.Args {
			a.Sharding = m.sharding(subject, a.Sharding, a.Type.Rank())
		}
	}
}

// pinPorts pins inputs and outputs of main by rules "pattern=axes", as a
// LayoutMap does. A rule that matches nothing is an error.
func pinPorts(m *ir.Module, rules []string) error {
	f := m.Main()
	if len(rules) == 0 || f == nil {
		return nil
	}
	if len(m.Meshes) == 0 {
		return errors.New("the file lists no mesh: give one with -mesh")
	}
	layouts := layout.NewLayoutMap(m.Meshes[0].Mesh)
	for _, rule := range rules {
		cut := strings.LastIndexByte(rule, '=')
		if cut < 0 {
			return fmt.Errorf("%q: want 'pattern=axes', such as 'd1/kernel=-,model'", rule)
		}
		var axes []string
		for axis := range strings.SplitSeq(rule[cut+1:], ",") {
			if axis = strings.TrimSpace(axis); axis == "-" {
				axis = ""
			}
			axes = append(axes, axis)
		}
		if err := layouts.Set(rule[:cut], axes...); err != nil {
			return err
		}
	}
	var names []string
	pin := func(name string, t ir.Type, set func(*layout.Sharding)) error {
		names = append(names, name)
		key, l, err := layouts.Match(name)
		if err != nil || l == nil {
			return err
		}
		s, err := l.Sharding(t.Rank())
		if err != nil {
			return fmt.Errorf("rule %q for %q: %w", key, name, err)
		}
		set(s)
		return nil
	}
	for i, p := range f.Params() {
		if err := pin(portName(p.Name, "arg", i), p.Type, func(s *layout.Sharding) { p.Sharding = s }); err != nil {
			return err
		}
	}
	for i := range f.Results {
		r := &f.Results[i]
		if err := pin(portName(r.Name, "result", i), r.Type, func(s *layout.Sharding) { r.Sharding = s }); err != nil {
			return err
		}
	}
	dead, err := layouts.Unmatched(names)
	if err != nil {
		return err
	}
	for _, d := range dead {
		return errors.New(d.String())
	}
	return nil
}

// portName returns the name of an input or output, or one made of its
// position.
func portName(name, kind string, i int) string {
	if name == "" {
		return fmt.Sprintf("%s%d", kind, i)
	}
	return name
}
