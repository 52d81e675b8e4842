package main

import (
	"testing"

	"github.com/gospmd/gospmd/examples/guides/internal/guidetest"
)

func TestAgainstKeras(t *testing.T) {
	guidetest.ShortOnGoEngine(t)
	guidetest.Compare(t, program, 1e-5)
}
