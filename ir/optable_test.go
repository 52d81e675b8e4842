package ir_test

// This file checks that the op table is complete, and tests the names of kinds and the checks of
// the number of operands.

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/gospmd/gospmd/ir"
)

func TestEveryRowHasAShapeRule(t *testing.T) {
	seen := map[string]bool{}
	ir.EachOpInfo(func(def *ir.OpInfo) {
		t.Run(def.Name, func(t *testing.T) {
			require.False(t, seen[def.Name], "two ops of that name")
			seen[def.Name] = true
			require.Equal(t, def.Kind, ir.KindByName(def.Name))
			if def.Infer == nil {
				require.NotEmpty(t, def.NoInfer, "neither a shape rule nor a reason why there is none")
				require.NotNil(t, def.Check, "no shape rule, and no check of the result types instead")
			} else {
				require.Empty(t, def.NoInfer, "a shape rule and a reason why there is none")
			}
			names := map[string]bool{}
			for _, spec := range def.Attrs {
				require.False(t, names[spec.Name], "attribute %s is listed twice", spec.Name)
				names[spec.Name] = true
				require.NotEmpty(t, spec.Kind.String())
				if spec.Kind == ir.KindEnum {
					require.NotEmpty(t, ir.EnumCases(spec.Enum), "no cases for enumeration %q", spec.Enum)
				}
				if !spec.Optional {
					require.Nil(t, spec.Default, "attribute %s has a default, so it should be optional", spec.Name)
				}
			}
			if def.Is(ir.Commutative) {
				require.Equal(t, ir.Arity{Min: 2, Max: 2}, def.Operands)
			}
			if def.Is(ir.ScalarBody) || def.Is(ir.Isolated) {
				require.NotZero(t, def.Regions.Min)
			}
		})
	})
	require.Len(t, seen, int(ir.NumOps)-1)
}

func TestOpKindString(t *testing.T) {
	require.Equal(t, "stablehlo.add", ir.OpAdd.String())
	require.Equal(t, "OpKind(-1)", ir.OpKind(-1).String())
	require.Equal(t, ir.OpUnregistered, ir.KindByName("chlo.no_such_op"))
}

func TestArity(t *testing.T) {
	for _, tc := range []struct {
		arity   ir.Arity
		text    string
		yes, no []int
	}{
		{ir.Arity{Min: 2, Max: 2}, "2", []int{2}, []int{1, 3}},
		{ir.Arity{Min: 1, Max: 3}, "1 to 3", []int{1, 3}, []int{0, 4}},
		{ir.Arity{Min: 1, Max: -1}, "at least 1", []int{1, 99}, []int{0}},
	} {
		require.Equal(t, tc.text, tc.arity.String())
		for _, n := range tc.yes {
			require.True(t, tc.arity.Allows(n), "%s: %d", tc.text, n)
		}
		for _, n := range tc.no {
			require.False(t, tc.arity.Allows(n), "%s: %d", tc.text, n)
		}
	}
}

// notInTable lists the StableHLO ops without a definition. Dynamic shapes, tuples, quantized types
// and futures have no ir.Type; our devices have no infeed and outfeed; the others are obsolete.
// They are parsed as OpUnregistered.
var notInTable = strings.Fields(`
	async_done async_start dynamic_broadcast_in_dim dynamic_conv dynamic_gather dynamic_iota dynamic_pad dynamic_reshape
	get_dimension_size get_tuple_element infeed outfeed recv send real_dynamic_slice set_dimension_size tuple
	uniform_dequantize uniform_quantize broadcast einsum unary_einsum torch_index_select`)

func TestOpsLeftOut(t *testing.T) {
	for _, name := range notInTable {
		require.Equal(t, ir.OpUnregistered, ir.KindByName("stablehlo."+name),
			"%s has a definition now: take it from the list", name)
	}
}
