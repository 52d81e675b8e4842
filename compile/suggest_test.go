package compile_test

// This file tests suggestions: golden files in testdata/suggest.

import (
	"fmt"
	"log"
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/tools/txtar"

	"github.com/gospmd/gospmd/compile"
	"github.com/gospmd/gospmd/compile/report"
	"github.com/gospmd/gospmd/internal/golden"
	"github.com/gospmd/gospmd/ir"
)

func TestSuggestGolden(t *testing.T) {
	golden.Run(t, "testdata/suggest/*.txtar", 1, func(t *testing.T, a *txtar.Archive) map[string]string {
		m, err := ir.Parse(string(a.Files[0].Data))
		require.NoError(t, err)
		before := m.String()
		s, err := compile.Suggest(m, compile.Options{})
		require.NoError(t, err)
		require.Equal(t, before, m.String(), "the module changed")
		return map[string]string{"suggestions": s.String()}
	})
}

// XLA's collectives are not known; a budget that the program breaks is no
// reason not to say how to keep it.
func TestSuggestOptions(t *testing.T) {
	_, err := compile.Suggest(ir.MustParse(columnsTwice), compile.Options{Partitioner: compile.XLA})
	require.ErrorContains(t, err, "use compile.SPMD")
	_, err = compile.Compile(ir.MustParse(columnsTwice), compile.Options{Budget: report.Budget{Bytes: 1}})
	require.ErrorContains(t, err, "over budget")
	s, err := compile.Suggest(ir.MustParse(columnsTwice), compile.Options{Budget: report.Budget{Bytes: 1}})
	require.NoError(t, err)
	require.NotZero(t, s.Tried)
}

const columnsTwice = `
sdy.mesh @mesh = <["data"=2, "model"=4]>
func.func @main(
    %x: tensor<64x4096xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"data"}, {}]>} loc("x"),
    %w1: tensor<4096x256xf32> {gospmd.role = "parameter", sdy.sharding = #sdy.sharding<@mesh, [{}, {"model"}]>} loc("d1/kernel"),
    %w2: tensor<256x64xf32> {gospmd.role = "parameter", sdy.sharding = #sdy.sharding<@mesh, [{}, {"model"}]>} loc("d2/kernel"))
    -> (tensor<64x64xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"data"}, {"model"}]>}) {
  %h = stablehlo.dot_general %x, %w1, contracting_dims = [1] x [0] : (tensor<64x4096xf32>, tensor<4096x256xf32>) -> tensor<64x256xf32> loc("d1")
  %r = stablehlo.tanh %h : tensor<64x256xf32> loc("d1")
  %y = stablehlo.dot_general %r, %w2, contracting_dims = [1] x [0] : (tensor<64x256xf32>, tensor<256x64xf32>) -> tensor<64x64xf32> loc("d2")
  return %y : tensor<64x64xf32>
}`

// Two layers split by columns do not fit together: the second's kernel is
// moved. The first suggestion is to split it by rows; to save the sum, too,
// would cost more than it is worth.
func ExampleSuggest() {
	s, err := compile.Suggest(ir.MustParse(columnsTwice), compile.Options{})
	if err != nil {
		log.Fatal(err)
	}
	for _, c := range s.Collectives {
		fmt.Printf("%s over %s at %s, %d bytes\n", c.Collective.Kind, c.Collective.Axes, c.Collective.Layer, c.Collective.Bytes)
		fmt.Printf("  %s: %d -> %d bytes in all, pays: %t\n", c.Rule, s.Before.Bytes, c.After.Bytes, c.Pays)
	}
	// Output:
	// all_to_all over [model] at d2, 12288 bytes
	//   "d2/kernel": {"model", ""}: 18432 -> 6144 bytes in all, pays: true
	// reduce_scatter over [model] at d2, 6144 bytes
	//   "d1/kernel": {"model", ""}: 18432 -> 49152 bytes in all, pays: false
}
