package main

import (
	"testing"

	"github.com/gospmd/gospmd/internal/testing/exampletest"
)

// The gradient of a bias before a BatchNormalization is zero except for rounding. Adam makes steps
// of one size of gradients of any size, which a large epsilon keeps small, but does not remove.
func TestAgainstKeras(t *testing.T) {
	exampletest.ShortOnGoEngine(t)
	exampletest.Guide(t, program.Run, 1e-4)
}
