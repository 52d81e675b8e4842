package memory

// This file finds the stacks of loops. A stack is a buffer that a loop carries, and in which each
// iteration saves one value: the first dimension counts the iterations. JAX's scan makes a stack
// for each value of an iteration that the loop of the gradient reads.
//
//	%r:3 = while(%k = 0, %h = %x, %s = zeros) … do {
//	  %v = tanh %h
//	  %t = dynamic_update_slice %s, (reshape %v), %k, 0, 0
//	  return (add %k, 1), %v, %t
//	}
//	%g:2 = while(%k = 0, …) … do {
//	  %j = subtract 7, %k
//	  %v1 = dynamic_slice %r#2, %j, 0, 0, sizes = [1, 4, 4]
//	  …

import (
	"slices"

	"github.com/gospmd/gospmd/compile/cost"
	"github.com/gospmd/gospmd/ir"
)

// stack is a buffer in which each iteration of a loop saves a value.
type stack struct {
	carry int         // the index of the buffer among the values that the loop carries
	value *ir.Value   // the value of the body that is saved
	index []*ir.Value // the start indices of the update that saves it, one for each dimension
	// slices are the ops of later loops that read the stack, one place each. They are nil if the
	// stack has other readers.
	slices []*ir.Op
}

// counted is a loop with a known number of iterations, n.
type counted struct {
	op *ir.Op
	n  int
}

// body returns the block that the loop repeats.
func (l counted) body() *ir.Block { return l.op.Regions[1] }

// countedLoop returns op, a while loop, as a counted loop; ok is false if its number of iterations
// is not known, or 0.
func countedLoop(op *ir.Op) (l counted, ok bool) {
	n, ok := cost.TripCount(op)
	return counted{op, n}, ok && n > 0
}

// line is a number that changes by slope in each iteration: at + slope·k in iteration k.
type line struct{ at, slope int }

// lineOf returns v, an integer scalar of the body, as a function of the iteration; ok is false if v
// is no such scalar, or if it is not seen to change by the same number in each iteration.
func (l counted) lineOf(v *ir.Value) (x line, ok bool) {
	if v.Type.Rank() != 0 || !v.Type.DType.IsInt() {
		return x, false
	}
	def := v.Def()
	switch {
	case def == nil && v.Block() == l.body():
		next := l.body().Terminator().Operands[v.Index()].Def()
		if next == nil || next.Kind != ir.OpAdd || next.Operands[0] != v {
			return x, false
		}
		start, ok1 := l.lineOf(l.op.Operands[v.Index()])
		step, ok2 := l.lineOf(next.Operands[1])
		return line{start.at, step.at}, ok1 && ok2 && start.slope == 0 && step.slope == 0
	case def == nil:
		return x, false
	case def.Kind == ir.OpConstant:
		return line{int(def.Literal().Int64s()[0]), 0}, true
	case def.Kind == ir.OpConvert:
		return l.lineOf(def.Operands[0])
	case def.Kind == ir.OpClamp:
		least, ok1 := l.lineOf(def.Operands[0])
		x, ok2 := l.lineOf(def.Operands[1])
		most, ok3 := l.lineOf(def.Operands[2])
		same := ok1 && ok2 && ok3 && least.slope == 0 && most.slope == 0
		return x, same && l.inside(line{x.at - least.at, x.slope}, most.at-least.at+1)
	case def.Kind == ir.OpAdd, def.Kind == ir.OpSubtract:
		a, ok1 := l.lineOf(def.Operands[0])
		b, ok2 := l.lineOf(def.Operands[1])
		if def.Kind == ir.OpSubtract {
			b = line{-b.at, -b.slope}
		}
		return line{a.at + b.at, a.slope + b.slope}, ok1 && ok2
	}
	return x, false
}

// inside reports whether x is between 0 and size-1 in all iterations.
func (l counted) inside(x line, size int) bool {
	last := x.at + x.slope*(l.n-1)
	return min(x.at, last) >= 0 && max(x.at, last) < size
}

// covers reports whether x is each number from 0 to size-1 in exactly one iteration.
func (l counted) covers(x line, size int) bool {
	return l.n == size && l.inside(x, size) && (x.slope == 1 || x.slope == -1)
}

// place returns the position of part, a slice or an update at the given start indices, in the first
// dimension of array. ok is false if part is not exactly one place of that dimension.
func (l counted) place(array, part ir.Type, index []*ir.Value) (x line, ok bool) {
	if array.Rank() == 0 || part.Dims[0] != 1 || !slices.Equal(array.Dims[1:], part.Dims[1:]) {
		return x, false
	}
	for _, i := range index[1:] {
		if at, ok := l.lineOf(i); !ok || at != (line{}) {
			return x, false
		}
	}
	return l.lineOf(index[0])
}

// stacks returns the stacks of the loop, and the index that an iteration writes them at. Buffers
// that are written at another index than the first stack are left out.
func (l counted) stacks() (list []stack, at line) {
	body := l.body()
	for i, next := range body.Terminator().Operands {
		arg, update := body.Args[i], next.Def()
		if update == nil || update.Kind != ir.OpDynamicUpdateSlice || update.Block() != body || update.Operands[0] != arg ||
			!arg.HasOneUse() || !next.HasOneUse() || l.op.Regions[0].Args[i].HasUses() {
			continue
		}
		x, ok := l.place(arg.Type, update.Operands[1].Type, update.Operands[2:])
		if !ok || !l.covers(x, arg.Type.Dims[0]) || len(list) > 0 && x != at {
			continue
		}
		at = x
		list = append(list, stack{carry: i, value: stripped(update.Operands[1]), index: update.Operands[2:], slices: slicesOf(l.op.Results[i])})
	}
	return list, at
}

// stripped returns v, the update of one place of a stack, without the dimensions of size 1 that
// were added to it: the value before that, or v itself.
func stripped(v *ir.Value) *ir.Value {
	for def := v.Def(); def != nil; def = v.Def() {
		from := def.Operands
		added := def.Kind == ir.OpReshape || def.Kind == ir.OpBroadcastInDim && slices.IsSorted(def.Ints("broadcast_dimensions"))
		if !added || from[0].Type.Rank() > v.Type.Rank() || from[0].Type.Size() != v.Type.Size() || !slices.Equal(from[0].Type.Dims, v.Type.Dims[v.Type.Rank()-from[0].Type.Rank():]) {
			break
		}
		v = from[0]
	}
	return v
}

// slicesOf returns the ops in the bodies of later loops that each read one place of v, a result of
// a loop; nil if v has other readers.
func slicesOf(v *ir.Value) (list []*ir.Op) {
	for u := range v.Uses() {
		loop := u.Op.Block().Parent()
		if u.Op.Kind != ir.OpDynamicSlice || u.Operand != 0 || loop == nil || loop.Kind != ir.OpWhile || loop.Block() != v.Block() {
			return nil
		}
		l, ok := countedLoop(loop)
		if !ok || u.Op.Block() != l.body() {
			return nil
		}
		if x, ok := l.place(v.Type, u.Op.Result().Type, u.Op.Operands[1:]); !ok || !l.inside(x, v.Type.Dims[0]) {
			return nil
		}
		list = append(list, u.Op)
	}
	return list
}
