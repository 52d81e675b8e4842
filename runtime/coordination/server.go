package coordination

// This file implements the etcd server that process 0 runs for the job.

import (
	"context"
	"fmt"
	"net"
	"net/netip"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"time"

	"github.com/gofrs/flock"
	"go.etcd.io/etcd/client/pkg/v3/transport"
	"go.etcd.io/etcd/server/v3/embed"
	"go.uber.org/zap"
	"go.uber.org/zap/zapcore"
)

// maxValue is how many bytes a value in the store may have.
const maxValue = 64 << 20

// server is the running etcd with its directory.
type server struct {
	etcd *embed.Etcd
	dir  *tempDir
}

// startServer starts etcd at the address of o and nowhere else; what etcd would
// talk to other members by is bound to the loopback interface.
func startServer(ctx context.Context, o Options) (*server, error) {
	listen, err := resolve(ctx, o.Address)
	if err != nil {
		return nil, fmt.Errorf("process 0 (%s) cannot listen at job address %s: %w; give an address of the machine of process 0", o.Name, o.Address, err)
	}
	if err := canListen(ctx, listen); err != nil {
		return nil, fmt.Errorf("process 0 (%s) cannot listen at job address %s: %w; choose a free port of the machine of process 0, "+
			"and see that no other process of the job has the id 0", o.Name, o.Address, err)
	}
	dir, err := newTempDir()
	if err != nil {
		return nil, fmt.Errorf("process 0 (%s): %w", o.Name, err)
	}
	cfg := etcdConfig(o, listen, dir.path)
	etcd, err := embed.StartEtcd(cfg)
	if err != nil {
		dir.remove()
		return nil, fmt.Errorf("process 0 (%s) cannot start the store of the job at %s: %w", o.Name, o.Address, err)
	}
	s := &server{etcd: etcd, dir: dir}
	select {
	case <-etcd.Server.ReadyNotify():
		return s, nil
	case err = <-etcd.Err():
	case <-ctx.Done():
		err = context.Cause(ctx)
	}
	s.close()
	return nil, fmt.Errorf("process 0 (%s): the store of the job at %s did not get ready: %w", o.Name, o.Address, err)
}

func etcdConfig(o Options, listen, dir string) *embed.Config {
	scheme := "http"
	cfg := embed.NewConfig()
	if o.CertFile != "" {
		scheme = "https"
		cfg.ClientTLSInfo = transport.TLSInfo{CertFile: o.CertFile, KeyFile: o.KeyFile, TrustedCAFile: o.CAFile, ClientCertAuth: true}
		cfg.PeerTLSInfo = cfg.ClientTLSInfo
	}
	clients := []url.URL{{Scheme: scheme, Host: listen}}
	peers := []url.URL{{Scheme: scheme, Host: "127.0.0.1:0"}} // there are none
	cfg.ListenClientUrls, cfg.AdvertiseClientUrls = clients, clients
	cfg.ListenPeerUrls, cfg.AdvertisePeerUrls = peers, peers
	cfg.InitialCluster = cfg.InitialClusterFromName(cfg.Name)
	cfg.EnableGRPCGateway = false
	cfg.Dir = dir
	cfg.UnsafeNoFsync = true // the store does not outlive the job
	cfg.TickMs, cfg.ElectionMs = 20, 100
	cfg.AutoCompactionMode, cfg.AutoCompactionRetention = embed.CompactorModeRevision, "1000"
	cfg.MaxRequestBytes = maxValue + 1<<20
	// What stops etcd for good (a full disk) must not end the process in silence.
	cfg.ZapLoggerBuilder = embed.NewZapLoggerBuilder(zap.New(zapcore.NewNopCore(), zap.WithFatalHook(zapcore.WriteThenPanic)))
	return cfg
}

// closeTimeout bounds how long etcd may take to end: it waits for connections of
// processes that are lost.
const closeTimeout = time.Second

func (s *server) close() {
	closed := make(chan struct{})
	go func() {
		s.etcd.Close()
		close(closed)
	}()
	select {
	case <-closed:
	case <-time.After(closeTimeout):
	}
	s.dir.remove()
}

// resolve returns address with an IP number for the name: etcd listens at
// numbers. One that other machines reach is preferred.
func resolve(ctx context.Context, address string) (string, error) {
	host, port, err := net.SplitHostPort(address)
	if err != nil {
		return "", err
	}
	ips, err := net.DefaultResolver.LookupNetIP(ctx, "ip", host)
	if err != nil {
		return "", err
	}
	i := max(0, slices.IndexFunc(ips, func(ip netip.Addr) bool { return !ip.IsLoopback() }))
	return net.JoinHostPort(ips[i].Unmap().String(), port), nil
}

// canListen tells better than etcd, which tries again and again, why it cannot listen.
func canListen(ctx context.Context, address string) error {
	var config net.ListenConfig
	l, err := config.Listen(ctx, "tcp", address)
	if err != nil {
		return err
	}
	return l.Close()
}

const tempPattern = "gospmd-job-"

// tempDir is a directory that is locked as long as its process lives.
type tempDir struct {
	path string
	lock *flock.Flock
}

// newTempDir makes a directory for etcd, and removes those that processes left
// behind which were killed.
func newTempDir() (*tempDir, error) {
	left, err := filepath.Glob(filepath.Join(os.TempDir(), tempPattern+"*"))
	if err != nil {
		return nil, err
	}
	for _, path := range left {
		if _, err := os.Stat(lockFile(path)); err != nil {
			continue // another user's, or being made
		}
		old := &tempDir{path: path, lock: flock.New(lockFile(path))}
		if free, err := old.lock.TryLock(); err == nil && free {
			old.remove()
		}
	}
	path, err := os.MkdirTemp("", tempPattern)
	if err != nil {
		return nil, err
	}
	dir := &tempDir{path: path, lock: flock.New(filepath.Join(path, "making"))}
	if err := dir.lock.Lock(); err != nil {
		dir.remove()
		return nil, err
	}
	return dir, os.Rename(filepath.Join(path, "making"), lockFile(path))
}

func lockFile(dir string) string { return filepath.Join(dir, "lock") }

func (d *tempDir) remove() {
	os.RemoveAll(d.path)
	d.lock.Close()
}
