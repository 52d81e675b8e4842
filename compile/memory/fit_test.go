package memory_test

// This file tests which programs Fit accepts.

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/gospmd/gospmd/compile"
	"github.com/gospmd/gospmd/compile/cost"
	"github.com/gospmd/gospmd/compile/memory"
	"github.com/gospmd/gospmd/ir"
	"github.com/gospmd/gospmd/program"
)

// Fit refuses a limit only if no program that it has seen fits, those that it found while it
// searched below the limit included.
func TestFitAcceptsTheLeast(t *testing.T) {
	m, err := ir.ParseFile("../../benchmarks/memory/testdata/transformer_2.mlir")
	require.NoError(t, err)
	p, err := compile.Compile(t.Context(), m, compile.Options{})
	require.NoError(t, err)
	o := memory.Options{Machine: cost.Default(), Mesh: p.Mesh, Donated: func(result int) int {
		return slices.IndexFunc(p.Inputs, func(in program.Input) bool { return in.Alias == result })
	}}
	f := p.Module.Main()
	usage := o.Machine.MemoryOf(f, o.Donated)
	for twentieths := 11; twentieths < 16; twentieths++ {
		o.Limit = usage.Fixed() + (usage.Peak()-usage.Fixed())*twentieths/20
		usable := memory.Usable(o.Limit, usage.Fixed())
		_, fitting, err := memory.Fit(f, o)
		if err == nil {
			require.LessOrEqual(t, fitting.After, usable)
			continue
		}
		var none *memory.NoFitError
		require.ErrorAs(t, err, &none)
		require.Greater(t, none.Least, usable)
	}
}
