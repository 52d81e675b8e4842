package main

import (
	"testing"

	"github.com/gospmd/gospmd/internal/testing/exampletest"
)

// Adam makes steps of one size of gradients of any size, so that the steps of a bias before a
// BatchNormalization differ between compilers: its gradients are zero except for rounding.
func TestAgainstKeras(t *testing.T) { exampletest.Guide(t, program.Run, 5e-5) }
