package layers_test

import (
	"testing"

	"github.com/gospmd/gospmd/internal/testing/optiontest"
	"github.com/gospmd/gospmd/keras/layers"
)

// The calls of set in this package must name at least 151 options. Each must be a field of the
// options of some class, so that a layer takes it.
func TestEveryOptionIsTaken(t *testing.T) { optiontest.RequireTaken(t, 151, layers.AnyTakes) }
