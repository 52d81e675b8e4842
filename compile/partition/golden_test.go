package partition_test

// This file compares per-device programs with the golden files in testdata.
//
// A file starts with prose; in.mlir is the program of global shapes, of which
// every value gets a layout as in package compile, and local.mlir what go test
// -update writes: the program of each device.

import (
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/tools/txtar"

	"github.com/gospmd/gospmd/compile/partition"
	"github.com/gospmd/gospmd/ir"
	"github.com/gospmd/gospmd/sharding"
)

var update = flag.Bool("update", false, "write the golden files")

func TestGolden(t *testing.T) {
	files, err := filepath.Glob("testdata/*.txtar")
	require.NoError(t, err)
	require.NotEmpty(t, files, "no golden files")
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".txtar"), func(t *testing.T) {
			archive, err := txtar.ParseFile(file)
			require.NoError(t, err)
			require.NotEmpty(t, archive.Comment, "say what the file shows")
			require.Equal(t, "in.mlir", archive.Files[0].Name)
			text := partitioned(t, string(archive.Files[0].Data)).String()
			require.Equal(t, text, partitioned(t, string(archive.Files[0].Data)).String(), "twice the same")
			if *update {
				archive.Files = append(archive.Files[:1], txtar.File{Name: "local.mlir", Data: []byte(text)})
				require.NoError(t, os.WriteFile(file, txtar.Format(archive), 0o666))
			}
			require.Len(t, archive.Files, 2, "run with -update")
			require.Equal(t, string(archive.Files[1].Data), text)
		})
	}
}

// partitioned returns the per-device form of a program.
func partitioned(t testing.TB, text string) *ir.Module {
	m, err := ir.Parse(text)
	require.NoError(t, err)
	_, err = sharding.Propagate(m, sharding.Options{})
	require.NoError(t, err)
	require.NoError(t, sharding.Complete(m))
	require.NoError(t, ir.Verify(m))
	before := m.String()
	local, err := partition.Module(m, m.Meshes[0].Mesh)
	require.NoError(t, err)
	require.Equal(t, before, m.String(), "Module changed its input")
	require.NoError(t, ir.Verify(local), "%s", local)
	return local
}

func TestEveryKindHasARow(t *testing.T) {
	families := partition.Families()
	for k := range ir.NumOps {
		require.NotEmpty(t, families[k], "%s: give it a rule, or say why it runs on whole tensors", k)
	}
}
