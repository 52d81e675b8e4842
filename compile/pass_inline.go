package compile

// This file implements inline, which replaces calls by what they call.

import (
	"fmt"
	"slices"
	"strings"

	"github.com/gospmd/gospmd/ir"
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
	in := &inliner{m: c.module, by: map[*ir.Value]*ir.Value{}}
	main := c.main()
	if err := in.block(main.Body); err != nil {
		return err
	}
	main.Replace(in.by)
	c.module.Funcs = slices.DeleteFunc(c.module.Funcs, func(f *ir.Func) bool {
		return f != main && !refersTo(main, f.Name)
	})
	return nil
}

type inliner struct {
	m     *ir.Module
	by    map[*ir.Value]*ir.Value
	stack []string // the functions whose bodies are being inlined
}

// block rebuilds the op list of b.
func (in *inliner) block(b *ir.Block) error {
	ops, err := in.ops(slices.Collect(b.Ops()))
	if err != nil {
		return err
	}
	b.SetOps(ops)
	return nil
}

// ops returns list without calls.
func (in *inliner) ops(list []*ir.Op) ([]*ir.Op, error) {
	out := make([]*ir.Op, 0, len(list))
	for _, op := range list {
		var body []*ir.Op
		var err error
		switch op.Kind {
		case ir.OpCall:
			body, err = in.call(op)
		case ir.OpNamedComputation:
			body, err = in.splice(op, op.Regions[0], shardings(op, "in_shardings"), shardings(op, "out_shardings"))
		default:
			for _, r := range op.Regions {
				if err := in.block(r); err != nil {
					return nil, err
				}
			}
			body = []*ir.Op{op}
		}
		if err != nil {
			return nil, err
		}
		out = append(out, body...)
	}
	return out, nil
}

func (in *inliner) call(op *ir.Op) ([]*ir.Op, error) {
	callee, _ := op.Attrs.Get("callee").(ir.Symbol)
	f := in.m.Func(string(callee))
	if f == nil {
		return nil, fmt.Errorf("call of @%s at %s: the module has no such function", callee, op.Loc)
	}
	if slices.Contains(in.stack, f.Name) {
		return nil, fmt.Errorf("@%s calls itself (@%s): recursion cannot be compiled; write a while", f.Name, strings.Join(append(in.stack, f.Name), " -> @"))
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

// splice returns a copy of body that computes on op's operands and stands for
// op's results.
func (in *inliner) splice(op *ir.Op, body *ir.Block, params, results []*layout.Sharding) ([]*ir.Op, error) {
	var out []*ir.Op
	constrain := func(v *ir.Value, s *layout.Sharding) *ir.Value {
		if s == nil || v.Type.IsToken() {
			return v
		}
		c := ir.NewOp(ir.OpShardingConstraint, []*ir.Value{v}, ir.Attrs{{Name: "sharding", Value: ir.ShardingAttr{Sharding: s}}}, []ir.Type{v.Type})
		c.Loc = op.Loc
		out = append(out, c)
		return c.Result()
	}
	c := ir.Cloner{}
	for i, a := range body.Args {
		c[a] = constrain(op.Operands[i], at(params, i))
	}
	ops := make([]*ir.Op, 0, body.Len())
	for o := range body.Body() {
		o = c.Op(o)
		if o.Loc.IsZero() {
			o.Loc = op.Loc
		}
		ops = append(ops, o)
	}
	ops, err := in.ops(ops)
	if err != nil {
		return nil, err
	}
	out = append(out, ops...)
	for i, v := range c.Values(body.Terminator().Operands) {
		v = constrain(v, at(results, i))
		in.by[op.Results[i]] = constrain(v, op.Results[i].Sharding)
	}
	return out, nil
}

// shardings returns an optional list of shardings of op.
func shardings(op *ir.Op, name string) []*layout.Sharding {
	s, _ := op.Attrs.Get(name).(ir.ShardingsAttr)
	return s
}

// at returns list[i], or nil beyond its end.
func at(list []*layout.Sharding, i int) *layout.Sharding {
	if i < len(list) {
		return list[i]
	}
	return nil
}

// refersTo reports whether an attribute of an op of f is the symbol name.
func refersTo(f *ir.Func, name string) (found bool) {
	f.Walk(func(op *ir.Op) {
		for _, a := range op.Attrs {
			found = found || hasSymbol(a.Value, name)
		}
	})
	return found
}

func hasSymbol(a ir.Attr, name string) bool {
	switch a := a.(type) {
	case ir.Symbol:
		return string(a) == name
	case ir.Array:
		return slices.ContainsFunc(a, func(e ir.Attr) bool { return hasSymbol(e, name) })
	case ir.Raw:
		return strings.Contains(string(a), "@"+name)
	}
	return false
}
