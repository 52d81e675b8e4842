package coordination

// This file implements the values, exchanges and barriers of processes, which communicate through
// the store.

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"sync"

	clientv3 "go.etcd.io/etcd/client/v3"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	"github.com/gospmd/gospmd/runtime/coordination/internal/schema"
)

// Set writes a value for the other processes, which Get and Lookup read. It fails when ctx, or the
// job, ends.
func (s *Service) Set(ctx context.Context, key string, value []byte) error {
	ctx, cancel := s.contextWhileUp(ctx)
	defer cancel()
	if err := s.put(ctx, s.keys.Value(key), string(value)); err != nil {
		return fmt.Errorf("coordination: Set %q: %w", key, err)
	}
	return nil
}

// Get waits until some process has set the key and returns its value. It fails when ctx, or the
// job, ends, and when all other processes have left without setting the key.
func (s *Service) Get(ctx context.Context, key string) ([]byte, error) {
	ctx, cancel := s.contextWhileUp(ctx)
	defer cancel()
	at := s.keys.Value(key)
	a := &awaited{keys: []string{at}, prefix: at, writers: func(int) []int { return s.otherRanks() }}
	if err := s.await(ctx, a); err != nil {
		return nil, fmt.Errorf("coordination: Get %q: %w", key, err)
	}
	return a.found[at], nil
}

// otherRanks returns the ranks of the other processes, or, in a job of one, that of the only one.
func (s *Service) otherRanks() (ranks []int) {
	for rank := range s.Size() {
		if rank != s.Rank() || s.Size() == 1 {
			ranks = append(ranks, rank)
		}
	}
	return ranks
}

// Lookup returns the value of a key; found is false if it has not been set. It does not wait. A job
// that has failed is an error.
func (s *Service) Lookup(ctx context.Context, key string) (value []byte, found bool, err error) {
	ctx, cancel := s.contextWhileUp(ctx)
	defer cancel()
	got, err := call(ctx, func() (*clientv3.GetResponse, error) { return s.client.Get(ctx, s.keys.Value(key)) })
	if err != nil {
		return nil, false, fmt.Errorf("coordination: Lookup %q: %w", key, err)
	}
	if len(got.Kvs) == 0 {
		return nil, false, nil
	}
	return got.Kvs[0].Value, true, nil
}

// Exchange gives value to all processes and returns theirs by rank. All processes must call it,
// with the same names in the same order. A name may be used again after the call with that name has
// returned. The next use deletes the old values. It fails when ctx, or the job, ends, and when a
// process has left without taking part.
func (s *Service) Exchange(ctx context.Context, name string, value []byte) ([][]byte, error) {
	ctx, cancel := s.contextWhileUp(ctx)
	defer cancel()
	values, err := s.exchange(ctx, name, value)
	if err != nil {
		return nil, fmt.Errorf("coordination: Exchange %q: %w", name, err)
	}
	return values, nil
}

// Barrier returns when all processes have called it with the given name. It fails when ctx, or the
// job, ends, and when a process has left without taking part.
func (s *Service) Barrier(ctx context.Context, name string) error {
	ctx, cancel := s.contextWhileUp(ctx)
	defer cancel()
	if _, err := s.exchange(ctx, "barrier "+name, nil); err != nil {
		return fmt.Errorf("coordination: Barrier %q: %w", name, err)
	}
	return nil
}

// sequence counts how often each name was used.
type sequence struct {
	mu    sync.Mutex
	count map[string]int
}

func (c *sequence) next(name string) int {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.count == nil {
		c.count = map[string]int{}
	}
	c.count[name]++
	return c.count[name]
}

func (s *Service) exchange(ctx context.Context, name string, value []byte) ([][]byte, error) {
	n := s.exchanges.next(name)
	at := func(n int) string { return s.keys.Exchange(name, n) }
	self := strconv.Itoa(s.Rank())
	// A process that takes part in this exchange has read the values of the previous one. So all
	// processes have read the values of the one before that, and they can be deleted.
	if err := s.put(ctx, at(n)+self, string(value), clientv3.OpDelete(at(n-2)+self)); err != nil {
		return nil, err
	}
	a := &awaited{prefix: at(n), scope: []clientv3.OpOption{clientv3.WithPrefix()}, writers: func(i int) []int { return []int{i} }}
	for rank := range s.Size() {
		a.keys = append(a.keys, at(n)+strconv.Itoa(rank))
	}
	if err := s.await(ctx, a); err != nil {
		return nil, err
	}
	values := make([][]byte, s.Size())
	for rank, key := range a.keys {
		values[rank] = a.found[key]
	}
	return values, nil
}

// contextWhileUp returns ctx that ends also, with the cause, when the job fails or this process
// leaves it, and the function that ends it.
func (s *Service) contextWhileUp(ctx context.Context) (context.Context, context.CancelFunc) {
	ctx, cancel := context.WithCancelCause(ctx)
	go func() {
		select {
		case <-s.Failed():
			cancel(s.Err())
		case <-s.ctx.Done():
			cancel(errClosed)
		case <-ctx.Done():
		}
	}()
	return ctx, func() { cancel(nil) }
}

var errClosed = errors.New("this process has left the job")

// call sends one request to the store, and sends it again if the connection breaks. This ends when
// the store answers, or when ctx ends because the coordinator is lost. So a request may be executed
// twice.
func call[T any](ctx context.Context, request func() (T, error)) (T, error) {
	for {
		answer, err := request()
		if err == nil {
			return answer, nil
		}
		if ctx.Err() == nil && isUnavailable(err) && wait(ctx, retryPause) {
			continue
		}
		return answer, reasonOf(ctx, err)
	}
}

// isUnavailable reports whether a request failed because the connection broke.
func isUnavailable(err error) bool { return status.Code(err) == codes.Unavailable }

// put writes a value, and does more in the same transaction, if this process is still a member. If
// it is not, because it was stopped until its lease ended, put writes nothing, and the job has
// failed for this process. A value of more than schema.MaxValue bytes is an error.
func (s *Service) put(ctx context.Context, key, value string, more ...clientv3.Op) error {
	if err := s.Err(); err != nil {
		return err
	}
	if len(value) > schema.MaxValue {
		return fmt.Errorf("a value of %d bytes is too large for the store of the job, it takes %d: send arrays through collectives", len(value), schema.MaxValue)
	}
	member := clientv3.Compare(clientv3.CreateRevision(s.keys.Member(s.Rank())), "=", s.joined)
	ops := append([]clientv3.Op{clientv3.OpPut(key, value)}, more...)
	got, err := call(ctx, func() (*clientv3.TxnResponse, error) { return s.client.Txn(ctx).If(member).Then(ops...).Commit() })
	if err != nil {
		return err
	}
	if !got.Succeeded {
		s.members.fail(s.fencedFailure())
		return s.Err()
	}
	return nil
}

// awaited describes keys that this process waits for, and the values found so far.
type awaited struct {
	keys    []string
	scope   []clientv3.OpOption // options that make a read of prefix include all keys
	prefix  string
	writers func(i int) []int // the ranks that may write keys[i]
	found   map[string][]byte
}

// missingKeys returns the indices of the keys that are not there.
func (a *awaited) missingKeys() (missingKeys []int) {
	for i, key := range a.keys {
		if _, ok := a.found[key]; !ok {
			missingKeys = append(missingKeys, i)
		}
	}
	return missingKeys
}

// await waits until all keys of a have values, and stores these in a.found. It fails when ctx ends,
// with the cause and the processes that it still waited for (see explainWait), or with a
// ProcessError when all that may set a key have left.
func (s *Service) await(ctx context.Context, a *awaited) error {
	revision, err := s.read(ctx, a)
	if err != nil {
		return err
	}
	var watch clientv3.WatchChan
	for {
		leavers, changed := s.members.ranksIn(leaving, left)
		if err := s.neverComesError(ctx, a, leavers); err != nil {
			return err
		}
		if len(a.missingKeys()) == 0 {
			return nil
		}
		if watch == nil {
			watch = s.client.Watch(ctx, a.prefix, append(a.scope, clientv3.WithRev(revision+1))...)
		}
		select {
		case <-ctx.Done():
			return s.explainWait(context.Cause(ctx), a)
		case <-changed:
		case w, ok := <-watch:
			switch {
			case ctx.Err() != nil:
				return s.explainWait(context.Cause(ctx), a)
			case !ok || w.Err() != nil: // look again
				if revision, err = s.read(ctx, a); err != nil {
					return err
				}
				watch = nil
			}
			for _, event := range w.Events {
				a.found[string(event.Kv.Key)] = event.Kv.Value
			}
		}
	}
}

// read replaces a.found by the values that exist now, and returns the store's revision.
func (s *Service) read(ctx context.Context, a *awaited) (revision int64, err error) {
	got, err := call(ctx, func() (*clientv3.GetResponse, error) { return s.client.Get(ctx, a.prefix, a.scope...) })
	if err != nil {
		return 0, err
	}
	a.found = map[string][]byte{}
	for _, kv := range got.Kvs {
		a.found[string(kv.Key)] = kv.Value
	}
	return got.Header.Revision, nil
}

// neverComesError returns the error of a key whose writers have left the job, as leavers lists,
// without writing it; nil if there is none. Before such an error it reads a.found again from the
// store.
func (s *Service) neverComesError(ctx context.Context, a *awaited, leavers []int) error {
	isAbandoned := func(i int) bool {
		return !slices.ContainsFunc(a.writers(i), func(rank int) bool { return !slices.Contains(leavers, rank) })
	}
	if !slices.ContainsFunc(a.missingKeys(), isAbandoned) {
		return nil
	}
	if _, err := s.read(ctx, a); err != nil { // a process may have written the key just before it left
		return err
	}
	missing := a.missingKeys()
	i := slices.IndexFunc(missing, isAbandoned)
	if i < 0 {
		return nil
	}
	rank := a.writers(missing[i])[0]
	return &ProcessError{Rank: rank, Name: s.members.name(rank), Why: "has left the job without taking part: all processes must make the same calls in the same order"}
}

// explainWait returns err, with the processes that have not written the keys of a added to its
// text, if this process waits for one key of each process and the job has not failed. Otherwise it
// returns err as it is.
func (s *Service) explainWait(err error, a *awaited) error {
	if s.Err() != nil || len(a.keys) != s.Size() {
		return err
	}
	return fmt.Errorf("waiting for %s: %w", s.members.describe(a.missingKeys()), err)
}
