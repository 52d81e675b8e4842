package random

// This file implements random numbers that are drawn until one fits, Gamma and Beta, and
// Permutation, as JAX does.

import (
	"fmt"
	"math"

	"github.com/gomlx/compute/dtypes"
	"github.com/gomlx/compute/shapes"
	"github.com/gomlx/gomlx/core/graph"
)

// each returns the n keys that Split makes of k, as one key whose words are vectors of n elements.
func (k TracedKey) each(n int) TracedKey {
	a, b := k.block(k.word(0), graph.Iota(k.words[0].Graph(), shapes.Make(dtypes.Uint32, n), 0))
	return TracedKey{[2]*graph.Node{a, b}}
}

// child returns the i-th of the keys that Split makes of k; of a vector of keys, the i-th for each.
func (k TracedKey) child(i uint32) TracedKey {
	a, b := k.block(k.word(0), k.word(i))
	return TracedKey{[2]*graph.Node{a, b}}
}

// where returns, element by element, the key k where condition is true, and the key other
// elsewhere.
func (k TracedKey) where(condition *graph.Node, other TracedKey) (out TracedKey) {
	for i := range out.words {
		out.words[i] = graph.Where(condition, k.words[i], other.words[i])
	}
	return out
}

// LogGamma returns logarithms of n numbers, float32 [n], of the gamma distribution of a shape
// alpha, a positive float32 scalar: jax.random.loggamma. They agree with JAX's within a few units
// in the last place. No gradient flows to alpha.
func (k TracedKey) LogGamma(alpha *graph.Node, n int) *graph.Node {
	one := graph.OnesLike(alpha)
	large := graph.GreaterOrEqual(alpha, one)
	d := graph.AddScalar(graph.Where(large, alpha, graph.Add(alpha, one)), -float64(float32(1.0/3)))
	keys := k.each(n)
	v := accepted(keys.child(0), d, n)
	// For a shape below 1: the number for the shape plus 1, times a uniform number to the power of
	// 1/shape.
	u := graph.Log1P(graph.Neg(keys.child(1).unit(float32Format, nil)))
	none := graph.LogicalOr(graph.Equal(u, graph.ZerosLike(u)), graph.BroadcastToDims(large, n))
	boost := graph.Where(none, graph.ZerosLike(u), graph.Mul(u, graph.Div(one, alpha)))
	return graph.StopGradient(graph.Add(graph.Add(graph.Log(d), graph.Log(v)), boost))
}

// accepted returns one number for each of the n keys, float32 [n]: n numbers v such that d·v has
// the gamma distribution of the shape d + 1/3. It draws again until a number is accepted (Marsaglia
// and Tsang, A simple method for generating gamma variables, 2000).
func accepted(keys TracedKey, d *graph.Node, n int) *graph.Node {
	g := d.Graph()
	no := graph.BroadcastToDims(graph.Const(g, false), n)
	start := []*graph.Node{keys.words[0], keys.words[1], keys.words[0], keys.words[1], keys.words[0], keys.words[1],
		graph.BroadcastToDims(graph.Const(g, float32(1)), n), no, no, d}
	// The first draw is before the loop, so that its constants are outside of the loop's body:
	// GoMLX makes each constant once.
	start = proposal(start)
	params := func(g *graph.Graph) []*graph.Node {
		in := make([]*graph.Node, len(start))
		for i, x := range start {
			in[i] = graph.Parameter(g, fmt.Sprintf("state%d", i), x.Shape())
		}
		return in
	}
	const result, done = 6, 8
	more := graph.NewClosure(g, func(g *graph.Graph) []*graph.Node {
		return []*graph.Node{graph.LogicalNot(graph.ReduceLogicalAnd(params(g)[done], 0))}
	})
	again := graph.NewClosure(g, func(g *graph.Graph) []*graph.Node { return proposal(params(g)) })
	return graph.While(more, again, start...)[result]
}

// proposal draws once for each key, and returns the next state. state has, in this order and each
// key as two nodes: the key, that of normal and that of uniform numbers, the result, whether only
// the normal number is to be drawn again, whether the result is accepted, and d. Accepted results
// stay.
func proposal(state []*graph.Node) []*graph.Node {
	key := func(i int) TracedKey { return TracedKey{[2]*graph.Node{state[i], state[i+1]}} }
	result, retry, done, d := state[6], state[7], state[8], state[9]
	next := key(0).where(retry, key(0).child(0))
	normals := key(2).where(retry, key(0).child(1))
	uniforms := key(4).where(retry, key(0).child(2))
	f := float32Format
	x := normal(f, normals.child(1).uniform(f, f.aboveMinusOne(), 1, nil))
	normals = normals.child(0)
	one := graph.OnesLike(d)
	c := graph.Div(graph.MulScalar(one, float64(float32(1.0/3))), graph.Sqrt(d))
	v := graph.AddScalar(graph.Mul(x, c), 1)
	low := graph.LessOrEqual(v, graph.ZerosLike(v))
	v, x = graph.Mul(graph.Mul(v, v), v), graph.Mul(x, x)
	u := uniforms.unit(f, nil)
	refused := graph.LogicalAnd(
		graph.GreaterOrEqual(u, graph.OneMinus(graph.MulScalar(graph.Mul(x, x), 0.0331))),
		graph.GreaterOrEqual(graph.Log(u), graph.Add(graph.MulScalar(x, 0.5), graph.Mul(graph.Add(graph.OneMinus(v), graph.Log(v)), d))))
	fits := graph.LogicalAnd(graph.LogicalNot(low), graph.LogicalNot(refused))
	return []*graph.Node{next.words[0], next.words[1], normals.words[0], normals.words[1], uniforms.words[0], uniforms.words[1],
		graph.Where(done, result, v), low, graph.LogicalOr(done, fits), d}
}

// Beta returns n numbers, float32 [n], of the beta distribution whose parameters are both alpha, a
// positive float32 scalar: jax.random.beta. No gradient flows to alpha.
func (k TracedKey) Beta(alpha *graph.Node, n int) *graph.Node {
	keys := k.Split(2)
	a, b := keys[0].LogGamma(alpha, n), keys[1].LogGamma(alpha, n)
	most := graph.Max(a, b)
	a, b = graph.Exp(graph.Sub(a, most)), graph.Exp(graph.Sub(b, most))
	return graph.StopGradient(graph.Div(a, graph.Add(a, b)))
}

// Permutation returns the numbers from 0 to n-1 in random order, a node of int32, [n]: those of
// jax.random.permutation.
func (k TracedKey) Permutation(n int) *graph.Node {
	g := k.words[0].Graph()
	order := graph.Iota(g, shapes.Make(dtypes.Int32, n), 0)
	for range int(math.Ceil(3 * math.Log(float64(max(1, n))) / math.Log(math.MaxUint32))) {
		keys := k.Split(2)
		k = keys[0]
		before := graph.NewClosure(g, func(g *graph.Graph) []*graph.Node {
			word, index := shapes.Make(dtypes.Uint32), shapes.Make(dtypes.Int32)
			a, b := graph.Parameter(g, "a", word), graph.Parameter(g, "b", word)
			graph.Parameter(g, "of_a", index)
			graph.Parameter(g, "of_b", index)
			return []*graph.Node{graph.LessThan(a, b)}
		})
		order = graph.SortFunc(before, 0, true, keys[1].Bits(dtypes.Uint32, n), order)[1]
	}
	return order
}
