package runtime

// This file tests which flags XLA gets.

import (
	"errors"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestXLAFlags(t *testing.T) {
	for _, tc := range []struct {
		name, users, want string
		warns             int
		several           bool // processes
	}{
		{name: "none", users: "", want: "--xla_cpu_use_xnnpack=false --xla_cpu_enable_fast_min_max=false"},
		{name: "others are kept", users: "--xla_dump_to=/tmp/x", want: "--xla_dump_to=/tmp/x --xla_cpu_use_xnnpack=false --xla_cpu_enable_fast_min_max=false"},
		{name: "off already", users: "--xla_cpu_use_xnnpack=false", want: "--xla_cpu_use_xnnpack=false --xla_cpu_enable_fast_min_max=false"},
		{name: "off as a number", users: "--xla_cpu_use_xnnpack=0", want: "--xla_cpu_use_xnnpack=0 --xla_cpu_enable_fast_min_max=false"},
		{name: "on", users: "--xla_cpu_use_xnnpack=true", want: "--xla_cpu_use_xnnpack=true --xla_cpu_enable_fast_min_max=false", warns: 1},
		{name: "on without a value", users: "--xla_cpu_use_xnnpack", want: "--xla_cpu_use_xnnpack --xla_cpu_enable_fast_min_max=false", warns: 1},
		{name: "both on", users: "--xla_cpu_use_xnnpack=1 --xla_cpu_enable_fast_min_max=1",
			want: "--xla_cpu_use_xnnpack=1 --xla_cpu_enable_fast_min_max=1", warns: 2},
		{name: "the last one counts", users: "--xla_cpu_use_xnnpack=true --xla_cpu_use_xnnpack=false",
			want: "--xla_cpu_use_xnnpack=true --xla_cpu_use_xnnpack=false --xla_cpu_enable_fast_min_max=false"},
		{name: "another flag that begins alike", users: "--xla_cpu_use_xnnpack_x=true",
			want: "--xla_cpu_use_xnnpack_x=true --xla_cpu_use_xnnpack=false --xla_cpu_enable_fast_min_max=false"},
		{name: "several processes", several: true,
			want: "--xla_cpu_use_xnnpack=false --xla_cpu_enable_fast_min_max=false --xla_cpu_collective_call_terminate_timeout_seconds=1000000"},
		{name: "several processes, another time", users: "--xla_cpu_collective_call_terminate_timeout_seconds=7", several: true,
			want: "--xla_cpu_collective_call_terminate_timeout_seconds=7 --xla_cpu_use_xnnpack=false --xla_cpu_enable_fast_min_max=false"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			flags, warnings := cpuFlags(tc.users, tc.several)
			require.Equal(t, tc.want, flags)
			require.Len(t, warnings, tc.warns)
		})
	}
}

// TestXLAFlagsOfPlatforms opens platforms one after the other: each plugin gets its own
// flags, and the user's.
func TestXLAFlagsOfPlatforms(t *testing.T) {
	loading.Lock()
	defer loading.Unlock()
	before := ours
	defer func() { ours = before }()
	ours = nil
	data := func() (string, error) { return "/cuda", nil }
	none := func() (string, error) { return "", errors.New("none") }
	for _, users := range []string{"", "--xla_dump_to=/tmp/x"} {
		t.Setenv(xlaFlagsVar, users)
		with := func(flags string) string { return strings.TrimSpace(users + " " + flags) }
		const cpu = "--xla_cpu_use_xnnpack=false --xla_cpu_enable_fast_min_max=false"
		for range 2 {
			setXLAFlags("cpu", false, data)
			require.Equal(t, with(cpu), os.Getenv(xlaFlagsVar))
		}
		setXLAFlags("cuda", false, data)
		require.Equal(t, with("--xla_gpu_cuda_data_dir=/cuda"), os.Getenv(xlaFlagsVar))
		setXLAFlags("cpu", true, data)
		require.Equal(t, with(cpu+" --xla_cpu_collective_call_terminate_timeout_seconds=1000000"), os.Getenv(xlaFlagsVar))
		for _, other := range []string{"tpu", "cuda"} {
			setXLAFlags(other, false, none)
			require.Equal(t, users, os.Getenv(xlaFlagsVar))
		}
	}
	t.Setenv(xlaFlagsVar, "--xla_gpu_cuda_data_dir=/mine")
	setXLAFlags("cuda", false, data)
	require.Equal(t, "--xla_gpu_cuda_data_dir=/mine", os.Getenv(xlaFlagsVar))
}
