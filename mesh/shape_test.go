package mesh_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/gospmd/gospmd/mesh"
)

func TestParseShape(t *testing.T) {
	for _, tc := range []struct {
		text    string
		axes    int
		want    []int
		wantErr string
	}{
		{"2x4", 2, []int{2, 4}, ""},
		{"8", 1, []int{8}, ""},
		{"16x1x3", 3, []int{16, 1, 3}, ""},
		{"2x4", 1, nil, "got 2 sizes, want 1"},
		{"8", 2, nil, "got 1 sizes, want 2"},
		{"", 2, nil, `got the size ""`},
		{"2x", 2, nil, `got the size ""`},
		{"0x4", 2, nil, `got the size "0"`},
		{"-2x4", 2, nil, `got the size "-2"`},
		{"+2x4", 2, nil, `got the size "+2"`},
		{"02x4", 2, nil, `got the size "02"`},
		{"2x4 ", 2, nil, `got the size "4 "`},
		{"2X4", 2, nil, `got the size "2X4"`},
	} {
		t.Run(tc.text, func(t *testing.T) {
			got, err := mesh.ParseShape(tc.text, tc.axes)
			require.Equal(t, tc.want, got)
			if tc.wantErr == "" {
				require.NoError(t, err)
			} else {
				require.ErrorContains(t, err, tc.wantErr)
			}
		})
	}
}
