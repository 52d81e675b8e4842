package gomlxbackend_test

// This file runs GoMLX's tests and benchmarks for backends.

import (
	"flag"
	"testing"

	"github.com/gomlx/compute"
	"github.com/gomlx/compute/support/backendtest"
	"github.com/stretchr/testify/require"

	"github.com/gospmd/gospmd/gomlxbackend"
	"github.com/gospmd/gospmd/internal/testing/longtest"
	"github.com/gospmd/gospmd/internal/testing/needs"
	"github.com/gospmd/gospmd/internal/testing/runtimetest"
	"github.com/gospmd/gospmd/runtime"
)

func init() { runtimetest.CompileQuickly() }

var (
	engines = []string{"pjrt", "go"}
	meshes  = []string{"mesh=single", "mesh=2x4", "mesh=3x2"}
)

// TestConformance runs GoMLX's tests. The short form has one mesh. On XLA those of products stay
// out there, since XLA computes the largest while it compiles.
func TestConformance(t *testing.T) {
	for _, engine := range engines {
		for _, mesh := range longtest.Pick(meshes[1:2], meshes) {
			t.Run(engine+" "+mesh, func(t *testing.T) {
				b := openBackend(t, engine, mesh)
				if engine == "go" || longtest.Enabled() {
					backendtest.RunAll(t, b, nil)
					return
				}
				backendtest.TestBinaryOps(t, b)
				backendtest.TestUnaryOps(t, b)
				backendtest.TestConvertDType(t, b)
				backendtest.TestBitcast(t, b)
				backendtest.TestExec(t, b)
				backendtest.TestFunctions(t, b)
				backendtest.TestConvGeneral(t, b, nil)
				backendtest.TestSpecialOps(t, b)
				backendtest.TestFusedOps(t, b)
				backendtest.TestBarriers(t, b)
			})
		}
	}
}

// BenchmarkAll runs GoMLX's benchmarks: of fused operations beside their parts, and of products.
// Set XLA_FLAGS for XLA's optimizations, which tests do without.
func BenchmarkAll(b *testing.B) {
	for _, engine := range engines {
		for _, mesh := range meshes {
			b.Run(engine+" "+mesh, func(b *testing.B) {
				backendtest.RunAllBenchmarks(b, openBackend(b, engine, mesh))
			})
		}
	}
}

// TestBenchmarks runs GoMLX's benchmarks once. On the Go engine, and in the short form, those of
// products, which take long, stay out. None may fail.
func TestBenchmarks(t *testing.T) {
	benchtime := flag.Lookup("test.benchtime").Value
	given := benchtime.String()
	require.NoError(t, benchtime.Set("1x"))
	defer func() { require.NoError(t, benchtime.Set(given)) }()
	fused := func(b *testing.B, backend compute.Backend) {
		backendtest.BenchmarkSoftmax(b, backend)
		backendtest.BenchmarkGelu(b, backend)
		backendtest.BenchmarkLayerNorm(b, backend)
		backendtest.BenchmarkDense(b, backend)
		backendtest.BenchmarkQuantizedDense(b, backend)
	}
	for _, c := range []struct {
		engine, mesh string
		run          func(*testing.B, compute.Backend)
	}{{"pjrt", "mesh=2x4", longtest.Pick(fused, backendtest.RunAllBenchmarks)}, {"go", "mesh=3x2", fused}} {
		t.Run(c.engine+" "+c.mesh, func(t *testing.T) {
			backend := openBackend(t, c.engine, c.mesh)
			failed := true
			testing.Benchmark(func(b *testing.B) {
				defer func() { failed = b.Failed() }()
				c.run(b, backend)
			})
			require.False(t, failed, "a benchmark failed: go test -bench All -benchtime 1x says which")
		})
	}
}

// openBackend returns a backend with an engine, "pjrt" or "go", on a mesh given as "mesh=2x4",
// until the test ends. Without cgo the test is skipped for pjrt.
func openBackend(t testing.TB, engine, mesh string) compute.Backend {
	if engine == "pjrt" {
		needs.Cgo(t, runtime.HasPJRT)
	}
	return open(t, mesh+",engine="+engine)
}

// open returns a backend for a configuration. It is finalized when the test ends. On a platform
// with too few devices the test is skipped.
func open(t testing.TB, config string) *gomlxbackend.Backend {
	b, err := gomlxbackend.New(config)
	runtimetest.SkipFewer(t, err)
	require.NoError(t, err)
	t.Cleanup(b.Finalize)
	return b
}
