package main

import (
	"errors"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/gospmd/gospmd/benchmarks/steps"
	"github.com/gospmd/gospmd/compile"
	"github.com/gospmd/gospmd/hardware"
	"github.com/gospmd/gospmd/internal/testing/needs"
	"github.com/gospmd/gospmd/ir"
	"github.com/gospmd/gospmd/keras"
	"github.com/gospmd/gospmd/keras/distribution"
	"github.com/gospmd/gospmd/runtime"
	"github.com/gospmd/gospmd/runtime/aot"
)

// TestBF16 requires that collectives of bf16 values stay in bf16: the programs that the compilers
// for TPUs and GPUs make send some bf16, and no more bytes of f32 than our program does.
func TestBF16(t *testing.T) {
	needs.Cgo(t, runtime.HasPJRT)
	require.NoError(t, distribution.Initialize(t.Context(), distribution.Options{Devices: steps.Devices}))
	require.NoError(t, keras.SetDTypePolicy("mixed_bfloat16"))
	t.Cleanup(func() { require.NoError(t, keras.SetDTypePolicy("float32")) })
	m, err := steps.Perceptrons[1].Record([]int{2, 4})
	require.NoError(t, err)
	p, err := compile.Compile(t.Context(), m, compile.Options{})
	require.NoError(t, err)
	ours := make(map[string]int)
	p.Module.Main().Walk(func(op *ir.Op) {
		if op.Info().Is(ir.Collective | ir.OnMesh) {
			for _, v := range op.Results {
				ours[ir.DTypeText(v.Type.DType)] += v.Type.Bytes()
			}
		}
	})
	require.Positive(t, ours["bf16"], "%v", ours)
	for _, name := range []string{"v5e:2x4", "h100:8"} {
		t.Run(name, func(t *testing.T) {
			on, err := hardware.ParseTarget(name)
			require.NoError(t, err)
			e, err := aot.Compile(t.Context(), p, on, aot.Options{})
			if errors.Is(err, aot.ErrNoPlugin) {
				needs.Plugin(t, on.Chip.Platform, err)
			}
			require.NoError(t, err)
			compiled := make(map[string]int)
			for _, c := range e.Collectives {
				compiled[c.DType] += c.Bytes
			}
			t.Log("ours", ours, "compiled", compiled)
			require.Positive(t, compiled["bf16"])
			require.LessOrEqual(t, compiled["f32"], ours["f32"])
		})
	}
}
