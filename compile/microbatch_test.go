package compile_test

// This file tests steps that compute their batch in parts (Options.MicroBatches).

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/gospmd/gospmd/compile"
	"github.com/gospmd/gospmd/compile/report"
	"github.com/gospmd/gospmd/internal/testing/runtimetest"
)

// A step that is computed in micro-batches computes the same, and takes less memory.
func TestMicroBatches(t *testing.T) {
	for _, f := range fitting {
		for _, n := range []int{2, 4} {
			t.Run(fmt.Sprint(f.name, " ", n), func(t *testing.T) {
				m := stepFile(t, f.name)
				whole, err := compile.Compile(t.Context(), m, compile.Options{})
				require.NoError(t, err)
				parts, err := compile.Compile(t.Context(), m, compile.Options{MicroBatches: n})
				require.NoError(t, err)
				t.Logf("%s: peak %d whole, %d in %d parts", whole.Mesh, report.New(whole).Memory.Peak, report.New(parts).Memory.Peak, n)

				client := runtimetest.Open(t, whole.Mesh.Size())
				inputs := numbersFor(whole)
				requireClose(t, runOn(t, client, whole, inputs), runOn(t, client, parts, inputs))
			})
		}
	}
}
