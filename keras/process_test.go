//go:build cgo && linux

package keras_test

// This file tests what the import of keras and a training change in a process.

import (
	"bytes"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/gospmd/gospmd/runtime"
)

// snapshot is the state of a process, which the program testdata/process prints before and after a
// training.
type snapshot struct {
	Go, C, Children, Sockets, Files, Temporary, Threads []string
	Signals                                             map[string]string
	Directory, Kilobytes                                string
}

// These are limits for the process after the client is closed: the number of threads more, and the
// kilobytes of memory more.
const (
	// XLA keeps pools of threads for its host, not for a client, and Go keeps its threads.
	moreThreads = 24
	// The plugin stays loaded: its code, its tables and the heap of LLVM.
	moreKilobytes = 400 << 10
)

// A program that trains with keras and closes its client is as before: no variable of Go's
// environment or C's, child, socket, open file, temporary file, signal handler or signal mask is
// another one, and it stays in its directory. It prints nothing to stderr. Threads and memory grow
// by no more than moreThreads and moreKilobytes.
func TestProcess(t *testing.T) {
	if os.Getenv("GOSPMD_ENGINE") == runtime.EngineGo {
		t.Skip("GOSPMD_ENGINE is go: the test is of the PJRT engine")
	}
	main := filepath.Join(t.TempDir(), "process")
	out, err := exec.Command("go", "build", "-ldflags=-s -w", "-o", main, "./testdata/process").CombinedOutput()
	require.NoError(t, err, "%s", out)
	cmd := exec.Command(main)
	cmd.Env = append(os.Environ(), "TMPDIR="+t.TempDir(), "GOSPMD_COMPILATION_CACHE="+t.TempDir(), "XLA_FLAGS=", "TF_CPP_MIN_LOG_LEVEL=")
	var said bytes.Buffer
	cmd.Stderr = &said
	text, err := cmd.Output()
	require.NoError(t, err, "%s", &said)
	require.Empty(t, said.String())
	var s [2]snapshot
	require.NoError(t, json.Unmarshal(text, &s), "%s", text)
	before, after := s[0], s[1]
	threads, kilobytes := len(after.Threads)-len(before.Threads), number(t, after.Kilobytes)-number(t, before.Kilobytes)
	t.Logf("%d threads more: %q; %d kB more", threads, after.Threads, kilobytes)
	require.LessOrEqual(t, threads, moreThreads)
	require.LessOrEqual(t, kilobytes, moreKilobytes)
	for _, s := range []*snapshot{&before, &after} {
		require.NotEmpty(t, s.C)
		require.NotEmpty(t, s.Signals["SigCgt"])
		s.Threads, s.Kilobytes = nil, ""
	}
	require.Equal(t, before, after)
}

func number(t *testing.T, text string) int {
	t.Helper()
	n, err := strconv.Atoi(text)
	require.NoError(t, err)
	return n
}
