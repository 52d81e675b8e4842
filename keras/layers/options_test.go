package layers_test

import (
	"testing"

	"github.com/gospmd/gospmd/internal/testing/optiontest"
	"github.com/gospmd/gospmd/keras/layers"
)

// There must be at least 151 functions that return an Option. Each has a name that is a field of
// the options of some class, so that a layer takes it.
func TestEveryOptionIsTaken(t *testing.T) { optiontest.RequireTaken(t, 151, layers.AnyTakes) }
