package report_test

// This file tests the text of budgets.

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/gospmd/gospmd/compile/cost"
	"github.com/gospmd/gospmd/compile/report"
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
