package jobtest

// This file runs programs as the processes of a job, which are child processes of the test binary.

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/gospmd/gospmd/internal/testing/runtimetest"
	"github.com/gospmd/gospmd/runtime"
	"github.com/gospmd/gospmd/runtime/coordination"
	"github.com/gospmd/gospmd/runtime/coordination/store"
)

// ProgramEnv is an environment variable that makes the test binary run the program instead of the
// tests.
const ProgramEnv = "GOSPMD_TEST_RUN_PROGRAM"

// Main is for the TestMain of a program's tests. It runs the tests, or, in a process that Start has
// started, the program's main.
func Main(m *testing.M, program func()) {
	if os.Getenv(ProgramEnv) == "" {
		os.Exit(runtimetest.Main(m))
	}
	program()
	os.Exit(0)
}

// Process is one process of a Job: its rank, its command, and what it has printed so far.
type Process struct {
	Rank   int
	cmd    *exec.Cmd
	done   chan struct{}
	err    error        // valid when done is closed
	stderr bytes.Buffer // valid when done is closed

	mu   sync.Mutex
	more *sync.Cond
	out  []string // lines of the standard output
	over bool
}

// Job is several processes of one program.
type Job struct {
	t         testing.TB
	Processes []*Process
}

// Start starts the test's binary as n processes of a job, with the given number of virtual CPU
// devices each. In each process Main runs the program. environ has additional environment variables
// (NAME=value), and args returns the arguments of the process with a rank. Processes that still run
// are killed when the test ends. The store of the job is in this process, as it is in `gospmd
// launch`.
func Start(t testing.TB, n, devices int, environ []string, args func(rank int) []string) *Job {
	t.Helper()
	s, err := store.Start(context.Background(), store.Options{Address: "127.0.0.1:0", Processes: n})
	require.NoError(t, err)
	t.Cleanup(func() { s.Close() })
	j := &Job{t: t}
	for rank := range n {
		p := &Process{Rank: rank, done: make(chan struct{}), cmd: exec.Command(os.Args[0], args(rank)...)}
		p.more = sync.NewCond(&p.mu)
		p.cmd.Env = append(append(os.Environ(), environ...), ProgramEnv+"=1", runtime.PlatformVar+"=cpu", fmt.Sprintf("GOSPMD_CPU_DEVICES=%d", devices),
			coordination.VariableCoordinator+"="+s.Addr(), fmt.Sprintf("%s=%d", coordination.VariableNumProcesses, n), fmt.Sprintf("%s=%d", coordination.VariableProcessID, rank))
		p.cmd.Stderr = &p.stderr
		stdout, err := p.cmd.StdoutPipe()
		require.NoError(t, err)
		require.NoError(t, p.cmd.Start())
		t.Cleanup(func() { p.cmd.Process.Kill(); <-p.done })
		go func() {
			for lines := bufio.NewScanner(stdout); lines.Scan(); {
				p.say(lines.Text(), false)
			}
			p.err = p.cmd.Wait()
			close(p.done)
			p.say("", true)
		}()
		j.Processes = append(j.Processes, p)
	}
	return j
}

// say records a line of the output or, if over is true, that the process has ended. It wakes up the
// calls of Await.
func (p *Process) say(line string, over bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if !over {
		p.out = append(p.out, line)
	}
	p.over = over
	p.more.Broadcast()
}

// Await waits until the process has written this line to its standard output. The test fails if the
// process ends before.
func (p *Process) Await(t testing.TB, line string) {
	t.Helper()
	p.mu.Lock()
	defer p.mu.Unlock()
	for seen := 0; ; p.more.Wait() {
		for ; seen < len(p.out); seen++ {
			if p.out[seen] == line {
				return
			}
		}
		if p.over {
			t.Fatalf("process %d has ended without saying %q: %v\n%s\n%s", p.Rank, line, p.err, strings.Join(p.out, "\n"), p.stderr.String())
		}
	}
}

// Signal sends the signal s to the process with that rank.
func (j *Job) Signal(rank int, s syscall.Signal) {
	j.t.Helper()
	require.NoError(j.t, j.Processes[rank].cmd.Process.Signal(s))
}

// RequireOthersEnd requires that all processes except one end within 20 s, with an error that names
// that one, and without a panic. On an idle machine it takes them 5 s at most; other tests may keep
// the machine busy.
func (j *Job) RequireOthersEnd(rank int) {
	j.t.Helper()
	const limit = 20 * time.Second
	start := time.Now()
	for _, p := range j.Processes {
		if p.Rank == rank {
			continue
		}
		select {
		case <-p.done:
		case <-time.After(max(0, limit-time.Since(start))):
			j.t.Fatalf("process %d goes on %s after process %d was lost", p.Rank, limit, rank)
		}
		require.Error(j.t, p.err, "process %d", p.Rank)
		require.Regexp(j.t, fmt.Sprintf("(process|rank) %d\\b", rank), p.stderr.String(), "of process %d", p.Rank)
		require.NotContains(j.t, p.stderr.String(), "panic", "of process %d", p.Rank)
	}
	j.t.Logf("the others have ended after %.1f s", time.Since(start).Seconds())
}

// Results waits for the processes, which must succeed. It returns, by rank, the last line of each
// one's output, decoded from JSON.
func Results[T any](j *Job) []T {
	j.t.Helper()
	out := make([]T, len(j.Processes))
	for i, text := range j.Outputs() {
		lines := strings.Split(text, "\n")
		last := lines[len(lines)-1]
		require.NoError(j.t, json.Unmarshal([]byte(last), &out[i]), "process %d: %s", i, last)
	}
	return out
}

// Outputs waits for the processes, at most four minutes for each, and returns their output by rank.
// A process that fails or prints nothing fails the test.
func (j *Job) Outputs() []string {
	j.t.Helper()
	out := make([]string, len(j.Processes))
	for i, p := range j.Processes {
		select {
		case <-p.done:
		case <-time.After(4 * time.Minute):
			j.t.Fatalf("process %d does not end", p.Rank)
		}
		require.NoError(j.t, p.err, "process %d: %s", p.Rank, p.stderr.String())
		out[i] = p.Output()
		require.NotEmpty(j.t, out[i])
	}
	return out
}

// Errors waits at most two minutes for the processes, which must fail, and returns their standard
// error by rank. A process that does not end, or succeeds, fails the test.
func (j *Job) Errors() []string {
	j.t.Helper()
	const limit = 2 * time.Minute
	deadline := time.After(limit)
	var out []string
	for _, p := range j.Processes {
		select {
		case <-p.done:
		case <-deadline:
			j.t.Fatalf("process %d does not end within %s", p.Rank, limit)
		}
		require.Error(j.t, p.err, "process %d", p.Rank)
		out = append(out, p.stderr.String())
	}
	return out
}

// Output returns the lines that the process has written to its standard output so far, without
// what it has written to its standard error.
func (p *Process) Output() string {
	p.mu.Lock()
	defer p.mu.Unlock()
	return strings.Join(p.out, "\n")
}
