package layers_test

import (
	"testing"

	"github.com/gospmd/gospmd/internal/testing/optiontest"
	"github.com/gospmd/gospmd/keras/layers"
)

// The name that a function gives an option is that of a field of a class's options.
func TestEveryOptionIsTaken(t *testing.T) { optiontest.RequireTaken(t, 151, layers.AnyTakes) }
