package transport_test

import (
	"context"
	"errors"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/gomlx/compute/dtypes"
	"github.com/stretchr/testify/require"

	"github.com/gospmd/gospmd/internal/testing/transporttest"
	"github.com/gospmd/gospmd/ir"
	"github.com/gospmd/gospmd/runtime/transport"
)

// newBySize returns n transports in which messages of 1000 bytes and more, and collectives of 2000,
// are long, and the counters of the short and of the long transport of each rank.
func newBySize(n int) (ts []transport.Transport, short, long []*transporttest.Counter) {
	a, b := transporttest.Local(n), transporttest.Local(n)
	for rank := range n {
		short, long = append(short, transporttest.Counted(a[rank])), append(long, transporttest.Counted(b[rank]))
		ts = append(ts, transport.BySize(short[rank], long[rank], transport.Limits{Message: 1000, Collective: 2000}))
	}
	return ts, short, long
}

func TestBySize(t *testing.T) {
	transporttest.Run(t, func(_ *testing.T, n int) []transport.Transport {
		ts, _, _ := newBySize(n)
		return ts
	}, "lengths disagree") // TestBySizeDisagrees tests that
}

// Only messages of at least the limit go over the long transport; over the short one go the others,
// and notes of the long ones. All arrive with their contents.
func TestBySizeDivides(t *testing.T) {
	ts, short, long := newBySize(2)
	var wait sync.WaitGroup
	for _, tr := range ts {
		wait.Go(func() {
			messages := func() (out []transport.Message) {
				for _, n := range []int{10, 5000, 999, 1000} {
					out = append(out, transport.Message{Rank: 1 - tr.Rank(), Data: make([]byte, n)})
				}
				return out
			}
			sends, recvs := messages(), messages()
			for i, m := range sends {
				copy(m.Data, slices.Repeat([]byte{byte(i + 1)}, len(m.Data)))
			}
			require.NoError(t, tr.Exchange(context.Background(), 1, sends, recvs))
			for i, m := range recvs {
				require.Equal(t, sends[i].Data, m.Data)
			}
		})
	}
	wait.Wait()
	require.EqualValues(t, 6000, long[0].Bytes.Load())
	require.EqualValues(t, 10+999+2*19, short[0].Bytes.Load(), "short messages, and notes of long ones")
	require.ErrorIs(t, ts[0].AllReduce(context.Background(), 1, []int{0, 1}, make([]byte, 8), dtypes.Int32, ir.OpAdd), errors.ErrUnsupported)
}

// If the two sides expect different lengths, and one or both count as long, the receiver must get
// an error. The sender must not wait forever once the receiver has closed.
func TestBySizeDisagrees(t *testing.T) {
	for _, sizes := range [][2]int{{19, 5000}, {8, 5000}, {5000, 8}, {5000, 6000}} {
		ts, _, _ := newBySize(2)
		ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
		defer cancel()
		sent := make(chan error, 1)
		go func() {
			sent <- ts[0].Exchange(ctx, 1, []transport.Message{{Rank: 1, Data: make([]byte, sizes[0])}}, nil)
		}()
		err := ts[1].Exchange(ctx, 1, nil, []transport.Message{{Rank: 0, Data: make([]byte, sizes[1])}})
		require.ErrorContains(t, err, "rank 0 sen")
		ts[1].Close(err)
		<-sent
		require.NoError(t, ctx.Err(), "it waits")
	}
}

// gathering is a transport with the given name. Its collectives return an error with that name, so
// that a test sees which transport was used.
type gathering struct {
	transport.Transport
	name string
}

func (g gathering) AllReduce(context.Context, uint64, []int, []byte, dtypes.DType, ir.OpKind) error {
	return errors.New(g.name)
}
func (g gathering) AllGather(context.Context, uint64, []int, []byte) error { return errors.New(g.name) }
func (g gathering) AllToAll(context.Context, uint64, []int, []byte, []byte) error {
	return errors.New(g.name)
}

// The size of the data of one process decides which transport a collective uses, not the size of
// the data of all. Without collectives of its own that transport returns errors.ErrUnsupported.
func TestBySizeCollectives(t *testing.T) {
	ctx, ranks, local := context.Background(), []int{0, 1}, transporttest.Local(2)[0]
	limits := transport.Limits{Message: 10, Collective: 100}
	both := transport.BySize(gathering{local, "short"}, gathering{local, "long"}, limits)
	none := transport.BySize(local, local, limits)
	for bytes, want := range map[int]string{96: "short", 104: "long"} {
		data := make([]byte, bytes)
		require.EqualError(t, both.AllReduce(ctx, 1, ranks, data, dtypes.Int32, ir.OpAdd), want)
		require.EqualError(t, both.(transport.Collectives).AllGather(ctx, 1, ranks, make([]byte, 2*bytes)), want)
		require.EqualError(t, both.(transport.Collectives).AllToAll(ctx, 1, ranks, data, data), want)
		require.ErrorIs(t, none.(transport.Collectives).AllGather(ctx, 1, ranks, data), errors.ErrUnsupported)
		require.ErrorIs(t, none.(transport.Collectives).AllToAll(ctx, 1, ranks, data, data), errors.ErrUnsupported)
	}
}
