package ir_test

// This file checks that the table of collectives is complete.

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/gospmd/gospmd/ir"
)

// Every collective of per-device programs must have a row in the table of collectives. Every row
// must have the fields that it needs. They must fit the definition of the op and that of the
// StableHLO collective that it becomes.
func TestEveryCollectiveHasARow(t *testing.T) {
	rows := 0
	ir.EachOpInfo(func(def *ir.OpInfo) {
		if !def.Is(ir.Collective | ir.OnMesh) {
			require.Nil(t, ir.CollectiveOf(def.Kind), def.Name)
			return
		}
		t.Run(def.Name, func(t *testing.T) {
			rows++
			c := ir.CollectiveOf(def.Kind)
			require.NotNil(t, c)
			require.Equal(t, "spmd."+c.Name, def.Name)
			require.NotEmpty(t, c.Meaning)
			require.False(t, strings.HasSuffix(c.Meaning, "."))
			require.NotNil(t, c.Sent, "the bytes that it sends")
			require.NotEqual(t, c.Axes == nil, def.Attr("axes") == nil, "it has an attribute axes, or Axes says which they are")
			require.False(t, c.Pairs != nil && (c.Reduces() || c.Dims != ir.DimAttrs{}), "with pairs a result is one operand")

			becomes := c.Becomes.Kind.Info()
			require.True(t, becomes.Is(ir.Collective) && strings.HasPrefix(becomes.Name, "stablehlo."), becomes.Name)
			require.Equal(t, c.Reduces(), becomes.Regions.Max > 0, "%s reduces by its region", becomes.Name)
			require.Equal(t, c.Pairs != nil, becomes.Attr(ir.PairsAttr) != nil, "pairs become pairs, groups become groups")
			require.Equal(t, c.Pairs == nil, becomes.Attr(ir.GroupsAttr) != nil, "pairs become pairs, groups become groups")
			for _, d := range []struct {
				def  *ir.OpInfo
				attr string
			}{{def, c.Dims.Cut}, {def, c.Dims.Join}, {becomes, c.Becomes.Dims.Cut}, {becomes, c.Becomes.Dims.Join}} {
				if d.attr != "" {
					require.NotNil(t, d.def.Attr(d.attr), "%s has no attribute %s", d.def.Name, d.attr)
				}
			}
			require.Equal(t, c.Dims.Cut == "", c.Becomes.Dims.Cut == "")
			require.Equal(t, c.Dims.Join == "", c.Becomes.Dims.Join == "")
		})
	})
	require.Len(t, ir.Collectives(), rows)
}

// The rows are in the order of the op kinds, and the C enum has this order. The first five
// collectives and the first six reductions may not change, so that the numbers in programs of
// compilation caches keep their meaning.
func TestNumbersOfCollectives(t *testing.T) {
	for i, c := range ir.Collectives()[1:] {
		require.Less(t, ir.Collectives()[i].Kind, c.Kind)
	}
	var kinds, reductions []string
	for _, e := range ir.SharedCollectives() {
		kinds = append(kinds, e.C)
	}
	for _, r := range ir.SharedReductions() {
		reductions = append(reductions, r.C)
	}
	require.Equal(t, []string{"ALL_REDUCE", "ALL_GATHER", "REDUCE_SCATTER", "ALL_TO_ALL", "PERMUTE"}, kinds[:5])
	require.Equal(t, []string{"ADD", "MULTIPLY", "MINIMUM", "MAXIMUM", "AND", "OR"}, reductions[:6])
}

// Each case of the attribute reduction stands for a kind of op, and ReductionName of that kind
// returns the case.
func TestEveryReductionHasAKind(t *testing.T) {
	for _, name := range ir.EnumCases("reduction") {
		op := &ir.Op{Attrs: ir.Attrs{{Name: "reduction", Value: ir.Enum(name)}}}
		got, ok := ir.ReductionName(op.Reduction())
		require.True(t, ok)
		require.Equal(t, ir.Enum(name), got)
	}
}
