package gomlxbackend_test

// This file runs the tests that GoMLX has for all backends.

import (
	"testing"

	"github.com/gomlx/compute/support/backendtest"
	"github.com/stretchr/testify/require"

	"github.com/gospmd/gospmd/gomlxbackend"
)

var meshes = []string{"mesh=single", "mesh=2x4", "mesh=3x2"}

func TestConformance(t *testing.T) {
	for _, engine := range []string{"pjrt", "go"} {
		for _, mesh := range meshes {
			t.Run(engine+" "+mesh, func(t *testing.T) {
				b, err := gomlxbackend.New(mesh + ",engine=" + engine)
				require.NoError(t, err)
				defer b.Finalize()
				backendtest.RunAll(t, b, nil)
			})
		}
	}
}
