package coordination

// This file implements Join: process 0 opens the job, all processes enter it, and wait for each
// other.

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"go.etcd.io/etcd/api/v3/v3rpc/rpctypes"
	clientv3 "go.etcd.io/etcd/client/v3"

	"github.com/gospmd/gospmd/internal/build"
	"github.com/gospmd/gospmd/runtime/coordination/internal/schema"
)

// version returns a text that must be equal in all processes of a job: the build of this module.
var version = build.Version

// record is the record that process 0 writes to open a job. It is in the store as long as process 0
// is a member.
type record struct {
	Epoch    uint64
	Version  string
	Size     int
	Name     string // the name of process 0
	Embedded bool   // process 0 runs the store
}

// Join makes this process a member of its job and returns when all processes are members. It looks
// for the coordinator, and waits for the other processes, until ctx is done or o.JoinTimeout is
// over. It tells o.Logger what it waits for.
//
// Join fails in all processes if one of them is missing, has another number of processes, another
// build of this module, or the id of another process. If one process is to blame, the error is a
// *ProcessError with its rank.
func Join(ctx context.Context, o Options) (*Service, error) {
	o, err := o.withDefaults()
	if err != nil {
		return nil, fmt.Errorf("coordination: %w", err)
	}
	ctx, cancel := context.WithTimeout(ctx, o.JoinTimeout)
	defer cancel()
	s := &Service{options: o, job: schema.JobOf(o.JobName), members: newMembers(o.NumProcesses)}
	s.ctx, s.stop = context.WithCancel(context.Background())
	if err := s.join(ctx); err != nil {
		s.close()
		return nil, fmt.Errorf("coordination: %w", err)
	}
	return s, nil
}

func (s *Service) join(ctx context.Context) (err error) {
	if s.credentials, err = s.options.credentials(); err != nil {
		return err
	}
	if err := s.startStore(ctx); err != nil {
		return err
	}
	w := newWaiting(s.options)
	defer w.end()
	for {
		if err := s.reach(ctx, w); err != nil {
			return err
		}
		if s.client, err = s.connect(); err != nil {
			return err
		}
		err := s.enter(ctx, w)
		if err == nil {
			return s.waitForAll(ctx, w)
		}
		if !isPassing(err) || !wait(ctx, retryPause) {
			return err
		}
		s.client.Close()
		s.client, s.lease = nil, 0
	}
}

// passing marks an error that may disappear if Join tries again, because an earlier job is ending.
type passing struct{ error }

func (p passing) Unwrap() error { return p.error }

// isPassing reports whether Join should try again: an earlier job is ending, the connection broke,
// or this process has waited longer than its lease.
func isPassing(err error) bool {
	return errors.As(err, new(passing)) || isUnavailable(err) || errors.Is(err, rpctypes.ErrLeaseNotFound)
}

const retryPause = 100 * time.Millisecond

// wait waits for the time d. It returns false if ctx ends first, and otherwise true.
func wait(ctx context.Context, d time.Duration) bool {
	select {
	case <-ctx.Done():
		return false
	case <-time.After(d):
		return true
	}
}

// enter makes this process a member of the job: process 0 opens the job, others wait for that and
// claim their rank. It fails if the options differ from those of process 0, or if another living
// process has the rank.
func (s *Service) enter(ctx context.Context, w *waiting) error {
	if s.Rank() == 0 {
		return s.open(ctx, w)
	}
	opened, r, err := s.awaitOpening(ctx, w)
	if err != nil {
		return err
	}
	s.epoch, s.keys, s.embedded = r.Epoch, s.job.Epoch(r.Epoch), r.Embedded
	if why := s.differs(r); why != "" {
		return s.reject(ctx, why)
	}
	if err := s.grant(ctx); err != nil {
		return err
	}
	w.setf("the process that had the id %d before to be given up as lost", s.Rank())
	deadline := time.Now().Add(s.options.Lease + time.Second)
	for {
		other, err := s.claim(ctx, opened)
		if err != nil || other == nil {
			return err
		}
		if !other.alive {
			return passing{fmt.Errorf("an earlier job at %s has not ended yet: %s was its process %d", s.options.storeName(), other.name, s.Rank())}
		}
		if time.Now().After(deadline) { // an earlier process that was killed has lost its lease by now
			return s.reject(ctx, fmt.Sprintf("(%s) and %s have both the id %d: give every process an id of its own", other.name, s.options.Name, s.Rank()))
		}
		if !wait(ctx, retryPause) {
			return context.Cause(ctx)
		}
	}
}

// grant gets a lease and sets s.lease and its duration: a cluster may prescribe a minimum. The
// request has a timeout, because the coordinator has just answered.
func (s *Service) grant(ctx context.Context) error {
	ctx, cancel := context.WithTimeoutCause(ctx, 3*s.options.Lease, passing{errors.New("it does not grant one")})
	defer cancel()
	lease, err := s.client.Grant(ctx, int64(s.options.Lease.Seconds()))
	if err != nil {
		return fmt.Errorf("asking the coordinator at %s for a lease: %w", s.options.storeName(), reasonOf(ctx, err))
	}
	s.lease, s.options.Lease = lease.ID, max(s.options.Lease, time.Duration(lease.TTL)*time.Second)
	return nil
}

// open opens the job and makes this process its member with rank 0. It removes what is left of an
// earlier start of the job, and waits until the process 0 of that start is no member any more. It
// is an error if that start still goes on somewhat longer than a lease.
func (s *Service) open(ctx context.Context, w *waiting) error {
	s.epoch, s.embedded = uint64(time.Now().UnixNano()), s.store != nil
	s.keys = s.job.Epoch(s.epoch)
	mine := encode(record{Epoch: s.epoch, Version: version(), Size: s.Size(), Name: s.options.Name, Embedded: s.embedded})
	w.setf("an earlier job %q to end at the coordinator, %s", s.options.JobName, s.options.storeName())
	deadline := time.Now().Add(s.options.Lease + 2*time.Second)
	for {
		got, err := s.client.Get(ctx, s.job.Record())
		if err != nil {
			return reasonOf(ctx, err)
		}
		if len(got.Kvs) == 0 {
			if err := s.grant(ctx); err != nil {
				return err
			}
			opened, err := s.client.Txn(ctx).If(clientv3.Compare(clientv3.CreateRevision(s.job.Record()), "=", 0)).
				Then(clientv3.OpDelete(s.job.Epochs(), clientv3.WithPrefix()), clientv3.OpPut(s.job.Record(), mine, clientv3.WithLease(s.lease))).Commit()
			if err != nil {
				return reasonOf(ctx, err)
			}
			if opened.Succeeded {
				return s.claimFirst(ctx, opened.Header.Revision)
			}
			continue
		}
		if time.Now().After(deadline) {
			var other record
			json.Unmarshal(got.Kvs[0].Value, &other) //nolint:errcheck // on an error the name is empty
			e := s.ownFailure(fmt.Sprintf("and %s have both the id 0 of the job %q at %s: give every process an id of its own, and every job its own %s",
				other.Name, s.options.JobName, s.options.storeName(), VariableJobName))
			return &e
		}
		if !wait(ctx, retryPause) {
			return context.Cause(ctx)
		}
	}
}

// claimFirst takes the rank 0 in the job that this process has just opened. If another process has
// taken it, that is an error.
func (s *Service) claimFirst(ctx context.Context, opened int64) error {
	other, err := s.claim(ctx, opened)
	if err == nil && other != nil {
		err = fmt.Errorf("%s has taken the id 0 of a job that %s has opened", other.name, s.options.Name)
	}
	return err
}

// awaitOpening waits until process 0 has opened the job. It returns the record of the job, and
// opened, the revision of the store that created it. It fails when ctx ends.
func (s *Service) awaitOpening(ctx context.Context, w *waiting) (opened int64, r record, err error) {
	w.setf("process 0 to open the job %q at the coordinator, %s", s.options.JobName, s.options.storeName())
	for {
		got, err := s.client.Get(ctx, s.job.Record())
		if err != nil {
			return 0, r, s.notOpenedError(ctx, err)
		}
		if len(got.Kvs) > 0 {
			if err := json.Unmarshal(got.Kvs[0].Value, &r); err != nil {
				return 0, r, fmt.Errorf("the key %s at %s cannot be read: %w; its value is %.80q", s.job.Record(), s.options.storeName(), err, got.Kvs[0].Value)
			}
			return got.Kvs[0].CreateRevision, r, nil
		}
		if !wait(ctx, retryPause) {
			return 0, r, s.notOpenedError(ctx, context.Cause(ctx))
		}
	}
}

// notOpenedError returns the error of a process that waits for process 0 to open the job, and got
// err. If the time is over, it blames process 0. If ctx has ended otherwise, it gives the cause.
func (s *Service) notOpenedError(ctx context.Context, err error) error {
	if errors.Is(ctx.Err(), context.DeadlineExceeded) {
		return &ProcessError{Rank: 0, Why: fmt.Sprintf("has not opened the job %q at %s in time; start it, with that coordinator, and see that its machine reaches it", s.options.JobName, s.options.storeName())}
	}
	return fmt.Errorf("waiting for process 0 to open the job at %s: %w", s.options.storeName(), reasonOf(ctx, err))
}

// reasonOf returns the cause of ctx's end if ctx has ended, because the request then failed for
// that reason; otherwise err.
func reasonOf(ctx context.Context, err error) error {
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	return err
}

// differs says why this process cannot be part of the job that r opens; "" if it can.
func (s *Service) differs(r record) string {
	switch {
	case r.Version != version():
		return fmt.Sprintf("(%s) uses the build %q of gospmd, process 0 (%s) the build %q: build all from the same commit, or start the same executable everywhere",
			s.options.Name, version(), r.Name, r.Version)
	case r.Size != s.Size():
		return fmt.Sprintf("(%s) was started as one of %d processes, process 0 (%s) as one of %d: start all with the same number", s.options.Name, s.Size(), r.Name, r.Size)
	}
	return ""
}

// reject returns an error that says why this process may not be a member. While the job is not
// complete, all its processes fail with that error too.
func (s *Service) reject(ctx context.Context, why string) error {
	e := &ProcessError{Rank: s.Rank(), Why: why}
	ctx, cancel := context.WithTimeout(ctx, failDelay)
	defer cancel()
	s.client.Txn(ctx).If(clientv3.Compare(clientv3.CreateRevision(s.keys.Complete()), "=", 0)). //nolint:errcheck // otherwise they time out
													Then(clientv3.OpPut(s.keys.Failed(s.Rank()), encode(e))).Commit()
	return e
}

// claimant is the process that has taken a rank: its name, and whether it is still a member.
type claimant struct {
	name  string
	alive bool
}

// claim takes the rank of this process in the job, makes it a member, and follows the job. opened
// is the store's revision of the opening of the job. claim takes nothing if the rank was taken
// before in this start of the job, or if the start has ended. Then it returns the process that has
// taken the rank, or one without a name if there is none; after success nil.
func (s *Service) claim(ctx context.Context, opened int64) (*claimant, error) {
	id, member := s.keys.ID(s.Rank()), s.keys.Member(s.Rank())
	got, err := s.client.Txn(ctx).
		If(clientv3.Compare(clientv3.CreateRevision(id), "=", 0), clientv3.Compare(clientv3.CreateRevision(s.job.Record()), "=", opened)).
		Then(clientv3.OpPut(id, s.identity()), clientv3.OpPut(member, s.options.Name, clientv3.WithLease(s.lease)),
			clientv3.OpGet(s.keys.Status(), clientv3.WithPrefix())).
		Else(clientv3.OpGet(id), clientv3.OpGet(member)).Commit()
	if err != nil {
		return nil, reasonOf(ctx, err)
	}
	if !got.Succeeded {
		other := &claimant{alive: len(got.Responses[1].GetResponseRange().Kvs) > 0}
		for _, kv := range got.Responses[0].GetResponseRange().Kvs {
			other.name = readIdentity(kv.Value).Name
		}
		return other, nil
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

// waitForAll returns when all processes have entered and their fingerprints are known; process 0
// then marks the job as complete. If ctx ends before, it reports the failure to the others; after a
// deadline the error names the missing processes.
func (s *Service) waitForAll(ctx context.Context, w *waiting) error {
	w.set(func() string {
		missing, _ := s.members.ranksIn(absent)
		return fmt.Sprintf("%s to join the job at %s", s.members.describe(missing), s.options.storeName())
	})
	missing, err := s.waitWhile(ctx, func() ([]int, <-chan struct{}) { return s.members.ranksIn(absent) })
	switch {
	case err != nil:
		return err
	case missing == nil:
		if err := s.learnFingerprints(ctx); err != nil {
			return err
		}
		if s.Rank() == 0 {
			return s.put(ctx, s.keys.Complete(), "")
		}
		return nil
	case !errors.Is(ctx.Err(), context.DeadlineExceeded):
		err := fmt.Errorf("waiting for %s to join: %w", s.members.describe(missing), context.Cause(ctx))
		s.report(s.ownFailure("gave up "+err.Error()), goodbye)
		return err
	}
	e := ProcessError{Rank: missing[0], Why: fmt.Sprintf("has not joined the job at %s in time (%d of %d are missing: %s); start it, with that address, and see that its machine reaches it",
		s.options.storeName(), len(missing), s.Size(), s.members.describe(missing))}
	s.report(e, failDelay)
	return &e
}

// goodbye is how long a process whose context has ended may take to tell the others.
const goodbye = 300 * time.Millisecond

// waitWhile waits until the function such, which lists ranks to wait for and has a channel that
// signals a change, returns no ranks. It returns an error if the job fails. If ctx ends first, it
// returns the ranks that such still lists.
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
