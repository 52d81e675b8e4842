package memory_test

// This file tests which programs Fit accepts.

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/gospmd/gospmd/compile"
	"github.com/gospmd/gospmd/compile/cost"
	"github.com/gospmd/gospmd/compile/memory"
	"github.com/gospmd/gospmd/hardware"
	"github.com/gospmd/gospmd/ir"
	"github.com/gospmd/gospmd/ir/pass"
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

// Where the body of a loop cannot be made as small as the limit wants, Fit takes the smallest that it
// has seen, with the values that it computes again. The second search, for a body of that size that
// takes less time, can find none.
func TestBodiesThatDoNotFit(t *testing.T) {
	m, err := ir.ParseFile("../testdata/memory/scanned.mlir")
	require.NoError(t, err)
	p, err := compile.Compile(t.Context(), m, compile.Options{Platform: hardware.TPU, Debug: pass.Debug{Off: []string{"stacks"}}})
	require.NoError(t, err)
	machine := *cost.Default()
	machine.Platform = hardware.TPU
	refused := 0
	for _, body := range memory.BodiesOf(p.Module.Main(), memory.Options{Machine: &machine, Mesh: p.Mesh, KeepsBarriers: true}) {
		peak := body.Peak()
		for _, part := range []float64{0.05, 0.1, 0.2} {
			less := int(part * float64(peak))
			least, fits := body.Least(peak - less)
			if fits || least >= peak {
				continue
			}
			refused++
			fitted, values := body.Fit(less)
			require.LessOrEqual(t, fitted.Peak(), least)
			require.True(t, (&program.Fitting{Values: values}).Has(program.Recompute), "%v", values)
		}
	}
	require.NotZero(t, refused)
}
