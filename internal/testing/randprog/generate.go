package randprog

// This file defines the generator, and how it finds operands.

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"github.com/gomlx/compute/dtypes"

	"github.com/gospmd/gospmd/ir"
	"github.com/gospmd/gospmd/mesh"
)

// generator builds one program.
type generator struct {
	rng    *rand.Rand
	mesh   *mesh.DeviceMesh
	f      *ir.Func
	b      *ir.Builder
	kinds  []ir.OpKind
	values []*ir.Value           // values that may be operands, newest last
	bound  map[*ir.Value]float64 // the largest absolute integer in a value; infinite: it may hold other numbers
	inside int                   // number of regions around the current op

	anyOrder bool // Options.AnyOrder

	// Of programs for propagation.
	loose   *Propagation   // nil in programs that run
	others  []ir.NamedMesh // beside the mesh of most shardings
	funcs   []*ir.Func     // that calls may call
	grouped *ir.Type       // the type of values in sharding groups
	scope
}

// floats, ints and the others are the element types in use.
var (
	floats    = []dtypes.DType{dtypes.Float32, dtypes.Float32, dtypes.Float32, dtypes.Float64, dtypes.BFloat16, dtypes.Float16}
	ints      = []dtypes.DType{dtypes.Int32, dtypes.Int32, dtypes.Int64, dtypes.Int8, dtypes.Int16, dtypes.Uint8, dtypes.Uint16, dtypes.Uint32, dtypes.Uint64}
	complexes = []dtypes.DType{dtypes.Complex64, dtypes.Complex128}
	allTypes  = slices.Concat([]dtypes.DType{dtypes.Bool}, complexes, floats, ints)
)

// start draws a random mesh of at most that many devices, and begins the function main. If the
// options list no kinds of ops, kinds returns them.
func (g *generator) start(devices int, kinds func() []ir.OpKind) {
	if len(g.kinds) == 0 {
		g.kinds = kinds()
	}
	g.mesh = g.randomMesh(devices)
	g.f = ir.NewFunc("main")
	g.b = ir.NewBuilder(g.f.Body)
}

func pick[T any](g *generator, list []T) T { return list[g.rng.IntN(len(list))] }

// dtype returns one of the element types, mostly f32 in programs for propagation, so that ops find
// operands among the results of others.
func (g *generator) dtype(types []dtypes.DType) dtypes.DType {
	if g.loose != nil && g.rng.IntN(8) > 0 && slices.Contains(types, dtypes.Float32) {
		return dtypes.Float32
	}
	return pick(g, types)
}

// sizes are the sizes of dimensions to choose from. Some divide evenly, some unevenly, and some
// cannot be sharded.
var sizes = []int{1, 1, 2, 3, 4, 4, 5, 6, 7, 8, 8, 9, 12, 16}

// size returns a random size of a dimension. Sometimes it is zero, or the size of an axis, so that
// each device has one index.
func (g *generator) size() int {
	switch g.rng.IntN(24) {
	case 0:
		return 0
	case 1, 2, 3:
		return pick(g, g.mesh.Axes()).Size
	}
	return pick(g, sizes)
}

// dims returns a random shape of min to max dimensions, with at most 1500 elements, or 4096 in
// programs for propagation.
func (g *generator) dims(min, max int) []int {
	for {
		out := make([]int, min+g.rng.IntN(max-min+1))
		size := 1
		for i := range out {
			out[i] = g.size()
			size *= out[i]
		}
		if size <= 1500 || g.loose != nil && size <= 4096 {
			return out
		}
	}
}

// param adds a parameter of type t to the function, with a random layout or none, and to the
// values, and returns it. In a block that sees no values from outside, it adds a constant instead.
func (g *generator) param(t ir.Type) *ir.Value {
	if g.isolated {
		v := g.constant(ir.Splat(t, float64(g.rng.IntN(3))))
		g.values = append(g.values, v)
		return v
	}
	v := g.f.AddParam(fmt.Sprintf("p%d", len(g.f.Params())), t, nil)
	g.shardParam(v)
	g.bound[v] = 8
	g.values = append(g.values, v)
	return v
}

// find returns a value that ok accepts. It tries the newest values first, and skips one third of
// the accepted ones at random. So it may return nil even if ok accepts some value.
func (g *generator) find(ok func(v *ir.Value) bool) *ir.Value {
	for i := len(g.values) - 1; i >= 0; i-- {
		if v := g.values[i]; ok(v) && g.rng.IntN(3) > 0 {
			return v
		}
	}
	return nil
}

// tensor returns a random value of type t, or a new parameter if there is none.
func (g *generator) tensor(t ir.Type) *ir.Value {
	if v := g.find(func(v *ir.Value) bool { return v.Type.Equal(t) }); v != nil {
		return v
	}
	return g.param(t)
}

// exactTensor returns a value of type t that does not depend on the order of
// sums.
func (g *generator) exactTensor(t ir.Type) *ir.Value {
	if v := g.find(func(v *ir.Value) bool { return g.exact(v) && v.Type.Equal(t) }); v != nil {
		return v
	}
	return g.param(t)
}

// any returns a random value of one of the element types, with min to max dimensions and not too
// many elements. If there is none, it adds a parameter.
func (g *generator) any(types []dtypes.DType, min, max int) *ir.Value {
	v := g.find(func(v *ir.Value) bool {
		if v.Type.Rank() < min || v.Type.Rank() > max || v.Type.Size() > 3000 {
			return false
		}
		for _, t := range types {
			if v.Type.DType == t {
				return true
			}
		}
		return false
	})
	if v != nil {
		return v
	}
	return g.param(ir.Tensor(g.dtype(types), g.dims(min, max)...))
}

// exactAny returns a random value as any does, but one that does not depend on the order of sums.
func (g *generator) exactAny(types []dtypes.DType, min, max int) *ir.Value {
	if v := g.any(types, min, max); g.exact(v) {
		return v
	}
	return g.param(ir.Tensor(g.dtype(types), g.dims(min, max)...))
}

// index returns a scalar of a random integer type, to be used as an index. It may be out of range.
func (g *generator) index() *ir.Value {
	return g.exactTensor(ir.Tensor(pick(g, []dtypes.DType{dtypes.Int32, dtypes.Int32, dtypes.Int64, dtypes.Int8})))
}

// constant adds the literal d to the program, and returns its value.
func (g *generator) constant(d *ir.Dense) *ir.Value {
	v := g.b.OpWithTypes(ir.OpConstant, ir.Attrs{{Name: "value", Value: d}}, []ir.Type{d.Type}).Result()
	g.bound[v] = 8
	return v
}

// limits has, for each type, the largest integer n such that all integers up to n are exact.
var limits = map[dtypes.DType]float64{
	dtypes.Float64: 1 << 52, dtypes.Float32: 1 << 23, dtypes.Float16: 1 << 11, dtypes.BFloat16: 1 << 8,
	dtypes.Complex64: 1 << 23, dtypes.Complex128: 1 << 52,
}

// exact reports whether v holds only integers, and is the same for every order of summation.
// Programs for propagation do not run, so all their values count as exact.
func (g *generator) exact(v *ir.Value) bool {
	if g.loose != nil {
		return true
	}
	limit, ok := limits[v.Type.DType]
	return !ok || g.bound[v] <= limit
}

// largest returns the largest bound on the absolute values of elements of vs, at least 1, or
// inexact if the elements of one are not whole numbers.
func (g *generator) largest(vs ...*ir.Value) float64 {
	out := 1.0
	for _, v := range vs {
		out = max(out, g.bound[v])
		if !g.exact(v) {
			return inexact
		}
	}
	return out
}

// inexact is the bound of values that may hold other numbers than integers.
var inexact = math.Inf(1)

// built sets the bounds of the results of op and, outside of regions, adds them to the values that
// later ops may use. It returns op. bound is the largest absolute whole number in the results; if
// an operand is not exact, they are not either.
func (g *generator) built(op *ir.Op, bound float64) *ir.Op {
	for _, v := range op.Operands {
		if !g.exact(v) {
			bound = inexact
		}
	}
	for _, r := range op.Results {
		g.bound[r] = bound
		if g.inside == 0 {
			g.values = append(g.values, r)
		}
	}
	return op
}

// try builds an op of that kind on the operands, whose result types are inferred. It returns nil if
// they do not fit. bound limits the size of its numbers.
func (g *generator) try(kind ir.OpKind, attrs ir.Attrs, bound float64, operands ...*ir.Value) *ir.Op {
	return g.tryRegions(kind, attrs, bound, nil, operands...)
}

func (g *generator) tryRegions(kind ir.OpKind, attrs ir.Attrs, bound float64, regions []*ir.Block, operands ...*ir.Value) *ir.Op {
	op, err := g.b.OpWithRegions(kind, attrs, regions, operands...)
	if err != nil {
		return nil
	}
	return g.built(op, bound)
}

// typed builds an op of that kind on the operands, with the given result types, and adds its
// results to the values. bound is the largest absolute whole number in them.
func (g *generator) typed(kind ir.OpKind, attrs ir.Attrs, bound float64, types []ir.Type, operands ...*ir.Value) *ir.Op {
	return g.built(g.b.OpWithTypes(kind, attrs, types, operands...), bound)
}

// step adds one random op to the current block, and sometimes a sharding constraint of its result.
// In a nested block it may add none, if no kind of op fits.
func (g *generator) step() {
	for range 50 {
		op := makers[pick(g, g.kinds)].draw(g)
		if op == nil {
			continue
		}
		if g.loose != nil {
			g.annotate(op)
			return
		}
		for _, r := range op.Results {
			if g.rng.IntN(4) == 0 && !r.Type.IsToken() {
				g.built(g.constrained(g.b, r), g.bound[r])
			}
		}
		return
	}
	if g.depth == 0 {
		panic("BUG: no maker makes anything")
	}
}

// finish makes the function return the values without uses and some others, and returns the
// program.
func (g *generator) finish(seed uint64) *Program {
	p := &Program{Mesh: g.mesh, Seed: seed}
	var out []*ir.Value
	for _, v := range g.values {
		if v.IsArg() {
			continue
		}
		if !v.HasUses() || g.rng.IntN(3) == 0 {
			out = append(out, v)
			p.Exact = append(p.Exact, g.exact(v))
		}
	}
	g.f.Return(out...)
	g.shardResults()
	p.Module = &ir.Module{Name: "random", Funcs: append([]*ir.Func{g.f}, g.funcs...), Meshes: append([]ir.NamedMesh{{Name: "mesh", Mesh: g.mesh}}, g.others...)}
	return p
}
