package runtime

// This file says how fast the processes of a job send to each other, for the compiler's
// machine model. Nothing is measured unless the program asks: the same job must compile
// the same program each time, also on a busy machine.

import (
	"context"
	"fmt"
	"math"
	"net"
	"slices"
	"strings"
	"time"

	"github.com/gospmd/gospmd/internal/made"
	"github.com/gospmd/gospmd/internal/texttable"
	"github.com/gospmd/gospmd/mesh"
	"github.com/gospmd/gospmd/runtime/transport"
)

// Link describes the connection between devices in different processes. Sending n bytes takes
// Latency + n/Bandwidth seconds.
type Link struct {
	Latency   float64 // seconds
	Bandwidth float64 // bytes per second
}

// The default links that programs are compiled for, if neither Options.Link nor GOSPMD_LINK sets
// one.
var (
	// LocalLink joins processes of one machine.
	LocalLink = Link{Latency: 100e-6, Bandwidth: 1e9}
	// NetworkLink joins processes of several machines: Ethernet of 10 Gbit/s.
	NetworkLink = Link{Latency: 200e-6, Bandwidth: 1.25e9}
)

// linkVar is the environment variable that sets the link, as ParseLink reads it.
const linkVar = "GOSPMD_LINK"

// ParseLink reads a latency and a bandwidth in bytes per second, such as "100us,1GB". Other texts
// are an error.
func ParseLink(text string) (Link, error) {
	latency, bandwidth, _ := strings.Cut(text, ",")
	d, err := time.ParseDuration(strings.TrimSpace(latency))
	bytes, bad := texttable.ParseBytes(strings.TrimSpace(bandwidth))
	if err != nil || bad != nil || d < 0 {
		return Link{}, fmt.Errorf("the link is %q: want a latency and the bytes of a second, such as 100us,1GB", text)
	}
	return Link{d.Seconds(), float64(bytes)}, nil
}

// String returns the link in the form that ParseLink reads.
func (l Link) String() string {
	return fmt.Sprintf("%s,%d", time.Duration(math.Round(l.Latency*1e9)), int(l.Bandwidth))
}

// setting returns the link as text. It is empty for the zero Link, which means the default.
func (l Link) setting() string {
	if l == (Link{}) {
		return ""
	}
	return l.String()
}

// defaultLink returns the default link between processes that listen at these addresses: LocalLink
// if all are on one machine, or else NetworkLink.
func defaultLink(addresses []string) Link {
	for _, a := range addresses {
		host, _, _ := net.SplitHostPort(a)
		first, _, _ := net.SplitHostPort(addresses[0])
		if ip := net.ParseIP(host); host != first && (ip == nil || !ip.IsLoopback()) {
			return NetworkLink
		}
	}
	return LocalLink
}

// Links returns the link of each axis of m that crosses processes, by the name of the axis. It is
// nil if no axis does. The links are the same in all processes, so that all compile the same
// program: Options.Link, or the default (LocalLink or NetworkLink).
func (c *Client) Links(m *mesh.DeviceMesh) map[string]Link {
	if c.job == nil {
		return nil
	}
	at := c.job.placement(m)
	var out map[string]Link
	for _, a := range m.Axes() {
		if !slices.ContainsFunc(m.ReplicaGroups(mesh.FullAxes(a.Name)), func(group []int) bool { return at.Crosses(group...) }) {
			continue
		}
		if out == nil {
			out = map[string]Link{}
		}
		out[a.Name] = c.job.link
	}
	return out
}

// MeasureLink measures the link between the processes. All of them must call it: each sends to the
// next one, and the result is the slowest. MeasureLink does not change the client's link: set
// Options.Link or GOSPMD_LINK to the result for later starts. A client of one process is an error.
func (c *Client) MeasureLink(ctx context.Context) (Link, error) {
	if err := made.Context(ctx); err != nil {
		return Link{}, fmt.Errorf("runtime: MeasureLink: %w", err)
	}
	if c.job == nil {
		return Link{}, fmt.Errorf("runtime: MeasureLink: this client has one process, want several")
	}
	l, err := c.job.measure(ctx)
	if err != nil {
		return Link{}, c.job.explain("runtime: MeasureLink", err)
	}
	return l, nil
}

func (j *job) measure(ctx context.Context) (Link, error) {
	next, previous := (j.rank+1)%j.size, (j.rank+j.size-1)%j.size
	exchange := func(n int) (time.Duration, error) {
		send, receive := make([]byte, n), make([]byte, n)
		start := time.Now()
		err := j.device.Exchange(ctx, j.tag("measure", j.all()), []transport.Message{{Rank: next, Data: send}}, []transport.Message{{Rank: previous, Data: receive}})
		return time.Since(start), err
	}
	fastest := func(rounds, n int) (best float64, err error) {
		best = math.Inf(1)
		for range rounds {
			took, err := exchange(n)
			if err != nil {
				return 0, err
			}
			best = min(best, took.Seconds())
		}
		return best, nil
	}
	const large = 1 << 20
	latency, err := fastest(10, 8)
	if err != nil {
		return Link{}, err
	}
	took, err := fastest(4, large)
	if err != nil {
		return Link{}, err
	}
	mine := Link{latency, large / max(took-latency, took/10)}
	links, err := share(j.all(), "link", mine, func(value []byte) ([][]byte, error) { return j.service.Exchange(ctx, "links", value) })
	if err != nil {
		return Link{}, err
	}
	slowest := Link{Bandwidth: math.Inf(1)}
	for _, l := range links {
		slowest = Link{max(slowest.Latency, l.Latency), min(slowest.Bandwidth, l.Bandwidth)}
	}
	return slowest, nil
}
