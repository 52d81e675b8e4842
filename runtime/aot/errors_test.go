//go:build cgo

package aot_test

// This file tests failures: plugins that are missing, are no plugins, or do not return.

import (
	"context"
	"errors"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/gospmd/gospmd/hardware"
	"github.com/gospmd/gospmd/internal/testing/needs"
	"github.com/gospmd/gospmd/program"
	"github.com/gospmd/gospmd/runtime/aot"
	"github.com/gospmd/gospmd/runtime/plugin"
)

// pjrt.h has the same layout as the header in go-xla.
func TestLayout(t *testing.T) {
	header := needs.PJRTHeader(t)
	cc(t, "-fsyntax-only", "-I", header, filepath.Join("testdata", "layout.c"))
}

func cc(t *testing.T, args ...string) {
	t.Helper()
	out, err := exec.Command("cc", args...).CombinedOutput()
	require.NoError(t, err, "%s", out)
}

// fake compiles the plugin of testdata/fake.c, and returns the options that use it. what says how
// it misbehaves.
func fake(t *testing.T, what string) aot.Options {
	t.Helper()
	file := filepath.Join(t.TempDir(), "fake.so")
	cc(t, "-shared", "-fPIC", "-o", file, filepath.Join("testdata", "fake.c"))
	require.NoError(t, os.Chmod(file, 0o755))
	t.Setenv("FAKE_PLUGIN", what)
	return aot.Options{Plugin: file}
}

func compileWith(t *testing.T, ctx context.Context, name string, o aot.Options) error {
	t.Helper()
	_, err := aot.Compile(ctx, quickstart(t), target(t, name), o)
	require.Error(t, err)
	return err
}

func quickstart(t *testing.T) *program.Program {
	return compileFile(t, filepath.Join("testdata", "quickstart.mlir"), "")
}

func TestPluginCrashes(t *testing.T) {
	err := compileWith(t, t.Context(), "v5e:2x4", fake(t, "abort"))
	require.ErrorContains(t, err, "compiling train_step for v5e:2x4")
	require.ErrorContains(t, err, "process ended without an answer")
	require.ErrorContains(t, err, "F0000 fake.c: a fault of the fake plugin")
}

func TestNoPlugin(t *testing.T) {
	err := compileWith(t, t.Context(), "v5e:2x4", fake(t, "nothing"))
	require.ErrorContains(t, err, "the file is no PJRT plugin")
}

// If the compiler hangs, Compile ends when its context does, and its error has the context's cause.
func TestCancelled(t *testing.T) {
	ctx, cancel := context.WithTimeoutCause(t.Context(), 2*time.Second, errors.New("the test has waited enough"))
	defer cancel()
	start := time.Now()
	err := compileWith(t, ctx, "v5e:2x4", fake(t, "wait"))
	require.ErrorContains(t, err, "the test has waited enough")
	require.Less(t, time.Since(start), 5*time.Minute)
}

// hidePlugins sets environment variables, for the rest of the test, so that no plugin and no CUDA
// of the user is found. Those in the folders of the system still are.
func hidePlugins(t *testing.T) {
	t.Helper()
	dir := t.TempDir()
	for _, v := range []string{"HOME", "XDG_CACHE_HOME", "CUDA_HOME", "CUDA_PATH"} {
		t.Setenv(v, dir)
	}
	for _, v := range []string{plugin.PathVar, plugin.DirsVar, "TPU_LIBRARY_PATH", "VIRTUAL_ENV", "CONDA_PREFIX"} {
		t.Setenv(v, "")
	}
}

func TestNotInstalled(t *testing.T) {
	hidePlugins(t)
	for name, command := range map[string]string{"v5e:2x4": "gospmd doctor -install tpu", "h100:8": "gospmd doctor -install cuda"} {
		_, err := aot.Compile(t.Context(), quickstart(t), target(t, name), aot.Options{})
		if err == nil {
			t.Skip("the system has a plugin")
		}
		require.ErrorIs(t, err, aot.ErrNoPlugin)
		require.ErrorContains(t, err, command)
	}
}

// Without ptxas, compiling for GPUs fails with ErrNoPlugin; with Install, where the download is not
// possible, it fails with another error. The test is skipped where the system has CUDA.
func TestNoPtxas(t *testing.T) {
	file, err := plugin.Find(t.Context(), plugin.Options{Platform: "cuda"})
	if err != nil {
		needs.Plugin(t, "cuda", err)
	}
	hidePlugins(t)
	link := filepath.Join(t.TempDir(), filepath.Base(file))
	require.NoError(t, os.Symlink(file, link))
	if _, err := plugin.CUDAData(); err == nil {
		t.Skip("the system has CUDA")
	}
	err = compileWith(t, t.Context(), "h100:8", aot.Options{Plugin: link})
	require.ErrorIs(t, err, aot.ErrNoPlugin)
	require.ErrorContains(t, err, "ptxas and libdevice")

	// Install would download them; here it cannot.
	for v, value := range map[string]string{"HTTPS_PROXY": "http://localhost:1", "PATH": ""} {
		t.Setenv(v, value)
	}
	err = compileWith(t, t.Context(), "h100:8", aot.Options{Plugin: link, Install: true, Progress: io.Discard})
	require.NotErrorIs(t, err, aot.ErrNoPlugin)
	require.ErrorContains(t, err, "cannot install")
}

func TestRefused(t *testing.T) {
	err := compileWith(t, t.Context(), "v5e:2x2", aot.Options{})
	require.ErrorContains(t, err, "the program's mesh data=2,model=4 has device 7, and the target 4 devices: choose a smaller mesh or a larger target")
	err = compileWith(t, t.Context(), "v5e:2x4", aot.Options{Flags: "--dump"})
	require.ErrorContains(t, err, `the flag "--dump" is none of XLA`)
	_, err = aot.Compile(t.Context(), quickstart(t), hardware.Target{Chip: &hardware.Chip{Name: "abacus"}, Shape: []int{8}}, aot.Options{})
	require.ErrorContains(t, err, "has no compiler: want a TPU or a GPU")
	_, err = aot.Open(filepath.Join("testdata", "quickstart.mlir"))
	require.ErrorContains(t, err, "is no saved executable")
}

// A TPU that libtpu does not know, and an unknown flag, are errors. The child does not see
// $XLA_FLAGS, which is for CPUs.
func TestUnknownToCompiler(t *testing.T) {
	t.Setenv("XLA_FLAGS", "--xla_cpu_no_such_flag=true")
	if _, err := plugin.Find(t.Context(), plugin.Options{Platform: "tpu"}); err != nil {
		needs.Plugin(t, "tpu", err)
	}
	v5e := target(t, "v5e:2x4")
	chip := *v5e.Chip
	chip.Name = "v99"
	_, err := aot.Compile(t.Context(), quickstart(t), hardware.Target{Chip: &chip, Shape: v5e.Shape}, aot.Options{})
	require.ErrorContains(t, err, "does not know this target: Invalid TPU external name: TPU v99")
	_, err = aot.Compile(t.Context(), quickstart(t), v5e, aot.Options{Flags: "xla_no_such_flag=1"})
	require.ErrorContains(t, err, "xla_no_such_flag")
}
