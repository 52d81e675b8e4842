package measure

// This file measures the time of a program.

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/gospmd/gospmd/compile"
	"github.com/gospmd/gospmd/compile/cost"
	"github.com/gospmd/gospmd/ir"
	"github.com/gospmd/gospmd/layout"
	"github.com/gospmd/gospmd/runtime"
)

// meter measures programs on a client.
type meter struct {
	client  *runtime.Client
	o       Options
	result  *Result
	started float64 // seconds to start a program and to wait for it
}

func (m *meter) devices() int { return len(m.client.Devices()) }

func (m *meter) add(x Measurement) {
	m.result.Measurements = append(m.result.Measurements, x)
	if m.o.Progress != nil {
		m.o.Progress(x)
	}
}

// fewest and most are the limits of the number of repetitions of a program.
const fewest, most = 3, 1000

// seconds compiles p, runs it several times and returns the median time of a run in seconds,
// without the time to start it, but at least a tenth of the median. It sets p.sent to the bytes
// that a device sends in collectives of p.kind.
func (m *meter) seconds(ctx context.Context, p *measuredProgram) (float64, error) {
	module, err := ir.Parse(p.text)
	if err != nil {
		return 0, fmt.Errorf("%s: BUG: %w", p.name, err)
	}
	compiled, err := compile.Compile(ctx, module, compile.Options{KeepLayouts: true})
	if err != nil {
		return 0, fmt.Errorf("%s: %w", p.name, err)
	}
	p.sent = 0
	for _, c := range cost.Collectives(compiled.Mesh, compiled.Module.Main()) {
		if c.Kind == p.kind {
			p.sent += c.Bytes
		}
	}
	exe, err := m.client.Load(ctx, compiled)
	if err != nil {
		return 0, fmt.Errorf("%s: %w", p.name, err)
	}
	defer exe.Close()
	in := compiled.Inputs[0]
	x, err := m.client.PutShards(in.Type, in.Sharding, func(_ []layout.Range, dst any) error {
		for i := range dst.([]float32) {
			dst.([]float32)[i] = 0.5
		}
		return nil
	})
	if err != nil {
		return 0, fmt.Errorf("%s: %w", p.name, err)
	}
	defer x.Release()
	var times []float64
	for begin := time.Now(); len(times) <= fewest || len(times) < most && time.Since(begin) < m.o.Time; {
		s, err := timeRun(ctx, exe, x)
		if err != nil {
			return 0, fmt.Errorf("%s: %w", p.name, err)
		}
		times = append(times, s)
	}
	times = times[1:] // the first run is slower
	slices.Sort(times)
	median := times[len(times)/2]
	return max(median-m.started, median/10), nil
}

// timeRun runs exe once on x, and returns the seconds until the result is there.
func timeRun(ctx context.Context, exe *runtime.Executable, x *runtime.Array) (float64, error) {
	begin := time.Now()
	results, err := exe.Run(x)
	if err != nil {
		return 0, err
	}
	for _, r := range results {
		if err := r.Wait(ctx); err != nil {
			return 0, err
		}
	}
	s := time.Since(begin).Seconds()
	for _, r := range results {
		r.Release()
	}
	return s, nil
}
