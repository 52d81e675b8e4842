package coordination_test

// This file starts processes of a job: the test binary runs itself again.

import (
	"bufio"
	"bytes"
	"context"
	"flag"
	"fmt"
	"log"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/gospmd/gospmd/internal/testing/jobtest"
	"github.com/gospmd/gospmd/runtime/coordination"
)

// roles are functions, by name. A process of a test joins the job and then calls one of them. It
// prints the result as its last line.
var roles = map[string]func(s *coordination.Service, argument string) error{
	"idle": func(s *coordination.Service, _ string) error {
		<-s.Failed()
		return s.Err()
	},
}

const roleVariable = "COORDINATION_TEST_ROLE"

func TestMain(m *testing.M) {
	role := os.Getenv(roleVariable)
	if role == "" {
		// The tests wait for leases most of the time.
		if err := flag.Set("test.parallel", "4"); err != nil {
			log.Fatal(err)
		}
		os.Exit(m.Run())
	}
	log.SetFlags(0)
	if role == attackRole {
		attack(os.Getenv("ADDRESS"), os.Getenv("CERT"), os.Getenv("KEY"), os.Getenv("CA"))
		return
	}
	number := func(name string) int {
		n, err := strconv.Atoi(os.Getenv(name))
		if err != nil {
			log.Fatal(name, err)
		}
		return n
	}
	o := coordination.Options{Address: os.Getenv("ADDRESS"), Endpoints: os.Getenv("ENDPOINTS"), NumProcesses: number("SIZE"), ProcessID: number("RANK"),
		JoinTimeout: time.Duration(number("JOIN_MS")) * time.Millisecond,
		CertFile:    os.Getenv("CERT"), KeyFile: os.Getenv("KEY"), CAFile: os.Getenv("CA")}
	if v := os.Getenv("VERSION"); v != "" {
		coordination.SetVersion(v)
	}
	s, err := coordination.Join(context.Background(), o)
	if err != nil {
		fmt.Println("not joined:", err)
		os.Exit(1)
	}
	fmt.Println("joined", s.Epoch())
	name, argument, _ := strings.Cut(role, " ")
	if err := roles[name](s, argument); err != nil {
		fmt.Println("failed:", err)
		os.Exit(1)
	}
	fmt.Println("done")
}

// process is one process of a job. Its output is read by lines.
type process struct {
	t      *testing.T
	rank   int
	cmd    *exec.Cmd
	lines  chan string // closed at the end of its output
	stderr output
	exited chan struct{}
}

// output collects the text that a process writes, and may be read meanwhile.
type output struct {
	mu   sync.Mutex
	text bytes.Buffer
}

func (o *output) Write(b []byte) (int, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.text.Write(b)
}

func (o *output) String() string {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.text.String()
}

// job describes the processes that a test starts: their number, their role, the address of their
// store, and their environment.
type job struct {
	address string
	size    int
	role    string
	env     []string
	own     func(rank int) []string // additional environment variables of one process; may be nil
	tmp     string                  // TMPDIR of its processes
}

func newJob(t *testing.T, size int, role string) *job {
	return &job{address: jobtest.FreeAddress(t), size: size, role: role, tmp: t.TempDir()}
}

// start starts process rank of the job, with more environment variables, NAME=value. Its lines of
// output go to the channel lines. The process is killed when the test ends.
func (j *job) start(t *testing.T, rank int, env ...string) *process {
	p := &process{t: t, rank: rank, cmd: exec.Command(os.Args[0]), lines: make(chan string, 1000), exited: make(chan struct{})}
	p.cmd.Env = append(append(os.Environ(), roleVariable+"="+j.role, "ADDRESS="+j.address, fmt.Sprintf("SIZE=%d", j.size),
		fmt.Sprintf("RANK=%d", rank), "JOIN_MS=60000", "TMPDIR="+j.tmp), append(j.env, env...)...)
	if j.own != nil {
		p.cmd.Env = append(p.cmd.Env, j.own(rank)...)
	}
	p.cmd.Stderr = &p.stderr
	out, err := p.cmd.StdoutPipe()
	require.NoError(t, err)
	require.NoError(t, p.cmd.Start())
	go func() {
		scanner := bufio.NewScanner(out)
		for scanner.Scan() {
			p.lines <- scanner.Text()
		}
		close(p.lines)
		p.cmd.Wait()
		close(p.exited)
	}()
	t.Cleanup(func() {
		p.cmd.Process.Kill()
		<-p.exited
	})
	return p
}

// startAll starts all processes and waits until they have joined.
func (j *job) startAll(t *testing.T) []*process {
	var all []*process
	for rank := range j.size {
		all = append(all, j.start(t, rank))
	}
	for _, p := range all {
		require.Contains(t, p.next(), "joined ")
	}
	return all
}

// Other tests may keep the machine busy. A step that takes seconds at most on an idle machine must
// happen soon. A step that takes longer than the tests' patience hangs.
const (
	soon     = 20 * time.Second
	patience = 2 * time.Minute
)

// next returns the next line of output. The test fails if none comes within patience.
func (p *process) next() string { p.t.Helper(); return p.nextWithin(patience) }

// nextSoon returns the next line of the process' output. The test fails if none comes within
// seconds.
func (p *process) nextSoon() string { p.t.Helper(); return p.nextWithin(soon) }

func (p *process) nextWithin(timeout time.Duration) string {
	p.t.Helper()
	select {
	case line, ok := <-p.lines:
		if !ok {
			<-p.exited
			p.t.Fatalf("process %d has ended without more output; its stderr:\n%s", p.rank, p.stderr.String())
		}
		return line
	case <-time.After(timeout):
		p.t.Fatalf("process %d is silent for %v; its stderr:\n%s", p.rank, timeout, p.stderr.String())
		return ""
	}
}

// ends waits until the process has ended, and fails the test if it takes long. On stderr it may
// only have said what it waits for.
func (p *process) ends() {
	p.t.Helper()
	select {
	case <-p.exited:
		for line := range strings.Lines(p.stderr.String()) {
			require.Contains(p.t, line, " waits for ", "stderr of process %d", p.rank)
		}
	case <-time.After(soon):
		p.t.Fatalf("process %d has not ended after %v", p.rank, soon)
	}
}

func (p *process) signal(s syscall.Signal) {
	require.NoError(p.t, p.cmd.Process.Signal(s))
}

// name returns what errors of other processes call this process: process RANK (HOST:PID).
func (p *process) name() string {
	host, err := os.Hostname()
	require.NoError(p.t, err)
	return fmt.Sprintf("process %d (%s:%d)", p.rank, host, p.cmd.Process.Pid)
}

// runTogether runs f for all processes at once.
func runTogether(all []*process, f func(p *process)) {
	var wait sync.WaitGroup
	for _, p := range all {
		wait.Go(func() { f(p) })
	}
	wait.Wait()
}
