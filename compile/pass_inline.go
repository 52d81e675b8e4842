package compile

// This file implements inline, which replaces calls by what they call.

import (
	"fmt"
	"slices"
	"strings"

	"github.com/gospmd/gospmd/ir"
	"github.com/gospmd/gospmd/ir/transform"
	"github.com/gospmd/gospmd/layout"
)

// inline replaces each call and each named computation by its body:
//
//	%1 = call @relu(%0)             %c = constant 0
//	func @relu(%x) {            =>  %1 = maximum %0, %c
//	  %c = constant 0
//	  return maximum %x, %c }
//
// Shardings of parameters and results of the callee become
// sharding_constraint ops. Functions that nothing refers to any more are
// dropped; one that a custom_call names as a computation stays.
func inline(c *compilation) error {
	in := &inliner{m: c.module}
	main := c.main()
	if err := in.block(main.Body); err != nil {
		return err
	}
	transform.EliminateDeadFuncs(c.module, func(f *ir.Func) bool { return f == main })
	return nil
}

type inliner struct {
	m     *ir.Module
	stack []string // the functions whose bodies are being inlined
}

// block inlines the calls in b and in its regions.
func (in *inliner) block(b *ir.Block) error {
	for op := range b.Ops() {
		if err := in.op(op); err != nil {
			return err
		}
	}
	return nil
}

// op replaces op if it is a call, and the calls in its regions.
func (in *inliner) op(op *ir.Op) error {
	switch op.Kind {
	case ir.OpCall:
		return in.call(op)
	case ir.OpNamedComputation:
		return in.splice(op, op.Regions[0], shardings(op, "in_shardings"), shardings(op, "out_shardings"))
	}
	for _, r := range op.Regions {
		if err := in.block(r); err != nil {
			return err
		}
	}
	return nil
}

func (in *inliner) call(op *ir.Op) error {
	callee, _ := op.Attrs.Get("callee").(ir.Symbol)
	f := in.m.Func(string(callee))
	if f == nil {
		return fmt.Errorf("call of @%s at %s: the module has no such function", callee, op.Loc)
	}
	if slices.Contains(in.stack, f.Name) {
		return fmt.Errorf("@%s calls itself (@%s): recursion cannot be compiled; write a while", f.Name, strings.Join(append(in.stack, f.Name), " -> @"))
	}
	in.stack = append(in.stack, f.Name)
	defer func() { in.stack = in.stack[:len(in.stack)-1] }()

	params := make([]*layout.Sharding, len(f.Params()))
	for i, p := range f.Params() {
		params[i] = p.Sharding
	}
	results := make([]*layout.Sharding, len(f.Results))
	for i, r := range f.Results {
		results[i] = r.Sharding
	}
	return in.splice(op, f.Body, params, results)
}

// splice replaces op by a copy of body that computes on op's operands, and then
// inlines the calls in the copy.
func (in *inliner) splice(op *ir.Op, body *ir.Block, params, results []*layout.Sharding) error {
	var at ir.Builder
	at.Before(op).Loc = op.Loc
	constrain := func(v *ir.Value, s *layout.Sharding) *ir.Value {
		if s == nil || v.Type.IsToken() {
			return v
		}
		return at.ShardingConstraint(v, s)
	}
	c := ir.Cloner{}
	for i, a := range body.Args {
		c[a] = constrain(op.Operands[i], get(params, i))
	}
	copies := make([]*ir.Op, 0, body.Len())
	for o := range body.Body() {
		copies = append(copies, at.Insert(c.Op(o)))
	}
	for i, v := range c.Values(body.Terminator().Operands) {
		v = constrain(v, get(results, i))
		op.Results[i].ReplaceAllUsesWith(constrain(v, op.Results[i].Sharding))
	}
	op.Erase()
	for _, o := range copies {
		if err := in.op(o); err != nil {
			return err
		}
	}
	return nil
}

// shardings returns an optional list of shardings of op.
func shardings(op *ir.Op, name string) []*layout.Sharding {
	s, _ := op.Attrs.Get(name).(ir.ShardingsAttr)
	return s
}

// get returns list[i], or nil beyond its end.
func get(list []*layout.Sharding, i int) *layout.Sharding {
	if i < len(list) {
		return list[i]
	}
	return nil
}
