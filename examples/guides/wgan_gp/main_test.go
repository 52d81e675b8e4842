package main

import (
	"testing"

	"github.com/gospmd/gospmd/internal/testing/exampletest"
)

// TestAgainstKeras compares the guide's losses with Keras'. It runs on the Go engine, because XLA's
// CPU plugin takes half a minute to compile second derivatives of convolutions.
func TestAgainstKeras(t *testing.T) {
	t.Setenv("GOSPMD_ENGINE", "go")
	exampletest.Guide(t, program.Run, 1e-5)
}
