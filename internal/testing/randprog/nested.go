package randprog

// This file makes blocks of random ops, and the functions that calls call: for programs that are
// propagated.

import (
	"fmt"
	"slices"

	"github.com/gomlx/compute/dtypes"

	"github.com/gospmd/gospmd/ir"
)

// scope has what the generator knows of the block that it fills, in programs for propagation.
type scope struct {
	depth    int      // how many blocks are around it
	isolated bool     // nothing from outside of the block may be used
	inFunc   bool     // the block is in a function that main calls
	manual   []string // axes that shardings in the block must not name
}

// maxDepth is how deep blocks may stand in each other.
const maxDepth = 3

// nested returns a generator that appends ops to block b, with the block's arguments as values.
// Unless isolated is true, it also uses the values of g.
func (g *generator) nested(b *ir.Block, isolated bool) *generator {
	q := *g
	q.b, q.depth, q.isolated = ir.NewBuilder(b), g.depth+1, g.isolated || isolated
	q.values = nil
	if !isolated {
		q.values = slices.Clone(g.values)
	}
	for _, a := range b.Args {
		q.bound[a] = 8
		q.values = append(q.values, a)
	}
	return &q
}

// fill appends up to two random ops to the generator's block. Then it ends the block by an op of
// the kind end. That op returns for each type in types the newest value of that type, or a new
// constant of ones if there is none, and then the values further.
func (g *generator) fill(end ir.OpKind, further []*ir.Value, types ...ir.Type) {
	for range g.rng.IntN(3) {
		g.step()
	}
	var out []*ir.Value
	for _, t := range types {
		var found *ir.Value
		for _, v := range g.values {
			if v.Type.Equal(t) {
				found = v
			}
		}
		if found == nil {
			found = g.constant(ir.Splat(t, 1))
		}
		out = append(out, found)
	}
	g.b.Insert(ir.NewOp(end, append(out, further...), nil, nil))
}

// addFuncs adds up to three private functions that calls may call, if g.loose.Calls is set.
func (g *generator) addFuncs() {
	for g.loose.Calls && len(g.funcs) < 3 && g.rng.IntN(2) == 0 {
		f := ir.NewFunc(fmt.Sprintf("f%d", len(g.funcs)))
		f.Private = true
		t := ir.Tensor(dtypes.Float32, g.dims(1, 2)...)
		f.AddParam("", t, g.sometimes(5, t.Rank()))
		q := *g
		q.f, q.inFunc = f, true
		q.nested(f.Body, true).fill(ir.OpFuncReturn, nil, t)
		f.Results = []ir.FuncResult{{Type: t, Sharding: g.sometimes(5, t.Rank())}}
		g.funcs = append(g.funcs, f)
	}
}
