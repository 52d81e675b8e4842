package runtime

// This file joins a job: it finds the other processes and makes what moves data
// between them.

import (
	"context"
	"fmt"
	"net"
	"os"
	"strings"

	"github.com/gospmd/gospmd/runtime/coordination"
	"github.com/gospmd/gospmd/runtime/transport"
	"github.com/gospmd/gospmd/runtime/transport/gloo"
	"github.com/gospmd/gospmd/runtime/transport/tcp"
)

// joinJob joins the job that the options describe, and waits for the other
// processes. It returns nil for one process.
func joinJob(ctx context.Context, o Options) (*job, error) {
	if o.NumProcesses <= 1 {
		return nil, nil
	}
	s, err := coordination.Join(ctx, o.coordination())
	if err != nil {
		return nil, err
	}
	j := &job{service: s, rank: s.Rank(), size: s.Size(), lease: s.Lease(), failed: make(chan struct{}), counters: map[string]int{}}
	if j.host, err = j.connect(ctx, o); err != nil {
		s.Fail(err)
		return nil, err
	}
	go j.watch()
	return j, nil
}

// coordination returns the part of the options that says how to find the others.
func (o Options) coordination() coordination.Options {
	address, _, _ := strings.Cut(o.JobAddresses, ",")
	return coordination.Options{
		Address: strings.TrimSpace(address), NumProcesses: o.NumProcesses, ProcessID: o.ProcessID, Lease: o.Lease, JoinTimeout: o.JoinTimeout,
		CertFile: o.CertFile, KeyFile: o.KeyFile, CAFile: o.CAFile,
	}
}

// connect makes the transport of host data: every process listens on the address
// by which it reaches the coordinator.
func (j *job) connect(ctx context.Context, o Options) (transport.Transport, error) {
	host, err := localHost(o.coordination().Address, j.rank)
	if err != nil {
		return nil, err
	}
	tls, err := o.coordination().TLS()
	if err != nil {
		return nil, err
	}
	l, err := tcp.Listen(net.JoinHostPort(host, "0"), tcp.Options{Job: fmt.Sprint("epoch ", j.service.Epoch()), TLS: tls})
	if err != nil {
		return nil, err
	}
	ctx, stop := j.whileAlive(ctx)
	defer stop()
	values, err := j.service.Exchange(ctx, "addresses", []byte(l.Addr()))
	if err != nil {
		l.Close()
		return nil, err
	}
	peers := make([]string, len(values))
	for rank, v := range values {
		peers[rank] = string(v)
	}
	return l.Connect(ctx, j.rank, peers)
}

// whileAlive returns a context that ends when a process is lost: who connects waits
// for all.
func (j *job) whileAlive(ctx context.Context) (alive context.Context, stop func()) {
	alive, cancel := context.WithCancelCause(ctx)
	go func() {
		select {
		case <-j.service.Failed():
			cancel(j.service.Err())
		case <-alive.Done():
		}
	}()
	return alive, func() { cancel(nil) }
}

// The transports that Options.Transport and the environment variable
// GOSPMD_TRANSPORT may name.
const (
	transportGloo = "gloo"
	transportTCP  = "tcp"
	transportVar  = "GOSPMD_TRANSPORT"
)

// connectDevices makes what moves the data of collectives for an engine; def is its
// default.
func (j *job) connectDevices(o Options, engine, def string) (err error) {
	if j == nil {
		return nil
	}
	j.engine = engine
	name, from := o.Transport, "Options.Transport"
	if name == "" {
		name, from = os.Getenv(transportVar), transportVar
	}
	if name == "" {
		name = def
	}
	switch name {
	case transportTCP:
		j.device = j.host
	case transportGloo:
		if j.device, err = j.openGloo(o); err != nil {
			return fmt.Errorf("%w; %s=%s is slower and does not need it", err, transportVar, transportTCP)
		}
	default:
		return fmt.Errorf("%s is %q: want %q or %q", from, name, transportGloo, transportTCP)
	}
	return nil
}

// longMessage is the size from which Gloo takes less time for a message than gRPC, which
// has the lower latency: benchmarks of packages tcp and gloo measure it.
const longMessage = 512 << 10

// openGloo connects the processes by Gloo, which moves long messages; short ones
// go where host data does.
func (j *job) openGloo(o Options) (transport.Transport, error) {
	host, err := localHost(o.coordination().Address, j.rank)
	if err != nil {
		return nil, err
	}
	ctx, stop := j.whileAlive(context.Background())
	defer stop()
	g, err := gloo.Open(ctx, gloo.Options{Rank: j.rank, Size: j.size, Host: host, Store: j.service, Name: "devices"})
	if err != nil {
		return nil, err
	}
	return transport.BySize(j.host, g, longMessage), nil
}

// localHost returns the address of this machine from which the coordinator is
// reached; process 0 is the coordinator.
func localHost(coordinator string, rank int) (string, error) {
	host, _, err := net.SplitHostPort(coordinator)
	if err != nil || rank == 0 {
		return host, err
	}
	c, err := net.Dial("udp", coordinator) // sends nothing: it asks for the route
	if err != nil {
		return "", fmt.Errorf("there is no route to the coordinator at %s: %w", coordinator, err)
	}
	defer c.Close()
	host, _, err = net.SplitHostPort(c.LocalAddr().String())
	return host, err
}
