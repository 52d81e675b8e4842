package runtime

// This file tests which flags and which environment variables XLA gets.

import (
	"errors"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/gospmd/gospmd/internal/xlaflag"
)

func TestCompilerFlags(t *testing.T) {
	xnnpack, minMax := xlaflag.Flag{Name: "xla_cpu_use_xnnpack", Value: "false"}, xlaflag.Flag{Name: "xla_cpu_enable_fast_min_max", Value: "false"}
	data := func() (string, error) { return "/cuda", nil }
	none := func() (string, error) { return "", errors.New("none") }
	for _, tc := range []struct {
		name, platform, users string
		data                  func() (string, error)
		want                  []xlaflag.Flag
		warns                 int
	}{
		{name: "none", platform: "cpu", want: []xlaflag.Flag{xnnpack, minMax}},
		{name: "others are kept", platform: "cpu", users: "--xla_dump_to=/tmp/x", want: []xlaflag.Flag{xnnpack, minMax}},
		{name: "off already", platform: "cpu", users: "--xla_cpu_use_xnnpack=false", want: []xlaflag.Flag{minMax}},
		{name: "off as a number", platform: "cpu", users: "--xla_cpu_use_xnnpack=0", want: []xlaflag.Flag{minMax}},
		{name: "on", platform: "cpu", users: "--xla_cpu_use_xnnpack=true", want: []xlaflag.Flag{minMax}, warns: 1},
		{name: "on without a value", platform: "cpu", users: "--xla_cpu_use_xnnpack", want: []xlaflag.Flag{minMax}, warns: 1},
		{name: "both on", platform: "cpu", users: "--xla_cpu_use_xnnpack=1 --xla_cpu_enable_fast_min_max=1", warns: 2},
		{name: "the last one counts", platform: "cpu", users: "--xla_cpu_use_xnnpack=true --xla_cpu_use_xnnpack=false", want: []xlaflag.Flag{minMax}},
		{name: "another flag that begins alike", platform: "cpu", users: "--xla_cpu_use_xnnpack_x=true", want: []xlaflag.Flag{xnnpack, minMax}},
		{name: "GPUs", platform: "cuda", data: data, want: []xlaflag.Flag{{Name: "xla_gpu_cuda_data_dir", Value: "/cuda"}}},
		{name: "GPUs, the user's", platform: "cuda", users: "--xla_gpu_cuda_data_dir=/mine", data: data},
		{name: "GPUs, none", platform: "cuda", data: none},
		{name: "TPUs", platform: "tpu", data: none},
	} {
		t.Run(tc.name, func(t *testing.T) {
			flags, warnings := compilerFlags(tc.platform, tc.users, tc.data)
			require.Equal(t, tc.want, flags)
			require.Len(t, warnings, tc.warns)
		})
	}
}

func TestPluginEnvironment(t *testing.T) {
	const patience = "--xla_cpu_collective_call_terminate_timeout_seconds"
	for _, tc := range []struct {
		name, users, level string
		o                  Options
		want               []string
	}{
		{name: "one process", o: Options{Platform: "cpu"}, want: []string{"TF_CPP_MIN_LOG_LEVEL=1"}},
		{name: "the user's level", o: Options{Platform: "cpu"}, level: "0"},
		{name: "no TPU", o: Options{Platform: "tpu"}, want: []string{"TPU_SKIP_MDS_QUERY=1", "TPU_LOG_DIR=disabled", "TF_CPP_MIN_LOG_LEVEL=3"}},
		{name: "several processes", o: Options{Platform: "cpu", NumProcesses: 2}, users: "--xla_dump_to=/x", level: "2",
			want: []string{"XLA_FLAGS=--xla_dump_to=/x " + patience + "=1000000"}},
		{name: "several processes, another time", o: Options{Platform: "cpu", NumProcesses: 2}, users: patience + "=7", level: "2"},
		{name: "several processes on GPUs", o: Options{Platform: "cuda", NumProcesses: 2}, level: "2"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			getenv := func(name string) string { return map[string]string{xlaFlagsVar: tc.users, logLevelVar: tc.level}[name] }
			require.Equal(t, tc.want, pluginEnvironment(tc.o, false, getenv))
		})
	}
}
