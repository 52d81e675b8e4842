package ir_test

// This file compares the shape rules with StableHLO's own. The script
// benchmarks/peers/shape_rules.py recorded these in testdata/shape_rules.json.

import (
	"encoding/json"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/gospmd/gospmd/ir"
)

// shapeRules is the content of that file.
type shapeRules struct {
	Cases []struct {
		Name, Text string
		Error      string // empty: StableHLO accepts the module
	}
	Elements map[string]struct {
		Operands int
		Results  map[string]string // result types by element type; empty: StableHLO refuses the element type
	}
}

func readShapeRules(t testing.TB) shapeRules {
	data, err := os.ReadFile("testdata/shape_rules.json")
	require.NoError(t, err)
	var rules shapeRules
	require.NoError(t, json.Unmarshal(data, &rules))
	require.NotEmpty(t, rules.Cases)
	require.NotEmpty(t, rules.Elements)
	return rules
}

// stricter lists what MLIR's verifier accepts although the StableHLO specification forbids it. The
// text says why we refuse it.
var stricter = map[string]string{
	"scatter: update type":          "scatter: updates have the element type of the inputs",
	"rng_bit_generator: state size": "rng_bit_generator: the state of THREE_FRY has two elements",
	"reduce_scatter: result":        "reduce_scatter: the dimension is divided by the group size",
}

func TestShapeRulesAgreeWithStableHLO(t *testing.T) {
	for _, tc := range readShapeRules(t).Cases {
		t.Run(tc.Name, func(t *testing.T) {
			m, err := ir.Parse(tc.Text)
			if err == nil {
				err = ir.Verify(m)
			}
			if tc.Error != "" || stricter[tc.Name] != "" {
				require.Error(t, err, "StableHLO says: %s", tc.Error)
				return
			}
			require.NoError(t, err)
			op := m.Main().Body.First()
			if op.Info().Infer == nil {
				return
			}
			types, err := ir.Infer(op)
			require.NoError(t, err)
			require.Len(t, types, len(op.Results))
			for i, r := range op.Results {
				if strings.HasSuffix(tc.Name, "wider result") {
					require.Equal(t, r.Type.Dims, types[i].Dims)
					continue
				}
				require.Equal(t, r.Type.String(), types[i].String(), "result %d", i)
			}
		})
	}
}

// computedByNone lists, by op, the types that MLIR's verifier accepts although neither XLA nor any
// other implementation can compute the op for them.
var computedByNone = map[string][]string{
	"chlo.bessel_i1e": {"complex<f32>", "complex<f64>"},
}

func TestElementTypesAgreeWithStableHLO(t *testing.T) {
	for name, row := range readShapeRules(t).Elements {
		t.Run(name, func(t *testing.T) {
			kind := ir.KindByName(name)
			require.NotEqual(t, ir.OpUnregistered, kind)
			for element, want := range row.Results {
				dtype, ok := ir.DTypeFromText(element)
				require.True(t, ok, element)
				b := ir.NewBuilder(&ir.Block{})
				operands := make([]*ir.Value, row.Operands)
				for i := range operands {
					operands[i] = b.Block().AddArg(ir.Tensor(dtype, 4, 0))
				}
				op, err := b.Op(kind, nil, operands...)
				if want == "" || slices.Contains(computedByNone[name], element) {
					require.Error(t, err, element)
					continue
				}
				require.NoError(t, err, element)
				require.Equal(t, want, op.Result().Type.String(), element)
			}
		})
	}
}
