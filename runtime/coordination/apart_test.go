package coordination_test

// This file runs jobs whose store runs outside of all processes, with a certificate for each
// process, as under gospmd launch.

import (
	"context"
	"fmt"
	"log/slog"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/gospmd/gospmd/runtime/coordination"
	"github.com/gospmd/gospmd/runtime/coordination/jobtls"
	"github.com/gospmd/gospmd/runtime/coordination/store"
)

// apart is a job of a test whose store runs in the test's own process, with certificates that
// authority has signed.
type apart struct {
	*job
	store     *store.Store
	authority *jobtls.Authority
}

func newApart(t *testing.T, size int, role string) *apart {
	a := &apart{job: newJob(t, size, role)}
	var err error
	a.authority, err = jobtls.New()
	require.NoError(t, err)
	credentials, err := a.authority.Coordinator()
	require.NoError(t, err)
	a.store, err = store.Start(t.Context(), store.Options{Address: "127.0.0.1:0", Processes: size, Credentials: credentials, Logger: logTo(t)})
	require.NoError(t, err)
	t.Cleanup(func() { a.store.Close() })
	a.address = a.store.Addr()
	a.job.env = []string{"ENDPOINTS=" + a.address}
	a.own = func(rank int) []string { return a.certificate(t, rank) }
	return a
}

// certificate returns the variables of a process that name the files of a new certificate for a
// rank: CERT=, KEY= and CA= with a path each.
func (a *apart) certificate(t *testing.T, rank int) []string {
	credentials, err := a.authority.Process(rank)
	require.NoError(t, err)
	files, err := credentials.Write(t.TempDir(), "own")
	require.NoError(t, err)
	return []string{"CERT=" + files.Cert, "KEY=" + files.Key, "CA=" + files.CA}
}

// jobOf returns a job whose processes have that role. If " apart" follows the role, its store runs
// outside of the processes.
func jobOf(t *testing.T, size int, role string) *job {
	if role, isApart := strings.CutSuffix(role, " apart"); isApart {
		return newApart(t, size, role).job
	}
	return newJob(t, size, role)
}

// When the store is lost, all processes must report that.
func TestStoreLost(t *testing.T) {
	t.Parallel()
	a := newApart(t, 2, "busy")
	all := a.startAll(t)
	require.NoError(t, a.store.Close())
	runTogether(all, func(p *process) {
		require.Contains(t, p.nextSoon(), ": the coordinator at "+a.address+" is lost: it has not answered for 3s")
		p.ends()
	})
}

// Jobs that share a store do not see each other, and one may follow another.
func TestSharedStore(t *testing.T) {
	a := newApart(t, 2, "exchange 5")
	var all []*process
	for _, name := range []string{"a", "b"} {
		for rank := range 2 {
			all = append(all, a.start(t, rank, "GOSPMD_JOB_NAME="+name))
		}
	}
	runTogether(all, func(p *process) {
		require.Contains(t, p.next(), "joined ")
		require.Equal(t, "done", p.next())
	})
	for range 2 {
		for _, p := range a.startAll(t) {
			require.Equal(t, "done", p.next())
		}
	}
}

// A process that joins with the job name and the rank of a running process gets an error that says
// so. The running job is not disturbed.
func TestSameName(t *testing.T) {
	t.Parallel()
	a := newApart(t, 2, "busy")
	all := a.startAll(t)
	line := a.start(t, 0).next()
	require.Contains(t, line, `have both the id 0 of the job "default" at `+a.address)
	require.Contains(t, line, all[0].name()[len("process 0 ("):len(all[0].name())-1])
	require.Contains(t, line, "every job its own GOSPMD_JOB_NAME")
	require.Empty(t, all[0].lines)
}

// If all processes of a job are killed, process 0 too, the job can be started again at the same
// coordinator, without a wait for their leases.
func TestStartedAgainApart(t *testing.T) {
	t.Parallel()
	a := newApart(t, 2, "exchange 5")
	a.role = "idle"
	first := a.startAll(t)
	runTogether(first, func(p *process) { p.signal(syscall.SIGKILL) })
	a.role = "exchange 5"
	for _, p := range a.startAll(t) {
		require.Equal(t, "done", p.next())
	}
}

// A process whose certificate names another rank does not start: it says whose certificate it has.
func TestCertificateOfAnotherRank(t *testing.T) {
	a := newApart(t, 2, "idle")
	a.own = func(int) []string { return a.certificate(t, 1) }
	require.Contains(t, a.start(t, 0).next(), "is that of process 1, and this is process 0: give each process its own")
}

// A process that waits must log within seconds which process or which coordinator it waits for, and
// that process 0 runs the coordinator. SIGTERM must end it while it waits.
func TestSaysWhatItWaitsFor(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		name  string
		start func(t *testing.T) *process
		want  []string
	}{
		{"no coordinator", func(t *testing.T) *process { return newJob(t, 2, "idle").start(t, 1) },
			[]string{"waits for the coordinator at 127.0.0.1:", "connection refused", "process 0 runs it", "since "}},
		{"no process 0", func(t *testing.T) *process { return newApart(t, 2, "idle").start(t, 1) },
			[]string{`waits for process 0 to open the job "default" at the coordinator, 127.0.0.1:`}},
		{"no process 1", func(t *testing.T) *process { return newApart(t, 2, "idle").start(t, 0) },
			[]string{"waits for process 1 to join the job at 127.0.0.1:"}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			p := tc.start(t)
			for _, want := range tc.want {
				require.Eventually(t, func() bool { return strings.Contains(p.stderr.String(), want) }, soon, 10*time.Millisecond, want)
			}
			p.signal(syscall.SIGTERM) // has its default action here: the process does not catch it
			<-p.exited
			require.Equal(t, syscall.SIGTERM, p.cmd.ProcessState.Sys().(syscall.WaitStatus).Signal())
			require.Contains(t, p.stderr.String(), "gospmd: process "+fmt.Sprint(p.rank))
		})
	}
}

// When its context ends, Join returns at once with the context's cause, whatever it waits for: the
// coordinator, process 0 or process 1.
func TestJoinCancelled(t *testing.T) {
	t.Parallel()
	a := newApart(t, 2, "idle")
	credentials := func(rank int) coordination.Options {
		files := a.certificate(t, rank)
		value := func(i int) string { _, v, _ := strings.Cut(files[i], "="); return v }
		return coordination.Options{CertFile: value(0), KeyFile: value(1), CAFile: value(2)}
	}
	for _, tc := range []struct {
		name     string
		rank     int
		endpoint string
	}{{"no coordinator", 1, "127.0.0.1:1"}, {"no process 0", 1, a.address}, {"no process 1", 0, a.address}} {
		t.Run(tc.name, func(t *testing.T) {
			ctx, cancel := context.WithCancelCause(t.Context())
			reason := fmt.Errorf("the user has enough")
			var cancelled time.Time
			time.AfterFunc(time.Second, func() { cancelled = time.Now(); cancel(reason) })
			o := credentials(tc.rank)
			o.Endpoints, o.NumProcesses, o.ProcessID, o.JobName, o.Logger = tc.endpoint, 2, tc.rank, tc.name, logTo(t)
			_, err := coordination.Join(ctx, o)
			require.ErrorIs(t, err, reason)
			require.Less(t, time.Since(cancelled), soon)
		})
	}
}

// The wrong secret, or a secret on one side only, is an error that says which side has what. A
// secret that is too short is an error too.
func TestSecrets(t *testing.T) {
	t.Parallel()
	const right, wrong = "0123456789abcdef0123456789abcdef", "fedcba9876543210fedcba9876543210"
	secret := func(s string) []string { return []string{"GOSPMD_JOB_SECRET=" + s} }
	for _, tc := range []struct {
		name           string
		server, client []string
		want           string
	}{
		{"both", secret(right), secret(right), "joined "},
		{"another one", secret(right), secret(wrong), "its certificate is not of the CA of this process, which has a secret"},
		{"none", secret(right), nil, "it talks TLS, and this process has no credentials"},
		{"none in process 0", nil, secret(right), "it talks without TLS, and this process has a secret"},
		{"too short", secret(right), secret("short"), "the secret of the job has 5 bytes, want at least 32 random ones"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			j := newJob(t, 2, "idle")
			j.start(t, 0, tc.server...)
			require.Contains(t, j.start(t, 1, tc.client...).next(), tc.want)
		})
	}
}

// logTo returns a logger that writes to a test's output.
func logTo(t *testing.T) *slog.Logger { return slog.New(slog.NewTextHandler(t.Output(), nil)) }
