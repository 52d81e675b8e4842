package main

import (
	"testing"

	"github.com/gospmd/gospmd/examples/guides/internal/guidetest"
)

// The engine in Go, because XLA's CPU plugin compiles second derivatives of convolutions for
// half a minute.
func TestAgainstKeras(t *testing.T) {
	t.Setenv("GOSPMD_ENGINE", "go")
	guidetest.Compare(t, program, 1e-5)
}
