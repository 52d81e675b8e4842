package compile

// This file copies modules, blocks and ops.

import (
	"slices"

	"github.com/gospmd/gospmd/ir"
)

// cloner copies ops and remembers which copy stands for which value.
// A value without an entry stands for itself.
type cloner map[*ir.Value]*ir.Value

// value returns what stands for v in the copy.
func (c cloner) value(v *ir.Value) *ir.Value {
	if w, ok := c[v]; ok {
		return w
	}
	return v
}

// values is value for a list.
func (c cloner) values(vs []*ir.Value) []*ir.Value {
	out := make([]*ir.Value, len(vs))
	for i, v := range vs {
		out[i] = c.value(v)
	}
	return out
}

// op returns a copy of op, regions included, in no block.
func (c cloner) op(op *ir.Op) *ir.Op {
	out := ir.NewOp(op.Kind, c.values(op.Operands), op.Attrs, nil)
	out.Name, out.Loc = op.Name, op.Loc
	for _, r := range op.Results {
		c.copyValue(r, out.AddResult(r.Type))
	}
	for _, r := range op.Regions {
		out.AddRegion(c.block(r))
	}
	return out
}

// block returns a copy of b.
func (c cloner) block(b *ir.Block) *ir.Block {
	out := &ir.Block{}
	for _, a := range b.Args {
		c.copyValue(a, out.AddArg(a.Type))
	}
	for _, op := range b.Ops {
		out.Append(c.op(op))
	}
	return out
}

// copyValue makes to the copy of from.
func (c cloner) copyValue(from, to *ir.Value) {
	to.Name, to.Sharding = from.Name, from.Sharding
	c[from] = to
}

// cloneModule returns a copy of m that shares only what is never changed in
// place: attributes, shardings, meshes.
func cloneModule(m *ir.Module) *ir.Module {
	out := &ir.Module{Name: m.Name, Attrs: m.Attrs, Meshes: slices.Clone(m.Meshes)}
	for _, f := range m.Funcs {
		out.Funcs = append(out.Funcs, &ir.Func{
			Name:     f.Name,
			Private:  f.Private,
			Body:     cloner{}.block(f.Body),
			ArgAttrs: slices.Clone(f.ArgAttrs),
			Results:  slices.Clone(f.Results),
			Attrs:    f.Attrs,
			Loc:      f.Loc,
		})
	}
	return out
}
