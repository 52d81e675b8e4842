package compile

// This file implements ports, which writes down what a caller must know.

import (
	"fmt"

	"github.com/gospmd/gospmd/ir"
	"github.com/gospmd/gospmd/layout"
)

// ports records the inputs and outputs of the program, whose layouts are final
// now. It changes nothing.
func ports(u *unit) error {
	f := u.main()
	u.whole = wholeFlops(f)
	roles := rolesOf(f)
	for i, p := range f.Params() {
		port, err := u.port("input", inputName(f, i), p.Type, p.Sharding)
		if err != nil {
			return err
		}
		u.inputs = append(u.inputs, Input{Port: port, Alias: aliasOf(f, i), Role: roles[i]})
	}
	for i, r := range f.Results {
		port, err := u.port("output", outputName(f, i), r.Type, r.Sharding)
		if err != nil {
			return err
		}
		u.outputs = append(u.outputs, Output{port})
	}
	return nil
}

func (u *unit) port(kind, name string, t ir.Type, s *layout.Sharding) (Port, error) {
	if t.IsToken() {
		return Port{}, fmt.Errorf("%s %q is a token: a program's inputs and outputs must be tensors; end the chain of tokens inside", kind, name)
	}
	if s == nil {
		s = layout.Replicated(u.mesh, t.Rank())
	}
	if len(s.Unreduced) > 0 {
		return Port{}, fmt.Errorf("%s %q is unreduced over %s: an array in memory cannot be an outstanding sum; leave the axis out of unreduced", kind, name, axesText(s.Unreduced))
	}
	s = closed(s)
	s.Mesh = u.mesh
	return Port{Name: name, Type: t, Sharding: s, Local: t.WithDims(s.LocalShape(t.Dims))}, nil
}

// closed returns s as a program states it: without openness, priorities and
// explicit replication, which mean nothing once layouts are final.
func closed(s *layout.Sharding) *layout.Sharding {
	c := s.Clone()
	c.Replicated = nil
	for i := range c.Dims {
		c.Dims[i].Open, c.Dims[i].Priority = false, 0
	}
	return c
}
