package compile_test

import (
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
