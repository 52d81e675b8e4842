package randprog_test

// This file tests that all programs are valid, and that seeds and options say all about them.

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/gospmd/gospmd/internal/testing/longtest"
	"github.com/gospmd/gospmd/internal/testing/randprog"
	"github.com/gospmd/gospmd/ir"
)

func TestEveryKindHasAMakerOrAReason(t *testing.T) {
	kinds := randprog.Kinds()
	for k := range ir.NumOps {
		require.Equal(t, slices.Contains(kinds, k), randprog.Reason(k) == "", "%s: want a maker or a reason why there is none", k)
	}
}

func TestPrograms(t *testing.T) {
	for _, tc := range []struct {
		name string
		o    randprog.Options
		want []ir.OpKind // all of them occur
	}{
		{"run", randprog.Options{}, randprog.Kinds()},
		{"plain", randprog.Options{Kinds: randprog.Plain(), Propagation: &randprog.Propagation{}}, randprog.Plain()},
		{"propagated", randprog.Options{Ops: 12, Propagation: &randprog.Propagation{Priorities: true, Meshes: true, Unreduced: true}},
			append(randprog.Plain(), ir.OpShardingGroup, ir.OpManualComputation, ir.OpNamedComputation, ir.OpReshard, ir.OpPropagationBarrier, ir.OpCustomCall)},
		{"with calls", randprog.Options{Ops: 12, Propagation: &randprog.Propagation{Calls: true}}, []ir.OpKind{ir.OpCall, ir.OpWhile, ir.OpCase}},
		{"every kind, propagated", randprog.Options{Ops: 8, Kinds: randprog.Kinds(), Propagation: &randprog.Propagation{}}, randprog.Kinds()},
	} {
		t.Run(tc.name, func(t *testing.T) {
			lacks := map[ir.OpKind]bool{}
			for _, k := range tc.want {
				lacks[k] = true
			}
			for seed := range longtest.Pick[uint64](2000, 6000) {
				m := randprog.New(seed, tc.o).Module
				text := m.String()
				require.NoError(t, ir.Verify(m), "seed %d\n%s", seed, text)
				require.Equal(t, text, randprog.New(seed, tc.o).Module.String(), "seed %d", seed)
				read, err := ir.Parse(text)
				require.NoError(t, err, "seed %d\n%s", seed, text)
				require.Equal(t, text, read.String(), "seed %d", seed)
				for _, f := range m.Funcs {
					f.Walk(func(op *ir.Op) { delete(lacks, op.Kind) })
				}
			}
			require.Empty(t, lacks)
		})
	}
}
