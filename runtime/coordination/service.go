package coordination

// This file defines Service, the membership of a process in its job, and how it ends.

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	clientv3 "go.etcd.io/etcd/client/v3"

	"github.com/gospmd/gospmd/runtime/coordination/internal/schema"
	"github.com/gospmd/gospmd/runtime/coordination/jobtls"
)

// Service is the membership of this process in a job. All methods may be called from several
// goroutines.
type Service struct {
	options     Options
	credentials *jobtls.Credentials // nil without any
	store       io.Closer           // the store of the job, in process 0 if it runs one
	embedded    bool                // process 0 runs the store
	client      *clientv3.Client
	job         schema.Job
	epoch       uint64
	keys        schema.Epoch
	lease       clientv3.LeaseID
	joined      int64 // revision of the store at which this process joined
	members     *members
	prints      []string // fingerprints of certificates by rank, once all have joined

	ctx       context.Context // the context of the background goroutines
	stop      context.CancelFunc
	closeOnce sync.Once

	beat      atomic.Int64 // when this process last ran (see feelPulse)
	pause     atomic.Int64 // the longest time that this process did not run since it last renewed its lease
	exchanges sequence
}

// Rank returns the number of this process, from 0.
func (s *Service) Rank() int { return s.options.ProcessID }

// Size returns the number of processes of the job.
func (s *Service) Size() int { return s.options.NumProcesses }

// Lease is how long a process may be silent before the others take it for lost.
func (s *Service) Lease() time.Duration { return s.options.Lease }

// Epoch numbers the starts of the job at a store: each start has a greater epoch. Processes of
// different epochs must not communicate.
func (s *Service) Epoch() uint64 { return s.epoch }

// Name returns the name of the process with the given rank, as errors give it: its Options.Name. It
// is empty before the process has joined, and for a rank outside of the job.
func (s *Service) Name(rank int) string { return s.members.name(rank) }

// Failed returns a channel that is closed when the job has failed: a process was lost, or has
// called Fail. Err says which.
func (s *Service) Failed() <-chan struct{} { return s.members.failed }

// Err returns nil while the job goes on, and then the *ProcessError that has ended it.
func (s *Service) Err() error {
	select {
	case <-s.members.failed:
		return s.members.failure
	default:
		return nil
	}
}

// Coordinator is the Rank of an error that a coordinator outside of the processes has caused.
const Coordinator = -1

// ProcessError is the error that says why a job cannot go on, and which process is to blame.
type ProcessError struct {
	Rank int    // the rank of the process to blame, or Coordinator
	Name string // the name of the process; empty if it never joined
	Why  string
}

func (e *ProcessError) Error() string {
	if e.Rank == Coordinator {
		return "the coordinator " + e.Why
	}
	if e.Name == "" {
		return fmt.Sprintf("process %d %s", e.Rank, e.Why)
	}
	return fmt.Sprintf("process %d (%s) %s", e.Rank, e.Name, e.Why)
}

// Fail tells the other processes that this one ends because of err, and returns when they know. If
// err is, or wraps, a ProcessError that blames another process, they learn that error instead. Only
// the first failure of a job counts: Fail in a process that has learned of one only ends its
// membership.
func (s *Service) Fail(err error) {
	if s.Err() == nil {
		record := ProcessError{Rank: s.Rank(), Name: s.options.Name, Why: "failed: " + err.Error()}
		if lost := (*ProcessError)(nil); errors.As(err, &lost) && lost.Rank != s.Rank() {
			record = *lost
			record.Why += fmt.Sprintf(" (says process %d)", s.Rank())
		}
		s.report(record, failDelay)
	}
	s.close()
}

// failDelay is the longest time that a process that ends waits until its message is sent.
const failDelay = 2 * time.Second

// report writes a failure to the store. It waits until this process has read a failure from the
// store, at most for limit. Then the job has failed for this process, with e if it had not failed
// before.
func (s *Service) report(e ProcessError, limit time.Duration) {
	ctx, cancel := context.WithTimeout(s.ctx, limit)
	defer cancel()
	if err := s.put(ctx, s.keys.Failed(s.Rank()), encode(e)); err == nil {
		select {
		case <-s.Failed():
		case <-ctx.Done():
		}
	}
	s.members.fail(e)
}

// leaveTimeout bounds how long a process with the store waits for the others to leave
// if the context of Leave has no deadline.
const leaveTimeout = 5 * time.Minute

// Leave ends the membership when the work is done. The processes may leave in any order. If process
// 0 has the store, its Leave waits until all have left, for at most leaveTimeout if ctx has no
// deadline. Leave returns an error if a process was lost meanwhile, or if processes did not leave
// in time.
func (s *Service) Leave(ctx context.Context) error {
	defer s.close()
	if err := s.Err(); err != nil {
		return err
	}
	ctx, cancel := s.contextWhileUp(ctx)
	defer cancel()
	if _, ok := ctx.Deadline(); !ok {
		ctx, cancel = context.WithTimeout(ctx, leaveTimeout)
		defer cancel()
	}
	if err := s.put(ctx, s.keys.Left(s.Rank()), ""); err != nil {
		return err
	}
	if s.store == nil {
		return nil
	}
	return s.waitForLeavers(ctx)
}

// waitForLeavers waits until this process is the last member. If ctx ends before, it reports that
// this process left, and returns an error that names the others.
func (s *Service) waitForLeavers(ctx context.Context) error {
	staying, err := s.waitWhile(ctx, s.stayingRanks)
	if staying == nil {
		return err
	}
	err = fmt.Errorf("coordination: process %d waited in Leave for %s, not longer: %w; see what they still do", s.Rank(), s.members.describe(staying), context.Cause(ctx))
	s.report(s.ownFailure("left, and waited no longer for "+s.members.describe(staying)), failDelay)
	return err
}

// stayingRanks returns the other processes that have joined and still hold their lease, ascending,
// and a channel that is closed when that may change.
func (s *Service) stayingRanks() (ranks []int, changed <-chan struct{}) {
	ranks, changed = s.members.ranksIn(present, leaving)
	return slices.DeleteFunc(ranks, func(rank int) bool { return rank == s.Rank() }), changed
}

// close gives up the lease and the connection, and closes the store if this process runs it.
func (s *Service) close() {
	s.closeOnce.Do(func() {
		if s.lease != 0 {
			s.revoke()
		}
		s.stop()
		if s.client != nil {
			s.client.Close()
		}
		if s.store != nil {
			s.store.Close() //nolint:errcheck // the job has ended
		}
	})
}

// revoke gives up the lease in the store. Once the store has done so, this process can write
// nothing. If the store does not answer, the lease ends by itself later.
func (s *Service) revoke() {
	ctx, cancel := context.WithTimeout(s.ctx, s.options.Lease/6)
	defer cancel()
	s.client.Revoke(ctx, s.lease) //nolint:errcheck // otherwise the lease ends by itself
}
