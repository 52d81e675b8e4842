package compile_test

// This file writes the programs of the golden files to files, and reads them again.

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/tools/txtar"

	"github.com/gospmd/gospmd/compile"
	"github.com/gospmd/gospmd/compile/cost"
	"github.com/gospmd/gospmd/compile/report"
	"github.com/gospmd/gospmd/hardware"
	"github.com/gospmd/gospmd/ir"
	"github.com/gospmd/gospmd/program"
	"github.com/gospmd/gospmd/target"
)

// A program that is read is equal to the program that was written: its module, its texts for
// engines of each platform and each process, its report, and the file if it is written again.
func TestProgramFiles(t *testing.T) {
	compared := 0
	for name, text := range goldenModules(t) {
		for _, by := range []compile.Partitioner{compile.SPMD, compile.XLA} {
			m, err := ir.Parse(text)
			require.NoError(t, err)
			want, err := compile.Compile(t.Context(), m, compile.Options{Partitioner: by})
			if err != nil {
				continue // the module has errors
			}
			compared++
			t.Run(name+"/"+want.Form.String(), func(t *testing.T) { requireReadAgain(t, want) })
		}
	}
	require.Greater(t, compared, 40)
}

// A program that is read has the same cost as the program that was written, on every machine. The
// modules are those of JAX and those that random tests have found.
func TestReadAgainPredictsAlike(t *testing.T) {
	compared := 0
	for _, pattern := range []string{"../internal/testing/difftest/testdata/*.mlir", "../cmd/gospmd/testdata/jax/*.mlir", "../ir/testdata/jax/*.mlir", "testdata/jax/*.mlir"} {
		files, err := filepath.Glob(pattern)
		require.NoError(t, err)
		require.NotEmpty(t, files, pattern)
		for _, file := range files {
			for _, platform := range []string{hardware.TPU, hardware.CUDA} {
				m, err := ir.ParseFile(file)
				require.NoError(t, err)
				want, err := compile.Compile(t.Context(), m, compile.Options{Platform: platform})
				if err != nil {
					continue // it has no main, or is for another test
				}
				compared++
				t.Run(file+"/"+platform, func(t *testing.T) { requireReadAgain(t, want) })
			}
		}
	}
	require.Greater(t, compared, 40)
}

// goldenModules returns the texts of the modules of the golden files, by the path of the file.
// Files of single passes have none.
func goldenModules(t testing.TB) map[string]string {
	out := map[string]string{}
	for _, pattern := range []string{"testdata/*.txtar", "testdata/spmd/*.txtar"} {
		files, err := filepath.Glob(pattern)
		require.NoError(t, err)
		for _, file := range files {
			data, err := os.ReadFile(file)
			require.NoError(t, err)
			if a := txtar.Parse(data); a.Files[0].Name == "in.mlir" {
				out[file] = string(a.Files[0].Data)
			}
		}
	}
	return out
}

func requireReadAgain(t *testing.T, want *program.Program) {
	var file, again bytes.Buffer
	require.NoError(t, want.Write(&file))
	got, err := program.Read(bytes.NewReader(file.Bytes()), int64(file.Len()))
	require.NoError(t, err)
	require.NoError(t, got.Write(&again))
	require.True(t, bytes.Equal(file.Bytes(), again.Bytes()), "written again, the file differs")
	located := ir.PrintOptions{Locations: true}
	require.Equal(t, string(want.Module.Text(located)), string(got.Module.Text(located)))
	require.Equal(t, want.String(), got.String())
	require.Equal(t, want.Overrides, got.Overrides)
	require.JSONEq(t, jsonOf(t, report.New(want)), jsonOf(t, report.New(got)))
	require.Equal(t, report.New(want).String(), report.New(got).String())
	for _, name := range []string{"v5e:16x16", "h100:32x8"} {
		on, err := hardware.ParseTarget(name)
		require.NoError(t, err)
		machine, err := cost.MachineFor(on, want.Mesh)
		require.NoError(t, err)
		require.JSONEq(t, jsonOf(t, report.NewFor(want, machine)), jsonOf(t, report.NewFor(got, machine)), name)
	}
	for _, platform := range []string{"cpu", "cuda", "tpu", "goengine"} {
		require.Equal(t, string(target.Of(platform).Text(want)), string(target.Of(platform).Text(got)), platform)
	}
	require.Equal(t, target.Share(want), target.Share(got))
	if n := want.Mesh.Size(); n > 1 && want.Form == program.PerDevice {
		at := &program.Placement{Process: make([]int, n)}
		at.Process[n-1] = 1
		for at.Self = range 2 {
			wantText, wantCalls := target.LocalText(want, at, 3)
			gotText, gotCalls := target.LocalText(got, at, 3)
			require.Equal(t, string(wantText), string(gotText))
			require.Len(t, gotCalls, len(wantCalls))
		}
	}
}

func jsonOf(t *testing.T, v any) string {
	text, err := json.Marshal(v)
	require.NoError(t, err)
	return string(text)
}
