package steps_test

// This file writes the models' programs and reads them again.

import (
	"bytes"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/gospmd/gospmd/benchmarks/steps"
	"github.com/gospmd/gospmd/compile"
	"github.com/gospmd/gospmd/program"
	"github.com/gospmd/gospmd/target"
)

// A program that is read has the text of the one that was written: the compilation cache finds
// what XLA compiles by the text.
func TestTextOfRead(t *testing.T) {
	initialize(t)
	for _, m := range slices.Concat(steps.Models, steps.Loops) {
		t.Run(m.Name, func(t *testing.T) {
			recorded, err := m.Record([]int{2, 4})
			require.NoError(t, err)
			want, err := compile.Compile(t.Context(), recorded, compile.Options{Platform: "cpu"})
			require.NoError(t, err)
			var file bytes.Buffer
			require.NoError(t, want.Write(&file))
			got, err := program.Read(bytes.NewReader(file.Bytes()), int64(file.Len()))
			require.NoError(t, err)
			for _, platform := range []string{"cpu", "cuda", "tpu", "goengine"} {
				require.True(t, bytes.Equal(target.Of(platform).Text(want), target.Of(platform).Text(got)), platform)
			}
		})
	}
}
