package reshard_test

// This file checks plans against the golden files in testdata.
//
// A file starts with prose. Its section problem holds the mesh, the sizes of a
// tensor of 4-byte elements and two layouts as parse reads them; its section
// plan is what go test -update writes there.

import (
	"fmt"
	"math/rand/v2"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/tools/txtar"

	"github.com/gospmd/gospmd/compile/reshard"
	"github.com/gospmd/gospmd/internal/golden"
	"github.com/gospmd/gospmd/mesh"
)

func TestGolden(t *testing.T) {
	golden.Run(t, "testdata/*.txtar", 1, func(t *testing.T, a *txtar.Archive) map[string]string {
		require.Len(t, a.Files, 2, "want the sections problem and plan")
		problem := map[string]string{}
		for line := range strings.Lines(string(a.Files[0].Data)) {
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
		return map[string]string{"plan": fmt.Sprintf("%stotal: %d bytes, at most %d live\n", steps, steps.Bytes(), steps.Live())}
	})
}
