package runtime_test

// This file checks that a program with a custom call that no engine computes is refused by Load,
// with an error of gospmd's, not of XLA's.

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/gospmd/gospmd/compile"
	"github.com/gospmd/gospmd/ir"
	"github.com/gospmd/gospmd/runtime"
)

func TestUnknownCustomCalls(t *testing.T) {
	engines := []string{runtime.EngineGo}
	if runtime.HasPJRT {
		engines = append(engines, runtime.EnginePJRT)
	}
	for _, engine := range engines {
		client, err := runtime.Open(t.Context(), runtime.Options{Platform: "cpu", Devices: 1, Engine: engine})
		require.NoError(t, err)
		t.Cleanup(func() { require.NoError(t, client.Close()) })
		for target, way := range map[string]string{
			"xla_ffi_python_cpu_callback": "calls Python", "Eigh": "export the program for the CPU", "cpu_csr_sparse_dense_ffi": "dense", "my_kernel": "ordinary ops",
		} {
			for _, version := range []string{"1", "2", "4"} {
				if version == "4" || engine == runtime.EngineGo || target == "my_kernel" {
					m, err := ir.Parse(strings.NewReplacer("TARGET", target, "VERSION", version).Replace(`func.func @main(%x: tensor<4x4xf32>) -> tensor<4x4xf32> {
	%0 = stablehlo.custom_call @TARGET(%x) {api_version = VERSION : i32} : (tensor<4x4xf32>) -> tensor<4x4xf32> loc("solver"("net.py":7:1))
	return %0 : tensor<4x4xf32>
}`))
					require.NoError(t, err)
					p, err := compile.Compile(t.Context(), m, compile.Options{})
					require.NoError(t, err)
					_, err = client.Load(t.Context(), p)
					require.Error(t, err, "%s on %s", target, engine)
					for _, part := range []string{"stablehlo.custom_call at solver (net.py:7)", target, way} {
						require.Contains(t, err.Error(), part, "api version %s on %s", version, engine)
					}
					require.NotContains(t, err.Error(), "FFI handler")
				}
			}
		}
	}
}
