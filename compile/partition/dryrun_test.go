package partition_test

// This file tests that the work of a search does not grow faster than the program,
// nor with the number of devices.

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/gospmd/gospmd/compile/autoshard"
	"github.com/gospmd/gospmd/compile/cost"
	"github.com/gospmd/gospmd/compile/partition"
)

// work returns how many ops a search looks at, and of how many it finds the outcome.
func work(t *testing.T, layers, data, model int) (visited, evaluated int) {
	m := layersOn(t, layers, data, model)
	e := partition.NewEvaluator(m, m.Meshes[0].Mesh, cost.Default())
	autoshard.Refine(m.Main(), e, nil)
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
