package compile

// This file implements inline, which replaces each call by the body of its function.

import (
	"fmt"
	"slices"
	"strings"

	"github.com/gospmd/gospmd/internal/layerpath"
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
// Shardings of parameters and results of the callee become sharding_constraint ops. The copies get
// layer paths that tell where the call was (layerpath.Inside). Functions
// without references are removed; one that a custom_call names as a computation stays. Recursion, a
// call of a function that the module lacks, and a program over MaxInlinedOps or MaxCallDepth are
// errors.
func inline(c *compilation) error {
	in := &inliner{m: c.module, funcs: map[string]*ir.Func{}, sizes: map[*ir.Func]int{}}
	for _, f := range c.module.Funcs {
		in.funcs[f.Name] = f
	}
	main := c.main()
	if _, err := in.size(main); err != nil {
		return err
	}
	if err := in.block(main.Body); err != nil {
		return err
	}
	transform.EliminateDeadFuncs(c.module, func(f *ir.Func) bool { return f == main })
	return nil
}

// Limits of programs with calls. Otherwise a small file could make a program that fills the memory:
// by a function that calls another one twice, which calls a third one twice, and so on.
const (
	// MaxInlinedOps is the largest number of ops that main may have after all calls are inlined.
	MaxInlinedOps = 1 << 20
	// MaxCallDepth is the largest nesting of calls.
	MaxCallDepth = 200
)

type inliner struct {
	m     *ir.Module
	funcs map[string]*ir.Func
	sizes map[*ir.Func]int // number of ops, including those of called functions
	stack []string         // the functions whose bodies are being inlined
}

// size returns the number of ops of f after its calls are inlined. It returns an error if a limit
// is exceeded, if a function calls itself, or if the module lacks a function that is called. It
// computes the size of each function once.
func (in *inliner) size(f *ir.Func) (n int, err error) {
	if n, ok := in.sizes[f]; ok {
		return n, nil
	}
	if len(in.stack) > MaxCallDepth {
		return 0, fmt.Errorf("calls stand %d deep in each other, at @%s: want at most %d (compile.MaxCallDepth); call fewer functions in each other", len(in.stack), f.Name, MaxCallDepth)
	}
	f.Walk(func(op *ir.Op) {
		if n++; err != nil || op.Kind != ir.OpCall {
			return
		}
		var g *ir.Func
		if g, err = in.callee(op); err == nil {
			in.stack = append(in.stack, g.Name)
			var more int
			more, err = in.size(g)
			in.stack = in.stack[:len(in.stack)-1]
			n += more
		}
		if err == nil && n > MaxInlinedOps {
			err = fmt.Errorf("@%s has over %d ops when its calls are inlined: want at most that many (compile.MaxInlinedOps); call less often, or write the repetition as a while", f.Name, MaxInlinedOps)
		}
	})
	in.sizes[f] = n
	return n, err
}

// callee returns the function that op calls. It returns an error if the module has no such
// function, or if it is one of the functions around op (in.stack), which would be recursion.
func (in *inliner) callee(op *ir.Op) (*ir.Func, error) {
	name, _ := op.Attrs.Get("callee").(ir.Symbol)
	f := in.funcs[string(name)]
	if f == nil {
		return nil, fmt.Errorf("call of @%s at %s: the module has no such function", name, op.Loc)
	}
	if slices.Contains(in.stack, f.Name) {
		return nil, fmt.Errorf("@%s calls itself (@%s): recursion cannot be compiled; write a while", f.Name, strings.Join(append(in.stack, f.Name), " -> @"))
	}
	return f, nil
}

// block inlines all calls in the ops of b and of their regions. It returns an error for recursion,
// or if the result is too large.
func (in *inliner) block(b *ir.Block) error {
	for op := range b.Ops() {
		if err := in.op(op); err != nil {
			return err
		}
	}
	return nil
}

// op replaces op by the function's body if op is a call or a named computation, and otherwise
// inlines the calls in its regions.
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
	f, err := in.callee(op)
	if err != nil {
		return err
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

// splice replaces op by a copy of body that reads op's operands, and then inlines the calls in the
// copy. params and results are the shardings of body's arguments and results; where they are not
// nil, they become sharding_constraints. So do the shardings of op's own results.
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
		copied := at.Insert(c.Op(o))
		copied.Walk(func(x *ir.Op) { x.Loc.Path = layerpath.Inside(op.Loc.Path, x.Loc.Path) })
		copies = append(copies, copied)
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

// shardings returns the list of shardings in attribute name of op, or nil if op has no such list.
func shardings(op *ir.Op, name string) []*layout.Sharding {
	s, _ := op.Attrs.Get(name).(ir.ShardingsAttr)
	return s
}

// get returns list[i], or nil if list is shorter.
func get(list []*layout.Sharding, i int) *layout.Sharding {
	if i < len(list) {
		return list[i]
	}
	return nil
}
