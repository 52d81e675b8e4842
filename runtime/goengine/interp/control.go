package interp

// This file runs control flow, calls and the ops that hand values on.

import (
	"encoding/binary"

	"github.com/gospmd/gospmd/ir"
)

// Truth returns the value of a boolean scalar.
func Truth(t *Tensor) bool { return t.Data[0] != 0 }

// Branch returns which of n branches a case with index t takes: the last one
// where there is none of that number.
func Branch(t *Tensor, n int) int {
	i := int(int32(binary.NativeEndian.Uint32(t.Data)))
	if i < 0 || i >= n {
		return n - 1
	}
	return i
}

func runWhile(c *call) error {
	cond, body := c.step.Regions[0], c.step.Regions[1]
	values := c.in
	for {
		c.f.put(cond.Args, values)
		if err := cond.Exec(c.f); err != nil {
			return err
		}
		if !Truth(c.f.Values[cond.Returns[0]]) {
			break
		}
		c.f.put(body.Args, values)
		if err := body.Exec(c.f); err != nil {
			return err
		}
		values = c.f.pick(body.Returns)
	}
	copy(c.out, values)
	return nil
}

func runIf(c *call) error {
	branch := 0
	if !Truth(c.in[0]) {
		branch = 1
	}
	return c.region(branch)
}

func runCase(c *call) error { return c.region(Branch(c.in[0], len(c.step.Regions))) }

// region runs a region without arguments for the results.
func (c *call) region(i int) error {
	code := c.step.Regions[i]
	if err := code.Exec(c.f); err != nil {
		return err
	}
	copy(c.out, c.f.pick(code.Returns))
	return nil
}

func runCall(c *call) error { return c.isolated(c.step.Callee) }

func runInline(c *call) error { return c.isolated(c.step.Regions[0]) }

// isolated runs code in a frame of its own.
func (c *call) isolated(code *Code) error {
	out, err := code.call(c.f.state, c.in)
	copy(c.out, out)
	return err
}

// call runs code in a new frame.
func (c *Code) call(state *State, args []*Tensor) ([]*Tensor, error) {
	f := c.NewFrame(state, args)
	if err := c.Exec(f); err != nil {
		return nil, err
	}
	return c.Results(f), nil
}

func runIdentity(c *call) error {
	copy(c.out, c.in)
	return nil
}

func runToken(c *call) error {
	c.set(0, &Tensor{Type: ir.Token})
	return nil
}

func runNothing(*call) error { return nil }

// body runs region i, which computes on scalars, again and again in one frame.
func (c *call) body(i int) func(args ...*Tensor) ([]*Tensor, error) {
	code := c.step.Regions[i]
	f := code.NewFrame(c.f.state, make([]*Tensor, len(code.Args)))
	return func(args ...*Tensor) ([]*Tensor, error) {
		f.put(code.Args, args)
		if err := code.Exec(f); err != nil {
			return nil, err
		}
		return f.pick(code.Returns), nil
	}
}
