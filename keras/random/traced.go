package random

// This file defines TracedKey, a key in a traced function, and the random words
// made of it: Threefry spelled out in element-wise operations on iotas.

import (
	"fmt"

	"github.com/gomlx/compute/dtypes"
	"github.com/gomlx/compute/shapes"
	"github.com/gomlx/gomlx/core/graph"
)

// TracedKey is a Key whose value is known only when the traced function runs.
// Its methods give the numbers that Key's Fill methods give.
//
// Like all functions that build a GoMLX graph they panic, with an error as the
// value, when an argument is wrong; trace.Record returns that as its error.
//
// Every element is computed from the key and its own global index alone, so a
// partitioner may split the results as it likes: numbers do not change, and
// nothing is communicated.
type TracedKey struct {
	words [2]*graph.Node // scalars, uint32
}

// Trace returns the key that a node of type uint32[2] holds.
func Trace(key *graph.Node) TracedKey {
	if key.DType() != dtypes.Uint32 || key.Rank() != 1 || key.Shape().Dim(0) != 2 {
		panic(fmt.Errorf("random: got a key of type %s: want uint32[2]", key.Shape()))
	}
	word := func(i int) *graph.Node { return graph.Reshape(graph.Slice(key, graph.AxisElem(i))) }
	return TracedKey{[2]*graph.Node{word(0), word(1)}}
}

// Node returns the key as a node of type uint32[2].
func (k TracedKey) Node() *graph.Node {
	return graph.Stack([]*graph.Node{k.words[0], k.words[1]}, 0)
}

// Split derives n keys; see Key.Split.
func (k TracedKey) Split(n int) []TracedKey {
	keys := make([]TracedKey, n)
	for i := range keys {
		keys[i] = k.FoldIn(k.word(uint32(i))) // at indices below 2³² the same
	}
	return keys
}

// FoldIn derives a key from this one and a scalar node of type uint32; see
// Key.FoldIn.
func (k TracedKey) FoldIn(data *graph.Node) TracedKey {
	if data.DType() != dtypes.Uint32 || !data.IsScalar() {
		panic(fmt.Errorf("random: FoldIn: got data of type %s: want a scalar uint32", data.Shape()))
	}
	a, b := k.block(k.word(0), data)
	return TracedKey{[2]*graph.Node{a, b}}
}

// Bits returns random words of a dtype: uint8, uint16, uint32 or uint64. See
// Key.FillBits.
func (k TracedKey) Bits(dtype dtypes.DType, dims ...int) *graph.Node {
	switch dtype {
	case dtypes.Uint32:
		return k.words32(dims)
	case dtypes.Uint8, dtypes.Uint16:
		return graph.ConvertDType(k.words32(dims), dtype)
	case dtypes.Uint64:
		return k.words64(dims)
	}
	panic(fmt.Errorf("random: Bits: got dtype %s: want uint8, uint16, uint32 or uint64", dtype))
}

func (k TracedKey) words32(dims []int) *graph.Node {
	a, b := k.at(dims)
	return graph.BitwiseXor(a, b)
}

func (k TracedKey) words64(dims []int) *graph.Node {
	a, b := k.at(dims)
	high := graph.ConvertDType(a, dtypes.Uint64)
	return graph.BitwiseOr(
		graph.BitwiseShiftLeft(high, word(high.Graph(), dtypes.Uint64, 32)),
		graph.ConvertDType(b, dtypes.Uint64))
}

// at returns the two words of every element of a tensor of shape dims.
func (k TracedKey) at(dims []int) (a, b *graph.Node) {
	size := uint64(1)
	for _, d := range dims {
		if d < 0 {
			panic(fmt.Errorf("random: got shape %v: want no negative dimension", dims))
		}
		size *= uint64(d)
	}
	hi, lo := k.word(0), k.word(0)
	if size <= 1<<32 {
		lo = k.index(dtypes.Uint32, dims)
	} else {
		index := k.index(dtypes.Uint64, dims)
		shift := word(index.Graph(), dtypes.Uint64, 32)
		hi = graph.ConvertDType(graph.BitwiseShiftRightLogical(index, shift), dtypes.Uint32)
		lo = graph.ConvertDType(index, dtypes.Uint32)
	}
	a, b = k.block(hi, lo)
	if lo.IsScalar() && len(dims) > 0 {
		a, b = graph.BroadcastToDims(a, dims...), graph.BroadcastToDims(b, dims...)
	}
	return a, b
}

// index returns the global index of every element, a scalar where it is 0 for
// all. One iota per dimension, not one reshaped, leaves every dimension free to
// be split.
func (k TracedKey) index(dtype dtypes.DType, dims []int) *graph.Node {
	g := k.words[0].Graph()
	var sum *graph.Node
	stride := uint64(1)
	for i := len(dims) - 1; i >= 0; i-- {
		if dims[i] != 1 {
			term := graph.Iota(g, shapes.Make(dtype, dims...), i)
			if stride != 1 {
				term = graph.Mul(term, word(g, dtype, stride))
			}
			if sum == nil {
				sum = term
			} else {
				sum = graph.Add(sum, term)
			}
		}
		stride *= uint64(dims[i])
	}
	if sum == nil {
		return word(g, dtype, 0)
	}
	return sum
}

// block is Key.Block, element by element.
func (k TracedKey) block(hi, lo *graph.Node) (a, b *graph.Node) {
	third := graph.BitwiseXor(graph.BitwiseXor(k.words[0], k.words[1]), k.word(parity))
	schedule := [3]*graph.Node{k.words[0], k.words[1], third}
	a, b = graph.Add(hi, schedule[0]), graph.Add(lo, schedule[1])
	for i := 1; i <= 5; i++ {
		for _, r := range rotations[(i-1)%2] {
			a = graph.Add(a, b)
			b = graph.BitwiseXor(k.rotate(b, r), a)
		}
		a = graph.Add(a, schedule[i%3])
		b = graph.Add(b, graph.Add(schedule[(i+1)%3], k.word(uint32(i))))
	}
	return a, b
}

func (k TracedKey) rotate(x *graph.Node, r int) *graph.Node {
	return graph.BitwiseOr(
		graph.BitwiseShiftLeft(x, k.word(uint32(r))),
		graph.BitwiseShiftRightLogical(x, k.word(uint32(32-r))))
}

// word returns a constant of type uint32.
func (k TracedKey) word(w uint32) *graph.Node {
	return word(k.words[0].Graph(), dtypes.Uint32, uint64(w))
}

// word returns an unsigned constant. (graph.Scalar goes through float64, which
// does not hold every word.)
func word(g *graph.Graph, dtype dtypes.DType, w uint64) *graph.Node {
	switch dtype {
	case dtypes.Uint16:
		return graph.Const(g, uint16(w))
	case dtypes.Uint32:
		return graph.Const(g, uint32(w))
	case dtypes.Uint64:
		return graph.Const(g, w)
	}
	panic(fmt.Sprintf("BUG: random words of dtype %s", dtype))
}
