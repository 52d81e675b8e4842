package cost

// This file says which values an engine holds in memory.
//
// Compilers of tensor programs fuse: an element-wise op whose users are
// element-wise or reductions is computed inside of each of them, unless it is
// expensive and has several users. This is the rule of XLA's instruction fusion
// in a few lines (InstructionFusion, and IsExpensive there).

import "github.com/gospmd/gospmd/ir"

// fusible reports whether op may be computed inside of its users.
func fusible(op *ir.Op) bool {
	if op.Info().Is(ir.Elementwise) {
		return true
	}
	switch op.Kind {
	case ir.OpIota, ir.OpBroadcastInDim, ir.OpTranspose, ir.OpSlice, ir.OpPad, ir.OpConcatenate, ir.OpReverse,
		ir.OpDynamicSlice, ir.OpBitcastConvert, ir.OpGather, ir.OpSPMDAxisIndex:
		return true
	}
	return false
}

// fuses reports whether op computes its operands inside of itself.
func fuses(op *ir.Op) bool {
	return fusible(op) && op.Kind != ir.OpGather || op.Kind == ir.OpReduce
}

// expensive holds the ops that are not worth computing twice.
var expensive = map[ir.OpKind]bool{
	ir.OpDivide: true, ir.OpRemainder: true, ir.OpExp: true, ir.OpExpM1: true, ir.OpLog: true, ir.OpLog1p: true,
	ir.OpLogistic: true, ir.OpPower: true, ir.OpRsqrt: true, ir.OpSqrt: true, ir.OpCbrt: true, ir.OpTanh: true,
	ir.OpTan: true, ir.OpSine: true, ir.OpCosine: true, ir.OpAtan2: true, ir.OpErf: true, ir.OpMap: true,
	ir.OpGather: true, ir.OpConcatenate: true,
}

// isView reports whether op's results share the memory of its operands unchanged.
func isView(op *ir.Op) bool {
	return op.Kind == ir.OpReshape || op.Kind == ir.OpOptimizationBarrier
}

// storage decides which values of a function have memory of their own.
type storage struct {
	stored map[*ir.Value]bool // decided so far
}

// root returns the value that v is a view of; v itself if it is none.
func root(v *ir.Value) *ir.Value {
	for v.Def() != nil && isView(v.Def()) {
		v = v.Def().Operands[v.Index()]
	}
	return v
}

// users returns the uses of v, those of its views included.
func (s *storage) users(v *ir.Value, visit func(ir.Use)) {
	for u := range v.Uses() {
		if isView(u.Op) {
			s.users(u.Op.Results[u.Operand], visit)
			continue
		}
		visit(u)
	}
}

// isStored reports whether v, a result of op, has memory of its own.
func (s *storage) isStored(op *ir.Op, v *ir.Value) bool {
	known, ok := s.stored[v]
	if !ok {
		known = s.decide(op, v)
		s.stored[v] = known
	}
	return known
}

// decide computes isStored: v has memory of its own unless it is a view, reuses
// the memory of an operand, or is fused into each of its users. An expensive op
// is fused into one user only.
func (s *storage) decide(op *ir.Op, v *ir.Value) bool {
	if isView(op) || op.Kind == ir.OpConstant || v.Type.IsToken() || s.inPlace(op, v.Index()) {
		return false
	}
	if !fusible(op) {
		return true
	}
	count, needed := 0, false
	s.users(v, func(u ir.Use) {
		count++
		inside := u.Op.Block() == op.Block() && fuses(u.Op)
		// Contractions read their operands in any order of dimensions.
		turned := op.Kind == ir.OpTranspose && u.Op.Kind == ir.OpDotGeneral
		if !inside && !turned {
			needed = true
		}
	})
	return needed || count > 1 && expensive[op.Kind]
}

// inPlace reports whether result i of op reuses the memory of operand i: so do
// the values that a loop carries, and a tensor of which a part is replaced,
// unless other ops still read the operand.
func (s *storage) inPlace(op *ir.Op, i int) bool {
	if op.Kind != ir.OpWhile && op.Kind != ir.OpDynamicUpdateSlice {
		return false
	}
	r := root(op.Operands[i])
	if r.IsArg() || r.Def().Kind == ir.OpConstant {
		return r.IsArg() && r.Block().Parent() != nil // a loop carries it already
	}
	count := 0
	s.users(r, func(ir.Use) { count++ })
	return count == 1
}
