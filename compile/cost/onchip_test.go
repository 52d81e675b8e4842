package cost_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// A TPU copies arguments and results between its memory and that on its chip, of 128 MiB, which its
// compiler counts as two reads and two writes each: not those that are too large or in the host's
// memory, and of an argument and a result that shares its memory only those that fit together.
func TestChipTraffic(t *testing.T) {
	for _, tc := range []struct {
		name, argument, result, attributes string
		copied                             int // elements
	}{
		{"both", "1024x1024", "1024x1024", "", 2 << 20},
		{"the argument alone", "16384x2048", "1x2048", "", 32<<20 + 2048},
		{"together too large", "16384x2048", "16384x2048", "", 0},
		{"too large", "16384x4096", "1x4096", "", 4096},
		{"on the host", "1024x1024", "1x1024", ` {mhlo.memory_kind = "pinned_host"}`, 1024},
	} {
		t.Run(tc.name, func(t *testing.T) {
			rows, columns, _ := strings.Cut(tc.result, "x")
			m, f := parse(t, strings.NewReplacer("ARG", tc.argument, "RESULT", tc.result, "ROWS", rows, "COLS", columns, "ATTRS", tc.attributes).Replace(
				`func.func @main(%a: tensor<ARGxf32>ATTRS) -> tensor<RESULTxf32> {
%0 = stablehlo.slice %a [0:ROWS, 0:COLS] : (tensor<ARGxf32>) -> tensor<RESULTxf32>
%1 = stablehlo.negate %0 : tensor<RESULTxf32>
return %1 : tensor<RESULTxf32>
}`))
			accessed := func(platform string) int {
				machine := slowMachine(false)
				machine.Platform = platform
				return machine.Predict(m.Meshes[0].Mesh, f).BytesAccessed
			}
			require.Equal(t, 4*4*tc.copied, accessed("tpu")-accessed("cuda"))
		})
	}
}
