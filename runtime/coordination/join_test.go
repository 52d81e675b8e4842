package coordination_test

import (
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/gospmd/gospmd/internal/testing/jobtest"
	"github.com/gospmd/gospmd/runtime/coordination"
)

func init() {
	// ranks leave in that order
	roles["leave"] = func(s *coordination.Service, order string) error {
		time.Sleep(300 * time.Millisecond * time.Duration(strings.Index(order, fmt.Sprint(s.Rank()))))
		return s.Leave(context.Background())
	}
	// rank 1 leaves, the others wait for it
	roles["desert"] = func(s *coordination.Service, _ string) error {
		if s.Rank() == 1 {
			return s.Leave(context.Background())
		}
		err := s.Barrier(context.Background(), "here")
		s.Fail(err)
		return err
	}
}

func TestOneProcess(t *testing.T) {
	address := jobtest.FreeAddress(t)
	s, err := coordination.Join(context.Background(), coordination.Options{Address: address, NumProcesses: 1})
	require.NoError(t, err)
	values, err := s.Exchange(context.Background(), "x", []byte("y"))
	require.NoError(t, err)
	require.Equal(t, [][]byte{[]byte("y")}, values)
	require.NoError(t, s.Leave(context.Background()))
}

// The store must listen at the given address, and nowhere else.
func TestListensAtAddressOnly(t *testing.T) {
	address := jobtest.FreeAddress(t)
	s, err := coordination.Join(context.Background(), coordination.Options{Address: address, NumProcesses: 1})
	require.NoError(t, err)
	defer s.Leave(context.Background())
	_, number, err := net.SplitHostPort(address)
	require.NoError(t, err)
	other := net.JoinHostPort("127.0.0.2", number)
	l, err := net.Listen("tcp", other)
	require.NoError(t, err, "the address is free on other interfaces")
	require.NoError(t, l.Close())
	_, err = net.Dial("tcp", other)
	require.ErrorContains(t, err, "connection refused")
}

// Processes may leave a job in any order without an error. Afterwards no file of the store is left.
func TestLeave(t *testing.T) {
	t.Parallel()
	for _, order := range []string{"012", "210", "102"} {
		t.Run(order, func(t *testing.T) {
			t.Parallel()
			j := newJob(t, 3, "leave "+order)
			for _, p := range j.startAll(t) {
				require.Equal(t, "done", p.next())
				p.ends()
			}
			left, err := os.ReadDir(j.tmp)
			require.NoError(t, err)
			require.Empty(t, left)
		})
	}
}

func TestLeftWithoutTakingPart(t *testing.T) {
	all := newJob(t, 3, "desert").startAll(t)
	for _, p := range otherProcesses(all, 1) {
		require.Contains(t, p.nextSoon(), all[1].name()+" has left the job without taking part")
	}
}

// The next process 0 on a machine removes the directory of the store that a killed process 0 has
// left.
func TestKilledLeavesNothingForLong(t *testing.T) {
	j := newJob(t, 1, "idle")
	j.startAll(t)[0].cmd.Process.Kill()
	entries := func() int {
		left, err := os.ReadDir(j.tmp)
		require.NoError(t, err)
		return len(left)
	}
	require.Equal(t, 1, entries())
	next := newJob(t, 1, "leave 0")
	next.tmp = j.tmp
	require.Equal(t, "done", next.startAll(t)[0].next())
	require.Equal(t, 0, entries())
}

// If a process does not join in time, the error of each of the others names it.
func TestMissing(t *testing.T) {
	t.Parallel()
	for missing := 1; missing < 3; missing++ {
		t.Run(fmt.Sprint(missing), func(t *testing.T) {
			t.Parallel()
			j := newJob(t, 3, "idle")
			for rank := range 3 {
				if rank != missing {
					p := j.start(t, rank, "JOIN_MS=6000") // until then both have joined, also on a busy machine
					defer func() {
						require.Contains(t, p.next(), fmt.Sprintf("not joined: coordination: process %d has not joined the job at %s in time (1 of 3 are missing: process %d)", missing, j.address, missing))
						p.ends()
					}()
				}
			}
		})
	}
}

func TestMissingProcess0(t *testing.T) {
	t.Parallel()
	j := newJob(t, 2, "idle")
	line := j.start(t, 1, "JOIN_MS=3000").next() // longer than one probe may take
	require.Contains(t, line, "the coordinator at "+j.address+" does not answer process 1 (")
	require.Contains(t, line, "connection refused; process 0 runs it: see that it is started with that address")
}

// A process must not wait for another program at the address, but say what answers there. Process 0
// must say why it cannot listen: the address is in use, or is not of this machine.
func TestWrongAddress(t *testing.T) {
	other := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { io.WriteString(w, "hello") }))
	defer other.Close()
	j := newJob(t, 2, "idle")
	j.address = other.Listener.Addr().String()
	require.Contains(t, j.start(t, 1).next(), `what answers there is not a coordinator (it says "HTTP/1.1 200 OK")`)
	require.Contains(t, j.start(t, 0).next(), "cannot listen at "+j.address+": listen tcp "+j.address+": bind: address already in use")
	j.address = "192.0.2.1:1234"
	require.Contains(t, j.start(t, 0).next(), "cannot listen at 192.0.2.1:1234: listen tcp 192.0.2.1:1234: bind: cannot assign requested address; ")
}

// If the processes do not belong together, all fail, and each error names two that differ.
func TestDiffers(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct{ name, env, want string }{
		{"number", "SIZE=4", " was started as one of 4 processes, process 0 (%s) as one of 3: start all with the same number"},
		{"version", "VERSION=v0.0.1", " uses the build \"v0.0.1\" of gospmd, process 0 (%s) the build \""},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			j := newJob(t, 3, "idle")
			all := []*process{j.start(t, 0), j.start(t, 1), j.start(t, 2, tc.env)}
			name0 := strings.TrimSuffix(strings.TrimPrefix(all[0].name(), "process 0 ("), ")")
			runTogether(all, func(p *process) {
				require.Contains(t, p.next(), all[2].name()+fmt.Sprintf(tc.want, name0))
				p.ends()
			})
		})
	}
}

// If two processes have the same id, all processes fail and name both. If the job is already
// complete, only the second one fails.
func TestSameID(t *testing.T) {
	t.Parallel()
	requireBoth := func(line string, a, b *process) {
		require.Contains(t, line, " have both the id 1: give every process an id of its own")
		for _, p := range []*process{a, b} {
			require.Contains(t, line, strings.TrimPrefix(p.name(), "process 1 (")[:5])
		}
	}
	t.Run("joining", func(t *testing.T) {
		t.Parallel()
		j := newJob(t, 3, "idle")
		all := []*process{j.start(t, 0), j.start(t, 1), j.start(t, 1)}
		runTogether(all, func(p *process) { requireBoth(p.next(), all[1], all[2]) })
	})
	t.Run("complete", func(t *testing.T) {
		t.Parallel()
		j := newJob(t, 2, "idle")
		all := j.startAll(t)
		late := j.start(t, 1)
		requireBoth(late.next(), all[1], late)
		select {
		case line := <-all[0].lines:
			t.Fatal(line)
		case <-time.After(time.Second):
		}
	})
}

// A job can be started again at once: the new processes do not join the old job.
func TestStartedAgain(t *testing.T) {
	t.Parallel()
	j := newJob(t, 2, "busy")
	all := j.startAll(t)
	all[1].cmd.Process.Kill()
	again := j.start(t, 1) // process 0 of the old job has not noticed the loss yet
	require.Contains(t, all[0].nextSoon(), "is lost")
	all[0].ends()
	first := j.start(t, 0)
	require.Contains(t, first.next(), "joined ")
	require.Contains(t, again.next(), "joined ")
}

func TestOptions(t *testing.T) {
	good := coordination.Options{Address: "127.0.0.1:1", NumProcesses: 2, ProcessID: 1}
	for _, tc := range []struct {
		name   string
		change func(o *coordination.Options)
		want   string
	}{
		{"no processes", func(o *coordination.Options) { o.NumProcesses = 0 }, "the number of processes is 0, it must be 1 or more"},
		{"id too large", func(o *coordination.Options) { o.ProcessID = 2 }, "process id 2 of a job of 2: ids go from 0 to 1"},
		{"negative id", func(o *coordination.Options) { o.ProcessID = -1 }, "process id -1 of a job of 2"},
		{"no address", func(o *coordination.Options) { o.Address = "" }, `job address "": want host:port of the coordinator`},
		{"no port", func(o *coordination.Options) { o.Address = "host" }, `job address "host": want host:port`},
		{"port 0", func(o *coordination.Options) { o.Address = "host:0" }, `job address "host:0": want host:port`},
		{"short lease", func(o *coordination.Options) { o.Lease = time.Millisecond }, "a lease of 1ms is too short"},
		{"half of TLS", func(o *coordination.Options) { o.CertFile = "cert.pem" }, "give all three or none"},
		{"no key", func(o *coordination.Options) { o.KeyFile = "key.pem" }, "give all three or none"},
		{"no such file", func(o *coordination.Options) { o.CertFile, o.KeyFile, o.CAFile = "nowhere", "key", "ca" }, "certificate nowhere with key key: open nowhere: no such file"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			o := good
			tc.change(&o)
			_, err := coordination.Join(context.Background(), o)
			require.ErrorContains(t, err, tc.want)
		})
	}
}
