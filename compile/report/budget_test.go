package report_test

// This file tests the text of budgets, and the errors of programs that do not fit.

import (
	"errors"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/gospmd/gospmd/compile/cost"
	"github.com/gospmd/gospmd/compile/report"
	"github.com/gospmd/gospmd/ir"
	"github.com/gospmd/gospmd/program"
)

func TestParseBudget(t *testing.T) {
	for _, tc := range []struct {
		text    string
		want    report.Budget
		wantErr string
	}{
		{text: "bytes=1234", want: report.Budget{Bytes: 1234}},
		{text: "bytes=1.5kB,memory=2GiB", want: report.Budget{Bytes: 1500, Memory: 2 << 30}},
		{text: "forbid=all_to_all,forbid=permute", want: report.Budget{Forbid: []cost.Kind{cost.AllToAll, cost.Permute}}},
		{text: "memory=16GB", want: report.Budget{Memory: 16e9}},
		{text: "", wantErr: "want bytes=SIZE"},
		{text: "bytes", wantErr: "want bytes=SIZE"},
		{text: "byte=1", wantErr: `did you mean "bytes"?`},
		{text: "bytes=much", wantErr: `got size "much"`},
		{text: "bytes=-1", wantErr: `got size "-1"`},
		{text: "bytes=0", wantErr: `got size "0"`},
		{text: "bytes=NaN", wantErr: `got size "NaN"`},
		{text: "bytes=1e300GB", wantErr: `got size "1e300GB"`},
		{text: "memory=1XB", wantErr: `got size "1XB"`},
		{text: "forbid=all_to_one", wantErr: `forbids "all_to_one"`},
	} {
		t.Run(tc.text, func(t *testing.T) {
			got, err := report.ParseBudget(tc.text)
			if tc.wantErr != "" {
				require.ErrorContains(t, err, tc.wantErr)
				return
			}
			require.NoError(t, err)
			require.Equal(t, tc.want, got)
		})
	}
}

// The error of a program that does not fit says what is there whatever is computed again, and what
// makes that smaller.
func TestDoesNotFit(t *testing.T) {
	slots := []report.Replicated{{Name: "adam/m", Role: ir.RoleOptimizer, Saved: 60}, {Name: "adam/v", Role: ir.RoleOptimizer, Saved: 60}, {Name: "w", Role: ir.RoleParameter, Saved: 60}}
	large := []report.LiveBuffer{{Bytes: 50, Type: "10xf32", Op: "stablehlo.tanh", Layer: "d1"}}
	for _, tc := range []struct {
		name   string
		report report.Report
		want   string
	}{
		{"slots", report.Report{Replicated: slots, Memory: report.Memory{Parameters: 80, Optimizer: 160, Peak: 250, Temporary: 10}},
			"240 of them are there for the whole run, whatever is computed again: parameters take 80, the optimizer 160, data 0, results 0; a sharded update saves up to 120 of the optimizer's"},
		{"data", report.Report{Memory: report.Memory{Data: 200, Parameters: 40, Peak: 250, Temporary: 10}}, "take a smaller batch"},
		{"parameters", report.Report{Memory: report.Memory{Data: 20, Parameters: 220, Peak: 250, Temporary: 10}}, "shard the parameters along more axes"},
		{"temporaries", report.Report{Memory: report.Memory{Data: 20, Peak: 250, Temporary: 230, Largest: large}}, "made by stablehlo.tanh in d1"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			tc.report.Program = "step"
			err := tc.report.DoesNotFit(&program.Fitting{Limit: 100, Before: 300, MicroBatches: 1}, 97, "", nil)
			require.ErrorContains(t, err, "step does not fit: a device needs 300 bytes of memory, and 250 if")
			require.ErrorContains(t, err, tc.want)
			err = tc.report.DoesNotFit(&program.Fitting{Limit: 100, Before: 300, MicroBatches: 4, Placement: &program.StatePlacement{Sharded: true}}, 97, "take two", errors.New("a layer needs them all"))
			require.ErrorContains(t, err, "and the batch is computed in 4 parts, with a sharded update, the limit is 100")
			require.ErrorContains(t, err, "; take two; a layer needs them all")
		})
	}
}
