package page_test

// This file tests the curves of the memory before and after values are computed again.

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/gospmd/gospmd/compile"
	"github.com/gospmd/gospmd/compile/page"
)

// The highest points of the two curves are the peaks of the program without a limit, and of the one
// that fits into 70 % of that by computing values again. Without a limit there are no curves.
func TestFitting(t *testing.T) {
	m := module(t, "../testdata/memory/transformer.mlir")
	free, err := compile.Explain(t.Context(), m.Clone(), compile.Options{})
	require.NoError(t, err)
	without, err := page.New(free, nil)
	require.NoError(t, err)
	require.Nil(t, without.Fitting)

	limit := without.Totals.Peak * 7 / 10
	fitted, err := compile.Explain(t.Context(), m, compile.Options{MemoryLimit: limit})
	require.NoError(t, err)
	p, err := page.New(fitted, nil)
	require.NoError(t, err)
	require.Equal(t, limit, p.Fitting.Limit)
	require.Equal(t, without.Totals.Peak, slices.Max(p.Fitting.Before))
	require.Equal(t, p.Totals.Peak, slices.Max(p.Fitting.After))
	require.LessOrEqual(t, p.Totals.Peak, limit)
	require.Equal(t, "recompute", p.Fitting.Actions[0].Action)
	require.Positive(t, p.Fitting.Actions[0].Count)
	require.Nil(t, p.Fitting.Placement)
}

// The page says where a limit has put the state of the optimizer. The curve before is that of the
// program without a limit.
func TestFittingOfOptimizers(t *testing.T) {
	m := module(t, "../testdata/memory/adam.mlir")
	free, err := compile.Explain(t.Context(), m.Clone(), compile.Options{})
	require.NoError(t, err)
	without, err := page.New(free, nil)
	require.NoError(t, err)
	fitted, err := compile.Explain(t.Context(), m, compile.Options{MemoryLimit: without.Totals.Peak * 8 / 10})
	require.NoError(t, err)
	p, err := page.New(fitted, nil)
	require.NoError(t, err)
	require.NotNil(t, p.Fitting.Placement)
	require.Equal(t, "a sharded update", p.Fitting.Placement.Chosen)
	require.Equal(t, without.Totals.Peak, slices.Max(p.Fitting.Before))
	require.Equal(t, p.Totals.Peak, slices.Max(p.Fitting.After))
}
