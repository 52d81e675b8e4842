package plugin_test

// This file tests plugins that must not be loaded, servers and processes that never end, and
// plugins that were damaged after their installation.

import (
	"bytes"
	"context"
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/gofrs/flock"
	"github.com/gomlx/go-xla/installer"
	"github.com/stretchr/testify/require"

	"github.com/gospmd/gospmd/internal/download"
	"github.com/gospmd/gospmd/runtime/plugin"
)

// hideOthers lets Find see nothing but what the test makes, and nothing that can be
// downloaded. It returns an empty directory, which is the current one.
func hideOthers(t *testing.T) string {
	t.Helper()
	root := t.TempDir()
	for name, value := range map[string]string{
		"HOME": root + "/home", "XDG_CACHE_HOME": root + "/cache", "VIRTUAL_ENV": "", "CONDA_PREFIX": "",
		plugin.PathVar: "", plugin.DirsVar: "", "HTTPS_PROXY": "http://localhost:1", "PATH": "",
	} {
		t.Setenv(name, value)
	}
	dir := filepath.Join(root, "here")
	require.NoError(t, os.Mkdir(dir, 0o755))
	t.Chdir(dir)
	return dir
}

func put(t *testing.T, path string, data []byte, mode os.FileMode) string {
	t.Helper()
	require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o755))
	require.NoError(t, os.WriteFile(path, data, 0o644))
	require.NoError(t, os.Chmod(path, mode))
	return path
}

// TestEmptyElement searches lists of directories with empty elements. No plugin is loaded from the
// current directory.
func TestEmptyElement(t *testing.T) {
	dir := hideOthers(t)
	put(t, filepath.Join(dir, "xla_cpu_pjrt.so"), library(0), 0o644)
	other := put(t, filepath.Join(t.TempDir(), "[a]*", "xla_cpu_pjrt.so"), library(0), 0o644)
	for _, list := range []string{":", "::", ":/nowhere", "/nowhere:", "/nowhere::/none"} {
		t.Setenv(plugin.DirsVar, list)
		path, err := plugin.Locate(plugin.Options{Platform: "cpu"})
		require.NotEqual(t, dir, filepath.Dir(path), "%q", list)
		if err != nil { // no plugin is installed in the system
			require.ErrorIs(t, err, plugin.ErrMissing)
		}
	}
	t.Setenv(plugin.DirsVar, ":"+filepath.Dir(other)) // wildcards in a directory's name do not count
	require.Equal(t, other, find(t, plugin.Options{Platform: "cpu"}))
	t.Setenv(plugin.DirsVar, ".") // the current directory is named
	require.Equal(t, filepath.Join(dir, "xla_cpu_pjrt.so"), find(t, plugin.Options{Platform: "cpu"}))
}

// TestUnusable names plugins that Find must refuse: those that other users can change, those that
// another user owns, which only root can test, and damaged ones. The error says what is wrong. If
// only their directory is named, Find must skip them.
func TestUnusable(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("reads the headers of Linux' libraries")
	}
	dir := hideOthers(t)
	open := filepath.Join(dir, "open")
	require.NoError(t, os.Mkdir(open, 0o755))
	inOpen := put(t, filepath.Join(open, "a.so"), library(0), 0o644)
	require.NoError(t, os.Chmod(open, 0o777))
	link := filepath.Join(dir, "link.so")
	require.NoError(t, os.Symlink(inOpen, link))
	paths := map[string]string{
		put(t, filepath.Join(dir, "group.so"), library(0), 0o664): "can be changed by other users (-rw-rw-r--), and its code is run: chmod go-w",
		put(t, filepath.Join(dir, "all.so"), library(0), 0o646):   "can be changed by other users (-rw-r--rw-)",
		inOpen: open + " can be changed by other users (drwxrwxrwx)",
		link:   open + " can be changed by other users",
		put(t, filepath.Join(dir, "cut.so"), library(1000), 0o644):            "is cut off: it has 120 bytes, want at least 1120",
		put(t, filepath.Join(dir, "text.so"), []byte("not a library"), 0o644): "is no shared library, or is damaged",
		put(t, filepath.Join(dir, "empty.so"), nil, 0o644):                    "is no shared library, or is damaged",
		filepath.Join(dir, "absent.so"):                                       "no such file",
	}
	if os.Geteuid() == 0 {
		foreign := put(t, filepath.Join(dir, "foreign.so"), library(0), 0o644)
		require.NoError(t, os.Chown(foreign, 12345, 0))
		paths[foreign] = "belongs to the user 12345: want it to be yours or root's"
	}
	for path, want := range paths {
		t.Run(filepath.Base(path), func(t *testing.T) {
			_, err := plugin.Find(t.Context(), plugin.Options{Platform: "cpu", Path: path})
			require.ErrorContains(t, err, want)
			t.Setenv(plugin.PathVar, path)
			_, err = plugin.Find(t.Context(), plugin.Options{Platform: "cpu"})
			require.ErrorContains(t, err, want)
			require.ErrorContains(t, err, "$GOSPMD_PJRT_PLUGIN names the PJRT plugin "+path)
		})
	}
	// If the user has not named the plugin, Find skips it.
	dirs := t.TempDir()
	put(t, filepath.Join(dirs, "pjrt_c_api_cpu_v2_plugin.so"), library(0), 0o666)
	good := put(t, filepath.Join(dirs, "pjrt_c_api_cpu_v1_plugin.so"), library(0), 0o644)
	t.Setenv(plugin.DirsVar, dirs)
	require.Equal(t, good, find(t, plugin.Options{Platform: "cpu"}))
}

// TestDamagedPlugin damages an installed plugin in several ways. Check must return a *HashError,
// and Install installs it again, with a message. An undamaged one is not downloaded again, even if
// its time has changed, or its stamp is damaged or lost.
func TestDamagedPlugin(t *testing.T) {
	contents := bytes.Repeat([]byte("plugin"), 1<<12)
	r, wheel := fakeRelease(t, contents)
	served := 0
	src := index(t, r, func(w http.ResponseWriter, _ *http.Request) { served++; w.Write(wheel) })
	var out bytes.Buffer
	in := &plugin.Installer{Dir: filepath.Join(t.TempDir(), "cache[1]"), Release: r, Sources: []plugin.Source{src}, Output: &out}
	install := func() {
		t.Helper()
		path, err := in.Install(t.Context())
		require.NoError(t, err)
		got, err := os.ReadFile(path)
		require.NoError(t, err)
		require.Equal(t, contents, got)
		require.NoError(t, in.Check())
	}
	install()
	install()
	require.Equal(t, 1, served)
	for name, damage := range map[string]func(path string) error{
		"cut off": func(path string) error { return os.Truncate(path, 100) },
		"flipped bit": func(path string) error {
			info, err := os.Stat(path)
			require.NoError(t, err)
			changed := bytes.Clone(contents)
			changed[99] ^= 1
			require.NoError(t, os.WriteFile(path, changed, 0o755))
			return os.Chtimes(path, info.ModTime(), info.ModTime())
		},
		"empty": func(path string) error { return os.WriteFile(path, nil, 0o755) },
	} {
		t.Run(name, func(t *testing.T) {
			out.Reset()
			before := served
			require.NoError(t, damage(in.Path()))
			var hash *plugin.HashError
			require.ErrorAs(t, in.Check(), &hash)
			install()
			require.Equal(t, before+1, served)
			require.Contains(t, out.String(), "gospmd: XLA's CPU plugin is installed again: "+in.Path()+" has the SHA-256")
		})
	}
	out.Reset()
	// the time has changed, but not the contents
	require.NoError(t, os.Chtimes(in.Path(), time.Now(), time.Now()))
	install()
	require.NotContains(t, out.String(), "again")
	require.NoError(t, os.WriteFile(in.Path()+".checked", []byte("{"), 0o644))
	install()
	require.NoError(t, os.Remove(in.Path()+".checked"))
	install()
}

// TestWaiting waits for a process that holds the installer's lock and does nothing. A message must
// name that process, and Install must fail after Patience. When the process is killed, Install
// succeeds.
func TestWaiting(t *testing.T) {
	dir := os.Getenv("PLUGIN_TEST_HOLD")
	if dir != "" {
		require.NoError(t, flock.New(filepath.Join(dir, "lock")).Lock())
		require.NoError(t, os.WriteFile(filepath.Join(dir, "lock"), fmt.Appendln(nil, os.Getpid()), 0o644))
		fmt.Println("held")
		time.Sleep(time.Hour) // without cgo, Go ends a program whose goroutines all wait forever
	}
	r, wheel := fakeRelease(t, []byte("plugin"))
	var out bytes.Buffer
	in := &plugin.Installer{Dir: t.TempDir(), Release: r, Output: &out, Patience: 200 * time.Millisecond,
		Sources: []plugin.Source{index(t, r, func(w http.ResponseWriter, _ *http.Request) { w.Write(wheel) })}}
	other := exec.Command(os.Args[0], "-test.run=^TestWaiting$")
	other.Env = append(os.Environ(), "PLUGIN_TEST_HOLD="+in.Dir)
	held, err := other.StdoutPipe()
	require.NoError(t, err)
	require.NoError(t, other.Start())
	_, err = held.Read(make([]byte, 4))
	require.NoError(t, err)
	_, err = in.Install(t.Context())
	name := fmt.Sprintf("process %d", other.Process.Pid)
	require.ErrorContains(t, err, name+" has not installed it within 200ms: end it if it hangs, and run this program again")
	require.Contains(t, out.String(), "gospmd: waiting for "+name+", which installs XLA's CPU plugin, at most 200ms")
	require.NoError(t, other.Process.Kill())
	_ = other.Wait()
	_, err = in.Install(t.Context())
	require.NoError(t, err)
}

// TestMuteServer installs from servers that accept connections but never answer, and from a pip
// that never ends. Each must be given up within a minute, with an error that says why, and leave no
// file but the lock.
func TestMuteServer(t *testing.T) {
	r, _ := fakeRelease(t, []byte("plugin"))
	mute := func(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() }
	client := &http.Client{Timeout: 100 * time.Millisecond}
	python := filepath.Join(t.TempDir(), "python")
	require.NoError(t, os.WriteFile(python, []byte("#!/bin/sh\nsleep 600\n"), 0o755))
	served := index(t, r, mute)
	served.Client = client
	looking := &plugin.Index{Lookup: func(ctx context.Context, _ string, show *download.Progress) (*installer.PipPackageInfo, error) {
		info, err := served.Lookup(ctx, r.Package, show)
		if err != nil {
			return nil, err
		}
		request := download.Request{URL: info.Releases[r.Version][0].URL, Answer: 100 * time.Millisecond}
		return nil, request.Fetch(ctx, &bytes.Buffer{}, show)
	}}
	for want, source := range map[string]plugin.Source{
		"did not answer in 100ms":                      looking,
		"Client.Timeout exceeded":                      served,
		"-m pip download: it did not end within 100ms": &plugin.Pip{Python: python, Limit: 100 * time.Millisecond},
	} {
		t.Run(want, func(t *testing.T) {
			in := &plugin.Installer{Dir: t.TempDir(), Release: r, Sources: []plugin.Source{source}, Output: &bytes.Buffer{}}
			start := time.Now()
			_, err := in.Install(t.Context())
			require.ErrorContains(t, err, want)
			require.Less(t, time.Since(start), time.Minute)
			require.False(t, strings.Contains(err.Error(), "BUG"))
			requireNothingLeft(t, in.Dir)
		})
	}
}
