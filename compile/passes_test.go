package compile_test

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/gospmd/gospmd/compile"
	"github.com/gospmd/gospmd/ir/pass"
)

func TestPassOrder(t *testing.T) {
	require.NoError(t, pass.CheckOrder(compile.PassNames(), compile.PassOrder()))
	for name, why := range compile.PassWhys() {
		require.NotEmpty(t, why, "pass %s: say why it runs there", name)
	}
}

// Passes behind memory run on the program that it makes: not on the copies that pass choose
// compares, which have no limit.
func TestPassesBehindMemory(t *testing.T) {
	names := compile.PassNames()
	require.Subset(t, compile.ChosenPasses(), names[slices.Index(names, "memory"):])
}
