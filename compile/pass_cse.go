package compile

// This file implements cse, common sub-expression elimination.

import (
	"encoding/binary"
	"slices"

	"github.com/gospmd/gospmd/ir"
	"github.com/gospmd/gospmd/ir/transform"
)

// cse finds ops that compute the same as an earlier op. Their users use the results of the earlier
// op instead:
//
//	%1 = abs %0                     %1 = abs %0
//	%2 = abs %0                 =>  %2 = abs %0
//	%3 = add %1, %2                 %3 = add %1, %1
//
// Ops with regions are equal if their regions are, op by op, such as reductions of one operand.
// Some ops stay: ops whose regions may use values from outside, such as loops; ops with side effects
// or results that differ from call to call; barriers, because they keep values apart; and ops with
// different shardings on their results. The dead %2 is left to dce.
func cse(f *ir.Func) {
	e := &eliminator{ids: make(map[*ir.Value]int, len(f.Params())+f.Body.Len())}
	e.block(f.Body, nil)
}

// eliminator gives numbers to values, for the keys of ops.
type eliminator struct {
	ids map[*ir.Value]int
	key []byte
}

// scope holds the ops of a block that later equal ops can be replaced by, by the key that keyOf
// returns. outer is the scope of the block around it, or nil if values from there cannot be used.
type scope struct {
	outer *scope
	ops   map[string][]*ir.Op
}

// find returns an op whose results can be used in place of op's, which has this key: in this scope
// or in one around it. It returns nil if there is none.
func (s *scope) find(key []byte, op *ir.Op) *ir.Op {
	for ; s != nil; s = s.outer {
		for _, o := range s.ops[string(key)] {
			if sameAttrs(o.Attrs, op.Attrs) && sameShardings(o, op) && slices.EqualFunc(o.Regions, op.Regions, (*ir.Block).ComputesLike) {
				return o
			}
		}
	}
	return nil
}

func (e *eliminator) block(b *ir.Block, outer *scope) {
	s := &scope{outer, make(map[string][]*ir.Op, b.Len())}
	for _, a := range b.Args {
		e.ids[a] = len(e.ids)
	}
	for op := range b.Ops() {
		inner := s
		if op.Info().Is(ir.ScalarBody) || op.Info().Is(ir.Isolated) {
			inner = nil // an isolated region cannot use values from outside
		}
		for _, r := range op.Regions {
			e.block(r, inner)
		}
		var same *ir.Op
		if isRepeatable(op) {
			key := e.keyOf(op)
			if same = s.find(key, op); same == nil {
				s.ops[string(key)] = append(s.ops[string(key)], op)
			}
		}
		for i, r := range op.Results {
			if same == nil {
				e.ids[r] = len(e.ids)
				continue
			}
			r.ReplaceAllUsesWith(same.Results[i])
		}
	}
}

// isRepeatable reports whether op gives the same results if it runs once instead of twice, or in
// another place. It is false for ops with regions other than scalar bodies, such as loops, for ops
// without results or with side effects, and for random numbers, custom calls and barriers.
func isRepeatable(op *ir.Op) bool {
	if len(op.Regions) > 0 && !op.Info().Is(ir.ScalarBody) || len(op.Results) == 0 || transform.HasSideEffect(op) || op.Info().Is(ir.Collective) && !op.Info().Is(ir.OnMesh) {
		return false
	}
	switch op.Kind {
	case ir.OpRng, ir.OpCustomCall, ir.OpOptimizationBarrier, ir.OpCreateToken, ir.OpPropagationBarrier, ir.OpDataFlowEdge, ir.OpFuncDataFlowEdge:
		return false
	}
	return true
}

// keyOf returns a key that is equal for ops with the same kind, operands and result types, and for
// constants with the same first bytes. The operands of most commutative ops may be exchanged. The
// next call overwrites it.
func (e *eliminator) keyOf(op *ir.Op) []byte {
	key := binary.AppendUvarint(e.key[:0], uint64(op.Kind))
	first := len(key)
	for _, v := range op.Operands {
		key = binary.BigEndian.AppendUint32(key, uint32(e.ids[v]))
	}
	if a, b := key[first:], key[min(first+4, len(key)):]; op.Info().Is(ir.Commutative) && len(op.Operands) == 2 && !orderedZeros(op) && slices.Compare(a[:4], b) > 0 {
		x, y := e.ids[op.Operands[0]], e.ids[op.Operands[1]]
		binary.BigEndian.PutUint32(a, uint32(y))
		binary.BigEndian.PutUint32(b, uint32(x))
	}
	for _, r := range op.Results {
		key = binary.AppendUvarint(key, uint64(r.Type.DType))
		for _, d := range r.Type.Dims {
			key = binary.AppendUvarint(key, uint64(d))
		}
	}
	if op.Kind == ir.OpConstant {
		d := op.Literal()
		key = append(key, d.Data[:min(len(d.Data), 16)]...)
	}
	e.key = key
	return key
}

// orderedZeros reports whether op may distinguish its operands although it is commutative: of 0.0
// and -0.0 either may be returned as the larger one.
func orderedZeros(op *ir.Op) bool { return op.Kind == ir.OpMaximum || op.Kind == ir.OpMinimum }

// sameAttrs reports whether the attributes are equal, except for why, the reason of a collective.
func sameAttrs(a, b ir.Attrs) bool {
	if a.Get("why") != nil || b.Get("why") != nil {
		a, b = a.Without("why"), b.Without("why")
	}
	return a.Equal(b)
}

func sameShardings(a, b *ir.Op) bool {
	return slices.EqualFunc(a.Results, b.Results, func(v, w *ir.Value) bool { return v.Sharding.Equal(w.Sharding) })
}
