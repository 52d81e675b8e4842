package shardypasses_test

// This file runs single passes on the programs of testdata/passes. A file has prose, the program,
// and for each tested pass a section with its name and its result.

import (
	"bytes"
	"encoding/json"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/tools/txtar"

	"github.com/gospmd/gospmd/internal/testing/golden"
	"github.com/gospmd/gospmd/internal/testing/peer"
	"github.com/gospmd/gospmd/ir"
)

func TestPasses(t *testing.T) {
	golden.Run(t, filepath.Join("testdata", "passes", "*.txtar"), 1, func(t *testing.T, a *txtar.Archive) map[string]string {
		got := make(map[string]string)
		for _, f := range a.Files[1:] {
			m, err := ir.Parse(string(a.Files[0].Data))
			require.NoError(t, err)
			require.NoError(t, runPasses(t, m, f.Name))
			got[f.Name] = m.String()
		}
		return got
	})
}

// TestPassesAgree gives Shardy's own passes the inputs of the golden files: the files must hold
// what those passes make of them.
func TestPassesAgree(t *testing.T) {
	python, driver := peer.Python(t, "jaxlib"), peer.Shardy(t, "sdy_oracle.py")
	files, err := filepath.Glob(filepath.Join("testdata", "passes", "*.txtar"))
	require.NoError(t, err)
	var in bytes.Buffer
	enc := json.NewEncoder(&in)
	var names []string
	for _, file := range files {
		a, err := txtar.ParseFile(file)
		require.NoError(t, err)
		for _, f := range a.Files[1:] {
			names = append(names, filepath.Base(file)+": "+f.Name)
			pass := "sdy-" + f.Name
			if f.Name == "canonicalize" { // canonicalize is a pass of MLIR
				pass = f.Name
			}
			require.NoError(t, enc.Encode(oracleCase{Pass: pass, Input: string(a.Files[0].Data), Ours: string(f.Data)}))
		}
	}
	cmd := exec.Command(python, filepath.Join("testdata", "oracle.py"), driver)
	cmd.Stdin = &in
	out, err := cmd.Output()
	require.NoError(t, err)
	lines := strings.Split(strings.TrimSpace(string(out)), "\n")
	require.Len(t, lines, len(names))
	for i, line := range lines {
		require.Equal(t, "ok", line, names[i])
	}
}
