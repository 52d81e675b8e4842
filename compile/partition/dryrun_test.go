package partition_test

// This file tests that the work of a search does not grow faster than the program, and does not
// depend on the number of devices; and that an evaluator for a copy of a program has the costs of a
// new one.

import (
	"context"
	"math"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/gospmd/gospmd/compile/autoshard"
	"github.com/gospmd/gospmd/compile/cost"
	"github.com/gospmd/gospmd/compile/partition"
	"github.com/gospmd/gospmd/ir"
	"github.com/gospmd/gospmd/layout"
)

// work returns how many ops a search visits in a model of so many layers on a mesh data×model, and
// how many of these it evaluates.
func work(t *testing.T, layers, data, model int) (visited, evaluated int) {
	m := layersOn(t, layers, data, model)
	e := partition.NewEvaluator(m, m.Meshes[0].Mesh, cost.Default())
	autoshard.Refine(context.Background(), m.Main(), e, nil)
	return e.Work()
}

func TestWorkOfDryRuns(t *testing.T) {
	few, fewEvaluated := work(t, 8, 2, 4)
	many, manyEvaluated := work(t, 64, 2, 4)
	require.Positive(t, fewEvaluated)
	require.LessOrEqual(t, manyEvaluated, fewEvaluated+4, "equal layers are evaluated once")
	require.LessOrEqual(t, many, 10*few, "eight times the layers")

	devices, devicesEvaluated := work(t, 64, 64, 64)
	require.LessOrEqual(t, devices, 3*many, "4096 devices")
	require.LessOrEqual(t, devicesEvaluated, 3*manyEvaluated, "4096 devices")
}

// An evaluator made by For has the same costs as a new evaluator. It does not evaluate ops that are
// equal to ops of the first clone.
func TestEvaluatorFor(t *testing.T) {
	m := layersOn(t, 4, 2, 4)
	first := partition.NewEvaluator(m, m.Meshes[0].Mesh, cost.Default())
	want, _ := first.DryRun(math.MaxInt)
	again := first.For(m.Clone())
	got, _ := again.DryRun(math.MaxInt)
	require.Equal(t, want, got)
	_, evaluated := again.Work()
	require.Less(t, evaluated, 10, "ops with a rule are not evaluated again")

	changed := m.Clone()
	for op := range changed.Main().Body.Ops() {
		if op.Kind == ir.OpTanh {
			op.Result().Sharding = layout.Replicated(m.Meshes[0].Mesh, op.Result().Type.Rank())
		}
	}
	want, _ = partition.NewEvaluator(changed, m.Meshes[0].Mesh, cost.Default()).DryRun(math.MaxInt)
	got, _ = again.For(changed).DryRun(math.MaxInt)
	require.Equal(t, want, got)
}
