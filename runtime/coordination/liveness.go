package coordination

// This file implements how a process learns that another process is lost, and how it learns that
// the others take itself for lost.

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"go.etcd.io/etcd/api/v3/v3rpc/rpctypes"
	clientv3 "go.etcd.io/etcd/client/v3"
)

// follow starts the background goroutines when the process has joined. failure is the failure of
// the job, if it has already failed.
func (s *Service) follow(failure *ProcessError) {
	s.beat.Store(int64(s.now()))
	if failure != nil {
		go s.announce(*failure)
	}
	go s.watch(failure)
	go s.feelPulse()
	go s.renew()
}

// watch applies the changes of members in the store, in order, until the Service ends. first is the
// failure of the job that is known already, or nil. If it is nil, watch announces the first failure
// that it sees. If it cannot follow the store any more, the job fails for this process.
func (s *Service) watch(first *ProcessError) {
	var err error
	for w := range s.client.Watch(s.ctx, s.keys.Status(), clientv3.WithPrefix(), clientv3.WithRev(s.joined+1)) {
		for _, event := range w.Events {
			value := event.Kv.Value
			switch {
			case event.Type == clientv3.EventTypeDelete:
				value = nil
			case value == nil:
				value = []byte{}
			}
			if e := s.apply(string(event.Kv.Key), value); e != nil && first == nil {
				first = e
				go s.announce(*e)
			}
		}
		err = w.Err()
	}
	if s.ctx.Err() == nil {
		s.members.fail(s.ownFailure(fmt.Sprintf("can no longer follow what happens in the job: %v; start the job again", err)))
	}
}

// ownFailure returns a failure of this process with the reason why.
func (s *Service) ownFailure(why string) ProcessError {
	return ProcessError{Rank: s.Rank(), Name: s.options.Name, Why: why}
}

// announceDelay is the longest time that announce waits if all processes have joined.
const announceDelay = 500 * time.Millisecond

// announce makes a failure known in this process. The process then ends, and the store ends with it
// if it runs here. So announce first waits, if it runs here, until the other processes have read
// the failure: they give up their leases then. It waits longer for processes that have not joined
// yet. In other processes it does not wait, and gives up the lease.
func (s *Service) announce(e ProcessError) {
	if s.store == nil {
		s.members.fail(e)
		s.revoke()
		return
	}
	begun := time.Now()
	for {
		living, changed := s.members.ranksIn(present)
		coming, _ := s.members.ranksIn(absent)
		coming = slices.DeleteFunc(coming, func(rank int) bool { return rank == e.Rank })
		delay := announceDelay
		if len(coming) > 0 {
			delay = s.options.Lease
		}
		delay -= time.Since(begun)
		if len(living)+len(coming) <= 1 || delay <= 0 { // only this process is left
			break
		}
		select {
		case <-changed:
		case <-time.After(delay):
		}
	}
	s.members.fail(e)
}

// start is the zero of all times in Service. It has a monotonic reading.
var start = time.Now()

func (s *Service) now() time.Duration { return time.Since(start) }

// feelPulse measures how long this process does not run, because it was stopped or its machine is
// overloaded. If that is longer than the lease, the job fails for this process, with an error that
// says so.
func (s *Service) feelPulse() {
	for wait(s.ctx, s.options.Lease/12) {
		if pause := s.longestPause(); pause > s.options.Lease {
			s.members.fail(s.stallError(pause))
			return
		}
		s.beat.Store(int64(s.now()))
	}
}

// longestPause returns how long this process has not run, at the longest, since its lease was
// renewed, and keeps that in s.pause. The pause that goes on now counts.
func (s *Service) longestPause() time.Duration {
	since := int64(s.now()) - s.beat.Load()
	for {
		longest := s.pause.Load()
		if since <= longest || s.pause.CompareAndSwap(longest, since) {
			return time.Duration(max(since, longest))
		}
	}
}

func (s *Service) stallError(pause time.Duration) ProcessError {
	return s.ownFailure(fmt.Sprintf("was stopped, or had no processor, for %v; its lease was %v, so the others went on without it; start the job again, with a longer lease if its machine is that busy",
		pause.Round(100*time.Millisecond), s.options.Lease))
}

// renew renews the lease every sixth of it, and then forgets earlier pauses, until the job fails.
// If it cannot renew it for the duration of the lease, the job fails: the coordinator is lost, or
// this process is taken for lost.
func (s *Service) renew() {
	renewed := time.Now()
	for wait(s.ctx, s.options.Lease/6) && s.Err() == nil {
		asked := time.Now()
		ctx, cancel := context.WithDeadline(s.ctx, renewed.Add(s.options.Lease))
		_, err := s.client.KeepAliveOnce(ctx, s.lease)
		cancel()
		switch {
		case err == nil:
			renewed = asked
			s.pause.Store(0)
		case s.ctx.Err() != nil:
			return
		case errors.Is(err, rpctypes.ErrLeaseNotFound):
			s.members.fail(s.fencedFailure())
			return
		case time.Since(renewed) >= s.options.Lease:
			if pause := s.longestPause(); pause > s.options.Lease/3 {
				s.members.fail(s.stallError(pause))
				return
			}
			s.members.fail(s.lostCoordinator())
			return
		}
	}
}

// lostCoordinator returns the failure of a job whose store does not answer any more.
func (s *Service) lostCoordinator() ProcessError {
	if s.embedded {
		return ProcessError{Rank: 0, Name: s.members.name(0), Why: fmt.Sprintf("is lost: it coordinates the job and has not answered at %s for %v; see its own output for why, and start the job again",
			s.options.storeName(), s.options.Lease)}
	}
	return ProcessError{Rank: Coordinator, Why: fmt.Sprintf("at %s is lost: it has not answered for %v; see its own output for why, and start the job again", s.options.storeName(), s.options.Lease)}
}

// fencedFailure returns the failure of a process whose lease has ended without its doing: a pause
// of the process, or that the coordinator had no sign of life.
func (s *Service) fencedFailure() ProcessError {
	if pause := s.longestPause(); pause > s.options.Lease/3 {
		return s.stallError(pause)
	}
	return s.ownFailure(fmt.Sprintf("was taken for lost: the coordinator had no sign of life from it for %v; start the job again, with a longer lease if the machines are that busy", s.options.Lease))
}
