package compile

// This file implements pass signature, which records the program's inputs and
// outputs, and finds out what the inputs are for.

import (
	"cmp"
	"fmt"

	"github.com/gospmd/gospmd/compile/cost"
	"github.com/gospmd/gospmd/ir"
	"github.com/gospmd/gospmd/ir/transform"
	"github.com/gospmd/gospmd/layout"
	"github.com/gospmd/gospmd/program"
)

// signature records the inputs and outputs of the program, whose layouts are
// final now. It changes nothing.
func signature(c *compilation) error {
	f := c.main()
	c.oneDeviceFlops = oneDeviceFlops(f)
	roles := rolesOf(f)
	for i, p := range f.Params() {
		info, err := c.tensorInfo("input", inputName(f, i), p.Type, p.Sharding)
		if err != nil {
			return err
		}
		c.inputs = append(c.inputs, program.Input{TensorInfo: info, Alias: aliasOf(f, i), Role: roles[i]})
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
	s = closed(s)
	s.Mesh = c.mesh
	return program.TensorInfo{Name: name, Type: t, Sharding: s, Local: t.WithDims(s.LocalShape(t.Dims))}, nil
}

// oneDeviceFlops returns the arithmetic of f, which has global shapes, on one
// device; 0 where its ops do not say: a manual computation is written for one
// device of many, and random bits become arithmetic in pass partition only.
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

// rolesOf returns the role of each parameter of f: the stated one or else a
// guess. What is not donated is data. Of the donated ones those are the
// optimizer's that no other result depends on: the slots of an optimizer
// change weights and themselves, weights change the loss.
func rolesOf(f *ir.Func) []ir.Role {
	donated := make([]bool, len(f.Results))
	for i := range f.Params() {
		if a := aliasOf(f, i); a >= 0 {
			donated[a] = true
		}
	}
	var kept []*ir.Value
	for i, v := range f.Returned() {
		if !donated[i] {
			kept = append(kept, v)
		}
	}
	needed := sourcesOf(kept...)
	out := make([]ir.Role, len(f.Params()))
	for i, p := range f.Params() {
		stated, ok := f.StatedRole(i)
		switch {
		case ok:
			out[i] = stated
		case aliasOf(f, i) < 0:
			out[i] = ir.RoleData
		case needed[p]:
			out[i] = ir.RoleParameter
		default:
			out[i] = ir.RoleOptimizer
		}
	}
	return out
}

// sourcesOf returns the values that vs are computed from, vs among them.
func sourcesOf(vs ...*ir.Value) map[*ir.Value]bool {
	found, marked := map[*ir.Value]bool{}, map[*ir.Op]bool{}
	var todo []*ir.Op
	mark := func(op *ir.Op) {
		if op != nil && !marked[op] {
			marked[op] = true
			todo = append(todo, op)
		}
	}
	need := func(v *ir.Value) {
		found[v] = true
		mark(v.Def())
	}
	for _, v := range vs {
		need(v)
	}
	for len(todo) > 0 {
		op := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		for _, r := range op.Regions {
			for inner := range r.Ops() {
				if inner.Info().Is(ir.Terminator) || transform.HasSideEffect(inner) {
					mark(inner)
				}
			}
		}
		for _, v := range op.Operands {
			need(v)
		}
	}
	return found
}

// inputName returns the name of parameter i.
func inputName(f *ir.Func, i int) string { return cmp.Or(f.Params()[i].Name, fmt.Sprintf("arg%d", i)) }

// outputName returns the name of result i.
func outputName(f *ir.Func, i int) string {
	return cmp.Or(f.Results[i].Name, fmt.Sprintf("result%d", i))
}
