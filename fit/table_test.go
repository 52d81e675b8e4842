package fit_test

// This file tests the text of tables.

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/gospmd/gospmd/compile/cost"
	"github.com/gospmd/gospmd/compile/report"
	"github.com/gospmd/gospmd/fit"
	"github.com/gospmd/gospmd/runtime/aot"
)

// The column of memory has two peaks, ours and the compiler's. What the compiler needs of the
// device's own memory is another quantity, in a line of its own.
func TestMemoryOfCompiler(t *testing.T) {
	row := func(name string, c *fit.Compiler) *fit.Row {
		return &fit.Row{Mesh: name, Fits: c.Fits, Memory: report.Memory{Peak: 100e6}, Prediction: &cost.Prediction{Seconds: 1}, Compiler: c}
	}
	table := &fit.Table{Target: "v5e:4x4", Machine: "v5e:4x4", Rows: []*fit.Row{
		row("x=16", &fit.Compiler{Fits: true, Required: 43e6, Memory: aot.Memory{Peak: 97e6}}),
		row("x=1", &fit.Compiler{Required: 99e9, OutOfMemory: "too large"}),
	}}
	text := table.String()
	require.Regexp(t, `its compiler +yes +97.0 MB`, text)
	require.Regexp(t, `its compiler +no\n`, text)
	require.Contains(t, text, "in a device's own memory its compiler needs, code included: 43.0 MB on x=16; 99.0 GB on x=1\n")
}
