package tcp

// This file implements Listener: each process listens for connections of processes with higher
// ranks.

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"fmt"
	"net"
	"time"

	"google.golang.org/grpc"
	"google.golang.org/grpc/credentials"
	"google.golang.org/grpc/credentials/insecure"
	"google.golang.org/grpc/experimental"
	"google.golang.org/grpc/keepalive"

	"github.com/gospmd/gospmd/runtime/transport"
)

// Options say how processes check that they belong together.
type Options struct {
	// Job names the job and its start. Processes with another Job are refused.
	Job string
	// TLS encrypts and authenticates, for both ends of a connection; nil for
	// neither.
	TLS *tls.Config
	// VerifyPeer, if not nil, returns an error if the certificate, which TLS has verified, is not
	// that of the process with the given rank. Both ends of a connection call it, with the rank
	// that the other end claims.
	VerifyPeer func(rank int, cert *x509.Certificate) error
}

// Listener waits for the connections of other processes.
type Listener struct {
	options Options
	address string
	server  *grpc.Server

	ready     chan struct{} // closed when connector is there
	connector *connector
}

// Listen listens at an address of this machine, such as "10.0.0.7:0" for any free port: only
// processes that can reach that address can connect. An address that is not of this machine, or is
// in use, is an error.
func Listen(address string, o Options) (*Listener, error) {
	socket, err := net.Listen("tcp", address)
	if err != nil {
		return nil, fmt.Errorf("tcp: %w", err)
	}
	l := &Listener{options: o, address: socket.Addr().String(), ready: make(chan struct{})}
	l.server = grpc.NewServer(
		grpc.Creds(o.credentials()), grpc.ForceServerCodecV2(codec{}), grpc.MaxRecvMsgSize(2*chunk), experimental.BufferPool(pool),
		grpc.ReadBufferSize(socketBuffer), grpc.WriteBufferSize(socketBuffer),
		grpc.InitialWindowSize(streamWindow), grpc.InitialConnWindowSize(streamWindow),
		grpc.MaxConcurrentStreams(maxStreams), grpc.MaxHeaderListSize(maxHeaders), grpc.ConnectionTimeout(handshake),
		grpc.KeepaliveParams(keepalive.ServerParameters{Time: keepaliveTime, Timeout: keepaliveTimeout}),
		grpc.KeepaliveEnforcementPolicy(keepalive.EnforcementPolicy{MinTime: keepaliveTime / 2, PermitWithoutStream: true}),
	)
	l.server.RegisterService(&service, l)
	go l.server.Serve(socket) // until Close
	return l, nil
}

const (
	socketBuffer     = 128 << 10
	streamWindow     = 16 << 20 // the window of HTTP/2; so large that it never limits the transport
	keepaliveTime    = 2 * time.Second
	keepaliveTimeout = 3 * time.Second
	maxStreams       = 4        // of one connection, which needs only one
	maxHeaders       = 16 << 10 // size of the metadata of a process that dials, in bytes
	handshake        = 10 * time.Second
)

// service describes the only method: a stream in both directions.
var service = grpc.ServiceDesc{
	ServiceName: "gospmd.Transport",
	HandlerType: (*any)(nil),
	Streams: []grpc.StreamDesc{{StreamName: "Link", ServerStreams: true, ClientStreams: true, Handler: func(l any, s grpc.ServerStream) error {
		return l.(*Listener).serve(s)
	}}},
}

func (o Options) credentials() credentials.TransportCredentials {
	if o.TLS == nil {
		return insecure.NewCredentials()
	}
	return credentials.NewTLS(o.TLS)
}

// Addr returns the address that other processes dial.
func (l *Listener) Addr() string { return l.address }

// Close closes the listener. Call it only if Connect was not called: otherwise the transport closes
// it.
func (l *Listener) Close() { l.server.Stop() }

// Connect connects the processes whose addresses are peers, by rank, each with each other, and
// returns when all connections stand. The processes may call it in any order; ctx bounds the wait
// for them. It may be called once. A process that cannot be reached, or that does not belong to the
// job, is an error that names its rank.
func (l *Listener) Connect(ctx context.Context, rank int, peers []string) (transport.Transport, error) {
	if rank < 0 || rank >= len(peers) {
		return nil, fmt.Errorf("tcp: rank %d, want one below %d, the number of processes", rank, len(peers))
	}
	c := newConnector(l, rank, len(peers))
	l.connector = c
	close(l.ready)
	for peer, address := range peers[:rank] {
		go func() {
			if err := c.dial(peer, address); err != nil {
				c.failed <- fmt.Errorf("rank %d at %s: %w", peer, address, err)
			}
		}()
	}
	if err := c.wait(ctx); err != nil {
		c.cancel()
		l.server.Stop()
		return nil, fmt.Errorf("tcp: rank %d cannot connect to %w", rank, err)
	}
	return c.t, nil
}
