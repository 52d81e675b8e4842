package sharding_test

// This file runs the scenarios of testdata/propagate. Each file has prose, the program, and the
// program with the shardings that propagation found. On random programs it tests that propagation
// is deterministic, and that Complete leaves no value without a closed sharding.

import (
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/tools/txtar"

	"github.com/gospmd/gospmd/internal/testing/golden"
	"github.com/gospmd/gospmd/internal/testing/randprog"
	"github.com/gospmd/gospmd/ir"
	"github.com/gospmd/gospmd/sharding"
)

func TestGolden(t *testing.T) {
	golden.Run(t, filepath.Join("testdata", "propagate", "*.txtar"), 1, func(t *testing.T, a *txtar.Archive) map[string]string {
		require.Equal(t, "in.mlir", a.Files[0].Name)
		got := make(map[string]string)
		for _, f := range propagateGolden(t, a.Files[0].Data) {
			got[f.Name] = string(f.Data)
		}
		require.Len(t, a.Files, 1+len(got))
		return got
	})
}

// opResults returns the results of all ops of f, in the order of the text, also of ops in regions.
func opResults(f *ir.Func) (out []*ir.Value) {
	f.Walk(func(op *ir.Op) { out = append(out, op.Results...) })
	return out
}

// propagateGolden returns the sections after the program: the module after Propagate, the
// explanations of main's results and of values that lost an axis, and the module after Complete. If
// propagation fails, it returns one section, the error.
func propagateGolden(t *testing.T, text []byte) []txtar.File {
	m, err := ir.Parse(string(text))
	require.NoError(t, err)
	result, err := sharding.Propagate(m, sharding.Options{})
	if err != nil {
		return []txtar.File{{Name: "error", Data: []byte(err.Error() + "\n")}}
	}
	files := []txtar.File{{Name: "propagated.mlir", Data: []byte(m.String())}}
	var why []byte
	for i := range m.Main().Results {
		why = append(why, result.ExplainResult(m.Main(), i)...)
	}
	for _, v := range append(m.Main().Params(), opResults(m.Main())...) {
		if e := result.Explanation(v); e != nil && len(e.Lost) > 0 { // also explain values that lost an axis
			why = append(why, e.String()...)
		}
	}
	files = append(files, txtar.File{Name: "explain", Data: why})
	require.NoError(t, sharding.Complete(m))
	return append(files, txtar.File{Name: "complete.mlir", Data: []byte(m.String())})
}

// Propagation of the same program must always give the same text.
func TestDeterminism(t *testing.T) {
	for seed := range uint64(20) {
		var first string
		for range 5 {
			m := randprog.New(seed, randprog.Options{Ops: 30, Propagation: &randprog.Propagation{Priorities: true}}).Module
			_, err := sharding.Propagate(m, sharding.Options{})
			require.NoError(t, err)
			if first == "" {
				first = m.String()
			}
			require.Equal(t, first, m.String())
		}
	}
}

// After Propagate and Complete, parameters and results of ops of random programs have closed
// shardings of their rank. Ops in bodies that work on scalars, such as that of a reduce, need none.
func TestComplete(t *testing.T) {
	for seed := range uint64(20) {
		m := randprog.New(seed, randprog.Options{Ops: 20, Propagation: &randprog.Propagation{}}).Module
		_, err := sharding.Propagate(m, sharding.Options{})
		require.NoError(t, err)
		require.NoError(t, sharding.Complete(m))
		check := func(v *ir.Value) {
			require.NotNil(t, v.Sharding)
			require.Len(t, v.Sharding.Dims, v.Type.Rank())
			for _, d := range v.Sharding.Dims {
				require.False(t, d.Open)
			}
		}
		for _, p := range m.Main().Params() {
			check(p)
		}
		m.Main().Walk(func(op *ir.Op) {
			if p := op.Block().Parent(); p != nil && p.Info().Is(ir.ScalarBody) {
				return
			}
			for _, v := range op.Results {
				check(v)
			}
		})
	}
}
