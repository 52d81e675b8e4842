package main

import (
	"testing"

	"github.com/gospmd/gospmd/internal/testing/exampletest"
)

// TestAgainstKeras compares the guide's losses and predictions with Keras'. The tolerance is large,
// because a bias before a BatchNormalization has only rounding as its gradient, and Adam makes full
// steps of it, which differ between compilers.
func TestAgainstKeras(t *testing.T) { exampletest.Guide(t, program.Run, 5e-5) }
