package measure

// This file measures the devices of a client: how fast they multiply matrices, copy memory and
// exchange messages.

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/gomlx/compute/dtypes"

	"github.com/gospmd/gospmd/compile/cost"
	"github.com/gospmd/gospmd/hardware"
	"github.com/gospmd/gospmd/internal/texttable"
	"github.com/gospmd/gospmd/ir"
	"github.com/gospmd/gospmd/runtime"
)

// Options limit the measurements. The zero value means the defaults.
type Options struct {
	// Matrix is the size of the matrices; 0: 1024 on CPUs, 8192 elsewhere.
	Matrix int
	// Bytes is the size of the largest message and of the copy on a device; 0: 8 MiB on
	// CPUs, 256 MiB elsewhere.
	Bytes int
	// Time is how long each program is repeated; 0: 200 ms.
	Time time.Duration
	// Progress is called with each measurement as soon as it is made; it may be nil.
	Progress func(Measurement)
}

// Measurement is the time of one program.
type Measurement struct {
	What    string  `json:"what"` // "product of bf16", "all_gather along 4 devices"
	Bytes   int     `json:"bytes,omitempty"`
	Flops   int     `json:"flops,omitempty"`
	Seconds float64 `json:"seconds"`
}

// String returns what was measured, and the rate.
func (m Measurement) String() string {
	rate := ""
	if m.Flops > 0 {
		rate = fmt.Sprintf(", %.3g flops per second", float64(m.Flops)/m.Seconds)
	}
	if m.Bytes > 0 {
		rate = fmt.Sprintf(", %s per second", texttable.Bytes(int(float64(m.Bytes)/m.Seconds)))
	}
	return fmt.Sprintf("%s: %.4g µs%s", m.What, m.Seconds*1e6, rate)
}

// Result holds the measurements, and the machine that they describe.
type Result struct {
	Measurements []Measurement
	Machine      *cost.MachineFile
}

// measured are the element types of matrix products. Types that a device does not support are
// skipped.
var measured = []dtypes.DType{dtypes.Float32, dtypes.BFloat16, dtypes.Float16, dtypes.Float64}

// Client measures what the devices of c compute, read and send, while all of them work at the same
// time, and returns the machine that the figures describe. c must have one process. Options that
// are zero have defaults. A client of a job of several is an error.
func Client(ctx context.Context, c *runtime.Client, o Options) (*Result, error) {
	if c.ProcessCount() > 1 {
		return nil, fmt.Errorf("measure: the client is one of %d processes: want one, and its own devices", c.ProcessCount())
	}
	n := len(c.Devices())
	onCPU := c.Platform() == hardware.CPU
	if o.Matrix == 0 {
		o.Matrix = pick(onCPU, 1024, 8192)
	}
	if o.Bytes == 0 {
		o.Bytes = pick(onCPU, 8<<20, 256<<20)
	}
	if o.Time == 0 {
		o.Time = 200 * time.Millisecond
	}
	r := &Result{Machine: &cost.MachineFile{ // memory as the devices report it
		Name: fmt.Sprintf("%d %s devices, measured", n, c.Devices()[0].Kind), Flops: map[string]float64{}, Memory: c.Devices()[0].Memory, Overlap: !onCPU,
		Notes: fmt.Sprintf("measured by gospmd doctor -measure on %s: products of %d x %d matrices, a copy and messages of up to %s, all devices at the same time",
			c.Platform(), o.Matrix, o.Matrix, texttable.Bytes(o.Bytes)),
	}}
	if slices.Contains(hardware.Platforms(), c.Platform()) {
		r.Machine.Platform = c.Platform()
	}
	m := &meter{client: c, o: o, result: r}
	for _, step := range []func(context.Context) error{m.start, m.products, m.copies, m.messages} {
		if err := step(ctx); err != nil {
			return nil, fmt.Errorf("measure: %w", err)
		}
	}
	return r, nil
}

func pick(first bool, a, b int) int {
	if first {
		return a
	}
	return b
}

// start measures how long a program that does next to nothing takes, from its start to the notice
// of its end, and keeps the time in m.started.
func (m *meter) start(ctx context.Context) error {
	s, err := m.seconds(ctx, copyProgram(m.devices(), 1))
	m.started = s
	return err
}

// products measures a product of matrices in each element type, and skips types that the devices do
// not support. It is an error if they support none.
func (m *meter) products(ctx context.Context) error {
	n := m.o.Matrix
	var last error
	for _, t := range measured {
		name := ir.DTypeText(t)
		s, err := m.seconds(ctx, productProgram(m.devices(), n, name))
		if err != nil {
			if ctx.Err() != nil {
				return err
			}
			last = err // the devices do not support the type
			continue
		}
		flops := 2 * n * n * n
		m.add(Measurement{What: "product of " + name, Flops: flops, Seconds: s})
		m.result.Machine.Flops[name] = float64(flops) / s
	}
	if len(m.result.Machine.Flops) == 0 {
		return fmt.Errorf("no product of any type: %w", last)
	}
	return nil
}

// copies measures the bandwidth of the devices' memory by a copy, which counts as bytes read and
// bytes written, and sets it in the result.
func (m *meter) copies(ctx context.Context) error {
	s, err := m.seconds(ctx, copyProgram(m.devices(), m.o.Bytes/4))
	if err != nil {
		return err
	}
	m.add(Measurement{What: "copy", Bytes: 2 * m.o.Bytes, Seconds: s})
	m.result.Machine.MemoryBandwidth = float64(2*m.o.Bytes) / s
	return nil
}

// messages measures each collective over groups of devices, of each size that divides the number of
// devices, with messages of several sizes. It fits latency and bandwidth to all the times, and sets
// the link of the result. One device sends at the speed of a copy. It is an error if several
// devices have sent nothing.
func (m *meter) messages(ctx context.Context) error {
	var times []sample
	for size := 2; size <= m.devices(); size++ {
		if m.devices()%size != 0 {
			continue
		}
		for _, kind := range collectives {
			for bytes := 1 << 12; bytes <= m.o.Bytes; bytes *= 16 {
				p := kind.program(m.devices()/size, size, bytes/4)
				s, err := m.seconds(ctx, p)
				if err != nil {
					return err
				}
				if sent := p.sent; sent > 0 {
					m.add(Measurement{What: fmt.Sprintf("%s along %d devices", strings.ReplaceAll(string(kind.kind), "_", "-"), size), Bytes: sent, Seconds: s})
					times = append(times, sample{float64(sent), s})
				}
			}
		}
	}
	link := cost.FileLink{Kind: m.client.Platform() + " link"}
	if len(times) == 0 {
		if m.devices() > 1 {
			return errors.New("no collective has sent anything")
		}
		// one device sends to itself at the speed of a copy
		times = []sample{{float64(m.o.Bytes), m.result.Measurements[len(m.result.Measurements)-1].Seconds}}
	}
	link.Latency, link.Bandwidth = alphaBeta(times)
	m.result.Machine.Links = []cost.FileLink{link}
	return nil
}
