package partition

// This file builds the functions that make random bits of counters.
//
// See Salmon et al., Parallel Random Numbers: As Easy as 1, 2, 3 (2011).

import (
	"slices"

	"github.com/gomlx/compute/dtypes"

	"github.com/gospmd/gospmd/ir"
)

// bitMaker builds bits of a state.
type bitMaker struct {
	*builder
	state []*ir.Value // words of 64 bits
	wide  bool        // whether elements have 64 bits; others have 32, or the low ones of them
}

// with applies an op to x and a number.
func (g *bitMaker) with(kind ir.OpKind, x *ir.Value, n int) *ir.Value {
	return g.Build(kind, nil, nil, nil, x, g.Constant(ir.Splat(x.Type, float64(n)))).Result()
}

// spread repeats v, which has size 1 where dims has more.
func (g *bitMaker) spread(v *ir.Value, dims []int) *ir.Value {
	if slices.Equal(v.Type.Dims, dims) {
		return v
	}
	if v.Type.Rank() == 0 {
		return g.broadcast(v, dims)
	}
	all := make(ir.Ints, len(dims))
	for d := range all {
		all[d] = d
	}
	return g.BroadcastInDim(v, all, v.Type.WithDims(dims))
}

// narrow makes bits of 32 or 64 elements of a type.
func (g *bitMaker) narrow(bits *ir.Value, dtype dtypes.DType) *ir.Value {
	unsigned := bitsOf[dtype.Bits()]
	if n := unsigned.Bits(); n < 32 {
		bits = g.with(ir.OpAnd, bits, 1<<n-1)
	}
	bits = g.convert(bits, unsigned)
	if dtype == unsigned {
		return bits
	}
	return g.BitcastConvert(bits, bits.Type.WithDType(dtype))
}

// halves returns the low and the high 32 bits of 64.
func (g *bitMaker) halves(v *ir.Value) (low, high *ir.Value) {
	return g.convert(g.with(ir.OpAnd, v, 1<<32-1), dtypes.Uint32), g.convert(g.with(ir.OpShiftRightLogical, v, 32), dtypes.Uint32)
}

// joined is the inverse of halves.
func (g *bitMaker) joined(low, high *ir.Value) *ir.Value {
	high = g.with(ir.OpShiftLeft, g.convert(high, dtypes.Uint64), 32)
	return g.Or(g.convert(low, dtypes.Uint64), high)
}

// words joins a state.
func (g *bitMaker) words(state ...*ir.Value) *ir.Value {
	list := make([]*ir.Value, len(state))
	for i, w := range state {
		list[i] = g.reshape(w, []int{1})
	}
	return g.concatenate(0, list...)
}

// threefry is Threefry-2x32 with 20 rounds, of a scalar key and any x.
func (g *bitMaker) threefry(k0, k1, x0, x1 *ir.Value) (*ir.Value, *ir.Value) {
	rotations := [2][4]int{{13, 15, 26, 6}, {17, 29, 16, 24}}
	keys := [3]*ir.Value{k0, k1, g.with(ir.OpXor, g.Xor(k0, k1), 0x1bd11bda)}
	add := func(x, key *ir.Value) *ir.Value { return g.Add(x, g.broadcast(key, x.Type.Dims)) }
	x0, x1 = add(x0, k0), add(x1, k1)
	for round := range 5 {
		for _, n := range rotations[round%2] {
			x0 = g.Add(x0, x1)
			x1 = g.Or(g.with(ir.OpShiftLeft, x1, n), g.with(ir.OpShiftRightLogical, x1, 32-n))
			x1 = g.Xor(x0, x1)
		}
		x0 = add(x0, keys[(round+1)%3])
		x1 = add(x1, g.with(ir.OpAdd, keys[(round+2)%3], round+1))
	}
	return x0, x1
}

// philox is Philox-4x32 with 10 rounds, of a scalar key and any x.
func (g *bitMaker) philox(k0, k1 *ir.Value, x [4]*ir.Value) [4]*ir.Value {
	times := func(x *ir.Value, n int) (low, high *ir.Value) {
		return g.halves(g.with(ir.OpMultiply, g.convert(x, dtypes.Uint64), n))
	}
	mix := func(a, b, key *ir.Value) *ir.Value {
		return g.Xor(g.Xor(a, b), g.broadcast(key, a.Type.Dims))
	}
	for range 10 {
		l0, h0 := times(x[0], 0xd2511f53)
		l1, h1 := times(x[2], 0xcd9e8d57)
		x = [4]*ir.Value{mix(h1, x[1], k0), l1, mix(h0, x[3], k1), l0}
		k0, k1 = g.with(ir.OpAdd, k0, 0x9e3779b9), g.with(ir.OpAdd, k1, 0xbb67ae85)
	}
	return x
}
