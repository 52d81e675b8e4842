package measure

// This file exports the fit and the bytes of programs to tests.

import (
	"context"

	"github.com/gospmd/gospmd/compile/cost"
	"github.com/gospmd/gospmd/runtime"
)

// AlphaBeta is alphaBeta. Each point is a number of bytes and of seconds.
func AlphaBeta(points [][2]float64) (latency, bandwidth float64) {
	var samples []sample
	for _, p := range points {
		samples = append(samples, sample{p[0], p[1]})
	}
	return alphaBeta(samples)
}

// Kinds returns the kinds of collectives that are measured.
func Kinds() (out []cost.Kind) {
	for _, c := range collectives {
		out = append(out, c.kind)
	}
	return out
}

// SentBytes returns, for each of Kinds, the bytes that a device of c sends in its program, in which
// each device has, or sums, that many elements of f32.
func SentBytes(ctx context.Context, c *runtime.Client, elements int) (map[cost.Kind]int, error) {
	out := map[cost.Kind]int{}
	m := &meter{client: c, o: Options{Time: 1}}
	for _, k := range collectives {
		p := k.program(1, m.devices(), elements)
		if _, err := m.seconds(ctx, p); err != nil {
			return nil, err
		}
		out[k.kind] = p.sent
	}
	return out, nil
}
