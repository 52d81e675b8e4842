package hardware_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/gospmd/gospmd/hardware"
)

func TestOf(t *testing.T) {
	for _, tc := range []struct {
		kind string
		n    int
		want string // empty: not known
	}{
		{"NVIDIA H100 80GB HBM3", 8, "h100:8"},
		{"NVIDIA H200", 1, "h200:1"},
		{"NVIDIA A100-SXM4-40GB", 4, "a100-40g:4"},
		{"NVIDIA A100-SXM4-80GB", 4, "a100:4"},
		{"NVIDIA L4", 1, "l4:1"},
		{"NVIDIA L40S", 1, ""},
		{"TPU v5 lite", 8, "v5e:2x4"},
		{"TPU v4", 4, "v4:2x2x1"},
		{"TPU v6 lite", 16, "v6e:4x4"},
		{"TPU v5 lite", 3, ""},
		{"cpu", 8, ""},
	} {
		got, ok := hardware.Of(tc.kind, tc.n)
		require.Equal(t, tc.want != "", ok, "%s: %v", tc.kind, got)
		if ok {
			require.Equal(t, tc.want, got.String())
		}
	}
}
