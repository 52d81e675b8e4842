package main

import (
	"testing"

	"github.com/gospmd/gospmd/internal/testing/exampletest"
)

func TestAgainstKeras(t *testing.T) { exampletest.Guide(t, program.Run, 1e-5) }
