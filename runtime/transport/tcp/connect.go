package tcp

// This file makes the connections between processes, and ends them. The process that dials sends
// metadata that describe it. The process that answers checks that both belong together.

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"sync"
	"time"

	"google.golang.org/grpc"
	"google.golang.org/grpc/backoff"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/credentials"
	"google.golang.org/grpc/experimental"
	"google.golang.org/grpc/keepalive"
	"google.golang.org/grpc/metadata"
	"google.golang.org/grpc/peer"
	"google.golang.org/grpc/status"
)

// The keys of the metadata that a dialling process sends.
const (
	jobKey  = "gospmd-job"
	rankKey = "gospmd-rank"
	sizeKey = "gospmd-size"
)

// connector makes the links of a transport.
type connector struct {
	*Listener
	t       *tcpTransport
	streams context.Context // the context of the streams that this process dials
	cancel  func()
	up      chan int // ranks whose link is connected
	failed  chan error
	running sync.WaitGroup

	mu    sync.Mutex
	taken map[int]bool // ranks that have dialled
}

func newConnector(l *Listener, rank, size int) *connector {
	c := &connector{Listener: l, t: &tcpTransport{rank: rank, links: make([]*link, size)},
		up: make(chan int, size), failed: make(chan error, size), taken: make(map[int]bool)}
	c.streams, c.cancel = context.WithCancel(context.Background())
	c.t.stop = c.stop
	for peer := range size {
		if peer != rank {
			c.t.links[peer] = newLink(rank, peer)
		}
	}
	return c
}

// wait waits until all links are connected. Its error begins with the ranks that could not be
// connected.
func (c *connector) wait(ctx context.Context) error {
	missing := make([]int, 0, c.t.Size())
	for peer, l := range c.t.links {
		if l != nil {
			missing = append(missing, peer)
		}
	}
	for len(missing) > 0 {
		select {
		case peer := <-c.up:
			missing = slices.DeleteFunc(missing, func(rank int) bool { return rank == peer })
		case err := <-c.failed:
			return err
		case <-ctx.Done():
			return fmt.Errorf("ranks %v: %w", missing, context.Cause(ctx))
		}
	}
	return nil
}

// dial connects to the process peer, of a lower rank, at the address, and runs the link until it
// ends. It returns an error if it cannot connect, or the reason why the other process refuses.
func (c *connector) dial(peer int, address string) error {
	conn, err := grpc.NewClient("passthrough:///"+address, grpc.WithTransportCredentials(c.options.credentials()), grpc.WithNoProxy(), experimental.WithBufferPool(pool),
		grpc.WithDefaultCallOptions(grpc.ForceCodecV2(codec{}), grpc.WaitForReady(true), grpc.MaxCallRecvMsgSize(2*chunk)),
		grpc.WithReadBufferSize(socketBuffer), grpc.WithWriteBufferSize(socketBuffer),
		grpc.WithInitialWindowSize(streamWindow), grpc.WithInitialConnWindowSize(streamWindow),
		grpc.WithKeepaliveParams(keepalive.ClientParameters{Time: keepaliveTime, Timeout: keepaliveTimeout}),
		grpc.WithConnectParams(grpc.ConnectParams{MinConnectTimeout: 5 * time.Second,
			Backoff: backoff.Config{BaseDelay: 20 * time.Millisecond, Multiplier: 1.6, Jitter: 0.2, MaxDelay: time.Second}}))
	if err != nil {
		return err
	}
	defer conn.Close()
	ctx := metadata.AppendToOutgoingContext(c.streams, jobKey, c.options.Job, rankKey, strconv.Itoa(c.t.rank), sizeKey, strconv.Itoa(c.t.Size()))
	s, err := conn.NewStream(ctx, &service.Streams[0], "/"+service.ServiceName+"/"+service.Streams[0].StreamName)
	if err != nil {
		return err
	}
	answer, err := s.Header()
	if err == nil && len(answer.Get(rankKey)) == 0 {
		err = s.RecvMsg(new(frame)) // the error says why the other process refuses
	}
	if err != nil {
		return err
	}
	if got := answer.Get(rankKey)[0]; got != strconv.Itoa(peer) {
		return fmt.Errorf("it is rank %s", got)
	}
	if err := c.options.verify(s.Context(), peer); err != nil {
		return err
	}
	c.running.Add(1)
	defer c.running.Done()
	c.up <- peer
	c.t.links[peer].run(s, s.CloseSend)
	return nil
}

// serve answers a process with a higher rank, after Connect was called, and runs the link until it
// ends. A process that does not belong to the job gets an error.
func (l *Listener) serve(s grpc.ServerStream) error {
	select {
	case <-l.ready:
	case <-s.Context().Done():
		return context.Cause(s.Context())
	}
	c := l.connector
	peer, err := c.admit(s.Context())
	if err != nil {
		return status.Error(codes.FailedPrecondition, err.Error())
	}
	if err := s.SendHeader(metadata.Pairs(rankKey, strconv.Itoa(c.t.rank))); err != nil {
		return err
	}
	c.running.Add(1)
	defer c.running.Done()
	c.up <- peer
	c.t.links[peer].run(s, nil)
	return nil
}

// admit returns the rank of the process that dials, from its metadata, and marks it as connected. A
// process of another job, size or rank, without the certificate of its rank, or connected already,
// is an error.
func (c *connector) admit(ctx context.Context) (int, error) {
	md, _ := metadata.FromIncomingContext(ctx)
	value := func(key string) string {
		if list := md.Get(key); len(list) > 0 {
			return list[0]
		}
		return ""
	}
	if job := value(jobKey); job != c.options.Job {
		return 0, fmt.Errorf("it belongs to job %q, not to %q", c.options.Job, job)
	}
	if size := value(sizeKey); size != strconv.Itoa(c.t.Size()) {
		return 0, fmt.Errorf("it is one of %d processes, not of %s", c.t.Size(), size)
	}
	peer, err := strconv.Atoi(value(rankKey))
	if err != nil || peer <= c.t.rank || peer >= c.t.Size() {
		return 0, fmt.Errorf("it waits for ranks from %d to %d, not for %s", c.t.rank+1, c.t.Size()-1, value(rankKey))
	}
	if err := c.options.verify(ctx, peer); err != nil {
		return 0, err
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.taken[peer] {
		return 0, fmt.Errorf("rank %d is connected already", peer)
	}
	c.taken[peer] = true
	return peer, nil
}

// verify returns an error unless the other end of a stream has the certificate of the rank, which
// o.VerifyPeer decides. Without VerifyPeer it accepts every process.
func (o Options) verify(ctx context.Context, rank int) error {
	if o.VerifyPeer == nil {
		return nil
	}
	other, _ := peer.FromContext(ctx)
	if other != nil {
		if info, ok := other.AuthInfo.(credentials.TLSInfo); ok && len(info.State.PeerCertificates) > 0 {
			if err := o.VerifyPeer(rank, info.State.PeerCertificates[0]); err != nil {
				return fmt.Errorf("it claims rank %d: %w", rank, err)
			}
			return nil
		}
	}
	return fmt.Errorf("it claims rank %d and shows no certificate", rank)
}

// stop closes all connections, after the other processes have got the reason, or after farewell.
func (c *connector) stop() {
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		c.running.Wait()
		c.server.GracefulStop()
	}()
	select {
	case <-ended:
	case <-time.After(farewell):
	}
	c.cancel()
	c.server.Stop()
}
