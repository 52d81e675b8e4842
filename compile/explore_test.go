package compile_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/gospmd/gospmd/compile"
	"github.com/gospmd/gospmd/compile/report"
	"github.com/gospmd/gospmd/runtime/runtimetest"
	"github.com/stretchr/testify/require"
)

func TestExplore(t *testing.T) {
	for _, name := range []string{"transformer_2", "transformer_4", "conv_net", "mlp", "batch_norm", "dropout", "scan_grad", "chain", "embedding", "cumulative", "scan", "inference"} {
		m := stepFile(t, name)
		free, err := compile.Compile(t.Context(), m, compile.Options{})
		require.NoError(t, err)
		peak := report.New(free).Memory.Peak
		client := runtimetest.Open(t, free.Mesh.Size())
		exe, err := client.Load(t.Context(), free)
		require.NoError(t, err)
		xf, _ := exe.Memory()
		exe.Close()
		for _, part := range []float64{0.9, 0.7, 0.5} {
			start := time.Now()
			tight, err := compile.Compile(t.Context(), m, compile.Options{MemoryLimit: int(part * float64(peak))})
			took := time.Since(start)
			if err != nil {
				fmt.Println(name, part, took, "NO", err.Error()[:140])
				continue
			}
			exe, err := client.Load(t.Context(), tight)
			require.NoError(t, err)
			x, _ := exe.Memory()
			exe.Close()
			fmt.Printf("%s %v %v limit %d predicted %d xla %d  (free xla %d) xla/limit %.3f added %.3g\n", name, part, took, tight.Fitting.Limit, tight.Fitting.After, x.Required(), xf.Required(), float64(x.Required())/float64(tight.Fitting.Limit), tight.Fitting.Seconds)
		}
	}
}
