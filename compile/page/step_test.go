package page_test

// This file makes the programs for the tests: training steps of transformers.

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/gomlx/compute/dtypes"
	"github.com/gomlx/gomlx/core/graph"
	"github.com/stretchr/testify/require"

	"github.com/gospmd/gospmd/ir"
	"github.com/gospmd/gospmd/layout"
	"github.com/gospmd/gospmd/mesh"
	"github.com/gospmd/gospmd/trace"
)

const (
	features = 64
	heads    = 4
	words    = 16
	batch    = 8
)

// rules are the axes of the dimensions of weights, by the ends of their names, as Megatron-LM
// shards them. "" does not shard a dimension.
var rules = map[string][]string{
	"query": {"", "model", ""}, "key": {"", "model", ""}, "value": {"", "model", ""}, "out": {"model", "", ""},
	"up/kernel": {"", "model"}, "down/kernel": {"model", ""},
}

// step records a training step for the tests: a trace.Recorder with the mesh, and the names and
// nodes of the weights.
type step struct {
	*trace.Recorder
	mesh    *mesh.DeviceMesh
	names   []string
	weights []*graph.Node
}

func (s *step) weight(name string, dims ...int) *graph.Node {
	sharding := layout.Replicated(s.mesh, len(dims))
	for end, axes := range rules {
		if !strings.HasSuffix(name, end) {
			continue
		}
		for d, axis := range axes {
			if axis != "" {
				sharding.Dims[d].Axes = mesh.FullAxes(axis)
			}
		}
	}
	w := s.Param(name, ir.Tensor(dtypes.Float32, dims...), sharding)
	s.names, s.weights = append(s.names, name), append(s.weights, w)
	return w
}

// layer computes y from x by the function compute, in a scope with this name, so that the ops have
// the layer's path.
func (s *step) layer(name string, x *graph.Node, compute func(x *graph.Node) *graph.Node) (y *graph.Node) {
	s.Scope(name, func() { y = s.Mark(compute(x)) })
	return y
}

// product returns x, of shape [batch, words, features], with its features multiplied by the first
// dimension of the weight w.
func product(x, w *graph.Node) *graph.Node {
	return graph.DotGeneral(x, []int{2}, nil, w, []int{0}, nil)
}

func (s *step) block(name string, x *graph.Node) *graph.Node {
	size := features / heads
	q, k, v := s.weight(name+"_attention/query", features, heads, size), s.weight(name+"_attention/key", features, heads, size), s.weight(name+"_attention/value", features, heads, size)
	out := s.weight(name+"_attention/out", heads, size, features)
	x = s.layer(name+"_attention", x, func(x *graph.Node) *graph.Node {
		score := graph.DivScalar(graph.DotGeneral(product(x, q), []int{3}, []int{0, 2}, product(x, k), []int{3}, []int{0, 2}), math.Sqrt(float64(size)))
		mixed := graph.DotGeneral(graph.Softmax(score), []int{3}, []int{0, 1}, product(x, v), []int{1}, []int{0, 2})
		return graph.Add(x, graph.DotGeneral(mixed, []int{1, 3}, nil, out, []int{0, 1}, nil))
	})
	up, down := s.weight(name+"_up/kernel", features, 4*features), s.weight(name+"_down/kernel", 4*features, features)
	y := s.layer(name+"_up", x, func(x *graph.Node) *graph.Node { return graph.Tanh(product(x, up)) })
	return s.layer(name+"_down", y, func(y *graph.Node) *graph.Node { return graph.Add(x, product(y, down)) })
}

// transformer records the training step of a transformer with that number of blocks, block0,
// block1, …, on the mesh dm. dm must have the axes data, which shards the batch, and model, which
// shards weights.
func transformer(t testing.TB, dm *mesh.DeviceMesh, blocks int) *ir.Module {
	t.Helper()
	m, err := trace.Record("train_step", dm, func(r *trace.Recorder) ([]trace.Output, error) {
		s := &step{Recorder: r, mesh: dm}
		data := layout.Replicated(dm, 3)
		data.Dims[0].Axes = mesh.FullAxes("data")
		input := r.Param("x", ir.Tensor(dtypes.Float32, batch, words, features), data)
		x := input
		for i := range blocks {
			x = s.block(fmt.Sprintf("block%d", i), x)
		}
		loss := s.layer("mse", x, func(x *graph.Node) *graph.Node { return graph.ReduceAllMean(graph.Square(graph.Sub(x, input))) })
		var outputs []trace.Output
		for i, g := range r.Gradient(loss, s.weights...) {
			r.Scope("sgd/"+s.names[i], func() {
				outputs = append(outputs, trace.Output{Name: s.names[i], Node: graph.Sub(s.weights[i], graph.MulScalar(g, .01)), Donor: s.names[i], Sharding: nil})
			})
		}
		return append(outputs, trace.Output{Name: "loss", Node: loss}), nil
	})
	require.NoError(t, err)
	return m
}
