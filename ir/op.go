package ir

// This file defines Op: its operands, results and regions, and its place in a
// block.

import (
	"fmt"
	"slices"
)

// Op is one operation. Its kind is an index into the op table.
type Op struct {
	Kind OpKind
	// Operands must not be changed directly: use SetOperand and SetOperands, which also change the
	// uses of the values. Verify reports a list that was changed directly.
	Operands []*Value
	Results  []*Value
	Attrs    Attrs
	Regions  []*Block
	Loc      Location
	Pos      Position // where the op is in the parsed text

	// Name is the full name of an op that is not in the op table (Kind is OpUnregistered). For all
	// other ops it is empty.
	Name string

	block      *Block
	prev, next *Op
	order      int64 // increases along the list of the block as long as Block.ordered is true

	slots []operandSlot // one for each operand, once op has been in a block

	// Room for two operands and one result. Most ops need no more, so making one is one allocation.
	operandRoom [2]*Value
	slotRoom    [2]operandSlot
	resultRoom  [1]*Value
	valueRoom   Value
}

// NewOp returns an op that is in no block, with these operands, attributes, results of the given
// types, and regions. A Builder infers the types.
func NewOp(kind OpKind, operands []*Value, attrs Attrs, resultTypes []Type, regions ...*Block) *Op {
	op := &Op{Kind: kind, Attrs: attrs}
	op.Operands = append(op.operandRoom[:0], operands...)
	if len(resultTypes) > 1 {
		op.Results = make([]*Value, 0, len(resultTypes))
	}
	for _, t := range resultTypes {
		op.AddResult(t)
	}
	for _, r := range regions {
		op.AddRegion(r)
	}
	return op
}

// AddResult appends a result of type t, and returns it.
func (op *Op) AddResult(t Type) *Value {
	v := &op.valueRoom
	if op.Results == nil {
		op.Results = op.resultRoom[:0]
	} else {
		v = new(Value)
	}
	v.Type, v.def, v.index = t, op, len(op.Results)
	op.Results = append(op.Results, v)
	return v
}

// AddRegion appends a region. The region belongs to op from then on.
func (op *Op) AddRegion(b *Block) {
	b.parent = op
	op.Regions = append(op.Regions, b)
}

// TakeRegions removes the regions from op and returns them. Another op or a function can then own
// them.
func (op *Op) TakeRegions() []*Block {
	regions := op.Regions
	for _, r := range regions {
		r.parent = nil
	}
	op.Regions = nil
	return regions
}

// Info returns the definition of op.
func (op *Op) Info() *OpInfo { return op.Kind.Info() }

// StatesSharding reports whether ops of this kind have an attribute of their own for shardings,
// such as out_shardings of manual_computation. It does not look at whether op has the attribute.
// The text then has no sdy.sharding for the results.
func (op *Op) StatesSharding() bool {
	return slices.ContainsFunc(op.Info().Attrs, func(a AttrSpec) bool {
		return a.Kind == KindSharding || a.Kind == KindShardings
	})
}

// FullName returns the MLIR name, such as stablehlo.add.
func (op *Op) FullName() string {
	if op.Kind == OpUnregistered {
		return op.Name
	}
	return op.Info().Name
}

// Place names op in messages: by its kind, and its layer or line if they are known, such as
// "stablehlo.all_reduce at d1/dot (model.go:12)".
func (op *Op) Place() string {
	if op.Loc.IsZero() {
		return op.FullName()
	}
	return op.FullName() + " at " + op.Loc.String()
}

// Result returns the result of op, which must have exactly one.
func (op *Op) Result() *Value {
	if len(op.Results) != 1 {
		panic(fmt.Sprintf("BUG: Result called on %s with %d results", op.FullName(), len(op.Results)))
	}
	return op.Results[0]
}

// HasUses reports whether a result of op is used.
func (op *Op) HasUses() bool {
	return slices.ContainsFunc(op.Results, (*Value).HasUses)
}

// Walk calls visit for op and for every op in its regions. It visits an op before the ops of its
// regions. visit may change a block in the ways that a loop over Block.Ops may.
func (op *Op) Walk(visit func(*Op)) {
	visit(op)
	for _, r := range op.Regions {
		r.Walk(visit)
	}
}

// Block returns the block that op is in, or nil.
func (op *Op) Block() *Block { return op.block }

// Parent returns the op whose region op is in. It returns nil if op is in the body of a function or
// in no block.
func (op *Op) Parent() *Op {
	if op.block == nil {
		return nil
	}
	return op.block.parent
}

// IsContraction reports whether op is a product of tensors or a convolution.
func (op *Op) IsContraction() bool {
	return op.Kind == OpDotGeneral || op.Kind == OpDot || op.Kind == OpConvolution
}

// In returns the op of block b that is op, or that has op in one of its regions; nil if there is
// none.
func (op *Op) In(b *Block) *Op {
	for op != nil && op.block != b {
		op = op.Parent()
	}
	return op
}

// Next returns the op after op in its block, or nil.
func (op *Op) Next() *Op { return op.next }

// Prev returns the op before op in its block, or nil.
func (op *Op) Prev() *Op { return op.prev }

// IsBefore reports whether op is before o in their block; both must be in the same one. It takes
// constant time, except that the first call after a change of the block may renumber the ops.
func (op *Op) IsBefore(o *Op) bool {
	b := op.block
	if b == nil || b != o.block {
		panic(fmt.Sprintf("BUG: %s and %s are compared, but do not stand in one block", op.FullName(), o.FullName()))
	}
	if !b.ordered {
		b.renumber()
	}
	return op.order < o.order
}

// InsertBefore inserts op, which must be in no block, right before the op at.
func (op *Op) InsertBefore(at *Op) { at.home().insert(op, at) }

// InsertAfter inserts op, which must be in no block, right after the op at.
func (op *Op) InsertAfter(at *Op) { at.home().insert(op, at.next) }

// MoveBefore moves op, which must be in a block, to the place right before the op at, which may be
// in another block. If both are one op, nothing changes.
func (op *Op) MoveBefore(at *Op) {
	if op == at {
		return
	}
	op.home().unlink(op)
	at.home().link(op, at)
}

// MoveAfter moves op, which must be in a block, to the place right after the op at, which may be in
// another block. If both are one op, nothing changes.
func (op *Op) MoveAfter(at *Op) {
	if op == at {
		return
	}
	op.home().unlink(op)
	at.home().link(op, at.next)
}

// MoveToEnd moves op, which must be in a block, to the end of b.
func (op *Op) MoveToEnd(b *Block) {
	op.home().unlink(op)
	b.link(op, nil)
}

// home returns the block that op is in. It panics if op is in none.
func (op *Op) home() *Block {
	if op.block == nil {
		panic(fmt.Sprintf("BUG: %s stands in no block", op.FullName()))
	}
	return op.block
}

// Remove takes op out of its block, so that it can be inserted elsewhere. Until then its operands
// do not count as uses. To delete op for good, call Erase, which also removes the uses by ops in
// its regions.
func (op *Op) Remove() {
	op.home().unlink(op)
	op.unlinkOperands()
}

// Erase takes op out of its block, if it is in one, and erases the ops in its regions. It panics if
// a result of op has uses. The operands of op and of the ops in its regions no longer count as
// uses.
func (op *Op) Erase() {
	for i, r := range op.Results {
		if r.first != nil {
			panic(fmt.Sprintf("BUG: %s is erased, but %s uses result %d of it", op.FullName(), r.first.op.FullName(), i))
		}
	}
	if op.block != nil {
		op.Remove()
	}
	for _, r := range op.Regions {
		r.Clear()
	}
}

// Clear erases all ops of b, from the last to the first. Call it for a block with ops that is no
// longer needed.
func (b *Block) Clear() {
	for b.last != nil {
		b.last.Erase()
	}
}

// SetOperand makes v operand i of op. If op is in a block, the old value loses a use and v gets it;
// the operands of an op in no block are not uses.
func (op *Op) SetOperand(i int, v *Value) {
	op.Operands[i] = v
	if op.block == nil {
		return
	}
	if s := &op.slots[i]; s.value != v {
		s.unlink()
		s.link(v)
	}
}

// SetOperands makes a copy of vs the operands in place of the old ones; the numbers may differ. If
// op is in a block, it keeps the lists of uses up to date.
func (op *Op) SetOperands(vs ...*Value) {
	linked := op.block != nil
	if linked {
		op.unlinkOperands()
	}
	op.Operands = slices.Clone(vs)
	if linked {
		op.linkOperands()
	}
}

// AddOperands appends vs to the operands. If op is in a block, they are uses from then on.
func (op *Op) AddOperands(vs ...*Value) {
	op.SetOperands(slices.Concat(op.Operands, vs)...)
}

// ReplaceWith erases op. All uses of its results become uses of the values, one for each result. It
// panics for another number of values.
func (op *Op) ReplaceWith(values ...*Value) {
	if len(values) != len(op.Results) {
		panic(fmt.Sprintf("BUG: %s with %d results is replaced by %d values", op.FullName(), len(op.Results), len(values)))
	}
	for i, r := range op.Results {
		r.ReplaceAllUsesWith(values[i])
	}
	op.Erase()
}
