package ir

// This file defines Builder, which makes ops and inserts them at a point.

import "fmt"

// Builder makes ops and inserts them at its insertion point, each behind the one made before.
//
// A zero Builder has no insertion point: set one by AtEnd, AtStart, Before or After.
type Builder struct {
	// Loc becomes the location of every inserted op that has none.
	Loc Location
	// OnInsert, if not nil, is called with every op after the op was inserted.
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

// Point returns the insertion point. SetPoint can go back to it.
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

// AfterValue makes the place right after the definition of v the insertion point and returns b. If
// v is an argument of a block, that place is the start of the block.
func (b *Builder) AfterValue(v *Value) *Builder {
	if v.IsArg() {
		return b.AtStart(v.block)
	}
	return b.After(v.def)
}

// Insert inserts op at the insertion point and returns it. The op must not be in a block.
func (b *Builder) Insert(op *Op) *Op {
	op.Loc = op.Loc.or(b.Loc)
	b.point.block.insert(op, b.point.next)
	if b.OnInsert != nil {
		b.OnInsert(op)
	}
	return op
}

// Op makes an op of the kind with these attributes and operands and the result types that the op
// table infers, inserts it and returns it. If they do not fit together, or the types cannot be
// inferred, it inserts nothing and returns an error, which names the op.
func (b *Builder) Op(kind OpKind, attrs Attrs, operands ...*Value) (*Op, error) {
	return b.OpWithRegions(kind, attrs, nil, operands...)
}

// OpWithRegions is Op for an op with regions. The op owns the regions from then on. If it fails, it
// erases the ops in the regions.
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

// OpWithTypes inserts an op of the kind with these attributes and operands and the given result
// types, and returns it. It checks nothing. It is for ops whose result types cannot be inferred
// from the operands, such as iota, reshape and custom_call.
func (b *Builder) OpWithTypes(kind OpKind, attrs Attrs, types []Type, operands ...*Value) *Op {
	return b.Insert(NewOp(kind, operands, attrs, types))
}

// Build inserts an op of a compiler pass, of the kind with these attributes, regions and operands,
// and returns it. If types is nil, it infers the result types, and panics if they cannot be
// inferred: that is a bug of the pass. Otherwise it checks nothing.
func (b *Builder) Build(kind OpKind, attrs Attrs, types []Type, regions []*Block, operands ...*Value) *Op {
	return b.build(kind, attrs, regions, types, operands)
}

// build is Build with the arguments in the order in which the typed constructors pass them.
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
