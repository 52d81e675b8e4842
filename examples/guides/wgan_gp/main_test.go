package main

import (
	"testing"

	"github.com/gospmd/gospmd/internal/testing/exampletest"
)

// The engine in Go, because XLA's CPU plugin compiles second derivatives of convolutions for
// half a minute.
func TestAgainstKeras(t *testing.T) {
	t.Setenv("GOSPMD_ENGINE", "go")
	exampletest.Guide(t, program.Run, 1e-5)
}
