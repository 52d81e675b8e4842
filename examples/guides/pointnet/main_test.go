package main

import (
	"testing"

	"github.com/gospmd/gospmd/internal/testing/exampletest"
)

// TestAgainstKeras compares the guide's losses and predictions with Keras'. The guide gives Adam a
// large epsilon: a bias before a BatchNormalization has only rounding as its gradient, and Adam
// would make full steps of it. The tolerance covers what is left of these steps.
func TestAgainstKeras(t *testing.T) {
	exampletest.ShortOnGoEngine(t)
	exampletest.Guide(t, program.Run, 1e-4)
}
