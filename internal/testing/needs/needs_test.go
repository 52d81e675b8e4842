package needs_test

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"sync"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/gospmd/gospmd/internal/testing/needs"
)

// recorder is a testing.TB that records the message of a skip, instead of skipping.
type recorder struct {
	testing.TB
	skipped string
}

func (r *recorder) Helper() {}

// Skip records the reason, and ends the goroutine as a test does.
func (r *recorder) Skip(args ...any) {
	r.skipped = fmt.Sprint(args...)
	runtime.Goexit()
}

// reason calls need with a recorder as its test, and returns the message of its skip; empty if it
// does not skip.
func reason(t *testing.T, need func(t testing.TB)) string {
	r := &recorder{TB: t}
	var wait sync.WaitGroup
	wait.Go(func() { need(r) })
	wait.Wait()
	return r.skipped
}

func TestMessages(t *testing.T) {
	t.Setenv("PATH", t.TempDir())
	t.Setenv("CXX", "")
	t.Setenv(needs.MNISTVar, "")
	for _, tc := range []struct {
		name       string
		need       func(t testing.TB)
		what, want string
	}{
		{"tool", func(t testing.TB) { needs.Tool(t, "chromium", "chromium", "google-chrome") }, "chromium",
			`needs chromium: apt-get install chromium (exec: "google-chrome": executable file not found in $PATH)`},
		{"gloo", needs.Gloo, "Gloo", `needs Gloo: apt-get install libgloo-dev g++ (exec: "g++": executable file not found in $PATH)`},
		{"cgo", func(t testing.TB) { needs.Cgo(t, false) }, "cgo", "needs cgo: install a C compiler, and do not set CGO_ENABLED=0"},
		{"root", func(t testing.TB) { needs.Root(t, fmt.Errorf("mount: %w", syscall.EPERM)) }, "root", "needs root: run the tests as root (mount: operation not permitted)"},
		{"header", func(t testing.TB) { needs.PJRTHeader(t) }, "cc", `needs cc: apt-get install gcc (exec: "cc": executable file not found in $PATH)`},
		{"MNIST", func(t testing.TB) { needs.MNIST(t) }, "MNIST", "needs MNIST: set $GOSPMD_MNIST_DIR to a directory with its files"},
		{"plugin", func(t testing.TB) { needs.Plugin(t, "tpu", errors.New("not\nfound")) }, "the plugin for tpu", "needs the plugin for tpu: gospmd doctor -install tpu (not found)"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			got := reason(t, tc.need)
			require.Equal(t, tc.want, got)
			what, fix, ok := needs.Parse("    some_test.go:12: " + got + "\n")
			require.True(t, ok)
			require.Equal(t, tc.what, what)
			require.Contains(t, tc.want, ": "+fix)
			require.NotContains(t, fix, "(")
		})
	}
}

// A test that needs a tool, the data set, cgo or root is not skipped if these are there; Tool and
// MNIST return the paths.
func TestFound(t *testing.T) {
	dir := t.TempDir()
	t.Setenv("PATH", dir)
	t.Setenv(needs.MNISTVar, dir)
	for _, name := range []string{"strace", "g++"} {
		require.NoError(t, os.WriteFile(filepath.Join(dir, name), []byte("#!/bin/sh\n"), 0o755))
	}
	require.Empty(t, reason(t, func(r testing.TB) {
		require.Equal(t, filepath.Join(dir, "strace"), needs.Tool(r, "strace", "none", "strace"))
		require.Equal(t, dir, needs.MNIST(r))
		needs.Gloo(r)
		needs.Cgo(r, true)
		needs.Root(r, nil)
		needs.Root(r, syscall.ENOSPC)
	}))
}

func TestParseOthers(t *testing.T) {
	for _, line := range []string{"--- SKIP: TestX (0.00s)\n", "    x_test.go:1: it is run by TestY\n", "needs strace: apt-get install strace", "    x_test.go:1: it needs time: much\n"} {
		_, _, ok := needs.Parse(line)
		require.False(t, ok, line)
	}
}
