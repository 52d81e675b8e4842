package main

import (
	"testing"

	"github.com/gospmd/gospmd/examples/guides/internal/guidetest"
)

// The gradient of a bias before a BatchNormalization is zero except for rounding. Adam makes steps
// of one size of gradients of any size, which a large epsilon keeps small, but does not remove.
func TestAgainstKeras(t *testing.T) {
	guidetest.ShortOnGoEngine(t)
	guidetest.Compare(t, program, 1e-4)
}
