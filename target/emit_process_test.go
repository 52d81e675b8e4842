package target_test

// This file compares the modules of the processes of a job with the golden files in
// testdata/processes.
//
// A file starts with prose. Its last line says which process the device of each position is in:
// "processes: 0 0 1 1". The section local.mlir is a per-device module, and "process N" is the
// module of process N, with its crossings.

import (
	"fmt"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/tools/txtar"

	"github.com/gospmd/gospmd/internal/testing/golden"
	"github.com/gospmd/gospmd/ir"
	"github.com/gospmd/gospmd/program"
	"github.com/gospmd/gospmd/target"
)

func TestGoldenProcesses(t *testing.T) {
	golden.Run(t, "testdata/processes/*.txtar", 1, func(t *testing.T, a *txtar.Archive) map[string]string {
		require.Equal(t, "local.mlir", a.Files[0].Name)
		m, err := ir.Parse(string(a.Files[0].Data))
		require.NoError(t, err)
		require.NoError(t, ir.Verify(m))
		_, list, ok := strings.Cut(string(a.Comment), "\nprocesses: ")
		require.True(t, ok, "say which process each device is in")
		at := &program.Placement{}
		for _, word := range strings.Fields(list) {
			process, err := strconv.Atoi(word)
			require.NoError(t, err)
			at.Process = append(at.Process, process)
		}
		require.Len(t, at.Process, m.Meshes[0].Mesh.Size())
		got := map[string]string{}
		for _, process := range at.Processes() {
			at.Self = process
			got[fmt.Sprint("process ", process)] = processModule(t, m, at)
		}
		return got
	})
}

// processModule returns the text of the module that one process of the placement gets, preceded by
// its crossings. It checks that emit leaves m as it is, and that the module calls the crossings.
func processModule(t *testing.T, m *ir.Module, at *program.Placement) string {
	before := m.String()
	out, crossings := target.Emit(m, at, 7)
	require.Equal(t, before, m.String(), "emit changed its input")
	require.NoError(t, ir.Verify(out))
	var b strings.Builder
	for _, c := range crossings {
		fmt.Fprintf(&b, "// channel %d: %s", c.Channel, c.Op.Info().Name)
		if c.Summed {
			b.WriteString(", summed")
		}
		b.WriteByte('\n')
	}
	require.Equal(t, crossings, calls(t, m, out, crossings))
	b.WriteString(out.String())
	return b.String()
}

// calls checks that the module local calls each crossing once, with operands and results of the
// shapes of its op in m. It returns the crossings in the order of their calls.
func calls(t *testing.T, m, local *ir.Module, crossings []target.Crossing) (out []target.Crossing) {
	for _, f := range local.Funcs {
		f.Walk(func(op *ir.Op) {
			if op.Kind != ir.OpCustomCall || op.CustomCall().CallTargetName() != target.CrossingCall {
				return
			}
			c := crossings[len(out)]
			require.Equal(t, len(c.Op.Results)+1, len(op.Results))
			require.Equal(t, len(c.Op.Operands)+1, len(op.Operands))
			for i, r := range op.Results[:len(c.Op.Results)] {
				require.Equal(t, c.Op.Results[i].Type.Dims, r.Type.Dims)
				require.Equal(t, c.Op.Results[i].Type.DType.Size(), r.Type.DType.Size())
				require.Equal(t, c.Op.Operands[i].Type.Dims, op.Operands[i].Type.Dims)
			}
			out = append(out, c)
		})
	}
	return out
}
