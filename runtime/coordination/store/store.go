package store

// This file implements Store, the running server.

import (
	"context"
	"fmt"
	"log/slog"
	"math"
	"net"
	"net/url"
	"sync"
	"time"

	pb "go.etcd.io/etcd/api/v3/etcdserverpb"
	"go.etcd.io/etcd/server/v3/embed"
	"go.etcd.io/etcd/server/v3/etcdserver/api/v3rpc"
	"go.etcd.io/etcd/server/v3/storage/wal"
	"google.golang.org/grpc"
	"google.golang.org/grpc/keepalive"

	"github.com/gospmd/gospmd/internal/tempdir"
	"github.com/gospmd/gospmd/runtime/coordination/internal/schema"
	"github.com/gospmd/gospmd/runtime/coordination/jobtls"
)

// Options say where the store listens and which clients it accepts.
type Options struct {
	// Address is the host:port where the store listens. It listens nowhere else. With port 0 it
	// takes a free port.
	Address string
	// Processes is the number of processes of a job. Certificates with greater ranks are refused. 0
	// means any number.
	Processes int
	// Credentials are the credentials of the coordinator. Without credentials the store accepts
	// everybody who can reach the address.
	Credentials *jobtls.Credentials
	// Logger receives warnings: that strangers can reach the address, and refused connections. nil
	// is slog.Default.
	Logger *slog.Logger
}

// Store is a running store.
type Store struct {
	listener net.Listener
	grpc     *grpc.Server
	etcd     *embed.Etcd
	dir      *tempdir.Dir
	close    sync.Once
	failing  sync.Once
	failed   chan error
	ended    chan struct{} // closed when the store has failed
}

// Start starts a store, which listens at the address of o and runs until Close. ctx bounds the
// start only. A nil Logger is slog.Default.
func Start(ctx context.Context, o Options) (*Store, error) {
	if o.Logger == nil {
		o.Logger = slog.Default()
	}
	listener, err := listen(ctx, o)
	if err != nil {
		return nil, err
	}
	dir, err := tempdir.Make("gospmd-job-")
	if err != nil {
		listener.Close()
		return nil, fmt.Errorf("the directory of the store: %w", err)
	}
	s := &Store{listener: listener, dir: dir, failed: make(chan error, 1), ended: make(chan struct{})}
	if err := s.start(ctx, o); err != nil {
		s.Close()
		return nil, fmt.Errorf("the store at %s: %w", o.Address, err)
	}
	return s, nil
}

// segmentSize is the size of a file of etcd's log, in bytes. etcd allocates two of them at its
// start, of 64 MB each by default. A job writes a few MB in its whole life.
const segmentSize = 4 << 20

func (s *Store) start(ctx context.Context, o Options) error {
	wal.SegmentSizeBytes = segmentSize
	// In a goroutine of its own, which etcd ends if it cannot go on: see failureHook.
	started := make(chan *embed.Etcd, 1)
	go func() {
		etcd, err := embed.StartEtcd(config(s.dir.Path(), s.fail))
		if err != nil {
			s.fail(err)
			return
		}
		started <- etcd
	}()
	select {
	case s.etcd = <-started:
	case err := <-s.failed:
		return err
	}
	select {
	case <-s.etcd.Server.ReadyNotify():
	case err := <-s.etcd.Err():
		return err
	case err := <-s.failed:
		return err
	case <-ctx.Done():
		return context.Cause(ctx)
	}
	s.grpc = serve(s.etcd, o)
	go func() {
		<-s.ended
		s.grpc.Stop()
	}()
	go func() {
		if err := s.grpc.Serve(s.listener); err != nil {
			s.fail(err)
		}
	}()
	return nil
}

// fail ends all connections, and keeps the first error for Failed.
func (s *Store) fail(err error) {
	s.failing.Do(func() {
		s.failed <- fmt.Errorf("%w (its directory is %s)", err, s.dir.Path())
		close(s.ended)
	})
}

// config returns the configuration of an etcd server with one member that listens on no port.
// Clients reach it only through the server that serve returns. Its files are in dir. failed
// receives the error that ends etcd, once or more.
func config(dir string, failed func(error)) *embed.Config {
	cfg := embed.NewConfig()
	nowhere := []url.URL{{Scheme: "http", Host: "127.0.0.1:0"}}
	cfg.ListenClientUrls, cfg.AdvertiseClientUrls = nil, nowhere
	cfg.ListenPeerUrls, cfg.AdvertisePeerUrls = nil, nowhere
	cfg.InitialCluster = cfg.InitialClusterFromName(cfg.Name)
	cfg.EnableGRPCGateway = false
	cfg.Dir = dir
	cfg.UnsafeNoFsync = true // the store does not outlive the process
	cfg.TickMs, cfg.ElectionMs = 20, 100
	cfg.AutoCompactionMode, cfg.AutoCompactionRetention = embed.CompactorModeRevision, "1000"
	cfg.MaxRequestBytes = schema.MaxValue + 1<<20
	cfg.ZapLoggerBuilder = embed.NewZapLoggerBuilder(newLogger(failed))
	return cfg
}

// pingInterval is the shortest time between two pings of a client that checks its connection.
const pingInterval = 5 * time.Second

// serve returns a gRPC server, not listening yet, for the keys, leases and watches of etcd. It
// accepts the clients that o says.
func serve(etcd *embed.Etcd, o Options) *grpc.Server {
	a := &authorizer{processes: o.Processes}
	options := []grpc.ServerOption{
		grpc.MaxRecvMsgSize(schema.MaxValue + 2<<20), grpc.MaxSendMsgSize(math.MaxInt32),
		grpc.KeepaliveEnforcementPolicy(keepalive.EnforcementPolicy{MinTime: pingInterval}),
		grpc.UnaryInterceptor(a.authorize),
	}
	if o.Credentials != nil {
		options = append(options, grpc.Creds(newHandshake(o)))
	}
	server := grpc.NewServer(options...)
	pb.RegisterKVServer(server, v3rpc.NewQuotaKVServer(etcd.Server))
	pb.RegisterLeaseServer(server, v3rpc.NewQuotaLeaseServer(etcd.Server))
	pb.RegisterWatchServer(server, v3rpc.NewWatchServer(etcd.Server))
	return server
}

// Addr returns the host:port where the store listens.
func (s *Store) Addr() string { return s.listener.Addr().String() }

// Failed receives the error of a store that has stopped by itself, for example because the disk is
// full. Its connections have ended. It receives one error at most.
func (s *Store) Failed() <-chan error { return s.failed }

// closeTimeout bounds the time in which etcd must end.
const closeTimeout = time.Second

// Close ends the store, waits up to closeTimeout for that, and deletes its directory with all its
// data. More calls do nothing. The error is always nil.
func (s *Store) Close() error {
	s.close.Do(func() {
		s.listener.Close()
		closed := make(chan struct{})
		go func() {
			if s.grpc != nil {
				s.grpc.Stop()
			}
			if s.etcd != nil {
				s.etcd.Close()
			}
			close(closed)
		}()
		select {
		case <-closed:
		case <-time.After(closeTimeout):
		}
		s.dir.Remove()
	})
	return nil
}
