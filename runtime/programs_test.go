package runtime_test

// This file holds the programs that the tests run.

import (
	"context"
	"math/rand/v2"
	"testing"

	"github.com/gomlx/compute/dtypes"
	"github.com/gomlx/gomlx/core/graph"
	"github.com/stretchr/testify/require"

	"github.com/gospmd/gospmd/compile"
	"github.com/gospmd/gospmd/ir"
	"github.com/gospmd/gospmd/layout"
	"github.com/gospmd/gospmd/mesh"
	"github.com/gospmd/gospmd/program"
	"github.com/gospmd/gospmd/runtime"
	"github.com/gospmd/gospmd/trace"
)

// split returns the closed sharding that splits dimension i over axes[i], ""
// meaning not at all.
func split(m *mesh.DeviceMesh, axes ...string) *layout.Sharding {
	s := layout.Replicated(m, len(axes))
	for i, a := range axes {
		if a != "" {
			s.Dims[i].Axes = mesh.FullAxes(a)
		}
	}
	return s
}

// parse compiles a module's text.
func parse(t testing.TB, text string) *program.Program {
	m, err := ir.Parse(text)
	require.NoError(t, err)
	p, err := compile.Compile(m, compile.Options{})
	require.NoError(t, err)
	return p
}

// mlp is a data-parallel training step of a two-layer perceptron: inputs w1,
// w2, x, y; outputs the new w1 and w2 and the loss. dm has an axis "data", or
// is nil for one device.
type mlp struct {
	batch, in, hidden, out int
	donate                 bool
	rate                   float64
}

func (s mlp) compile(t testing.TB, dm *mesh.DeviceMesh) *program.Program {
	m, err := trace.Record("train", dm, func(r *trace.Recorder) ([]trace.Output, error) {
		var whole, byBatch *layout.Sharding
		if dm != nil {
			whole, byBatch = split(dm, "", ""), split(dm, "data", "")
		}
		param := func(name string, s *layout.Sharding, dims ...int) *graph.Node {
			return r.Param(name, ir.Tensor(dtypes.Float32, dims...), s)
		}
		w1, w2 := param("w1", whole, s.in, s.hidden), param("w2", whole, s.hidden, s.out)
		x, y := param("x", byBatch, s.batch, s.in), param("y", byBatch, s.batch, s.out)
		hidden := graph.Tanh(graph.Dot(x, w1).Product())
		loss := graph.ReduceAllMean(graph.Square(graph.Sub(graph.Dot(hidden, w2).Product(), y)))
		grads := r.Gradient(loss, w1, w2)
		outputs := []trace.Output{
			{Name: "w1'", Node: graph.Sub(w1, graph.MulScalar(grads[0], s.rate)), Sharding: whole},
			{Name: "w2'", Node: graph.Sub(w2, graph.MulScalar(grads[1], s.rate)), Sharding: whole},
			{Name: "loss", Node: loss},
		}
		if s.donate {
			outputs[0].Donor, outputs[1].Donor = "w1", "w2"
		}
		return outputs, nil
	})
	require.NoError(t, err)
	p, err := compile.Compile(m, compile.Options{})
	require.NoError(t, err)
	return p
}

// losses trains for some steps from weights and data of a seed and returns the
// loss of each. Old weights are freed, or donated, each step.
func (s mlp) losses(t testing.TB, c *runtime.Client, e *runtime.Executable, steps int, seed uint64) []float32 {
	rng := rand.New(rand.NewPCG(seed, 1))
	args := make([]*runtime.Array, 4)
	for i, in := range e.Program().Inputs {
		flat := make([]float32, in.Type.Size())
		for k := range flat {
			flat[k] = float32(rng.NormFloat64()) / 2
		}
		var err error
		args[i], err = c.Put(in.Type, in.Sharding, flat)
		require.NoError(t, err)
	}
	out := make([]float32, steps)
	for i := range out {
		r, err := e.Run(args...)
		require.NoError(t, err)
		args[0].Release()
		args[1].Release()
		args[0], args[1] = r[0], r[1]
		out[i] = value(t, r[2])
		r[2].Release()
	}
	for _, a := range args {
		a.Release()
	}
	return out
}

// load is Client.Load, undone at the end of the test.
func load(t testing.TB, c *runtime.Client, p *program.Program) *runtime.Executable {
	e, err := c.Load(context.Background(), p)
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, e.Close()) })
	return e
}

// value returns the only element of a scalar.
func value(t testing.TB, a *runtime.Array) float32 {
	flat, err := runtime.Values[float32](context.Background(), a)
	require.NoError(t, err)
	return flat[0]
}
