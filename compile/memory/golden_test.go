package memory_test

// This file compares what Apply does with the golden files in testdata. A file starts with prose,
// the line "platform:" with that of the devices, and lines "policy:" with a key and an action. With
// the line "gathers: in loops", it has what GathersInLoops does. The section in.mlir is the function
// before, and out.mlir the one after.

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/tools/txtar"

	"github.com/gospmd/gospmd/compile/cost"
	"github.com/gospmd/gospmd/compile/memory"
	"github.com/gospmd/gospmd/internal/testing/golden"
	"github.com/gospmd/gospmd/ir"
	"github.com/gospmd/gospmd/mesh"
	"github.com/gospmd/gospmd/program"
	"github.com/gospmd/gospmd/target"
)

func TestGolden(t *testing.T) {
	golden.Run(t, "testdata/*.txtar", 1, func(t *testing.T, a *txtar.Archive) map[string]string {
		require.Equal(t, "in.mlir", a.Files[0].Name)
		m, err := ir.Parse(string(a.Files[0].Data))
		require.NoError(t, err)
		machine := *cost.Default()
		o := memory.Options{Machine: &machine, Mesh: mesh.MustParse("x=2"), Donated: func(int) int { return -1 }, Policies: memory.NewPolicies()}
		gathers := false
		for line := range strings.Lines(string(a.Comment)) {
			name, value, _ := strings.Cut(strings.TrimSpace(line), ": ")
			switch name {
			case "platform":
				machine.Platform = value
				on := target.Of(value)
				o.KeepsBarriers, o.HostMemory = !on.Has(target.DropsBarriers), on.HostMemory
			case "gathers":
				gathers = true
			case "policy":
				key, action, _ := strings.Cut(value, " ")
				require.NoError(t, o.Policies.Set(key, program.Action(action)))
			}
		}
		if gathers {
			text := memory.GathersInLoops(m.Main(), o).String() + "\n"
			again, err := ir.Parse(text)
			require.NoError(t, err)
			again.Main().Walk(func(op *ir.Op) { require.Equal(t, op.Kind == ir.OpWhile, op.KeepsInvariants()) })
			return map[string]string{"out.mlir": text}
		}
		f, _, err := memory.Apply(m.Main(), o)
		require.NoError(t, err)
		return map[string]string{"out.mlir": f.String() + "\n"}
	})
}
