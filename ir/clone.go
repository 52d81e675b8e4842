package ir

// This file copies modules, blocks and ops.

import "slices"

// Cloner copies ops and remembers which copy stands for which value. A value
// without an entry stands for itself.
type Cloner map[*Value]*Value

// Value returns what stands for v in the copy.
func (c Cloner) Value(v *Value) *Value {
	if w, ok := c[v]; ok {
		return w
	}
	return v
}

// Values is Value for a list.
func (c Cloner) Values(vs []*Value) []*Value {
	out := make([]*Value, len(vs))
	for i, v := range vs {
		out[i] = c.Value(v)
	}
	return out
}

// Op returns a copy of op with its regions, in no block. Attributes and
// shardings are shared: they are never changed in place.
func (c Cloner) Op(op *Op) *Op {
	out := &Op{Kind: op.Kind, Attrs: op.Attrs, Loc: op.Loc, Pos: op.Pos, Name: op.Name}
	out.Operands = out.operandRoom[:0]
	for _, v := range op.Operands {
		out.Operands = append(out.Operands, c.Value(v))
	}
	if len(op.Results) > 1 {
		out.Results = make([]*Value, 0, len(op.Results))
	}
	for _, r := range op.Results {
		c.link(r, out.AddResult(r.Type))
	}
	for _, r := range op.Regions {
		out.AddRegion(c.Block(r))
	}
	return out
}

// Block returns a copy of b.
func (c Cloner) Block(b *Block) *Block {
	out := &Block{Args: make([]*Value, 0, len(b.Args))}
	for _, a := range b.Args {
		c.link(a, out.AddArg(a.Type))
	}
	for op := range b.Ops() {
		out.Append(c.Op(op))
	}
	return out
}

func (c Cloner) link(from, to *Value) {
	to.Name, to.Sharding = from.Name, from.Sharding
	c[from] = to
}

// Clone returns a copy of m that shares with it only what is never changed in
// place: attributes, shardings, meshes.
func (m *Module) Clone() *Module {
	out := &Module{Name: m.Name, Attrs: m.Attrs, Meshes: slices.Clone(m.Meshes)}
	for _, f := range m.Funcs {
		out.Funcs = append(out.Funcs, f.Clone())
	}
	return out
}

// Clone returns a copy of f, as Module.Clone does.
func (f *Func) Clone() *Func {
	return &Func{
		Name: f.Name, Private: f.Private, Public: f.Public, Body: Cloner{}.Block(f.Body), ArgAttrs: slices.Clone(f.ArgAttrs),
		Results: slices.Clone(f.Results), Attrs: f.Attrs, Loc: f.Loc, Pos: f.Pos,
	}
}
