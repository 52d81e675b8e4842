package transporttest

// This file holds the tests that every transport must pass.

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/gomlx/compute/dtypes"
	"github.com/stretchr/testify/require"

	"github.com/gospmd/gospmd/ir"
	"github.com/gospmd/gospmd/runtime/goengine/interp"
	"github.com/gospmd/gospmd/runtime/transport"
)

// Run runs all tests of a transport, except the tests with these names. open returns the transports
// of n ranks, and closes them when the test ends.
func Run(t *testing.T, open func(t *testing.T, n int) []transport.Transport, except ...string) {
	for _, tc := range []struct {
		name string
		test func(t *testing.T, open func(t *testing.T, n int) []transport.Transport)
	}{
		{"sizes", testSizes},
		{"order of one tag", testOrder},
		{"tags at once", testTags},
		{"several messages", testSeveral},
		{"receiver comes late", testLate},
		{"lengths disagree", testLengths},
		{"ranks", testRanks},
		{"close", testClose},
		{"context", testContext},
		{"all-reduce", testAllReduce},
		{"collectives", testCollectives},
	} {
		if !slices.Contains(except, tc.name) {
			t.Run(tc.name, func(t *testing.T) { tc.test(t, open) })
		}
	}
}

// limit is the time after which a test counts as hanging.
const limit = 2 * time.Minute

// each calls do for each rank, at the same time, and returns the errors by rank.
func each(t *testing.T, ts []transport.Transport, do func(ctx context.Context, t transport.Transport) error) []error {
	t.Helper()
	ctx, cancel := context.WithTimeoutCause(context.Background(), limit, errors.New("the test hangs"))
	defer cancel()
	errs := make([]error, len(ts))
	var wait sync.WaitGroup
	for rank, tr := range ts {
		wait.Go(func() { errs[rank] = do(ctx, tr) })
	}
	wait.Wait()
	return errs
}

func all(t *testing.T, ts []transport.Transport, do func(ctx context.Context, t transport.Transport) error) {
	t.Helper()
	for rank, err := range each(t, ts, do) {
		require.NoError(t, err, "rank %d", rank)
	}
}

// payload returns n bytes that depend on the ranks from and to and on the number of the exchange.
func payload(n, from, to, round int) []byte {
	x := uint64(from*1000003+to*10007+round*101+n) | 1
	var head [1021]byte // no power of two, so that no two pieces of a message are the same
	for i := range head {
		x ^= x << 13
		x ^= x >> 7
		x ^= x << 17
		head[i] = byte(x)
	}
	out := make([]byte, n)
	for at := 0; at < n; at += copy(out[at:], head[:]) {
	}
	return out
}

func check(got []byte, n, from, to, round int) error {
	if !bytes.Equal(got, payload(n, from, to, round)) {
		return fmt.Errorf("round %d: the %d bytes from rank %d to rank %d are not those that were sent", round, n, from, to)
	}
	return nil
}

// swap sends n bytes to each other rank of t and receives n bytes from each, under the given tag.
// It returns an error if the received bytes are not those that payload gives for this round.
func swap(ctx context.Context, t transport.Transport, tag uint64, n, round int) error {
	var sends, recvs []transport.Message
	for rank := range t.Size() {
		if rank != t.Rank() {
			sends = append(sends, transport.Message{Rank: rank, Data: payload(n, t.Rank(), rank, round)})
			recvs = append(recvs, transport.Message{Rank: rank, Data: make([]byte, n)})
		}
	}
	if err := t.Exchange(ctx, tag, sends, recvs); err != nil {
		return err
	}
	for _, m := range recvs {
		if err := check(m.Data, n, m.Rank, t.Rank(), round); err != nil {
			return err
		}
	}
	return nil
}

func testSizes(t *testing.T, open func(t *testing.T, n int) []transport.Transport) {
	for _, ranks := range []int{2, 3, 5} {
		ts := open(t, ranks)
		all(t, ts, func(ctx context.Context, tr transport.Transport) error {
			for i, n := range []int{0, 1, 7, 4096, 64 << 10, 64<<10 + 1, 300_000, 3 << 20} {
				if err := swap(ctx, tr, uint64(i%3), n, i); err != nil {
					return err
				}
			}
			return nil
		})
	}
}

func testOrder(t *testing.T, open func(t *testing.T, n int) []transport.Transport) {
	all(t, open(t, 2), func(ctx context.Context, tr transport.Transport) error {
		other := 1 - tr.Rank()
		for round := range 300 {
			n := []int{3, 100_000, 17, 70_000}[round%4]
			if tr.Rank() == 0 { // rank 0 runs ahead of rank 1
				if err := tr.Exchange(ctx, 7, []transport.Message{{Rank: other, Data: payload(n, 0, 1, round)}}, nil); err != nil {
					return err
				}
				continue
			}
			got := make([]byte, n)
			if err := tr.Exchange(ctx, 7, nil, []transport.Message{{Rank: other, Data: got}}); err != nil {
				return err
			}
			if err := check(got, n, 0, 1, round); err != nil {
				return err
			}
		}
		return nil
	})
}

// testTags requires that operations with different tags, which start in a different order on each
// rank, get their own messages. open opens the transports of n ranks.
func testTags(t *testing.T, open func(t *testing.T, n int) []transport.Transport) {
	const tags, rounds = 12, 20
	all(t, open(t, 3), func(ctx context.Context, tr transport.Transport) error {
		errs := make([]error, tags)
		var wait sync.WaitGroup
		for i := range tags {
			tag := (i*5 + tr.Rank()*3) % tags
			wait.Go(func() {
				for round := range rounds {
					n := []int{1, 2000, 90_000, 400_000}[(tag+round)%4]
					if err := swap(ctx, tr, uint64(tag)<<40|5, n, tag*rounds+round); err != nil {
						errs[tag] = err
						return
					}
				}
			})
		}
		wait.Wait()
		return errors.Join(errs...)
	})
}

// testSeveral requires that several messages in one operation to a rank arrive complete and in
// their order. open opens the transports of n ranks.
func testSeveral(t *testing.T, open func(t *testing.T, n int) []transport.Transport) {
	sizes := []int{5, 200_000, 0, 5, 200_000, 33}
	all(t, open(t, 2), func(ctx context.Context, tr transport.Transport) error {
		self, other := tr.Rank(), 1-tr.Rank()
		var sends, recvs []transport.Message
		for i, n := range sizes {
			sends = append(sends, transport.Message{Rank: other, Data: payload(n, self, other, i)})
			recvs = append(recvs, transport.Message{Rank: other, Data: make([]byte, n)})
		}
		if err := tr.Exchange(ctx, 1, sends, recvs); err != nil {
			return err
		}
		for i, n := range sizes {
			if err := check(recvs[i].Data, n, other, self, i); err != nil {
				return err
			}
		}
		return nil
	})
}

// testLate requires that messages arrive complete if the receiver takes them in reverse order, long
// after they were sent. They are more bytes than a transport keeps for a receiver. open opens the
// transports of n ranks.
func testLate(t *testing.T, open func(t *testing.T, n int) []transport.Transport) {
	const count, n = 400, 50_000
	all(t, open(t, 2), func(ctx context.Context, tr transport.Transport) error {
		errs := make([]error, count)
		if tr.Rank() == 0 {
			var wait sync.WaitGroup
			for i := range count {
				wait.Go(func() {
					errs[i] = tr.Exchange(ctx, uint64(i), []transport.Message{{Rank: 1, Data: payload(n, 0, 1, i)}}, nil)
				})
			}
			wait.Wait()
			return errors.Join(errs...)
		}
		time.Sleep(100 * time.Millisecond)
		for i := count - 1; i >= 0; i-- {
			got := make([]byte, n)
			if err := tr.Exchange(ctx, uint64(i), nil, []transport.Message{{Rank: 0, Data: got}}); err != nil {
				return err
			}
			if err := check(got, n, 0, 1, i); err != nil {
				return err
			}
		}
		return nil
	})
}

func testLengths(t *testing.T, open func(t *testing.T, n int) []transport.Transport) {
	for _, sizes := range [][2]int{{8, 12}, {12, 8}, {8, 100_000}, {100_000, 8}, {100_000, 200_000}} {
		ts := open(t, 2)
		errs := each(t, ts, func(ctx context.Context, tr transport.Transport) error {
			m := []transport.Message{{Rank: 1 - tr.Rank(), Data: make([]byte, sizes[tr.Rank()])}}
			if tr.Rank() == 0 {
				return tr.Exchange(ctx, 3, m, nil)
			}
			return tr.Exchange(ctx, 3, nil, m)
		})
		// The sender may end before the receiver notices the error.
		require.ErrorContains(t, errs[1], "rank 0")
		require.ErrorContains(t, errs[1], "rank 1")
		require.ErrorContains(t, errs[1], fmt.Sprint(sizes[0]))
		require.ErrorContains(t, errs[1], fmt.Sprint(sizes[1]))
		if errs[0] != nil {
			require.ErrorContains(t, errs[0], "rank 1")
			require.NotContains(t, errs[0].Error(), "hangs")
		}
	}
}

func testRanks(t *testing.T, open func(t *testing.T, n int) []transport.Transport) {
	all(t, open(t, 2), func(ctx context.Context, tr transport.Transport) error {
		for _, rank := range []int{-1, tr.Rank(), 2} {
			if err := tr.Exchange(ctx, 1, []transport.Message{{Rank: rank}}, nil); err == nil {
				return fmt.Errorf("a message to rank %d was sent", rank)
			}
		}
		return nil
	})
}

// When a transport is closed, its waiting operations end with the cause, and the operations of
// other ranks that wait for it end with an error that names its rank.
func testClose(t *testing.T, open func(t *testing.T, n int) []transport.Transport) {
	for _, n := range []int{100, 1 << 20} { // bytes: an eager message, and an announced one
		ts := open(t, 3)
		cause := errors.New("the disk is full")
		errs := each(t, ts, func(ctx context.Context, tr transport.Transport) error {
			if err := swap(ctx, tr, 1, n, 0); err != nil {
				return err
			}
			if tr.Rank() == 2 {
				time.AfterFunc(50*time.Millisecond, func() { tr.Close(cause) })
				return tr.Exchange(ctx, 2, nil, []transport.Message{{Rank: 0, Data: make([]byte, n)}})
			}
			return tr.Exchange(ctx, 3, nil, []transport.Message{{Rank: 2, Data: make([]byte, n)}})
		})
		require.ErrorIs(t, errs[2], cause)
		require.ErrorContains(t, errs[0], "rank 2")
		require.ErrorContains(t, errs[1], "rank 2")
		err := ts[2].Exchange(context.Background(), 9, []transport.Message{{Rank: 0, Data: []byte{1}}}, nil)
		require.ErrorIs(t, err, cause, "later operations")
		require.NoError(t, ts[2].Close(errors.New("another")))
		require.ErrorIs(t, ts[2].Exchange(context.Background(), 9, nil, nil), cause, "the first cause stays")
	}
}

func testContext(t *testing.T, open func(t *testing.T, n int) []transport.Transport) {
	cause := errors.New("enough")
	ctx, cancel := context.WithCancelCause(context.Background())
	time.AfterFunc(50*time.Millisecond, func() { cancel(cause) })
	ts := open(t, 2)
	start := time.Now()
	err := ts[0].Exchange(ctx, 1, nil, []transport.Message{{Rank: 1, Data: make([]byte, 8)}})
	require.ErrorIs(t, err, cause)
	require.Less(t, time.Since(start), limit)
}

// testAllReduce requires that AllReduce combines the data of all its ranks, or returns
// errors.ErrUnsupported on all of them. open opens the transports of n ranks.
func testAllReduce(t *testing.T, open func(t *testing.T, n int) []transport.Transport) {
	ts := open(t, 4)
	for round, tc := range []struct {
		ranks []int
		n     int
	}{{[]int{0, 1, 2, 3}, 4}, {[]int{0, 1, 2, 3}, 100_000}, {[]int{1, 3}, 4}, {[]int{0, 2, 3}, 4000}, {[]int{0, 1}, 1}, {[]int{1, 3}, 0}} {
		var mu sync.Mutex
		var refused int
		all(t, ts, func(ctx context.Context, tr transport.Transport) error {
			mine, want := make([]byte, 0, 4*tc.n), make([]byte, 0, 4*tc.n)
			for i := range tc.n {
				sum := 0
				for _, rank := range tc.ranks {
					sum += i*rank + round
				}
				mine = binary.NativeEndian.AppendUint32(mine, uint32(i*tr.Rank()+round))
				want = binary.NativeEndian.AppendUint32(want, uint32(sum))
			}
			mine = append(interp.Alloc(len(mine))[:0], mine...)
			in := false
			for _, rank := range tc.ranks {
				in = in || rank == tr.Rank()
			}
			if !in {
				return nil
			}
			err := tr.AllReduce(ctx, uint64(round), tc.ranks, mine, dtypes.Int32, ir.OpAdd)
			if errors.Is(err, errors.ErrUnsupported) {
				mu.Lock()
				defer mu.Unlock()
				refused++
				return nil
			}
			if err == nil && string(mine) != string(want) {
				return errors.New("the sum is wrong")
			}
			return err
		})
		require.True(t, refused == 0 || refused == len(tc.ranks), "%d of %d ranks say that the transport has no such reduction", refused, len(tc.ranks))
	}
}

// testCollectives tests AllGather and AllToAll of transports that have them, in groups and sizes of
// all kinds: each rank must get its parts in order. A case passes if AllGather returns
// errors.ErrUnsupported. open opens the transports of n ranks.
func testCollectives(t *testing.T, open func(t *testing.T, n int) []transport.Transport) {
	ts := open(t, 4)
	for round, tc := range []struct {
		ranks []int
		n     int // bytes of a part
	}{{[]int{0, 1, 2, 3}, 5}, {[]int{0, 1, 2, 3}, 100_003}, {[]int{1, 3}, 4}, {[]int{0, 2, 3}, 3 << 20}, {[]int{2}, 7}, {[]int{1, 2}, 0}} {
		all(t, ts, func(ctx context.Context, tr transport.Transport) error {
			c, ok := tr.(transport.Collectives)
			self := slices.Index(tc.ranks, tr.Rank())
			if !ok || self < 0 {
				return nil
			}
			part := func(data []byte, i int) []byte { return data[i*tc.n : (i+1)*tc.n] }
			gathered, out, in := make([]byte, tc.n*len(tc.ranks)), make([]byte, tc.n*len(tc.ranks)), make([]byte, tc.n*len(tc.ranks))
			copy(part(gathered, self), payload(tc.n, tr.Rank(), 9, round))
			for i, to := range tc.ranks {
				copy(part(out, i), payload(tc.n, tr.Rank(), to, round))
			}
			if err := c.AllGather(ctx, uint64(round), tc.ranks, gathered); err != nil {
				if errors.Is(err, errors.ErrUnsupported) {
					err = nil
				}
				return err
			}
			if err := c.AllToAll(ctx, uint64(round), tc.ranks, out, in); err != nil {
				return err
			}
			for i, from := range tc.ranks {
				if err := errors.Join(check(part(gathered, i), tc.n, from, 9, round), check(part(in, i), tc.n, from, tr.Rank(), round)); err != nil {
					return err
				}
			}
			return nil
		})
	}
}
