package compile_test

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/gospmd/gospmd/compile"
)

func TestPassOrder(t *testing.T) {
	names := compile.PassNames()
	for i, name := range names {
		require.NotContains(t, names[:i], name, "pass names must be unique")
		require.NotEmpty(t, compile.PassWhys()[name], "pass %s: say why it runs there", name)
	}
	for _, c := range compile.PassOrder() {
		first, then := slices.Index(names, c[0]), slices.Index(names, c[1])
		require.GreaterOrEqual(t, first, 0, "no pass %q", c[0])
		require.GreaterOrEqual(t, then, 0, "no pass %q", c[1])
		require.Less(t, first, then, "%s must run before %s: %s", c[0], c[1], c[2])
	}
}
