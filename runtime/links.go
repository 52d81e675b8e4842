package runtime

// This file measures how fast the processes of a job send to each other, for the
// compiler's machine model.

import (
	"context"
	"math"
	"slices"
	"time"

	"github.com/gospmd/gospmd/mesh"
	"github.com/gospmd/gospmd/runtime/transport"
)

// Link is what joins devices in different processes: sending n bytes takes
// Latency + n/Bandwidth seconds.
type Link struct {
	Latency   float64 // seconds
	Bandwidth float64 // bytes per second
}

// Links returns the links along the axes of m that cross processes, by name; nil
// where none does. They were measured when the client was opened, and are the
// same in all processes, so that all compile the same program.
func (c *Client) Links(m *mesh.DeviceMesh) map[string]Link {
	if c.job == nil || c.job.device == nil {
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

// measure sets the job's link: the slowest of what the processes measure, each
// sending to the next one. Rounding to powers of two keeps noise from making another
// program at each start.
func (j *job) measure(ctx context.Context) error {
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
		return err
	}
	took, err := fastest(4, large)
	if err != nil {
		return err
	}
	mine := Link{latency, large / max(took-latency, took/10)}
	links, err := share(j.all(), "link", mine, func(value []byte) ([][]byte, error) { return j.service.Exchange(ctx, "links", value) })
	if err != nil {
		return err
	}
	slowest := Link{Bandwidth: math.Inf(1)}
	for _, l := range links {
		slowest = Link{max(slowest.Latency, l.Latency), min(slowest.Bandwidth, l.Bandwidth)}
	}
	j.link = Link{powerOfTwo(slowest.Latency), powerOfTwo(slowest.Bandwidth)}
	return nil
}

func powerOfTwo(x float64) float64 { return math.Exp2(math.Round(math.Log2(x))) }
