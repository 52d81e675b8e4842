package runtime

// This file joins a job: it finds the other processes and makes what moves data
// between them.

import (
	"context"
	"fmt"
	"net"
	"strings"

	"github.com/gospmd/gospmd/runtime/coordination"
	"github.com/gospmd/gospmd/runtime/transport"
	"github.com/gospmd/gospmd/runtime/transport/gloo"
	"github.com/gospmd/gospmd/runtime/transport/tcp"
)

// Detect returns the options with the job of several processes that the environment names, if it
// names one (coordination.Detect). Options that name a job themselves stay as they are. env is
// os.Getenv, or a substitute. Variables that contradict each other, or are malformed, are an error.
func (o Options) Detect(env func(string) string) (Options, error) {
	if o.JobAddresses != "" || o.Endpoints != "" || o.NumProcesses != 0 || o.ProcessID != 0 {
		return o, nil
	}
	job, source, ok, err := coordination.Detect(env)
	if err != nil {
		return o, fmt.Errorf("the cluster of %s: %w", source, err)
	}
	if ok && job.NumProcesses > 1 {
		o.JobAddresses, o.Endpoints, o.NumProcesses, o.ProcessID = job.Address, job.Endpoints, job.NumProcesses, job.ProcessID
	}
	return o, nil
}

// joinJob joins the job that the options describe, and connects this process with the others. It
// returns the options that all processes have agreed on. The job is nil for one process. If
// connecting fails, the job ends for all processes.
func joinJob(ctx context.Context, o Options) (*job, Options, error) {
	if o.NumProcesses <= 1 {
		return nil, o, nil
	}
	s, err := coordination.Join(ctx, o.coordination())
	if err != nil {
		return nil, o, err
	}
	j := &job{service: s, rank: s.Rank(), size: s.Size(), lease: s.Lease(), failed: make(chan struct{}), counters: map[string]int{}}
	if o, err = j.connect(ctx, o); err != nil {
		s.Fail(err)
		j.fail(err)
		return nil, o, err
	}
	go j.watch()
	return j, o, nil
}

// connect agrees with the other processes on the options, and returns those that all use. Then it
// makes the transports: it sets j.host and j.device, j.link and j.engine.
func (j *job) connect(ctx context.Context, o Options) (Options, error) {
	ctx, stop := j.contextWhileAlive(ctx)
	defer stop()
	o, err := j.decide(ctx, o)
	if err != nil {
		return o, err
	}
	if err := j.connectHost(ctx, o); err != nil {
		return o, err
	}
	return o, j.connectDevices(ctx, o)
}

// coordination returns the part of the options that says how to find the others.
func (o Options) coordination() coordination.Options {
	address, _, _ := strings.Cut(o.JobAddresses, ",")
	return coordination.Options{
		Address: strings.TrimSpace(address), Endpoints: o.Endpoints, JobName: o.JobName, NumProcesses: o.NumProcesses, ProcessID: o.ProcessID,
		Lease: o.Lease, JoinTimeout: o.JoinTimeout, CertFile: o.CertFile, KeyFile: o.KeyFile, CAFile: o.CAFile, Secret: o.JobSecret, Logger: o.Logger,
	}
}

// connectHost makes j.host, the transport of host data: each process listens on its address in the
// network of the coordinator, and learns the addresses of the others. It also sets j.link, the link
// of the options or a guess by the addresses.
func (j *job) connectHost(ctx context.Context, o Options) error {
	host, err := j.service.LocalHost(ctx)
	if err != nil {
		return err
	}
	options := tcp.Options{Job: fmt.Sprint("epoch ", j.service.Epoch()), TLS: j.service.TLS()}
	if options.TLS != nil {
		options.VerifyPeer = j.service.VerifyPeer
	}
	l, err := tcp.Listen(net.JoinHostPort(host, "0"), options)
	if err != nil {
		return err
	}
	values, err := j.service.Exchange(ctx, "addresses", []byte(l.Addr()))
	if err != nil {
		l.Close()
		return err
	}
	peers := make([]string, len(values))
	for rank, v := range values {
		peers[rank] = string(v)
	}
	if j.link = o.Link; j.link == (Link{}) {
		j.link = defaultLink(peers)
	}
	if j.host, err = l.Connect(ctx, j.rank, peers); err != nil {
		return j.cause(err)
	}
	return nil
}

// contextWhileAlive returns a context that ends with ctx, and also when a process of the job is
// lost. Calls that wait for all processes use it: without it they would wait forever for the lost
// one. The caller calls stop when it no longer needs the context.
func (j *job) contextWhileAlive(ctx context.Context) (alive context.Context, stop func()) {
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

// connectDevices sets j.device, the transport of the data of collectives: Gloo if the options name
// it, and otherwise j.host. It also sets j.engine.
func (j *job) connectDevices(ctx context.Context, o Options) (err error) {
	j.engine, j.device = o.Engine, j.host
	if o.Transport == transportGloo {
		if j.device, err = j.openGloo(ctx, o); err != nil {
			return j.cause(err)
		}
	}
	return nil
}

// longData holds the smallest sizes, in bytes, that Gloo moves. For smaller data our
// exchanges over gRPC are faster than Gloo's collectives, by more than 1.2 times:
// BenchmarkCollectives of package collective compares the two.
var longData = transport.Limits{Message: 512 << 10, Collective: 1 << 20}

// openGloo connects the processes by Gloo. Gloo moves long data; short messages go over the
// transport of host data.
func (j *job) openGloo(ctx context.Context, o Options) (transport.Transport, error) {
	host, err := j.service.LocalHost(ctx)
	if err != nil {
		return nil, err
	}
	g, err := gloo.Open(ctx, gloo.Options{Rank: j.rank, Size: j.size, Host: host, Store: j.service, Name: "devices", Logger: o.Logger})
	if err != nil {
		return nil, err
	}
	return transport.BySize(j.host, g, longData), nil
}
