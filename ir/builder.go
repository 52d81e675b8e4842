package ir

// This file defines Builder, which makes ops and inserts them at a point.

import "fmt"

// Builder makes ops and inserts them at its insertion point, in the order in
// which they are made.
//
// A zero Builder has no insertion point: set one by AtEnd, AtStart, Before or
// After.
type Builder struct {
	// Loc is given to every op that is inserted without a location of its own.
	Loc Location
	// OnInsert, if not nil, is called with every op after it was inserted.
	OnInsert func(*Op)

	point InsertPoint
}

// InsertPoint is a place between two ops of a block, or at its end.
type InsertPoint struct {
	block *Block
	next  *Op // nil: at the end
}

// NewBuilder returns a builder at the end of b.
func NewBuilder(b *Block) *Builder { return &Builder{point: InsertPoint{block: b}} }

// Block returns the block that b inserts into.
func (b *Builder) Block() *Block { return b.point.block }

// Point returns the insertion point, for SetPoint to go back to.
func (b *Builder) Point() InsertPoint { return b.point }

// SetPoint makes p the insertion point.
func (b *Builder) SetPoint(p InsertPoint) { b.point = p }

// AtEnd makes the end of block the insertion point and returns b.
func (b *Builder) AtEnd(block *Block) *Builder {
	b.point = InsertPoint{block: block}
	return b
}

// AtStart makes the start of block the insertion point and returns b.
func (b *Builder) AtStart(block *Block) *Builder {
	b.point = InsertPoint{block, block.first}
	return b
}

// Before makes the place right before op the insertion point and returns b.
func (b *Builder) Before(op *Op) *Builder {
	b.point = InsertPoint{op.home(), op}
	return b
}

// After makes the place right after op the insertion point and returns b.
func (b *Builder) After(op *Op) *Builder {
	b.point = InsertPoint{op.home(), op.next}
	return b
}

// AfterValue makes the place right after the op that defines v, or the start
// of the block that v is an argument of, the insertion point and returns b.
func (b *Builder) AfterValue(v *Value) *Builder {
	if v.IsArg() {
		return b.AtStart(v.block)
	}
	return b.After(v.def)
}

// Insert inserts op, which stands in no block, and returns it.
func (b *Builder) Insert(op *Op) *Op {
	op.Loc = op.Loc.or(b.Loc)
	b.point.block.insert(op, b.point.next)
	if b.OnInsert != nil {
		b.OnInsert(op)
	}
	return op
}

// Op inserts an op whose result types the op table can infer and returns it.
// The error names the op and what does not fit.
func (b *Builder) Op(kind OpKind, attrs Attrs, operands ...*Value) (*Op, error) {
	return b.OpWithRegions(kind, attrs, nil, operands...)
}

// OpWithRegions is Op for an op with regions, which the op then owns. Where it
// fails, the ops in the regions are erased.
func (b *Builder) OpWithRegions(kind OpKind, attrs Attrs, regions []*Block, operands ...*Value) (*Op, error) {
	op := NewOp(kind, operands, attrs, nil, regions...)
	types, err := Infer(op)
	if err != nil {
		op.Erase()
		return nil, err
	}
	for _, t := range types {
		op.AddResult(t)
	}
	return b.Insert(op), nil
}

// OpWithTypes inserts an op with the result types given: those that do not follow
// from its operands, as of iota, reshape or custom_call.
func (b *Builder) OpWithTypes(kind OpKind, attrs Attrs, types []Type, operands ...*Value) *Op {
	return b.Insert(NewOp(kind, operands, attrs, types))
}

// Build inserts an op of a compiler pass and returns it. Where types is nil the
// op table infers the result types; that they cannot be inferred is a bug of
// the pass.
func (b *Builder) Build(kind OpKind, attrs Attrs, types []Type, regions []*Block, operands ...*Value) *Op {
	return b.build(kind, attrs, regions, types, operands)
}

// build is Build, as the typed constructors use it.
func (b *Builder) build(kind OpKind, attrs Attrs, regions []*Block, types []Type, operands []*Value) *Op {
	op := NewOp(kind, operands, attrs, types, regions...)
	if types == nil {
		inferred, err := Infer(op)
		if err != nil {
			panic(fmt.Sprintf("BUG: %v", err))
		}
		for _, t := range inferred {
			op.AddResult(t)
		}
	}
	return b.Insert(op)
}
