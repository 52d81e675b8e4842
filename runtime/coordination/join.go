package coordination

// This file implements Join: process 0 opens the job, all enter it and wait for each other.

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	clientv3 "go.etcd.io/etcd/client/v3"
)

// job is the record by which process 0 opens a job.
type job struct {
	Epoch   uint64
	Version string
	Size    int
	Name    string // of process 0
}

// Join makes this process a member of its job and returns when all are. Process 0
// runs the store of the job, the others try to reach it until o.JoinTimeout is over.
//
// A process that has another number of processes, another version of this module,
// or an id that another one has, makes Join fail in all processes, as does one that
// is missing; the error is a *ProcessError with its rank where one is to blame.
func Join(ctx context.Context, o Options) (*Service, error) {
	o, err := o.checked()
	if err != nil {
		return nil, err
	}
	ctx, cancel := context.WithTimeout(ctx, o.JoinTimeout)
	defer cancel()
	s := &Service{options: o, members: newMembers(o.NumProcesses)}
	s.ctx, s.stop = context.WithCancel(context.Background())
	if err := s.join(ctx); err != nil {
		s.close()
		return nil, fmt.Errorf("coordination: %w", err)
	}
	return s, nil
}

func (s *Service) join(ctx context.Context) error {
	tls, err := s.options.clientTLS()
	if err != nil {
		return err
	}
	if s.Rank() == 0 {
		if s.server, err = startServer(ctx, s.options); err != nil {
			return err
		}
	}
	for {
		if err := reach(ctx, s.options, tls); err != nil {
			return err
		}
		if s.client, err = connect(s.options, tls); err != nil {
			return err
		}
		err := s.enter(ctx)
		if err == nil {
			return s.waitForAll(ctx)
		}
		if refused := (*ProcessError)(nil); s.Rank() == 0 || errors.As(err, &refused) || !wait(ctx, retryPause) {
			return err
		}
		s.client.Close()
	}
}

// errEnding says that the job at the address is an earlier one, which has ended
// but whose process 0 is still there.
var errEnding = errors.New("an earlier job at this address has not ended yet")

const retryPause = 100 * time.Millisecond

// wait reports whether the time passed before ctx was done.
func wait(ctx context.Context, d time.Duration) bool {
	select {
	case <-ctx.Done():
		return false
	case <-time.After(d):
		return true
	}
}

// enter makes this process a member of the job that is open at the address. An
// error that is no ProcessError may be that of an earlier job which is ending.
func (s *Service) enter(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, 3*s.options.Lease)
	defer cancel()
	j, err := s.openJob(ctx)
	if err != nil {
		return err
	}
	s.epoch, s.keys = j.Epoch, keysOf(j.Epoch)
	if why := s.differs(j); why != "" {
		return s.reject(ctx, why)
	}
	lease, err := s.client.Grant(ctx, int64(s.options.Lease.Seconds()))
	if err != nil {
		return err
	}
	s.lease = lease.ID
	deadline := time.Now().Add(s.options.Lease + time.Second)
	for {
		other, err := s.claim(ctx)
		if err != nil {
			return err
		}
		if other == nil {
			return nil
		}
		if !other.alive {
			return errEnding
		}
		if time.Now().After(deadline) { // it is not one that was killed
			return s.reject(ctx, fmt.Sprintf("(%s) and %s have both the id %d: give every process an id of its own", other.name, s.options.Name, s.Rank()))
		}
		if !wait(ctx, retryPause) {
			return context.Cause(ctx)
		}
	}
}

// openJob opens the job in process 0, and waits for that in the others.
func (s *Service) openJob(ctx context.Context) (job, error) {
	if s.Rank() == 0 {
		j := job{Epoch: uint64(time.Now().UnixNano()), Version: version, Size: s.Size(), Name: s.options.Name}
		_, err := s.client.Put(ctx, jobKey, encode(j))
		return j, err
	}
	for {
		got, err := s.client.Get(ctx, jobKey)
		if err != nil {
			return job{}, err
		}
		if len(got.Kvs) > 0 {
			var j job
			return j, json.Unmarshal(got.Kvs[0].Value, &j)
		}
		if !wait(ctx, retryPause) {
			return job{}, context.Cause(ctx)
		}
	}
}

// differs says in what this process cannot be part of the job.
func (s *Service) differs(j job) string {
	switch {
	case j.Version != version:
		return fmt.Sprintf("(%s) uses version %s of gospmd, process 0 (%s) version %s: build all from the same source", s.options.Name, version, j.Name, j.Version)
	case j.Size != s.Size():
		return fmt.Sprintf("(%s) was started as one of %d processes, process 0 (%s) as one of %d: start all with the same number", s.options.Name, s.Size(), j.Name, j.Size)
	}
	return ""
}

// reject returns the error that this process may not be a member, and makes all
// fail with it that are still waiting for the job to be complete.
func (s *Service) reject(ctx context.Context, why string) error {
	e := &ProcessError{Rank: s.Rank(), Why: why}
	ctx, cancel := context.WithTimeout(ctx, failDelay)
	defer cancel()
	s.client.Txn(ctx).If(clientv3.Compare(clientv3.CreateRevision(s.keys.complete()), "=", 0)). //nolint:errcheck // they time out otherwise
													Then(clientv3.OpPut(s.keys.failed(s.Rank()), encode(e))).Commit()
	return e
}

// claimant is the process that has claimed an id.
type claimant struct {
	name  string
	alive bool
}

// claim takes the id of this process, once in the life of a job, or returns who
// has taken it. If it succeeds it begins to follow the job.
func (s *Service) claim(ctx context.Context) (*claimant, error) {
	id, member := s.keys.id(s.Rank()), s.keys.member(s.Rank())
	got, err := s.client.Txn(ctx).If(clientv3.Compare(clientv3.CreateRevision(id), "=", 0)).
		Then(clientv3.OpPut(id, s.options.Name), clientv3.OpPut(member, s.options.Name, clientv3.WithLease(s.lease)),
			clientv3.OpGet(s.keys.status(), clientv3.WithPrefix())).
		Else(clientv3.OpGet(id), clientv3.OpGet(member)).Commit()
	if err != nil {
		return nil, err
	}
	if !got.Succeeded {
		name := string(got.Responses[0].GetResponseRange().Kvs[0].Value)
		return &claimant{name: name, alive: len(got.Responses[1].GetResponseRange().Kvs) > 0}, nil
	}
	s.joined = got.Header.Revision
	var failure *ProcessError
	for _, kv := range got.Responses[2].GetResponseRange().Kvs {
		if e := s.apply(string(kv.Key), kv.Value); e != nil {
			failure = e
		}
	}
	s.follow(failure)
	return nil, nil
}

// waitForAll returns when all processes have entered.
func (s *Service) waitForAll(ctx context.Context) error {
	missing, err := s.waitWhile(ctx, func() ([]int, <-chan struct{}) { return s.members.in(absent) })
	switch {
	case err != nil:
		return err
	case missing == nil:
		if s.Rank() == 0 {
			return s.put(ctx, s.keys.complete(), "")
		}
		return nil
	case !errors.Is(ctx.Err(), context.DeadlineExceeded):
		err := fmt.Errorf("waiting for %s to join: %w", s.members.describe(missing), context.Cause(ctx))
		s.report(ProcessError{Rank: s.Rank(), Name: s.options.Name, Why: "gave up " + err.Error()})
		return err
	}
	e := ProcessError{Rank: missing[0], Why: fmt.Sprintf("has not joined the job at %s in time (%d of %d are missing: %s); start it, with that address, and see that its machine reaches it",
		s.options.Address, len(missing), s.Size(), s.members.describe(missing))}
	s.report(e)
	return &e
}

// waitWhile returns when there are no such processes any more, when the job has failed,
// with its error, or when ctx is done: then with the ranks that are left.
func (s *Service) waitWhile(ctx context.Context, such func() (ranks []int, changed <-chan struct{})) (left []int, err error) {
	for {
		ranks, changed := such()
		if len(ranks) == 0 {
			return nil, nil
		}
		select {
		case <-changed:
		case <-s.Failed():
			return nil, s.Err()
		case <-ctx.Done():
			return ranks, nil
		}
	}
}
