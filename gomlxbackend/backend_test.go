package gomlxbackend_test

// This file runs GoMLX's tests and benchmarks for backends.

import (
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

func TestConformance(t *testing.T) {
	for _, engine := range engines {
		for _, mesh := range longtest.Pick(meshes[1:2], meshes) {
			t.Run(engine+" "+mesh, func(t *testing.T) {
				backendtest.RunAll(t, openBackend(t, engine, mesh), nil)
			})
		}
	}
}

// BenchmarkDotGeneral runs GoMLX's benchmarks of products. Its other benchmarks compare fused
// operations with their parts: this backend has none, and GoMLX computes the parts. Set XLA_FLAGS
// for XLA's optimizations, which tests do without.
func BenchmarkDotGeneral(b *testing.B) {
	for _, engine := range engines {
		for _, mesh := range meshes {
			b.Run(engine+" "+mesh, func(b *testing.B) {
				backendtest.BenchmarkDotGeneral(b, openBackend(b, engine, mesh))
			})
		}
	}
}

// openBackend returns a backend with an engine on a mesh, until the test ends.
func openBackend(t testing.TB, engine, mesh string) compute.Backend {
	if engine == "pjrt" {
		needs.Cgo(t, runtime.HasPJRT)
	}
	b, err := gomlxbackend.New(mesh + ",engine=" + engine)
	require.NoError(t, err)
	t.Cleanup(b.Finalize)
	return b
}
