package checkpoint_test

// This file lets each system call of a saving process fail, or be its last: strace does that to a
// child process.

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/gospmd/gospmd/checkpoint"
	"github.com/gospmd/gospmd/internal/testing/longtest"
	"github.com/gospmd/gospmd/internal/testing/needs"
)

// TestEverySystemCall saves step 2 after 1, while one system call fails or kills the process: the
// n-th of its kind, for all n. The newest checkpoint must be complete. It must be that of step 2 if
// the process reported success. The next saving removes unfinished files.
func TestEverySystemCall(t *testing.T) {
	longtest.SkipShort(t, "it starts a hundred processes")
	strace := needs.Tool(t, "strace", "strace")
	if out, err := exec.Command(strace, "-o", os.DevNull, "true").CombinedOutput(); err != nil {
		needs.Skip(t, "strace that may trace", "allow the system call ptrace", err, ": ", string(out))
	}
	first := t.TempDir()
	store, err := checkpoint.NewStore(first, 2)
	require.NoError(t, err)
	for step := range 2 { // step 0 is removed when step 2 is saved
		require.NoError(t, store.Save(t.Context(), step, []checkpoint.Tensor{{Name: "x", Source: constant(step)}}, nil))
	}
	// run runs a saver in a copy of the directory.
	run := func(t *testing.T, args ...string) (dir string, said bool, log string) {
		t.Helper()
		dir = t.TempDir()
		require.NoError(t, os.CopyFS(dir, os.DirFS(first)))
		record := filepath.Join(t.TempDir(), "log")
		cmd := exec.Command(strace, append(append([]string{"-f", "-o", record}, args...), os.Args[0])...)
		cmd.Env = append(os.Environ(), onceDir+"="+dir)
		out, _ := cmd.Output()
		text, err := os.ReadFile(record)
		require.NoError(t, err)
		return dir, strings.TrimSpace(string(out)) == "2", string(text)
	}
	var faults, saved atomic.Int32
	t.Cleanup(func() { t.Logf("%d faults; in %d step 2 was saved", faults.Load(), saved.Load()) })
	for _, call := range []string{"openat", "fcntl", "write", "fchmod", "fsync", "renameat", "unlinkat"} {
		t.Run(call, func(t *testing.T) {
			t.Parallel()
			_, said, log := run(t, "-e", "trace="+call)
			require.True(t, said)
			n := strings.Count(log, call+"(")
			require.Positive(t, n)
			for at := 1; at <= n; at++ {
				for _, fault := range []string{"error=ENOSPC", "error=EINVAL", "error=EIO", "signal=KILL"} {
					dir, said, log := run(t, "-e", "trace="+call, "-e", fmt.Sprintf("inject=%s:%s:when=%d", call, fault, at))
					store, err := checkpoint.NewStore(dir, 2)
					require.NoError(t, err)
					step := newestStep(t, store)
					require.True(t, step == 2 || !said, "call %d: %s: it said that it saved\n%s", at, fault, log)
					faults.Add(1)
					if step == 2 {
						saved.Add(1)
					}
					require.NoError(t, store.Save(t.Context(), 3, []checkpoint.Tensor{{Name: "x", Source: constant(3)}}, nil))
					require.Equal(t, 3, newestStep(t, store))
					left, err := filepath.Glob(filepath.Join(dir, ".*"))
					require.NoError(t, err)
					require.Empty(t, left, "what was left unfinished")
				}
			}
		})
	}
}
