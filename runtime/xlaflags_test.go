package runtime

// This file tests which flags XLA gets.

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestXLAFlags(t *testing.T) {
	for _, tc := range []struct {
		name, users, want string
		warns             bool
	}{
		{name: "none", users: "", want: "--xla_cpu_use_xnnpack=false"},
		{name: "others are kept", users: "--xla_dump_to=/tmp/x", want: "--xla_dump_to=/tmp/x --xla_cpu_use_xnnpack=false"},
		{name: "off already", users: "--xla_cpu_use_xnnpack=false", want: "--xla_cpu_use_xnnpack=false"},
		{name: "off as a number", users: "--xla_cpu_use_xnnpack=0", want: "--xla_cpu_use_xnnpack=0"},
		{name: "on", users: "--xla_cpu_use_xnnpack=true", want: "--xla_cpu_use_xnnpack=true", warns: true},
		{name: "on without a value", users: "--xla_cpu_use_xnnpack", want: "--xla_cpu_use_xnnpack", warns: true},
		{name: "the last one counts", users: "--xla_cpu_use_xnnpack=true --xla_cpu_use_xnnpack=false",
			want: "--xla_cpu_use_xnnpack=true --xla_cpu_use_xnnpack=false"},
		{name: "another flag that begins alike", users: "--xla_cpu_use_xnnpack_x=true",
			want: "--xla_cpu_use_xnnpack_x=true --xla_cpu_use_xnnpack=false"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			flags, warning := xlaFlags(tc.users)
			require.Equal(t, tc.want, flags)
			require.Equal(t, tc.warns, warning != "", warning)
		})
	}
}
