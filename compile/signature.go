package compile

// This file implements pass signature, which records the program's inputs and outputs, and finds
// the roles of the inputs.

import (
	"cmp"
	"fmt"

	"github.com/gospmd/gospmd/compile/cost"
	"github.com/gospmd/gospmd/ir"
	"github.com/gospmd/gospmd/ir/roles"
	"github.com/gospmd/gospmd/layout"
	"github.com/gospmd/gospmd/program"
)

// signature records in c the inputs and outputs of the program with their final layouts, the
// inputs' roles, and the FLOPs on one device. It does not change the program. Tokens, and inputs or
// outputs that are unreduced, are errors.
func signature(c *compilation) error {
	f := c.main()
	c.oneDeviceFlops = oneDeviceFlops(f)
	known := roles.Of(f)
	for i, p := range f.Params() {
		info, err := c.tensorInfo("input", inputName(f, i), p.Type, p.Sharding)
		if err != nil {
			return err
		}
		c.inputs = append(c.inputs, program.Input{TensorInfo: info, Alias: roles.Donee(f, i), Role: known[i]})
	}
	for i, r := range f.Results {
		info, err := c.tensorInfo("output", outputName(f, i), r.Type, r.Sharding)
		if err != nil {
			return err
		}
		c.outputs = append(c.outputs, program.Output{TensorInfo: info})
	}
	return nil
}

func (c *compilation) tensorInfo(kind, name string, t ir.Type, s *layout.Sharding) (program.TensorInfo, error) {
	if t.IsToken() {
		return program.TensorInfo{}, fmt.Errorf("%s %q is a token: a program's inputs and outputs must be tensors; end the chain of tokens inside", kind, name)
	}
	if s == nil {
		s = layout.Replicated(c.mesh, t.Rank())
	}
	if len(s.Unreduced) > 0 {
		return program.TensorInfo{}, fmt.Errorf("%s %q is unreduced over %s: an array in memory cannot be an unreduced sum; leave the axis out of unreduced", kind, name, axesText(s.Unreduced))
	}
	s = closedSharding(s)
	s.Mesh = c.mesh
	return program.TensorInfo{Name: name, Type: t, Sharding: s, Local: t.WithDims(s.LocalShape(t.Dims))}, nil
}

// oneDeviceFlops returns the FLOPs of f, which has global shapes, on one device. It returns 0 if
// they cannot be counted: a manual computation is written for one device of many, and random bits
// become arithmetic only in pass partition.
func oneDeviceFlops(f *ir.Func) int {
	known := true
	f.Walk(func(op *ir.Op) {
		switch op.Kind {
		case ir.OpManualComputation, ir.OpRng, ir.OpRngBitGenerator:
			known = false
		}
	})
	if !known {
		return 0
	}
	n, _ := cost.Flops(f)
	return n
}

// closedSharding returns a copy of s without open dimensions, priorities and replicated axes, which
// have no meaning once layouts are final. s must not be nil.
func closedSharding(s *layout.Sharding) *layout.Sharding {
	c := s.Clone()
	c.Replicated = nil
	for i := range c.Dims {
		c.Dims[i].Open, c.Dims[i].Priority = false, 0
	}
	return c
}

// inputName returns the name of parameter i of f, or arg0, arg1, … if it has none.
func inputName(f *ir.Func, i int) string { return cmp.Or(f.Params()[i].Name, fmt.Sprintf("arg%d", i)) }

// outputName returns the name of result i of f, or result0, result1, … if it has none.
func outputName(f *ir.Func, i int) string {
	return cmp.Or(f.Results[i].Name, fmt.Sprintf("result%d", i))
}
