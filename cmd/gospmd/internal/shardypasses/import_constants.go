package shardypasses

// This file gives every use of a constant its own copy, so that the sharding of one use does not
// reach the others.

import (
	"slices"

	"github.com/gospmd/gospmd/internal/sdy"
	"github.com/gospmd/gospmd/ir"
)

// splitConstants copies, once for each use, what can be computed again at no cost: constants, ops
// on constants only, and broadcasts of scalars. The scalars themselves stay shared. It turns
// stablehlo.constant into sdy.constant, which no pass merges. It is Shardy's pass
// constant-or-scalar-splitter.
//
//	%0 = constant …             %0 = sdy.constant …
//	%1 = dot %0, %0       =>    %1 = sdy.constant …
//	                            %2 = dot %0, %1
func splitConstants(m *ir.Module) {
	for _, f := range m.Funcs {
		f.Walk(func(op *ir.Op) {
			if op.Kind == ir.OpConstant {
				op.Kind = ir.OpSdyConstant
			}
		})
	}
	s := &splitter{
		m: m, names: newNamer(m),
		variableFuncs: make(map[string]bool), variableComputations: make(map[string]bool),
	}
	for _, f := range slices.Backward(callOrder(m)) {
		s.fn = f
		f.Walk(func(op *ir.Op) {
			if op.Kind == ir.OpNamedComputation {
				s.region(op.Regions[0])
			}
		})
		s.region(f.Body)
	}
}

// splitter splits the constants of module m, body by body. It remembers which of the functions and
// named computations so far compute more than constants. groups, constants, expansions and order
// belong to the body that region works on.
type splitter struct {
	m     *ir.Module
	fn    *ir.Func
	names *namer
	// the names of functions and computations that contain an op whose results are not constant
	variableFuncs, variableComputations map[string]bool

	groups     map[*ir.Value][]*ir.Op // the sharding groups of a value
	constants  map[*ir.Op]bool
	expansions map[*ir.Op]bool // broadcasts of scalars
	order      []*ir.Op        // constants and expansions, in program order
}

// region splits the constants of one body, also those in the regions of its ops, but not in named
// computations: these are bodies of their own, split before.
func (s *splitter) region(b *ir.Block) {
	s.order = nil
	s.groups = make(map[*ir.Value][]*ir.Op)
	s.constants, s.expansions = make(map[*ir.Op]bool), make(map[*ir.Op]bool)
	b.Walk(func(op *ir.Op) {
		if op.Kind == ir.OpShardingGroup {
			s.groups[op.Operands[0]] = append(s.groups[op.Operands[0]], op)
		}
	})
	var visit func(op *ir.Op)
	visit = func(op *ir.Op) {
		s.op(op)
		if op.Kind == ir.OpNamedComputation {
			return
		}
		for _, r := range op.Regions {
			for inner := range r.Ops() {
				visit(inner)
			}
		}
	}
	for op := range b.Ops() {
		visit(op)
	}
	s.dropUnused()
}

func (s *splitter) op(op *ir.Op) {
	switch {
	case op.Kind == ir.OpShardingGroup:
		return
	case s.isConstant(op):
		s.constants[op] = true
		s.order = append(s.order, op)
		return
	}
	if !s.keepsConstant(op) && !op.Info().Is(ir.Terminator) {
		for p := op.Block().Parent(); p != nil; p = p.Block().Parent() {
			if p.Kind == ir.OpNamedComputation {
				s.variableComputations[computationName(p)] = true
				break
			}
		}
		s.variableFuncs[nameOf(s.fn)] = true
	}
	if op.Kind == ir.OpBroadcastInDim && op.Operands[0].Type.Rank() == 0 {
		s.expansions[op] = true
		s.order = append(s.order, op)
		return
	}
	for i, v := range op.Operands {
		if d := v.Def(); d != nil && (s.constants[d] || s.expansions[d]) && !isScalar(v) {
			c := make(ir.Cloner)
			s.copy(v, c)
			op.SetOperand(i, c.Value(v))
		}
	}
}

// copy copies the ops that compute v, and notes in c which values the copies have in place of the
// originals. Arguments and scalars stay shared. Each copy is next to its original. A copied call
// calls a copy of its function, and the copy of a value is in the same sharding groups.
func (s *splitter) copy(v *ir.Value, c ir.Cloner) {
	if _, done := c[v]; done || v.IsArg() || isScalar(v) {
		return
	}
	for _, o := range v.Def().Operands {
		s.copy(o, c)
	}
	op := c.Op(v.Def())
	op.InsertBefore(v.Def())
	if op.Kind == ir.OpCall {
		if f := sdy.Callee(s.m, op); f != nil {
			setCallee(op, copyFunc(s.m, s.names, f))
		}
	}
	for _, g := range s.groups[v] {
		c.Op(g).InsertBefore(v.Def())
	}
}

// dropUnused removes the originals that only sharding groups still use, and these uses.
func (s *splitter) dropUnused() {
	drop := func(op *ir.Op) {
		if slices.ContainsFunc(op.Results, isUsedOutsideGroups) {
			return
		}
		for _, v := range op.Results {
			for u := range v.Uses() {
				u.Op.Erase()
			}
		}
		op.Erase()
	}
	for _, op := range s.order {
		if s.expansions[op] {
			drop(op)
		}
	}
	for _, op := range slices.Backward(s.order) {
		if s.constants[op] {
			drop(op)
		}
	}
}

// isUsedOutsideGroups reports whether an op other than a sharding group uses v.
func isUsedOutsideGroups(v *ir.Value) bool {
	for u := range v.Uses() {
		if u.Op.Kind != ir.OpShardingGroup {
			return true
		}
	}
	return false
}

// isConstant reports whether op is a constant or an iota, or computes its results from such ops
// alone.
func (s *splitter) isConstant(op *ir.Op) bool {
	if op.Kind == ir.OpSdyConstant || op.Kind == ir.OpIota {
		return true
	}
	return s.keepsConstant(op) && !slices.ContainsFunc(op.Operands, func(v *ir.Value) bool { return v.IsArg() || !s.constants[v.Def()] })
}

// keepsConstant reports whether op, given constant operands, has constant results: it is
// element-wise, changes only the shape, or calls a function that computes nothing else.
func (s *splitter) keepsConstant(op *ir.Op) bool {
	switch op.Kind {
	case ir.OpCall:
		f := sdy.Callee(s.m, op)
		return f != nil && !s.variableFuncs[nameOf(f)]
	case ir.OpNamedComputation:
		return !s.variableComputations[computationName(op)]
	case ir.OpBroadcastInDim, ir.OpReshape, ir.OpSlice:
		return true
	case ir.OpShardingConstraint:
		return false
	}
	return sdy.IsElementwise(op) && !op.Info().Is(ir.SideEffect) && !op.Info().Is(ir.Collective)
}

func computationName(op *ir.Op) string {
	name, _ := op.Attrs.Get("name").(ir.String)
	return string(name)
}

func isScalar(v *ir.Value) bool { return !v.Type.IsToken() && v.Type.Rank() == 0 }
