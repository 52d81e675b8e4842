//go:build cgo

package runtimetest_test

// This file tests how tests run on a machine with GPUs. A plugin that pretends to be CUDA's makes
// virtual devices look like GPUs.

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/gomlx/compute/dtypes"
	"github.com/stretchr/testify/require"

	"github.com/gospmd/gospmd/compile"
	"github.com/gospmd/gospmd/internal/testing/needs"
	"github.com/gospmd/gospmd/internal/testing/runtimetest"
	"github.com/gospmd/gospmd/ir"
	"github.com/gospmd/gospmd/program"
	"github.com/gospmd/gospmd/runtime"
	"github.com/gospmd/gospmd/runtime/plugin"
)

// inside is an environment variable that is set in the processes with GPUs.
const inside = "RUNTIMETEST_INSIDE"

// dump is an environment variable with the directory that XLA writes modules to, in the processes
// with GPUs.
const dump = "RUNTIMETEST_DUMP"

// TestInside runs in the processes that TestGPUs starts, each with other visible GPUs. Open must
// give it as many devices as it asks for, and Need must skip the test if there are fewer.
func TestInside(t *testing.T) {
	if os.Getenv(inside) == "" {
		t.Skip("it runs in the processes of TestGPUs")
	}
	t.Run("one", func(t *testing.T) {
		c := runtimetest.Open(t, 1)
		require.Equal(t, "cuda", c.Platform())
		require.Len(t, c.Devices(), 1)
		require.Equal(t, "NVIDIA H100 80GB HBM3", c.Devices()[0].Kind)
		a, err := c.Put(ir.Tensor(dtypes.Float32, 2), nil, []float32{1, 2})
		require.NoError(t, err)
		got, err := runtime.Values[float32](t.Context(), a)
		require.NoError(t, err)
		require.Equal(t, []float32{1, 2}, got)
	})
	t.Run("three", func(t *testing.T) { require.Len(t, runtimetest.Open(t, 3).Devices(), 3) })
	t.Run("need of two", func(t *testing.T) { runtimetest.Need(t, 2) })
	t.Run("all", func(t *testing.T) {
		c, err := runtime.Open(t.Context(), runtime.Options{})
		require.NoError(t, err)
		t.Log("devices:", len(c.Devices()))
		require.NoError(t, c.Close())
	})
	t.Run("engine written in Go", func(t *testing.T) {
		c, err := runtime.Open(t.Context(), runtime.Options{Engine: runtime.EngineGo, Devices: 8})
		require.NoError(t, err)
		require.Equal(t, "cpu", c.Platform())
		require.NoError(t, c.Close())
	})
	t.Run("limit", func(t *testing.T) {
		c := runtimetest.Open(t, 1)
		p, err := compile.Compile(t.Context(), ir.MustParse("func.func @main(%x: tensor<2xf32>) -> tensor<2xf32> {\n  %0 = stablehlo.negate %x : tensor<2xf32>\n  return %0 : tensor<2xf32>\n}"), compile.Options{})
		require.NoError(t, err)
		p.Fitting = &program.Fitting{Limit: 1}
		exe, err := c.Load(t.Context(), p)
		require.NoError(t, err)
		defer exe.Close()
		a, err := c.Put(p.Inputs[0].Type, nil, []float32{1, 2})
		require.NoError(t, err)
		out, err := exe.Run(a)
		require.NoError(t, err)
		got, err := runtime.Values[float32](t.Context(), out[0])
		require.NoError(t, err)
		require.Equal(t, []float32{-1, -2}, got)
		modules, err := filepath.Glob(filepath.Join(os.Getenv(dump), "*before_optimizations.txt"))
		require.NoError(t, err)
		require.Len(t, modules, 2, "XLA compiles it again, in the order that needs the least memory")
	})
	t.Run("preallocation", func(t *testing.T) { require.Equal(t, "false", os.Getenv("XLA_PYTHON_CLIENT_PREALLOCATE")) })
}

func TestGPUs(t *testing.T) {
	header := needs.PJRTHeader(t)
	real, err := plugin.Find(t.Context(), plugin.Options{Platform: "cpu"})
	require.NoError(t, err)
	fake := filepath.Join(t.TempDir(), "xla_cuda_plugin.so")
	out, err := exec.Command("cc", "-shared", "-fPIC", "-I", header, "-o", fake, filepath.Join("testdata", "gpus.c"), "-ldl").CombinedOutput()
	require.NoError(t, err, "%s", out)
	const few = `(the platform "cuda" has 1 device(s), Options ask for `
	for gpus, want := range map[string][]string{
		"1": {"PASS: TestInside/one", "SKIP: TestInside/three", "needs 3 devices of cuda: ", few + "3", "SKIP: TestInside/need_of_two", few + "2", "devices: 1"},
		"4": {"PASS: TestInside/one", "PASS: TestInside/three", "PASS: TestInside/need_of_two", "devices: 4"},
	} {
		t.Run(gpus, func(t *testing.T) {
			cmd := exec.Command(os.Args[0], "-test.run=^TestInside$", "-test.v")
			dir := t.TempDir()
			cmd.Env = append(os.Environ(), inside+"=1", dump+"="+dir, "XLA_FLAGS=--xla_dump_to="+dir, "GPUS="+gpus, "REAL_PLUGIN="+real, plugin.PathVar+"="+fake, runtime.PlatformVar+"=cuda", "GOSPMD_ENGINE=",
				"XLA_PYTHON_CLIENT_PREALLOCATE=")
			out, err := cmd.CombinedOutput()
			require.NoError(t, err, "%s", out)
			for _, part := range want {
				require.Contains(t, string(out), part)
			}
		})
	}
}
