package gomlxbackend_test

// This file runs GoMLX's test suite for backends.

import (
	"testing"

	"github.com/gomlx/compute/support/backendtest"
	"github.com/stretchr/testify/require"

	"github.com/gospmd/gospmd/gomlxbackend"
	"github.com/gospmd/gospmd/internal/testing/longtest"
	"github.com/gospmd/gospmd/internal/testing/needs"
	"github.com/gospmd/gospmd/internal/testing/runtimetest"
	"github.com/gospmd/gospmd/runtime"
)

func init() { runtimetest.CompileQuickly() }

var meshes = []string{"mesh=single", "mesh=2x4", "mesh=3x2"}

func TestConformance(t *testing.T) {
	for _, engine := range []string{"pjrt", "go"} {
		for _, mesh := range longtest.Pick(meshes[1:2], meshes) {
			t.Run(engine+" "+mesh, func(t *testing.T) {
				if engine == "pjrt" {
					needs.Cgo(t, runtime.HasPJRT)
				}
				b, err := gomlxbackend.New(mesh + ",engine=" + engine)
				require.NoError(t, err)
				defer b.Finalize()
				backendtest.RunAll(t, b, nil)
			})
		}
	}
}
