package main

// This file tests gospmd doctor: its report for findings that are JSON in testdata/doctor, and its
// findings on this machine.

import (
	"bytes"
	"encoding/json"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/tools/txtar"

	"github.com/gospmd/gospmd/internal/testing/golden"
	"github.com/gospmd/gospmd/runtime"
	"github.com/gospmd/gospmd/runtime/plugin"
)

func TestDoctorText(t *testing.T) {
	golden.Run(t, "testdata/doctor/*.txtar", 1, func(t *testing.T, a *txtar.Archive) map[string]string {
		var d diagnosis
		decoder := json.NewDecoder(bytes.NewReader(a.Files[0].Data))
		decoder.DisallowUnknownFields()
		require.NoError(t, decoder.Decode(&d))
		verdict := "0\n"
		if err := d.verdict(); err != nil {
			verdict = "1, " + err.Error() + "\n"
		}
		return map[string]string{"text": d.String(), "exit": verdict}
	})
}

// hideInstalled hides the plugins and caches of this machine from the test, and forbids downloads.
// It returns the user's cache directory that the test sees, which has only the compiled shim of
// Gloo.
func hideInstalled(t *testing.T) (cache string) {
	t.Helper()
	root := t.TempDir()
	cache = filepath.Join(root, "cache")
	if own, err := os.UserCacheDir(); err == nil { // keeps the compiled shim of Gloo
		require.NoError(t, os.MkdirAll(filepath.Join(cache, "gospmd"), 0o755))
		_ = os.Symlink(filepath.Join(own, "gospmd", "gloo"), filepath.Join(cache, "gospmd", "gloo"))
	}
	for name, value := range map[string]string{
		"HOME": root, "XDG_CACHE_HOME": cache, "VIRTUAL_ENV": "", "CONDA_PREFIX": "", "HTTPS_PROXY": "http://localhost:1",
		plugin.PathVar: "", plugin.DirsVar: "", "TPU_LIBRARY_PATH": "", runtime.PlatformVar: "",
	} {
		t.Setenv(name, value)
	}
	return cache
}

func doctor(t *testing.T, args ...string) (diagnosis, error) {
	t.Helper()
	var out bytes.Buffer
	failed := run(append([]string{"doctor", "-json"}, args...), nil, &out, io.Discard)
	var d diagnosis
	require.NoError(t, json.Unmarshal(out.Bytes(), &d), "%v", failed)
	return d, failed
}

// TestDoctorBare runs doctor on a machine without plugins. It must tell for each platform how to
// install one, fail for a chosen platform, recognize a damaged plugin, and download nothing.
func TestDoctorBare(t *testing.T) {
	cache := hideInstalled(t)
	d, err := doctor(t)
	if d.Platforms[0].Plugin != "" {
		t.Skip("a plugin is installed in the system: ", d.Platforms[0].Plugin)
	}
	require.ErrorContains(t, err, `doctor: programs cannot run on the platform "cpu": PJRT plugin for platform "cpu": not found: install it with`)
	require.Equal(t, exitError, exitCode(err))
	for i, name := range plugin.Platforms {
		require.Equal(t, name, d.Platforms[i].Platform)
		require.Equal(t, []string{"gospmd doctor -install " + name}, commandsOf(d.Platforms[i].Mend))
	}
	require.NoDirExists(t, filepath.Join(cache, "gospmd", "pjrt"))

	t.Setenv(runtime.PlatformVar, "tpu")
	d, err = doctor(t)
	require.ErrorContains(t, err, `programs cannot run on the platform "tpu"`)
	require.Equal(t, "tpu", d.Chosen)
	d, err = doctor(t, "-platform", "cuda")
	require.ErrorContains(t, err, `programs cannot run on the platform "cuda"`)
	require.Len(t, d.Platforms, 1)

	damaged := filepath.Join(cache, "gospmd", "pjrt", "libtpu-0.0.51", "libtpu.so")
	require.NoError(t, os.MkdirAll(filepath.Dir(damaged), 0o755))
	require.NoError(t, os.WriteFile(damaged, []byte("half"), 0o755))
	_, err = doctor(t)
	require.ErrorContains(t, err, "it was damaged or replaced; `gospmd doctor -install tpu` installs it again")
}

func commandsOf(all []mend) (commands []string) {
	for _, m := range all {
		commands = append(commands, m.Command)
	}
	return commands
}

// doctor reports on each platform of this machine: for the CPU it has found a plugin, with its
// version of StableHLO. Without cgo it must fail.
func TestDoctorHere(t *testing.T) {
	t.Setenv(runtime.PlatformVar, "")
	if !runtime.HasPJRT {
		_, err := doctor(t)
		require.Error(t, err)
		return
	}
	_, err := plugin.Find(t.Context(), plugin.Options{Platform: "cpu"})
	require.NoError(t, err)
	d, err := doctor(t)
	require.NoError(t, err)
	require.Len(t, d.Platforms, len(plugin.Platforms))
	require.Equal(t, "cpu", d.Platforms[0].Devices[0].Kind)
	require.NotEmpty(t, d.Platforms[0].StableHLO)
	require.NotEmpty(t, d.Cache)
}

func TestDoctorFlags(t *testing.T) {
	for args, want := range map[string]string{
		"-platform gpu":        `doctor: -platform "gpu" is not known: want one of cpu, cuda, tpu`,
		"-install abacus":      `doctor: -install: unsupported operation: there is no "abacus" to download for`,
		"tpu":                  `doctor: got ["tpu"], want flags only`,
		"-install tpu,nothing": `there is no "nothing" to download for`,
	} {
		t.Run(args, func(t *testing.T) {
			require.ErrorContains(t, run(append([]string{"doctor"}, strings.Fields(args)...), nil, io.Discard, io.Discard), want)
		})
	}
	require.Equal(t, []string{"tpu", "cuda"}, namesToInstall("tpu,cuda", false))
	require.Equal(t, []string{"cuda", "cuda-libraries", "cpu"}, namesToInstall("cuda,cpu", true))
}
