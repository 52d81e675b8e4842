package reshard_test

// This file checks plans against the golden files in testdata.
//
// A file starts with prose. Its section problem holds the mesh, the sizes of a
// tensor of 4-byte elements and two layouts as parse reads them; its section
// plan is what go test -update writes there.

import (
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/tools/txtar"

	"github.com/gospmd/gospmd/compile/reshard"
	"github.com/gospmd/gospmd/mesh"
)

var update = flag.Bool("update", false, "write the golden files")

func TestGolden(t *testing.T) {
	files, err := filepath.Glob("testdata/*.txtar")
	require.NoError(t, err)
	require.NotEmpty(t, files, "no golden files")
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".txtar"), func(t *testing.T) {
			data, err := os.ReadFile(file)
			require.NoError(t, err)
			archive := txtar.Parse(data)
			require.NotEmpty(t, archive.Comment, "say what the file shows")
			require.Len(t, archive.Files, 2, "want the sections problem and plan")

			problem := map[string]string{}
			for line := range strings.Lines(string(archive.Files[0].Data)) {
				key, value, _ := strings.Cut(strings.TrimSpace(line), " ")
				problem[key] = value
			}
			m := mesh.MustParse(problem["mesh"])
			tensor := reshard.Tensor{ElemSize: 4}
			if text := problem["tensor"]; text != "scalar" {
				for d := range strings.SplitSeq(text, "x") {
					n, err := strconv.Atoi(d)
					require.NoError(t, err)
					tensor.Dims = append(tensor.Dims, n)
				}
			}
			from, to := parse(m, problem["from"]), parse(m, problem["to"])
			steps := plan(t, from, to, tensor)
			require.NoError(t, checkPlan(from, to, tensor, steps, rand.New(rand.NewPCG(1, 1))))
			got := fmt.Sprintf("%stotal: %d bytes, at most %d live\n", steps, steps.Bytes(), steps.Live())
			if *update {
				archive.Files[1].Data = []byte(got)
				require.NoError(t, os.WriteFile(file, txtar.Format(archive), 0o666))
				return
			}
			require.Equal(t, string(archive.Files[1].Data), got)
		})
	}
}
