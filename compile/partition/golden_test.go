package partition_test

// This file compares per-device programs with the golden files in testdata.
//
// A file starts with prose. The section in.mlir is the program of global shapes; its values get
// shardings as in package compile. The section local.mlir is the program of each device, written by
// go test -update.

import (
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/tools/txtar"

	"github.com/gospmd/gospmd/compile/cost"
	"github.com/gospmd/gospmd/compile/partition"
	"github.com/gospmd/gospmd/internal/testing/golden"
	"github.com/gospmd/gospmd/ir"
	"github.com/gospmd/gospmd/sharding"
)

func TestGolden(t *testing.T) {
	golden.Run(t, "testdata/*.txtar", 1, func(t *testing.T, a *txtar.Archive) map[string]string {
		require.Equal(t, "in.mlir", a.Files[0].Name)
		require.Len(t, a.Files, 2)
		text := partitionText(t, string(a.Files[0].Data)).String()
		require.Equal(t, text, partitionText(t, string(a.Files[0].Data)).String(), "twice the same")
		return map[string]string{"local.mlir": text}
	})
}

// partitionText returns the per-device form of the module in text, with propagated shardings. The
// test fails on an error, if a module is invalid, and if Module changes its input.
func partitionText(t testing.TB, text string) *ir.Module {
	m, err := ir.Parse(text)
	require.NoError(t, err)
	_, err = sharding.Propagate(m, sharding.Options{})
	require.NoError(t, err)
	require.NoError(t, sharding.Complete(m))
	require.NoError(t, ir.Verify(m))
	before := m.String()
	local, err := partition.Module(m, m.Meshes[0].Mesh, cost.Default())
	require.NoError(t, err)
	require.Equal(t, before, m.String(), "Module changed its input")
	require.NoError(t, ir.Verify(local), "%s", local)
	return local
}

func TestEveryKindHasAnEntry(t *testing.T) {
	families := partition.Families()
	for k := range ir.NumOps {
		require.NotEmpty(t, families[k], "%s: give it a rule, or say why it is replicated", k)
	}
}
