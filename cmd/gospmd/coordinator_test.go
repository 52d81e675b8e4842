package main

// This file tests gospmd coordinator in a child process.

import (
	"bufio"
	"bytes"
	"context"
	"io"
	"log/slog"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/gospmd/gospmd/runtime/coordination"
)

const testSecret = "0123456789abcdef0123456789abcdef"

// startCoordinator starts gospmd coordinator, with args and env, as a process on a free port. It
// returns the process, the address that it listens on, and its standard error.
func startCoordinator(t *testing.T, args []string, env ...string) (cmd *exec.Cmd, address string, diag *bytes.Buffer) {
	self, err := os.Executable()
	require.NoError(t, err)
	cmd, diag = exec.Command(self, append([]string{"coordinator", "-address", "127.0.0.1:0"}, args...)...), &bytes.Buffer{}
	cmd.Env = append(append(os.Environ(), asCommand+"=1"), env...)
	cmd.Stderr = diag
	out, err := cmd.StdoutPipe()
	require.NoError(t, err)
	require.NoError(t, cmd.Start())
	t.Cleanup(func() { cmd.Process.Kill(); cmd.Wait() })
	line, err := bufio.NewReader(out).ReadString('\n')
	require.NoError(t, err, "%v", diag)
	address, found := strings.CutPrefix(strings.TrimSpace(line), "listening at ")
	require.True(t, found, line)
	return cmd, address, diag
}

// joinAll joins the job name at the coordinator as len(secrets) processes at once, each with its
// own secret, and leaves it. It returns the error of each process.
func joinAll(address, name string, secrets ...string) []error {
	errs := make([]error, len(secrets))
	var wait sync.WaitGroup
	for rank, secret := range secrets {
		wait.Go(func() {
			s, err := coordination.Join(context.Background(), coordination.Options{Endpoints: address, JobName: name, NumProcesses: len(secrets), ProcessID: rank,
				Secret: secret, JoinTimeout: 20 * time.Second, Logger: slog.New(slog.DiscardHandler)})
			if err == nil {
				err = s.Leave(context.Background())
			}
			errs[rank] = err
		})
	}
	wait.Wait()
	return errs
}

// A coordinator serves several jobs, one after the other and at the same time. SIGTERM ends it.
func TestCoordinator(t *testing.T) {
	cmd, address, diag := startCoordinator(t, []string{"-n", "2"}, "GOSPMD_JOB_SECRET="+testSecret)
	for range 2 {
		require.Equal(t, make([]error, 2), joinAll(address, "", testSecret, testSecret))
	}
	var both sync.WaitGroup
	for _, name := range []string{"a", "b"} {
		both.Go(func() { require.Equal(t, make([]error, 2), joinAll(address, name, testSecret, testSecret)) })
	}
	both.Wait()
	require.NoError(t, cmd.Process.Signal(syscall.SIGTERM))
	require.NoError(t, cmd.Wait())
	require.Empty(t, diag.String())
}

func TestCoordinatorUsage(t *testing.T) {
	for _, name := range []string{"GOSPMD_JOB_SECRET", "GOSPMD_JOB_CERT", "GOSPMD_JOB_KEY", "GOSPMD_JOB_CA"} {
		t.Setenv(name, "")
	}
	file := filepath.Join(t.TempDir(), "secret")
	require.NoError(t, os.WriteFile(file, []byte("short\n"), 0o600))
	for _, tc := range []struct {
		name string
		args []string
		want string
	}{
		{"an argument", []string{"now"}, `coordinator: got the argument "now", want flags only`},
		{"a number", []string{"-n", "-1"}, "coordinator: -n is -1"},
		{"another machine", []string{"-address", "192.0.2.1:1"}, "coordinator: cannot listen at 192.0.2.1:1: "},
		{"no file", []string{"-secret", "nowhere"}, "coordinator: -secret: open nowhere"},
		{"a short secret", []string{"-secret", file}, "the secret of the job has 5 bytes, want at least 32 random ones: make one with openssl rand -hex 32"},
		{"half of TLS", []string{"-cert", "a.pem"}, `got "a.pem", "" and "": give all three or none`},
		{"both", []string{"-cert", "a.pem", "-secret", file}, "there are certificates and a secret: give one of them"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			err := run(append([]string{"coordinator"}, tc.args...), strings.NewReader(""), io.Discard, io.Discard)
			require.ErrorContains(t, err, tc.want)
		})
	}
}
