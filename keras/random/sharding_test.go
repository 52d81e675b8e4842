package random_test

// This file shows from the compiled module that random numbers need no
// communication.

import (
	"testing"

	"github.com/gomlx/compute/dtypes"
	"github.com/gomlx/gomlx/core/graph"
	"github.com/stretchr/testify/require"

	"github.com/gospmd/gospmd/compile"
	"github.com/gospmd/gospmd/ir"
	"github.com/gospmd/gospmd/keras/random"
	"github.com/gospmd/gospmd/layout"
	"github.com/gospmd/gospmd/mesh"
	"github.com/gospmd/gospmd/program"
	"github.com/gospmd/gospmd/trace"
)

// moduleOf compiles build for the mesh, its result split over data and model.
func moduleOf(t *testing.T, dm *mesh.DeviceMesh, build func(key *graph.Node) *graph.Node) *program.Program {
	t.Helper()
	module, err := trace.Record("random", dm, func(r *trace.Recorder) ([]trace.Output, error) {
		n := build(r.Param("key", ir.Tensor(dtypes.Uint32, 2), layout.Replicated(dm, 1)))
		want := layout.Replicated(dm, n.Rank())
		want.Dims[0].Axes, want.Dims[1].Axes = mesh.FullAxes("data"), mesh.FullAxes("model")
		return []trace.Output{{Name: "out", Node: n, Sharding: want}}, nil
	})
	require.NoError(t, err)
	program, err := compile.Compile(module, compile.Options{})
	require.NoError(t, err)
	return program
}

// In the program of one device no value is larger than its shard of the result,
// and nothing is communicated.
func TestNothingIsCommunicated(t *testing.T) {
	dm := mesh.MustParse("data=4,model=2")
	shape := []int{8, 6}
	local := 8 * 6 / dm.Size()
	for _, tc := range []struct {
		name  string
		build func(k random.TracedKey) *graph.Node
	}{
		{"bits", func(k random.TracedKey) *graph.Node { return k.Bits(dtypes.Uint32, shape...) }},
		{"uniform", func(k random.TracedKey) *graph.Node { return k.Uniform(dtypes.Float32, -1, 2, shape...) }},
		{"normal", func(k random.TracedKey) *graph.Node { return k.Normal(dtypes.Float32, 0, 1, shape...) }},
		{"truncated", func(k random.TracedKey) *graph.Node { return k.TruncatedNormal(dtypes.BFloat16, 0, 1, shape...) }},
		{"bernoulli", func(k random.TracedKey) *graph.Node { return k.Bernoulli(0.5, shape...) }},
		{"integers", func(k random.TracedKey) *graph.Node { return k.RandInt(dtypes.Int32, 0, 7, shape...) }},
	} {
		t.Run(tc.name, func(t *testing.T) {
			program := moduleOf(t, dm, func(key *graph.Node) *graph.Node { return tc.build(random.Trace(key)) })
			iotas := 0
			program.Module.Main().Walk(func(op *ir.Op) {
				if op.Kind.Info().Traits&ir.Collective != 0 {
					t.Errorf("a collective: %s", op.Kind)
				}
				if op.Kind == ir.OpIota {
					iotas++
				}
				for _, r := range op.Results {
					if r.Type.Size() > local {
						t.Errorf("%s makes a value of type %s, larger than a shard", op.Kind, r.Type)
					}
				}
			})
			require.Positive(t, iotas)
		})
	}
}
