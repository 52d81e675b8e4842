package runtime

// This file tests which platform a client has, and which options and variables its plugin gets.

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/gospmd/gospmd/runtime/plugin"
)

func TestPlatform(t *testing.T) {
	for _, tc := range []struct {
		name             string
		o                Options
		platform, plugin string // values of the environment variables
		want, err        string
	}{
		{name: "default", want: "cpu"},
		{name: "option", o: Options{Platform: "tpu"}, platform: "cuda", want: "tpu"},
		{name: "variable", platform: "cuda", want: "cuda"},
		{name: "variable before the plugin", platform: "cuda", plugin: "/x/libtpu.so", want: "cuda"},
		{name: "the plugin's name", plugin: "/x/libtpu.so", want: "tpu"},
		{name: "the option's plugin", o: Options{Plugin: "/x/xla_cuda_plugin.so"}, plugin: "/x/libtpu.so", want: "cuda"},
		{name: "a plugin of no known name", plugin: "/x/mine.so", want: "cpu"},
		{name: "the engine written in Go", o: Options{Engine: EngineGo}, platform: "cuda", want: "cpu"},
		{name: "no platform", platform: "gpu", err: `$GOSPMD_PLATFORM is "gpu": want one of cpu, cuda, tpu`},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Setenv(PlatformVar, tc.platform)
			t.Setenv(plugin.PathVar, tc.plugin)
			got, err := tc.o.Complete()
			if tc.err != "" {
				require.EqualError(t, err, tc.err)
				return
			}
			require.NoError(t, err)
			require.Equal(t, tc.want, got.Platform)
			require.Equal(t, tc.want == "cpu", got.Devices == 1)
		})
	}
}

func TestClientOptions(t *testing.T) {
	for _, tc := range []struct {
		name     string
		platform string
		devices  int
		env      map[string]string
		want     map[string]any
		err      string
	}{
		{name: "virtual devices", platform: "cpu", devices: 8, want: map[string]any{"cpu_device_count": int64(8)}},
		{name: "TPUs", platform: "tpu", env: map[string]string{"XLA_PYTHON_CLIENT_PREALLOCATE": "false"}, want: map[string]any{}},
		{name: "all GPUs", platform: "cuda", want: map[string]any{}},
		{name: "the first GPUs", platform: "cuda", devices: 2, want: map[string]any{"visible_devices": []int64{0, 1}}},
		{name: "the first of the visible GPUs", platform: "cuda", devices: 1, env: map[string]string{"JAX_CUDA_VISIBLE_DEVICES": "3,5"}, want: map[string]any{"visible_devices": []int64{3}}},
		{name: "the visible GPUs", platform: "cuda", env: map[string]string{"JAX_CUDA_VISIBLE_DEVICES": "3,5"}, want: map[string]any{"visible_devices": []int64{3, 5}}},
		{name: "every visible GPU", platform: "cuda", env: map[string]string{"JAX_CUDA_VISIBLE_DEVICES": "all"}, want: map[string]any{}},
		{name: "memory", platform: "cuda", env: map[string]string{"XLA_PYTHON_CLIENT_PREALLOCATE": "false", "XLA_PYTHON_CLIENT_MEM_FRACTION": ".5",
			"XLA_PYTHON_CLIENT_ALLOCATOR": "BFC", "XLA_PYTHON_CLIENT_COLLECTIVE_MEM_SIZE_MB": "64", "XLA_PYTHON_CLIENT_USE_TFRT_GPU_CLIENT": "1"},
			want: map[string]any{"preallocate": false, "memory_fraction": float32(.5), "allocator": "bfc", "collective_memory_size": int64(64 << 20), "use_tfrt_gpu_client": true}},
		{name: "the newer name", platform: "cuda", env: map[string]string{"XLA_PYTHON_CLIENT_MEM_FRACTION": ".5", "XLA_CLIENT_MEM_FRACTION": ".9"}, want: map[string]any{"memory_fraction": float32(.9)}},
		{name: "no fraction", platform: "cuda", env: map[string]string{"XLA_CLIENT_MEM_FRACTION": "half"}, err: `$XLA_CLIENT_MEM_FRACTION is "half": want a part of a GPU's memory, such as .75`},
		{name: "no allocator", platform: "cuda", env: map[string]string{"XLA_PYTHON_CLIENT_ALLOCATOR": "malloc"}, err: `$XLA_PYTHON_CLIENT_ALLOCATOR is "malloc": want one of default, platform, bfc, cuda_async, vmm`},
		{name: "no truth", platform: "cuda", env: map[string]string{"XLA_PYTHON_CLIENT_PREALLOCATE": "maybe"}, err: `want true or false`},
		{name: "no numbers", platform: "cuda", env: map[string]string{"JAX_CUDA_VISIBLE_DEVICES": "0,x"}, err: `want numbers of GPUs such as 0,1, or "all"`},
	} {
		t.Run(tc.name, func(t *testing.T) {
			got, err := clientOptions(Options{Platform: tc.platform, Devices: tc.devices}, func(name string) string { return tc.env[name] })
			if tc.err != "" {
				require.ErrorContains(t, err, tc.err)
				return
			}
			require.NoError(t, err)
			require.Equal(t, tc.want, got)
		})
	}
}
