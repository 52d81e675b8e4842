package difftest_test

// This file runs random loops in which auto-sharding has changed layouts.

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/gospmd/gospmd/compile/cost"
	"github.com/gospmd/gospmd/internal/testing/longtest"
	"github.com/gospmd/gospmd/internal/testing/randprog"
	"github.com/gospmd/gospmd/ir"
)

// TestSearchedLoops compares random loops on a mesh with those on one device, compiled for a
// machine with nearly free collectives. There auto-sharding changes layouts in many loops, although
// they are small. The engine must run all of them.
func TestSearchedLoops(t *testing.T) {
	h := open(t, *engine)
	h.machine = &cost.Machine{Name: "fast links", FlopsPerSecond: 1e9, Link: cost.Link{Bandwidth: 1e9}}
	kinds := []ir.OpKind{ir.OpWhile, ir.OpWhile, ir.OpWhile, ir.OpTranspose, ir.OpAdd, ir.OpDotGeneral, ir.OpTanh, ir.OpConvert}
	for seed := range longtest.Pick[uint64](150, 1200) {
		p := randprog.New(seed, randprog.Options{Kinds: kinds, AnyOrder: *engine == "pjrt"})
		require.NoError(t, h.check(p), "seed %d\n%s", seed, p.Module)
	}
	require.Empty(t, h.refused)
}
