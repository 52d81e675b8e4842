package main

import (
	"testing"

	"github.com/gospmd/gospmd/examples/guides/internal/guidetest"
)

// Adam makes steps of one size of gradients of any size, so that those of a bias before a
// BatchNormalization, which are zero but for rounding, differ between compilers.
func TestAgainstKeras(t *testing.T) { guidetest.Compare(t, program, 5e-5) }
