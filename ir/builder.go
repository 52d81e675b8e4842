package ir

// This file defines Builder, which appends ops to a block with inferred types.

// Builder appends ops to a block. Result types come from the op table's shape
// rules; Loc is given to every op that is built.
type Builder struct {
	Block *Block
	Loc   Location
}

// NewBuilder returns a builder at the end of b.
func NewBuilder(b *Block) *Builder { return &Builder{Block: b} }

// Op appends an op whose result types the op table can infer and returns it.
// The error names the op and what does not fit.
func (b *Builder) Op(kind OpKind, attrs Attrs, operands ...*Value) (*Op, error) {
	return b.OpWithRegions(kind, attrs, nil, operands...)
}

// OpWithRegions is Op for an op with regions, which the op then owns.
func (b *Builder) OpWithRegions(kind OpKind, attrs Attrs, regions []*Block, operands ...*Value) (*Op, error) {
	op := NewOp(kind, operands, attrs, nil, regions...)
	types, err := Infer(op)
	if err != nil {
		return nil, err
	}
	for _, t := range types {
		op.AddResult(t)
	}
	op.Loc = b.Loc
	b.Block.Append(op)
	return op, nil
}

// Typed appends an op with the result types given: those that do not follow
// from its operands, as of iota, reshape or custom_call.
func (b *Builder) Typed(kind OpKind, attrs Attrs, types []Type, operands ...*Value) *Op {
	op := NewOp(kind, operands, attrs, types)
	op.Loc = b.Loc
	b.Block.Append(op)
	return op
}

// build appends an op of the types given or, if there are none, of those that
// the op table infers. That it can be built is the caller's promise.
func (b *Builder) build(kind OpKind, attrs Attrs, regions []*Block, types []Type, operands []*Value) *Op {
	op := NewOp(kind, operands, attrs, types, regions...)
	if types == nil {
		inferred, err := Infer(op)
		if err != nil {
			panic("BUG: " + err.Error())
		}
		for _, t := range inferred {
			op.AddResult(t)
		}
	}
	op.Loc = b.Loc
	b.Block.Append(op)
	return op
}
