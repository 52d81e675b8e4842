package coordination_test

import (
	"context"
	"errors"
	"fmt"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/gospmd/gospmd/internal/testing/longtest"
	"github.com/gospmd/gospmd/runtime/coordination"
)

func init() {
	roles["busy"] = func(s *coordination.Service, _ string) error { // until there is an error
		for {
			if _, err := s.Exchange(context.Background(), "step", nil); err != nil {
				return err
			}
			time.Sleep(10 * time.Millisecond)
		}
	}
	roles["fail"] = func(s *coordination.Service, rank string) error {
		if err := s.Barrier(context.Background(), "all have joined"); err != nil {
			return err
		}
		if fmt.Sprint(s.Rank()) == rank {
			s.Fail(errors.New("no more disk space"))
			return s.Err()
		}
		<-s.Failed()
		return s.Err()
	}
	roles["blame"] = func(s *coordination.Service, _ string) error {
		if err := s.Barrier(context.Background(), "all have joined"); err != nil {
			return err
		}
		if s.Rank() == 1 {
			s.Fail(fmt.Errorf("run 7: %w", &coordination.ProcessError{Rank: 2, Name: "two", Why: "closed its connection"}))
			return s.Err()
		}
		<-s.Failed()
		return s.Err()
	}
}

const lease = 3 * time.Second

// When a process of a job is killed, all others fail within seconds with an error that names it.
// The long form kills each of three processes that wait or exchange values; the short form one of
// them for each role.
func TestKilled(t *testing.T) {
	t.Parallel()
	for i, role := range []string{"idle", "busy", "busy apart"} {
		for rank := range 3 {
			if rank != i && !longtest.Enabled() {
				continue
			}
			t.Run(fmt.Sprint(role, rank), func(t *testing.T) {
				t.Parallel()
				all := jobOf(t, 3, role).startAll(t)
				all[rank].signal(syscall.SIGKILL)
				runTogether(otherProcesses(all, rank), func(p *process) {
					line := p.nextSoon()
					require.Contains(t, line, "failed: ")
					require.Contains(t, line, all[rank].name()+" is lost: ")
					p.ends()
				})
			})
		}
	}
}

// When a process is stopped, the others name it soon after the end of its lease. When it goes on,
// it fails by itself, with an error that says it was stopped.
func TestStopped(t *testing.T) {
	t.Parallel()
	for i, role := range []string{"idle", "busy", "busy apart"} {
		for rank := range 3 {
			if rank != i && !longtest.Enabled() {
				continue
			}
			t.Run(fmt.Sprint(role, rank), func(t *testing.T) {
				t.Parallel()
				all := jobOf(t, 3, role).startAll(t)
				all[rank].signal(syscall.SIGSTOP)
				runTogether(otherProcesses(all, rank), func(p *process) {
					line := p.nextSoon()
					require.Contains(t, line, all[rank].name()+" is lost: ")
					p.ends()
				})
				all[rank].signal(syscall.SIGCONT)
				require.Contains(t, all[rank].nextSoon(), all[rank].name()+" was stopped, or had no processor, for ")
				all[rank].ends()
			})
		}
	}
}

// A process that is stopped for a third of its lease, and continues, is not lost: the job must go
// on for another lease.
func TestShortlyStopped(t *testing.T) {
	t.Parallel()
	for rank := range 2 {
		t.Run(fmt.Sprint(rank), func(t *testing.T) {
			t.Parallel()
			all := newJob(t, 2, "busy").startAll(t)
			all[rank].signal(syscall.SIGSTOP)
			time.Sleep(lease / 3)
			all[rank].signal(syscall.SIGCONT)
			select {
			case line := <-all[0].lines:
				t.Fatal(line)
			case line := <-all[1].lines:
				t.Fatal(line)
			case <-time.After(lease):
			}
		})
	}
}

// The message of a process that ends reaches all others, also from process 0, although the store
// ends with that process.
func TestFail(t *testing.T) {
	t.Parallel()
	for rank := range 3 {
		t.Run(fmt.Sprint(rank), func(t *testing.T) {
			t.Parallel()
			all := newJob(t, 3, fmt.Sprint("fail ", rank)).startAll(t)
			runTogether(all, func(p *process) {
				require.Contains(t, p.nextSoon(), all[rank].name()+" failed: no more disk space")
				p.ends()
			})
		})
	}
}

// If a process fails because of another one, the error names that one.
func TestFailBlames(t *testing.T) {
	all := newJob(t, 3, "blame").startAll(t)
	runTogether(all, func(p *process) {
		require.Contains(t, p.nextSoon(), "process 2 (two) closed its connection (says process 1)")
	})
}

func otherProcesses(all []*process, rank int) (rest []*process) {
	for _, p := range all {
		if p.rank != rank {
			rest = append(rest, p)
		}
	}
	return rest
}
