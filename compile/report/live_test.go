package report_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/gospmd/gospmd/compile/report"
)

// A repeated block has one line, with the memory of all its values.
func TestLargestOfRepeatedBlocks(t *testing.T) {
	r := report.Report{Partitioned: true, Memory: report.Memory{Temporary: 120_000, Peak: 120_000}}
	for _, layer := range []string{"block0/up", "block1/up", "block10/up"} {
		r.Memory.Largest = append(r.Memory.Largest, report.LiveBuffer{Bytes: 30_000, Type: "75x100xf32", Op: "stablehlo.dot_general", Layer: layer})
	}
	r.Memory.Largest = append(r.Memory.Largest, report.LiveBuffer{Bytes: 29_000, Type: "75xf32", Op: "stablehlo.tanh", Layer: "head"},
		report.LiveBuffer{Bytes: 4, Type: "i32", Op: "spmd.axis_index", Layer: "head"})
	text := r.String()
	require.Contains(t, text, "90.0 kB  3 × 75x100xf32  stablehlo.dot_general  block*/up")
	require.Contains(t, text, "29.0 kB  75xf32          stablehlo.tanh         head")
	require.NotContains(t, text, "axis_index", "what is less than a hundredth is left out")
}

// Every sum that counts one iteration of a loop with an unknown trip count says so.
func TestUnknownLoopsAreFlagged(t *testing.T) {
	r := report.Report{Partitioned: true, LoopsUnknown: true, Bytes: 4, Collectives: []report.Collective{{Kind: "all_reduce", Bytes: 4, Runs: 1}}}
	text := r.String()
	const flag = "(one iteration of a loop whose trip count is not known)"
	require.Contains(t, text, "collectives: 1, 4 bytes sent "+flag)
	require.Contains(t, text, "in total: 1 all_reduce of 4 bytes "+flag)
	require.Contains(t, text, "flops: 0 "+flag)
}
