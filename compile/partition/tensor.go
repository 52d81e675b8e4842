package partition

// This file keeps what stands for each value of the global program: the same
// tensor in one or more layouts, made when they are asked for.

import (
	"fmt"
	"slices"

	"github.com/gospmd/gospmd/ir"
)

// tensor is a value of the global program.
type tensor struct {
	typ ir.Type
	op  string      // the name of the op that makes it
	loc ir.Location // of that op
	// remake, where it is not nil, makes the tensor in any layout without
	// communication, as that of a constant.
	remake   func(s *spec) *ir.Value
	versions []version // oldest first
}

// version is a tensor in one layout.
type version struct {
	spec  *spec
	local *ir.Value
	block *ir.Block // where it is defined
}

// define says that local is v, laid out as s.
func (p *partitioner) define(v, local *ir.Value, s *spec) {
	name := "a parameter"
	if v.Def() != nil {
		name = v.Def().FullName()
	}
	p.tensors[v] = &tensor{typ: v.Type, op: name, loc: p.Loc, versions: []version{{s, local, p.Block()}}}
}

// defineAll is define for all results of op.
func (p *partitioner) defineAll(op *ir.Op, locals []*ir.Value, specs []*spec) {
	for i, r := range op.Results {
		p.define(r, locals[i], specs[i])
	}
}

// alias says that v is the same tensor as w.
func (p *partitioner) alias(v, w *ir.Value) { p.tensors[v] = p.tensor(w) }

func (p *partitioner) tensor(v *ir.Value) *tensor {
	t := p.tensors[v]
	if t == nil {
		panic(fmt.Sprintf("BUG: a value of type %s is used before it is partitioned", v.Type))
	}
	return t
}

// visible calls visit for each version that can be used where code is being
// built.
func (p *partitioner) visible(t *tensor, visit func(version)) {
	for _, ver := range t.versions {
		if slices.Contains(p.blocks, ver.block) {
			visit(ver)
		}
	}
}

// get returns v in the wanted layout. What has to be moved for it is moved
// once: later uses find the new version.
func (p *partitioner) get(v *ir.Value, want *spec) *ir.Value {
	t := p.tensor(v)
	if t.typ.IsToken() {
		return t.versions[0].local
	}
	from, way := p.cheapest(t, want)
	if from.spec == want {
		return from.local
	}
	var local *ir.Value
	switch {
	case t.typ.Size() == 0:
		local = p.constant(ir.Splat(p.localType(t.typ, want), 0)) // there is nothing to move
	case from.local == nil:
		local = t.remake(want)
	default:
		local = p.move(t, from, way)
	}
	t.versions = append(t.versions, version{want, local, p.Block()})
	return local
}

// cheapest returns the version of t from which the wanted layout is had for
// the fewest bytes, and the way to it. A version without a value stands for
// one that is to be remade.
func (p *partitioner) cheapest(t *tensor, want *spec) (best version, way plan) {
	found := false
	p.visible(t, func(ver version) {
		if found && best.spec == want {
			return
		}
		w := p.plan(ver.spec, want, t.typ)
		if !found || w.less(way) {
			best, way, found = ver, w, true
		}
	})
	if t.remake != nil && (!found || best.spec != want) {
		return version{}, plan{}
	}
	if !found {
		panic(fmt.Sprintf("BUG: no version of a %s from %s can be seen here", t.typ, t.loc))
	}
	return best, way
}
