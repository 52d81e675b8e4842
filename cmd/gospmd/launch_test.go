package main

// This file tests gospmd launch with shell scripts as programs.

import (
	"bufio"
	"bytes"
	"crypto/x509"
	"encoding/pem"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/creack/pty"
	"github.com/stretchr/testify/require"

	"github.com/gospmd/gospmd/internal/testing/needs"
	"github.com/gospmd/gospmd/runtime/coordination/jobtls"
)

// runScript runs a shell script by launch, with these flags, and returns the output and the
// standard error of all processes.
func runScript(t *testing.T, script string, flags ...string) (out, diag string, err error) {
	needs.Tool(t, "dash", "sh")
	var o, d bytes.Buffer
	err = run(slices.Concat([]string{"launch"}, flags, []string{"--", "sh", "-c", script}), strings.NewReader(""), &o, &d)
	return o.String(), d.String(), err
}

func TestLaunch(t *testing.T) {
	out, diag, err := runScript(t, `echo $GOSPMD_PROCESS_ID of $GOSPMD_NUM_PROCESSES at $GOSPMD_COORDINATOR with $GOSPMD_CPU_DEVICES; echo problem >&2`, "-n", "3", "-devices", "2")
	require.NoError(t, err)
	lines := strings.Split(strings.TrimSpace(out), "\n")
	slices.Sort(lines)
	require.Len(t, lines, 3)
	var address string
	for rank, line := range lines {
		var host, at string
		n, err := fmt.Sscanf(line, fmt.Sprintf("[%d] %d of 3 at %%s with %%s", rank, rank), &at, &host)
		require.NoError(t, err, line)
		require.Equal(t, 2, n)
		require.True(t, address == "" || address == at, "all get the same address")
		require.True(t, strings.HasPrefix(at, "127.0.0.1:"), at)
		require.Equal(t, "2", host)
		address = at
		require.Contains(t, diag, fmt.Sprintf("[%d] problem\n", rank))
	}
}

// Lines are not mixed. Text that a carriage return overwrites is dropped. A last line needs no end.
func TestLaunchLines(t *testing.T) {
	out, _, err := runScript(t, `printf 'one '; sleep 0.1; printf 'line\nbar 1/2\rbar 2/2 done\nwindows\r\n\rlast'`, "-n", "2")
	require.NoError(t, err)
	for rank := range 2 {
		var own []string
		for _, line := range strings.Split(strings.TrimSuffix(out, "\n"), "\n") {
			if text, ok := strings.CutPrefix(line, fmt.Sprintf("[%d] ", rank)); ok {
				own = append(own, text)
			}
		}
		require.Equal(t, []string{"one line", "bar 2/2 done", "windows", "last"}, own)
	}
}

// When a process fails, launch ends the others before their grace is over. Its error names the
// first failure with the process's last message, and has its exit code.
func TestLaunchFailure(t *testing.T) {
	const stay = `if [ $GOSPMD_PROCESS_ID != 1 ]; then exec sleep 60; fi; `
	for _, tc := range []struct {
		name, script string
		code         int
		want         string
	}{
		{"an exit code", stay + "echo first >&2; echo no such layer >&2; exit 7", 7, "launch: process 1 of 3 failed first (exit status 7): no such layer"},
		{"of go run", stay + "echo no such layer >&2; echo exit status 1 >&2; exit 1", 1, "failed first (exit status 1): no such layer"},
		{"a panic", stay + "echo panic: oh >&2; echo >&2; echo goroutine 1 >&2; exit 2", 2, "failed first (exit status 2): panic: oh"},
		{"a signal", stay + "kill -9 $$", 137, "failed first (signal: killed) and wrote no error"},
		{"nothing said", stay + "exit 3", 3, "failed first (exit status 3) and wrote no error"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			begun := time.Now()
			_, _, err := runScript(t, tc.script, "-n", "3", "-grace", "1m")
			require.ErrorContains(t, err, tc.want)
			require.Equal(t, tc.code, exitCode(err))
			require.Less(t, time.Since(begun), 50*time.Second, "the others were ended before the grace was over")
		})
	}
}

// A process that ignores SIGTERM is killed, with all processes that it has started.
func TestLaunchGrace(t *testing.T) {
	file := filepath.Join(t.TempDir(), "pids")
	begun := time.Now()
	_, _, err := runScript(t, `if [ $GOSPMD_PROCESS_ID = 0 ]; then until [ -s `+file+` ]; do sleep 0.05; done; exit 1; fi; trap '' TERM; sleep 60 & echo $! >> `+file+`; wait; sleep 60`, "-n", "2", "-grace", "500ms")
	require.ErrorContains(t, err, "process 0 of 2 failed first")
	require.Less(t, time.Since(begun), 50*time.Second)
	text, err := os.ReadFile(file)
	require.NoError(t, err)
	var pid int
	_, err = fmt.Sscan(string(text), &pid)
	require.NoError(t, err)
	require.Eventually(t, func() bool { return !runs(pid) }, 30*time.Second, 10*time.Millisecond, "what the process started is gone")
}

// If the store fails, the job ends with an error that says so.
func TestLaunchStoreFails(t *testing.T) {
	needs.Tool(t, "dash", "sh")
	l := &launch{processes: 1, program: []string{"sh", "-c", "sleep 60"}, grace: time.Second, out: io.Discard, diag: io.Discard}
	job, err := hostJob(t.Context(), l.processes, l.tls, l.diag)
	require.NoError(t, err)
	defer job.close()
	c, err := l.start(0, job, newMerged(l.out, l.diag))
	require.NoError(t, err)
	ended, failed := make(chan *child, 1), make(chan error, 1)
	go func() { c.wait(); ended <- c }()
	failed <- errors.New("no space left on device")
	err = l.supervise([]*child{c}, ended, nil, failed)
	require.EqualError(t, err, "launch: the store of the job has failed: no space left on device")
}

// runs reports whether a process exists and is no zombie.
func runs(pid int) bool {
	status, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
	return err == nil && !bytes.Contains(status, []byte("State:\tZ"))
}

// The whole standard error of each process is kept in a file of the directory of logs, and the
// error of the job names the file of the process that failed.
func TestLaunchLogs(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "a", "logs")
	first := filepath.Join(t.TempDir(), "first") // process 0 has written
	_, _, err := runScript(t, `printf 'a\rb %s\nno end' $GOSPMD_PROCESS_ID >&2; [ $GOSPMD_PROCESS_ID = 0 ] && exec touch `+first+`; until [ -e `+first+` ]; do sleep 0.05; done; exit 1`, "-n", "2", "-logs", dir)
	require.ErrorContains(t, err, ": no end; all that it wrote is in "+filepath.Join(dir, "rank1.err"))
	for rank := range 2 {
		text, err := os.ReadFile(filepath.Join(dir, fmt.Sprintf("rank%d.err", rank)))
		require.NoError(t, err)
		require.Equal(t, fmt.Sprintf("a\rb %d\nno end", rank), string(text))
	}
}

// If a process does not start, the file of its standard error is closed.
func TestLaunchClosesLogs(t *testing.T) {
	dir := t.TempDir()
	err := run([]string{"launch", "-n", "1", "-logs", dir, "--", "no-such-program"}, strings.NewReader(""), io.Discard, io.Discard)
	require.ErrorContains(t, err, "no-such-program")
	require.FileExists(t, filepath.Join(dir, "rank0.err"))
	open, err := filepath.Glob("/proc/self/fd/*")
	require.NoError(t, err)
	require.NotEmpty(t, open)
	for _, fd := range open {
		file, _ := os.Readlink(fd) // the one of Glob is closed
		require.NotContains(t, file, dir)
	}
}

// launch passes Ctrl-C on to all processes, which may end in order: their last output is printed,
// and launch has the exit code of the first.
func TestLaunchInterrupt(t *testing.T) {
	self, err := os.Executable()
	require.NoError(t, err)
	cmd := exec.Command(self, "launch", "-n", "2", "--", "sh", "-c", `trap 'echo saved; exit 5' INT; echo ready; while :; do sleep 0.05; done`)
	cmd.Env = append(os.Environ(), asCommand+"=1")
	var errors bytes.Buffer
	cmd.Stderr = &errors
	out, err := cmd.StdoutPipe()
	require.NoError(t, err)
	require.NoError(t, cmd.Start())
	ready := make([]byte, len("[0] ready\n[1] ready\n"))
	_, err = io.ReadFull(out, ready)
	require.NoError(t, err)
	require.NoError(t, cmd.Process.Signal(syscall.SIGINT))
	rest, err := io.ReadAll(out)
	require.NoError(t, err)
	require.Contains(t, string(rest), "[0] saved\n")
	require.Contains(t, string(rest), "[1] saved\n")
	require.Error(t, cmd.Wait())
	require.Equal(t, 5, cmd.ProcessState.ExitCode())
	require.Contains(t, errors.String(), "failed first (exit status 5)")
}

// On a terminal, process 0 has a terminal too, and shows its progress bar. The bars of other
// processes are dropped.
func TestLaunchTerminal(t *testing.T) {
	master, slave, err := pty.Open()
	if err != nil {
		needs.Skip(t, "a terminal", "mount devpts on /dev/pts", err)
	}
	defer master.Close()
	read := make(chan string)
	go func() {
		text, _ := io.ReadAll(master) // ends with an error
		read <- string(text)
	}()
	script := `[ -t 1 ] && echo terminal; printf '\r1/3'; sleep 0.2; [ $GOSPMD_PROCESS_ID = 1 ] || sleep 0.5; printf '\r2/3'; sleep 0.1; printf '\r3/3\n'`
	err = run([]string{"launch", "-n", "2", "--", "sh", "-c", script}, strings.NewReader(""), slave, io.Discard)
	require.NoError(t, err)
	slave.Close()
	text := <-read
	require.Contains(t, text, "[0] terminal")
	require.NotContains(t, text, "[1] terminal")
	require.Contains(t, text, "[0] 1/3")
	require.Contains(t, text, "\r[0] 3/3\x1b[K\r\n")
	require.NotContains(t, text, "[1] 1/3")
	require.Contains(t, text, "[1] 3/3\r\n")
}

// Each process gets its own certificate. Other users cannot read it, and it is deleted at the end.
// The secret and the credentials of an enclosing job are not passed on.
func TestLaunchCredentials(t *testing.T) {
	t.Setenv("TMPDIR", t.TempDir())
	t.Setenv("GOSPMD_JOB_SECRET", "that of the job around this one")
	const show = `echo "$GOSPMD_JOB_CERT,$GOSPMD_JOB_KEY,$GOSPMD_JOB_CA,$GOSPMD_JOB_SECRET,$(stat -c %a "$(dirname "$GOSPMD_JOB_KEY")"),$(stat -c %a "$GOSPMD_JOB_KEY")"; ` +
		`[ -z "$GOSPMD_JOB_CERT" ] || cat "$GOSPMD_JOB_CERT"`
	out, _, err := runScript(t, show, "-n", "2")
	require.NoError(t, err)
	seen := map[string]bool{}
	for rank := range 2 {
		var text string
		for _, line := range strings.Split(out, "\n") {
			if own, ok := strings.CutPrefix(line, fmt.Sprintf("[%d] ", rank)); ok {
				text += own + "\n"
			}
		}
		head, cert, _ := strings.Cut(text, "\n")
		fields := strings.Split(head, ",")
		require.Equal(t, []string{"", "700", "600"}, fields[3:], head)
		require.NoFileExists(t, fields[1])
		block, _ := pem.Decode([]byte(cert))
		require.NotNil(t, block, cert)
		parsed, err := x509.ParseCertificate(block.Bytes)
		require.NoError(t, err)
		got, err := jobtls.RankOf(parsed)
		require.NoError(t, err)
		require.Equal(t, rank, got)
		seen[fields[1]] = true
	}
	require.Len(t, seen, 2)

	out, _, err = runScript(t, show, "-n", "1", "-tls=false")
	require.NoError(t, err)
	require.Contains(t, out, "[0] ,,,,")
}

// More processes than the machine has cores and memory for are refused before any is started,
// unless -oversubscribe is given. The table has the limits.
func TestLaunchLimits(t *testing.T) {
	begun := time.Now()
	err := run([]string{"launch", "-n", "100000000", "--", "true"}, strings.NewReader(""), io.Discard, io.Discard)
	require.ErrorContains(t, err, "launch: -n is 100000000, and this machine has ")
	require.ErrorContains(t, err, " GiB of memory, enough for ")
	require.ErrorContains(t, err, "add -oversubscribe")
	require.Less(t, time.Since(begun), 30*time.Second)
	for _, tc := range []struct {
		cores, processes int
		memory           uint64
		want             string
	}{
		{1, 64, 64 << 30, ""},
		{1, 65, 64 << 30, "1 cores and 64.0 GiB of memory, enough for 64 processes"},
		{32, 512, 64 << 30, ""},
		{32, 512, 16 << 30, "32 cores and 16.0 GiB of memory, enough for 256 processes"},
		{32, 1, 1 << 20, ""},
	} {
		err := capacity{tc.cores, tc.memory}.check(tc.processes)
		if tc.want == "" {
			require.NoError(t, err)
		} else {
			require.ErrorContains(t, err, tc.want)
		}
	}
}

// SIGTERM ends launch while it still starts processes, and also the processes that it has started.
func TestLaunchTerminatedAtStart(t *testing.T) {
	self, err := os.Executable()
	require.NoError(t, err)
	cmd := exec.Command(self, "launch", "-n", "100000", "-oversubscribe", "--", "sh", "-c", "echo $$; exec sleep 60")
	cmd.Env = append(os.Environ(), asCommand+"=1")
	out, err := cmd.StdoutPipe()
	require.NoError(t, err)
	require.NoError(t, cmd.Start())
	lines := bufio.NewScanner(out)
	require.True(t, lines.Scan())
	var rank, pid int
	_, err = fmt.Sscanf(lines.Text(), "[%d] %d", &rank, &pid)
	require.NoError(t, err, lines.Text())
	require.NoError(t, cmd.Process.Signal(syscall.SIGTERM))
	for lines.Scan() {
	}
	require.Error(t, cmd.Wait())
	require.Equal(t, 128+int(syscall.SIGTERM), cmd.ProcessState.ExitCode())
	require.Eventually(t, func() bool { return !runs(pid) }, 30*time.Second, 10*time.Millisecond)
}

func TestLaunchUsage(t *testing.T) {
	for _, tc := range []struct {
		args string
		want string
	}{
		{"", "launch: -n is 0, want the number of processes, such as -n 4"},
		{"-n 2", "launch: no program, want gospmd launch -n 4 -- PROGRAM ARGS"},
		{"-n 2 -devices -1 -- true", "launch: -devices is -1"},
		{"-n 2 -device 1 -- true", `did you mean "devices"?`},
		{"-n 2 -- no-such-program", `launch: process 0: exec: "no-such-program": executable file not found in $PATH`},
		{"-n 2 -logs /dev/null/x -- true", "launch: -logs: mkdir /dev/null: not a directory"},
	} {
		err := run(append([]string{"launch"}, strings.Fields(tc.args)...), strings.NewReader(""), io.Discard, io.Discard)
		require.ErrorContains(t, err, tc.want, tc.args)
	}
	var help bytes.Buffer
	err := run([]string{"launch", "-h"}, strings.NewReader(""), io.Discard, &help)
	require.True(t, errors.Is(err, flag.ErrHelp))
	for _, want := range []string{"usage: gospmd launch [flags] -- PROGRAM ARGS", "GOSPMD_COORDINATOR", "-devices", "-logs", "gospmd launch -n 4 -- ./train -epochs 3"} {
		require.Contains(t, help.String(), want)
	}
	require.NotContains(t, help.String(), "StableHLO")
}
