package inspect_test

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/gospmd/gospmd/internal/testing/needs"
	"github.com/gospmd/gospmd/internal/testing/runtimetest"
	"github.com/gospmd/gospmd/runtime"
	"github.com/gospmd/gospmd/runtime/inspect"
	"github.com/gospmd/gospmd/runtime/plugin"
)

// TestMain makes the test binary usable as the child that loads plugins.
func TestMain(m *testing.M) {
	inspect.Serve()
	os.Exit(m.Run())
}

func Example() {
	r := inspect.Platform(context.Background(), "abacus")
	fmt.Println(r.Failed)
	// Output: platform "abacus" is not known: want one of cpu, cuda, tpu
}

func TestCPU(t *testing.T) {
	if !runtime.HasPJRT {
		r := inspect.Platform(t.Context(), "cpu")
		require.NotEmpty(t, r.Missing+r.Failed)
		return
	}
	if _, err := plugin.Find(t.Context(), plugin.Options{Platform: "cpu"}); err != nil {
		t.Fatal(err)
	}
	r := inspect.Platform(t.Context(), "cpu")
	require.Empty(t, r.Failed+r.Missing)
	require.FileExists(t, r.Plugin)
	require.Regexp(t, `^0\.[0-9]+$`, r.API)
	require.Regexp(t, `^1\.[0-9]+\.[0-9]+$`, r.StableHLO)
	require.Contains(t, r.Extensions, "FFI")
	require.Equal(t, []inspect.Device{{Kind: "cpu"}}, r.Devices)
}

// TestAccelerators reports on the real plugins for GPUs and TPUs, where they are installed. The
// report must have their versions and extensions, and say why there are no devices.
func TestAccelerators(t *testing.T) {
	for _, platform := range []string{"cuda", "tpu"} {
		t.Run(platform, func(t *testing.T) {
			r := inspect.Platform(t.Context(), platform)
			if r.Missing != "" {
				require.ErrorIs(t, locate(platform), plugin.ErrMissing)
				needs.Skip(t, "the plugin for "+platform, "gospmd doctor -install "+platform, r.Missing)
			}
			if !runtime.HasPJRT {
				require.Contains(t, r.Failed, "built without cgo")
				return
			}
			require.NotEmpty(t, r.StableHLO)
			require.Contains(t, r.Extensions, "Layouts")
			if plugin.Devices(platform) == nil {
				require.Empty(t, r.Devices)
				require.True(t, strings.HasPrefix(r.Failed, "no "), r.Failed)
			}
		})
	}
}

func locate(platform string) error {
	_, err := plugin.Locate(plugin.Options{Platform: platform})
	return err
}

// TestCrash reports on plugins that end their process: when they are loaded, and when they make a
// client. The report contains their versions if the crash came later.
func TestCrash(t *testing.T) {
	runtimetest.Open(t, 1)
	needs.Cgo(t, runtime.HasPJRT)
	header := needs.PJRTHeader(t)
	for define, want := range map[string]inspect.Report{
		"-DLOADING": {},
		"-DCLIENT":  {API: "0.104", StableHLO: "1.2.3", Attributes: []inspect.Attribute{{"stablehlo_current_version", "1.2.3"}, {"xla_version", "2"}}},
	} {
		t.Run(define, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "libtpu.so")
			out, err := exec.Command("cc", "-shared", "-fPIC", define, "-I", header, "-o", path, filepath.Join("testdata", "crash.c")).CombinedOutput()
			require.NoError(t, err, "%s", out)
			require.NoError(t, os.Chmod(path, 0o755))
			t.Setenv(plugin.PathVar, path)
			r := inspect.Platform(t.Context(), "tpu")
			require.Regexp(t, `^the plugin's process ended without an answer: exit status 2; the last that it wrote:\nthis plugin has had enough\nSIGABRT: abort\n`, r.Failed)
			r.Failed, want.Platform, want.Plugin, want.Devices = "", "tpu", path, []inspect.Device{}
			require.Equal(t, want, r)
		})
	}
}
