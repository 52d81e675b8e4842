package partition

// This file partitions rng_bit_generator: each device generates the bits of its own elements. The
// index of an element in the global tensor determines the counter that generates it, and which of
// the counter's elements it is, as in XLA on one device. So the bits are the same on every mesh.
//
// See the StableHLO specification, rng_bit_generator; for the order of elements, XLA's
// rng_bit_generator_expander; for the generators, Salmon et al., Parallel Random Numbers: As Easy
// as 1, 2, 3 (2011).

import (
	"slices"

	"github.com/gomlx/compute/dtypes"

	"github.com/gospmd/gospmd/ir"
	"github.com/gospmd/gospmd/layout"
)

// defaultAlgorithm is the algorithm that DEFAULT stands for: XLA's choice for CPUs, here for all
// devices.
const defaultAlgorithm = "PHILOX"

// randomBits partitions op: each device generates the bits in the sharding that they are used in,
// and the new state is replicated. On one device, and for element types and states that this file
// does not implement, op is replicated, with defaultAlgorithm in place of DEFAULT. It returns no
// error.
func (p *partitioner) randomBits(op *ir.Op) error {
	algorithm := op.RngBitGenerator().RngAlgorithm()
	if algorithm == "DEFAULT" {
		algorithm = defaultAlgorithm
	}
	state, out := op.Operands[0], op.Results[1]
	_, ok := bitsOf[out.Type.DType.Bits()]
	if n := state.Type.Dims[0]; !ok || p.mesh.Size() == 1 || state.Type.DType != dtypes.Uint64 || n < 2 || n > 3 {
		return p.replicateWith(op, op.Attrs.With("rng_algorithm", ir.Enum(algorithm)))
	}
	p.reason("every device makes random bits of the full state")
	words := p.get(state, p.replicatedSharding(1))
	g := &bitMaker{builder: p.builder, wide: out.Type.DType.Bits() == 64}
	for i := range words.Type.Dims[0] {
		g.state = append(g.state, p.reshape(p.slice(words, 0, i, i+1), nil))
	}
	order := philoxOrder
	if algorithm == "THREE_FRY" {
		order = threefryOrder
	}
	o := order(g, out.Type.Dims)
	p.define(op.Results[0], o.after(g), p.replicatedSharding(1))
	p.defineRematerialized(out, func(s *layout.Sharding) *ir.Value {
		bits := g.elements(o.runs(p, g, s), o)
		return p.reshape(g.narrow(bits, out.Type.DType), s.LocalShape(out.Type.Dims))
	})
	return nil
}

// bitOrder says which counter generates which elements. The elements of one counter are next to
// each other along a run.
type bitOrder struct {
	dims []int // dimensions of the global tensor; a scalar counts as one element
	per  int   // number of elements that a counter generates
	// runs returns the runs of a shard.
	runs func(p *partitioner, g *bitMaker, s *layout.Sharding) bitRuns
	// outputs returns the random bits that the counters generate, as tensors with the shape of
	// counters. The number of tensors is per.
	outputs func(g *bitMaker, counters *ir.Value) []*ir.Value
	// after returns the state after all elements have been generated.
	after func(g *bitMaker) *ir.Value
}

// bitRuns describes the elements of a shard as runs along dimension axis of a tensor with the given
// dimensions.
type bitRuns struct {
	dims []int
	axis int
	// position of each run's first element. The tensor has size 1 along axis, and dims in the other
	// dimensions
	first   *ir.Value
	aligned bool // all runs begin with the first element of a counter
	// the counter that generates element 0 of the full run in the global tensor; nil: 0
	base   *ir.Value
	stride int // difference between neighbouring counters of a run
}

// elements returns the elements of r in the order o, as a tensor with the dimensions r.dims. It
// generates all elements of the counters, and drops those before the first and after the last
// element of each run.
func (g *bitMaker) elements(r bitRuns, o *bitOrder) *ir.Value {
	size := r.dims[r.axis]
	dims := slices.Clone(r.dims)
	dims[r.axis] = ceilDiv(size, o.per)
	if !r.aligned {
		dims[r.axis] = ceilDiv(size+o.per-1, o.per)
	}
	counters := g.Add(g.spread(g.applyNumber(ir.OpDivide, r.first, o.per), dims), g.iota(dtypes.Uint64, dims, r.axis))
	if r.stride != 1 {
		counters = g.applyNumber(ir.OpMultiply, counters, r.stride)
	}
	if r.base != nil {
		counters = g.Add(counters, g.spread(r.base, dims))
	}
	outputs := o.outputs(g, counters)
	for i := range outputs {
		outputs[i] = g.reshape(outputs[i], slices.Insert(slices.Clone(dims), r.axis+1, 1))
	}
	full := slices.Clone(dims)
	full[r.axis] *= len(outputs)
	all := g.reshape(g.concatenate(r.axis+1, outputs...), full)
	out := g.slice(all, r.axis, 0, size)
	if r.aligned {
		return out
	}
	before := g.applyNumber(ir.OpRemainder, r.first, o.per)
	for n := 1; n < o.per; n++ {
		is := g.spread(g.Compare(before, g.Constant(ir.Splat(before.Type, float64(n))), "EQ"), r.dims)
		out = g.Select(is, g.slice(all, r.axis, n, n+size), out)
	}
	return out
}

// threefryOrder returns the order of Threefry for g, an op that makes a tensor of the dimensions
// dims. A counter generates one element of 64 bits, or two of 32, which are neighbours along the
// first dimension of even size or, if all are odd, along the longest dimension.
func threefryOrder(g *bitMaker, dims []int) *bitOrder {
	if len(dims) == 0 {
		dims = []int{1}
	}
	o := &bitOrder{dims: dims, per: 2}
	axis := slices.IndexFunc(dims, func(d int) bool { return d%2 == 0 })
	if axis < 0 {
		axis = slices.Index(dims, slices.Max(dims))
	}
	if g.wide {
		o.per = 1
	}
	counted := slices.Clone(dims)
	counted[axis] = ceilDiv(counted[axis], o.per)
	strides := stridesOf(counted)
	o.after = func(g *bitMaker) *ir.Value {
		return g.words(g.state[0], g.applyNumber(ir.OpAdd, g.state[1], product(counted)))
	}
	o.runs = func(p *partitioner, g *bitMaker, s *layout.Sharding) bitRuns {
		s = p.oneElementSharding(s)
		r := bitRuns{dims: s.LocalShape(dims), axis: axis, stride: strides[axis]}
		starts := slices.Clone(r.dims)
		starts[axis] = 1
		r.first, r.aligned = g.spread(p.startOf(s, axis, r.dims[axis]), starts), len(s.Dims[axis].Axes) == 0 || r.dims[axis]%o.per == 0
		for d := range dims {
			if d != axis && dims[d] > 1 {
				r.base = p.addTo(r.base, g.applyNumber(ir.OpMultiply, p.wideIndex(starts, s, d), strides[d]))
			}
		}
		return r
	}
	o.outputs = func(g *bitMaker, counters *ir.Value) []*ir.Value {
		counters = g.Add(counters, g.broadcast(g.state[1], counters.Type.Dims))
		k0, k1 := g.halves(g.state[0])
		x0, x1 := g.halves(counters)
		x0, x1 = g.threefry(k0, k1, x0, x1)
		if g.wide {
			return []*ir.Value{g.join(x0, x1)}
		}
		return []*ir.Value{x0, x1}
	}
	return o
}

// philoxOrder returns the order of Philox for g, an op that makes a tensor of the dimensions dims.
// A counter generates four elements of 32 bits or two of 64, which are next to each other in
// row-major order. A run extends over the last sharded dimension and all dimensions after it; over
// all if none is sharded.
func philoxOrder(g *bitMaker, dims []int) *bitOrder {
	if len(dims) == 0 {
		dims = []int{1}
	}
	o := &bitOrder{dims: dims, per: 4}
	if g.wide {
		o.per = 2
	}
	strides := stridesOf(dims)
	o.after = func(g *bitMaker) *ir.Value {
		low, high := g.philoxCounter(g.Constant(ir.Scalar(dtypes.Uint64, float64(ceilDiv(product(dims), o.per)))))
		if len(g.state) == 2 {
			return g.words(g.state[0], low) // the high half of the counter is the key
		}
		return g.words(g.state[0], low, high)
	}
	o.runs = func(p *partitioner, g *bitMaker, s *layout.Sharding) bitRuns {
		s = p.oneElementSharding(s)
		axis := 0
		for d := range dims {
			if len(s.Dims[d].Axes) > 0 {
				axis = d
			}
		}
		local := s.LocalShape(dims)
		starts := append(slices.Clone(local[:axis]), 1)
		r := bitRuns{dims: append(slices.Clone(local[:axis]), product(local[axis:])), axis: axis, stride: 1}
		r.aligned = len(s.Dims[axis].Axes) == 0 || local[axis]*strides[axis]%o.per == 0
		r.first = g.spread(g.applyNumber(ir.OpMultiply, p.startOf(s, axis, local[axis]), strides[axis]), starts)
		for d := range axis {
			r.first = p.addTo(r.first, g.applyNumber(ir.OpMultiply, p.wideIndex(starts, s, d), strides[d]))
			r.aligned = r.aligned && strides[d]%o.per == 0
		}
		return r
	}
	o.outputs = func(g *bitMaker, counters *ir.Value) []*ir.Value {
		k0, k1 := g.halves(g.state[0])
		low, high := g.philoxCounter(counters)
		var x [4]*ir.Value
		x[0], x[1] = g.halves(low)
		x[2], x[3] = g.halves(high)
		x = g.philox(k0, k1, x)
		if g.wide {
			return []*ir.Value{g.join(x[0], x[1]), g.join(x[2], x[3])}
		}
		return x[:]
	}
	return o
}

// philoxCounter returns the 128-bit counter of the state plus n, as two tensors of 64-bit words
// with the shape of n.
func (g *bitMaker) philoxCounter(n *ir.Value) (low, high *ir.Value) {
	dims := n.Type.Dims
	start, top := g.broadcast(g.state[1], dims), g.state[0]
	if len(g.state) > 2 {
		top = g.state[2]
	}
	low = g.Add(start, n)
	carry := g.convert(g.Compare(low, start, "LT"), dtypes.Uint64)
	return low, g.Add(g.broadcast(top, dims), carry)
}

// oneElementSharding returns s or, for a scalar, the sharding of a tensor with one element.
func (p *partitioner) oneElementSharding(s *layout.Sharding) *layout.Sharding {
	if len(s.Dims) == 0 {
		return p.replicatedSharding(1)
	}
	return s
}

// wideIndex returns the global indices, of 64 bits, along dimension d of the elements of a local
// tensor with these dimensions, sharded as s.
func (p *partitioner) wideIndex(local []int, s *layout.Sharding, d int) *ir.Value {
	return p.convert(p.globalIndex(local, s, d), dtypes.Uint64)
}

// startOf returns the first index of this device's shard along dimension d, as a 64-bit number.
// size is the size of the shard.
func (p *partitioner) startOf(s *layout.Sharding, d, size int) *ir.Value {
	if len(s.Dims[d].Axes) == 0 {
		return p.zero(dtypes.Uint64)
	}
	return p.convert(p.times(p.SPMDAxisIndex(s.Dims[d].Axes), size), dtypes.Uint64)
}

// addTo returns sum+v, or v if sum is nil.
func (p *partitioner) addTo(sum, v *ir.Value) *ir.Value {
	if sum == nil {
		return v
	}
	return p.Add(sum, v)
}

// product returns the number of elements of a tensor with these dimensions.
func product(dims []int) int {
	n := 1
	for _, d := range dims {
		n *= d
	}
	return n
}

// stridesOf returns, for each dimension, the distance between neighbours along it, in elements, in
// row-major order.
func stridesOf(dims []int) []int {
	out := make([]int, len(dims))
	n := 1
	for d := len(dims) - 1; d >= 0; d-- {
		out[d] = n
		n *= dims[d]
	}
	return out
}

// bitMaker builds the random bits of one op.
type bitMaker struct {
	*builder
	state []*ir.Value // 64-bit words
	// elements have 64 bits; for others 32 bits are generated, and narrow types keep the low bits
	wide bool
}

// applyNumber applies an element-wise op to x and the number n, and returns the result.
func (g *bitMaker) applyNumber(kind ir.OpKind, x *ir.Value, n int) *ir.Value {
	return g.Build(kind, nil, nil, nil, x, g.Constant(ir.Splat(x.Type, float64(n)))).Result()
}

// spread returns v broadcast to dims. v is a scalar, or has the same rank and size 1 where dims has
// more.
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

// narrow returns elements of dtype that have the low bits of bits, unsigned integers of 32 or 64
// bits. No value is converted: a float has these bits.
func (g *bitMaker) narrow(bits *ir.Value, dtype dtypes.DType) *ir.Value {
	unsigned := bitsOf[dtype.Bits()]
	if n := unsigned.Bits(); n < 32 {
		bits = g.applyNumber(ir.OpAnd, bits, 1<<n-1)
	}
	bits = g.convert(bits, unsigned)
	if dtype == unsigned {
		return bits
	}
	return g.BitcastConvert(bits, bits.Type.WithDType(dtype))
}

// halves returns the low and the high 32 bits of each 64-bit element.
func (g *bitMaker) halves(v *ir.Value) (low, high *ir.Value) {
	return g.convert(g.applyNumber(ir.OpAnd, v, 1<<32-1), dtypes.Uint32), g.convert(g.applyNumber(ir.OpShiftRightLogical, v, 32), dtypes.Uint32)
}

// join returns the 64-bit numbers with these low and high halves.
func (g *bitMaker) join(low, high *ir.Value) *ir.Value {
	high = g.applyNumber(ir.OpShiftLeft, g.convert(high, dtypes.Uint64), 32)
	return g.Or(g.convert(low, dtypes.Uint64), high)
}

// words returns the vector of the words of a state, which are scalars.
func (g *bitMaker) words(state ...*ir.Value) *ir.Value {
	list := make([]*ir.Value, len(state))
	for i, w := range state {
		list[i] = g.reshape(w, []int{1})
	}
	return g.concatenate(0, list...)
}

// threefry returns the two words of Threefry-2x32 with 20 rounds for the counter x0, x1, which may
// have any shape. The key k0, k1 is two scalars. All have 32 bits.
func (g *bitMaker) threefry(k0, k1, x0, x1 *ir.Value) (*ir.Value, *ir.Value) {
	rotations := [2][4]int{{13, 15, 26, 6}, {17, 29, 16, 24}}
	keys := [3]*ir.Value{k0, k1, g.applyNumber(ir.OpXor, g.Xor(k0, k1), 0x1bd11bda)}
	add := func(x, key *ir.Value) *ir.Value { return g.Add(x, g.broadcast(key, x.Type.Dims)) }
	x0, x1 = add(x0, k0), add(x1, k1)
	for round := range 5 {
		for _, n := range rotations[round%2] {
			x0 = g.Add(x0, x1)
			x1 = g.Or(g.applyNumber(ir.OpShiftLeft, x1, n), g.applyNumber(ir.OpShiftRightLogical, x1, 32-n))
			x1 = g.Xor(x0, x1)
		}
		x0 = add(x0, keys[(round+1)%3])
		x1 = add(x1, g.applyNumber(ir.OpAdd, keys[(round+2)%3], round+1))
	}
	return x0, x1
}

// philox returns the four words of Philox-4x32 with 10 rounds for the counter x, four words that
// may have any shape. The key k0, k1 is two scalars. All have 32 bits.
func (g *bitMaker) philox(k0, k1 *ir.Value, x [4]*ir.Value) [4]*ir.Value {
	times := func(x *ir.Value, n int) (low, high *ir.Value) {
		return g.halves(g.applyNumber(ir.OpMultiply, g.convert(x, dtypes.Uint64), n))
	}
	mix := func(a, b, key *ir.Value) *ir.Value {
		return g.Xor(g.Xor(a, b), g.broadcast(key, a.Type.Dims))
	}
	for range 10 {
		l0, h0 := times(x[0], 0xd2511f53)
		l1, h1 := times(x[2], 0xcd9e8d57)
		x = [4]*ir.Value{mix(h1, x[1], k0), l1, mix(h0, x[3], k1), l0}
		k0, k1 = g.applyNumber(ir.OpAdd, k0, 0x9e3779b9), g.applyNumber(ir.OpAdd, k1, 0xbb67ae85)
	}
	return x
}
