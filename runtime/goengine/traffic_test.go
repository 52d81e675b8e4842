package goengine_test

// This file compares the bytes that the engine counts with those that package
// compile/cost predicts.

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/gospmd/gospmd/compile"
	"github.com/gospmd/gospmd/compile/cost"
	"github.com/gospmd/gospmd/internal/difftest"
	"github.com/gospmd/gospmd/runtime/goengine"
	"github.com/gospmd/gospmd/runtime/goengine/interp"
)

// TestTrafficIsAsPredicted runs random programs on zeros: what a collective
// sends each time does not depend on the values.
func TestTrafficIsAsPredicted(t *testing.T) {
	compared := 0
	for seed := uint64(1); seed <= 400; seed++ {
		random := difftest.New(seed, difftest.Options{})
		p, err := compile.Compile(random.Module, compile.Options{Partitioner: compile.SPMD})
		require.NoError(t, err, "seed %d", seed)
		e, err := goengine.Load(p, goengine.Options{})
		require.NoError(t, err, "seed %d", seed)
		args := make([][]*interp.Tensor, p.Mesh.Size())
		for pos := range args {
			for _, in := range p.Inputs {
				args[pos] = append(args[pos], interp.New(in.Local))
			}
		}
		_, err = e.Run(args)
		require.NoError(t, err, "seed %d", seed)
		for _, sent := range e.Traffic() {
			if sent.Runs > 0 {
				require.Equal(t, sent.Runs*cost.Sent(p.Mesh, sent.Op), sent.Most(), "seed %d: %s\n%s", seed, sent.Op.FullName(), p.Module)
				compared++
			}
		}
	}
	require.Greater(t, compared, 100)
}
