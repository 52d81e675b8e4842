package plugin_test

// This file tests bundles: several wheels with several files each, and the table of bundles.

import (
	"archive/zip"
	"bytes"
	"io/fs"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/gospmd/gospmd/runtime/plugin"
)

// wheelOf returns a release with the given name, and its wheel, a zip file of the members, whose
// contents are in files.
func wheelOf(t *testing.T, name string, files map[string]string, members ...string) (plugin.Release, []byte) {
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	r := plugin.Release{What: name, Package: name, Version: "1.0", Wheel: name + "-1.0-py3-none-any.whl", Dir: "together"}
	for _, m := range members {
		w, err := z.Create(m)
		require.NoError(t, err)
		_, err = w.Write([]byte(files[m]))
		require.NoError(t, err)
		r.Members = append(r.Members, plugin.Member{Path: m, SHA256: hash([]byte(files[m]))})
	}
	require.NoError(t, z.Close())
	r.SHA256 = hash(b.Bytes())
	return r, b.Bytes()
}

// TestSeveralFiles installs wheels with several files, and again after a file was damaged or lost.
// Only the wheel of that file is fetched again.
func TestSeveralFiles(t *testing.T) {
	files := map[string]string{"plugins/cuda/a.so": "a", "nvidia/cu13/bin/ptxas": "ptxas", "nvidia/cu13/bin/nvlink": "nvlink"}
	dir := t.TempDir()
	served := map[string]int{}
	var all []*plugin.Installer
	for name, members := range map[string][]string{"one": {"plugins/cuda/a.so"}, "two": {"nvidia/cu13/bin/ptxas", "nvidia/cu13/bin/nvlink"}} {
		r, wheel := wheelOf(t, name, files, members...)
		src := index(t, r, func(w http.ResponseWriter, _ *http.Request) { served[name]++; w.Write(wheel) })
		all = append(all, &plugin.Installer{Dir: dir, Release: r, Sources: []plugin.Source{src}, Output: &bytes.Buffer{}})
	}
	install := func() {
		t.Helper()
		for _, in := range all {
			_, err := in.Install(t.Context())
			require.NoError(t, err)
			require.NoError(t, in.Check())
		}
		for name, want := range files {
			got, err := os.ReadFile(filepath.Join(dir, "together", name))
			require.NoError(t, err)
			require.Equal(t, want, string(got))
		}
	}
	install()
	install()
	require.Equal(t, map[string]int{"one": 1, "two": 1}, served)
	nvlink := filepath.Join(dir, "together/nvidia/cu13/bin/nvlink")
	require.NoError(t, os.Remove(nvlink))
	for _, in := range all {
		if in.Release.Package == "two" {
			require.ErrorIs(t, in.Check(), fs.ErrNotExist)
		}
	}
	install()
	require.NoError(t, os.WriteFile(nvlink, []byte("nvlinK"), 0o755))
	install()
	require.Equal(t, map[string]int{"one": 1, "two": 3}, served)
	info, err := os.Stat(nvlink)
	require.NoError(t, err)
	require.Equal(t, fs.FileMode(0o755), info.Mode(), "it is run")
}

// TestBundles checks the table of bundles: names of wheels, sizes, checksums and paths must fit
// together, and names that are not in it are errors.
func TestBundles(t *testing.T) {
	sum := regexp.MustCompile("^[0-9a-f]{64}$")
	for system, bundles := range plugin.AllBundles {
		for _, b := range bundles {
			places := map[string]bool{}
			for _, r := range b.Releases {
				tag := map[string]string{"linux/amd64": "x86_64", "linux/arm64": "aarch64"}[system]
				require.True(t, strings.HasSuffix(r.Wheel, "_"+tag+".whl"), r.Wheel)
				require.True(t, strings.HasPrefix(r.Wheel, strings.ReplaceAll(r.Package, "-", "_")+"-"+r.Version+"-"), r.Wheel)
				require.Regexp(t, sum, r.SHA256)
				require.Greater(t, r.Bytes, int64(1e6), r.Wheel)
				require.NotEmpty(t, r.Members)
				for _, m := range r.Members {
					require.Regexp(t, sum, m.SHA256)
					require.False(t, places[m.Path], "%s twice", m.Path)
					places[m.Path] = true
				}
			}
		}
	}
	_, err := plugin.BundleNamed("gpu")
	require.ErrorContains(t, err, `there is no "gpu" to download for`)
	_, err = plugin.BundleFor("plan9/386", "cpu")
	require.ErrorContains(t, err, "there is no plugin to download for plan9/386 (only for linux/amd64 and linux/arm64): build one from OpenXLA and set $GOSPMD_PJRT_PLUGIN to it")
}

// TestPipFlags checks the flags for wheels' names: pip must choose the wheel in any Python.
func TestPipFlags(t *testing.T) {
	for wheel, want := range map[string]string{
		"xla_cpu_pjrt-0.0.1-py3-none-manylinux_2_27_x86_64.whl":                       "--platform manylinux_2_27_x86_64",
		"libtpu-0.0.51-cp311-cp311-manylinux_2_31_x86_64.whl":                         "--implementation cp --python-version 3.11 --abi cp311 --platform manylinux_2_31_x86_64",
		"nvidia_nvvm-13.5.37-py3-none-manylinux2010_x86_64.manylinux_2_12_x86_64.whl": "--platform manylinux2010_x86_64 --platform manylinux_2_12_x86_64",
		"a-1-py3-none-any.whl": "",
	} {
		require.Equal(t, strings.TrimSpace("--no-deps --only-binary :all: "+want), strings.Join(plugin.PipFlags(plugin.Release{Wheel: wheel}), " "))
	}
}
