package memory_test

import (
	"os"
	"testing"

	"github.com/gospmd/gospmd/compile"
	"github.com/gospmd/gospmd/compile/memory"
	"github.com/gospmd/gospmd/ir"
	"github.com/stretchr/testify/require"
)

func TestDbg(t *testing.T) {
	m, err := ir.ParseFile("../../benchmarks/memory/testdata/" + os.Getenv("PROG") + ".mlir")
	require.NoError(t, err)
	p, err := compile.Compile(t.Context(), m, compile.Options{})
	require.NoError(t, err)
	memory.Dbg(p, 0.7)
}
