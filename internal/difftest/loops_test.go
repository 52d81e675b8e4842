package difftest_test

// This file runs random loops in which auto-sharding has changed layouts.

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/gospmd/gospmd/compile/cost"
	"github.com/gospmd/gospmd/internal/difftest"
	"github.com/gospmd/gospmd/internal/longtest"
	"github.com/gospmd/gospmd/ir"
)

// TestSearchedLoops compares loops on a machine with nearly free collectives. There auto-sharding
// changes layouts in many loops, although they are small.
func TestSearchedLoops(t *testing.T) {
	h := open(t, *engine)
	h.machine = &cost.Machine{Name: "fast links", FlopsPerSecond: 1e9, Link: cost.Link{Bandwidth: 1e9}}
	kinds := []ir.OpKind{ir.OpWhile, ir.OpWhile, ir.OpWhile, ir.OpTranspose, ir.OpAdd, ir.OpDotGeneral, ir.OpTanh, ir.OpConvert}
	for seed := range longtest.Pick[uint64](150, 3000) {
		p := difftest.New(seed, difftest.Options{Kinds: kinds, AnyOrder: *engine == "pjrt"})
		require.NoError(t, h.check(p), "seed %d\n%s", seed, p.Module)
	}
	require.Empty(t, h.refused)
}
