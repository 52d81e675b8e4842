package microbatch

// This file moves sums over micro-batches out of loops of the step, such as those of a scan over
// layers or time steps:
//
//	%r = while (%a = 0) … do {              %r = while (%a = 0) … do {
//	  %g = all_reduce %d                =>    return %a + %d
//	       axes = {"microbatch"}            }
//	  return %a + %g                        %s = all_reduce %r, axes = {"microbatch"}
//	}
//
// The loop then carries a partial result: the part of one micro-batch, of a value that is the sum
// of all. This is right where all that the loop does with it is linear.

import (
	"slices"

	"github.com/gospmd/gospmd/ir"
	"github.com/gospmd/gospmd/mesh"
)

// linear lists the ops whose result is partial if their first operand is partial, and the others
// say only where its elements go.
var linear = map[ir.OpKind]bool{
	ir.OpReshape: true, ir.OpBroadcastInDim: true, ir.OpTranspose: true, ir.OpSlice: true, ir.OpReverse: true, ir.OpNegate: true,
	ir.OpSPMDAllGather: true, ir.OpSPMDAllToAll: true, ir.OpSPMDPermute: true, ir.OpSPMDShift: true,
}

// sums lists the ops whose result is a partial sum if their first two operands are partial sums or
// zero.
var sums = map[ir.OpKind]bool{ir.OpAdd: true, ir.OpSubtract: true}

// sink moves all_reduces over the axis out of the loops in block, inner loops first.
func (b *Batch) sink(block *ir.Block) {
	for op := range block.Ops() {
		for _, r := range op.Regions {
			b.sink(r)
		}
		if op.Kind == ir.OpWhile {
			b.sinkFrom(op)
		}
	}
}

// sinkFrom moves all_reduces over the micro-batches' axis out of the body of loop: the loop then
// adds up partial sums, and one all_reduce behind it reduces them. Sums whose results are used
// otherwise in the loop stay.
func (b *Batch) sinkFrom(loop *ir.Op) {
	body := loop.Regions[1]
	p := &partials{Batch: b, loop: loop, end: body.Terminator(), dropped: map[*ir.Op]bool{}, carried: map[int]bool{}}
	for op := range body.Body() {
		if b.sumsOver(op) {
			p.dropped[op] = true
		}
	}
	if len(p.dropped) == 0 {
		return
	}
	for i, v := range loop.Operands {
		if isZero(v) && !loop.Regions[0].Args[i].HasUses() {
			p.carried[i] = true
		}
	}
	p.findSame()
	for p.shrink() { // until all that is left is consistent
	}
	reached := p.reached()
	for op := range body.Body() {
		if p.dropped[op] {
			op.ReplaceWith(b.overOthers(op)...)
		}
	}
	build := ir.NewBuilder(nil).After(loop)
	build.Loc = loop.Loc
	for i, r := range loop.Results {
		if !reached[i] {
			continue
		}
		sum := build.SPMDAllReduce([]*ir.Value{r}, mesh.FullAxes(b.axis), "add")
		r.ReplaceUsesIf(sum.Result(), func(u ir.Use) bool { return u.Op != sum })
	}
}

// sumsOver reports whether op is an all_reduce by addition over the axis of micro-batches.
func (b *Batch) sumsOver(op *ir.Op) bool {
	return op.Kind == ir.OpSPMDAllReduce && op.AddsUp() && slices.Contains(op.SPMDAllReduce().Axes(), mesh.FullAxis(b.axis))
}

// overOthers returns the values of op, an all_reduce, if it combined only over the axes other than
// that of micro-batches. It inserts ops before op, and leaves op itself.
func (b *Batch) overOthers(op *ir.Op) []*ir.Value {
	axes := slices.DeleteFunc(slices.Clone(op.SPMDAllReduce().Axes()), func(a mesh.AxisRef) bool { return a.Name == b.axis })
	build := ir.NewBuilder(nil).Before(op)
	build.Loc = op.Loc
	return overAxes(build, op, axes, op.Operands, ir.TypesOf(op.Results)...)
}

// isZero reports whether all elements of v are known to be zero.
func isZero(v *ir.Value) bool {
	c := constantOf(v)
	return c != nil && c.Literal().IsZero()
}

// isConstant reports whether the elements of v are those of a constant.
func isConstant(v *ir.Value) bool { return constantOf(v) != nil }

// constantOf returns the constant whose elements v has, perhaps in another order and number; nil if
// there is none.
func constantOf(v *ir.Value) *ir.Op {
	for def := v.Def(); def != nil; def = def.Operands[0].Def() {
		switch def.Kind {
		case ir.OpConstant:
			return def
		case ir.OpBroadcastInDim, ir.OpReshape, ir.OpTranspose, ir.OpSlice:
		default:
			return nil
		}
	}
	return nil
}

// partials says what may be partial in the body of a loop: the results of the all_reduces that are
// dropped, what is linear in them, and carried values.
type partials struct {
	*Batch
	loop    *ir.Op
	end     *ir.Op             // the terminator of the body
	dropped map[*ir.Op]bool    // all_reduces
	carried map[int]bool       // indices of carried values
	same    map[*ir.Value]bool // set by findSame
}

// find returns the values of the loop's body that are partial sums if the results of p.dropped and
// the values of p.carried are, as the keys that map to true. A value that is only known to be zero
// is not one of them.
func (p *partials) find() map[*ir.Value]bool {
	body := p.loop.Regions[1]
	partial := map[*ir.Value]bool{}
	for i, a := range body.Args {
		partial[a] = p.carried[i]
	}
	is := func(v *ir.Value) bool { return partial[v] || isZero(v) }
	for op := range body.Body() {
		all := false
		switch {
		case p.dropped[op]:
			all = true
		case linear[op.Kind]:
			all = partial[op.Operands[0]]
		case sums[op.Kind]:
			x, y := op.Operands[0], op.Operands[1]
			all = is(x) && is(y) && (partial[x] || partial[y])
		case op.Kind == ir.OpDynamicSlice:
			all = partial[op.Operands[0]] && p.areSame(op.Operands[1:])
		case op.Kind == ir.OpDynamicUpdateSlice:
			x, y := op.Operands[0], op.Operands[1]
			all = is(x) && is(y) && (partial[x] || partial[y]) && p.areSame(op.Operands[2:])
		case op.Kind == ir.OpMultiply:
			x, y := op.Operands[0], op.Operands[1]
			all = partial[x] && isConstant(y) || partial[y] && isConstant(x)
		case op.Kind == ir.OpSelect:
			x, y := op.Operands[1], op.Operands[2]
			all = p.same[op.Operands[0]] && is(x) && is(y) && (partial[x] || partial[y])
		case op.Kind == ir.OpConvert: // integers would be cut off, or wrap
			all = partial[op.Operands[0]] && isReal(op.Operands[0]) && isReal(op.Result())
		case op.Kind == ir.OpDivide: // integers would be cut off
			all = partial[op.Operands[0]] && isConstant(op.Operands[1]) && isReal(op.Result())
		case op.Kind == ir.OpReduce:
			kinds, ok := ir.ReductionsOf(op)
			all = ok && len(kinds) == 1 && kinds[0] == ir.OpAdd && partial[op.Operands[0]] && isZero(op.Operands[1])
		case op.AddsUp():
			all = !slices.ContainsFunc(op.Operands, func(v *ir.Value) bool { return !partial[v] })
		}
		for _, v := range op.Results {
			partial[v] = all
		}
	}
	return partial
}

// findSame sets p.same: the values of the body, and those that it reads, that are known to be the
// same for all micro-batches. They are computed from constants, the place of the device, and carried
// values that are the same too, such as the number of the iteration.
func (p *partials) findSame() {
	body := p.loop.Regions[1]
	isFirst := true
	for again := true; again; isFirst = false {
		again = false
		same := map[*ir.Value]bool{}
		for i, a := range body.Args {
			same[a] = isConstant(p.loop.Operands[i]) && (isFirst || p.same[a] && p.same[p.end.Operands[i]])
			again = again || isFirst || same[a] != p.same[a]
		}
		var visit func(v *ir.Value) bool
		visit = func(v *ir.Value) bool {
			if _, known := same[v]; !known {
				def := v.Def()
				same[v] = def != nil && p.repeatsSame(def) && !slices.ContainsFunc(def.Operands, func(o *ir.Value) bool { return !visit(o) })
			}
			return same[v]
		}
		for op := range body.Body() {
			for _, r := range op.Results {
				visit(r)
			}
		}
		p.same = same
	}
}

// isReal reports whether the elements of v are real or complex numbers, not integers.
func isReal(v *ir.Value) bool { return v.Type.DType.IsFloat() || v.Type.DType.IsComplex() }

// areSame reports whether the values are the same for all micro-batches.
func (p *partials) areSame(values []*ir.Value) bool {
	return !slices.ContainsFunc(values, func(v *ir.Value) bool { return !p.same[v] && !isConstant(v) })
}

// repeatsSame reports whether op computes the same for all micro-batches if its operands are the
// same.
func (p *partials) repeatsSame(op *ir.Op) bool {
	switch info := op.Info(); {
	case op.Kind == ir.OpSPMDAxisIndex:
		return !slices.ContainsFunc(op.SPMDAxisIndex().Axes(), func(a mesh.AxisRef) bool { return a.Name == p.axis })
	case op.Kind == ir.OpConstant:
		return true
	case info.Is(ir.Collective):
		return false
	default:
		return info.Is(ir.Elementwise) && len(op.Regions) == 0 || linear[op.Kind] || op.Kind == ir.OpDynamicSlice || op.Kind == ir.OpDynamicUpdateSlice
	}
}

// shrink removes what is not consistent: carried values whose next value is not partial, and
// sources of partial values that an op uses in another way. It reports whether it removed any.
func (p *partials) shrink() (again bool) {
	partial := p.find()
	body := p.loop.Regions[1]
	for i, next := range p.end.Operands {
		if p.carried[i] && !partial[next] {
			delete(p.carried, i)
			again = true
		}
	}
	if again {
		return true
	}
	// bad are the partial values with a use that needs the sum; values that they come from are bad
	// too
	bad := map[*ir.Value]bool{}
	for op := range body.Backward() {
		spoils := op != p.end && len(op.Results) > 0 && (!partial[op.Results[0]] || slices.ContainsFunc(op.Results, func(v *ir.Value) bool { return bad[v] })) && !p.dropped[op]
		op.Walk(func(o *ir.Op) {
			for k, v := range o.Operands {
				if partial[v] && (spoils || o != op || op == p.end && (!p.carried[k] || bad[body.Args[k]])) {
					bad[v] = true
				}
			}
		})
	}
	for i, a := range body.Args {
		if p.carried[i] && bad[a] {
			delete(p.carried, i)
			again = true
		}
	}
	for op := range body.Body() {
		if p.dropped[op] && slices.ContainsFunc(op.Results, func(v *ir.Value) bool { return bad[v] }) {
			delete(p.dropped, op)
			again = true
		}
	}
	return again
}

// reached returns the numbers of the carried values that dropped all_reduces reach, as keys that
// map to true: those of the others are zero.
func (p *partials) reached() map[int]bool {
	body := p.loop.Regions[1]
	values, out := map[*ir.Value]bool{}, map[int]bool{}
	for again := true; again; {
		again = false
		for op := range body.Body() {
			if p.dropped[op] || slices.ContainsFunc(op.Operands, func(v *ir.Value) bool { return values[v] }) {
				for _, v := range op.Results {
					values[v] = true
				}
			}
		}
		for i, next := range p.end.Operands {
			if values[next] && p.carried[i] && !out[i] {
				out[i], values[body.Args[i]], again = true, true, true
			}
		}
	}
	return out
}
